use std::process::Command;

use super::*;
use crate::cpu::testing::Loaded;
use crate::environment::Environment;
use crate::llvm::library::Library;

/// `out[i] = shift(scale * x[i])` for `n` numbers, four at a time, with an internal function, constants of a vector, and
/// variables in memory.
fn kernel(name: &str, scale: f32, shift: f32) -> String {
    let scale = f64::from(scale).to_bits();
    let shift = f64::from(shift).to_bits();
    format!(
        r#"
@{name}_table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 5]
@{name}_label = internal constant [7 x i8] c"\22.Lfoo\00"
define internal <4 x float> @shift(<4 x float> %x) noinline {{
  %r = fadd <4 x float> %x, splat (float 0x{shift:016X})
  ret <4 x float> %r
}}
define void @{name}(ptr %out, ptr %x, i64 %n) {{
entry:
  %at = alloca i64
  store i64 0, ptr %at
  br label %head
head:
  %i = load i64, ptr %at
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %px = getelementptr float, ptr %x, i64 %i
  %v = load <4 x float>, ptr %px, align 4
  %s = fmul <4 x float> %v, splat (float 0x{scale:016X})
  %r = call <4 x float> @shift(<4 x float> %s)
  %po = getelementptr float, ptr %out, i64 %i
  store <4 x float> %r, ptr %po, align 4
  %next = add i64 %i, 4
  store i64 %next, ptr %at
  br label %head
exit:
  ret void
}}
define i32 @{name}_at(i64 %i) {{
  %p = getelementptr i32, ptr @{name}_table, i64 %i
  %r = load i32, ptr %p
  ret i32 %r
}}
define i8 @{name}_char(i64 %i) {{
  %p = getelementptr i8, ptr @{name}_label, i64 %i
  %r = load i8, ptr %p
  ret i8 %r
}}
"#
    )
}

type Kernel = unsafe extern "C" fn(*mut f32, *const f32, usize);
type At = unsafe extern "C" fn(usize) -> i32;
type Character = unsafe extern "C" fn(usize) -> u8;

fn check(code: Loaded, name: &str, scale: f32, shift: f32) {
    let x: Vec<f32> = (0..32u8).map(f32::from).collect();
    let mut out = vec![0.0; x.len()];
    // SAFETY: the functions of `kernel` have these types, and the slices have the given length.
    unsafe {
        code.function::<Kernel>(name)(out.as_mut_ptr(), x.as_ptr(), x.len());
        let at = code.function::<At>(&format!("{name}_at"));
        assert_eq!([0, 1, 2, 3].map(|i| at(i)), [1, 2, 3, 5]);
        let character = code.function::<Character>(&format!("{name}_char"));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|i| character(i)), *b"\".Lfoo");
    }
    let expected: Vec<f32> = x.iter().map(|x| scale * x + shift).collect();
    assert_eq!(out, expected);
}

fn assembly(text: &str, level: Level, prefix: &str) -> String {
    let code = compile(&Context::new(), text, level, prefix, &mut Times::new());
    code.unwrap_or_else(|error| panic!("{level}: {error}"))
        .assembly
}

fn refusal(text: &str, level: Level) -> String {
    let result = compile(&Context::new(), text, level, "p", &mut Times::new());
    result.expect_err("it is refused").to_string()
}

#[test]
fn an_object_runs_at_every_level_of_this_machine() {
    for level in Level::available() {
        let code = Loaded::new(&kernel("double", 2.0, 0.5), level).expect("valid");
        check(code, "double", 2.0, 0.5);
    }
}

#[test]
fn assembly_of_two_kernels_is_one_file() {
    for level in Level::available() {
        let first = assembly(&kernel("first", 2.0, 0.5), level, "first");
        let second = assembly(&kernel("second", 3.0, 0.25), level, "second");
        let code = Loaded::of_assembly(&format!("{first}{second}"));
        check(code, "first", 2.0, 0.5);
        check(code, "second", 3.0, 0.25);
    }
}

