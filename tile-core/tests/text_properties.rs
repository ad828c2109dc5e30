//! Tests properties of text, verifier and canonicalizer on the corpus of file tests and on seeded
//! mutations of it.

use std::fs;
use std::path::Path;
use tile_core::canonicalize::canonicalize;
use tile_core::ir::{BlockId, ValueId};
use tile_core::testing::Random;
use tile_core::text::PrintOptions;
use tile_core::verify::verify;
use tile_core::{Diagnostics, Module, bytecode, text};

/// Prints everything in the IR.
const GENERIC: PrintOptions = PrintOptions {
    generic: true,
    debug_info: true,
};

/// The number of mutations of each file.
const MUTANTS: u64 = 60;

fn corpus() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut files = Vec::new();
    for folder in ["parse", "verify", "canonicalize"] {
        for entry in fs::read_dir(root.join(folder)).expect("the folder of tests exists") {
            let path = entry.expect("a readable folder").path();
            let text = fs::read_to_string(&path).expect("a readable file");
            let input = text.split("// output:\n").next().unwrap_or_default();
            files.push((path.display().to_string(), input.to_owned()));
        }
    }
    files.sort();
    assert!(files.len() > 100, "the corpus is there");
    files
}

fn parse(source: &str) -> Option<Module> {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "input", &mut diagnostics);
    assert_eq!(module.is_err(), diagnostics.has_errors());
    diagnostics.take();
    module.ok()
}

/// Renders everything in a module, with values numbered in order of definition.
fn structure(module: &Module) -> String {
    let mut numbers = vec![None; module.num_values()];
    let mut next = 0;
    let mut define = |value: ValueId| {
        numbers[value.index()] = Some(next);
        next += 1;
    };
    let mut blocks = vec![module.body()];
    let ops = module.walk(module.body());
    for &id in &ops {
        module.op(id).results.iter().copied().for_each(&mut define);
        for &region in &module.op(id).regions {
            let inner: &[BlockId] = &module.region(region).blocks;
            blocks.extend_from_slice(inner);
            for &block in inner {
                module
                    .block(block)
                    .args
                    .iter()
                    .copied()
                    .for_each(&mut define);
            }
        }
    }
    let mut lines = vec![format!("{} {:?}", module.name, module.producer)];
    for &id in &ops {
        let op = module.op(id);
        let operands: Vec<_> = op
            .operands
            .iter()
            .map(|value| numbers[value.index()])
            .collect();
        let results: Vec<_> = op.results.iter().map(|&value| module.ty(value)).collect();
        let args: Vec<Vec<_>> = op
            .regions
            .iter()
            .flat_map(|&region| &module.region(region).blocks)
            .map(|&block| {
                let args = &module.block(block).args;
                args.iter().map(|&value| module.ty(value)).collect()
            })
            .collect();
        let regions: Vec<usize> = op
            .regions
            .iter()
            .map(|&region| module.region(region).blocks.len())
            .collect();
        let depth = std::iter::successors(module.parent_op(id), |&id| module.parent_op(id)).count();
        lines.push(format!(
            "{depth} {:?} {operands:?} {:?} {:?} {results:?} {regions:?} {args:?}",
            op.opcode, op.segments, op.attrs
        ));
    }
    lines.join("\n")
}

#[test]
fn what_is_printed_reads_back_as_the_same_module() {
    let mut read = 0;
    for (name, source) in corpus() {
        let Some(module) = parse(&source) else {
            continue;
        };
        read += 1;
        let printed = text::print(&module);
        let again = parse(&printed).unwrap_or_else(|| panic!("{name}:\n{printed}"));
        assert_eq!(structure(&module), structure(&again), "{name}");
        assert_eq!(printed, text::print(&again), "{name}");
    }
    assert!(read > 90, "only {read} files parse");
}

/// Returns the module without the parts that bytecode cannot hold: discardable attributes, and some
/// kinds of locations.
fn without_notes(mut module: Module) -> Module {
    module.discardable.clear();
    module.loc = module.loc.with_debug(None);
    for id in module.walk(module.body()) {
        let op = module.op_mut(id);
        op.discardable.clear();
        op.loc = op.loc.with_debug(None);
    }
    module
}

/// Returns `true` if bytecode can hold every operation.
fn has_bytecode(module: &Module) -> bool {
    let ops = module.walk(module.body()).into_iter();
    let mut dialects = ops.map(|id| module.op(id).opcode.dialect());
    dialects.all(tile_core::ops::Dialect::has_bytecode)
}

#[test]
fn bytecode_holds_what_verified_text_says() {
    let mut written = 0;
    for (name, source) in corpus() {
        let Some(module) = parse(&source).filter(has_bytecode) else {
            continue;
        };
        let mut diagnostics = Diagnostics::new();
        let result = verify(without_notes(module), &mut diagnostics);
        diagnostics.take();
        let Ok(module) = result else {
            continue;
        };
        written += 1;
        let bytes = bytecode::write(&module, bytecode::Version::V13_4)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let read = bytecode::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Bytecode does not store the name of the module, and puts its globals first.
        let body = |module: &Module| {
            let structure = structure(module);
            let (globals, others): (Vec<&str>, Vec<&str>) = structure
                .lines()
                .skip(1)
                .partition(|line| line.starts_with("0 Core(Global)"));
            [globals, others].concat().join("\n")
        };
        assert_eq!(body(&module), body(&read), "{name}");
    }
    assert!(written > 90, "only {written} files verify");
}

