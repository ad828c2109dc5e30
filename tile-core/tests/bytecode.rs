//! Bytecode: writing, reading back, hostile input, NVIDIA's tools.

mod common;

use common::{LOC, matmul, softmax, vector_add};
use std::path::{Path, PathBuf};
use std::process::Command;
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::bytecode::{Version, read, write};
use tile_core::ir::{
    AssumePredicate, Attr, ComparisonOrdering, ComparisonPredicate, DenseElements, HintValue,
    OptimizationHints, RoundingMode, Signedness,
};
use tile_core::ops::{ControlFlowOp, ConversionOp, CoreOp, FloatOp, Opcode};
use tile_core::types::{Scalar, Type};

/// A kernel with one of everything that has an encoding of its own.
fn zoo() -> Module {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    let (_, args) = b.entry("zoo", &[Type::scalar(Scalar::I32)], LOC);
    let positive = AssumePredicate::Bounded {
        lower: Some(0),
        upper: None,
    };
    let n = b.assume(args[0], positive, LOC);
    let divisor = AssumePredicate::DivBy {
        divisor: 16,
        every: None,
        along: None,
    };
    b.assume(n, divisor, LOC);
    let iota = b
        .op(CoreOp::Iota, LOC)
        .result(Type::tile(Scalar::I32, &[16]))
        .finish_value();
    let groups = AssumePredicate::DivBy {
        divisor: 4,
        every: Some(4),
        along: Some(0),
    };
    let iota = b.assume(iota, groups, LOC);
    b.assume(iota, AssumePredicate::SameElements(vec![1]), LOC);
    let dense = |scalar, bits: Vec<u64>| {
        Attr::Dense(std::sync::Arc::new(DenseElements::from_bits(scalar, bits)))
    };
    let mut constant = |scalar, bits: Vec<u64>| {
        let ty = Type::tile(scalar, &[i64::try_from(bits.len()).expect("small")]);
        b.op(CoreOp::Constant, LOC)
            .attr("value", dense(scalar, bits))
            .result(ty)
            .finish_value()
    };
    let mask = constant(Scalar::I1, (0..16).map(|i| u64::from(i % 3 == 0)).collect());
    constant(Scalar::I1, vec![1, 0, 1, 1]);
    constant(Scalar::I1, vec![1; 16]);
    constant(Scalar::TF32, vec![0x3f800 >> 1, 0]);
    constant(Scalar::I8, vec![1, 0xff]);
    let ramp = constant(Scalar::I32, (0..16).map(|i| i * i).collect());
    let doubles = constant(Scalar::F64, vec![1.5_f64.to_bits(), (-2.5_f64).to_bits()]);
    let chosen = b
        .op(CoreOp::Select, LOC)
        .args(&[mask, ramp, iota])
        .result(Type::tile(Scalar::I32, &[16]))
        .finish_value();
    let wide = b.convert(
        ConversionOp::ExtI,
        chosen,
        Scalar::I64,
        Some(Signedness::Unsigned),
        LOC,
    );
    let float = b.convert(
        ConversionOp::IToF,
        wide,
        Scalar::F32,
        Some(Signedness::Signed),
        LOC,
    );
    b.op(FloatOp::AddF, LOC)
        .args(&[float, float])
        .attr("rounding_mode", Attr::Rounding(RoundingMode::Zero))
        .flag("flush_to_zero", true)
        .result(Type::tile(Scalar::F32, &[16]))
        .finish();
    b.op(FloatOp::MaxF, LOC)
        .args(&[doubles, doubles])
        .flag("propagate_nan", true)
        .result(Type::tile(Scalar::F64, &[2]))
        .finish();
    b.cmpf(
        ComparisonPredicate::LessThan,
        ComparisonOrdering::Ordered,
        float,
        float,
        LOC,
    );
    let grid = b.reshape(wide, &[4, 4], LOC);
    b.permute(grid, &[1, 0], LOC);
    let zero = b.const_i32(0, LOC);
    let condition = b.cmpi(ComparisonPredicate::Equal, n, zero, Signedness::Signed, LOC);
    // An `if` without `else`, and one with both.
    let op = b.op(ControlFlowOp::If, LOC).args(&[condition]).finish();
    let then = b.add_region_block(op);
    let outer = b.set_block(then);
    b.terminate(ControlFlowOp::Yield, &[], LOC);
    b.set_block(outer);
    b.module().add_region(op);
    let op = b
        .op(ControlFlowOp::If, LOC)
        .args(&[condition])
        .result(Type::scalar(Scalar::I32))
        .finish();
    for value in [n, zero] {
        let block = b.add_region_block(op);
        let outer = b.set_block(block);
        b.terminate(ControlFlowOp::Yield, &[value], LOC);
        b.set_block(outer);
    }
    b.terminate(ControlFlowOp::Return, &[], LOC);
    module
}