#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "the syntax is that of x86-64")]
fn assembly_of_two_kernels_is_embedded_in_a_rust_program() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let levels: Vec<Level> = Level::available().collect();
    let mut main = String::new();
    for &level in &levels {
        for (name, scale, shift) in [("first", 2.0, 0.5), ("second", 3.0, 0.25)] {
            let prefix = format!("{name}_{level}");
            let text = assembly(&kernel(&prefix, scale, shift), level, &prefix);
            std::fs::write(path(&prefix), text).expect("a writable folder");
            let _ = write!(
                main,
                "core::arch::global_asm!(include_str!(\"{prefix}\"), options(att_syntax, raw));\n\
                 mod {prefix} {{\n\
                     unsafe extern \"C\" {{ pub fn {prefix}(out: *mut f32, x: *const f32, n: usize); }}\n\
                     pub fn check() {{\n\
                         let x = [1.0, 2.0, 3.0, 4.0];\n\
                         let mut out = [0.0; 4];\n\
                         unsafe {{ {prefix}(out.as_mut_ptr(), x.as_ptr(), 4) }}\n\
                         assert_eq!(out, x.map(|x| x * {scale:?} + {shift:?}));\n\
                     }}\n\
                 }}\n"
            );
        }
    }
    main.push_str("fn main() {\n");
    for level in levels {
        let _ = writeln!(main, "first_{level}::check(); second_{level}::check();");
    }
    main.push_str("}\n");
    std::fs::write(path("main.rs"), main).expect("a writable folder");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args(["--edition=2024", "-Copt-level=1", "-Ccodegen-units=1", "-o"])
        .args([path("main"), path("main.rs")])
        .output()
        .expect("rustc");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let run = Command::new(path("main")).output().expect("the program");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

#[test]
fn every_level_has_assembly_with_prefixed_labels_and_nothing_of_files() {
    for level in Level::ALL {
        let text = assembly(&kernel("double", 2.0, 0.5), level, "one");
        assert!(text.ends_with("\t.text\n"), "{text}");
        assert!(text.contains(".globl\tdouble\n"), "{text}");
        assert!(text.contains("one_shift:\n"), "{text}");
        assert!(text.contains(".Lone_BB"), "{text}");
        let unprefixed = text.replace(".Lone_", "").replace(".Lfoo", "");
        assert!(!unprefixed.contains(".L"), "{text}");
        for directive in [".file", ".ident", ".addrsig", "GNU-stack"] {
            assert!(!text.contains(directive), "{directive} in {text}");
        }
        assert!(!text.contains("alloca") && !text.contains('\0'));
    }
}

#[test]
fn vectors_are_as_wide_as_the_registers_of_the_level() {
    let text = "define void @f(ptr %p) {
        %x = load <16 x float>, ptr %p, align 4
        %y = fadd <16 x float> %x, %x
        store <16 x float> %y, ptr %p, align 4
        ret void
    }";
    for (level, add) in [
        (Level::Baseline, ("addps\t%xmm", 4)),
        (Level::Avx2, ("vaddps\t%ymm", 2)),
        (Level::Avx512, ("vaddps\t%zmm", 1)),
        (Level::Avx512Bf16, ("vaddps\t%zmm", 1)),
        (Level::Amx, ("vaddps\t%zmm", 1)),
        (Level::Neon, ("fadd\tv", 4)),
    ] {
        let assembly = assembly(text, level, "p");
        assert_eq!(
            assembly.matches(add.0).count(),
            add.1,
            "{level}: {assembly}"
        );
    }
}

#[test]
fn sums_of_products_are_not_contracted() {
    let text = "define float @f(float %x, float %y, float %z) {
        %p = fmul float %x, %y
        %s = fadd float %p, %z
        ret float %s
    }";
    for level in Level::ALL {
        let assembly = assembly(text, level, "p");
        assert!(!assembly.contains("fmadd"), "{level}: {assembly}");
    }
}

#[test]
fn compiling_twice_gives_the_same_text() {
    for level in Level::ALL {
        let text = || assembly(&kernel("double", 2.0, 0.5), level, "one");
        assert_eq!(text(), text());
    }
}

#[test]
fn code_that_would_call_a_library_is_refused() {
    let fma = "define float @f(float %x) {
        %y = call float @llvm.fma.f32(float %x, float %x, float %x)
        ret float %y
    }
    declare float @llvm.fma.f32(float, float, float)";
    let message = refusal(fma, Level::Baseline);
    assert!(message.ends_with("it calls `fmaf`"), "{message}");
    for level in Level::ALL.into_iter().filter(|level| level.has_fma()) {
        compile(&Context::new(), fma, level, "p", &mut Times::new()).expect("an instruction");
    }
    let half = "define float @f(half %x) {
        %y = fpext half %x to float
        ret float %y
    }";
    let message = refusal(half, Level::Baseline);
    assert!(message.ends_with("it calls `__extendhfsf2`"), "{message}");
    let remainder = "define <4 x float> @f(<4 x float> %x, <4 x float> %y) {
        %z = frem <4 x float> %x, %y
        ret <4 x float> %z
    }";
    let copy = "define void @f(ptr %x, ptr %y, i64 %n) {
        call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %y, i64 %n, i1 false)
        ret void
    }
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)";
    for level in Level::ALL {
        let message = refusal(remainder, level);
        assert!(message.ends_with("it calls `fmodf`"), "{level}: {message}");
        let message = refusal(copy, level);
        assert!(message.ends_with("it calls `memcpy`"), "{level}: {message}");
        assert!(object(&Context::new(), copy, level, &mut Times::new()).is_err());
    }
}

