//! Two sets of symbols: one for most terminals, one of plain ASCII.

/// Everything on screen that is neither a letter nor a number.
#[derive(Debug)]
pub(crate) struct Symbols {
    pub(crate) not_yet: &'static str,
    pub(crate) asking: &'static str,
    pub(crate) present: &'static str,
    pub(crate) unchanged: &'static str,
    pub(crate) absent: &'static str,
    pub(crate) denied: &'static str,
    pub(crate) error: &'static str,
    pub(crate) pointer: &'static str,
    pub(crate) rule: &'static str,
    /// The rule of the pane that has the keys.
    pub(crate) focus_rule: &'static str,
    /// Between two panes side by side.
    pub(crate) bar: &'static str,
    pub(crate) cut: &'static str,
    /// A tab, where it must not look like blanks.
    pub(crate) tab: &'static str,
    /// A blank at the end of a line, where it must be seen.
    pub(crate) blank: &'static str,
    pub(crate) caret: &'static str,
    pub(crate) full: &'static str,
    pub(crate) empty: &'static str,
    pub(crate) running: &'static str,
    pub(crate) still: &'static str,
    pub(crate) ended: &'static str,
    pub(crate) sparks: &'static [&'static str],
}

/// The usual set.
pub(crate) static UNICODE: Symbols = Symbols {
    not_yet: "·",
    asking: "◐",
    present: "●",
    unchanged: "=",
    absent: "○",
    denied: "×",
    error: "!",
    pointer: "▸",
    rule: "─",
    focus_rule: "━",
    bar: "│",
    cut: "…",
    tab: "→",
    blank: "·",
    caret: "▏",
    full: "█",
    empty: "░",
    running: "●",
    still: "‖",
    ended: "■",
    sparks: &[" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
};

/// For terminals and locales without more.
pub(crate) static ASCII: Symbols = Symbols {
    not_yet: ".",
    asking: "?",
    present: "@",
    unchanged: "=",
    absent: "o",
    denied: "x",
    error: "!",
    pointer: ">",
    rule: "-",
    focus_rule: "=",
    bar: "|",
    cut: "~",
    tab: ">",
    blank: "~",
    caret: "_",
    full: "#",
    empty: ".",
    running: "*",
    still: "|",
    ended: "#",
    sparks: &[" ", ".", ".", ":", ":", "-", "=", "+", "#"],
};