/// Changes, removes, inserts or copies a few bytes.
fn mutate(source: &str, random: &mut Random<'_>) -> String {
    const BYTES: &[u8] = b"%@{}<>[]():,=-#!?\"\\ \nxif0123456789e.\xC3\xA9";
    let mut bytes = source.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let offset = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[offset] = BYTES[random.below(BYTES.len())],
            1 => drop(bytes.remove(offset)),
            2 => bytes.insert(offset, BYTES[random.below(BYTES.len())]),
            _ => {
                let len = random.below(40).min(bytes.len() - offset);
                let piece = bytes[offset..offset + len].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Replaces one value, number or word of the text by another of its kind, which the parser accepts
/// more often than changed bytes.
fn exchange(source: &str, random: &mut Random<'_>) -> String {
    let bytes = source.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'%' | b'_');
    let mut words = Vec::new();
    let mut offset = 0;
    while offset < bytes.len() {
        let end = (offset..bytes.len())
            .find(|&end| !is_word(bytes[end]))
            .unwrap_or(bytes.len());
        if end > offset {
            words.push(offset..end);
        }
        offset = end + 1;
    }
    let kind = |offset: usize| (bytes[offset] == b'%', bytes[offset].is_ascii_digit());
    let to = words[random.below(words.len())].clone();
    words.retain(|word| kind(word.start) == kind(to.start));
    let from = words[random.below(words.len())].clone();
    format!(
        "{}{}{}",
        &source[..to.start],
        &source[from],
        &source[to.end..]
    )
}

#[test]
fn mutated_text_never_panics_any_stage() {
    let mut random = Random::new(0x9E37_79B9_7F4A_7C15);
    let (mut parsed, mut verified, mut total) = (0, 0, 0);
    for (name, source) in corpus() {
        // Long files would take most of the time without finding more errors.
        if source.len() > 20_000 {
            continue;
        }
        let is_sound = parse(&source).is_some_and(|module| {
            let mut diagnostics = Diagnostics::new();
            let result = verify(module, &mut diagnostics);
            diagnostics.take();
            result.is_ok()
        });
        for number in 0..MUTANTS {
            total += usize::from(is_sound);
            let mutant = match number % 2 {
                0 => mutate(&source, &mut random),
                _ => exchange(&source, &mut random),
            };
            let Some(module) = parse(&mutant) else {
                continue;
            };
            parsed += 1;
            let printed = text::print(&module);
            // The generic form can express every module, valid or not.
            let generic = text::print_with(&module, GENERIC);
            let again = parse(&generic).unwrap_or_else(|| panic!("{name}:\n{mutant}\n{generic}"));
            assert_eq!(structure(&module), structure(&again), "{name}:\n{mutant}");
            let mut diagnostics = Diagnostics::new();
            let result = verify(module, &mut diagnostics);
            diagnostics.take();
            let Ok(module) = result else {
                continue;
            };
            verified += 1;
            let again = parse(&printed).unwrap_or_else(|| panic!("{name}:\n{mutant}\n{printed}"));
            assert_eq!(structure(&module), structure(&again), "{name}");
            let canonical = canonicalize(module).into_inner();
            let mut diagnostics = Diagnostics::new();
            let result = verify(canonical, &mut diagnostics);
            let faults = diagnostics.take();
            assert!(result.is_ok(), "{name}: {faults:#?}\n{mutant}");
        }
    }
    assert!(
        verified * 15 > total,
        "of {total} mutants {parsed} parse and {verified} verify, too few to test anything"
    );
}

fn nested(depth: usize) -> String {
    let open = "if %c {\n".repeat(depth);
    let close = "}\n".repeat(depth);
    format!("entry @k(%c: tile<i1>) {{\n{open}{close}}}\n")
}

#[test]
fn regions_nest_as_deep_as_the_limit_and_no_deeper() {
    let module = parse(&nested(127)).expect("127 branches in an entry are 128 regions");
    let printed = text::print(&module);
    assert!(parse(&printed).is_some());
    let mut diagnostics = Diagnostics::new();
    assert!(verify(module, &mut diagnostics).is_ok());
    assert!(parse(&nested(128)).is_none());
    assert!(parse(&nested(100_000)).is_none());
}

#[test]
fn deep_lists_and_types_are_refused() {
    let lists = "[".repeat(100_000);
    assert!(parse(&format!("entry @k() {{\n%a = constant <i32: {lists}\n}}")).is_none());
    let types = "tile<".repeat(100_000);
    assert!(parse(&format!("entry @k(%a: {types}) {{\n}}")).is_none());
    let views = "partition_view<tile=(1), ".repeat(100_000);
    assert!(parse(&format!("entry @k(%a: {views}) {{\n}}")).is_none());
}

/// This is not a file test, because `tileirdisasm` crashes on the module.
#[test]
fn a_query_of_rank_0_has_no_type_to_write_and_is_printed_in_generic_form() {
    let source = "entry @k(%v: tensor_view<f32>) {\n\
                  get_tensor_shape %v : tensor_view<f32> -> tile<i32>\n}";
    let module = parse(source).expect("the type of no results may be written");
    let printed = text::print(&module);
    let generic = "\"cuda_tile.get_tensor_shape\"(%v) : (!cuda_tile.tensor_view<f32>) -> ()";
    assert!(printed.contains(generic), "{printed}");
    let again = parse(&printed).expect("it reads back");
    assert_eq!(structure(&module), structure(&again));
}
