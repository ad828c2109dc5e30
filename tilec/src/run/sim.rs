//! `--device=sim`: runs an entry of a module as PTX, or an entry of a PTX file, in the simulator.

use std::collections::HashMap;
use std::fs;

use tile_backend::manifest::TensorMap;
use tile_backend::session::{Artifact, CompileOptions, KernelOptions, Output, Session, Times};
use tile_backend::target::Arch;
use tile_core::Loc;
use tile_core::canonicalize::canonicalize;
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::verify::Verified;

use super::argument::Argument;
use super::launch::{self, Prepared, Value};
use super::memory::{Id, Memory};
use super::{Arguments, Checks};
use crate::failure::{Failure, Report, Source, display_name};
use crate::{build, input, maps, output};

/// The alignment of allocations of `cuMemAlloc`, in bytes.
const ALIGNMENT: u64 = 256;

/// PTX with its launch configuration.
struct Kernel<'a> {
    module: tile_sim::Module,
    text: &'a str,
    entry: &'a str,
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    /// Blocks per cluster, if the grid is a multiple of this number.
    cluster: u32,
    /// Blocks of a cluster that share a work tile.
    blocks_per_tile: u32,
    /// The tensor maps that follow the arguments.
    maps: &'a [TensorMap],
    resources: Option<tile_sim::Resources>,
}

/// Compiles a module without structured loops, and runs an entry of it.
pub(super) fn run(
    arguments: &Arguments,
    source: &Source,
    module: Verified,
    prepared: Prepared,
) -> Result<(), Failure> {
    let Prepared {
        name,
        loc,
        grid,
        values,
        memory,
    } = prepared;
    let artifact = compiled(arguments, source, module)?;
    let broken = |what: String| {
        let error = Diagnostic::error(Code::Internal, loc, format!("internal error: {what}"));
        let error = error.help("report this module to the authors of `tile-kernel`");
        input::faults(source.clone(), vec![error])
    };
    let launch = artifact
        .manifest
        .launches
        .iter()
        .find(|launch| *launch.entry == *name);
    let launch = launch.ok_or_else(|| broken(format!("`{name}` was not compiled")))?;
    let [(arch, text)] = artifact.ptx.as_slice() else {
        return Err(broken("there is no PTX of one architecture".to_owned()));
    };
    let module = tile_sim::Module::parse(text);
    let kernel = Kernel {
        module: module.map_err(|error| broken(format!("the PTX of `{name}`: {error}")))?,
        text,
        entry: &name,
        grid,
        block: [launch.threads, 1, 1],
        shared_bytes: launch.shared_bytes,
        cluster: launch.cluster,
        blocks_per_tile: launch.blocks_per_tile,
        maps: &launch.maps,
        resources: launch
            .resources
            .as_ref()
            .map(|resources| tile_sim::Resources {
                registers: resources.registers,
                spill_stores_bytes: resources.spill_stores_bytes,
                spill_loads_bytes: resources.spill_loads_bytes,
                stack_bytes: resources.stack_bytes,
            }),
    };
    let printed = display_name(&arguments.file, "-");
    let note = format!("`tilec build --emit=ptx --arch={arch} {printed}` prints the PTX");
    execute(arguments, &kernel, &values, memory, |fault| {
        let line = kernel.line(fault);
        let message = match fault.line {
            0 => fault.kind.to_string(),
            number => format!("line {number} of the PTX: {}", fault.kind),
        };
        let error = Diagnostic::error(Code::Fault, loc, message).note(place(&name, fault));
        let error = match line {
            Some(line) => error.note(format!("the line is `{line}`")).help(&note),
            None => error,
        };
        let error = made_of(error, fault);
        input::faults(source.clone(), vec![error])
    })
}

/// Compiles a module for the simulator, and prints warnings and remarks.
fn compiled(arguments: &Arguments, source: &Source, module: Verified) -> Result<Artifact, Failure> {
    let session = Session::without_cache();
    let options = CompileOptions {
        kernel_options: KernelOptions {
            maps: arguments.tensor_maps.unwrap_or_default(),
            cluster_split: arguments.cluster_split.unwrap_or_default(),
            ..KernelOptions::default()
        },
        slow: build::slow(&session)?,
        output: Output::Cubins,
        ..CompileOptions::new([arguments.arch.unwrap_or(Arch::SM_80)])
    };
    let mut diagnostics = Diagnostics::new();
    let canonical = canonicalize(module);
    let artifact = session.compile(&canonical, &options, &mut Times::new(), &mut diagnostics);
    let report = Report {
        source: source.clone(),
        diagnostics: diagnostics.take(),
    };
    let Ok(artifact) = artifact else {
        return Err(Failure::Faults(report));
    };
    input::warn(&report);
    // `artifact` has only the remarks that are printed without an option.
    let remarks = artifact.remarks.iter();
    let said: String = remarks.map(|remark| remark.to_text(&source.name)).collect();
    input::say(&said);
    Ok(artifact)
}

