//! The CPU device, which runs the general variant: its native code, or else its bytecode.
//!
//! The input is an image, a checked grid and the arguments. The kernel writes to the tensors, or
//! the launch returns an [`Error::Fault`] with the block and the operation.
//!
//! - Native code says only which block failed. The interpreter then runs that block again, and says why.
//! - Bytecode is decoded when it is first interpreted; the instance keeps the result.
//! - The memory of the tensors is locked while the kernel runs, so tensors that share memory may be
//!   used from other threads.
//! - `TILE_CPU` and `TILE_THREADS` choose the code and the number of threads. `TILE_CHECK` and `TILE_SEED` set the options of
//!   a launch ([`Checks`]), which is then interpreted.
//! - A kernel can access the bytes from the first to the last element of a tensor and no others.

mod native;
mod pool;
mod sharing;

use smallvec::SmallVec;
use tile_core::interp::{Arg, Check, Fault, FaultKind, RunOptions};

use crate::args::{TensorArg, Value, accesses};
use crate::checks::{Checks, Code};
use crate::driver::Access;
use crate::facts::extents;
use crate::image::{KernelImage, NativeImage, NativeLevel, VariantKind};
use crate::instance::Instance;
use crate::storage::{HostMemory, Locked, Storage};
use crate::{Cancel, Device, Error, Result};

pub(crate) use sharing::Timing;

/// The options of a launch besides the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options<'a> {
    /// Stops the launch from another thread.
    pub(crate) cancel: Option<&'a Cancel>,
    /// The only block to run.
    pub(crate) only_block: Option<[u32; 3]>,
    /// The highest level of native code that may run.
    pub(crate) level: Option<NativeLevel>,
}

/// The iterations of a block that the interpreter runs again to find a fault. The block may wait for a value that its first run
/// has changed, so it must end.
const STEPS_OF_A_FAULT: u64 = 1 << 24;

/// Runs every block of a grid, or only one.
pub(crate) fn run(
    instance: &'static Instance,
    grid: [u32; 3],
    values: &[Value],
    options: Options<'_>,
) -> Result<()> {
    let checks = Checks::from_environment()?;
    let threads = crate::checks::threads()?;
    match native_code(&instance.image, checks, options.level)? {
        Some(code) => {
            let threads = threads.unwrap_or_else(pool::cores);
            run_native(instance, code, grid, values, options, threads)
        }
        None => interpret(
            instance,
            grid,
            values,
            RunOptions {
                cancel: options.cancel.map(Cancel::flag),
                threads,
                check: checks.check,
                seed: checks.seed,
                only_block: options.only_block,
                ..RunOptions::default()
            },
        ),
    }
}

/// Returns the native code that launches of an instance can run, the best first; nothing if they are interpreted.
pub(crate) fn native_images(
    instance: &'static Instance,
) -> impl Iterator<Item = &'static NativeImage> {
    let best =
        Checks::from_environment().and_then(|checks| native_code(&instance.image, checks, None));
    let best = best.ok().flatten();
    let available = native::available(instance.image.native);
    available.filter(move |image| best.is_some_and(|best| image.level <= best.level))
}

/// Returns the number of threads of a launch.
pub(crate) fn threads() -> usize {
    let chosen = crate::checks::threads().ok().flatten();
    chosen.unwrap_or_else(pool::cores)
}

/// Returns the native code that a launch runs, of at most this level; `None` if it is interpreted.
fn native_code(
    image: &'static KernelImage,
    Checks { check, seed }: Checks,
    level: Option<NativeLevel>,
) -> Result<Option<&'static NativeImage>> {
    let code = Code::from_environment()?;
    let is_plain = check == Check::Off && seed.is_none();
    if !is_plain || code == Code::Interpreted {
        return Ok(None);
    }
    let (needs_native, highest) = match code {
        Code::Level(highest) => (true, Some(highest)),
        code => (code == Code::Native, None),
    };
    let is_within = |limit: Option<NativeLevel>, image: &NativeImage| {
        limit.is_none_or(|limit| image.level <= limit)
    };
    let best = native::available(image.native)
        .find(|image| is_within(highest, image) && is_within(level, image));
    if let (None, Some(level), Some(lowest)) = (best, highest, image.native.first()) {
        return Err(Error::NoNativeLevel {
            kernel: image.name,
            level: level.name(),
            lowest: lowest.level.name(),
        });
    }
    let needs_native = needs_native && image.ptx_alone.is_none() && !image.no_cpu;
    if best.is_none() && needs_native {
        let built_without = "it was built without LLVM, or for another processor";
        let (reason, line) = image.not_native.unwrap_or((built_without, 0));
        return Err(Error::NotNative {
            kernel: image.name,
            file: image.file,
            line,
            reason,
        });
    }
    Ok(best)
}

fn interpret(
    instance: &'static Instance,
    grid: [u32; 3],
    values: &[Value],
    options: RunOptions<'_>,
) -> Result<()> {
    let outcome = interpreted(instance, grid, values, options)?;
    outcome.map_err(|fault| error(&instance.image, values, fault))
}

