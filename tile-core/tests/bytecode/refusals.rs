//! Tests that features that a version lacks are refused by name, at the operation.

use tile_core::bytecode::{Version, write};
use tile_core::{Diagnostics, Module, text};

/// A body, the first version that can hold it, and the line and message of the error for the
/// preceding version.
struct Case {
    body: &'static str,
    since: Version,
    refusal: &'static str,
}

fn parse(body: &str) -> Module {
    let source = format!(
        "cuda_tile.module @m {{\n{}\n}}",
        if body.contains('@') {
            body.to_owned()
        } else {
            format!("entry @k() {{\n{body}\n}}")
        }
    );
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(&source, "input", &mut diagnostics);
    let diagnostics_found = diagnostics.take();
    module.unwrap_or_else(|_| panic!("{source}\n{diagnostics_found:#?}"))
}

const CASES: [Case; 22] = [
    Case {
        body: "%a = constant <f32: 1.0> : tile<f32>\n%b = atan2 %a, %a : tile<f32>",
        since: Version::V13_2,
        refusal: "input:4:6: operation `atan2` is not available in bytecode version 13.1",
    },
    Case {
        body: "%a = constant <i32: 1> : tile<i32>\n%b = negi %a overflow<no_signed_wrap> : tile<i32>",
        since: Version::V13_2,
        refusal: "input:4:6: attribute `overflow` of `negi` requires bytecode version 13.2+, but targeting 13.1",
    },
    Case {
        body: "%a = constant <f32: 1.0> : tile<f32>\n%b = tanh %a rounding<approx> : tile<f32>",
        since: Version::V13_2,
        refusal: "input:4:6: attribute `rounding_mode` of `tanh` requires bytecode version 13.2+, but targeting 13.1",
    },
    Case {
        body: "%a = constant <i32: 1> : tile<i32>\nfor unsigned %i in (%a to %a, step %a) : tile<i32> {\n}",
        since: Version::V13_2,
        refusal: "input:4:1: optional attribute `unsignedCmp` of `for` is provided but requires bytecode version 13.2, targeting 13.1",
    },
    Case {
        body: "%t = make_token : token\n%a = print_tko \"x\" token=%t -> token",
        since: Version::V13_2,
        refusal: "input:4:6: optional operand `token` of `print_tko` is provided but requires bytecode version 13.2, targeting 13.1",
    },
    Case {
        body: "%a = print_tko \"x\" -> token\n%b = join_tokens %a, %a : token",
        since: Version::V13_2,
        refusal: "input:3:6: result `result_token` of `print_tko` requires bytecode version 13.2 but is being used and targeting 13.1",
    },
    Case {
        body: "%a = constant <f8E8M0FNU: 1.0> : tile<f8E8M0FNU>",
        since: Version::V13_2,
        refusal: "input:3:6: type `f8E8M0FNU` requires bytecode version 13.2+, but targeting 13.1",
    },
    Case {
        body: "%a = constant <f32: 1.0> : tile<2xf32>\n%b = pack %a : tile<2xf32> -> tile<8xi8>",
        since: Version::V13_3,
        refusal: "input:4:6: operation `pack` is not available in bytecode version 13.2",
    },
    Case {
        body: "%a = constant <i8: 1> : tile<4xi8>\n%b = unpack %a : tile<4xi8> -> tile<f32>",
        since: Version::V13_3,
        refusal: "input:4:6: operation `unpack` is not available in bytecode version 13.2",
    },
    Case {
        body: "%a = alloca num_elem = 4, alignment = 4 : tile<ptr<f32>>",
        since: Version::V13_3,
        refusal: "input:3:6: operation `alloca` is not available in bytecode version 13.2",
    },
    Case {
        body: "%a = constant <f32: 1.0> : tile<f32>\n%b = exp %a rounding<approx> : tile<f32>",
        since: Version::V13_3,
        refusal: "input:4:6: attribute `rounding_mode` of `exp` requires bytecode version 13.3+, but targeting 13.2",
    },
    Case {
        body: "%a = constant <f8E5M2: 1.0> : tile<4x4xf8E5M2>\n%b = constant <f32: 0.0> : tile<4x4xf32>\n%c = mmaf %a, %a, %b fast_acc : tile<4x4xf8E5M2>, tile<4x4xf8E5M2>, tile<4x4xf32>",
        since: Version::V13_3,
        refusal: "input:5:6: optional attribute `fast_acc` of `mmaf` is provided but requires bytecode version 13.3, targeting 13.2",
    },
    Case {
        body: "global constant @g <i32: 1> : tile<2xi32>",
        since: Version::V13_3,
        refusal: "input:2:1: optional attribute `constant` of `global` is provided but requires bytecode version 13.3, targeting 13.2",
    },
    Case {
        body: "global private @g <i32: 1> : tile<2xi32>",
        since: Version::V13_3,
        refusal: "input:2:1: attribute `symbol_visibility` of `global` requires bytecode version 13.3+, but targeting 13.2",
    },
    Case {
        body: "global @g <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>",
        since: Version::V13_3,
        refusal: "input:2:1: type `f4E2M1FN` requires bytecode version 13.3+, but targeting 13.2",
    },
    Case {
        body: "%a = constant <i8: 1> : tile<i8>\n%b = trunci %a : tile<i8> -> tile<i4>",
        since: Version::V13_3,
        refusal: "input:4:6: type `i4` requires bytecode version 13.3+, but targeting 13.2",
    },
    Case {
        body: "entry @k(%v: strided_view<tile=(8), traversal_strides=[4], tensor_view<64xf32, strides=[1]>>) {\n}",
        since: Version::V13_3,
        refusal: "input:2:1: type `strided_view` requires bytecode version 13.3+, but targeting 13.2",
    },
    Case {
        body: "entry @k(%v: gather_scatter_view<tile=(8), tensor_view<64xf32, strides=[1]>, sparse_dim=0>) {\n}",
        since: Version::V13_3,
        refusal: "input:2:1: type `gather_scatter_view` requires bytecode version 13.3+, but targeting 13.2",
    },
    Case {
        body: "%a = constant <f32: 1.0> : tile<f32>\n%b = ftoi %a signed saturating : tile<f32> -> tile<i32>",
        since: Version::V13_4,
        refusal: "input:4:6: optional attribute `saturating` of `ftoi` is provided but requires bytecode version 13.4, targeting 13.3",
    },
    Case {
        body: "entry @k(%v: partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>) {\n%i = constant <i32: 0> : tile<i32>\n%a, %t = load_view_tko weak %v[%i] inbounds = [true] : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token\n}",
        since: Version::V13_4,
        refusal: "input:4:10: attribute `inbounds` of `load_view_tko` requires bytecode version 13.4+, but targeting 13.3",
    },
    Case {
        body: "%a = gdc_wait_tko -> token",
        since: Version::V13_4,
        refusal: "input:3:6: operation `gdc_wait_tko` is not available in bytecode version 13.3",
    },
    Case {
        body: "%a = constant <i32: 1> : tile<i32>\n%b = constant <f32: 1.0> : tile<f32>\n%c = fpowi %b, %a : tile<f32>, tile<i32>",
        since: Version::V13_4,
        refusal: "input:5:6: operation `fpowi` is not available in bytecode version 13.3",
    },
];