/// Runs an entry of a file of PTX.
pub(super) fn run_ptx(arguments: &Arguments) -> Result<(), Failure> {
    let file = arguments.file.display().to_string();
    let text = fs::read_to_string(&arguments.file)
        .map_err(|error| Failure::host(&file, "read it", &error))?;
    let source = Source {
        name: file.clone(),
        text: Some(text.clone()),
    };
    let error_at = |line: u32, message: String| {
        let loc = Loc::file(&file, line.max(1), 1);
        Diagnostic::error(Code::Fault, loc, message)
    };
    let failed = |error: Diagnostic| input::faults(source.clone(), vec![error]);
    let module = tile_sim::Module::parse(&text)
        .map_err(|error| failed(error_at(error.line, error.message.clone())))?;
    let entry = chosen(&module, arguments.entry.as_deref()).map_err(|(message, listed)| {
        let error = error_at(1, message);
        failed(match listed {
            Some(listed) => error.help(format!("entries of the text: `{listed}`")),
            None => error,
        })
    })?;
    let missing = |option: &str, message: String| Failure::Host {
        file: option.to_owned(),
        message,
    };
    let block = arguments.block.or_else(|| module.required_threads(&entry));
    let block = block.ok_or_else(|| {
        missing(
            "--block",
            format!("`{entry}` does not say how many threads a block has; give them with `--block=X,Y,Z`"),
        )
    })?;
    let params = module.param_bytes(&entry).unwrap_or_default();
    arguments_fit(&entry, &params, &arguments.args).map_err(|message| missing("--arg", message))?;
    let mut memory = Memory::default();
    let values = launch::read(&arguments.args, &mut memory)?;
    let kernel = Kernel {
        module,
        text: &text,
        entry: &entry,
        grid: arguments.grid.unwrap_or([1; 3]),
        block,
        shared_bytes: arguments.shared.unwrap_or(0),
        cluster: 1,
        blocks_per_tile: 1,
        maps: &[],
        resources: None,
    };
    execute(arguments, &kernel, &values, memory, |fault| {
        let error = error_at(fault.line, fault.kind.to_string());
        failed(made_of(error.note(place(&entry, fault)), fault))
    })
}

/// Returns the entry with this name, or the only entry. An error is a message, with the names of the entries
/// to choose from.
fn chosen(
    module: &tile_sim::Module,
    name: Option<&str>,
) -> Result<String, (String, Option<String>)> {
    let entries: Vec<&str> = module.entries().collect();
    let message = match (name, entries.as_slice()) {
        (Some(name), entries) if entries.contains(&name) => return Ok(name.to_owned()),
        (Some(name), _) => format!("there is no entry `{name}`"),
        (None, &[only]) => return Ok(only.to_owned()),
        (None, []) => return Err(("there is no entry to run".to_owned(), None)),
        (None, _) => "choose an entry with `--entry=NAME`".to_owned(),
    };
    Err((message, Some(entries.join("`, `"))))
}

/// Checks that the arguments are as many as the parameters of an entry, and as long.
fn arguments_fit(entry: &str, params: &[usize], arguments: &[Argument]) -> Result<(), String> {
    if params.len() != arguments.len() {
        let (expected, num_args) = (params.len(), arguments.len());
        return Err(format!(
            "`{entry}` takes {expected} arguments, found {num_args}; give one `--arg` for each"
        ));
    }
    for (number, (&bytes, argument)) in params.iter().zip(arguments).enumerate() {
        let given = match argument {
            Argument::Number { scalar, .. } => (scalar.bits() as usize).div_ceil(8),
            Argument::Buffer(_) | Argument::Zeros { .. } | Argument::Uninitialized { .. } => 8,
        };
        if given != bytes {
            return Err(format!(
                "parameter {number} has {bytes} bytes, and {argument} has {given}; give it another type"
            ));
        }
    }
    Ok(())
}

/// Adds the location in the source, if the PTX records it.
fn made_of(error: Diagnostic, fault: &tile_sim::Fault) -> Diagnostic {
    match &fault.source {
        Some(source) => error.note(format!("the line was made of {source}")),
        None => error,
    }
}

