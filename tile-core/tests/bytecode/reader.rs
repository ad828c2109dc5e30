//! What the reader takes and what it refuses, on files made by hand, and whether
//! `tileirdisasm` says the same.

use crate::assemble::{
    Parts, RETURN, constant, debug_section, file, join, table, table_at, ty, varint,
};
use crate::oracle::Disassembler;
use tile_core::bytecode::read;
use tile_core::diag::Diagnostics;
use tile_core::verify::verify;

/// What `tileirdisasm` 13.4 says to a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Oracle {
    /// The same as we.
    Agrees,
    /// Takes what we refuse, for the reason given.
    Takes(&'static str),
    /// Refuses what we take, for the reason given.
    Refuses(&'static str),
}

struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    /// The message of the refusal; `None` if the file is read.
    refused: Option<&'static str>,
    oracle: Oracle,
}

fn case(name: &'static str, bytes: Vec<u8>, refused: Option<&'static str>) -> Case {
    Case {
        name,
        bytes,
        refused,
        oracle: Oracle::Agrees,
    }
}

impl Case {
    fn taken(self, why: &'static str) -> Self {
        Self {
            oracle: Oracle::Takes(why),
            ..self
        }
    }

    fn refused(self, why: &'static str) -> Self {
        Self {
            oracle: Oracle::Refuses(why),
            ..self
        }
    }
}

const STRICT: &str = "a bit that nobody defined may mean anything in a later version";

fn check(cases: Vec<Case>) {
    let disassembler = Disassembler::find();
    for Case {
        name,
        bytes,
        refused,
        oracle,
    } in cases
    {
        let found = read(&bytes);
        match (&found, refused) {
            (Ok(_), None) => {}
            (Err(error), Some(message)) => {
                assert_eq!(error.message, message, "{name}");
                let offset = error.offset.expect("a place in the file");
                assert!(offset <= bytes.len(), "{name}");
            }
            (Ok(_), Some(message)) => panic!("{name}: read, though {message}"),
            (Err(error), None) => panic!("{name}: {error}"),
        }
        let Some(disassembler) = &disassembler else {
            continue;
        };
        // It verifies what it reads.
        let mut diagnostics = Diagnostics::new();
        let ours = found.is_ok_and(|module| verify(module, &mut diagnostics).is_ok());
        let faults = diagnostics.take();
        let theirs = disassembler.text(&bytes);
        let said = match (ours, &theirs) {
            (true, Err(_)) => "refuses",
            (false, Ok(_)) => "takes",
            _ => "agrees",
        };
        let expected = match oracle {
            Oracle::Agrees => "agrees",
            Oracle::Takes(_) => "takes",
            Oracle::Refuses(_) => "refuses",
        };
        assert_eq!(said, expected, "{name}: {theirs:?} {faults:?}");
    }
}

fn body(minor: u8, operations: &[&[u8]]) -> Parts {
    let mut operations = operations.to_vec();
    operations.push(&RETURN);
    Parts::new(minor, &operations)
}

/// `constant` of the type with the given index.
fn constant_op(ty: u64, index: u64) -> Vec<u8> {
    join(&[&[0x10], &varint(ty), &varint(index)])
}

#[test]
fn sections() {
    let parts = body(3, &[]);
    let (types, strings) = (table(&parts.types, 4), table(&parts.strings, 4));
    let of = |sections: &[(u8, &[u8], usize)]| {
        let owned = sections
            .iter()
            .map(|&(number, payload, alignment)| (number, payload.to_vec(), alignment));
        file(3, &owned.collect::<Vec<_>>())
    };
    let functions = parts.functions();
    let (func, ty, string) = (
        (2, &functions[..], 8),
        (5, &types[..], 4),
        (1, &strings[..], 4),
    );
    let mut tail = parts.file();
    tail.push(0);
    let mut open = parts.file();
    open.pop();
    let mut marked = open.clone();
    marked.push(0x80);
    check(vec![
        case("in another order", of(&[string, ty, func]), None),
        case(
            "a string section aligned to more",
            of(&[func, ty, (1, &strings, 64)]),
            None,
        ),
        case(
            "a string section aligned to less",
            of(&[func, ty, (1, &strings, 2)]),
            Some("expected the string section to be aligned to a power of two from 4, found 2"),
        ),
        case(
            "a string section that is not aligned",
            of(&[func, ty, (1, &strings, 1)]),
            Some("expected the string section to be aligned to a power of two from 4, found 1"),
        ),
        case(
            "an alignment that is no power of two",
            of(&[func, ty, (1, &strings, 12)]),
            Some("expected the string section to be aligned to a power of two from 4, found 12"),
        ),
        case(
            "twice the same section",
            of(&[func, func, ty, string]),
            Some("the function section occurs twice"),
        )
        .taken("which of them counts would be a guess"),
        case(
            "without functions",
            of(&[ty, string]),
            Some("the function section is missing"),
        ),
        case(
            "without strings",
            of(&[func, ty]),
            Some("the string section is missing"),
        ),
        case(
            "an unknown section",
            of(&[func, ty, string, (8, &[], 1)]),
            Some("expected a section from 0 to 7, found 8"),
        ),
        case(
            "bytes after the end",
            tail,
            Some("expected the end of the file after the end marker, found more bytes"),
        ),
        case(
            "without an end",
            open,
            Some("expected one more byte, found the end"),
        ),
        case(
            "an end that is aligned",
            marked,
            Some("expected the end marker without an alignment, found it with one"),
        ),
        case("a count of zero", of(&[(2, &[0], 8), (1, &[0], 4)]), None),
        case(
            "an empty function section",
            of(&[(2, &[], 8), string]),
            Some("expected one more byte, found the end"),
        ),
        case("a producer", parts.clone().section(7, &[1], 1).file(), None),
        case(
            "a producer before 13.3",
            {
                let mut parts = body(1, &[]).section(7, &[1], 1);
                parts.minor = 1;
                parts.file()
            },
            None,
        ),
        case(
            "a producer that is no string",
            parts.clone().section(7, &[100], 1).file(),
            Some("expected the index of one of 5 strings, found 100"),
        ),
        case(
            "other data",
            b"MZ\x90\0\0\0\0\0\0\0\0\0\0".to_vec(),
            Some("expected Tile IR bytecode, found other data"),
        ),
        case(
            "version 13.0",
            file(0, &[]),
            Some("expected bytecode version 13.1 to 13.4, found 13.0"),
        ),
        case(
            "version 13.5",
            file(5, &[]),
            Some("expected bytecode version 13.1 to 13.4, found 13.5"),
        ),
    ]);
}

