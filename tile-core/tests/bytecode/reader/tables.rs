//! Tests hints, globals, constants and types.

use super::{STRICT, body, case, check, constant_op};
use crate::assemble::{constant, join, ty, varint};

#[test]
fn hints() {
    let dict = |entries: &[(u8, &[u8])]| {
        let entries: Vec<Vec<u8>> = entries
            .iter()
            .map(|(key, value)| join(&[&[*key], value]))
            .collect();
        join(&[
            &[10, u8::try_from(entries.len()).expect("few")],
            &entries.concat(),
        ])
    };
    let hints = |entries: &[(u8, &[u8])]| {
        let mut dict = dict(entries);
        dict[0] = 11;
        body(3, &[]).hints(&dict).file()
    };
    let value = |value: &[u8]| hints(&[(1, &dict(&[(2, value)]))]);
    let empty = dict(&[]);
    let number = [1, 1, 5];
    let not_a_value = Some(
        "expected a number, string, type, list or dictionary as the value of a hint, found `div_by`",
    );
    let mut deep = number.to_vec();
    for _ in 0..40 {
        deep = join(&[&[6, 1], &deep]);
    }
    check(vec![
        case("none", hints(&[]), None),
        case(
            "without the right tag",
            body(3, &[]).hints(&[10, 0]).file(),
            Some("expected the hints of `k` (tag 11), found tag 10"),
        ),
        case("unsorted", hints(&[(2, &empty), (1, &empty)]), None),
        case(
            "an architecture twice",
            hints(&[(1, &empty), (1, &empty)]),
            Some("expected every key once, found `a` twice"),
        ),
        case(
            "a key twice",
            hints(&[(1, &dict(&[(2, &number), (2, &number)]))]),
            Some("expected every key once, found `b` twice"),
        ),
        case(
            "an empty key",
            hints(&[(4, &empty)]),
            Some("expected a key, found an empty string"),
        ),
        case(
            "a number for an architecture",
            hints(&[(1, &number)]),
            Some("expected a dictionary of hints (tag 10), found an integer"),
        ),
        case("an integer", value(&number), None),
        case(
            "a negative integer",
            value(&join(&[&[1, 1], &varint(0xffff_ffff)])),
            None,
        ),
        case(
            "an integer that is too large",
            value(&join(&[&[1, 1], &varint(1 << 32)])),
            Some("expected a number of type `i32`, found 0x100000000"),
        ),
        case(
            "an integer of a tile type",
            value(&[1, 2, 5]),
            Some("expected an integer type, found `tile<i32>`"),
        ),
        case(
            "an integer of a float type",
            value(&[1, 5, 5]),
            Some("expected an integer type, found `f32`"),
        ),
        case(
            "a float of an integer type",
            value(&[2, 1, 5]),
            Some("expected a float type, found `i32`"),
        ),
        case(
            "a float",
            value(&join(&[&[2, 5], &varint(0x3f80_0000 << 1)])),
            None,
        ),
        case("a truth value", value(&[3, 1]), None),
        case("a truth value as an integer", value(&[1, 3, 1]), None),
        case("a type", value(&[4, 2]), None),
        case("a string", value(&[5, 3]), None),
        case("a list", value(&join(&[&[6, 2], &number, &[5, 3]])), None),
        case(
            "a dictionary",
            value(&dict(&[(2, &number), (1, &empty)])),
            None,
        ),
        case("an assumption", value(&[8, 16, 0]), not_a_value)
            .taken("it says nothing about how to compile"),
        case(
            "an unknown tag",
            value(&[13]),
            Some(
                "expected a number, string, type, list or dictionary as the value of a hint, found tag 13",
            ),
        ),
        case(
            "lists in lists",
            value(&deep),
            Some("values of hints are nested deeper than 32"),
        )
        .taken("nobody writes such hints"),
    ]);
}