fn modules() -> Vec<(&'static str, Module)> {
    vec![
        ("vector_add", vector_add(Scalar::F32, 128)),
        ("softmax", softmax(256)),
        ("matmul", matmul(Scalar::BF16, [64, 64, 32])),
        ("zoo", zoo()),
    ]
}

/// Everything that bytecode keeps, as text.
fn dump(module: &Module) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    let mut numbers = std::collections::HashMap::new();
    for op in module.walk(module.body()) {
        for &region in &module.op(op).regions {
            for &block in &module.region(region).blocks {
                for &arg in &module.block(block).args {
                    let next = numbers.len();
                    numbers.insert(arg, next);
                }
            }
        }
        for &result in &module.op(op).results {
            let next = numbers.len();
            numbers.insert(result, next);
        }
        let o = module.op(op);
        let operands: Vec<usize> = o.operands.iter().map(|v| numbers[v]).collect();
        let types: Vec<Type> = o.results.iter().map(|&v| module.ty(v)).collect();
        writeln!(
            out,
            "{} {operands:?} {:?} {:?} {types:?} {}",
            o.def().mnemonic,
            o.segments,
            o.attrs,
            o.regions.len()
        )
        .expect("a string grows");
    }
    out
}

#[test]
fn a_module_reads_back_as_it_was_in_every_version() {
    for (name, module) in modules() {
        for version in Version::ALL {
            let bytes = write(&module, version).expect(name);
            let back = read(&bytes).unwrap_or_else(|e| panic!("{name} {version}: {e}"));
            assert_eq!(dump(&back), dump(&module), "{name} {version}");
            assert_eq!(
                write(&back, version).expect(name),
                bytes,
                "{name} {version}"
            );
        }
    }
}

#[test]
fn hints_of_an_entry_and_the_producer_read_back() {
    let mut module = vector_add(Scalar::F32, 16);
    module.producer = Some("test".to_owned());
    let entry = module.entry("vector_add").expect("it is there");
    let hints = OptimizationHints {
        per_arch: vec![(
            "sm_90".to_owned(),
            vec![
                ("num_cta_in_cga".to_owned(), HintValue::Int(2)),
                ("occupancy".to_owned(), HintValue::Int(4)),
            ],
        )],
    };
    let hints = Attr::Hints(std::sync::Arc::new(hints));
    module
        .op_mut(entry)
        .set_attr("optimization_hints", Some(hints.clone()));
    let bytes = write(&module, Version::V13_3).expect("it is valid");
    let back = read(&bytes).expect("it is valid");
    assert_eq!(back.producer.as_deref(), Some("test"));
    let entry = back.entry("vector_add").expect("it is there");
    assert_eq!(back.op(entry).attr("optimization_hints"), Some(&hints));
}

#[test]
fn what_a_version_lacks_is_refused_by_name() {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    b.entry("k", &[], LOC);
    let one = b.splat(Scalar::F32, 0x3f80_0000, &[4], LOC);
    b.op(FloatOp::Exp, LOC)
        .args(&[one])
        .attr("rounding_mode", Attr::Rounding(RoundingMode::Approx))
        .result(Type::tile(Scalar::F32, &[4]))
        .finish();
    b.terminate(ControlFlowOp::Return, &[], LOC);
    let error = write(&module, Version::V13_1).expect_err("approx is newer");
    assert_eq!(
        error.to_string(),
        "attribute `rounding_mode` of `exp` requires bytecode version 13.3, but targeting 13.1"
    );
    write(&module, Version::V13_3).expect("13.3 has it");

    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    b.entry("k", &[], LOC);
    b.splat(Scalar::F8E8M0FNU, 1, &[4], LOC);
    b.terminate(ControlFlowOp::Return, &[], LOC);
    let error = write(&module, Version::V13_1).expect_err("the type is newer");
    assert_eq!(
        error.to_string(),
        "type `f8E8M0FNU` requires bytecode version 13.2, but targeting 13.1"
    );
}

