//! Tests that integer and bitwise operations fold wherever they are defined.

use crate::case::{folds, stays, stays_and_faults};

/// Writes constants `%c0`, `%c1`, … of one type, then `%r = op`.
fn on(ty: &str, operands: &[&str], op: &str) -> String {
    let scalar = ty.rsplit('x').next().expect("a type");
    let constants = operands
        .iter()
        .enumerate()
        .map(|(index, value)| format!("%c{index} = constant <{scalar}: {value}> : tile<{ty}>\n"));
    constants.collect::<String>() + &format!("%r = {op}\n")
}

#[test]
fn arithmetic_wraps_at_rank_0() {
    folds(
        &on("i32", &["2147483647", "1"], "addi %c0, %c1 : tile<i32>"),
        &[0x8000_0000],
    );
    folds(&on("i8", &["127", "3"], "muli %c0, %c1 : tile<i8>"), &[125]);
    folds(
        &on("i64", &["-1", "-1"], "mulhii %c0, %c1 : tile<i64>"),
        &[u64::MAX - 1],
    );
    folds(&on("i8", &["-128"], "absi %c0 : tile<i8>"), &[0x80]);
    folds(&on("i1", &["1", "1"], "addi %c0, %c1 : tile<i1>"), &[0]);
}

#[test]
fn tiles_fold_element_by_element_at_rank_2() {
    folds(
        &on(
            "2x2xi32",
            &["[[1, 2], [3, 4]]", "10"],
            "subi %c0, %c1 : tile<2x2xi32>",
        ),
        &[0xffff_fff7, 0xffff_fff8, 0xffff_fff9, 0xffff_fffa],
    );
    folds(
        &on(
            "2x2xi8",
            &["[[1, 2], [3, 4]]", "[[3, 2], [1, 0]]"],
            "addi %c0, %c1 : tile<2x2xi8>",
        ),
        &[4],
    );
    folds(
        &on(
            "4x2xi16",
            &["-7", "2"],
            "divi %c0, %c1 signed rounding<negative_inf> : tile<4x2xi16>",
        ),
        &[0xfffc],
    );
    folds(
        &on(
            "2x2xi1",
            &["[[1, 0], [1, 0]]", "1"],
            "xori %c0, %c1 : tile<2x2xi1>",
        ),
        &[0, 1, 0, 1],
    );
    folds(
        &on(
            "2x2xi8",
            &["[[1, -2], [3, 4]]", "[[3, 2], [1, 4]]"],
            "cmpi less_than %c0, %c1, signed : tile<2x2xi8> -> tile<2x2xi1>",
        ),
        &[1, 1, 0, 0],
    );
}

#[test]
fn an_operand_that_is_no_constant_keeps_the_operation() {
    stays("%c = constant <i32: 1> : tile<i32>\n%r = addi %c, %p : tile<i32>");
    stays("%c = constant <i32: 1> : tile<i32>\n%r = addi %p, %c : tile<i32>");
}

#[test]
fn a_broken_promise_keeps_the_operation() {
    folds(
        &on(
            "i8",
            &["100", "27"],
            "addi %c0, %c1 overflow<no_signed_wrap> : tile<i8>",
        ),
        &[127],
    );
    stays_and_faults(&on(
        "i8",
        &["100", "28"],
        "addi %c0, %c1 overflow<no_signed_wrap> : tile<i8>",
    ));
    folds(
        &on(
            "i8",
            &["100", "28"],
            "addi %c0, %c1 overflow<no_unsigned_wrap> : tile<i8>",
        ),
        &[128],
    );
    stays_and_faults(&on(
        "i8",
        &["1", "2"],
        "subi %c0, %c1 overflow<no_unsigned_wrap> : tile<i8>",
    ));
    stays_and_faults(&on(
        "2x2xi8",
        &["-128"],
        "negi %c0 overflow<no_signed_wrap> : tile<2x2xi8>",
    ));
    folds(
        &on(
            "2x2xi8",
            &["-127"],
            "negi %c0 overflow<no_signed_wrap> : tile<2x2xi8>",
        ),
        &[127],
    );
    // One undefined element of four is enough.
    stays_and_faults(&on(
        "2x2xi8",
        &["[[1, 2], [3, 64]]", "2"],
        "muli %c0, %c1 overflow<no_wrap> : tile<2x2xi8>",
    ));
    folds(
        &on(
            "2x2xi8",
            &["[[1, 2], [3, 63]]", "2"],
            "muli %c0, %c1 overflow<no_wrap> : tile<2x2xi8>",
        ),
        &[2, 4, 6, 126],
    );
}

