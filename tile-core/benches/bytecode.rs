//! Measures reading and writing bytecode: `cargo bench -p tile-core --bench bytecode`.
//!
//! The input repeats the operations of the corpus, in one entry or in many. A
//! module takes up to fifty times the memory of its bytecode. The allocator keeps
//! the memory of one read for the next, so that the measurements include the
//! reader and not the page faults of the system.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use rustc_hash::FxHashMap;
use std::path::Path;
use tile_core::bytecode::{Version, read, write};
use tile_core::ir::{Attr, BlockId, Loc, Module, Op, OpId, ValueId};
use tile_core::types::{FunctionType, Type, TypeKind};

fn main() {
    keep_memory();
    divan::main();
}

/// Tells the C library's allocator not to give memory back.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep_memory() {
    // SAFETY: no other thread allocates yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, i32::MAX);
        libc::mallopt(libc::M_TRIM_THRESHOLD, i32::MAX);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn keep_memory() {}

/// The distribution of the operations over entries.
#[derive(Clone, Copy, Debug)]
enum Shape {
    OneEntry,
    ManyEntries,
}

/// Returns bytecode of at least `bytes` bytes.
fn input(shape: Shape, debug: bool, bytes: usize) -> Vec<u8> {
    let modules: Vec<Module> = corpus();
    let mut copies = 1;
    loop {
        let module = repeat(&modules, shape, debug, copies);
        let written = write(&module, Version::V13_4).expect("it is valid");
        if written.len() >= bytes {
            return written;
        }
        copies = (copies * bytes).div_ceil(written.len()).max(copies + 1);
    }
}

/// Returns the kernels of an independent producer.
fn corpus() -> Vec<Module> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("it is readable").path())
        .filter(|path| path.to_string_lossy().ends_with("13.4.tilebc"))
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| read(&std::fs::read(path).expect("it is readable")).expect("it is valid"))
        .collect()
}

fn repeat(modules: &[Module], shape: Shape, debug: bool, copies: usize) -> Module {
    let mut out = Module::new("kernels");
    let entries: Vec<(&Module, OpId)> = modules
        .iter()
        .flat_map(|module| module.entries().map(move |entry| (module, entry)))
        .collect();
    match shape {
        Shape::ManyEntries => {
            for copy in 0..copies {
                for &(from, entry) in &entries {
                    add_entry(&mut out, &[(from, entry)], &format!("k{copy}"), debug, 1);
                }
            }
        }
        Shape::OneEntry => add_entry(&mut out, &entries, "k", debug, copies),
    }
    out
}

/// Adds an entry with the concatenated bodies of `entries`, repeated.
fn add_entry(
    out: &mut Module,
    entries: &[(&Module, OpId)],
    name: &str,
    debug: bool,
    copies: usize,
) {
    let block_of = |&(from, entry): &(&Module, OpId)| from.region_block(entry, 0).expect("a body");
    let inputs: Vec<Type> = entries
        .iter()
        .flat_map(|entry| {
            let args = &entry.0.block(block_of(entry)).args;
            args.iter().map(|&arg| entry.0.ty(arg)).collect::<Vec<_>>()
        })
        .collect();
    let signature = FunctionType {
        inputs: inputs.clone(),
        results: Vec::new(),
    };
    let loc = |loc: Loc| if debug { loc } else { Loc::UNKNOWN };
    let (first, entry) = entries[0];
    let mut op = first.op(entry).clone();
    let name = format!("{name}_{}", first.op(entry).sym_name());
    op.set_attr("sym_name", Some(Attr::Str(name.into())));
    let signature = Type::new(TypeKind::Function(signature));
    op.set_attr("function_type", Some(Attr::Type(signature)));
    op.loc = loc(op.loc);
    let entry = add_op(out, out.body(), op);
    let region = out.add_region(entry);
    let block = out.add_block(region);
    let mut args = inputs
        .into_iter()
        .map(|ty| out.add_block_arg(block, ty, Loc::UNKNOWN))
        .collect::<Vec<_>>()
        .into_iter();
    let mut maps: Vec<FxHashMap<ValueId, ValueId>> = entries
        .iter()
        .map(|entry| {
            let from = &entry.0.block(block_of(entry)).args;
            from.iter().copied().zip(args.by_ref()).collect()
        })
        .collect();
    for copy in 1..=copies {
        for (index, entry) in entries.iter().enumerate() {
            let ops = &entry.0.block(block_of(entry)).ops;
            let is_last = copy == copies && index + 1 == entries.len();
            let ops = if is_last { ops } else { &ops[..ops.len() - 1] };
            for &op in ops {
                clone_op(out, block, entry.0, op, &mut maps[index], &loc);
            }
        }
    }
}

fn clone_op(
    out: &mut Module,
    block: BlockId,
    from: &Module,
    id: OpId,
    map: &mut FxHashMap<ValueId, ValueId>,
    loc: &impl Fn(Loc) -> Loc,
) {
    let op = from.op(id);
    let mut clone = op.clone();
    clone.loc = loc(clone.loc);
    for operand in &mut clone.operands {
        *operand = map[operand];
    }
    let clone_id = add_op(out, block, clone);
    for &region in &op.regions {
        let to = out.add_region(clone_id);
        for &inner in &from.region(region).blocks {
            let to = out.add_block(to);
            for &arg in &from.block(inner).args {
                map.insert(arg, out.add_block_arg(to, from.ty(arg), Loc::UNKNOWN));
            }
            for &op in &from.block(inner).ops {
                clone_op(out, to, from, op, map, loc);
            }
        }
    }
    for &result in &op.results {
        map.insert(result, out.add_result(clone_id, from.ty(result)));
    }
}

/// Appends an operation without its results and regions.
fn add_op(out: &mut Module, block: BlockId, mut op: Op) -> OpId {
    op.results.clear();
    op.regions.clear();
    op.parent = None;
    let id = out.add_op(op);
    let end = out.block(block).ops.len();
    out.insert_op(block, end, id);
    id
}

const MEGABYTE: usize = 1 << 20;

/// The shape, whether there are debug locations, and the size in megabytes.
const INPUTS: [(Shape, bool, usize); 6] = [
    (Shape::OneEntry, true, 2),
    (Shape::ManyEntries, true, 2),
    (Shape::OneEntry, false, 2),
    (Shape::ManyEntries, false, 2),
    (Shape::OneEntry, true, 20),
    (Shape::ManyEntries, false, 20),
];

#[divan::bench(args = INPUTS)]
fn read_bytecode(bencher: Bencher<'_, '_>, (shape, debug, megabytes): (Shape, bool, usize)) {
    let bytes = input(shape, debug, megabytes * MEGABYTE);
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| read(black_box(&bytes)).expect("it is valid"));
}

#[divan::bench(args = INPUTS)]
fn write_bytecode(bencher: Bencher<'_, '_>, (shape, debug, megabytes): (Shape, bool, usize)) {
    let bytes = input(shape, debug, megabytes * MEGABYTE);
    let module = read(&bytes).expect("it is valid");
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| write(black_box(&module), Version::V13_4).expect("it is valid"));
}
