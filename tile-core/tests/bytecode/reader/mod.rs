//! Tests which hand-made files the reader accepts and rejects, and whether `tileirdisasm` agrees.

mod debug;
mod operations;
mod tables;

use crate::assemble::{Parts, RETURN, file, join, table, table_at, ty, varint};
use crate::oracle::Disassembler;
use tile_core::bytecode::read;
use tile_core::diag::Diagnostics;
use tile_core::verify::verify;

/// The verdict of `tileirdisasm` 13.4 on a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Oracle {
    /// The same verdict as ours.
    Agrees,
    /// Accepts a file that we reject, for the given reason.
    Takes(&'static str),
    /// Rejects a file that we accept, for the given reason.
    Refuses(&'static str),
}

struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    /// The error message; `None` if the file is read.
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
        let actual = read(&bytes);
        match (&actual, refused) {
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
        // The disassembler verifies the files that it reads.
        let mut diagnostics = Diagnostics::new();
        let ours = actual.is_ok_and(|module| verify(module, &mut diagnostics).is_ok());
        let errors = diagnostics.take();
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
        assert_eq!(said, expected, "{name}: {theirs:?} {errors:?}");
    }
}

fn body(minor: u8, operations: &[&[u8]]) -> Parts {
    let mut operations = operations.to_vec();
    operations.push(&RETURN);
    Parts::new(minor, &operations)
}

/// Encodes a `constant` with number `index` in the constant section, of the type with index `ty`.
fn constant_op(ty: u64, index: u64) -> Vec<u8> {
    join(&[&[0x10], &varint(ty), &varint(index)])
}

#[test]
fn sections() {
    let parts = body(3, &[]);
    let (types, strings) = (table(&parts.types, 4), table(&parts.strings, 4));
    let file_with = |sections: &[(u8, &[u8], usize)]| {
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
        case("in another order", file_with(&[string, ty, func]), None),
        case(
            "a string section aligned to more",
            file_with(&[func, ty, (1, &strings, 64)]),
            None,
        ),
        case(
            "a string section aligned to less",
            file_with(&[func, ty, (1, &strings, 2)]),
            Some("expected the string section to be aligned to a power of two from 4, found 2"),
        ),
        case(
            "a string section that is not aligned",
            file_with(&[func, ty, (1, &strings, 1)]),
            Some("expected the string section to be aligned to a power of two from 4, found 1"),
        ),
        case(
            "an alignment that is no power of two",
            file_with(&[func, ty, (1, &strings, 12)]),
            Some("expected the string section to be aligned to a power of two from 4, found 12"),
        ),
        case(
            "twice the same section",
            file_with(&[func, func, ty, string]),
            Some("the function section occurs twice"),
        )
        .taken("which of them counts would be a guess"),
        case(
            "without functions",
            file_with(&[ty, string]),
            Some("the function section is missing"),
        ),
        case(
            "without strings",
            file_with(&[func, ty]),
            Some("the string section is missing"),
        ),
        case(
            "an unknown section",
            file_with(&[func, ty, string, (8, &[], 1)]),
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
        case(
            "a count of zero",
            file_with(&[(2, &[0], 8), (1, &[0], 4)]),
            None,
        ),
        case(
            "an empty function section",
            file_with(&[(2, &[], 8), string]),
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
