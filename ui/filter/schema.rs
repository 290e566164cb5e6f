//! What can be asked of the rows of a list; the help and the completion read it too.

/// The fields of one list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Schema {
    /// What its rows are: `hosts`.
    pub(crate) rows: &'static str,
    /// In the order of the help.
    pub(crate) fields: &'static [Field],
}

/// One thing that can be asked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// The word before the `:`; lower case letters.
    pub(crate) name: &'static str,
    /// What its values are.
    pub(crate) kind: Kind,
    /// One line for the help.
    pub(crate) help: &'static str,
    /// A filter that uses it.
    pub(crate) example: &'static str,
}

/// What the values of a field are, and with that what may be asked of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One of these words: `state:held`, `state:held,resting`.
    Word(&'static [&'static str]),
    /// Any text: `:` is "contains", `=` is "is exactly".
    Text,
    /// A whole number: `requests>=10`, `size>1mb`.
    Number(Unit),
    /// An HTTP status: `status:429`, `status:4xx`, `status>=500`.
    Status,
    /// A length of time: `gap>30s`.
    Duration,
    /// A time passed, asked by its age: `visited<2d` is "less than two days ago".
    Past,
    /// A time to come, asked by what is left: `due<1h` is "within the hour, or overdue".
    Future,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Things: `10`, `10k`, `2m`.
    Count,
    /// Bytes: `100`, `10kb`, `1.5mb`, `4mib`.
    Bytes,
}

impl Schema {
    /// The field of a name in any case.
    pub(crate) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields
            .iter()
            .find(|field| field.name.eq_ignore_ascii_case(name))
    }
}

impl Field {
    /// The operator a person most likely wants.
    pub(crate) fn usual(&self) -> &'static str {
        match self.kind {
            Kind::Word(_) | Kind::Text | Kind::Status => ":",
            Kind::Number(_) | Kind::Duration => ">",
            Kind::Past | Kind::Future => "<",
        }
    }
}
