//! Native code as a shared library of this process, for `tilec run`.
//!
//! In: the code of one level, as the body of a naked function. Out: a function that runs blocks.

use std::ffi::{CString, c_void};
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::Native;
use crate::error::BackendError;
use crate::process;
use crate::shared_object::SharedObject;

/// The program that links the library.
const LINKER: &str = "cc";

/// The alignment of the memory for the values of a block.
const SCRATCH_ALIGNMENT: usize = 64;

/// What the function reads of a launch.
#[repr(C)]
struct Launch {
    grid: [u32; 3],
    reserved: u32,
    args: *const u64,
    cancel: *const AtomicBool,
}

// SAFETY: the function only reads it.
unsafe impl Sync for Launch {}

#[cfg(target_arch = "x86_64")]
type Function = unsafe extern "sysv64" fn(&Launch, *mut u8, u64, u64) -> u64;
#[cfg(not(target_arch = "x86_64"))]
type Function = unsafe extern "C" fn(&Launch, *mut u8, u64, u64) -> u64;

/// Native code that can be called. It stays loaded until the process ends.
#[derive(Debug)]
pub struct NativeLibrary {
    address: *mut c_void,
    scratch_bytes: usize,
    in_order: bool,
}

impl NativeLibrary {
    /// Links and opens native code, which must be for a level that this machine has.
    ///
    /// # Errors
    ///
    /// If there is no linker, or it fails within the time limit.
    pub fn open(native: &Native, limit: Duration) -> Result<Self, BackendError> {
        let folder = tempfile::tempdir().map_err(|source| BackendError::Temporary {
            what: "make a folder for native code",
            source,
        })?;
        let input = folder.path().join("kernel.s");
        std::fs::write(&input, file(native)).map_err(|source| BackendError::Temporary {
            what: "write native code",
            source,
        })?;
        let output = folder.path().join("kernel.so");
        let mut command = Command::new(LINKER);
        command
            .args(["-shared", "-nostdlib", "-o"])
            .args([&output, &input]);
        let linked = process::ask(&mut command, limit)
            .map_err(|error| not_linked(format!("`{LINKER}` cannot be run: {error}")))?;
        let linked = linked.ok_or_else(|| {
            not_linked(format!(
                "`{LINKER}` does not end {}",
                process::within(limit)
            ))
        })?;
        if !linked.status.success() {
            let message = String::from_utf8_lossy(&linked.stderr);
            return Err(not_linked(format!("`{LINKER}` failed: {}", message.trim())));
        }
        let library = SharedObject::open(&output).map_err(not_linked)?;
        let address = library.address(&CString::new(SYMBOL).expect("a name without a zero"));
        Ok(Self {
            address: address.ok_or_else(|| not_linked("the library has no function".to_owned()))?,
            scratch_bytes: native.scratch_bytes,
            in_order: native.in_order,
        })
    }

