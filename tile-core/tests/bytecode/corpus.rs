//! Files of an independent producer, and the results of NVIDIA's tools on ours.

use crate::oracle::{Disassembler, normalized, tool};
use crate::samples::{corpus, modules};
use std::path::Path;
use std::process::Command;
use tile_core::bytecode::{Version, read, write};
use tile_core::diag::{Diagnostics, render};
use tile_core::testing::structure;
use tile_core::text;
use tile_core::verify::verify;

#[test]
fn tileirdisasm_prints_what_we_mean() {
    let Some(disassembler) = Disassembler::find() else {
        return;
    };
    for (name, module) in modules() {
        for version in Version::ALL {
            let bytes = write(&module, version).expect(name);
            let text = disassembler
                .text(&bytes)
                .unwrap_or_else(|errors| panic!("{name} {version}: {errors}"));
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
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, module) in modules() {
        if name == "zoo" {
            // The assumptions of this module do not hold for its values.
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

#[test]
fn files_of_another_producer_read_and_print_as_the_disassembler_prints_them() {
    let Some(disassembler) = Disassembler::find() else {
        return;
    };
    for sample in corpus() {
        let name = sample.name;
        let module = read(&sample.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let theirs = disassembler.text(&sample.bytes).expect(&name);
        assert_eq!(
            normalized(&text::print(&module)),
            normalized(&theirs),
            "{name}"
        );
        let mut diagnostics = Diagnostics::new();
        let Ok(parsed) = text::parse(&theirs, &name, &mut diagnostics) else {
            panic!("{}", render(&diagnostics.take(), &|_| Some(theirs.clone())));
        };
        assert_eq!(structure(&parsed), structure(&module), "{name}");
        let verified = verify(module, &mut diagnostics);
        let errors = diagnostics.take();
        assert!(verified.is_ok() && errors.is_empty(), "{name}: {errors:#?}");
    }
}

#[test]
fn files_of_another_producer_print_alike_after_reading_and_writing() {
    let Some(disassembler) = Disassembler::find() else {
        return;
    };
    for sample in corpus() {
        let name = sample.name;
        let module = read(&sample.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let ours = write(&module, sample.version).expect(&name);
        assert_eq!(
            disassembler.debug_text(&ours),
            disassembler.debug_text(&sample.bytes),
            "{name}"
        );
    }
}
