//! Tests that floats fold where every device computes the same bits.

use crate::case::{folds, stays};

/// Writes constants `%c0`, `%c1`, … of one type, then `%r = op`.
fn on(ty: &str, operands: &[&str], op: &str) -> String {
    let scalar = ty.rsplit('x').next().expect("a type");
    let constants = operands
        .iter()
        .enumerate()
        .map(|(index, value)| format!("%c{index} = constant <{scalar}: {value}> : tile<{ty}>\n"));
    constants.collect::<String>() + &format!("%r = {op} : tile<{ty}>\n")
}

fn bits(value: f32) -> u64 {
    u64::from(value.to_bits())
}

#[test]
fn finite_sums_fold_with_the_declared_rounding() {
    folds(&on("f32", &["1.5", "2.25"], "addf %c0, %c1"), &[bits(3.75)]);
    folds(
        &on(
            "2x2xf32",
            &["[[1.0, 2.0], [3.0, 4.0]]", "0.5"],
            "addf %c0, %c1",
        ),
        &[bits(1.5), bits(2.5), bits(3.5), bits(4.5)],
    );
    // 1 + 2^-25 is between 1 and its successor.
    let tiny = "0x33000000";
    folds(&on("f32", &["1.0", tiny], "addf %c0, %c1"), &[bits(1.0)]);
    folds(
        &on(
            "f32",
            &["1.0", tiny],
            "addf %c0, %c1 rounding<positive_inf>",
        ),
        &[bits(1.0) + 1],
    );
    folds(
        &on(
            "f32",
            &["1.0", tiny],
            "addf %c0, %c1 rounding<negative_inf>",
        ),
        &[bits(1.0)],
    );
    folds(
        &on(
            "f32",
            &["-1.0", "0xB3000000"],
            "addf %c0, %c1 rounding<zero>",
        ),
        &[bits(-1.0)],
    );
    folds(
        &on(
            "f32",
            &["-1.0", "0xB3000000"],
            "addf %c0, %c1 rounding<negative_inf>",
        ),
        &[bits(-1.0) + 1],
    );
}

#[test]
fn zeros_keep_the_sign_that_the_rounding_gives() {
    folds(&on("f32", &["0.0", "-0.0"], "addf %c0, %c1"), &[0]);
    folds(
        &on("f32", &["-0.0", "-0.0"], "addf %c0, %c1"),
        &[bits(-0.0)],
    );
    folds(
        &on(
            "f32",
            &["0.0", "-0.0"],
            "addf %c0, %c1 rounding<negative_inf>",
        ),
        &[bits(-0.0)],
    );
    folds(
        &on(
            "f32",
            &["1.0", "1.0"],
            "subf %c0, %c1 rounding<negative_inf>",
        ),
        &[bits(-0.0)],
    );
}

#[test]
fn arithmetic_that_is_not_finite_stays() {
    let (inf, nan) = ("0x7F800000", "0x7FC00001");
    for op in ["addf", "subf", "mulf", "divf"] {
        stays(&on("f32", &["1.0", inf], &format!("{op} %c0, %c1")));
        stays(&on("f32", &[nan, "1.0"], &format!("{op} %c0, %c1")));
    }
    // One element of four must not fold, so the whole operation stays.
    stays(&on(
        "2x2xf32",
        &["[[1.0, 2.0], [3.0, 0x7F800000]]", "0.5"],
        "addf %c0, %c1",
    ));
    let max = "0x7F7FFFFF";
    stays(&on("f32", &[max, max], "addf %c0, %c1"));
    folds(
        &on("f32", &[max, max], "addf %c0, %c1 rounding<zero>"),
        &[0x7f7f_ffff],
    );
    stays(&on("f32", &["1.0", "0.0"], "divf %c0, %c1"));
    stays(&on("f32", &["-1.0"], "sqrt %c0"));
    folds(&on("f32", &["-0.0"], "sqrt %c0"), &[bits(-0.0)]);
    stays(&on("f32", &[max, "2.0", inf], "fma %c0, %c1, %c2"));
    folds(
        &on("2x2xf32", &["3.0", "2.0", "0.5"], "fma %c0, %c1, %c2"),
        &[bits(6.5)],
    );
}