    /// Runs the blocks of a grid, with one thread per core unless a number is given. Returns the first block, in order of the
    /// grid, that failed. All before it have run.
    ///
    /// `words` has two words for each parameter of the entry that is a pointer, its address and its length in bytes, and one for
    /// each number, its bits.
    ///
    /// # Safety
    ///
    /// The words must be those of the entry's parameters, and the memory that they describe valid for reads and writes, which
    /// nothing else uses until this function returns. With several threads, no two pointers may overlap.
    pub unsafe fn run(
        &self,
        grid: [u32; 3],
        words: &[u64],
        threads: Option<NonZeroUsize>,
    ) -> Option<[u32; 3]> {
        let cancel = AtomicBool::new(false);
        let launch = Launch {
            grid,
            reserved: 0,
            args: words.as_ptr(),
            cancel: &raw const cancel,
        };
        // SAFETY: the address is that of a function of this type.
        let function = unsafe { std::mem::transmute::<*mut c_void, Function>(self.address) };
        let blocks: u64 = grid.iter().map(|&extent| u64::from(extent)).product();
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = match threads {
            _ if self.in_order => 1,
            Some(threads) => threads.get(),
            None => cores(),
        };
        let taken = (blocks / (threads as u64 * 8)).max(1);
        let (next, stop) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        let scratch_bytes = self.scratch_bytes;
        let work = || {
            let mut memory = vec![0_u8; scratch_bytes + SCRATCH_ALIGNMENT];
            let offset = memory.as_ptr().align_offset(SCRATCH_ALIGNMENT);
            let scratch = memory[offset..].as_mut_ptr();
            loop {
                let first = next.fetch_add(taken, Ordering::Relaxed);
                if first >= blocks || first > stop.load(Ordering::Relaxed) {
                    return;
                }
                // SAFETY: the arguments are promised by the caller; the memory is aligned and as large as the code
                // says.
                let stopped =
                    unsafe { function(&launch, scratch, first, blocks.min(first + taken)) };
                stop.fetch_min(stopped, Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let number = Some(stop.into_inner()).filter(|number| *number != u64::MAX)?;
        let [x, y] = [grid[0], grid[1]].map(u64::from);
        let block = [number % x, number / x % y, number / x / y];
        Some(block.map(|at| u32::try_from(at).expect("below the extent of the grid")))
    }
}

/// The name of the function in a library.
pub(super) const SYMBOL: &str = "tile_kernel_native";

/// Returns a file of assembly with the function [`SYMBOL`], whose body is `native.assembly`.
pub(super) fn file(native: &Native) -> String {
    let mut text = format!("\t.text\n\t.globl\t{SYMBOL}\n\t.p2align\t4\n");
    let _ = write!(
        text,
        "\t.type\t{SYMBOL},%function\n{SYMBOL}:\n{}",
        native.assembly
    );
    text.push_str("\t.section\t.note.GNU-stack,\"\",%progbits\n");
    text
}

fn not_linked(reason: String) -> BackendError {
    BackendError::NotLinked { reason }
}

#[cfg(all(test, target_arch = "x86_64", target_os = "linux"))]
mod tests {
    use super::*;
    use crate::cpu::{Level, body};

    /// Adds 1 to the `i32` of each block, and stops at the block that the second argument names.
    const INCREMENT: &str = "\t.section\t.rodata.cst4,\"aM\",@progbits,4
.LCPI0_0:
\t.long\t1
\t.text
\t.globl\tkernel
kernel:
\tmovq\t16(%rdi), %r8
\tmovq\t(%r8), %r9
.LBB0_1:
\tmovq\t$-1, %rax
\tcmpq\t%rcx, %rdx
\tjae\t.LBB0_3
\tmovq\t%rdx, %rax
\tcmpq\t16(%r8), %rdx
\tje\t.LBB0_3
\tmovl\t.LCPI0_0(%rip), %r10d
\taddl\t%r10d, (%r9,%rdx,4)
\tincq\t%rdx
\tjmp\t.LBB0_1
.LBB0_3:
\tretq
";

    fn library(assembly: &str) -> Result<NativeLibrary, BackendError> {
        let native = Native {
            level: Level::Baseline,
            assembly: assembly.to_owned(),
            scratch_bytes: 64,
            in_order: false,
        };
        NativeLibrary::open(&native, Duration::from_secs(60))
    }

    #[test]
    fn an_embedded_body_runs_as_a_library_on_any_number_of_threads() {
        let body = body::of_file(INCREMENT).expect("a body");
        let library = library(&body).expect("a library");
        for threads in [1, 2, 5] {
            let mut numbers = [0_i32; 1000];
            let run = |numbers: &mut [i32; 1000], stop: u64| {
                let words = [numbers.as_mut_ptr() as u64, 4000, stop];
                // SAFETY: the words are those of a buffer and a number.
                unsafe { library.run([10, 20, 5], &words, NonZeroUsize::new(threads)) }
            };
            assert_eq!(run(&mut numbers, 5000), None);
            assert_eq!(numbers, [1; 1000]);
            assert_eq!(run(&mut numbers, 432), Some([2, 3, 2]));
            assert_eq!(numbers[..432], [2; 432]);
            assert_eq!(numbers[432], 1);
        }
    }

    #[test]
    fn what_the_linker_says_is_the_error() {
        let error = library("\tnonsense\n").expect_err("no instruction");
        let text = error.to_string();
        assert!(
            text.contains("`cc` failed: ") && text.contains("nonsense"),
            "{text}"
        );
        assert!(error.help().is_some_and(|help| help.contains("linker")));
    }
}
