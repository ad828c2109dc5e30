//! Matches the arguments with the parameters of an entry, and runs the entry.

use indexmap::IndexMap;
use tile_core::diag::{Code, Diagnostic};
use tile_core::flatten::{AtomicTarget, EntryPlan};
use tile_core::interp::{Arg, Check, Fault, IndexSpace, Program, Reports, RunOptions, Undefined};
use tile_core::ir::{Op, OpId, ValueId};
use tile_core::ops::{CoreOp, Opcode};
use tile_core::types::Element;
use tile_core::{Loc, Module, Type};

use super::Arguments;
use super::argument::Argument;
use super::memory::{Id, Memory, Origin};
use crate::failure::{Failure, Source};
use crate::input;

/// The value of a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Number(u64),
    Memory(Id),
}

/// An entry with its grid and arguments.
pub(super) struct Prepared {
    pub(super) name: String,
    pub(super) loc: Loc,
    pub(super) grid: [u32; 3],
    /// The values of the parameters, in order.
    pub(super) values: Vec<Value>,
    pub(super) memory: Memory,
}

/// Reads the arguments, checks them against the entry, and allocates the buffers that a host must
/// pass.
pub(super) fn prepare(
    arguments: &Arguments,
    source: &Source,
    module: &Module,
    plans: &[EntryPlan],
) -> Result<Prepared, Failure> {
    let faulty = |fault: Box<Diagnostic>| input::faults(source.clone(), vec![*fault]);
    let (entry, plan) = entry(arguments.entry.as_deref(), module, plans).map_err(faulty)?;
    let parameters = parameters(module, entry, plan);
    check(&arguments.args, &parameters, entry.loc).map_err(faulty)?;

    let mut memory = Memory::default();
    let mut values = read(&arguments.args, &mut memory)?;
    let grid = match arguments.grid {
        Some(grid) => grid,
        None => grid_of(module, entry, plan, &values).map_err(faulty)?,
    };
    for buffer in &plan.buffers {
        let bytes = usize::try_from(buffer.bytes(grid)).unwrap_or(usize::MAX);
        values.push(Value::Memory(memory.scratch(bytes)?));
    }
    for target in &plan.atomics {
        initialize(target, &values, &mut memory);
    }
    Ok(Prepared {
        name: plan.name.to_string(),
        loc: entry.loc,
        grid,
        values,
        memory,
    })
}

/// Returns the values of arguments, after reading their files.
pub(super) fn read(args: &[Argument], memory: &mut Memory) -> Result<Vec<Value>, Failure> {
    args.iter()
        .map(|argument| {
            Ok(match argument {
                Argument::Number { bits, .. } => Value::Number(*bits),
                Argument::Buffer(path) => Value::Memory(memory.read(path)?),
                Argument::Zeros { path, bytes } => {
                    Value::Memory(memory.room(path, *bytes, Origin::Zeros)?)
                }
                Argument::Uninitialized { path, bytes } => {
                    Value::Memory(memory.room(path, *bytes, Origin::Uninitialized)?)
                }
            })
        })
        .collect()
}

