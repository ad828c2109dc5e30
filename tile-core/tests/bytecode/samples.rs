//! Modules to write and files to read.

use crate::common::{LOC, matmul, softmax, vector_add};
use std::path::{Path, PathBuf};
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::bytecode::Version;
use tile_core::ir::{
    AssumePredicate, Attr, ComparisonOrdering, ComparisonPredicate, DenseElements, RoundingMode,
    Signedness,
};
use tile_core::ops::{ControlFlowOp, ConversionOp, CoreOp, FloatOp};
use tile_core::types::{Scalar, Type};

/// Makes a kernel with every construct that has an encoding of its own.
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
    // An `if` without `else`, and an `if` with both branches.
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

pub(crate) fn modules() -> Vec<(&'static str, Module)> {
    vec![
        ("vector_add", vector_add(Scalar::F32, 128)),
        ("softmax", softmax(256)),
        ("matmul", matmul(Scalar::BF16, [64, 64, 32])),
        ("zoo", zoo()),
    ]
}

/// A file of an independent producer, NVIDIA's cuTile Python 1.7.
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) version: Version,
    pub(crate) bytes: Vec<u8>,
}

/// Returns all files of the corpus.
pub(crate) fn corpus() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("it is readable").path())
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path.file_stem().expect("a file").to_string_lossy();
            let version = Version::ALL
                .into_iter()
                .find(|version| name.ends_with(&version.to_string()));
            Sample {
                version: version.expect("its name ends in its version"),
                name: name.into_owned(),
                bytes: std::fs::read(&path).expect("it is readable"),
            }
        })
        .collect()
}