/// Formats the block, warp and lane of a fault.
fn place(entry: &str, fault: &tile_sim::Fault) -> String {
    let [x, y, z] = fault.block;
    let warp = fault.warp;
    let place = format!("kernel `{entry}`, block ({x}, {y}, {z}), warp {warp}");
    match fault.lane {
        Some(lane) => format!("{place}, lane {lane}: thread {}", warp * 32 + lane),
        None => place,
    }
}

impl Kernel<'_> {
    /// Returns the line of the text at which a fault occurred.
    fn line(&self, fault: &tile_sim::Fault) -> Option<&str> {
        let index = usize::try_from(fault.line).ok()?.checked_sub(1)?;
        self.text.lines().nth(index).map(str::trim)
    }

    /// Returns the launch with these arguments: numbers, and addresses of buffers.
    fn launch(&self, words: &[u64]) -> Result<tile_sim::Launch, Failure> {
        let widths = self.module.param_bytes(self.entry).unwrap_or_default();
        let widths = widths.into_iter().chain(std::iter::repeat(8));
        let mut args: Vec<tile_sim::Arg> = words
            .iter()
            .zip(widths)
            .map(|(word, width)| tile_sim::Arg::bytes(&word.to_le_bytes()[..width.min(8)]))
            .collect();
        for map in self.maps {
            let encoded = maps::encoded(map, words).map_err(|why| Failure::Host {
                file: "--tensor-maps=host".to_owned(),
                message: format!("{why}; run it with `--tensor-maps=none`"),
            })?;
            args.push(tile_sim::Arg::bytes(&encoded.to_bytes()));
        }
        let grid = self.blocks()?;
        let launch = tile_sim::Launch::new(self.entry)
            .grid(grid)
            .block(self.block)
            .dynamic_shared_bytes(self.shared_bytes)
            .args(args);
        let is_clustered = self.cluster > 1 && grid[0].is_multiple_of(self.cluster);
        Ok(if is_clustered {
            launch.cluster([self.cluster, 1, 1])
        } else {
            launch
        })
    }

    /// Returns the launch grid, or an error if it is too large.
    fn blocks(&self) -> Result<[u32; 3], Failure> {
        let [x, y, z] = self.grid;
        let blocks = x.checked_mul(self.blocks_per_tile).ok_or_else(|| Failure::Host {
            file: "--cluster-split=auto".to_owned(),
            message: format!(
                "{x} work tiles of {} blocks exceed the grid; run it with `--cluster-split=off`",
                self.blocks_per_tile
            ),
        })?;
        Ok([blocks, y, z])
    }
}

/// Runs the code, prints the requested reports, and writes the files that have changed.
fn execute(
    arguments: &Arguments,
    kernel: &Kernel<'_>,
    values: &[Value],
    mut memory: Memory,
    failure: impl Fn(&tile_sim::Fault) -> Failure,
) -> Result<(), Failure> {
    let mut device = tile_sim::Memory::new();
    let mut addresses: HashMap<Id, u64> = HashMap::new();
    let words: Vec<u64> = values
        .iter()
        .map(|value| match *value {
            Value::Number(bits) => bits,
            Value::Memory(id) => *addresses
                .entry(id)
                .or_insert_with(|| device.alloc_with(memory.contents(id), ALIGNMENT)),
        })
        .collect();
    let launch = kernel.launch(&words)?;
    let options = tile_sim::Options {
        seed: arguments.seed.unwrap_or(0),
        threads: arguments.threads.map_or(0, std::num::NonZeroUsize::get),
        checks: match arguments.checks {
            None | Some(Checks::All) => tile_sim::Checks::All,
            Some(Checks::Cheap) => tile_sim::Checks::Cheap,
        },
        ..tile_sim::Options::default()
    };
    let outcome = kernel.module.launch(&launch, &mut device, &options);
    let report = tile_sim::Report {
        entry: kernel.entry.to_owned(),
        grid: kernel.grid,
        block: kernel.block,
        resources: kernel.resources.clone(),
        printed: device.take_printed(),
        outcome,
    };
    if arguments.json {
        output::print(&format!("{}\n", report.to_json()))?;
    } else {
        output::print(&report.printed)?;
    }
    if let Some(fault) = report.fault() {
        return Err(failure(fault));
    }
    for value in values {
        if let Value::Memory(id) = value
            && let Some(&address) = addresses.get(id)
            && let Ok(contents) = device.bytes(address)
        {
            memory.contents(*id).copy_from_slice(contents);
        }
    }
    memory.write()?;
    if arguments.counters {
        output::print(&report.to_string())?;
    }
    Ok(())
}