/// Runs an entry of a module without structured loops in the interpreter: all blocks, or one whose memory is not written.
pub(super) fn run(
    arguments: &Arguments,
    source: &Source,
    module: &Module,
    prepared: Prepared,
    only_block: Option<[u32; 3]>,
) -> Result<(), Failure> {
    let Prepared {
        name,
        loc,
        grid,
        values,
        mut memory,
    } = prepared;
    let args: Vec<Arg> = values
        .iter()
        .map(|value| match *value {
            Value::Number(bits) => Arg::Scalar { bits },
            Value::Memory(id) => {
                let is_initialized = memory.origin(id) != Some(Origin::Uninitialized);
                let contents = memory.contents(id);
                let (ptr, bytes) = (contents.as_mut_ptr(), contents.len());
                if is_initialized {
                    Arg::Pointer { ptr, bytes }
                } else {
                    Arg::Uninitialized { ptr, bytes }
                }
            }
        })
        .collect();
    let threads = arguments.threads.map(std::num::NonZeroUsize::get);
    let reports = Reports::new();
    let options = RunOptions {
        // Blocks may store to memory that is passed more than once, so a single thread runs all
        // blocks.
        threads: if memory.is_shared { Some(1) } else { threads },
        step_limit: arguments.step_limit,
        only_block,
        seed: arguments.seed,
        check: if arguments.check {
            Check::On
        } else {
            Check::Off
        },
        undefined: if arguments.check {
            Undefined::Report(&reports)
        } else {
            Undefined::Trap
        },
        index_space: if arguments.check {
            IndexSpace::Checked
        } else {
            IndexSpace::Padded
        },
        ..RunOptions::default()
    };
    // SAFETY: `memory` keeps the buffers alive, and nothing else uses them during the run. Buffers
    // that are passed twice are used by one thread only.
    let outcome = unsafe { Program::new(module).run_with(&name, grid, &args, options) };
    let reported = reports.take().into_iter().chain(outcome.err());
    let reported = summary(reported, loc);
    if reported.is_empty() {
        match only_block {
            None => memory.write(),
            Some(_) => Ok(()),
        }
    } else {
        Err(input::faults(source.clone(), reported))
    }
}

/// Returns the selected entry.
fn entry<'m>(
    name: Option<&str>,
    module: &'m Module,
    plans: &'m [EntryPlan],
) -> Result<(&'m Op, &'m EntryPlan), Box<Diagnostic>> {
    let entries: Vec<(&Op, &EntryPlan)> = module
        .entries()
        .map(|id| module.op(id))
        .zip(plans)
        .collect();
    let names: Vec<String> = plans
        .iter()
        .map(|plan| format!("`{}`", plan.name))
        .collect();
    let refused = |message: String| {
        let fault = Diagnostic::error(Code::BadArguments, module.loc, message);
        Box::new(match names.as_slice() {
            [] => fault.help("add an `entry` to the module"),
            names => fault.help(format!("entries of the module: {}", names.join(", "))),
        })
    };
    match (name, entries.as_slice()) {
        (Some(name), entries) => {
            let entry_plan = entries.iter().find(|(_, plan)| *plan.name == *name);
            let missing = || refused(format!("the module has no entry `{name}`"));
            entry_plan.copied().ok_or_else(missing)
        }
        (None, &[only]) => Ok(only),
        (None, []) => Err(refused("the module has no entry to run".to_owned())),
        (None, _) => Err(refused("choose an entry with `--entry=NAME`".to_owned())),
    }
}

/// Returns the types of the parameters that the caller passes, without the buffers of the plan.
fn parameters(module: &Module, entry: &Op, plan: &EntryPlan) -> Vec<Type> {
    let region = entry.regions.first();
    let block = region.and_then(|&region| module.region(region).blocks.first());
    let values: &[ValueId] = block.map_or(&[], |&block| &module.block(block).args);
    let given = values.len().saturating_sub(plan.buffers.len());
    values[..given]
        .iter()
        .map(|&value| module.ty(value))
        .collect()
}

