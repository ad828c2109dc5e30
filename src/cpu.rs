//! The CPU device, which interprets the bytecode of the general variant.
//!
//! The input is an image, a checked grid and the arguments. The kernel writes to the tensors, or
//! the launch returns an [`Error::Fault`] with the block and the operation.
//!
//! - A kernel is decoded on its first launch; its instance keeps the result.
//! - The memory of the tensors is locked while the kernel runs, so tensors that share memory may be
//!   used from other threads.
//! - `TILE_CHECK` and `TILE_SEED` set the options of a launch ([`Checks`]).
//! - A kernel can access the bytes from the first to the last element of a tensor and no others.

use tile_core::interp::{Arg, Fault, FaultKind, RunOptions};

use crate::args::{TensorArg, Value, accesses};
use crate::checks::Checks;
use crate::driver::Access;
use crate::facts::extents;
use crate::image::{KernelImage, VariantKind};
use crate::instance::Instance;
use crate::storage::{HostMemory, Storage};
use crate::{Cancel, Error, Result};

/// The options of a launch besides the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options<'a> {
    /// Stops the launch from another thread.
    pub(crate) cancel: Option<&'a Cancel>,
    /// The only block to run.
    pub(crate) only_block: Option<[u32; 3]>,
}

/// Runs every block of a grid, or only one.
pub(crate) fn run(
    instance: &'static Instance,
    grid: [u32; 3],
    values: &[Value],
    Options { cancel, only_block }: Options<'_>,
) -> Result<()> {
    let Checks { check, seed } = Checks::from_environment()?;
    let image = &instance.image;
    let program = instance.program()?;
    let entry = instance.variant(VariantKind::General)?.entry;
    let parameters = parameters(values);
    let options = RunOptions {
        cancel: cancel.map(Cancel::flag),
        check,
        seed,
        only_block,
        ..RunOptions::default()
    };
    // SAFETY: `at` checked every range, the storages are kept alive by `values`, and the locks
    // exclude all other accesses. Tensors that have an element in common are read-only
    // (`launch::check_aliasing`); for raw pointers the caller of the `unsafe` kernel is
    // responsible.
    let outcome = with_memory_locked(values, || unsafe {
        program.run_with(entry, grid, &parameters, options)
    })?;
    outcome.map_err(|fault| error(image, values, fault))
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
    let Storage::Host(memory) = &*tensor.storage else {
        unreachable!("the launch checked that every tensor is on the CPU")
    };
    let bytes = tensor.span * tensor.element_bytes;
    Arg::Pointer {
        ptr: memory.at(tensor.offset * tensor.element_bytes, bytes),
        bytes,
    }
}

/// Runs `work` with exclusive locks on the memory that the launch writes, and shared locks on the
/// memory that it reads.
fn with_memory_locked<T>(values: &[Value], work: impl FnOnce() -> T) -> Result<T> {
    let mut memories: Vec<(&HostMemory, Access)> = accesses(values)
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
    let _locks = locks.collect::<Result<Vec<_>>>()?;
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
