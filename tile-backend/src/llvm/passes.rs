//! Compiles a complete module to PTX: link mathematical functions, verify, optimize, emit.
//!
//! In: a module of a [`Context`] and a [`Compilation`]. Out: [`Ptx`].
//!
//! Invariants:
//! - a module that calls a misspelt intrinsic, or an undefined function, is refused here; LLVM would make it
//!   an external call, on which ptxas fails without a useful message;
//! - the PTX has the lowest ISA version with all instructions of the module, so that the oldest possible
//!   driver can compile it.

use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::FileType;
use inkwell::values::{FunctionValue, MetadataValue};

use super::intrinsics::Intrinsic;
use super::{Context, Machine, lanes, math};
use crate::error::BackendError;
use crate::level::OptLevel;
use crate::ptx::Ptx;
use crate::target::{Arch, PtxVersion};
use crate::timing::Times;

/// Returns the pass pipeline of a level.
///
/// From `O2` on, the pipeline is a subset of LLVM's `default<O3>`, in the same order. The values of a kernel
/// are in SSA form from the start, in few and long blocks. Passes that look for memory to promote, functions
/// to specialize or loops to vectorize therefore find nothing. The SLP vectorizer is omitted because it
/// splits wide loads, and because the emitter already puts pairs of elements into one instruction. It also
/// took half of the pipeline's time for a softmax.
fn pipeline(level: OptLevel) -> String {
    let unroll = match level {
        OptLevel::O0 => return "default<O0>".to_owned(),
        OptLevel::O1 => return "default<O1>".to_owned(),
        OptLevel::O2 => "loop-unroll<O2>",
        OptLevel::O3 => "loop-unroll<O3>",
    };
    let combine = "instcombine<max-iterations=1;no-verify-fixpoint>";
    let tidy = "simplifycfg<keep-loops;switch-range-to-icmp>";
    // This must not run before the loop passes: hoisting or sinking instructions to a common block hides the
    // facts of each path.
    let merge = "switch-range-to-icmp;hoist-common-insts;sink-common-insts";
    [
        // Only mathematical functions are called.
        "always-inline",
        "function<eager-inv>(nvvm-intr-range,simplifycfg,sroa<modify-cfg>,early-cse<memssa>",
        "jump-threading,correlated-propagation",
        tidy,
        combine,
        "reassociate",
        "loop-mssa(licm<no-allowspeculation>,loop-rotate<header-duplication;no-prepare-for-lto>,licm<allowspeculation>)",
        tidy,
        combine,
        "loop(indvars,loop-deletion,loop-unroll-full)",
        "gvn<>,bdce,dse,loop-mssa(licm<allowspeculation>)",
        &format!("simplifycfg<keep-loops;{merge}>"),
        combine,
        unroll,
        &format!("simplifycfg<no-keep-loops;{merge}>)"),
        "globaldce",
    ]
    .join(",")
}

/// The handling of f32 values too small for a normal exponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Denormals {
    /// Subnormal numbers are kept.
    #[default]
    Keep,
    /// Subnormal numbers are flushed to zero, by the `.ftz` forms of instructions.
    Flush,
}

/// Options for compiling a module.
#[derive(Clone, Copy, Debug)]
pub struct Compilation {
    /// The target.
    pub arch: Arch,
    /// The optimization level.
    pub level: OptLevel,
    /// The handling of f32 denormals.
    pub denormals: Denormals,
    /// The PTX version that inline assembly needs, if it may be higher than that of the intrinsics.
    pub min_ptx: Option<PtxVersion>,
}

impl Compilation {
    /// Returns the usual compilation for `arch`.
    pub fn new(arch: Arch) -> Self {
        Self {
            arch,
            level: OptLevel::default(),
            denormals: Denormals::default(),
            min_ptx: None,
        }
    }
}

/// Optimizes `module` in place and compiles it to PTX.
pub fn compile(
    cx: &Context,
    module: &Module<'_>,
    compilation: &Compilation,
) -> Result<Ptx, BackendError> {
    compile_timed(cx, module, compilation, &mut Times::new())
}

