//! The instructions of the processor that runs this, for those who choose native code.
//!
//! Each function returns `true` if the processor has the instructions and the system saves their registers. On another
//! architecture than x86-64 there are none of them.

#[cfg(target_arch = "x86_64")]
macro_rules! all_detected {
    ($($feature:tt)*) => { true $(&& std::arch::is_x86_feature_detected!($feature))* };
}

/// Returns `true` for `x86-64-v3`, apart from `lahfsahf`, for which there is no stable test and which every processor with
/// AVX has.
#[cfg(target_arch = "x86_64")]
pub fn has_v3() -> bool {
    all_detected!(
        "sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "cmpxchg16b" "avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe"
        "xsave"
    )
}

/// Returns `true` for what `x86-64-v4` has in addition to [`has_v3`].
#[cfg(target_arch = "x86_64")]
pub fn has_v4() -> bool {
    all_detected!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl")
}

/// Returns `true` for dot products of bytes and of bf16 in vectors: AVX512-VNNI and AVX512-BF16.
#[cfg(target_arch = "x86_64")]
pub fn has_vnni_and_bf16() -> bool {
    all_detected!("avx512vnni" "avx512bf16")
}

/// Returns `true` for AMX with tiles of bytes and of bf16, if Linux allows this process to use their registers.
///
/// The first call asks for it (`ARCH_REQ_XCOMP_PERM`, in the kernel's `Documentation/arch/x86/xstate.rst`). Linux says no if
/// a thread has a stack for signals that is too small for the registers, or if a filter of system calls forbids it. All threads
/// of the process may use the registers then, and the signal frames of those that do are 8 KiB larger.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub fn has_amx() -> bool {
    use std::arch::x86_64::__cpuid_count;
    use std::sync::LazyLock;

    /// Bits of EDX in leaf 7 of CPUID: AMX-BF16, AMX-TILE and AMX-INT8 (Intel's Software Developer's Manual, volume 2).
    const FEATURES: u32 = 1 << 22 | 1 << 24 | 1 << 25;
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const XFEATURE_XTILEDATA: libc::c_long = 18;

    static HAS_AMX: LazyLock<bool> = LazyLock::new(|| {
        let has_features =
            __cpuid_count(0, 0).eax >= 7 && __cpuid_count(7, 0).edx & FEATURES == FEATURES;
        // SAFETY: this call takes two numbers and changes only what this process may do.
        has_features
            && unsafe {
                libc::syscall(
                    libc::SYS_arch_prctl,
                    ARCH_REQ_XCOMP_PERM,
                    XFEATURE_XTILEDATA,
                ) == 0
            }
    });
    *HAS_AMX
}

/// Returns `false`: only Linux on x86-64 has them.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
pub fn has_amx() -> bool {
    false
}

/// Returns `false`: another architecture has none of them.
#[cfg(not(target_arch = "x86_64"))]
pub fn has_v3() -> bool {
    false
}

/// Returns `false`: another architecture has none of them.
#[cfg(not(target_arch = "x86_64"))]
pub fn has_v4() -> bool {
    false
}

/// Returns `false`: another architecture has none of them.
#[cfg(not(target_arch = "x86_64"))]
pub fn has_vnni_and_bf16() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel's own list says what a processor has, but not what a process may use.
    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn features_are_those_that_linux_lists() {
        let list = std::fs::read_to_string("/proc/cpuinfo").expect("Linux lists the processors");
        let has = |names: &[&str]| {
            names
                .iter()
                .all(|name| list.split_whitespace().any(|it| it == *name))
        };
        assert_eq!(
            has_v4(),
            has(&["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"])
        );
        assert_eq!(has_vnni_and_bf16(), has(&["avx512_vnni", "avx512_bf16"]));
        assert!(!has_amx() || has(&["amx_tile", "amx_int8", "amx_bf16"]));
    }
}
