//! Measures the limits of the machine: bytes copied and fused multiply-adds per second.

use std::cell::RefCell;

use crate::case::Case;
use crate::threads;

/// The limits that are measured as kernels are.
pub(crate) const LIMITS: [&str; 2] = ["copy", "multiply_add"];

/// The iterations of a run of `multiply_add`.
pub(crate) const ITERATIONS: usize = 1 << 20;

pub(crate) fn case(kernel: &str, sizes: &[usize]) -> Option<Case> {
    match (kernel, sizes) {
        // The number of bytes that are read and written together.
        ("copy", &[bytes]) => {
            let from = huge(bytes / 2);
            let to = RefCell::new(huge(bytes / 2));
            let (pool, threads) = (threads::pool(), threads::count());
            let part = (bytes / 2).div_ceil(threads).max(1);
            Some(Case::new(move || {
                let mut to = to.borrow_mut();
                let parts = from.chunks(part).zip(to.chunks_mut(part));
                if bytes < SMALL {
                    parts.for_each(|(from, to)| to.copy_from_slice(from));
                } else {
                    threads::for_each(&pool, parts, |(from, to)| to.copy_from_slice(from));
                }
                std::hint::black_box(&mut *to);
                Ok(())
            }))
        }
        ("multiply_add", &[]) => {
            let pool = threads::pool();
            Some(Case::new(move || {
                pool.broadcast(|_| multiply_adds());
                Ok(())
            }))
        }
        _ => None,
    }
}

/// Returns bytes, in huge pages if they can be had: the tensors of kernels have them, too.
fn huge(count: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::with_capacity(count);
    #[cfg(target_os = "linux")]
    {
        let start = bytes.as_mut_ptr();
        let before = start.addr() % 4096;
        let page = start.wrapping_sub(before);
        // SAFETY: the advice changes no content. If it cannot be followed, pages are small.
        unsafe { libc::madvise(page.cast(), before + count, libc::MADV_HUGEPAGE) };
    }
    bytes.resize(count, 1);
    bytes
}

/// Below this many bytes one thread copies faster than several, which have to be woken.
const SMALL: usize = 1 << 19;

/// Returns the operations of a run of `multiply_add` on all threads.
pub(crate) fn operations() -> f64 {
    threads::count() as f64 * ITERATIONS as f64 * 2.0 * (CHAINS * lanes()) as f64
}

/// The sums that [`multiply_adds`] computes at a time: more than the latency times the throughput of any processor.
const CHAINS: usize = 12;

/// The `f32` numbers of a vector register that is used.
fn lanes() -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            return 16;
        }
        if std::arch::is_x86_feature_detected!("fma") {
            return 8;
        }
    }
    1
}

/// Computes twelve independent chains of fused multiply-adds of vectors.
fn multiply_adds() {
    #[cfg(target_arch = "x86_64")]
    {
        /// A loop with twelve multiply-adds of this kind of register.
        macro_rules! chains {
            ($register:literal) => {
                // SAFETY: the processor has the instruction, which the caller found, and all registers are named.
                unsafe {
                    std::arch::asm!(
                        concat!("vpxor xmm12, xmm12, xmm12"),
                        "2:",
                        chains!(@ $register 0 1 2 3 4 5 6 7 8 9 10 11),
                        "dec {count}",
                        "jnz 2b",
                        "vzeroupper",
                        count = inout(reg) ITERATIONS => _,
                        out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                        out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                        out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _, out("xmm12") _,
                        options(nomem, nostack),
                    );
                }
            };
            (@ $register:literal $($number:literal)*) => {
                concat!($("vfmadd231ps ", $register, stringify!($number), ", ", $register, "12, ", $register, "12\n"),*)
            };
        }
        if lanes() == 16 {
            return chains!("zmm");
        }
        if lanes() == 8 {
            return chains!("ymm");
        }
    }
    let mut sums = [0.0_f32; CHAINS];
    for _ in 0..ITERATIONS {
        for sum in &mut sums {
            *sum = std::hint::black_box(*sum * 0.5 + 1.0);
        }
    }
}
