//! Tests that written bytecode reads back as the same module.

use crate::common::{LOC, vector_add};
use crate::samples::modules;
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::bytecode::{Version, read, write};
use tile_core::ir::{Attr, HintValue, OptimizationHints};
use tile_core::ops::{ControlFlowOp, Opcode};
use tile_core::testing::structure;
use tile_core::types::Scalar;

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
fn an_unknown_operation_is_named_by_number() {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    b.entry("k", &[], LOC);
    b.terminate(ControlFlowOp::Return, &[], LOC);
    let mut bytes = write(&module, Version::V13_1).expect("it is valid");
    let opcode_offset = bytes
        .iter()
        .position(|&byte| byte == 0x5c)
        .expect("return is there");
    bytes[opcode_offset] = 0x19;
    let error = read(&bytes).expect_err("0x19 is a hole");
    assert_eq!(error.message, "operation number 0x19 is not known");
    assert_eq!(error.offset, Some(opcode_offset));
    assert!(Opcode::from_number(0x19).is_none());
}
