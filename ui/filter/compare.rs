//! Comparing without allocating: text whatever its case, and the five orders.

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `:` and `=`
    Same,
    /// `>=`
    AtLeast,
    /// `>`
    More,
}

impl Order {
    pub(super) fn holds<T: PartialOrd>(self, value: T, than: T) -> bool {
        match self {
            Order::Less => value < than,
            Order::AtMost => value <= than,
            Order::Same => value == than,
            Order::AtLeast => value >= than,
            Order::More => value > than,
        }
    }

    pub(super) fn sign(self) -> &'static str {
        match self {
            Order::Less => "<",
            Order::AtMost => "<=",
            Order::Same => "=",
            Order::AtLeast => ">=",
            Order::More => ">",
        }
    }
}

/// A text to look for, folded once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Needle {
    folded: Box<str>,
}

impl Needle {
    pub(super) fn new(text: &str) -> Needle {
        Needle {
            folded: fold(text).collect::<String>().into_boxed_str(),
        }
    }

    /// As it is compared.
    pub(super) fn folded(&self) -> &str {
        &self.folded
    }

    /// Whether the text contains it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        if text.is_ascii() {
            return ascii_contains(text.as_bytes(), self.folded.as_bytes());
        }
        self.folded.is_empty()
            || text
                .char_indices()
                .any(|(at, _)| starts(fold(&text[at..]), &self.folded))
    }

    /// Whether the text is it.
    pub(super) fn is(&self, text: &str) -> bool {
        fold(text).eq(self.folded.chars())
    }
}

/// A plain search: names and paths are short, and most first letters differ.
fn ascii_contains(text: &[u8], needle: &[u8]) -> bool {
    let Some((first, rest)) = needle.split_first() else {
        return true;
    };
    let either = [*first, first.to_ascii_uppercase()];
    let Some(last) = text.len().checked_sub(needle.len()) else {
        return false;
    };
    text[..=last].iter().enumerate().any(|(at, byte)| {
        (*byte == either[0] || *byte == either[1])
            && text[at + 1..=at + rest.len()].eq_ignore_ascii_case(rest)
    })
}

fn starts(mut text: impl Iterator<Item = char>, needle: &str) -> bool {
    needle.chars().all(|char| text.next() == Some(char))
}

fn fold(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().flat_map(char::to_lowercase)
}
