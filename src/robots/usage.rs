//! The value of a Content-Usage line: an RFC 9651 dictionary, of which two keys are known.
//!
//! Read without building it, since a line of 500 KiB makes a dictionary of 30 MB.

use std::convert::Infallible;

use sfv::visitor::{
    DictionaryVisitor, EntryVisitor, Ignored, InnerListVisitor, ItemVisitor, ParameterVisitor,
};
use sfv::{BareItemFromInput, KeyRef};

use super::signals::Statement;

/// The statements, and whether all of it could be read as specified.
pub(super) fn statements(value: &[u8]) -> (Vec<Statement>, bool) {
    let Ok(said) = sfv::Parser::new(value).parse_dictionary_with_visitor(Dictionary::default())
    else {
        return (Vec::new(), false);
    };
    let mut clear = true;
    let mut statements = Vec::new();
    for (key, said) in said {
        match said {
            Said::Nothing => {}
            Said::Value(value) => statements.push(Statement { key, value }),
            Said::Unclear => clear = false,
        }
    }
    (statements, clear)
}

/// What is said of a key. The last entry of a key counts, whatever an earlier one said.
#[derive(Clone, Copy, Default)]
enum Said {
    #[default]
    Nothing,
    Value(&'static str),
    Unclear,
}

#[derive(Default)]
struct Dictionary {
    search: Said,
    train_ai: Said,
}

impl<'de> DictionaryVisitor<'de> for Dictionary {
    type Out = [(&'static str, Said); 2];
    type Error = Infallible;

    fn entry(&mut self, key: &'de KeyRef) -> Result<impl EntryVisitor<'de>, Infallible> {
        Ok(match key.as_str() {
            "search" => Some(Entry(&mut self.search)),
            "train-ai" => Some(Entry(&mut self.train_ai)),
            _ => None,
        })
    }

    fn finish(self) -> Result<Self::Out, Infallible> {
        Ok([("search", self.search), ("train-ai", self.train_ai)])
    }
}

/// The entry of a known key.
struct Entry<'d>(&'d mut Said);

impl<'de> EntryVisitor<'de> for Entry<'_> {
    type Error = Infallible;

    fn item(self) -> Result<impl ItemVisitor<'de>, Infallible> {
        Ok(self)
    }

    fn inner_list(self) -> Result<impl InnerListVisitor<'de>, Infallible> {
        *self.0 = Said::Unclear;
        Ok(Ignored)
    }
}

impl<'de> ItemVisitor<'de> for Entry<'_> {
    type Out = ();
    type Error = Infallible;

    fn bare_item(
        self,
        item: BareItemFromInput<'de>,
    ) -> Result<impl ParameterVisitor<'de, Out = ()>, Infallible> {
        let token = match item {
            BareItemFromInput::Token(token) => token.as_str(),
            _ => "",
        };
        *self.0 = match token {
            "y" => Said::Value("y"),
            "n" => Said::Value("n"),
            _ => Said::Unclear,
        };
        Ok(Ignored)
    }
}