#[test]
fn a_loop_that_copies_stays_a_loop() {
    let text = "define void @f(ptr noalias %out, ptr noalias %x, i64 %n) {
    entry:
      br label %body
    body:
      %i = phi i64 [ 0, %entry ], [ %next, %body ]
      %px = getelementptr i8, ptr %x, i64 %i
      %v = load i8, ptr %px
      %po = getelementptr i8, ptr %out, i64 %i
      store i8 %v, ptr %po
      %next = add nuw i64 %i, 1
      %more = icmp ult i64 %next, %n
      br i1 %more, label %body, label %exit
    exit:
      ret void
    }";
    for level in Level::ALL {
        assembly(text, level, "p");
    }
}

#[test]
fn a_function_that_nobody_defines_is_refused() {
    let text = "declare float @expf(float)
    define float @f(float %x) {
        %y = call float @expf(float %x)
        ret float %y
    }";
    let message = refusal(text, Level::Avx2);
    assert!(message.contains("calls `expf`"), "{message}");
    let variable = "@there = external global i32
    define i32 @f() {
        %y = load i32, ptr @there
        ret i32 %y
    }";
    for level in Level::ALL {
        let message = refusal(variable, level);
        assert!(message.ends_with("it calls `there`"), "{level}: {message}");
    }
}

#[test]
fn text_that_is_no_module_is_an_error_with_llvms_words() {
    let message = refusal("define void @f() { ret i32 %x }", Level::Baseline);
    assert!(
        message.starts_with("LLVM failed to read the module: "),
        "{message}"
    );
    // The context remains usable.
    let cx = Context::new();
    let text = "define void @f() { ret void }";
    assert!(compile(&cx, "define", Level::Avx2, "p", &mut Times::new()).is_err());
    compile(&cx, text, Level::Avx2, "p", &mut Times::new()).expect("valid");
}

#[test]
fn a_library_without_a_target_compiles_for_the_others() {
    let library = Library::load(&Environment::read()).expect("LLVM");
    assert_eq!(library.hosts(), ["X86", "AArch64"], "rustc's LLVM has both");
    let machines = Machines::new(&["X86"]);
    machines.get(Level::Avx2).expect("a machine");
    let error = machines.get(Level::Neon).expect_err("there is none");
    assert_eq!(
        error.to_string(),
        "LLVM failed to make a target machine: this LLVM is without code generation for AArch64"
    );
}

#[test]
#[ignore = "it prints times"]
#[expect(clippy::print_stdout, reason = "the figures")]
fn times_of_a_small_kernel() {
    let cx = Context::new();
    for level in Level::ALL {
        for _ in 0..3 {
            let mut times = Times::new();
            let text = kernel("double", 2.0, 0.5);
            compile(&cx, &text, level, "one", &mut times).expect("valid");
            println!("{level}: {}", times.line());
        }
    }
}

#[test]
fn labels_in_quotes_are_text() {
    let prefixed = |line| {
        let mut text = String::new();
        prefix_labels(line, "k", &mut text);
        text
    };
    assert_eq!(prefixed(".LBB0_1:"), ".Lk_BB0_1:");
    assert_eq!(prefixed("\tjne\t.LBB0_1"), "\tjne\t.Lk_BB0_1");
    assert_eq!(
        prefixed("\tleaq\t.LCPI0_0(%rip), %rax"),
        "\tleaq\t.Lk_CPI0_0(%rip), %rax"
    );
    assert_eq!(
        prefixed("\t.long\t.LBB0_1-.LJTI0_0"),
        "\t.long\t.Lk_BB0_1-.Lk_JTI0_0"
    );
    assert_eq!(
        prefixed("\t.asciz\t\"a\\\".L\\\\\""),
        "\t.asciz\t\"a\\\".L\\\\\""
    );
    assert_eq!(prefixed("\t.quad\tx.L"), "\t.quad\tx.L");
}
