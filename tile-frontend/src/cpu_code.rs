//! The code of a kernel for the CPU device: which kind the author asks for, and what the build says of it.

use crate::remarks::RemarkFilter;
use std::fmt::Write as _;
use tile_backend::cpu::{self, Native, NotNative};
use tile_backend::session::{NativeCode, Remark};
use tile_core::Loc;
use tile_core::canonicalize::Canonical;

/// The option `cpu` of the attribute: the code for the CPU device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CpuMode {
    /// Native code where the compiler can generate it, and bytecode.
    #[default]
    Native,
    /// Bytecode.
    Interpreted,
    /// Nothing: a launch there is an error.
    None,
}

impl CpuMode {
    /// The modes with their names, as they are written.
    pub(crate) const ALL: [(&str, CpuMode); 3] = [
        ("native", CpuMode::Native),
        ("interpreted", CpuMode::Interpreted),
        ("none", CpuMode::None),
    ];
}

/// The native code of an instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct CpuCode {
    /// The kind of code that the author asks for.
    pub(crate) mode: CpuMode,
    /// The native code for each level; a later one has more instructions.
    pub(crate) levels: Vec<Native>,
    /// The reason why there is no native code, and its line, if the author asks for some.
    pub(crate) not_native: Option<NotNative>,
}

impl CpuCode {
    /// Returns code without native code.
    pub(crate) fn without_native(mode: CpuMode) -> Self {
        Self {
            mode,
            ..Self::default()
        }
    }

    /// Returns the code of an instance that is expected to be slower than others.
    pub(crate) fn left_out() -> Self {
        Self {
            mode: CpuMode::Native,
            not_native: Some(NotNative {
                reason: "`tune` has enough other candidates that are expected to be faster"
                    .to_owned(),
                loc: Loc::UNKNOWN,
            }),
            ..Self::default()
        }
    }

    /// Returns native code.
    pub(crate) fn new(code: NativeCode) -> Self {
        let not_native = code.not_native.filter(|_| code.levels.is_empty());
        Self {
            mode: CpuMode::Native,
            levels: code.levels,
            not_native,
        }
    }
}

/// Prints why an instance of a kernel is interpreted, if remarks on the kernel are requested.
#[expect(
    clippy::print_stderr,
    reason = "asked for by the user with `TILE_REMARKS`"
)]
pub(crate) fn say_not_native(
    filter: &RemarkFilter,
    (kernel, instance): (&str, &str),
    not_native: Option<&NotNative>,
) {
    if let Some(not_native) = not_native
        && filter.includes_kernel(kernel)
    {
        eprint!("{}", remark(instance, not_native));
    }
}

fn remark(instance: &str, NotNative { reason, loc }: &NotNative) -> String {
    let file = loc.file_name().unwrap_or("kernel");
    let place = if *loc == Loc::UNKNOWN {
        String::new()
    } else {
        format!("{file}:{}:{}: ", loc.line(), loc.column())
    };
    format!("{place}remark: `{instance}` is interpreted on the CPU device: {reason}\n")
}

/// Returns the remarks on the native code of a kernel.
pub(crate) fn native_remarks(canonical: &Canonical) -> Vec<Remark> {
    let module = canonical.module();
    module
        .entries()
        .flat_map(|entry| cpu::remarks(module, entry))
        .collect()
}

/// Returns the lines of `TILE_TIME=1` about native code.
pub(crate) fn time_lines(instance: &str, code: &NativeCode) -> String {
    let mut text = String::new();
    for native in &code.levels {
        let level = native.level;
        let times = code.times.iter().find(|(of, _)| *of == level);
        let times = times.map_or_else(|| "from the cache".to_owned(), |(_, times)| times.line());
        let _ = writeln!(
            text,
            "tile-kernel: {instance} native {level}: {times}; {} bytes of assembly, {} bytes of scratch",
            native.assembly.len(),
            native.scratch_bytes
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Variant;
    use crate::testing::front;
    use tile_backend::cpu::Level;
    use tile_backend::session::{RemarkKind, Time, Times};
    use tile_core::Diagnostics;
    use tile_core::canonicalize::canonicalize;
    use tile_core::flatten::{FlattenOptions, flatten};
    use tile_core::verify::verify;

    #[test]
    fn a_remark_names_the_line_and_the_reason() {
        let not_native = NotNative {
            reason: "it prints".to_owned(),
            loc: Loc::file("src/k.rs", 7, 5),
        };
        assert_eq!(
            remark("k<f32>", &not_native),
            "src/k.rs:7:5: remark: `k<f32>` is interpreted on the CPU device: it prints\n"
        );
    }

    /// A kernel that loads what it wants at indices from memory, as an embedding does.
    #[test]
    fn remarks_on_native_code_have_the_line_of_the_kernel() {
        let source = "fn pick(x: &Tensor<f32, 1>, at: &Tensor<i32, 1>, y: &mut Tensor<f32, 1>) {
            let i = at.load([block_id(0)], [64]);
            let picked = x.gather([i]);
            y.store([block_id(0)], picked);
        }";
        let expansion = front("", source).unwrap_or_else(|faults| panic!("{}", faults.concat()));
        let (_, module) = &expansion.artifacts[0][Variant::General as usize];
        let mut diagnostics = Diagnostics::new();
        let flat = verify(module.clone(), &mut diagnostics)
            .and_then(|verified| flatten(verified, &FlattenOptions::default(), &mut diagnostics));
        let flat = flat.unwrap_or_else(|_| panic!("{:?}", diagnostics.take()));
        let remarks = native_remarks(&canonicalize(flat.module));
        let [remark] = &remarks[..] else {
            panic!("one remark, found {remarks:#?}");
        };
        assert_eq!(remark.kind, RemarkKind::CpuOneByOne);
        assert_eq!(remark.loc.line(), 3);
    }

    #[test]
    fn each_level_has_a_line_with_times_and_bytes() {
        let native = |level| Native {
            level,
            assembly: "\tretq\n".to_owned(),
            scratch_bytes: 64,
            in_order: false,
        };
        let mut times = Times::new();
        times.add("select", Time::waited(std::time::Duration::from_millis(2)));
        let code = NativeCode {
            levels: vec![native(Level::Baseline), native(Level::Avx2)],
            times: vec![(Level::Avx2, times)],
            ..NativeCode::default()
        };
        assert_eq!(
            time_lines("k", &code),
            "tile-kernel: k native baseline: from the cache; 6 bytes of assembly, 64 bytes of scratch\n\
             tile-kernel: k native avx2: select 2.0 ms, total 2.0 ms; 6 bytes of assembly, 64 bytes of scratch\n"
        );
    }
}
