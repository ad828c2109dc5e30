//! Tests that operations that move data fold for any data, and for splats of any size.

use crate::case::{faults_given, folded, folds, folds_given, stays};

const NAN: u64 = 0x7f80_0001;

fn from(scalar: &str, shape: &str, value: &str, rest: &str) -> String {
    format!("%c = constant <{scalar}: {value}> : tile<{shape}{scalar}>\n{rest}")
}

#[test]
fn a_splat_is_one_in_any_shape() {
    folds(
        &from(
            "f32",
            "",
            "0x7F800001",
            "%r = reshape %c : tile<f32> -> tile<1x1xf32>",
        ),
        &[NAN],
    );
    folds(
        &from(
            "f32",
            "1x1x",
            "0x7F800001",
            "%r = broadcast %c : tile<1x1xf32> -> tile<64x64xf32>",
        ),
        &[NAN],
    );
    folds(
        &from(
            "f32",
            "2x4x",
            "0x7F800001",
            "%r = permute %c [1, 0] : tile<2x4xf32> -> tile<4x2xf32>",
        ),
        &[NAN],
    );
    let large = "%r = broadcast %c : tile<1xi8> -> tile<16777216xi8>";
    let elements = folded(&from("i8", "1x", "5", large)).expect("it folds");
    assert_eq!(elements.splat_bits(), Some(5));
    stays("%r = reshape %p : tile<i32> -> tile<1xi32>");
    stays(
        "%q = reshape %p : tile<i32> -> tile<1x1xi32>\n%r = broadcast %q : tile<1x1xi32> -> tile<2x2xi32>",
    );
}

#[test]
fn other_tiles_move_up_to_the_limit() {
    let c = "[[1, 2], [3, 4]]";
    folds(
        &from(
            "i8",
            "2x2x",
            c,
            "%r = permute %c [1, 0] : tile<2x2xi8> -> tile<2x2xi8>",
        ),
        &[1, 3, 2, 4],
    );
    folds(
        &from(
            "i8",
            "2x2x",
            c,
            "%r = reshape %c : tile<2x2xi8> -> tile<4x1xi8>",
        ),
        &[1, 2, 3, 4],
    );
    folds(
        &from(
            "i8",
            "2x1x",
            "[[1], [2]]",
            "%r = broadcast %c : tile<2x1xi8> -> tile<2x2xi8>",
        ),
        &[1, 1, 2, 2],
    );
    let wide = |extent| {
        let rest = format!("%r = broadcast %c : tile<2x1xi8> -> tile<2x{extent}xi8>");
        from("i8", "2x1x", "[[1], [2]]", &rest)
    };
    let expected = [[1; 128], [2; 128]].concat();
    folds(&wide(128), &expected);
    stays(&wide(256));
}

#[test]
fn a_selection_between_constants_is_one() {
    let select = |cond: &str, shape: &str| {
        format!(
            "%c = constant <i1: {cond}> : tile<{shape}i1>\n%a = constant <f32: 0x7F800001> : tile<{shape}f32>\n\
             %b = constant <f32: 2.0> : tile<{shape}f32>\n\
             %r = select %c, %a, %b : tile<{shape}i1>, tile<{shape}f32>"
        )
    };
    let two = u64::from(2.0_f32.to_bits());
    folds(&select("1", ""), &[NAN]);
    folds(&select("0", "2x2x"), &[two]);
    folds(&select("[[0, 1], [1, 0]]", "2x2x"), &[two, NAN, NAN, two]);
    stays(
        "%c = constant <i1: 1> : tile<i1>\n%a = constant <i32: 1> : tile<i32>\n\
         %r = select %c, %a, %p : tile<i1>, tile<i32>",
    );
}

#[test]
fn halves_are_put_together() {
    let cat = |lhs: &str, rhs: &str, extent: usize, dim: usize| {
        let to = if dim == 0 {
            format!("{}x2", 2 * extent)
        } else {
            format!("{extent}x4")
        };
        format!(
            "%a = constant <i8: {lhs}> : tile<{extent}x2xi8>\n%b = constant <i8: {rhs}> : tile<{extent}x2xi8>\n\
             %r = cat %a, %b dim = {dim} : tile<{extent}x2xi8>, tile<{extent}x2xi8> -> tile<{to}xi8>"
        )
    };
    folds(
        &cat("[[1, 2], [3, 4]]", "[[5, 6], [7, 8]]", 2, 0),
        &[1, 2, 3, 4, 5, 6, 7, 8],
    );
    folds(
        &cat("[[1, 2], [3, 4]]", "[[5, 6], [7, 8]]", 2, 1),
        &[1, 2, 5, 6, 3, 4, 7, 8],
    );
    folds(&cat("7", "7", 1024, 0), &[7]);
    let two = [[1; 128], [2; 128]].concat();
    folds(&cat("1", "2", 64, 0), &two);
    stays(&cat("1", "2", 128, 0));
}