/// Does the same as [`compile`], and measures the time of each phase.
pub fn compile_timed(
    cx: &Context,
    module: &Module<'_>,
    compilation: &Compilation,
    times: &mut Times,
) -> Result<Ptx, BackendError> {
    times.measure("link", || {
        verify(cx, module)?;
        math::link(cx, module)?;
        refuse_undefined(module)
    })?;
    times.measure("optimize", || optimize(cx, module, compilation))?;
    times.measure("select", || emit_ptx(cx, module, compilation))
}

/// Checks that `module` is well formed and that every `llvm.*` name in it exists.
pub fn verify(cx: &Context, module: &Module<'_>) -> Result<(), BackendError> {
    let what = "verify the module";
    for function in module.get_functions() {
        let name = name_of(function);
        if name.starts_with("llvm.") && function.get_intrinsic_id() == 0 {
            return Err(BackendError::UndefinedFunction { name });
        }
    }
    module.verify().map_err(|message| BackendError::Llvm {
        what,
        message: message.to_string(),
    })?;
    cx.check(what)
}

/// The device functions that the driver provides.
const PROVIDED: [&str; 4] = ["vprintf", "__assertfail", "malloc", "free"];

fn refuse_undefined(module: &Module<'_>) -> Result<(), BackendError> {
    for function in module.get_functions() {
        let name = name_of(function);
        let undefined = function.count_basic_blocks() == 0 && function.get_intrinsic_id() == 0;
        if undefined && !PROVIDED.contains(&name.as_str()) {
            return Err(BackendError::UndefinedFunction { name });
        }
    }
    Ok(())
}

/// Runs the pass pipeline of the level, and then `lanes::define`, which code generation needs.
pub fn optimize(
    cx: &Context,
    module: &Module<'_>,
    compilation: &Compilation,
) -> Result<(), BackendError> {
    let what = "optimize the module";
    set_denormals(cx, module, compilation.denormals);
    let machine = cx.machine(machine(module, compilation))?;
    module
        .run_passes(
            &pipeline(compilation.level),
            &machine,
            PassBuilderOptions::create(),
        )
        .map_err(|message| BackendError::Llvm {
            what,
            message: message.to_string(),
        })?;
    lanes::define(module);
    cx.check(what)
}

/// Generates PTX from `module` without optimizing it first.
pub fn emit_ptx(
    cx: &Context,
    module: &Module<'_>,
    compilation: &Compilation,
) -> Result<Ptx, BackendError> {
    let what = "generate PTX";
    let machine = cx.machine(machine(module, compilation))?;
    let buffer = machine
        .write_to_memory_buffer(module, FileType::Assembly)
        .map_err(|message| BackendError::Llvm {
            what,
            message: message.to_string(),
        })?;
    cx.check(what)?;
    let text = buffer.as_slice();
    // LLVM's buffer includes its terminating zero byte.
    let text = text.strip_suffix(&[0]).unwrap_or(text);
    Ptx::new(String::from_utf8_lossy(text).into_owned())
}

/// Returns the text of `module`, for dumps.
pub fn to_text(module: &Module<'_>) -> String {
    module.print_to_string().to_string()
}

/// Returns the number of instructions of `module`.
pub fn num_instructions(module: &Module<'_>) -> u64 {
    let blocks = module
        .get_functions()
        .flat_map(FunctionValue::get_basic_blocks);
    let counts = blocks.map(|block| block.get_instructions().count() as u64);
    counts.sum()
}

/// The named metadata with the PTX versions that the inline assembly of a module needs.
const ASKED_FOR: &str = "tile.least_ptx";

/// Records that inline assembly of `module` needs PTX `version`.
pub fn ask_for(module: &Module<'_>, version: PtxVersion) {
    let cx = module.get_context();
    let numbers = [version.major, version.minor]
        .map(|number| cx.i32_type().const_int(u64::from(number), false).into());
    module
        .add_global_metadata(ASKED_FOR, &cx.metadata_node(&numbers))
        .expect("a name without a zero");
}

/// Returns the PTX versions that inline assembly of `module` needs.
fn asked_for(module: &Module<'_>) -> Vec<PtxVersion> {
    let number = |value: inkwell::values::BasicMetadataValueEnum<'_>| {
        let number = value.into_int_value().get_zero_extended_constant();
        u8::try_from(number.unwrap_or(0)).expect("a small number")
    };
    let nodes = module.get_global_metadata(ASKED_FOR);
    let values = nodes.into_iter().filter_map(MetadataValue::get_node_values);
    let numbers: Vec<u8> = values.flatten().map(number).collect();
    numbers
        .chunks(2)
        .map(|pair| PtxVersion::new(pair[0], pair[1]))
        .collect()
}

