//! Tests debug sections.

use super::{body, case, check, constant_op};
use crate::assemble::{debug_section, join, ty, varint};

/// Attributes of a debug section. The indices of the attributes that a section defines count from
/// 1.
mod node {
    pub(super) const FILE: [u8; 3] = [2, 1, 2];
    pub(super) const UNIT: [u8; 2] = [1, 1];
    pub(super) const SUBPROGRAM: [u8; 7] = [5, 1, 10, 0, 0, 2, 11];
    pub(super) const BLOCK: [u8; 5] = [3, 3, 1, 12, 3];

    pub(super) fn place(scope: u8, line: u8) -> Vec<u8> {
        vec![4, scope, 1, line, 1]
    }
}

#[test]
fn debug_sections() {
    let with = |starts: &[u32], slots: &[u64], more: &[Vec<u8>], location: u64| {
        let mut attrs = vec![
            node::FILE.to_vec(),
            node::UNIT.to_vec(),
            node::SUBPROGRAM.to_vec(),
            node::BLOCK.to_vec(),
            node::place(3, 10),
            node::place(4, 11),
        ];
        attrs.extend_from_slice(more);
        let mut parts = body(3, &[&constant_op(ty::TILE_I32, 0)]);
        parts.location = location;
        parts
            .section(3, &debug_section(starts, slots, &attrs), 8)
            .file()
    };
    let seventh = |entry: &[u8]| with(&[0], &[5, 7, 6], &[entry.to_vec()], 1);
    // Each call site refers to the previous one.
    let before = |index: u64| varint(if index == 0 { 5 } else { index + 6 });
    let calls = |len: u64, call: &dyn Fn(u64) -> Vec<u8>| {
        let calls: Vec<Vec<u8>> = (0..len).map(call).collect();
        with(&[0], &[5, len + 6, 6], &calls, 1)
    };
    let call_chain = |len: u64| calls(len, &|index| join(&[&[6, 5], &before(index)]));
    let call_tree = |len: u64| calls(len, &|index| join(&[&[6], &before(index), &before(index)]));
    let mut empty = body(3, &[]);
    empty.sections.push((3, debug_section(&[], &[], &[]), 8));
    let too_large = Some(
        "expected a location of at most 1024 parts nested at most 192 deep, found a larger one",
    );
    check(vec![
        case("locations", with(&[0], &[5, 6, 6], &[], 1), None),
        case(
            "too few",
            with(&[0], &[5, 6], &[], 1),
            Some("expected a location of this operation, found only 2 locations"),
        ),
        case("more than needed", with(&[0], &[5, 6, 6, 6], &[], 1), None),
        case("later ones", with(&[1], &[0, 5, 6, 6], &[], 1), None),
        case("unused", with(&[0], &[5, 6, 6], &[], 0), None),
        case(
            "those of another function",
            with(&[0], &[5, 6, 6], &[], 2),
            Some("expected the locations of one of 1 functions, found number 2"),
        ),
        case(
            "a start beyond",
            with(&[9], &[5, 6, 6], &[], 1),
            Some("expected a location of this operation, found only 3 locations"),
        ),
        case(
            "an index beyond",
            with(&[0], &[5, 0, 99], &[], 1),
            Some("expected the index of one of 6 debug attributes, found 99"),
        ),
        case(
            "a file as a location",
            with(&[0], &[5, 1, 0], &[], 1),
            Some("expected a location, found a file"),
        ),
        case(
            "a subprogram as a location",
            with(&[0], &[5, 3, 0], &[], 1),
            Some("expected a location, found a subprogram"),
        ),
        case("a call", seventh(&[6, 6, 5]), None),
        case("a call of something unknown", seventh(&[6, 0, 5]), None),
        case(
            "a call of a file",
            seventh(&[6, 1, 5]),
            Some("expected a location, found a file"),
        ),
        case(
            "a call of itself",
            seventh(&[6, 7, 7]),
            Some("expected debug attributes without cycles, found one that refers to itself"),
        ),
        case(
            "a scope that is a file",
            seventh(&node::place(1, 1)),
            Some("expected a scope, found a file"),
        ),
        case(
            "a scope that is a location",
            seventh(&node::place(5, 1)),
            Some("expected a scope, found a location"),
        ),
        case(
            "no scope",
            seventh(&node::place(0, 1)),
            Some("expected a scope, found a location"),
        ),
        case("a newer kind", seventh(&[9, 1, 2, 3]), None),
        case("unknown", seventh(&[0]), None),
        case(
            "a short one",
            seventh(&[4, 3, 1, 1]),
            Some("expected one more byte, found the end"),
        ),
        case(
            "a line of 40 bits",
            seventh(&join(&[&[4, 3, 1], &varint(1 << 40), &[1]])),
            Some("expected a line or column of 32 bits, found 1099511627776"),
        )
        .taken("it cuts the line off at 32 bits"),
        case(
            "no such string",
            seventh(&[4, 3, 77, 1, 1]),
            Some("expected the index of one of 5 strings, found 77"),
        ),
        case("an inlined call", call_chain(100), None),
        case("a long chain", call_chain(240), too_large)
            .taken("such a location is printed at every use"),
        case("a tree", call_tree(60), too_large).taken("such a location has 2^60 parts"),
        case("an empty section", empty.file(), None)
            .refused("it looks for a table of attributes that needs none"),
    ]);
}