#[test]
fn slices_fold_if_they_exist() {
    let extract = |value: &str, shape: &str, indices: [&str; 2]| {
        format!(
            "%c = constant <i8: {value}> : tile<{shape}xi8>\n%i = constant <i32: {}> : tile<i32>\n\
             %j = constant <i32: {}> : tile<i32>\n\
             %r = extract %c[%i, %j] : tile<{shape}xi8> -> tile<2x1xi8>",
            indices[0], indices[1]
        )
    };
    let c = "[[1, 2], [3, 4], [5, 6], [7, 8]]";
    folds(&extract(c, "4x2", ["1", "0"]), &[5, 7]);
    folds(&extract(c, "4x2", ["0", "1"]), &[2, 4]);
    folds(&extract("9", "1024x2", ["511", "1"]), &[9]);
}

#[test]
fn slices_that_do_not_exist_stay() {
    // The verifier rejects constant indices that are out of range, so these indices become known
    // only later.
    let extract = |value: &str, shape: &str| {
        format!(
            "%c = constant <i8: {value}> : tile<{shape}xi8>\n%r = extract %c[%p] : tile<{shape}xi8> -> tile<2xi8>"
        )
    };
    folds_given(1, &extract("[1, 2, 3, 4]", "4"), &[3, 4]);
    faults_given(2, &extract("[1, 2, 3, 4]", "4"));
    faults_given(-1, &extract("[1, 2, 3, 4]", "4"));
    folds_given(511, &extract("9", "1024"), &[9]);
    faults_given(512, &extract("9", "1024"));
    let insert = |value: &str, shape: &str| {
        format!(
            "%s = constant <i8: 9> : tile<2xi8>\n%d = constant <i8: {value}> : tile<{shape}xi8>\n\
             %r = insert %s, %d[%p] : tile<2xi8>, tile<{shape}xi8>"
        )
    };
    folds_given(0, &insert("[1, 2, 3, 4]", "4"), &[9, 9, 3, 4]);
    faults_given(2, &insert("[1, 2, 3, 4]", "4"));
    folds_given(511, &insert("9", "1024"), &[9]);
    faults_given(512, &insert("9", "1024"));
}

#[test]
fn bytes_are_cut_otherwise() {
    folds(
        &from(
            "i16",
            "2x",
            "[513, 1027]",
            "%r = pack %c : tile<2xi16> -> tile<4xi8>",
        ),
        &[1, 2, 3, 4],
    );
    folds(
        &from(
            "i8",
            "4x",
            "[1, 2, 3, 4]",
            "%r = unpack %c : tile<4xi8> -> tile<1xi32>",
        ),
        &[0x0403_0201],
    );
    folds(
        &from(
            "f4E2M1FN",
            "4x",
            "[0x1, 0x2, 0x3, 0x4]",
            "%r = pack %c : tile<4xf4E2M1FN> -> tile<2xi8>",
        ),
        &[0x21, 0x43],
    );
    folds(
        &from(
            "i8",
            "2x",
            "[33, 67]",
            "%r = unpack %c : tile<2xi8> -> tile<4xf4E2M1FN>",
        ),
        &[1, 2, 3, 4],
    );
    folds(
        &from(
            "i32",
            "1024x",
            "16843009",
            "%r = pack %c : tile<1024xi32> -> tile<4096xi8>",
        ),
        &[1],
    );
    folds(
        &from(
            "i8",
            "4096x",
            "1",
            "%r = unpack %c : tile<4096xi8> -> tile<1024xi32>",
        ),
        &[0x0101_0101],
    );
    folds(
        &from(
            "i8",
            "2x",
            "33",
            "%r = unpack %c : tile<2xi8> -> tile<4xf4E2M1FN>",
        ),
        &[1, 2, 1, 2],
    );
    stays(&from(
        "i8",
        "256x",
        "33",
        "%r = unpack %c : tile<256xi8> -> tile<512xf4E2M1FN>",
    ));
    stays(&from(
        "i32",
        "1024x",
        "1",
        "%r = pack %c : tile<1024xi32> -> tile<4096xi8>",
    ));
    stays(&from(
        "i1",
        "8x",
        "1",
        "%r = pack %c : tile<8xi1> -> tile<1xi8>",
    ));
}

#[test]
fn a_slice_is_put_in_if_it_fits() {
    let insert = |value: &str, whole: &str, shape: &str| {
        format!(
            "%s = constant <i8: {value}> : tile<2xi8>\n%d = constant <i8: {whole}> : tile<{shape}xi8>\n\
             %i = constant <i32: 1> : tile<i32>\n\
             %r = insert %s, %d[%i] : tile<2xi8>, tile<{shape}xi8>"
        )
    };
    folds(&insert("[1, 2]", "[5, 6, 7, 8]", "4"), &[5, 6, 1, 2]);
    folds(&insert("3", "3", "4096"), &[3]);
    stays(&insert("3", "4", "4096"));
}
