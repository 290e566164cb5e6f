//! What a piece of text means, and the attributes that say so where colours cannot.

use ratatui::style::Modifier;

/// What a piece of text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Ordinary text.
    Plain,
    /// Of less weight.
    Dim,
    /// Headings.
    Title,
    /// Well.
    Good,
    /// Waiting on purpose.
    Wait,
    /// Told to wait, or held: look here.
    Told,
    /// Broken.
    Bad,
    /// The row under the cursor.
    Selected,
    /// A key to press.
    Key,
    /// An escape for a character that must not be shown.
    Escape,
    /// A loopback run: never mistaken for a real one.
    Label,
    /// The line at the top.
    Header,
    /// The border of a pane.
    Border,
    /// The border of the pane that has the keys.
    Focus,
    /// What a filter or a search found.
    Match,
    /// A line or word that was added; beside a `+`.
    Added,
    /// A line or word that was removed; beside a `-`.
    Removed,
    /// A line or word that became another.
    Changed,
    /// An address that can be opened.
    Link,
    /// Look now: a promise is broken, or a run stopped by itself.
    Alarm,
    /// What cannot be done now.
    Disabled,
    /// What is being typed.
    Input,
    /// What could be typed.
    Placeholder,
    /// A message that leaves by itself.
    Toast,
}

impl Role {
    /// Every role, in the order of the themes.
    pub(crate) const ALL: [Role; 24] = [
        Role::Plain,
        Role::Dim,
        Role::Title,
        Role::Good,
        Role::Wait,
        Role::Told,
        Role::Bad,
        Role::Selected,
        Role::Key,
        Role::Escape,
        Role::Label,
        Role::Header,
        Role::Border,
        Role::Focus,
        Role::Match,
        Role::Added,
        Role::Removed,
        Role::Changed,
        Role::Link,
        Role::Alarm,
        Role::Disabled,
        Role::Input,
        Role::Placeholder,
        Role::Toast,
    ];

    /// The word in a theme file.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Role::Plain => "plain",
            Role::Dim => "dim",
            Role::Title => "title",
            Role::Good => "good",
            Role::Wait => "wait",
            Role::Told => "told",
            Role::Bad => "bad",
            Role::Selected => "selected",
            Role::Key => "key",
            Role::Escape => "escape",
            Role::Label => "label",
            Role::Header => "header",
            Role::Border => "border",
            Role::Focus => "focus",
            Role::Match => "match",
            Role::Added => "added",
            Role::Removed => "removed",
            Role::Changed => "changed",
            Role::Link => "link",
            Role::Alarm => "alarm",
            Role::Disabled => "disabled",
            Role::Input => "input",
            Role::Placeholder => "placeholder",
            Role::Toast => "toast",
        }
    }

    /// Attributes that a theme may add to and never takes away, so that no fact is told by colour
    /// alone. Well and waiting have none: their symbols and words say it.
    pub(super) fn attributes(self) -> Modifier {
        match self {
            Role::Plain | Role::Wait | Role::Good | Role::Border | Role::Dim | Role::Disabled => {
                Modifier::empty()
            }
            Role::Title
            | Role::Told
            | Role::Key
            | Role::Header
            | Role::Focus
            | Role::Added
            | Role::Toast => Modifier::BOLD,
            Role::Bad | Role::Changed => Modifier::BOLD.union(Modifier::UNDERLINED),
            Role::Selected | Role::Label => Modifier::REVERSED,
            Role::Escape | Role::Placeholder => Modifier::ITALIC,
            Role::Match => Modifier::REVERSED.union(Modifier::UNDERLINED),
            Role::Removed | Role::Link | Role::Input => Modifier::UNDERLINED,
            Role::Alarm => Modifier::REVERSED.union(Modifier::BOLD),
        }
    }

    /// Whether it is told by faintness where it has no colour of its own. With one, the colour is
    /// faint enough and keeps its contrast.
    pub(super) fn faint(self) -> bool {
        matches!(self, Role::Dim | Role::Disabled | Role::Placeholder)
    }
}
