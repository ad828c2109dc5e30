//! Parses the format of `tile_print!`: the format of `println!`, restricted to what C's `printf`
//! can express.

use super::ast::{FormatArg, FormatKind, FormatSpec, Piece};

/// An error in a format.
pub(super) struct FormatError {
    pub(super) message: String,
    pub(super) help: String,
}

fn error(message: impl Into<String>, help: impl Into<String>) -> FormatError {
    FormatError {
        message: message.into(),
        help: help.into(),
    }
}

/// Parses a format into its pieces, in order.
pub(super) fn parse(text: &str) -> Result<Vec<Piece>, FormatError> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    while let Some(next) = chars.next() {
        match next {
            '{' | '}' if chars.peek() == Some(&next) => {
                chars.next();
                plain.push(next);
            }
            '}' => {
                return Err(error(
                    "a `}` in the format closes nothing",
                    "write `}}` for a brace",
                ));
            }
            '{' => {
                let mut inside = String::new();
                loop {
                    match chars.next() {
                        Some('}') => break,
                        Some(other) => inside.push(other),
                        None => {
                            return Err(error(
                                "a `{` in the format is not closed",
                                "write `{{` for a brace, or close it with `}`",
                            ));
                        }
                    }
                }
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(value(inside.trim())?);
            }
            '\0' => {
                return Err(error(
                    "a format has no zero characters",
                    "leave the `\\0` out",
                ));
            }
            other => plain.push(other),
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

/// Parses the text between braces.
fn value(inside: &str) -> Result<Piece, FormatError> {
    let (name, spec) = inside.split_once(':').unwrap_or((inside, ""));
    let arg = if name.is_empty() {
        FormatArg::Next
    } else if name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name
            .chars()
            .all(|each| each.is_alphanumeric() || each == '_')
    {
        FormatArg::Named(name.to_owned())
    } else {
        return Err(error(
            format!("`{{{inside}}}` is not supported in a format string"),
            "write `{}`, or the name of a variable in the braces",
        ));
    };
    let spec = specification(spec).ok_or_else(|| {
        error(
            format!("`{{{inside}}}` is not supported in a format string"),
            "write a width, a precision, `x`, `X`, `o` or `e` after the colon, as in `{:8}`, `{:.3}` or `{:08x}`",
        )
    })?;
    Ok(Piece::Value { arg, spec })
}

fn specification(text: &str) -> Option<FormatSpec> {
    let mut rest = text;
    let mut flags = String::new();
    if let Some(after) = rest.strip_prefix('<') {
        flags.push('-');
        rest = after;
    } else if let Some(after) = rest.strip_prefix('>') {
        rest = after;
    }
    if let Some(after) = rest.strip_prefix('+') {
        flags.push('+');
        rest = after;
    }
    if let Some(after) = rest.strip_prefix('0') {
        // Padding with zeros is always on the left, so the alignment is ignored.
        flags = flags.replace('-', "");
        flags.push('0');
        rest = after;
    }
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (width, after) = rest.split_at(digits(rest));
    if width.len() > 3 {
        return None;
    }
    let mut size = width.to_owned();
    rest = after;
    let mut has_precision = false;
    if let Some(after) = rest.strip_prefix('.') {
        let (precision, after) = after.split_at(digits(after));
        if precision.is_empty() || precision.len() > 2 {
            return None;
        }
        size.push('.');
        size.push_str(precision);
        has_precision = true;
        rest = after;
    }
    let kind = match rest {
        "" | "?" => FormatKind::Display,
        "x" => FormatKind::LowerHex,
        "X" => FormatKind::UpperHex,
        "o" => FormatKind::Octal,
        "e" => FormatKind::LowerExp,
        "E" => FormatKind::UpperExp,
        _ => return None,
    };
    Some(FormatSpec {
        flags,
        size,
        has_precision,
        kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> String {
        match parse(text) {
            Ok(pieces) => format!("{pieces:?}"),
            Err(error) => format!("{}; {}", error.message, error.help),
        }
    }

    #[test]
    fn braces_are_values_and_double_braces_are_text() {
        assert_eq!(
            parse("a{{b}} {} c").map(|pieces| pieces.len()).ok(),
            Some(3)
        );
        assert!(pieces("a{{b}} {} c").starts_with("[Text(\"a{b} \"), Value"));
    }

    #[test]
    fn what_printf_cannot_do_is_refused() {
        for text in [
            "{", "}", "{0}", "{:^8}", "{:#x}", "{:1$}", "{:b}", "{a.b}", "{:.}",
        ] {
            assert!(parse(text).is_err(), "{text}: {}", pieces(text));
        }
    }
}
