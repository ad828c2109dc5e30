//! Tests that reading a hostile file takes at most a fixed multiple of the file's size in memory.

#[path = "bytecode/assemble.rs"]
#[allow(dead_code, reason = "made for another test binary too")]
mod assemble;

use assemble::{Parts, RETURN, constant, debug_section, file, join, table, varint};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use tile_core::bytecode::read;

/// The system allocator, with a count of allocated bytes.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: forwards every call unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The bytes allowed per byte of the file, which covers an operation encoded in two bytes and the
/// growth of vectors.
const FACTOR: usize = 800;
/// The bytes that even the smallest file may take.
const FREE: usize = 16 << 20;

fn check(name: &str, bytes: &[u8], message: Option<&str>) {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let start = std::time::Instant::now();
    let actual = read(bytes);
    let time = start.elapsed();
    let used = PEAK.load(Ordering::Relaxed) - before;
    let error = actual.err().map(|error| error.message);
    match (message, &error) {
        (None, None) => {}
        (Some(expected), Some(actual)) => assert!(actual.contains(expected), "{name}: {actual}"),
        _ => panic!("{name}: expected {message:?}, found {error:?}"),
    }
    let limit = FACTOR * bytes.len() + FREE;
    assert!(used <= limit, "{name}: {used} bytes for {}", bytes.len());
    assert!(time.as_secs() < 20, "{name}: {time:?}");
}

/// The approximate size of the files in bytes.
const SIZE: usize = 200_000;

/// A single test, because the counter covers all threads.
#[test]
fn memory_is_bounded_by_the_size_of_the_file() {
    for number in [1, 2, 3, 4, 5, 6, 7_u8] {
        let mut huge = varint(u64::MAX);
        huge.resize(SIZE, 0);
        let mut sections = vec![(number, huge, 8)];
        if number != 1 {
            sections.push((1, table(&["k"], 4), 4));
        }
        if number != 2 {
            sections.push((2, vec![0], 8));
        }
        check("a huge count", &file(3, &sections), Some("expected"));
    }
    operations();
    types_and_signatures();
    constants();
    hints();
    locations();
}

fn operations() {
    let tokens = [0x44, 7].repeat(SIZE / 2);
    check("tokens", &Parts::new(3, &[&tokens, &RETURN]).file(), None);
    let huge = join(&[&[0x3c], &varint(1 << 40)]);
    check(
        "results",
        &Parts::new(3, &[&huge]).file(),
        Some("expected a count"),
    );
    // Nested operations, each of which announces many blocks and operations.
    let mut nested = vec![0x10, 4, 1];
    for _ in 0..100 {
        nested.extend_from_slice(&join(&[&[0x32, 0, 0, 2, 1, 0], &varint(SIZE as u64 / 2)]));
    }
    nested.resize(SIZE, 0x6d);
    check(
        "announced operations",
        &Parts::new(3, &[&nested]).file(),
        Some("expected"),
    );
    let mut many = Parts::new(3, &[]);
    let loop_op = join(&[
        &[0x41],
        &varint(SIZE as u64 / 2),
        &vec![7; SIZE / 2],
        &[0, 1, 1, 0, 1, 0x0a, 0, 0],
    ]);
    many.body = join(&[&loop_op, &RETURN]);
    check("results of a loop", &many.file(), None);
}

fn types_and_signatures() {
    // A long signature that every entry shares.
    let mut parts = Parts::new(3, &[&RETURN]);
    parts.signature = parts.add_type(join(&[
        &[16],
        &varint(SIZE as u64 / 2),
        &vec![2; SIZE / 2],
        &[0],
    ]));
    let one = join(&[&[0], &varint(parts.signature), &[2, 0, 3], &RETURN]);
    let count = SIZE / 2 / one.len();
    let mut functions = join(&[&varint(count as u64), &one.repeat(count)]);
    functions.resize(functions.len().next_multiple_of(8), 0xcb);
    let sections = [
        (2, functions, 8),
        (5, table(&parts.types, 4), 4),
        (1, table(&parts.strings, 4), 4),
    ];
    check(
        "entries with many arguments",
        &file(3, &sections),
        Some("entries have more arguments than a file of this size may hold"),
    );
    // Signatures nested in signatures.
    let mut parts = Parts::new(3, &[&RETURN]);
    for _ in 0..40 {
        let last = varint(parts.types.len() as u64 - 1);
        parts.signature = parts.add_type(join(&[&[16, 2], &last, &last, &[0]]));
    }
    check(
        "a tree of signatures",
        &parts.file(),
        Some("expected types to be nested"),
    );
}

fn constants() {
    // The same data, as tiles of every shape.
    let elements = 1_u64 << 18;
    let mut parts = Parts::new(3, &[]);
    parts.constants.push(constant(&vec![0xa5; 1 << 15]));
    let mut body = Vec::new();
    for ones in 0..200_u64 {
        let mut shape = 1_u64
            .to_le_bytes()
            .repeat(usize::try_from(ones).expect("small"));
        shape.extend_from_slice(&elements.to_le_bytes());
        let index = parts.add_type(join(&[&[13, 3], &varint(ones + 1), &shape]));
        body.extend_from_slice(&join(&[&[0x10], &varint(index), &[2]]));
    }
    parts.body = join(&[&body, &RETURN]);
    check(
        "data of many types",
        &parts.file(),
        Some("constant data expands to more elements than a file of this size may hold"),
    );
    // A single element that fills a large tile.
    let mut parts = Parts::new(3, &[]);
    let shape = (1_u64 << 24).to_le_bytes();
    let index = parts.add_type(join(&[&[13, 1, 1], &shape]));
    let splat = join(&[&[0x10], &varint(index), &[0]]).repeat(1000);
    parts.body = join(&[&splat, &RETURN]);
    check("splats", &parts.file(), None);
}

fn hints() {
    // A long key in every dictionary of a list.
    let mut parts = Parts::new(3, &[&RETURN]);
    parts.strings[1] = vec![b'x'; SIZE / 2];
    let count = SIZE / 10;
    let entry = [10, 1, 1, 3, 1].repeat(count);
    let hints = join(&[&[11, 1, 2, 10, 1, 2, 6], &varint(count as u64), &entry]);
    check(
        "long keys",
        &parts.clone().hints(&hints).file(),
        Some("the keys of hints are longer than a file of this size may hold"),
    );
    let flags = join(&[
        &[11, 1, 2, 10, 1, 2, 6],
        &varint(SIZE as u64 / 2),
        &[3, 1].repeat(SIZE / 2),
    ]);
    check("a long list", &parts.hints(&flags).file(), None);
}

fn locations() {
    let mut attrs = vec![
        vec![2, 1, 2],
        vec![1, 1],
        vec![5, 1, 10, 0, 0, 2, 11],
        vec![4, 3, 1, 1, 1],
    ];
    for index in 4..200_u64 {
        attrs.push(join(&[&[6], &varint(index), &varint(index)]));
    }
    let slots: Vec<u64> = vec![4, 200, 200];
    let mut parts = Parts::new(3, &[&[0x44, 7], &RETURN]);
    parts.location = 1;
    let section = debug_section(&[0], &slots, &attrs);
    check(
        "a tree of calls",
        &parts.clone().section(3, &section, 8).file(),
        Some("expected a location of at most"),
    );
    let slots = vec![4; SIZE / 8];
    let section = debug_section(&[0], &slots, &attrs);
    check(
        "many locations",
        &parts.section(3, &section, 8).file(),
        None,
    );
}