fn interpreted(
    instance: &'static Instance,
    grid: [u32; 3],
    values: &[Value],
    options: RunOptions<'_>,
) -> Result<std::result::Result<(), Fault>> {
    let program = instance.program()?;
    let entry = instance.variant(VariantKind::General)?.entry;
    let parameters = parameters(values);
    // SAFETY: `at` checked every range, the storages are kept alive by `values`, and the locks
    // exclude all other accesses. Tensors that have an element in common are read-only
    // (`launch::check_aliasing`); for raw pointers the caller of the `unsafe` kernel is
    // responsible.
    with_memory_locked(values, || unsafe {
        program.run_with(entry, grid, &parameters, options)
    })
}

fn run_native(
    instance: &'static Instance,
    code: &'static NativeImage,
    grid: [u32; 3],
    values: &[Value],
    Options {
        cancel, only_block, ..
    }: Options<'_>,
    threads: usize,
) -> Result<()> {
    let [width, height, depth] = grid.map(u64::from);
    let blocks = width
        .checked_mul(height)
        .and_then(|blocks| blocks.checked_mul(depth));
    let Some(blocks) = blocks else {
        // The interpreter refuses it.
        return interpret(instance, grid, values, RunOptions::default());
    };
    let (first, end) = match only_block {
        None => (0, blocks),
        Some(block) => {
            let [x, y, z] = block.map(u64::from);
            let number = (z * height + y) * width + x;
            (number, number + 1)
        }
    };
    let stop = native::with_words(|words| {
        put_words(values, words);
        let launch = native::Launch {
            image: code,
            grid,
            words,
            cancel: cancel.map(Cancel::flag),
            threads,
            timing: &instance.timings[code.level as usize],
        };
        // SAFETY: as in `interpret`.
        with_memory_locked(values, || unsafe { launch.run(first, end) })
    })?;
    let stop = stop.map_err(|native::NoMemory { bytes }| Error::OutOfMemory {
        device: Device::cpu(),
        bytes,
    })?;
    let Some(number) = stop else {
        return Ok(());
    };
    let image = &instance.image;
    if cancel.is_some_and(Cancel::is_cancelled) {
        return Err(Error::Cancelled { kernel: image.name });
    }
    let block = [
        number % width,
        number / width % height,
        number / width / height,
    ];
    let block = block.map(|at| u32::try_from(at).expect("below the extent of the grid"));
    let options = RunOptions {
        threads: Some(1),
        only_block: Some(block),
        step_limit: Some(STEPS_OF_A_FAULT),
        ..RunOptions::default()
    };
    let unknown = Error::NativeFault {
        kernel: image.name,
        file: image.file,
        line: image.line,
        block,
    };
    match interpreted(instance, grid, values, options)? {
        Err(fault) if fault.kind != FaultKind::StepLimit => Err(error(image, values, fault)),
        Ok(()) | Err(_) => Err(unknown),
    }
}

/// Appends the words of the entry's parameters, in order.
fn put_words(values: &[Value], words: &mut Vec<u64>) {
    for value in values {
        match value {
            Value::Scalar(bits) => words.push(*bits),
            Value::Pointer(target) => words.extend(pointer_words(target)),
            Value::Tensor(tensor) => {
                words.extend(pointer_words(tensor));
                extents(tensor, None, words);
            }
        }
    }
}

fn pointer_words(tensor: &TensorArg) -> [u64; 2] {
    let (memory, bytes) = memory_of(tensor);
    [memory as u64, bytes as u64]
}

fn error(image: &'static KernelImage, values: &[Value], fault: Fault) -> Error {
    let Fault {
        kind,
        kernel: _,
        block,
        op,
        loc,
        element: _,
        message,
    } = fault;
    let message = match kind {
        FaultKind::Cancelled => return Error::Cancelled { kernel: image.name },
        FaultKind::Undefined => with_names(image, values, message),
        _ => message,
    };
    let reason = if loc.is_unknown() {
        message
    } else {
        format!("{message} at {loc}")
    };
    Error::Fault {
        kernel: image.name,
        file: image.file,
        line: image.line,
        block,
        op,
        reason,
    }
}

/// Replaces the numbers of entry parameters in a message by the names of the tensors.
fn with_names(image: &'static KernelImage, values: &[Value], mut message: String) -> String {
    let mut number = 0;
    let mut names = Vec::new();
    // Of a view, the message has the extents; of a pointer, it has the bytes only.
    let is_pointer = message.contains(" of a buffer of ");
    for (index, value) in values.iter().enumerate() {
        // The buffers of the launch follow the author's parameters and have no name.
        if let Some(name) = image.params.get(index) {
            let name = match value {
                Value::Tensor(tensor) | Value::Pointer(tensor) if is_pointer => {
                    format!("`{name}` (extents {:?})", tensor.shape())
                }
                Value::Tensor(_) | Value::Pointer(_) | Value::Scalar(_) => format!("`{name}`"),
            };
            names.push((format!("parameter {number}"), name));
        }
        number += match value {
            Value::Scalar(_) | Value::Pointer(_) => 1,
            Value::Tensor(tensor) => 1 + 2 * tensor.shape().len(),
        };
    }
    // Replaces the larger numbers first: `parameter 1` is a prefix of `parameter 10`.
    for (parameter, name) in names.into_iter().rev() {
        message = message.replace(&parameter, &name);
    }
    message
}

