//! The arguments of a kernel, as written on the command line.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use tile_core::{Scalar, text};

/// The value of `--arg`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// A number, as bits.
    Number { scalar: Scalar, bits: u64 },
    /// A file that is read, and written if the kernel has changed it.
    Buffer(PathBuf),
    /// A file that is written; the kernel gets zeros.
    Zeros { path: PathBuf, bytes: usize },
    /// A file that is written; the kernel gets uninitialized memory.
    Uninitialized { path: PathBuf, bytes: usize },
}

const FORMS: &str =
    "expected a number such as `i32:5` or `f32:1.5`, `buffer:PATH` or `zeros:PATH:BYTES`";

impl FromStr for Argument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, rest) = text.split_once(':').ok_or(FORMS)?;
        match kind {
            "buffer" => path(rest).map(Self::Buffer),
            "zeros" => {
                let (path, bytes) = room(kind, rest)?;
                Ok(Self::Zeros { path, bytes })
            }
            "uninit" => {
                let (path, bytes) = room(kind, rest)?;
                Ok(Self::Uninitialized { path, bytes })
            }
            _ => number(kind, rest),
        }
    }
}

/// Parses `PATH:BYTES`.
fn room(kind: &str, text: &str) -> Result<(PathBuf, usize), String> {
    let missing = || format!("expected `{kind}:PATH:BYTES`, found no number of bytes");
    let (path_text, bytes) = text.rsplit_once(':').ok_or_else(missing)?;
    let bytes = bytes
        .parse()
        .map_err(|error| format!("`{bytes}` is no number of bytes: {error}"))?;
    Ok((path(path_text)?, bytes))
}

fn path(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() {
        return Err("expected a path, found none".to_owned());
    }
    Ok(PathBuf::from(text))
}

fn number(kind: &str, value: &str) -> Result<Argument, String> {
    let Some(scalar) = Scalar::parse(kind) else {
        let known_names = Scalar::ALL.map(|scalar| format!("`{scalar}`")).join(", ");
        return Err(format!("{FORMS}; types of numbers are {known_names}"));
    };
    match text::parse_number(scalar, value) {
        Some(bits) => Ok(Argument::Number { scalar, bits }),
        None if scalar.is_integer() => {
            let bits = scalar.bits();
            Err(format!("`{value}` is no integer of {bits} bits"))
        }
        None => Err(format!(
            "`{value}` is no `{scalar}`; write a decimal number, `inf`, `nan`, or the bits as `0x...`"
        )),
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { scalar, .. } => write!(f, "a number of type `{scalar}`"),
            Self::Buffer(path) | Self::Zeros { path, .. } | Self::Uninitialized { path, .. } => {
                write!(f, "the buffer `{}`", path.display())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Argument;
    use std::path::PathBuf;
    use tile_core::Scalar;

    #[test]
    fn numbers_are_read_in_any_type() {
        for (text, scalar, bits) in [
            ("i32:5", Scalar::I32, 5),
            ("i32:-1", Scalar::I32, 0xffff_ffff),
            ("i8:0xff", Scalar::I8, 0xff),
            ("i1:true", Scalar::I1, 1),
            ("i4:-8", Scalar::I4, 8),
            ("i64:18446744073709551615", Scalar::I64, u64::MAX),
            ("f32:1.5", Scalar::F32, 0x3fc0_0000),
            ("f32:1", Scalar::F32, 0x3f80_0000),
            ("f32:-inf", Scalar::F32, 0xff80_0000),
            ("f32:0x7fc00001", Scalar::F32, 0x7fc0_0001),
            ("f16:65504", Scalar::F16, 0x7bff),
            ("bf16:1e0", Scalar::BF16, 0x3f80),
            ("f64:-0.0", Scalar::F64, 1 << 63),
            ("f8E4M3FN:448", Scalar::F8E4M3FN, 0x7e),
        ] {
            let read: Result<Argument, _> = text.parse();
            assert_eq!(read, Ok(Argument::Number { scalar, bits }), "{text}");
        }
    }

    #[test]
    fn what_is_no_argument_is_refused_with_a_cure() {
        for (text, message) in [
            ("5", "such as `i32:5`"),
            ("u32:5", "types of numbers are `i1`, `i4`"),
            ("i8:256", "`256` is no integer of 8 bits"),
            ("i1:2", "`2` is no integer of 1 bits"),
            ("f32:one", "`one` is no `f32`"),
            ("buffer:", "expected a path"),
            ("uninit:a.bin", "expected `uninit:PATH:BYTES`"),
            ("zeros:a.bin", "found no number of bytes"),
            ("zeros:a.bin:-4", "`-4` is no number of bytes"),
            ("zeros::4", "expected a path"),
        ] {
            let read: Result<Argument, String> = text.parse();
            let error = read.expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn paths_may_have_colons() {
        let read: Result<Argument, _> = "zeros:a:b:16".parse();
        let path = PathBuf::from("a:b");
        assert_eq!(read, Ok(Argument::Zeros { path, bytes: 16 }));
    }
}
