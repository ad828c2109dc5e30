//! The report of a launch: printed as a table or, with the feature `json`, as JSON.
//!
//! The JSON object has these keys. `schema` is incremented when a key changes or is removed; keys
//! may be added.
//!
//! ```text
//! schema     1
//! entry      the kernel's name
//! grid       [x, y, z] blocks
//! block      [x, y, z] threads
//! printed    the output of printf
//! resources  null, or {"registers", "spill_stores_bytes", "spill_loads_bytes", "stack_bytes"}
//! fault      null, or {"message", "line", "instruction", "block": [x, y, z], "warp",
//!            "lane": number or null, "thread": number in the block or null,
//!            "source": {"file", "line", "column"} or null}
//! counters   null after a fault, or {group: {name: number}}, the groups of `Counters::groups`
//! ```

use std::fmt;

#[cfg(feature = "json")]
use serde_json::{Map, Value, json};

use crate::check::Fault;
use crate::counters::Counters;
#[cfg(feature = "json")]
use crate::counters::Group;

/// The resource usage of a kernel, which only ptxas knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// The number of 32-bit registers per thread.
    pub registers: u32,
    /// The bytes of register spills that each thread stores to local memory.
    pub spill_stores_bytes: u32,
    /// The bytes of register spills that each thread loads from local memory.
    pub spill_loads_bytes: u32,
    /// The local memory per thread in bytes, including spills.
    pub stack_bytes: u32,
}

/// The result of a launch.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the kernel.
    pub entry: String,
    /// The number of blocks along x, y and z.
    pub grid: [u32; 3],
    /// The number of threads per block along x, y and z.
    pub block: [u32; 3],
    /// The resource usage, if the caller provided it.
    pub resources: Option<Resources>,
    /// The output of `printf`, up to the end or the fault.
    pub printed: String,
    /// The counters, or the fault that stopped the kernel.
    pub outcome: Result<Counters, Fault>,
}

impl Report {
    /// Returns the counters, if the kernel completed.
    pub fn counters(&self) -> Option<&Counters> {
        self.outcome.as_ref().ok()
    }

    /// Returns the fault, if there was one.
    pub fn fault(&self) -> Option<&Fault> {
        self.outcome.as_ref().err()
    }

    /// Returns the report as a JSON object. Requires the feature `json`; the module
    /// [`report`](crate::report) documents the keys.
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> String {
        let Self {
            entry,
            grid,
            block,
            resources,
            printed,
            outcome,
        } = self;
        let resources = resources.as_ref().map(|resources| {
            let Resources {
                registers,
                spill_stores_bytes,
                spill_loads_bytes,
                stack_bytes,
            } = resources;
            json!({
                "registers": registers,
                "spill_stores_bytes": spill_stores_bytes,
                "spill_loads_bytes": spill_loads_bytes,
                "stack_bytes": stack_bytes,
            })
        });
        let (counters, fault) = match outcome {
            Ok(counters) => (counted(counters), Value::Null),
            Err(fault) => (Value::Null, stopped(fault)),
        };
        let object = json!({
            "schema": 1,
            "entry": entry,
            "grid": grid,
            "block": block,
            "resources": resources,
            "printed": printed,
            "fault": fault,
            "counters": counters,
        });
        format!("{object:#}")
    }
}

#[cfg(feature = "json")]
fn counted(counters: &Counters) -> Value {
    let groups = counters.groups().into_iter().map(|Group { name, counts }| {
        let counts: Map<String, Value> = counts
            .into_iter()
            .map(|(name, count)| (name.to_owned(), Value::from(count)))
            .collect();
        (name.to_owned(), Value::Object(counts))
    });
    Value::Object(groups.collect())
}

#[cfg(feature = "json")]
fn stopped(fault: &Fault) -> Value {
    json!({
        "message": fault.kind.to_string(),
        "line": fault.line,
        "instruction": fault.instruction,
        "block": fault.block,
        "warp": fault.warp,
        "lane": fault.lane,
        "thread": fault.lane.map(|lane| fault.warp * 32 + lane),
        "source": fault.source.as_ref().map(|source| {
            json!({"file": source.file.as_ref(), "line": source.line, "column": source.column})
        }),
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            entry,
            grid: [x, y, z],
            block: [threads_x, threads_y, threads_z],
            resources,
            printed,
            outcome,
        } = self;
        writeln!(
            f,
            "`{entry}`: {x} x {y} x {z} blocks of {threads_x} x {threads_y} x {threads_z} threads"
        )?;
        if let Some(resources) = resources {
            let Resources {
                registers,
                spill_stores_bytes,
                spill_loads_bytes,
                stack_bytes,
            } = resources;
            for (name, count) in [
                ("resources.registers", registers),
                ("resources.spill_stores_bytes", spill_stores_bytes),
                ("resources.spill_loads_bytes", spill_loads_bytes),
                ("resources.stack_bytes", stack_bytes),
            ] {
                writeln!(f, "{name:36}{count:>16}")?;
            }
        }
        for line in printed.lines() {
            writeln!(f, "| {line}")?;
        }
        match outcome {
            Ok(counters) => write!(f, "{counters}"),
            Err(fault) => writeln!(f, "{fault}"),
        }
    }
}