#[test]
fn approximations_and_functions_stay() {
    folds(
        &on("f32", &["1.0", "3.0"], "divf %c0, %c1"),
        &[bits(1.0 / 3.0)],
    );
    stays(&on(
        "f32",
        &["1.0", "3.0"],
        "divf %c0, %c1 rounding<approx>",
    ));
    stays(&on("f32", &["1.0", "3.0"], "divf %c0, %c1 rounding<full>"));
    folds(&on("f32", &["2.0"], "sqrt %c0"), &[bits(2.0_f32.sqrt())]);
    stays(&on("f32", &["2.0"], "sqrt %c0 rounding<approx>"));
    for op in [
        "exp", "exp2", "log", "log2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "rsqrt",
    ] {
        stays(&on("f32", &["1.0"], &format!("{op} %c0")));
    }
    for op in ["pow", "remf"] {
        stays(&on("f32", &["1.0", "2.0"], &format!("{op} %c0, %c1")));
    }
}

#[test]
fn flushing_stays_where_it_shows() {
    let (subnormal, least) = ("0x00400000", "0x00800000");
    folds(
        &on("f32", &["1.0", "2.0"], "mulf %c0, %c1 flush_to_zero"),
        &[bits(2.0)],
    );
    stays(&on(
        "f32",
        &["1.0", subnormal],
        "mulf %c0, %c1 flush_to_zero",
    ));
    folds(
        &on("f32", &["1.0", subnormal], "mulf %c0, %c1"),
        &[0x0040_0000],
    );
    stays(&on("f32", &["1.0", least], "mulf %c0, %c1 flush_to_zero"));
    folds(
        &on("f32", &["0.5", least], "mulf %c0, %c1 flush_to_zero"),
        &[0],
    );
    stays(&on(
        "2x2xf32",
        &["1.0", subnormal],
        "maxf %c0, %c1 flush_to_zero",
    ));
}

#[test]
fn signs_and_whole_numbers_fold_unless_nan() {
    let (inf, nan) = ("0xFF800000", "0x7F800001");
    folds(&on("f32", &[inf], "absf %c0"), &[0x7f80_0000]);
    folds(&on("2x2xf32", &["-0.0"], "negf %c0"), &[0]);
    folds(&on("f32", &["-0.5"], "ceil %c0"), &[bits(-0.0)]);
    folds(
        &on("2x2xf32", &["[[1.5, -1.5], [0.5, 2.0]]"], "floor %c0"),
        &[bits(1.0), bits(-2.0), 0, bits(2.0)],
    );
    for op in ["absf", "negf", "ceil", "floor"] {
        stays(&on("f32", &[nan], &format!("{op} %c0")));
    }
}

#[test]
fn extrema_fold_where_it_is_known_which_is_greater() {
    folds(
        &on("f32", &["1.0", "0x7F800000"], "maxf %c0, %c1"),
        &[0x7f80_0000],
    );
    folds(
        &on(
            "2x2xf32",
            &["[[1.0, -2.0], [0.0, 4.0]]", "0.0"],
            "minf %c0, %c1",
        ),
        &[0, bits(-2.0), 0, 0],
    );
    stays(&on("f32", &["0.0", "-0.0"], "maxf %c0, %c1"));
    folds(
        &on("f32", &["-0.0", "-0.0"], "maxf %c0, %c1"),
        &[bits(-0.0)],
    );
    stays(&on("f32", &["1.0", "0x7FC00000"], "minf %c0, %c1"));
    stays(&on(
        "f32",
        &["1.0", "0x7FC00000"],
        "minf %c0, %c1 propagate_nan",
    ));
}

#[test]
fn comparisons_with_nan_fold() {
    let compare = |ordering: &str, rhs: &str| {
        format!(
            "%a = constant <f32: 1.0> : tile<2x2xf32>\n%b = constant <f32: {rhs}> : tile<2x2xf32>\n\
             %r = cmpf less_than {ordering} %a, %b : tile<2x2xf32> -> tile<2x2xi1>"
        )
    };
    folds(&compare("ordered", "2.0"), &[1]);
    folds(&compare("ordered", "0x7FC00000"), &[0]);
    folds(&compare("unordered", "0x7FC00000"), &[1]);
    stays(
        "%a = constant <f32: 1.0> : tile<f32>\n%b = itof %p signed : tile<i32> -> tile<f32>\n\
           %r = cmpf less_than ordered %a, %b : tile<f32> -> tile<i1>",
    );
}

