//! Tests the output of `print_tko` and its order.

use crate::{parsed, run_on};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use tile_core::interp::{Action, Output, Program, RunOptions, Trace};

/// Returns the printed output of a launch, and whether the launch completed.
fn printed(program: &Program, grid: u32, options: RunOptions<'_>) -> (String, Result<(), String>) {
    let text = Mutex::new(Vec::<u8>::new());
    let options = RunOptions {
        output: Some(Output::new(&text)),
        ..options
    };
    let result = run_on(program, grid, &mut b"tile\0block\0\0".to_owned(), options);
    let text = text.into_inner().expect("nothing panics");
    (String::from_utf8(text).expect("it is text"), result)
}

/// Returns the output of one block that makes `%a` with `ops` and prints it in `format`.
fn printed_by(ops: &str, format: &str, ty: &str) -> String {
    let program = parsed(&format!(
        "entry @k(%x: tile<ptr<i8>>) {{
  {ops}
  %t = print_tko \"{format}\", %a : {ty} -> token
}}"
    ));
    let (text, result) = printed(&program, 1, RunOptions::default());
    result.unwrap_or_else(|fault| panic!("{fault}"));
    text
}

#[test]
fn a_tile_prints_as_its_elements_in_brackets() {
    let iota = "%i = iota : tile<8xi32>";
    assert_eq!(
        printed_by("%a = constant <i32: -7> : tile<i32>", "%i|", "tile<i32>"),
        "-7|"
    );
    assert_eq!(
        printed_by("%a = iota : tile<4xi64>", "x = %d\\n", "tile<4xi64>"),
        "x = [0, 1, 2, 3]\n"
    );
    assert_eq!(
        printed_by(
            &format!("{iota} %a = reshape %i : tile<8xi32> -> tile<2x2x2xi32>"),
            "%02d",
            "tile<2x2x2xi32>"
        ),
        "[[[00, 01], [02, 03]], [[04, 05], [06, 07]]]"
    );
    assert_eq!(
        printed_by(
            &format!("{iota} %a = reshape %i : tile<8xi32> -> tile<1x8x1xi32>"),
            "%x",
            "tile<1x8x1xi32>"
        ),
        "[[[0], [1], [2], [3], [4], [5], [6], [7]]]"
    );
}

#[test]
fn every_element_type_prints_its_value() {
    let cases = [
        ("<i1: true> : tile<i1>", "%d", "1"),
        ("<i8: -1> : tile<i8>", "%d", "-1"),
        ("<i8: -1> : tile<i8>", "%u", "255"),
        ("<i16: -2> : tile<i16>", "%x", "fffe"),
        ("<i32: 300> : tile<i32>", "%hhd", "44"),
        ("<i32: 65> : tile<i32>", "%c", "A"),
        (
            "<i64: -9223372036854775808> : tile<i64>",
            "%lld",
            "-9223372036854775808",
        ),
        ("<f16: 1.5> : tile<f16>", "%f", "1.500000"),
        ("<bf16: -2.0> : tile<bf16>", "%.1f", "-2.0"),
        ("<f32: 0.1> : tile<f32>", "%.10f", "0.1000000015"),
        ("<f64: 0.1> : tile<f64>", "%g", "0.1"),
        ("<tf32: 3.0> : tile<tf32>", "%e", "3.000000e+00"),
        ("<f8E4M3FN: 448.0> : tile<f8E4M3FN>", "%g", "448"),
        ("<f8E5M2: 0.5> : tile<f8E5M2>", "%a", "0x1p-1"),
        ("<f32: 0x7F800000> : tile<f32>", "%5g", "  inf"),
    ];
    for (constant, conversion, expected) in cases {
        let ty = constant.split_once(" : ").expect("it has a type").1;
        let text = printed_by(&format!("%a = constant {constant}"), conversion, ty);
        assert_eq!(text, expected, "{constant}");
    }
    let nibbles = "%b = constant <i8: [0x21, 0x7f]> : tile<2xi8>";
    assert_eq!(
        printed_by(
            &format!("{nibbles} %a = unpack %b : tile<2xi8> -> tile<4xf4E2M1FN>"),
            "%g",
            "tile<4xf4E2M1FN>"
        ),
        "[0.5, 1, -6, 6]"
    );
}

#[test]
fn a_pointer_prints_the_text_that_it_points_to() {
    let ops = "%o = constant <i32: [0, 5]> : tile<2xi32>
  %p = reshape %x : tile<ptr<i8>> -> tile<1xptr<i8>>
  %q = broadcast %p : tile<1xptr<i8>> -> tile<2xptr<i8>>
  %a = offset %q, %o : tile<2xptr<i8>>, tile<2xi32> -> tile<2xptr<i8>>";
    assert_eq!(printed_by(ops, "%s", "tile<2xptr<i8>>"), "[tile, block]");
    assert_eq!(
        printed_by(ops, "%5.2s", "tile<2xptr<i8>>"),
        "[   ti,    bl]"
    );
}