/// Returns the values of the entry's parameters, in order.
fn parameters(values: &[Value]) -> Vec<Arg> {
    let mut parameters = Vec::with_capacity(values.len() * 5);
    let mut numbers = Vec::new();
    for value in values {
        match value {
            Value::Scalar(bits) => parameters.push(Arg::Scalar { bits: *bits }),
            Value::Pointer(target) => parameters.push(pointer(target)),
            Value::Tensor(tensor) => {
                parameters.push(pointer(tensor));
                extents(tensor, None, &mut numbers);
                parameters.extend(numbers.drain(..).map(|bits| Arg::Scalar { bits }));
            }
        }
    }
    parameters
}

fn pointer(tensor: &TensorArg) -> Arg {
    let (ptr, bytes) = memory_of(tensor);
    Arg::Pointer { ptr, bytes }
}

/// Returns the address of the first element, and the bytes from there to the end of the last one.
fn memory_of(tensor: &TensorArg) -> (*mut u8, usize) {
    let Storage::Host(memory) = &*tensor.storage else {
        unreachable!("the launch checked that every tensor is on the CPU")
    };
    let bytes = tensor.span * tensor.element_bytes;
    let address = memory.at(tensor.offset * tensor.element_bytes, bytes);
    (address, bytes)
}

/// Runs `work` with exclusive locks on the memory that the launch writes, and shared locks on the
/// memory that it reads.
fn with_memory_locked<T>(values: &[Value], work: impl FnOnce() -> T) -> Result<T> {
    let mut memories: SmallVec<[(&HostMemory, Access); 8]> = accesses(values)
        .into_iter()
        .filter_map(|(storage, access)| match storage {
            Storage::Host(memory) => Some((memory, access)),
            Storage::Device(_) => None,
        })
        .collect();
    // Every launch takes the locks in one order, so that no two launches deadlock.
    memories.sort_by_key(|(memory, _)| memory.order());
    let locks = memories
        .into_iter()
        .map(|(memory, access)| memory.lock(access));
    let _locks = locks.collect::<Result<SmallVec<[Locked<'_>; 8]>>>()?;
    Ok(work())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::__private::{exclusive, scalar, shared};
    use crate::{Device, Tensor};

    fn value(arg: crate::__private::Arg<'_>) -> Value {
        arg.into_value()
    }

    #[test]
    fn a_tensor_is_a_pointer_to_its_span_and_then_extents_and_strides() -> Result<()> {
        let matrix = Tensor::<f32, 2>::zeros(&Device::cpu(), [4, 6])?;
        let base = matrix.storage.address();
        let columns = matrix.narrow(1, 2..4)?;
        let parameters = parameters(&[value(shared(&columns)), value(scalar(-1i32))]);
        let Arg::Pointer { ptr, bytes } = parameters[0] else {
            panic!("{parameters:?}")
        };
        assert_eq!((ptr as u64 - base, bytes), (2 * 4, 20 * 4));
        let numbers: Vec<u64> = parameters[1..]
            .iter()
            .map(|parameter| match *parameter {
                Arg::Scalar { bits } => bits,
                Arg::Pointer { .. } | Arg::Uninitialized { .. } => panic!("{parameters:?}"),
            })
            .collect();
        assert_eq!(numbers, [4, 2, 6, 1, 0xffff_ffff]);
        Ok(())
    }

    #[test]
    fn what_a_kernel_writes_is_locked_and_what_it_reads_is_shared() -> Result<()> {
        let read = Tensor::<f32, 1>::zeros(&Device::cpu(), [4])?;
        let mut written = Tensor::<f32, 1>::zeros(&Device::cpu(), [4])?;
        let view = written.narrow(0, 0..2)?;
        let values = [value(shared(&read)), value(exclusive(&mut written))];
        std::thread::scope(|scope| {
            let reader = with_memory_locked(&values, || {
                assert_eq!(read.to_vec().map(|elements| elements.len()), Ok(4));
                let reader = scope.spawn(|| view.to_vec());
                std::thread::sleep(std::time::Duration::from_millis(50));
                assert!(!reader.is_finished(), "it read what a kernel writes");
                reader
            });
            let reader = reader.expect("the tensors can be used");
            assert_eq!(reader.join().expect("it does not panic"), Ok(vec![0.0; 2]));
        });
        Ok(())
    }
}