#[test]
fn globals() {
    let with = |minor: u8, fields: &[u64]| {
        let mut parts = body(minor, &[]);
        parts.add_type(join(&[&[13, 1, 1], &2_u64.to_le_bytes()]));
        parts.constants.push(constant(&[1, 0, 0, 0, 2, 0, 0, 0]));
        let payload: Vec<Vec<u8>> = fields.iter().map(|&field| varint(field)).collect();
        parts.section(6, &payload.concat(), 1).file()
    };
    let t = ty::NEXT;
    check(vec![
        case("a global", with(3, &[1, 1, t, 2, 0, 0, 0]), None),
        case("a private constant", with(3, &[1, 1, t, 2, 16, 1, 1]), None),
        case("a global of 13.2", with(2, &[1, 1, t, 2, 16]), None),
        case(
            "an unknown visibility",
            with(3, &[1, 1, t, 2, 16, 2, 1]),
            Some("expected visibility 0 or 1, found 2"),
        ),
        case(
            "no name",
            with(3, &[1, 4, t, 2, 0, 0, 0]),
            Some("expected the name of a symbol, found an empty string"),
        ),
        case(
            "a bare type",
            with(3, &[1, 1, ty::I32, 2, 0, 0, 0]),
            Some("expected a tile of numbers that have constant data, found `i32`"),
        ),
        case(
            "data of another type",
            with(3, &[1, 1, ty::TILE_I32, 2, 0, 0, 0]),
            Some(
                "expected the data of a `tile<i32>`, found 8 bytes, which are neither 1 elements nor one",
            ),
        ),
        case(
            "no such constant",
            with(3, &[1, 1, t, 3, 0, 0, 0]),
            Some("expected the index of one of 3 constants, found 3"),
        ),
        case(
            "too few bytes",
            with(3, &[1, 1, t, 2, 0]),
            Some("expected a count of at most 0 in the bytes that are left, found 1"),
        ),
        case("none", with(3, &[0]), None),
    ]);
}

#[test]
fn constants() {
    let with = |element: u8, extent: u64, bytes: &[u8]| {
        let mut parts = body(3, &[&constant_op(ty::NEXT, 2)]);
        let shape = [&[1_u8][..], &extent.to_le_bytes()].concat();
        parts.add_type(match extent {
            0 => join(&[&[13], &varint(ty::NEXT + 1), &[0]]),
            _ => join(&[&[13], &varint(ty::NEXT + 1), &shape]),
        });
        parts.add_type(vec![element]);
        parts.constants.push(constant(bytes));
        parts.file()
    };
    let (i1, i32, tf32, f4, i4) = (0, 3, 8, 19, 22);
    check(vec![
        case("a number", with(i32, 0, &[1, 0, 0, 0]), None),
        case(
            "too few bytes",
            with(i32, 0, &[1, 0, 0]),
            Some(
                "expected the data of a `tile<i32>`, found 3 bytes, which are neither 1 elements nor one",
            ),
        ),
        case(
            "no bytes",
            with(i32, 0, &[]),
            Some(
                "expected the data of a `tile<i32>`, found 0 bytes, which are neither 1 elements nor one",
            ),
        ),
        case("packed truth values", with(i1, 16, &[0x80, 1]), None),
        case("one truth value for all", with(i1, 16, &[1]), None),
        case("two truth values in a byte", with(i1, 2, &[1]), None),
        case("truth values of a byte each", with(i1, 8, &[1; 8]), None)
            .refused("other builds of the same version write them"),
        case(
            "neither",
            with(i1, 16, &[0; 3]),
            Some(
                "expected the data of a `tile<16xi1>`, found 3 bytes, which are neither 16 elements nor one",
            ),
        ),
        case("three bytes of tf32", with(tf32, 2, &[1, 2, 7]), None),
        case(
            "four bytes of tf32",
            with(tf32, 1, &[1, 2, 7, 0]),
            Some(
                "expected the data of a `tile<1xtf32>`, found 4 bytes, which are neither 1 elements nor one",
            ),
        ),
        case("half a byte in a byte", with(f4, 2, &[1, 2]), None),
        case(
            "i4",
            with(i4, 2, &[1, 2]),
            Some("expected a tile of numbers that have constant data, found `tile<2xi4>`"),
        ),
    ]);
}