#[test]
fn a_format_prints_its_text_and_percent_signs() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i8>>) {
  %a = constant <i32: 4> : tile<i32>
  %b = constant <f32: 0.25> : tile<f32>
  %t = print_tko \"100%% of %d%%, %s: %6.3f%%\\n\", %a, %x, %b : tile<i32>, tile<ptr<i8>>, tile<f32> -> token
  %u = print_tko \"no argument\" token=%t -> token
}",
    );
    let (text, result) = printed(&program, 1, RunOptions::default());
    assert_eq!(text, "100% of 4%, tile:  0.250%\nno argument");
    assert_eq!(result, Ok(()));
}

#[test]
fn a_conversion_that_is_not_for_its_argument_is_a_fault() {
    let cases = [
        ("%d", "`%d` cannot print an element of type `f32`"),
        ("%s", "`%s` cannot print an element of type `f32`"),
        ("%n", "`%n` is no conversion of `printf`"),
        ("%*f", "`%*f` is no conversion of `printf`"),
    ];
    for (conversion, expected) in cases {
        let program = parsed(&format!(
            "entry @k(%x: tile<ptr<i8>>) {{
  %a = constant <f32: [1.0, 2.0]> : tile<2xf32>
  %s = print_tko \"before\" -> token
  %t = print_tko \"{conversion}\", %a : tile<2xf32> -> token
}}"
        ));
        let (text, result) = printed(&program, 1, RunOptions::default());
        assert_eq!(text, "before");
        let fault = result.expect_err("it is undefined");
        assert!(
            fault.contains(&format!("print_tko (operation 2): element [0]: {expected}")),
            "{fault}"
        );
    }
}

const NUMBERED: &str = "entry @k(%x: tile<ptr<i8>>) {
  %i, %j, %l = get_tile_block_id : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %many = constant <i32: 1000> : tile<i32>
  %first = cmpi less_than %i, %one, signed : tile<i32> -> tile<i1>
  if %first {
    for %n in (%zero to %many, step %one) : tile<i32> {
    }
  }
  %t = print_tko \"block %d\\n\", %i : tile<i32> -> token
  %last = constant <i32: 70> : tile<i32>
  %fine = cmpi less_than %i, %last, signed : tile<i32> -> tile<i1>
  assert %fine, \"below 70\" : tile<i1>
  %u = print_tko \"done\\n\" -> token
}";

#[test]
fn texts_are_in_order_of_the_grid_whatever_the_number_of_threads() {
    let program = parsed(NUMBERED);
    let line = |block: u32| format!("block {block}\ndone\n");
    let expected: String = (0..60).map(line).collect();
    for threads in [1, 2, 5] {
        for _ in 0..5 {
            let options = RunOptions {
                threads: Some(threads),
                ..RunOptions::default()
            };
            let (text, result) = printed(&program, 60, options);
            assert_eq!(text, expected, "{threads} threads");
            assert_eq!(result, Ok(()));
        }
    }
}

#[test]
fn text_ends_with_that_of_the_first_block_that_has_a_fault() {
    let program = parsed(NUMBERED);
    let line = |block: u32| format!("block {block}\ndone\n");
    let expected: String = (0..70).map(line).collect::<String>() + "block 70\n";
    for threads in [1, 2, 5] {
        for _ in 0..5 {
            let options = RunOptions {
                threads: Some(threads),
                ..RunOptions::default()
            };
            let (text, result) = printed(&program, 100, options);
            assert_eq!(text, expected, "{threads} threads");
            let fault = result.expect_err("block 70 fails");
            assert!(fault.contains("block (70, 0, 0), assert"), "{fault}");
        }
    }
}

#[test]
fn a_cancelled_launch_prints_nothing() {
    let cancel = AtomicBool::new(true);
    let options = RunOptions {
        cancel: Some(&cancel),
        ..RunOptions::default()
    };
    let (text, result) = printed(&parsed(NUMBERED), 2, options);
    assert_eq!(text, "");
    assert!(result.expect_err("it is cancelled").contains("cancelled"));
}

/// A writer that accepts no bytes.
struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("it is full"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_text_that_cannot_be_written_is_a_fault() {
    let full = Mutex::new(Full);
    let options = RunOptions {
        output: Some(Output::new(&full)),
        ..RunOptions::default()
    };
    let fault = run_on(&parsed(NUMBERED), 2, &mut [0_u8; 4], options).expect_err("it is full");
    assert!(fault.contains("cannot print: it is full"), "{fault}");
}

#[test]
fn printing_is_an_effect() {
    let trace = Trace::new();
    let options = RunOptions {
        trace: Some(&trace),
        ..RunOptions::default()
    };
    let (text, result) = printed(&parsed(NUMBERED), 1, options);
    assert_eq!(result, Ok(()));
    let texts: Vec<u8> = trace
        .take()
        .into_iter()
        .flat_map(|effect| match effect.action {
            Action::Print { text } => text,
            _ => Vec::new(),
        })
        .collect();
    assert_eq!(texts, text.into_bytes());
}