/// Checks that the arguments have the types of the parameters.
fn check(args: &[Argument], parameters: &[Type], loc: Loc) -> Result<(), Box<Diagnostic>> {
    let refused = |message| Diagnostic::error(Code::BadArguments, loc, message);
    if args.len() != parameters.len() {
        let (expected, num_args) = (parameters.len(), args.len());
        let types: Vec<String> = parameters.iter().map(|ty| format!("`{ty}`")).collect();
        let message = format!("expected {expected} arguments, found {num_args}");
        let cure = format!("give one `--arg` for each of: {}", types.join(", "));
        return Err(Box::new(refused(message).help(cure)));
    }
    for (number, (argument, ty)) in args.iter().zip(parameters).enumerate() {
        let element = ty.as_tile().map(|tile| tile.element);
        let cure = match (element, argument) {
            (
                Some(Element::Ptr(_)),
                Argument::Buffer(_) | Argument::Zeros { .. } | Argument::Uninitialized { .. },
            ) => continue,
            (Some(Element::Scalar(expected)), Argument::Number { scalar, .. })
                if expected == *scalar =>
            {
                continue;
            }
            (Some(Element::Ptr(_)), _) => {
                "`buffer:PATH`, `zeros:PATH:BYTES` or `uninit:PATH:BYTES`".to_owned()
            }
            (Some(Element::Scalar(expected)), _) => format!("`{expected}:` and a number"),
            (None, _) => "an entry whose parameters are numbers and pointers".to_owned(),
        };
        let message = format!("parameter {number} is of type `{ty}`, found {argument}");
        return Err(Box::new(refused(message).help(format!("give it {cure}"))));
    }
    Ok(())
}

/// Returns the grid that an entry's plan prefers, or one block if the entry does not read its block
/// index. Otherwise returns an error, since the grid must be given.
fn grid_of(
    module: &Module,
    entry: &Op,
    plan: &EntryPlan,
    values: &[Value],
) -> Result<[u32; 3], Box<Diagnostic>> {
    let argument = |number: usize| match values.get(number) {
        Some(&Value::Number(bits)) => bits,
        _ => 0,
    };
    if let Some(grid) = plan.grid.as_ref().and_then(|grid| grid.preferred(argument)) {
        return Ok(grid);
    }
    let regions = entry.regions.iter().map(|&region| module.region(region));
    let mut ops = regions
        .flat_map(|region| &region.blocks)
        .flat_map(|&block| module.walk(block));
    let asks = |id: &OpId| {
        let place = [CoreOp::GetTileBlockId, CoreOp::GetNumTileBlocks].map(Opcode::Core);
        place.contains(&module.op(*id).opcode)
    };
    let Some(asking) = ops.find(asks) else {
        return Ok([1; 3]);
    };
    let message = format!(
        "`{}` needs to be told how many tile blocks there are",
        plan.name
    );
    let fault = Diagnostic::error(Code::BadArguments, entry.loc, message)
        .label(module.op(asking).loc, "it asks here")
        .help("give them with `--grid=X,Y,Z`");
    Err(Box::new(fault))
}

/// Sets the memory in which blocks combine their results to its initial value.
fn initialize(target: &AtomicTarget, values: &[Value], memory: &mut Memory) {
    let Some(&Value::Memory(id)) = target.parameter.and_then(|number| values.get(number)) else {
        return;
    };
    let first = target.bits.to_le_bytes();
    for element in memory.contents(id).chunks_exact_mut(target.element.bytes()) {
        element.copy_from_slice(&first[..element.len()]);
    }
}

/// Converts faults to one error per operation: the first fault of the operation, with the number of
/// other tile blocks in which the operation fails.
fn summary(faults: impl Iterator<Item = Fault>, entry: Loc) -> Vec<Diagnostic> {
    let mut counts: IndexMap<String, (Fault, usize)> = IndexMap::new();
    for fault in faults {
        let (_, count) = counts.entry(fault.op.clone()).or_insert((fault, 0));
        *count += 1;
    }
    let first = counts.into_values();
    first
        .map(|(fault, count)| described(fault, count - 1, entry))
        .collect()
}

/// Converts a fault to an error; `others` is the number of other tile blocks with the same fault.
fn described(fault: Fault, others: usize, entry: Loc) -> Diagnostic {
    let [x, y, z] = fault.block;
    let loc = if fault.loc.is_unknown() {
        entry
    } else {
        fault.loc
    };
    let place = format!(
        "kernel `{}`, block ({x}, {y}, {z}), {}",
        fault.kernel, fault.op
    );
    let error = Diagnostic::error(Code::Fault, loc, fault.message).note(place);
    match others {
        0 => error,
        1 => error.note("and in one more tile block"),
        others => error.note(format!("and in {others} more tile blocks")),
    }
}
