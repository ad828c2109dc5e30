//! The format of case files: a line of JSON, followed by the bytes that it refers to.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tile_core::testing::{Argument, Random, Runnable, execute};
use tile_core::{Scalar, bytecode};

use super::input::{Input, Values, fingerprint};

/// A kernel with its arguments and expected results.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) entry: String,
    pub(crate) arch: String,
    pub(crate) threads: u32,
    pub(crate) shared_bytes: u32,
    /// Blocks per cluster.
    pub(crate) cluster: u32,
    /// Blocks per multiprocessor, if the kernel is persistent.
    pub(crate) persistent_blocks_per_sm: Option<u32>,
    /// Blocks of a cluster that share one work tile; 1 by default.
    pub(crate) blocks_per_tile: u32,
    pub(crate) maps: Vec<Map>,
    pub(crate) grid: [u32; 3],
    /// A cubin or a fatbin.
    pub(crate) code: Vec<u8>,
    /// The bytecode of the compiled module.
    pub(crate) module: Vec<u8>,
    /// The fingerprint of the buffers after the run, as computed where the case was written.
    pub(crate) fingerprint: u64,
    pub(crate) args: Vec<Argument>,
    pub(crate) expected: Vec<Expected>,
    /// The maximum error of floats, relative to the largest of both magnitudes and 1.
    pub(crate) tolerance: f64,
    /// For each part with a tolerance of its own: buffer, start, end, and tolerance in ulps.
    pub(crate) inexact: Vec<[u64; 4]>,
    /// The reason why the launch is expected to end early.
    pub(crate) fault: Option<String>,
}

/// The element type and the tolerance of a buffer after the run.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) element: String,
    pub(crate) ulps: u64,
}

/// A tensor map.
#[derive(Debug)]
pub(crate) struct Map {
    pub(crate) base: usize,
    pub(crate) element_bytes: u32,
    pub(crate) swizzle: u32,
    /// The extent, stride and box length of each axis.
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
        Self::parse(&head, &blob[1..]).ok_or_else(|| format!("the head is another one: {head}"))
    }

    fn parse(head: &Value, blob: &[u8]) -> Option<Self> {
        let bytes = |place: &Value| {
            let start = size(&place[0])?;
            let bytes = blob.get(start..start + size(&place[1])?)?;
            Some(bytes.to_vec())
        };
        let list = |key: &str| head[key].as_array();
        let args = list("args")?.iter().map(|arg| {
            Some(match arg.get("buffer") {
                Some(place) => Argument::Buffer(bytes(place)?),
                None => match arg.get("input") {
                    Some(rule) => {
                        let input = input(rule)?;
                        Argument::Buffer(input.drawn(&mut Random::new(input.state)))
                    }
                    None => Argument::Number(arg["number"].as_u64()?),
                },
            })
        });
        let expected = list("expected")?.iter().map(|buffer| {
            Some(Expected {
                element: buffer["element"].as_str()?.to_owned(),
                ulps: buffer["ulps"].as_u64()?,
            })
        });
        let inexact = list("inexact")?.iter().map(|part| {
            let mut numbers = [0; 4];
            for (index, number) in numbers.iter_mut().enumerate() {
                *number = part[index].as_u64()?;
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
            persistent_blocks_per_sm: short(&head["persistent_blocks_per_sm"]),
            blocks_per_tile: short(&head["blocks_per_tile"]).unwrap_or(1),
            maps: list("maps")?.iter().map(map).collect::<Option<_>>()?,
            grid,
            code: bytes(&head["code"])?,
            module: bytes(&head["module"])?,
            fingerprint: head["fingerprint"].as_u64()?,
            args: args.collect::<Option<_>>()?,
            expected: expected.collect::<Option<_>>()?,
            tolerance: head["tolerance"].as_f64()?,
            inexact: inexact.collect::<Option<_>>()?,
            fault: head["fault"].as_str().map(str::to_owned),
        })
    }

    /// Returns the buffers after the run, as the interpreter computes them here. They must equal
    /// the buffers that were computed where the case was written.
    pub(crate) fn interpreted(&self) -> Result<Vec<Vec<u8>>, String> {
        let module = bytecode::read(&self.module).map_err(|error| error.to_string())?;
        let outcome = execute(&Runnable {
            module,
            grid: self.grid,
            args: self.args.clone(),
        });
        if let Some(fault) = outcome.fault {
            return Err(format!("the interpreter stops here: {fault}"));
        }
        if fingerprint(&outcome.buffers) != self.fingerprint {
            return Err(
                "the interpreter computes something else here than where the case was written"
                    .into(),
            );
        }
        Ok(outcome.buffers)
    }
}

/// Parses the rule of an input.
fn input(rule: &Value) -> Option<Input> {
    let numbers = &rule["numbers"];
    let values = match rule["values"].as_str()? {
        "fill" => Values::Fill(u8::try_from(numbers[0].as_u64()?).ok()?),
        "iota" => Values::Iota,
        "bits" => Values::Bits,
        "sizes" => Values::Sizes,
        "unit" => Values::Unit,
        "whole" => Values::Whole {
            first: numbers[0].as_i64()?,
            count: short(&numbers[1])?,
            scale: numbers[2].as_f64()?,
        },
        _ => return None,
    };
    let name = rule["element"].as_str()?;
    let scalar = Scalar::ALL.into_iter().find(|scalar| scalar.name() == name);
    Some(Input {
        scalar: scalar?,
        count: size(&rule["count"])?,
        values,
        state: rule["state"].as_u64()?,
    })
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
