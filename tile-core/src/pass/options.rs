//! Parses the text of a pipeline: names, and options in braces.

use std::fmt;

/// An error in the text of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassError(pub(super) String);

impl fmt::Display for PassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PassError {}

/// Splits the text of a pipeline at commas outside of braces.
pub(super) fn split(text: &str) -> Result<Vec<&str>, PassError> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut pieces = Vec::new();
    let (mut start, mut is_open) = (0, false);
    for (offset, character) in text.char_indices() {
        match character {
            '{' => is_open = true,
            '}' => is_open = false,
            ',' if !is_open => {
                pieces.push(&text[start..offset]);
                start = offset + 1;
            }
            _ => {}
        }
    }
    if is_open {
        return Err(PassError("`{` is not closed".to_owned()));
    }
    pieces.push(&text[start..]);
    Ok(pieces)
}

/// The options of one pass that have not been read yet.
pub(super) struct Options<'t>(Vec<(&'t str, &'t str)>);

impl<'t> Options<'t> {
    /// Parses the name of a pass and its options.
    pub(super) fn parse(item: &'t str) -> Result<(&'t str, Self), PassError> {
        let item = item.trim();
        let (name, list) = match item.split_once('{') {
            Some((name, rest)) => {
                let list = rest.strip_suffix('}');
                let error = || PassError(format!("expected `,` after `}}` in `{item}`"));
                (name.trim(), list.ok_or_else(error)?)
            }
            None => (item, ""),
        };
        if name.is_empty() {
            let message = "expected the name of a pass between commas";
            return Err(PassError(message.to_owned()));
        }
        let pairs = list.split(',').filter(|option| !option.trim().is_empty());
        let pairs = pairs.map(|option| {
            let pair = option.split_once('=');
            let pair = pair.map(|(key, value)| (key.trim(), value.trim()));
            pair.ok_or_else(|| {
                PassError(format!(
                    "expected `option=value`, found `{}`",
                    option.trim()
                ))
            })
        });
        Ok((name, Self(pairs.collect::<Result<_, _>>()?)))
    }

    /// Reads a numeric option, if it is given.
    pub(super) fn number(&mut self, key: &str) -> Result<Option<u32>, PassError> {
        let Some(index) = self.0.iter().position(|(other, _)| *other == key) else {
            return Ok(None);
        };
        let (_, value) = self.0.remove(index);
        let error = || PassError(format!("expected a number for `{key}`, found `{value}`"));
        value.parse().map(Some).map_err(|_| error())
    }

    /// Reads an option whose values have names, if it is given.
    pub(super) fn choice<T: Copy>(
        &mut self,
        key: &str,
        values: &[(&str, T)],
    ) -> Result<Option<T>, PassError> {
        let Some(index) = self.0.iter().position(|(other, _)| *other == key) else {
            return Ok(None);
        };
        let (_, value) = self.0.remove(index);
        let value_entry = values.iter().find(|(name, _)| *name == value);
        let error = || {
            let names: Vec<String> = values.iter().map(|(name, _)| format!("`{name}`")).collect();
            let names = names.join(" or ");
            PassError(format!("expected {names} for `{key}`, found `{value}`"))
        };
        value_entry.map(|&(_, value)| Some(value)).ok_or_else(error)
    }

    /// Reports an error if there are options that were not read.
    pub(super) fn finish(self, pass: &str) -> Result<(), PassError> {
        match self.0.first() {
            Some((key, _)) => Err(PassError(format!("`{pass}` has no option `{key}`"))),
            None => Ok(()),
        }
    }
}