#[test]
fn an_unknown_operation_is_named_by_number() {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    b.entry("k", &[], LOC);
    b.terminate(ControlFlowOp::Return, &[], LOC);
    let mut bytes = write(&module, Version::V13_1).expect("it is valid");
    let at = bytes
        .iter()
        .position(|&byte| byte == 0x5c)
        .expect("return is there");
    bytes[at] = 0x19;
    let error = read(&bytes).expect_err("0x19 is a hole");
    assert_eq!(error.message, "operation number 0x19 is not known");
    assert_eq!(error.offset, Some(at));
    assert!(Opcode::from_number(0x19).is_none());
}

/// A small deterministic generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("below a usize")
    }
}

#[test]
fn hostile_bytes_give_an_error_and_never_a_panic() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut accepted, mut refused) = (0, 0);
    for (_, module) in modules() {
        for version in [Version::V13_1, Version::V13_4] {
            let bytes = write(&module, version).expect("it is valid");
            for len in 0..bytes.len() {
                assert!(read(&bytes[..len]).is_err(), "truncated to {len}");
            }
            for _ in 0..3000 {
                let mut bytes = bytes.clone();
                for _ in 0..=random.below(3) {
                    let at = random.below(bytes.len());
                    bytes[at] = match random.below(4) {
                        0 => 0xff,
                        1 => bytes[at].wrapping_add(1),
                        2 => bytes[at] ^ (1 << random.below(8)),
                        _ => (random.next() & 0xff) as u8,
                    };
                }
                match read(&bytes) {
                    Ok(_) => accepted += 1,
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} and {refused}");
}

#[test]
fn deep_nesting_is_refused() {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    b.entry("k", &[], LOC);
    let condition = b.splat(Scalar::I1, 1, &[], LOC);
    let mut blocks = Vec::new();
    for _ in 0..200 {
        let op = b.op(ControlFlowOp::If, LOC).args(&[condition]).finish();
        let block = b.add_region_block(op);
        blocks.push(b.set_block(block));
    }
    for block in blocks.into_iter().rev() {
        b.terminate(ControlFlowOp::Yield, &[], LOC);
        b.set_block(block);
    }
    b.terminate(ControlFlowOp::Return, &[], LOC);
    let bytes = write(&module, Version::V13_1).expect("it is valid");
    let error = read(&bytes).expect_err("too deep");
    assert_eq!(error.message, "regions are nested deeper than 64");
}

/// A tool of the tool chain: in the cache of `cargo xtask setup`, or in `PATH`.
fn tool(name: &str) -> Option<PathBuf> {
    tools(name).into_iter().next()
}

fn tools(name: &str) -> Vec<PathBuf> {
    let from = |variable: &str, rest: &str| {
        std::env::var_os(variable).map(|root| Path::new(&root).join(rest))
    };
    let cache = from("TILE_KERNEL_CACHE", "")
        .or_else(|| from("XDG_CACHE_HOME", "tile-kernel"))
        .or_else(|| from("HOME", ".cache/tile-kernel"));
    let cached = cache.map(|cache| cache.join("tools/current/tileir/bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    cached
        .into_iter()
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(name))
        .filter(|file| file.is_file())
        .collect()
}

#[expect(clippy::print_stderr, reason = "the reason why a test is skipped")]
fn skip(name: &str) {
    let required = std::env::var_os("TILE_REQUIRE_TOOLS").is_some();
    assert!(
        !required,
        "`{name}` is not installed (run `cargo xtask setup`)"
    );
    eprintln!("skipped: `{name}` is not installed (run `cargo xtask setup`)");
}

#[test]
fn tileirdisasm_prints_what_we_mean() {
    let Some(disassembler) = tool("tileirdisasm") else {
        return skip("tileirdisasm");
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, module) in modules() {
        for version in Version::ALL {
            let file = folder.path().join(format!("{name}.{version}.tilebc"));
            std::fs::write(&file, write(&module, version).expect(name)).expect("it is writable");
            let output = Command::new(&disassembler)
                .arg(&file)
                .output()
                .expect("it runs");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "{name} {version}: {errors}\n{text}"
            );
            for op in module.walk(module.body()) {
                let mnemonic = module.op(op).def().mnemonic;
                // Implicit terminators are not printed.
                if !matches!(mnemonic, "yield" | "continue" | "return") {
                    assert!(text.contains(mnemonic), "{name} lacks {mnemonic}:\n{text}");
                }
            }
            for expected in expected_text(name) {
                assert!(text.contains(expected), "{name} lacks {expected}:\n{text}");
            }
        }
    }
}

fn expected_text(name: &str) -> &'static [&'static str] {
    match name {
        "vector_add" => &[
            "entry @vector_add",
            "tensor_view<?xf32, strides=[?]>",
            "partition_view<tile=(128), tensor_view<?xf32, strides=[?]>>",
        ],
        "softmax" => &["identities=[0xFF800000 : f32]", "padding_value = neg_inf"],
        "matmul" => &[
            "iter_values(",
            "tile<64x32xbf16>, tile<32x64xbf16>, tile<64x64xf32>",
        ],
        "zoo" => &[
            "bounded<0, ?>",
            "div_by<16>",
            "div_by<4, every 4 along 0>",
            "same_elements<[1]>",
            "[true, false, false, true, false, false, true, false, false, true, false, false, true, false, false, true]",
            "[true, false, true, true]",
            "<i8: [1, -1]>",
            "[1.500000e+00, -2.500000e+00]",
            "rounding<zero> flush_to_zero",
            "propagate_nan",
            "less_than ordered",
        ],
        _ => &[],
    }
}

#[test]
fn tileiras_assembles_what_we_write() {
    let Some(assembler) = tool("tileiras") else {
        return skip("tileiras");
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, module) in modules() {
        if name == "zoo" {
            // Its assumptions are not true of its values.
            continue;
        }
        let file = folder.path().join(format!("{name}.tilebc"));
        let cubin = folder.path().join(format!("{name}.cubin"));
        std::fs::write(&file, write(&module, Version::V13_1).expect(name)).expect("it is writable");
        let output = Command::new(&assembler)
            .arg("--gpu-name=sm_90")
            .args([&file, Path::new("-o"), &cubin].map(|part: &Path| part))
            .output()
            .expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {errors}");
        assert!(cubin.is_file(), "{name} gave no cubin");
    }
}

/// Files of an independent producer, NVIDIA's cuTile Python 1.7.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("it is readable").path())
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a file")
                .to_string_lossy()
                .into_owned();
            (name, std::fs::read(&path).expect("it is readable"))
        })
        .collect()
}