/// Returns the lowest PTX version that supports the target, all intrinsics and the inline assembly of
/// `module`.
fn ptx_version(module: &Module<'_>, compilation: &Compilation) -> PtxVersion {
    let intrinsics = module.get_functions().filter_map(|function| {
        let name = name_of(function);
        Intrinsic::from_llvm_name(&name).map(Intrinsic::min_ptx)
    });
    intrinsics
        .chain(compilation.min_ptx)
        .chain(asked_for(module))
        .fold(compilation.arch.min_ptx(), PtxVersion::max)
}

fn machine(module: &Module<'_>, compilation: &Compilation) -> Machine {
    Machine {
        arch: compilation.arch,
        version: ptx_version(module, compilation),
        level: compilation.level,
    }
}

fn set_denormals(cx: &Context, module: &Module<'_>, denormals: Denormals) {
    if denormals != Denormals::Flush {
        return;
    }
    let mode = "preserve-sign,preserve-sign";
    let attribute = cx
        .inkwell()
        .create_string_attribute("denormal-fp-math-f32", mode);
    for function in module.get_functions() {
        if function.count_basic_blocks() > 0 {
            function.add_attribute(inkwell::attributes::AttributeLoc::Function, attribute);
        }
    }
}

pub(super) fn name_of(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use inkwell::values::BasicMetadataValueEnum;

    use super::*;
    use crate::isolate::{self, Death};
    use crate::llvm::kernel::{Access, Aliasing, KernelFrame, KernelParam, dynamic_shared};

    fn global(access: Access) -> KernelParam {
        KernelParam::Global {
            align_bytes: 16,
            access,
            aliasing: Aliasing::Unique,
        }
    }

    /// Builds `out[tid] = x * in[tid]`, through `callee` of type `float(float)` if there is one.
    fn scale<'cx>(cx: &'cx Context, arch: Arch, callee: Option<&str>) -> Module<'cx> {
        let module = cx.module("scale", arch).expect("a module");
        let mut frame = KernelFrame::new("scale", 128);
        frame.params = vec![
            global(Access::Read),
            global(Access::Write),
            KernelParam::F32,
        ];
        frame.max_registers = Some(64);
        let function = frame.declare(&module);
        let llvm = cx.inkwell();
        let builder = llvm.create_builder();
        builder.position_at_end(llvm.append_basic_block(function, "entry"));
        let param = |index| function.get_nth_param(index).expect("a parameter");
        let f32_type = llvm.f32_type();
        let thread = Intrinsic::ThreadIdX.call(&module, &builder, &[])[0].into_int_value();
        let element_pointer = |index| {
            // SAFETY: the instruction only computes an address, and nothing runs this kernel.
            unsafe {
                builder.build_in_bounds_gep(
                    f32_type,
                    param(index).into_pointer_value(),
                    &[thread],
                    "",
                )
            }
            .expect("a block")
        };
        let x = builder
            .build_load(f32_type, element_pointer(0), "")
            .expect("a block")
            .into_float_value();
        let x = builder
            .build_float_mul(x, param(2).into_float_value(), "")
            .expect("a block");
        let x = match callee {
            None => x,
            Some(name) => {
                let ty = f32_type.fn_type(&[f32_type.into()], false);
                let callee = module.add_function(name, ty, None);
                let args: [BasicMetadataValueEnum<'_>; 1] = [x.into()];
                let call = builder.build_call(callee, &args, "").expect("a block");
                call.try_as_basic_value()
                    .basic()
                    .expect("a value")
                    .into_float_value()
            }
        };
        builder.build_store(element_pointer(1), x).expect("a block");
        builder.build_return(None).expect("a block");
        module
    }

    #[test]
    fn a_kernel_becomes_ptx_in_the_lowest_version() {
        for &arch in Arch::ALL {
            let cx = Context::new();
            let ptx = compile(&cx, &scale(&cx, arch, None), &Compilation::new(arch)).expect("PTX");
            assert_eq!(ptx.arch(), arch);
            assert_eq!(ptx.version(), arch.min_ptx());
            assert_eq!(ptx.entries(), ["scale"]);
            for part in [
                ".reqntid 128",
                ".minnctapersm 1",
                ".maxnreg 64",
                "ld.global.nc.b32",
                "mul.rn.f32",
            ] {
                assert!(
                    ptx.text().contains(part),
                    "{part} is not in\n{}",
                    ptx.text()
                );
            }
            assert!(ptx.text().is_ascii() && !ptx.text().contains('\0'));
        }
    }

    #[test]
    fn inline_assembly_can_ask_for_a_newer_ptx() {
        let cx = Context::new();
        let compilation = Compilation {
            min_ptx: Some(PtxVersion::new(7, 4)),
            ..Compilation::new(Arch::SM_80)
        };
        let ptx = compile(&cx, &scale(&cx, Arch::SM_80, None), &compilation).expect("PTX");
        assert_eq!(ptx.version(), PtxVersion::new(7, 4));
    }

    #[test]
    fn compiling_twice_gives_the_same_text() {
        let text = || {
            let cx = Context::new();
            let arch = Arch::SM_90A;
            compile(&cx, &scale(&cx, arch, None), &Compilation::new(arch)).expect("PTX")
        };
        assert_eq!(text(), text());
    }

    #[test]
    fn shared_pointers_have_32_bits() {
        let cx = Context::new();
        let arch = Arch::SM_80;
        let module = scale(&cx, arch, None);
        let layout = module
            .get_data_layout()
            .as_str()
            .to_string_lossy()
            .into_owned();
        assert!(layout.contains("p3:32:32"), "{layout}");
        let shared = dynamic_shared(&module);
        assert_eq!(shared, dynamic_shared(&module));
        let function = module.get_function("scale").expect("the kernel");
        let builder = cx.inkwell().create_builder();
        let entry = function.get_first_basic_block().expect("a body");
        builder.position_before(&entry.get_first_instruction().expect("an instruction"));
        let thread = Intrinsic::ThreadIdX.call(&module, &builder, &[])[0].into_int_value();
        // SAFETY: the instruction only computes an address, and nothing runs this kernel.
        let slot = unsafe {
            builder.build_gep(
                cx.inkwell().i32_type(),
                shared.as_pointer_value(),
                &[thread],
                "",
            )
        }
        .expect("a block");
        builder.build_store(slot, thread).expect("a block");
        let ptx = compile(&cx, &module, &Compilation::new(arch)).expect("PTX");
        assert!(
            ptx.text()
                .contains(".extern .shared .align 1024 .b8 tile_shared"),
            "{}",
            ptx.text()
        );
        assert!(ptx.text().contains("add.s32"), "{}", ptx.text());
    }

    #[test]
    fn denormals_are_flushed_where_asked() {
        let cx = Context::new();
        let compilation = Compilation {
            denormals: Denormals::Flush,
            ..Compilation::new(Arch::SM_80)
        };
        let ptx = compile(&cx, &scale(&cx, Arch::SM_80, None), &compilation).expect("PTX");
        assert!(ptx.text().contains("mul.rn.ftz.f32"), "{}", ptx.text());
    }

    #[test]
    fn a_misspelt_intrinsic_is_refused() {
        let cx = Context::new();
        let module = scale(&cx, Arch::SM_80, Some("llvm.nvvm.ex2.aprox.f"));
        let error = compile(&cx, &module, &Compilation::new(Arch::SM_80)).expect_err("refused");
        assert!(
            matches!(&error, BackendError::UndefinedFunction { name } if name == "llvm.nvvm.ex2.aprox.f"),
            "{error}"
        );
    }

    #[test]
    fn a_function_that_nobody_defines_is_refused() {
        let cx = Context::new();
        let module = scale(&cx, Arch::SM_80, Some("expf"));
        let error = compile(&cx, &module, &Compilation::new(Arch::SM_80)).expect_err("refused");
        assert!(
            matches!(error, BackendError::UndefinedFunction { .. }),
            "{error}"
        );
    }

    #[test]
    fn an_intrinsic_of_the_wrong_type_is_an_error_with_llvms_words() {
        let cx = Context::new();
        let module = scale(&cx, Arch::SM_80, Some("llvm.nvvm.ex2.approx.d"));
        let error = compile(&cx, &module, &Compilation::new(Arch::SM_80)).expect_err("refused");
        let text = error.to_string();
        assert!(
            text.starts_with("LLVM failed to verify the module: "),
            "{text}"
        );
    }

    #[test]
    fn an_error_of_the_code_generator_is_a_value() {
        let cx = Context::new();
        let module = scale(&cx, Arch::SM_80, None);
        let function = module.get_function("scale").expect("the kernel");
        let builder = cx.inkwell().create_builder();
        let entry = function.get_first_basic_block().expect("a body");
        builder.position_before(&entry.get_first_instruction().expect("an instruction"));
        // No NVPTX constraint has this letter.
        let ty = cx
            .inkwell()
            .void_type()
            .fn_type(&[cx.inkwell().i32_type().into()], false);
        let asm = cx.inkwell().create_inline_asm(
            ty,
            "bad $0;".to_owned(),
            "y".to_owned(),
            true,
            false,
            None,
            false,
        );
        let zero = cx.inkwell().i32_type().const_zero();
        builder
            .build_indirect_call(ty, asm, &[zero.into()], "")
            .expect("a block");
        let error = compile(&cx, &module, &Compilation::new(Arch::SM_80)).expect_err("refused");
        let text = error.to_string();
        assert!(text.starts_with("LLVM failed to generate PTX: "), "{text}");
        // The context remains usable, and does not report the error twice.
        let next = scale(&cx, Arch::SM_80, None);
        compile(&cx, &next, &Compilation::new(Arch::SM_80)).expect("PTX");
    }

    #[test]
    fn what_llvm_cannot_select_kills_the_worker_and_not_the_caller() {
        let failure = isolate::run(std::time::Duration::from_secs(60), |progress| {
            progress.stage("llvm");
            let cx = Context::new();
            // Compile `stmatrix` for an architecture that lacks it.
            let module = cx.module("bad", Arch::SM_80).expect("a module");
            let function = KernelFrame::new("bad", 32).declare(&module);
            let builder = cx.inkwell().create_builder();
            builder.position_at_end(cx.inkwell().append_basic_block(function, "entry"));
            let shared = dynamic_shared(&module).as_pointer_value();
            let zero = cx.inkwell().i32_type().const_zero();
            Intrinsic::StmatrixX1.call(&module, &builder, &[shared.into(), zero.into()]);
            builder.build_return(None).expect("a block");
            let ptx = compile(&cx, &module, &Compilation::new(Arch::SM_80));
            format!("{ptx:?}").into_bytes()
        })
        .expect_err("LLVM cannot select it");
        assert_eq!(failure.how, Death::Signalled("SIGABRT".to_owned()));
        assert_eq!(failure.stage, "llvm");
        assert!(
            failure.stderr_tail.contains("LLVM ERROR: Cannot select"),
            "{failure:?}"
        );
    }

    #[test]
    fn mathematical_functions_are_linked_and_inlined() {
        for (denormals, instruction) in [
            (Denormals::Keep, "fma.rn.f32"),
            (Denormals::Flush, "fma.rn.ftz.f32"),
        ] {
            for name in ["tile_log_f32", "tile_sin_f32", "tile_tanh_f32"] {
                let cx = Context::new();
                let module = scale(&cx, Arch::SM_90A, Some(name));
                let compilation = Compilation {
                    denormals,
                    ..Compilation::new(Arch::SM_90A)
                };
                let ptx = compile(&cx, &module, &compilation).expect("PTX");
                let text = ptx.text();
                assert!(!text.contains("call") && !text.contains(".func"), "{text}");
                assert!(text.contains(instruction), "{denormals:?} {text}");
                assert!(!text.contains("tile_"), "{text}");
                let functions = module
                    .get_functions()
                    .filter(|f| f.count_basic_blocks() > 0);
                assert_eq!(functions.count(), 1, "only the kernel is left");
            }
        }
    }

    #[test]
    fn a_function_that_nothing_defines_is_refused_by_name() {
        let cx = Context::new();
        let module = scale(&cx, Arch::SM_80, Some("tile_nosuch_f32"));
        let error = compile(&cx, &module, &Compilation::new(Arch::SM_80)).expect_err("undefined");
        assert!(
            matches!(&error, BackendError::UndefinedFunction { name } if name == "tile_nosuch_f32"),
            "{error}"
        );
    }
}