#[test]
fn what_a_version_lacks_is_refused_by_name_and_place() {
    for Case {
        body,
        since,
        refusal,
    } in CASES
    {
        let module = parse(body);
        for version in Version::ALL {
            let written = write(&module, version);
            if version >= since {
                written.unwrap_or_else(|error| panic!("{body}\n{version}: {error}"));
                continue;
            }
            let error = written.expect_err(body);
            let newest = Version::ALL.into_iter().rfind(|&version| version < since);
            if Some(version) == newest {
                assert_eq!(format!("{}: {error}", error.loc), refusal);
            }
        }
    }
}

#[test]
fn what_an_old_version_leaves_out_is_not_missed() {
    // An unused token, and a producer.
    let mut module = parse("%a = print_tko \"x\" -> token");
    module.producer = Some("somebody".to_owned());
    let bytes = write(&module, Version::V13_1).expect("nothing is lost");
    let back = tile_core::bytecode::read(&bytes).expect("it is valid");
    assert_eq!(back.producer, None);
    let bytes = write(&module, Version::V13_3).expect("it is valid");
    let back = tile_core::bytecode::read(&bytes).expect("it is valid");
    assert_eq!(back.producer.as_deref(), Some("somebody"));
}

/// Modules that no version can hold are refused with a location and a message.
#[test]
fn what_bytecode_lacks_is_refused_by_name_and_place() {
    let parse = |source: &str| {
        let mut diagnostics = Diagnostics::new();
        let options = text::ParseOptions {
            allow_testing: true,
            allow_unregistered: true,
        };
        let modules = text::parse_file(source, "input", options, &mut diagnostics);
        let diagnostics_found = diagnostics.take();
        modules
            .unwrap_or_else(|_| panic!("{diagnostics_found:#?}"))
            .remove(0)
    };
    let cases = [
        (
            "testing$func @f() {\n}",
            "expected `entry` or `global` in a module, found `testing$func`, which bytecode cannot hold there",
        ),
        (
            "entry @k() {\n  \"other.op\"() : () -> ()\n}",
            "expected an operation of `cuda_tile` in a body, found `other.op` of another dialect, which bytecode cannot hold there",
        ),
        (
            "entry @k() {\n  %a = make_token : token loc(fused[\"a\":1:2, \"b\":3:4])\n} loc(#cuda_tile.di_loc<loc(\"a\":1:1) in #cuda_tile.di_subprogram<file = #cuda_tile.di_file<\"a\" in \"b\">, line = 1, name = \"k\", linkageName = \"k\", compileUnit = #cuda_tile.di_compile_unit<file = #cuda_tile.di_file<\"a\" in \"b\">>>>)",
            "unsupported location: expected a place in a scope, a call site, a place in a file or `unknown`, found `FusedLoc`",
        ),
        (
            "entry @k() {\n} loc(\"name\")",
            "unsupported location: expected a place in a scope, a call site, a place in a file or `unknown`, found `NameLoc` (`name`)",
        ),
    ];
    for (source, message) in cases {
        let module = parse(&format!("cuda_tile.module @m {{\n{source}\n}}"));
        for version in Version::ALL {
            let error = write(&module, version).expect_err(source);
            assert_eq!(error.message, message, "{source}");
            assert!(!error.loc.is_unknown(), "{source}");
        }
    }
}
