//! The environment variables of launches on the CPU device: which code runs, on how many threads, and which checks.

use std::env;
use std::ffi::{OsStr, OsString};

use tile_core::interp::Check;

use crate::image::NativeLevel;
use crate::{Error, Result};

/// The options of launches on the CPU device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checks {
    pub(crate) check: Check,
    pub(crate) seed: Option<u64>,
}

/// The code that launches on the CPU device run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// Native code of kernels that have some, else bytecode.
    Best,
    /// Native code, or an error.
    Native,
    /// Native code of at most this level, which the processor has, or an error.
    Level(NativeLevel),
    /// Bytecode.
    Interpreted,
}

impl Code {
    /// Reads `TILE_CPU`.
    ///
    /// # Errors
    /// Returns an error if the variable has an invalid value.
    pub(crate) fn from_environment() -> Result<Code> {
        Code::parse(env::var_os("TILE_CPU"))
    }

    fn parse(code: Option<OsString>) -> Result<Code> {
        let code = code.unwrap_or_default();
        match code.to_str() {
            Some("") => Ok(Code::Best),
            Some("native") => Ok(Code::Native),
            Some("interpreted") => Ok(Code::Interpreted),
            text => match text.and_then(NativeLevel::named) {
                Some(level) if level.is_available() => Ok(Code::Level(level)),
                Some(_) => Err(Code::invalid(
                    &code,
                    "this processor does not have all instructions of that level; set it to `native` for the highest level that it has",
                )),
                None => Err(Code::invalid(
                    &code,
                    "set it to `native`, `interpreted` or a level such as `avx2`, or to nothing for native code where a kernel has some",
                )),
            },
        }
    }

    fn invalid(code: &OsStr, cure: &'static str) -> Error {
        Error::Variable {
            name: "TILE_CPU",
            value: code.to_string_lossy().into_owned(),
            cure,
        }
    }
}

/// Reads `TILE_THREADS`, the number of threads of a launch; `None` for one per core.
///
/// # Errors
/// Returns an error if the variable has an invalid value.
pub(crate) fn threads() -> Result<Option<usize>> {
    parse_threads(env::var_os("TILE_THREADS"))
}

fn parse_threads(threads: Option<OsString>) -> Result<Option<usize>> {
    let threads = threads.unwrap_or_default();
    let number = threads.to_str().and_then(|text| text.parse().ok());
    match number {
        None if threads.is_empty() => Ok(None),
        Some(number @ 1..=MAX_THREADS) => Ok(Some(number)),
        None | Some(_) => Err(Error::Variable {
            name: "TILE_THREADS",
            value: threads.to_string_lossy().into_owned(),
            cure: "set it to a number from 1 to 1024, or to nothing for one thread per core",
        }),
    }
}

/// The maximum number of threads.
const MAX_THREADS: usize = 1024;

impl Checks {
    /// Reads `TILE_CHECK` and `TILE_SEED`.
    ///
    /// # Errors
    /// Returns an error if a variable has an invalid value.
    pub(crate) fn from_environment() -> Result<Checks> {
        Checks::parse(env::var_os("TILE_CHECK"), env::var_os("TILE_SEED"))
    }

    fn parse(check: Option<OsString>, seed: Option<OsString>) -> Result<Checks> {
        let check = check.unwrap_or_default();
        let check = match check.to_str() {
            Some("" | "0" | "off") => Check::Off,
            Some("1" | "on") => Check::On,
            _ => {
                return Err(Error::Variable {
                    name: "TILE_CHECK",
                    value: check.to_string_lossy().into_owned(),
                    cure: "set it to `1` for checks, or to `0` for none",
                });
            }
        };
        let seed = seed.unwrap_or_default();
        let number = seed.to_str().and_then(|text| text.parse().ok());
        if number.is_none() && !seed.is_empty() {
            return Err(Error::Variable {
                name: "TILE_SEED",
                value: seed.to_string_lossy().into_owned(),
                cure: "set it to a number from 0 to 2^64 - 1, or to nothing for the order of the source",
            });
        }
        Ok(Checks {
            check,
            seed: number,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(check: &str, seed: &str) -> Result<Checks> {
        Checks::parse(Some(check.into()), Some(seed.into()))
    }

    #[test]
    fn checks_are_on_only_where_the_variable_says_so() -> Result<()> {
        let off = Checks {
            check: Check::Off,
            seed: None,
        };
        assert_eq!(Checks::parse(None, None)?, off);
        for text in ["", "0", "off"] {
            assert_eq!(parse(text, "")?, off);
        }
        for text in ["1", "on"] {
            assert_eq!(parse(text, "")?.check, Check::On);
        }
        assert_eq!(parse("", "18446744073709551615")?.seed, Some(u64::MAX));
        Ok(())
    }

    #[test]
    fn the_code_and_the_threads_are_chosen_by_variables() -> Result<()> {
        assert_eq!(
            (Code::parse(None)?, parse_threads(None)?),
            (Code::Best, None)
        );
        assert_eq!(Code::parse(Some("native".into()))?, Code::Native);
        assert_eq!(Code::parse(Some("interpreted".into()))?, Code::Interpreted);
        assert_eq!(parse_threads(Some("3".into()))?, Some(3));
        let of_every_processor = if cfg!(target_arch = "x86_64") {
            NativeLevel::Baseline
        } else {
            NativeLevel::Neon
        };
        for level in NativeLevel::ALL {
            let parsed = Code::parse(Some(level.name().into()));
            match parsed {
                Ok(code) => assert_eq!(code, Code::Level(level)),
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains("does not have all instructions"), "{text}");
                    assert_ne!(level, of_every_processor);
                }
            }
        }
        let error = Code::parse(Some("fast".into())).expect_err("it is no code");
        assert!(
            error
                .to_string()
                .starts_with("`TILE_CPU` is `fast`: set it to `native`")
        );
        for threads in ["0", "1025", "-1", "many"] {
            let error = parse_threads(Some(threads.into())).expect_err("it is no number");
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("`TILE_THREADS` is `{threads}`: "))
            );
        }
        Ok(())
    }

    #[test]
    fn another_value_is_an_error_that_names_the_cure() {
        let error = parse("yes", "").expect_err("it is no value");
        assert_eq!(
            error.to_string(),
            "`TILE_CHECK` is `yes`: set it to `1` for checks, or to `0` for none"
        );
        for seed in ["x", "-1", "18446744073709551616"] {
            let error = parse("1", seed).expect_err("it is no seed").to_string();
            assert!(error.starts_with(&format!("`TILE_SEED` is `{seed}`: set it to a number")));
        }
    }
}
