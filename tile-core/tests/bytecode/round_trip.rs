//! What is written reads back as it was.

use crate::common::{LOC, vector_add};
use crate::samples::modules;
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::bytecode::{Version, read, write};
use tile_core::ir::{Attr, HintValue, OptimizationHints, RoundingMode};
use tile_core::ops::{ControlFlowOp, FloatOp, Opcode};
use tile_core::testing::structure;
use tile_core::types::{Scalar, Type};

#[test]
fn a_module_reads_back_as_it_was_in_every_version() {
    for (name, module) in modules() {
        for version in Version::ALL {
            let bytes = write(&module, version).expect(name);
            let back = read(&bytes).unwrap_or_else(|e| panic!("{name} {version}: {e}"));
            assert_eq!(structure(&back), structure(&module), "{name} {version}");
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
        "attribute `rounding_mode` of `exp` requires bytecode version 13.3+, but targeting 13.1"
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
        "type `f8E8M0FNU` requires bytecode version 13.2+, but targeting 13.1"
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
