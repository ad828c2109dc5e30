//! File tests of the loop IR: `tests/loops/*.mlir` have a kernel, and behind `// ---` its loops.
//!
//! The first line names the level. `TILE_BLESS=1` writes the loops that are found.

use std::fs;
use std::path::{Path, PathBuf};

use tile_core::{Diagnostics, Module, text};

use super::ir::{BufferId, Inst, Kernel, Nest, Product, Signs, Stmt, Unit, Val};
use super::native_tests::canonical;
use super::{Level, build, distinct_levels, ir};

/// Separates a kernel from its loops.
const SEPARATOR: &str = "\n// ---\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops")
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

/// Returns the canonical module of a file, and its level.
fn read(source: &str, name: &str) -> (Module, Level) {
    let level = source
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("// level: "))
        .and_then(Level::from_name)
        .unwrap_or_else(|| panic!("{name} begins with `// level: ` and a level"));
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, name, &mut diagnostics);
    let module = module.unwrap_or_else(|_| panic!("{name}: {:#?}", diagnostics.take()));
    (canonical(&module), level)
}

/// Returns the loops of the entries, each line in a comment.
fn loops(source: &str, name: &str) -> String {
    let (module, level) = read(source, name);
    let mut all = String::new();
    for entry in module.entries() {
        let text = match build::build(&module, entry, level) {
            Ok(kernel) => {
                assert_eq!(ir::verify(&kernel), Ok(()), "{name}");
                ir::to_text(&kernel, &module)
            }
            Err(refused) => format!("refused: {}\n", refused.reason),
        };
        for line in text.lines() {
            all += format!("// {line}").trim_end();
            all.push('\n');
        }
    }
    all
}

#[test]
fn kernels_become_the_loops_in_the_files() {
    let is_blessing = std::env::var_os("TILE_BLESS").is_some();
    let mut stale = Vec::new();
    for path in files() {
        let name = path
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        let whole = fs::read_to_string(&path).expect("a text");
        let (source, expected) = whole
            .split_once(SEPARATOR)
            .unwrap_or((whole.trim_end(), ""));
        let found = loops(source, &name);
        if found == expected {
            continue;
        }
        if is_blessing {
            fs::write(&path, format!("{source}{SEPARATOR}{found}")).expect("it can be written");
        } else {
            stale.push(format!("{name} has these loops now:\n{found}"));
        }
    }
    assert!(
        stale.is_empty(),
        "{}\nrun with `TILE_BLESS=1` and look at the difference",
        stale.join("\n")
    );
}

/// Returns the kernel of a file of `tests/loops`.
fn kernel(name: &str) -> Kernel {
    let source = fs::read_to_string(folder().join(name)).expect("a text");
    let (module, level) = read(&source, name);
    let entry = module.entries().next().expect("an entry");
    build::build(&module, entry, level).expect("native code")
}

fn nests(kernel: &mut Kernel) -> Vec<&mut Nest> {
    let nests = kernel.body.iter_mut().filter_map(|stmt| match stmt {
        Stmt::Nest(nest) => Some(nest),
        _ => None,
    });
    nests.collect()
}

fn product(kernel: &mut Kernel) -> &mut Product {
    let products = kernel.body.iter_mut().find_map(|stmt| match stmt {
        Stmt::Product(product) => Some(product),
        _ => None,
    });
    products.expect("a product")
}

#[test]
fn the_verifier_names_the_rule_that_a_kernel_breaks() {
    const SOFTMAX: &str = "softmax.mlir";
    const FLOW: &str = "control_flow.mlir";
    const PRODUCT: &str = "product_i8_dot.mlir";
    const TILED: &str = "product_i8_amx.mlir";
    type Break = fn(&mut Kernel);
    let broken: [(&str, Break, &str); 17] = [
        (
            SOFTMAX,
            |it| drop(it.body.remove(0)),
            "%v0 is used before it is defined",
        ),
        (
            SOFTMAX,
            |it| {
                let again = Stmt::Let(Val(0), ir::Expr::Constant(0));
                it.body.insert(1, again);
            },
            "%v0 is defined twice",
        ),
        (
            SOFTMAX,
            |it| it.body.insert(0, Stmt::Return),
            "a statement follows a jump",
        ),
        (
            SOFTMAX,
            |it| it.body = vec![Stmt::Break],
            "a jump outside of a loop",
        ),
        (
            SOFTMAX,
            |it| nests(it)[0].axis = vec![7],
            "the axis of a nest is not a range of its bits",
        ),
        (
            SOFTMAX,
            |it| nests(it)[0].axis.clear(),
            "a reduction in a nest without an axis",
        ),
        (
            SOFTMAX,
            |it| it.buffers[2].count = 64,
            "element 127 of %b2, which has 64",
        ),
        (
            SOFTMAX,
            |it| nests(it)[0].bits = 8,
            "7 weights in a nest of 8 bits",
        ),
        (
            FLOW,
            |it| {
                let nest = nests(it).pop().expect("a nest");
                if let Some(Inst::Scatter { value, .. }) = nest.insts.last_mut() {
                    *value = 9;
                }
            },
            "%9 is used before it is computed",
        ),
        (
            PRODUCT,
            |it| product(it).panel = 24,
            "panels of 24 columns, of 64",
        ),
        (
            PRODUCT,
            |it| product(it).k = 18,
            "18 terms of `i8` to sums of `i32`",
        ),
        (
            PRODUCT,
            |it| product(it).b = BufferId(0),
            "%b0 is no operand of a product of 1 x 8 x 64 x 16",
        ),
        (
            PRODUCT,
            |it| product(it).acc = product(it).a,
            "%b0 is an operand of the product that changes it",
        ),
        (
            PRODUCT,
            |it| product(it).signs = Signs::Both,
            "signs Both in Vectors",
        ),
        (
            PRODUCT,
            |it| product(it).demanded = Some([Val(999); 2]),
            "%v999 is used before it is defined",
        ),
        (
            TILED,
            |it| product(it).signs = Signs::LeftShifted,
            "signs LeftShifted in Tiles",
        ),
        (
            "product_f32.mlir",
            |it| product(it).unit = Unit::Tiles,
            "tile registers of `f32`",
        ),
    ];
    for (name, breaks, rule) in broken {
        let mut kernel = kernel(name);
        assert_eq!(ir::verify(&kernel), Ok(()), "{rule}");
        breaks(&mut kernel);
        assert_eq!(ir::verify(&kernel), Err(rule.to_owned()));
    }
}

#[test]
fn only_products_of_bytes_and_bf16_have_code_with_dot_products() {
    let all = [Level::Avx512, Level::Avx512Bf16, Level::Amx];
    for (name, expected) in [
        ("softmax.mlir", &all[..1]),
        ("product_f32.mlir", &all[..1]),
        // Too few terms for tile registers.
        ("product_i8.mlir", &all[..2]),
        ("product_bf16.mlir", &all[..2]),
        ("product_i8_amx.mlir", &all[..]),
        ("product_bf16_amx.mlir", &all[..]),
    ] {
        let source = fs::read_to_string(folder().join(name)).expect("a text");
        let (module, _) = read(&source, name);
        let entry = module.entries().next().expect("an entry");
        assert_eq!(distinct_levels(&module, entry, &all), expected, "{name}");
    }
}
