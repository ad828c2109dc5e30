//! The files: a line of JSON, then the bytes that it speaks of.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// A kernel with what it is given and what it gives.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) entry: String,
    pub(crate) arch: String,
    pub(crate) threads: u32,
    pub(crate) shared_bytes: u32,
    /// Blocks of a cluster.
    pub(crate) cluster: u32,
    /// How many a multiprocessor runs at once, if they take one position after the other.
    pub(crate) resident_blocks: Option<u32>,
    /// Blocks of a cluster that share the tiles of one position; 1 where nothing is said.
    pub(crate) parts: u32,
    pub(crate) maps: Vec<Map>,
    pub(crate) grid: [u32; 3],
    /// A cubin or a fatbin.
    pub(crate) code: Vec<u8>,
    pub(crate) args: Vec<Argument>,
    pub(crate) expected: Vec<Expected>,
    /// How far floats may be off, relative to the larger of the two and 1.
    pub(crate) tolerance: f64,
    /// Buffer, elements and units of the last place.
    pub(crate) inexact: Vec<[u64; 4]>,
    /// Why the launch ends early.
    pub(crate) fault: Option<String>,
}

#[derive(Debug)]
pub(crate) enum Argument {
    Buffer(Vec<u8>),
    Number(u64),
}

/// What a buffer holds afterwards.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) bytes: Vec<u8>,
    pub(crate) element: String,
    pub(crate) ulps: u64,
}

/// A tensor map.
#[derive(Debug)]
pub(crate) struct Map {
    pub(crate) base: usize,
    pub(crate) element_bytes: u32,
    pub(crate) swizzle: u32,
    /// Extent, stride and length of a box.
    pub(crate) axes: Vec<(Number, Number, u32)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Parameter(usize),
    Constant(u64),
}

impl Case {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let contents = fs::read(path).map_err(|error| error.to_string())?;
        let end = contents.iter().position(|&byte| byte == b'\n');
        let (line, blob) = contents.split_at(end.ok_or("there is no head")?);
        let head: Value = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        Self::of(&head, &blob[1..]).ok_or_else(|| format!("the head is another one: {head}"))
    }

    fn of(head: &Value, blob: &[u8]) -> Option<Self> {
        let bytes = |place: &Value| {
            let start = size(&place[0])?;
            let bytes = blob.get(start..start + size(&place[1])?)?;
            Some(bytes.to_vec())
        };
        let list = |key: &str| head[key].as_array();
        let args = list("args")?.iter().map(|arg| {
            Some(match arg.get("buffer") {
                Some(place) => Argument::Buffer(bytes(place)?),
                None => Argument::Number(arg["number"].as_u64()?),
            })
        });
        let expected = list("expected")?.iter().map(|buffer| {
            Some(Expected {
                bytes: bytes(&buffer["bytes"])?,
                element: buffer["element"].as_str()?.to_owned(),
                ulps: buffer["ulps"].as_u64()?,
            })
        });
        let inexact = list("inexact")?.iter().map(|part| {
            let mut numbers = [0; 4];
            for (at, number) in numbers.iter_mut().enumerate() {
                *number = part[at].as_u64()?;
            }
            Some(numbers)
        });
        let mut grid = [0; 3];
        for (axis, extent) in grid.iter_mut().enumerate() {
            *extent = short(&head["grid"][axis])?;
        }
        Some(Self {
            entry: head["entry"].as_str()?.to_owned(),
            arch: head["arch"].as_str()?.to_owned(),
            threads: short(&head["threads"])?,
            shared_bytes: short(&head["shared_bytes"])?,
            cluster: short(&head["cluster"])?,
            resident_blocks: short(&head["resident_blocks"]),
            parts: short(&head["parts"]).unwrap_or(1),
            maps: list("maps")?.iter().map(map).collect::<Option<_>>()?,
            grid,
            code: bytes(&head["code"])?,
            args: args.collect::<Option<_>>()?,
            expected: expected.collect::<Option<_>>()?,
            tolerance: head["tolerance"].as_f64()?,
            inexact: inexact.collect::<Option<_>>()?,
            fault: head["fault"].as_str().map(str::to_owned),
        })
    }
}

fn size(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn short(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

fn map(value: &Value) -> Option<Map> {
    let number = |value: &Value| {
        Some(match value.get("parameter") {
            Some(position) => Number::Parameter(size(position)?),
            None => Number::Constant(value["constant"].as_u64()?),
        })
    };
    let axes = value["axes"].as_array()?.iter();
    let axes = axes.map(|axis| Some((number(&axis[0])?, number(&axis[1])?, short(&axis[2])?)));
    Some(Map {
        base: size(&value["base"])?,
        element_bytes: short(&value["element_bytes"])?,
        swizzle: short(&value["swizzle"])?,
        axes: axes.collect::<Option<_>>()?,
    })
}