#[test]
fn types() {
    let with = |minor: u8, entry: &[u8]| {
        let mut parts = body(minor, &[]);
        let index = parts.add_type(entry.to_vec());
        parts.signature = parts.add_type(join(&[&[16, 1], &varint(index), &[0]]));
        parts.file()
    };
    let view = |minor: u8, prefix: &[u8], suffix: &[u8]| {
        let mut parts = body(minor, &[]);
        let dim = 64_u64.to_le_bytes();
        let flags: &[u8] = if minor >= 4 { &[0] } else { &[] };
        let tensor = parts.add_type(join(&[&[14], flags, &[5, 1], &dim, &[1], &dim]));
        let index = parts.add_type(join(&[prefix, &[1, 8, 0, 0, 0], &varint(tensor), suffix]));
        parts.signature = parts.add_type(join(&[&[16, 1], &varint(index), &[0]]));
        parts.file()
    };
    let map = [1, 0, 0, 0, 0];
    let padded = |value: u8| join(&[&map, &[value]]);
    let axes = join(&[&varint(2000), &1_u64.to_le_bytes().repeat(2000)]);
    let rank = join(&[&[14, 5], &axes, &axes]);
    check(vec![
        case("a partition view", view(3, &[15, 0], &map), None),
        case("a padded one", view(3, &[15, 1], &padded(2)), None),
        case("an old one", view(1, &[15], &padded(0)), None),
        case(
            "an old padded one",
            view(1, &[15], &join(&[&map, &[1, 2]])),
            None,
        ),
        case(
            "unknown padding",
            view(3, &[15, 1], &padded(5)),
            Some("expected a padding value from 0 to 4, found 5"),
        ),
        case(
            "unknown flags",
            view(3, &[15, 2], &map),
            Some("expected flags 0 or 1 of a view, found 0x2"),
        )
        .taken(STRICT),
        case(
            "a strided view",
            view(3, &[21, 0], &[]),
            Some("expected a count of at most 0 in the bytes that are left, found 8"),
        ),
        case("a gather/scatter view", view(3, &[20, 0], &[0]), None),
        case(
            "a gather/scatter view in 13.2",
            view(2, &[20, 0], &[0]),
            Some(
                "type `gather_scatter_view` requires bytecode version 13.3+, file version is 13.2",
            ),
        ),
        case(
            "a strided view in 13.2",
            view(2, &[21, 0], &[0]),
            Some("type `strided_view` requires bytecode version 13.3+, file version is 13.2"),
        ),
        case(
            "i4 in 13.2",
            with(2, &[22]),
            Some("type `i4` requires bytecode version 13.3+, file version is 13.2"),
        ),
        case(
            "f8E8M0FNU in 13.1",
            with(1, &[18]),
            Some("type `f8E8M0FNU` requires bytecode version 13.2+, file version is 13.1"),
        ),
        case(
            "f4E2M1FN in 13.2",
            with(2, &[19]),
            Some("type `f4E2M1FN` requires bytecode version 13.3+, file version is 13.2"),
        ),
        case(
            "a type of 13.4",
            with(4, &varint(130)),
            Some("type `fnv8E5M3FNU` is not supported: it is not in the public dialect"),
        )
        .taken("we do not know what its bits mean"),
        case(
            "a pointer attribute",
            with(4, &[12, 1, 5, 0]),
            Some(
                "the pointer attribute of `ptr` is not supported: it is not in the public dialect",
            ),
        )
        .taken("we do not know what it means"),
        case(
            "an unknown tag",
            with(3, &[23]),
            Some("expected a type tag from 0 to 22, found 23"),
        ),
        case(
            "a tile of tiles",
            with(3, &[13, 2, 0]),
            Some("expected a number or pointer type, found `tile<i32>`"),
        ),
        case(
            "three elements",
            with(3, &join(&[&[13, 1, 1], &3_u64.to_le_bytes()])),
            Some("all dimensions must be powers of two, got 3"),
        ),
        case(
            "many axes",
            with(3, &rank),
            Some("expected at most 1024 axes, found 2000"),
        )
        .taken("nobody has a tensor of so many"),
        case(
            "no such type",
            with(3, &[12, 50]),
            Some("expected the index of one of 10 types, found 50"),
        ),
    ]);
}