#[test]
fn offset_tables() {
    let parts = body(3, &[]);
    let with = |strings: Vec<u8>| {
        file(
            3,
            &[
                (2, parts.functions(), 8),
                (5, table(&parts.types, 4), 4),
                (1, strings, 4),
            ],
        )
    };
    let strings = ["k", "ab", "c"];
    let mut cyclic = parts.clone();
    let next = cyclic.add_type(join(&[&[16, 1], &varint(ty::NEXT), &[0]]));
    cyclic.signature = next;
    let mut unused = parts.clone();
    unused.add_type(vec![99, 1]);
    let mut long = parts.clone();
    long.signature = long.add_type(vec![16, 0, 0, 0]);
    check(vec![
        case(
            "a gap before the first entry",
            with(table_at(&strings, 4, &[1, 2, 3])),
            None,
        ),
        case(
            "an empty entry",
            with(table_at(&strings, 4, &[0, 1, 1])),
            None,
        ),
        case(
            "descending offsets",
            with(table_at(&strings, 4, &[3, 1, 0])),
            Some("expected ascending offsets within 4 bytes, found an entry from 3 to 1"),
        )
        .taken("entries would overlap"),
        case(
            "an offset beyond the data",
            with(table_at(&strings, 4, &[0, 1, 100])),
            Some("expected ascending offsets within 4 bytes, found an entry from 1 to 100"),
        )
        .taken("it only looks at entries that are used"),
        case(
            "a count beyond the bytes",
            with(varint(1 << 40)),
            Some("expected a count of at most 0 in the bytes that are left, found 1099511627776"),
        ),
        case("an unused type that is not known", unused.file(), None),
        case(
            "bytes after a type",
            long.file(),
            Some("expected the end of the type, found more bytes"),
        )
        .taken("it only looks at what it needs"),
        case(
            "a type in itself",
            cyclic.file(),
            Some("expected types to be nested at most 4 deep, found more"),
        ),
    ]);
}

#[test]
fn functions() {
    let with = |flags: u8| {
        let mut parts = body(3, &[]);
        parts.flags = flags;
        parts.file()
    };
    let mut nameless = body(3, &[]);
    nameless.strings[0].clear();
    let mut bare = body(3, &[]);
    bare.signature = ty::I32;
    let mut higher = body(3, &[]);
    let inner = join(&[&[16, 1], &varint(ty::NONE_TO_NONE), &[0]]);
    higher.signature = higher.add_type(inner);
    let mut foreign = body(3, &[]);
    foreign.strings[0] = vec![0xff, 0xfe];
    check(vec![
        case(
            "a function",
            with(0),
            Some("expected `k` to be an entry, found a function"),
        ),
        case("a private entry", with(3), None),
        case(
            "unknown flags",
            with(0x12),
            Some("expected flags up to 0x7 of `k`, found 0x12"),
        )
        .taken(STRICT),
        case(
            "no name",
            nameless.file(),
            Some("expected the name of a symbol, found an empty string"),
        ),
        case(
            "a signature that is none",
            bare.file(),
            Some("expected a signature, found the type `i32`"),
        ),
        case(
            "a signature in a signature",
            higher.file(),
            Some("expected the type of a value, found a signature"),
        )
        .taken("no value is a function, and types that nest may be exponential"),
        case(
            "a name that is not UTF-8",
            foreign.file(),
            Some("expected string 0 to be UTF-8, found other bytes"),
        )
        .taken("it keeps bytes"),
        case(
            "no terminator",
            Parts::new(3, &[]).file(),
            Some("expected the terminator of the block, found its end"),
        ),
        case(
            "two terminators",
            body(3, &[&RETURN]).file(),
            Some("expected the end of the block, found an operation after its terminator"),
        ),
    ]);
}

