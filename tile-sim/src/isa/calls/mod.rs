//! Functions of the CUDA runtime that kernels call without defining them: `vprintf` and
//! `__assertfail`.
//!
//! Their parameters are in local memory, where `call` passes them.

mod format;

use self::format::{Count, Spec};
use super::Op;
use crate::check::{FaultKind, Trouble};
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::parse::syntax::Space;

/// A function of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum External {
    /// `(.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments)`
    Printf,
    /// `__assertfail (.param .b64 message, .param .b64 file, .param .b32 line,
    /// .param .b64 function, .param .b64 bytes_of_a_character)`
    AssertFail,
}

impl External {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "vprintf" => Some(Self::Printf),
            "__assertfail" => Some(Self::AssertFail),
            _ => None,
        }
    }
}

/// A call of a runtime function, with the offsets of its parameters in local memory.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Printf {
        format: u64,
        args: u64,
        result: u64,
    },
    AssertFail {
        message: u64,
        file: u64,
        line: u64,
        function: u64,
    },
}

/// The maximum length of a string in bytes.
const MAX_BYTES: usize = 1 << 16;

impl Call {
    /// Creates the call from the offsets of the parameters, followed by those of the results.
    pub(crate) fn new(external: External, places: &[u64]) -> Option<Self> {
        match (external, places) {
            (External::Printf, &[format, args, result]) => Some(Self::Printf {
                format,
                args,
                result,
            }),
            (External::AssertFail, &[message, file, line, function, _]) => Some(Self::AssertFail {
                message,
                file,
                line,
                function,
            }),
            _ => None,
        }
    }

    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        for lane in lanes(active) {
            match *self {
                Self::Printf {
                    format,
                    args,
                    result,
                } => {
                    let format = number(cx, lane, Space::Local, format, 8)?;
                    let format = string(cx, lane, format)?;
                    let args = number(cx, lane, Space::Local, args, 8)?;
                    let (text, count) = formatted(cx, lane, &format, args)?;
                    cx.print(text);
                    cx.store(lane, Space::Local, result, &count.to_le_bytes())?;
                }
                Self::AssertFail {
                    message,
                    file,
                    line,
                    function,
                } => {
                    let mut text = |place| -> Result<String, Trouble> {
                        let address = number(cx, lane, Space::Local, place, 8)?;
                        let bytes = string(cx, lane, address)?;
                        Ok(String::from_utf8_lossy(&bytes).into_owned())
                    };
                    let kind = FaultKind::Assertion {
                        message: text(message)?,
                        file: text(file)?,
                        function: text(function)?,
                        // The value has four bytes.
                        line: number(cx, lane, Space::Local, line, 4)? as u32,
                    };
                    return Err(Trouble::at(lane, kind));
                }
            }
        }
        cx.requests.clear();
        Ok(())
    }
}

impl From<Call> for Op {
    fn from(call: Call) -> Self {
        Self::Call(Box::new(call))
    }
}

fn number(
    cx: &mut Cx<'_, '_>,
    lane: usize,
    space: Space,
    address: u64,
    bytes: usize,
) -> Result<u64, Trouble> {
    let (space, address) = cx.resolve(space, address);
    let mut word = [0; 8];
    cx.load(lane, space, address, &mut word[..bytes])?;
    Ok(u64::from_le_bytes(word))
}

/// Reads a zero-terminated string.
fn string(cx: &mut Cx<'_, '_>, lane: usize, address: u64) -> Result<Vec<u8>, Trouble> {
    let mut bytes = Vec::new();
    while bytes.len() < MAX_BYTES {
        let byte_address = address.wrapping_add(bytes.len() as u64);
        match number(cx, lane, Space::Generic, byte_address, 1)? {
            0 => break,
            // The value has one byte.
            byte => bytes.push(byte as u8),
        }
    }
    Ok(bytes)
}

/// Formats the arguments and returns the text and the number of arguments used.
fn formatted(
    cx: &mut Cx<'_, '_>,
    lane: usize,
    format: &[u8],
    args: u64,
) -> Result<(String, u32), Trouble> {
    let mut out = Vec::new();
    let mut offset = 0u64;
    let mut count = 0;
    let mut rest = format;
    while let Some(percent) = rest.iter().position(|&byte| byte == b'%') {
        out.extend_from_slice(&rest[..percent]);
        rest = &rest[percent + 1..];
        if let [b'%', tail @ ..] = rest {
            out.push(b'%');
            rest = tail;
            continue;
        }
        let Some((mut spec, length)) = Spec::read(rest) else {
            // Not a conversion specification: it is printed literally.
            out.push(b'%');
            continue;
        };
        let mut next = |cx: &mut Cx<'_, '_>, bytes: u64| {
            offset = offset.next_multiple_of(bytes);
            let value = number(
                cx,
                lane,
                Space::Generic,
                args.wrapping_add(offset),
                bytes as usize,
            );
            offset += bytes;
            count += 1;
            value
        };
        if spec.width == Some(Count::Argument) {
            let width = super::types::signed(next(cx, 4)?, 32);
            spec.left |= width < 0;
            spec.width = Some(Count::Number(
                width.unsigned_abs().min(MAX_BYTES as u64) as usize
            ));
        }
        if spec.precision == Some(Count::Argument) {
            let precision = super::types::signed(next(cx, 4)?, 32);
            let number = usize::try_from(precision).ok();
            spec.precision = number.map(|number| Count::Number(number.min(MAX_BYTES)));
        }
        let value = next(cx, spec.bytes())?;
        let text = match spec.conversion {
            b's' => string(cx, lane, value)?,
            _ => Vec::new(),
        };
        spec.print(value, &text, &mut out);
        rest = &rest[length..];
    }
    out.extend_from_slice(rest);
    Ok((String::from_utf8_lossy(&out).into_owned(), count))
}