#[test]
fn what_traps_stays() {
    folds(
        &on("i32", &["7", "2"], "divi %c0, %c1 signed : tile<i32>"),
        &[3],
    );
    stays_and_faults(&on("i32", &["7", "0"], "divi %c0, %c1 signed : tile<i32>"));
    stays_and_faults(&on(
        "i32",
        &["7", "0"],
        "remi %c0, %c1 unsigned : tile<i32>",
    ));
    stays_and_faults(&on(
        "i32",
        &["-2147483648", "-1"],
        "divi %c0, %c1 signed : tile<i32>",
    ));
    folds(
        &on(
            "i32",
            &["-2147483648", "-1"],
            "divi %c0, %c1 unsigned : tile<i32>",
        ),
        &[0],
    );
    stays_and_faults(&on("i32", &["1", "32"], "shli %c0, %c1 : tile<i32>"));
    folds(
        &on("i32", &["1", "31"], "shli %c0, %c1 : tile<i32>"),
        &[0x8000_0000],
    );
    stays_and_faults(&on(
        "2x2xi8",
        &["[[8, 8], [8, 8]]", "[[0, 1], [2, 8]]"],
        "shri %c0, %c1 unsigned : tile<2x2xi8>",
    ));
    folds(
        &on(
            "2x2xi8",
            &["[[8, 8], [8, 8]]", "[[0, 1], [2, 7]]"],
            "shri %c0, %c1 unsigned : tile<2x2xi8>",
        ),
        &[8, 4, 2, 0],
    );
}

#[test]
fn splats_of_any_size_fold_and_other_tiles_up_to_the_limit() {
    folds(
        &on("64x64xi32", &["3", "4"], "addi %c0, %c1 : tile<64x64xi32>"),
        &[7],
    );
    let list = |count: usize| {
        let items: Vec<String> = (0..count).map(|i| (i % 100).to_string()).collect();
        format!("[{}]", items.join(", "))
    };
    let limit = tile_core::fold::LIMIT;
    let ty = |count: usize| format!("{count}xi8");
    let add = |count| {
        on(
            &ty(count),
            &[&list(count), "1"],
            &format!("addi %c0, %c1 : tile<{}>", ty(count)),
        )
    };
    let expected: Vec<u64> = (0..limit).map(|i| i as u64 % 100 + 1).collect();
    folds(&add(limit), &expected);
    stays(&add(2 * limit));
}

#[test]
fn the_largest_splat_folds_at_once() {
    let body = on(
        "16777216xi32",
        &["3", "4"],
        "muli %c0, %c1 : tile<16777216xi32>",
    );
    let elements = crate::case::folded(&body).expect("it folds");
    assert_eq!(elements.splat_bits(), Some(12));
}

#[test]
fn an_iota_counts_if_the_result_is_a_splat() {
    let compare = |bound: u32| {
        format!(
            "%i = iota : tile<256xi32>\n%n = constant <i32: {bound}> : tile<256xi32>\n\
             %r = cmpi less_than %i, %n, unsigned : tile<256xi32> -> tile<256xi1>"
        )
    };
    folds(&compare(256), &[1]);
    stays(&compare(255));
    stays(
        "%i = iota : tile<4xi32>\n%n = constant <i32: 1> : tile<4xi32>\n%r = addi %i, %n : tile<4xi32>",
    );
    folds(
        "%i = iota : tile<4xi32>\n%r = subi %i, %i : tile<4xi32>",
        &[0],
    );
    stays("%i = iota : tile<512xi32>\n%r = subi %i, %i : tile<512xi32>");
    folds("%r = iota : tile<1xi32>", &[0]);
    stays("%r = iota : tile<2xi32>");
}

#[test]
fn small_integer_matmuls_fold() {
    let mma = |k: usize| {
        format!(
            "%a = constant <i8: -1> : tile<2x{k}xi8>\n%b = constant <i8: 3> : tile<{k}x2xi8>\n\
             %c = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>\n\
             %r = mmai %a, %b, %c signed unsigned : tile<2x{k}xi8>, tile<{k}x2xi8>, tile<2x2xi32>"
        )
    };
    folds(
        &mma(2),
        &[0xffff_fffb, 0xffff_fffc, 0xffff_fffd, 0xffff_fffe],
    );
    stays(&mma(256));
}

#[test]
fn conversions_of_integers_fold() {
    let c = "%c = constant <i8: -2> : tile<i8>\n";
    folds(
        &format!("{c}%r = exti %c signed : tile<i8> -> tile<i32>"),
        &[0xffff_fffe],
    );
    folds(
        &format!("{c}%r = exti %c unsigned : tile<i8> -> tile<i32>"),
        &[0xfe],
    );
    // No constant can represent the result.
    stays(&format!("{c}%r = trunci %c : tile<i8> -> tile<i4>"));
    let c = "%c = constant <i32: [[255, 1], [2, 3]]> : tile<2x2xi32>\n";
    folds(
        &format!("{c}%r = trunci %c : tile<2x2xi32> -> tile<2x2xi8>"),
        &[255, 1, 2, 3],
    );
    folds(
        &format!("{c}%r = trunci %c overflow<no_unsigned_wrap> : tile<2x2xi32> -> tile<2x2xi8>"),
        &[255, 1, 2, 3],
    );
    stays_and_faults(&format!(
        "{c}%r = trunci %c overflow<no_signed_wrap> : tile<2x2xi32> -> tile<2x2xi8>"
    ));
}

#[test]
fn constants_and_what_depends_on_the_block_stay() {
    stays("%r = constant <i32: 1> : tile<i32>");
    stays("%r, %y, %z = get_tile_block_id : tile<i32>");
    stays("%c = constant <i32: 8> : tile<i32>\n%r = assume div_by<8>, %c : tile<i32>");
}
