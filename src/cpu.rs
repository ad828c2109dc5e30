//! The CPU device: the general variant's bytecode, run in the interpreter.
//!
//! A kernel is decoded on its first launch. The memory of its tensors is locked
//! while it runs, so tensors that share memory can be used from other threads.

use crate::Result;
use crate::driver::Access;
use crate::launch::{Value, accesses};
use crate::private::KernelImage;
use crate::storage::{HostMemory, Storage};

/// A decoded kernel.
#[derive(Debug)]
pub struct Program(());

impl Program {
    pub(crate) fn decode(_bytecode: &[u8]) -> std::result::Result<Program, String> {
        Err("no interpreter".to_owned())
    }
}

/// Runs every block of a grid.
pub(crate) fn run(image: &'static KernelImage, _grid: [u32; 3], values: &[Value]) -> Result<()> {
    let _program = image.program()?;
    with_memory_locked(values, || Ok(()))
}

/// Runs `work` while this launch has its memory for itself, or shares it with readers.
fn with_memory_locked<T>(values: &[Value], work: impl FnOnce() -> T) -> T {
    let mut memories: Vec<(&HostMemory, Access)> = accesses(values)
        .into_iter()
        .filter_map(|(storage, access)| match storage {
            Storage::Host(memory) => Some((memory, access)),
            Storage::Device(_) => None,
        })
        .collect();
    // Every launch locks in the order of addresses, so no two wait for each other.
    memories.sort_by_key(|(memory, _)| memory.at(0, 0));
    let (mut readers, mut writers) = (Vec::new(), Vec::new());
    for (memory, access) in memories {
        match access {
            Access::Shared => readers.push(memory.read_lock()),
            Access::Exclusive => writers.push(memory.write_lock()),
        }
    }
    work()
}