#[test]
fn subnormal_results_in_bf16_fold() {
    folds(&on("bf16", &["0x0080", "2.0"], "divf %c0, %c1"), &[0x0040]);
    // 3 and 1 times 2^-134: a tie goes to the even neighbour.
    folds(&on("bf16", &["0x0003", "0.5"], "mulf %c0, %c1"), &[2]);
    folds(&on("bf16", &["0x0001", "0.5"], "mulf %c0, %c1"), &[0]);
}

/// Writes the conversion of a constant.
fn convert(from: &str, value: &str, op: &str, to: &str) -> String {
    let scalar = from.rsplit('x').next().expect("a type");
    let (op, attrs) = op.split_once(' ').unwrap_or((op, ""));
    format!(
        "%c = constant <{scalar}: {value}> : tile<{from}>\n\
         %r = {op} %c {attrs} : tile<{from}> -> tile<{to}>"
    )
}

#[test]
fn conversions_round_as_declared() {
    folds(&convert("f32", "1.0", "ftof", "f16"), &[0x3c00]);
    folds(
        &convert("2x2xf32", "0x3F801001", "ftof", "2x2xf16"),
        &[0x3c01],
    );
    folds(&convert("f32", "0x7F800000", "ftof", "f16"), &[0x7c00]);
    folds(
        &convert("i32", "16777217", "itof signed", "f32"),
        &[bits(16_777_216.0)],
    );
    folds(
        &convert("2x2xi8", "-1", "itof unsigned", "2x2xf32"),
        &[bits(255.0)],
    );
    folds(
        &convert("f32", "-1.75", "ftoi signed", "i32"),
        &[0xffff_ffff],
    );
    folds(
        &convert(
            "2x2xf32",
            "[[0.5, 1.5], [2.5, -0.5]]",
            "ftoi unsigned",
            "2x2xi32",
        ),
        &[0, 1, 2, 0],
    );
}

#[test]
fn conversions_out_of_range_stay() {
    stays(&convert("f32", "65536.0", "ftof", "f16"));
    folds(&convert("f32", "65504.0", "ftof", "f16"), &[0x7bff]);
    stays(&convert("f32", "0x7FC00000", "ftof", "f16"));
    stays(&convert("f32", "480.0", "ftof", "f8E4M3FN"));
    folds(&convert("f32", "448.0", "ftof", "f8E4M3FN"), &[0x7e]);
    stays(&convert("f32", "460.0", "ftof", "f8E4M3FN"));
    folds(
        &convert("f32", "4.0", "ftof rounding<zero>", "f8E8M0FNU"),
        &[129],
    );
    stays(&convert("f32", "5.0", "ftof rounding<zero>", "f8E8M0FNU"));
    stays(&convert("i32", "70000", "itof signed", "f16"));
    stays(&convert("i32", "448", "itof signed", "f8E4M3FN"));
    folds(&convert("i32", "416", "itof signed", "f8E4M3FN"), &[0x7d]);
    folds(&convert("f32", "127.5", "ftoi signed", "i8"), &[127]);
    stays(&convert("f32", "128.0", "ftoi signed", "i8"));
    folds(&convert("f32", "-128.5", "ftoi signed", "i8"), &[128]);
    stays(&convert("f32", "-129.0", "ftoi signed", "i8"));
    stays(&convert("f32", "-1.0", "ftoi unsigned", "i8"));
    folds(&convert("f32", "255.0", "ftoi unsigned", "i8"), &[255]);
    stays(&convert("f32", "256.0", "ftoi unsigned", "i8"));
    stays(&convert("f32", "0x7FC00000", "ftoi signed", "i32"));
    stays(&convert(
        "2x2xf32",
        "[[1.0, 2.0], [3.0, 0x7F800000]]",
        "ftoi signed",
        "2x2xi32",
    ));
}

#[test]
fn bits_of_a_nan_move_unchanged() {
    let signaling = "0x7F800001";
    folds(&convert("f32", signaling, "bitcast", "i32"), &[0x7f80_0001]);
    folds(
        &convert("2x2xi32", "[[1, 2], [3, 2139095041]]", "bitcast", "2x2xf32"),
        &[1, 2, 3, 0x7f80_0001],
    );
}