fn private() -> tile_core::Module {
    let mut parts = body(3, &[]);
    parts.flags = 3;
    read(&parts.file()).expect("it is valid")
}

#[test]
fn a_private_entry_keeps_its_visibility_as_an_attribute_without_meaning() {
    let module = private();
    let entry = module.entry("k").expect("it is there");
    let attr = &module.op(entry).discardable[0];
    assert_eq!(
        (&*attr.name, attr.value.as_deref()),
        ("sym_visibility", Some("\"private\""))
    );
}

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
            0 => vec![13, ty::NEXT as u8 + 1, 0],
            _ => join(&[&[13, ty::NEXT as u8 + 1], &shape]),
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

#[test]
fn operations() {
    let one = constant_op(ty::TILE_I32, 0);
    let condition = constant_op(ty::TILE_I1, 1);
    let float = constant_op(ty::TILE_F32, 0);
    let of = |operations: &[&[u8]]| body(3, operations).file();
    let if_op = |regions: &[&[u8]]| {
        let regions_count = [u8::try_from(regions.len()).expect("few")];
        of(&[&condition, &[0x32, 0, 0], &regions_count, &regions.concat()])
    };
    let (r#yield, none): (&[u8], &[u8]) = (&[1, 0, 1, 0x6d, 0, 0], &[0]);
    check(vec![
        case(
            "a hole",
            of(&[&[0x19]]),
            Some("operation number 0x19 is not known"),
        ),
        case(
            "a later operation",
            of(&[&[0x76]]),
            Some("operation `insert` is not available in bytecode version 13.3"),
        ),
        case(
            "`testing$func`",
            of(&[&varint(0x3001)]),
            Some("expected an operation of a body, found `testing$func`"),
        ),
        case(
            "an unregistered one",
            of(&[&varint(0xffff)]),
            Some("operation number 0xffff is not known"),
        ),
        case(
            "a module inside",
            of(&[&[0x4b]]),
            Some("expected an operation of a body, found `module`"),
        ),
        case(
            "results of `return`",
            body(3, &[&one, &[0x5c, 1, 2, 0]]).file(),
            Some("expected 0 results of `return`, found 1"),
        ),
        case(
            "an unknown overflow",
            of(&[&one, &[3, 2, 4, 0, 0]]),
            Some("value 4 of attribute `overflow` is not known"),
        ),
        case(
            "unknown flags",
            of(&[&float, &[0x45, 6, 4, 0, 0]]),
            Some("expected flags up to 0x3 of `maxf`, found 0x4"),
        )
        .taken(STRICT),
        case("known flags", of(&[&float, &[0x45, 6, 3, 0, 0]]), None),
        case(
            "an undefined value",
            of(&[&one, &[3, 2, 0, 0, 1]]),
            Some("expected one of the 1 values that are visible, found number 1"),
        ),
        case(
            "too few operands",
            of(&[&one, &[0x26, 1, 2, 0]]),
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
            of(&[
                &condition,
                &[0x32, 0, 0, 2, 1, 0, 2],
                &one,
                &[0x6d, 0, 0, 0, 3, 2, 0, 1, 1],
            ]),
            Some("expected one of the 1 values that are visible, found number 1"),
        ),
        case(
            "a signature as a result",
            of(&[&[0x44, 0]]),
            Some("expected the type of a value, found a signature"),
        ),
        case(
            "an assumption that is none",
            of(&[&one, &[6, 2, 1, 1, 1, 0]]),
            Some(
                "expected `div_by`, `same_elements` or `bounded` (tag 8, 9 or 12), found an integer",
            ),
        ),
        case(
            "unknown flags of an assumption",
            of(&[&one, &[6, 2, 8, 16, 4, 0]]),
            Some("expected flags up to 0x3 of an assumption, found 0x4"),
        )
        .taken(STRICT),
        case(
            "an identity that is no number",
            of(&[&one, &[0x58, 1, 2, 0, 1, 5, 1, 1, 0]]),
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

/// Attributes of a debug section: the indices of those made here count from 1.
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
    // Every call refers to the one before.
    let before = |at: u64| varint(if at == 0 { 5 } else { at + 6 });
    let calls = |len: u64, call: &dyn Fn(u64) -> Vec<u8>| {
        let calls: Vec<Vec<u8>> = (0..len).map(call).collect();
        with(&[0], &[5, len + 6, 6], &calls, 1)
    };
    let call_chain = |len: u64| calls(len, &|at| join(&[&[6, 5], &before(at)]));
    let call_tree = |len: u64| calls(len, &|at| join(&[&[6], &before(at), &before(at)]));
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
