//! Runs an entry as native code of this machine.

use tile_backend::session::{NativeLibrary, Session};
use tile_core::Diagnostics;
use tile_core::canonicalize::canonicalize;
use tile_core::verify::Verified;

use super::Arguments;
use super::launch::{Prepared, Value, run as interpret};
use crate::failure::{Failure, Report, Source};

/// Compiles an entry of a module without structured loops, and runs it. The interpreter runs the block again that fails, and says
/// why.
pub(super) fn run(
    arguments: &Arguments,
    source: &Source,
    module: Verified,
    mut prepared: Prepared,
) -> Result<(), Failure> {
    let session = Session::without_cache();
    let mut diagnostics = Diagnostics::new();
    let written = module.clone().into_inner();
    let canonical = canonicalize(module);
    let library = session.native_library(&canonical, &prepared.name, &mut diagnostics);
    let report = Report {
        source: source.clone(),
        diagnostics: diagnostics.take(),
    };
    let library: NativeLibrary = library.map_err(|_| Failure::Faults(report))?;
    let mut words = Vec::new();
    for value in &prepared.values {
        match *value {
            Value::Number(bits) => words.push(bits),
            Value::Memory(id) => {
                let contents = prepared.memory.contents(id);
                words.extend([contents.as_mut_ptr() as u64, contents.len() as u64]);
            }
        }
    }
    let threads = if prepared.memory.is_shared {
        std::num::NonZeroUsize::new(1)
    } else {
        arguments.threads
    };
    // SAFETY: the memory keeps the buffers alive, and nothing else uses them during the run. Buffers that are passed twice are used
    // by one thread only.
    let stopped = unsafe { library.run(prepared.grid, &words, threads) };
    match stopped {
        None => prepared.memory.write(),
        Some(block) => {
            let (name, file) = (prepared.name.clone(), source.name.clone());
            interpret(arguments, source, &written, prepared, Some(block))?;
            let message = format!(
                "native code of `{name}` failed in block {block:?}, and the interpreter does not, since memory has changed; \
                 leave out `--cpu=native`"
            );
            Err(Failure::Host { file, message })
        }
    }
}
