//! Tests operations.

use super::{STRICT, body, case, check, constant_op};
use crate::assemble::{join, ty, varint};
use tile_core::bytecode::read;

#[test]
fn operations() {
    let one = constant_op(ty::TILE_I32, 0);
    let condition = constant_op(ty::TILE_I1, 1);
    let float = constant_op(ty::TILE_F32, 0);
    let file_with = |operations: &[&[u8]]| body(3, operations).file();
    let if_op = |regions: &[&[u8]]| {
        let regions_count = [u8::try_from(regions.len()).expect("few")];
        file_with(&[&condition, &[0x32, 0, 0], &regions_count, &regions.concat()])
    };
    let (r#yield, none): (&[u8], &[u8]) = (&[1, 0, 1, 0x6d, 0, 0], &[0]);
    check(vec![
        case(
            "a hole",
            file_with(&[&[0x19]]),
            Some("operation number 0x19 is not known"),
        ),
        case(
            "a later operation",
            file_with(&[&[0x76]]),
            Some("operation `insert` is not available in bytecode version 13.3"),
        ),
        case(
            "`testing$func`",
            file_with(&[&varint(0x3001)]),
            Some("expected an operation of a body, found `testing$func`"),
        ),
        case(
            "an unregistered one",
            file_with(&[&varint(0xffff)]),
            Some("operation number 0xffff is not known"),
        ),
        case(
            "a module inside",
            file_with(&[&[0x4b]]),
            Some("expected an operation of a body, found `module`"),
        ),
        case(
            "results of `return`",
            body(3, &[&one, &[0x5c, 1, 2, 0]]).file(),
            Some("expected 0 results of `return`, found 1"),
        ),
        case(
            "an unknown overflow",
            file_with(&[&one, &[3, 2, 4, 0, 0]]),
            Some("value 4 of attribute `overflow` is not known"),
        ),
        case(
            "unknown flags",
            file_with(&[&float, &[0x45, 6, 4, 0, 0]]),
            Some("expected flags up to 0x3 of `maxf`, found 0x4"),
        )
        .taken(STRICT),
        case(
            "known flags",
            file_with(&[&float, &[0x45, 6, 3, 0, 0]]),
            None,
        ),
        case(
            "an undefined value",
            file_with(&[&one, &[3, 2, 0, 0, 1]]),
            Some("expected one of the 1 values that are visible, found number 1"),
        ),
        case(
            "too few operands",
            file_with(&[&one, &[0x26, 1, 2, 0]]),
            Some("expected at least 1 operands of `extract`, found 0"),
        ),
        case("an `if`", if_op(&[r#yield, none]), None),
        case(
            "an `if` with one region",
            if_op(&[r#yield]),
            Some("expected 2 regions of `if`, found 1"),
        ),
        case(
            "an `if` with three regions",
            if_op(&[r#yield, none, none]),
            Some("expected 2 regions of `if`, found 3"),
        ),
        case(
            "a block without operations",
            if_op(&[&[1, 0, 0], none]),
            Some("expected the terminator of the block, found its end"),
        ),
        case(
            "an `if` with two blocks",
            if_op(&[&[2, 0, 1, 0x6d, 0, 0, 0, 1, 0x6d, 0, 0], none]),
            None,
        ),
        case(
            "a value of an inner block",
            file_with(&[
                &condition,
                &[0x32, 0, 0, 2, 1, 0, 2],
                &one,
                &[0x6d, 0, 0, 0, 3, 2, 0, 1, 1],
            ]),
            Some("expected one of the 1 values that are visible, found number 1"),
        ),
        case(
            "a signature as a result",
            file_with(&[&[0x44, 0]]),
            Some("expected the type of a value, found a signature"),
        ),
        case(
            "an assumption that is none",
            file_with(&[&one, &[6, 2, 1, 1, 1, 0]]),
            Some(
                "expected `div_by`, `same_elements` or `bounded` (tag 8, 9 or 12), found an integer",
            ),
        ),
        case(
            "unknown flags of an assumption",
            file_with(&[&one, &[6, 2, 8, 16, 4, 0]]),
            Some("expected flags up to 0x3 of an assumption, found 0x4"),
        )
        .taken(STRICT),
        case(
            "an identity that is no number",
            file_with(&[&one, &[0x58, 1, 2, 0, 1, 5, 1, 1, 0]]),
            Some("expected a number (tag 1, 2 or 3), found a string"),
        ),
    ]);
}

#[test]
fn results_that_a_version_lacks() {
    let one = constant_op(ty::TILE_I32, 0);
    let add = |a: u8, b: u8| vec![3, 2, 0, a, b];
    // Values 0 and 1 are constants; the token of the old `print` has no number.
    let old = |operations: &[&[u8]]| {
        let mut parts = body(1, operations);
        parts.strings[1] = b"%i".to_vec();
        parts.file()
    };
    let print = [0x55, 0, 1, 1, 0];
    check(vec![
        case("a print", old(&[&one, &print, &one, &add(0, 1)]), None),
        case(
            "its token",
            old(&[&one, &print, &one, &add(0, 2)]),
            Some("expected one of the 2 values that are visible, found number 2"),
        ),
        case(
            "a print with a result",
            old(&[&one, &[0x55, 1, 7, 1, 1, 0]]),
            Some("expected 0 results of `print_tko`, found 1"),
        ),
    ]);
    let module = read(&old(&[&one, &print])).expect("it is valid");
    let print = module
        .walk(module.body())
        .into_iter()
        .find(|&op| module.op(op).def().mnemonic == "print_tko")
        .expect("it is there");
    assert!(module.ty(module.op(print).result()).is_token());
}

#[test]
fn a_list_per_index_has_an_entry_per_index() {
    let with = |list: &[u8]| {
        let mut parts = body(
            4,
            &[
                &constant_op(ty::TILE_I32, 0),
                &[0x42, 13, 0],
                // One index, the constant; the view is value 2.
                &join(&[&[0x3e, 2, 14, 7, 0, 0], list, &[2, 1, 1]]),
            ],
        );
        let dim = 64_u64.to_le_bytes();
        let tensor = parts.add_type(join(&[&[14, 0, 5, 1], &dim, &[1], &dim]));
        assert_eq!(tensor, 8);
        parts.signature = parts.add_type(vec![16, 1, 8, 0]);
        for _ in 0..3 {
            parts.add_type(vec![3]);
        }
        parts.add_type(vec![15, 0, 1, 8, 0, 0, 0, 8, 1, 0, 0, 0, 0]);
        parts.add_type(join(&[&[13, 5, 1], &8_u64.to_le_bytes()]));
        parts.file()
    };
    check(vec![
        case("false", with(&[1, 0]), None),
        case("true", with(&[1, 1]), None),
        case(
            "none",
            with(&[0]),
            Some("expected one entry per index of `load_view_tko`, 1 in all, found 0"),
        ),
        case(
            "two",
            with(&[2, 0, 0]),
            Some("expected one entry per index of `load_view_tko`, 1 in all, found 2"),
        ),
    ]);
}