#[test]
fn files_of_another_producer_are_read_or_refused_by_name() {
    let mut read_files = Vec::new();
    for (name, bytes) in corpus() {
        match read(&bytes) {
            Ok(module) => {
                assert_eq!(module.entries().count(), 1, "{name}");
                read_files.push(name);
            }
            Err(error) => assert!(
                error.message.starts_with("operation number 0x"),
                "{name}: {error}"
            ),
        }
    }
    for kernel in ["vector_add", "matmul_128x128x64", "softmax_4096"] {
        for version in ["13.1", "13.4"] {
            let name = format!("{kernel}.{version}");
            assert!(
                read_files.contains(&name),
                "{name} is not in {read_files:?}"
            );
        }
    }
}

#[test]
fn files_of_another_producer_print_alike_after_reading_and_writing() {
    let Some(disassembler) = tool("tileirdisasm") else {
        return skip("tileirdisasm");
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let print = |bytes: &[u8]| {
        let file = folder.path().join("file.tilebc");
        std::fs::write(&file, bytes).expect("it is writable");
        let output = Command::new(&disassembler)
            .arg(&file)
            .output()
            .expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (name, bytes) in corpus() {
        let Ok(module) = read(&bytes) else { continue };
        let version = Version::ALL
            .into_iter()
            .find(|version| name.ends_with(&version.to_string()));
        let ours = write(&module, version.expect("its name ends in its version"));
        assert_eq!(print(&ours.expect("it is valid")), print(&bytes), "{name}");
    }
}
