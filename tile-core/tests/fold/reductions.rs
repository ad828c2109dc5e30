//! Tests that reductions fold where the order cannot matter.

use crate::case::{folded, folds, stays};

/// Writes a reduction of a constant along axis `dim`.
fn reduce(value: &str, from: &str, dim: usize, to: &str, identity: &str, body: &str) -> String {
    let scalar = from.rsplit('x').next().expect("a type");
    format!(
        "%c = constant <{scalar}: {value}> : tile<{from}>\n{}",
        reduce_module("%c", from, dim, to, identity, body)
    )
}

fn reduce_module(
    source: &str,
    from: &str,
    dim: usize,
    to: &str,
    identity: &str,
    body: &str,
) -> String {
    let scalar = from.rsplit('x').next().expect("a type");
    format!(
        "%r = reduce {source} dim={dim} identities=[{identity} : {scalar}] : tile<{from}> -> tile<{to}> \
         (%x: tile<{scalar}>, %acc: tile<{scalar}>) {{\n  %b = {body} : tile<{scalar}>\n  yield %b : tile<{scalar}>\n}}"
    )
}

#[test]
fn sums_of_integers_fold() {
    folds(
        &reduce("[1, 2, 3, 4]", "4xi32", 0, "i32", "0", "addi %x, %acc"),
        &[10],
    );
    folds(
        &reduce(
            "[[1, 2], [3, 4]]",
            "2x2xi8",
            0,
            "2xi8",
            "0",
            "addi %acc, %x",
        ),
        &[4, 6],
    );
    folds(
        &reduce(
            "[[1, 2], [3, 4]]",
            "2x2xi8",
            1,
            "2xi8",
            "1",
            "muli %acc, %x",
        ),
        &[2, 12],
    );
    folds(
        &reduce(
            "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]",
            "2x2x2xi8",
            1,
            "2x2xi8",
            "0",
            "xori %acc, %x",
        ),
        &[2, 6, 2, 14],
    );
    stays(
        &reduce_module("%q", "1xi32", 0, "i32", "0", "addi %x, %acc").replacen(
            "%r",
            "%q = reshape %p : tile<i32> -> tile<1xi32>\n%r",
            1,
        ),
    );
}

#[test]
fn splats_fold_by_doubling() {
    folds(
        &reduce("3", "64x64xi32", 0, "64xi32", "0", "addi %x, %acc"),
        &[192],
    );
    folds(&reduce("3", "4xi8", 0, "i8", "1", "muli %x, %acc"), &[81]);
    folds(&reduce("5", "8xi8", 0, "i8", "0", "xori %x, %acc"), &[0]);
    folds(&reduce("5", "1xi8", 0, "i8", "0", "xori %x, %acc"), &[5]);
    folds(&reduce("5", "8xi8", 0, "i8", "-1", "andi %x, %acc"), &[5]);
    folds(&reduce("5", "8xi8", 0, "i8", "0", "ori %x, %acc"), &[5]);
    folds(
        &reduce("-5", "8xi8", 0, "i8", "-128", "maxi %x, %acc signed"),
        &[251],
    );
    folds(
        &reduce("-5", "8xi8", 0, "i8", "-1", "mini %x, %acc unsigned"),
        &[251],
    );
    let large = reduce("3", "16777216xi32", 0, "i32", "0", "addi %x, %acc");
    assert_eq!(
        folded(&large).and_then(|sum| sum.splat_bits()),
        Some(3 << 24)
    );
}

#[test]
fn an_iota_is_summed() {
    let sum = |count: usize| {
        format!(
            "%i = iota : tile<{count}xi32>\n{}",
            reduce_module(
                "%i",
                &format!("{count}xi32"),
                0,
                "i32",
                "0",
                "addi %x, %acc"
            )
        )
    };
    folds(&sum(256), &[255 * 128]);
    stays(&sum(512));
}

#[test]
fn an_identity_that_changes_an_element_keeps_the_operation() {
    stays(&reduce(
        "[1, 2, 3, 4]",
        "4xi32",
        0,
        "i32",
        "1",
        "addi %x, %acc",
    ));
    stays(&reduce("7", "4xi32", 0, "i32", "1", "addi %x, %acc"));
    stays(&reduce(
        "[1, 2, 3, 4]",
        "4xi32",
        0,
        "i32",
        "2",
        "maxi %x, %acc signed",
    ));
    folds(
        &reduce(
            "[1, 2, 3, 4]",
            "4xi32",
            0,
            "i32",
            "1",
            "maxi %x, %acc signed",
        ),
        &[4],
    );
}

#[test]
fn bodies_whose_order_matters_stay() {
    stays(&reduce(
        "[1, 2, 3, 4]",
        "4xi32",
        0,
        "i32",
        "0",
        "subi %x, %acc",
    ));
    stays(&reduce("3", "4xi32", 0, "i32", "0", "subi %x, %acc"));
    stays(&reduce(
        "[1, 2, 3, 4]",
        "4xi8",
        0,
        "i8",
        "0",
        "addi %x, %acc overflow<no_signed_wrap>",
    ));
    stays(&reduce(
        "100",
        "4xi8",
        0,
        "i8",
        "0",
        "addi %x, %acc overflow<no_signed_wrap>",
    ));
    let two = "%n = negi %x : tile<i32>\n %b = addi %n, %acc";
    stays(
        &reduce("[1, 2, 3, 4]", "4xi32", 0, "i32", "0", "addi %x, %acc")
            .replace("%b = addi %x, %acc", two),
    );
}

#[test]
fn floats_fold_only_where_nothing_rounds() {
    let least = "0xFF800000";
    folds(
        &reduce(
            "[1.0, -2.0, 3.0, 0.5]",
            "4xf32",
            0,
            "f32",
            least,
            "maxf %x, %acc",
        ),
        &[u64::from(3.0_f32.to_bits())],
    );
    folds(
        &reduce(
            "[[1.0, -2.0], [0.0, 0.5]]",
            "2x2xf32",
            1,
            "2xf32",
            "0x7F800000",
            "minf %x, %acc",
        ),
        &[u64::from((-2.0_f32).to_bits()), 0],
    );
    stays(&reduce(
        "[1.0, -0.0, 3.0, 0.0]",
        "4xf32",
        0,
        "f32",
        least,
        "maxf %x, %acc",
    ));
    stays(&reduce(
        "[1.0, 0x7FC00000, 3.0, 0.0]",
        "4xf32",
        0,
        "f32",
        least,
        "maxf %x, %acc",
    ));
    stays(&reduce(
        "[1.0, 2.0, 3.0, 4.0]",
        "4xf32",
        0,
        "f32",
        "0.0",
        "addf %x, %acc",
    ));
    stays(&reduce("1.0", "4xf32", 0, "f32", "0.0", "addf %x, %acc"));
    folds(
        &reduce("0.0", "4x4xf32", 0, "4xf32", "0.0", "addf %x, %acc"),
        &[0],
    );
    stays(&reduce("-0.0", "4xf32", 0, "f32", "0.0", "addf %x, %acc"));
    folds(
        &reduce("-0.0", "4xf32", 0, "f32", "-0.0", "addf %x, %acc"),
        &[0x8000_0000],
    );
    folds(
        &reduce("1.0", "4x4xf32", 0, "4xf32", "1.0", "mulf %x, %acc"),
        &[u64::from(1.0_f32.to_bits())],
    );
    stays(&reduce(
        "0x7FC00000",
        "4xf32",
        0,
        "f32",
        least,
        "maxf %x, %acc",
    ));
}
