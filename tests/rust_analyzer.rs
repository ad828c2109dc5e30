//! Tests the types that rust-analyzer sees. rustc checks the copies of all kernels in the examples and in the
//! programs of `ui-tests/pass`, with the environment variable set that rust-analyzer sets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// "Type annotations needed", for types and constants. The copies do not model shapes, so a parameter `N` of
/// `f::<N>` that occurs only in shapes remains unknown. rustc also looks up the operator of `zeros([64]) +
/// 1.0` before it knows the stored type. rust-analyzer reports none of these errors: it shows `_`.
const UNDECIDED: [&str; 3] = ["error[E0282]", "error[E0283]", "error[E0284]"];

/// Methods of the host that the documentation's part about kernels also mentions.
const OF_THE_HOST: [(&str, &str); 4] = [
    ("as_device_ptr", "src/pointer.rs"),
    ("as_device_mut_ptr", "src/pointer.rs"),
    ("tiles", "src/tensor.rs"),
    ("shape", "src/tensor.rs"),
];

/// The environment variable that rust-analyzer sets.
const VARIABLE: &str = "RUST_ANALYZER_INTERNALS_DO_NOT_USE";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Builds the libraries that examples link to, in the profile of the tests, and returns them by name.
fn libraries() -> BTreeMap<String, PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    // The tests of the whole workspace are built like this, so that nothing is compiled a second time.
    cargo.args(["build", "--quiet", "--workspace", "--examples"]);
    cargo.arg("--message-format=json");
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let output = cargo.current_dir(root()).output().expect("cargo starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("cargo writes JSON");
    let mut libraries = BTreeMap::new();
    // Only the file names in each message are needed.
    for name in text
        .split('"')
        .filter(|name| Path::new(name).extension().is_some_and(|it| it == "rlib"))
    {
        let path = PathBuf::from(name);
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.and_then(|stem| stem.strip_prefix("lib"));
        let Some(stem) = stem else { continue };
        let name = stem.rsplit_once('-').map_or(stem, |(name, _)| name);
        libraries.insert(name.to_owned(), path);
    }
    libraries
}

/// Checks one program with rustc.
fn check(program: &Path, libraries: &BTreeMap<String, PathBuf>, out: &Path) -> Output {
    let mut rustc = Command::new("rustc");
    rustc
        .env(VARIABLE, "1")
        .args(["--edition=2024", "--crate-type=bin", "--emit=metadata"])
        .arg("--out-dir")
        .arg(out)
        .arg(program);
    for (name, path) in libraries {
        if ["tile_kernel", "fastrand", "indicatif"].contains(&name.as_str()) {
            rustc.arg(format!("--extern={name}={}", path.display()));
        }
        let folder = path.parent().expect("a file is in a folder");
        rustc.arg(format!("-Ldependency={}", folder.join("deps").display()));
        rustc.arg(format!("-Ldependency={}", folder.display()));
    }
    rustc.output().expect("rustc starts")
}

/// Returns rustc's errors other than those for unknown types.
fn faults(output: &Output) -> Option<String> {
    if output.status.success() {
        return None;
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut errors = text
        .lines()
        .filter(|line| line.starts_with("error") && !line.starts_with("error: aborting"))
        .peekable();
    let is_open = |line: &str| UNDECIDED.iter().any(|code| line.starts_with(code));
    let are_open = errors.peek().is_some() && errors.all(is_open);
    (!are_open).then_some(text)
}

/// Writes the programs in the language's documentation to a folder.
fn documented(out: &Path) -> Vec<PathBuf> {
    let page = std::fs::read_to_string(root().join("docs/language.md")).expect("the page is there");
    let texts = page.split("```rust\n").skip(1);
    let texts = texts.map(|rest| rest.split("```").next().unwrap_or_default());
    let write = |(number, text): (usize, &str)| {
        let program = out.join(format!("language_{number}.rs"));
        std::fs::write(&program, text).expect("the folder for tests can be written to");
        program
    };
    let with_main = texts.filter(|text| text.contains("fn main()"));
    with_main.enumerate().map(write).collect()
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut programs: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .map(|path| {
            if path.is_dir() {
                path.join("main.rs")
            } else {
                path
            }
        })
        .filter(|path| path.extension().is_some_and(|end| end == "rs") && path.exists())
        .collect();
    programs.sort();
    programs
}

#[test]
fn copies_of_kernels_have_types() {
    let libraries = libraries();
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust_analyzer");
    std::fs::create_dir_all(&out).expect("the folder for tests can be written to");
    let groups = [
        programs("examples"),
        programs("ui-tests/pass"),
        documented(&out),
    ];
    assert!(groups.iter().all(|group| group.len() >= 7), "{groups:?}");
    let types: Vec<String> = groups
        .iter()
        .flatten()
        .filter_map(|program| {
            let text = faults(&check(program, &libraries, &out))?;
            Some(format!("{}:\n{text}", program.display()))
        })
        .collect();
    assert!(types.is_empty(), "{}", types.join("\n"));

    // The author's functions and structs are type-checked too. Like rust-analyzer, rustc finds a kernel with
    // wrong types.
    for (name, text, is_sound) in [
        ("helpers", HELPERS, true),
        ("memory", MEMORY, true),
        ("wrong", WRONG, false),
        ("pointed", POINTED, false),
    ] {
        let program = out.join(name).with_extension("rs");
        std::fs::write(&program, text).expect("the folder for tests can be written to");
        let output = check(&program, &libraries, &out);
        let text = String::from_utf8_lossy(&output.stderr);
        if is_sound {
            assert!(output.status.success(), "{text}");
        } else {
            assert!(text.contains("found `Tile<f32, 1>`"), "{text}");
            assert!(faults(&output).is_some(), "{text}");
        }
    }
}

const HELPERS: &str = r"
use tile_kernel::prelude::*;

#[tile_fn]
fn gelu(x: Tile<f32, { [64] }>) -> Tile<f32, { [64] }> {
    let inner = 0.797_884_6 * (x + 0.044_715 * x * x * x);
    0.5 * x * (1.0 + inner.tanh())
}

#[tile_fn]
fn twice<T: Element>(x: T) -> T {
    x + x
}

#[tile_kernel]
mod kernels {
    const N: usize = 64;

    fn halves(x: Tile<f32, { [N] }>) -> (Tile<f32, { [N] }>, Tile<bool, { [N] }>) {
        (x / 2.0, x > 0.0)
    }

    #[tile_kernel(grid = y.tiles([N]))]
    pub fn activate(y: &mut Tensor<f32, 1>, factor: f32) {
        let x = y.load([block_id(0)], [N]);
        let (half, positive) = halves(super::gelu(x));
        y.store([block_id(0)], select(positive, half * super::twice(factor), 0.0));
    }
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::full(&Device::cpu(), [100], 1.0)?;
    kernels::activate(&mut y, 3.0).launch()
}
";

/// Every kind of memory access, with indices of several types.
const MEMORY: &str = r#"
use tile_kernel::prelude::*;

/// # Safety
/// `x` and `y` point to 64 elements.
#[tile_kernel(grid = 1, arch("cpu"))]
unsafe fn pointers(x: *const i32, y: *mut i32, n: i32) {
    let i = iota::<i32>(64);
    unsafe {
        let at = y.offset(i).offset(1);
        let t: Tile<i32, { [64] }> = x.offset(i).load_masked(i < n, 0);
        at.store_masked(t, i < n);
        at.store(at.load() + t);
        let one: i32 = x.offset(3).load();
        let before: Tile<i32, { [64] }> = at.atomic_add(one, Ordering::AcqRel);
        let previous: i32 = y.atomic_cas(0, one);
        at.store(before.max(previous));
        let read: i32 = y.atomic_load(Ordering::Acquire, Scope::System);
        y.atomic_store_masked(read, n > 3, Ordering::Release);
        at.atomic_xor_masked(at.atomic_load_masked(i < n), i < n, Ordering::Relaxed);
    }
}

#[tile_kernel(grid = 1, arch("cpu"))]
fn views(x: &Tensor<f32, 2>, ids: &Tensor<i32, 1>, y: &mut Tensor<f32, 2>, n: &mut Tensor<i32, 1>) {
    let rows = ids.load([0], [16]);
    let view = x.gather_view(0, [16, 64]).with_padding(Padding::NegInf);
    let t: Tile<f32, { [16, 64] }> = view.load([rows, 0]);
    let column: Tile<f32, { [16] }> = x.gather([rows, 1]);
    let before: Tile<i32, { [16] }> = n.atomic_max([rows], 1, Ordering::Relaxed, Scope::Block);
    n.partition([16]).atomic_add([0_i64], before, Ordering::Relaxed);
    let one: i32 = n.atomic_add([0], 1, Ordering::SeqCst);
    n.atomic_store([1], one, Ordering::Release);
    fence(Ordering::AcqRel);
    fence(Ordering::Acquire, Scope::System);
    let read: i32 = ids.atomic_load([one], Ordering::Acquire);
    let masked: Tile<i32, { [16] }> = n.atomic_cas_masked([rows], read, 1, rows < 3);
    n.atomic_store_masked([rows], masked, true);
    y.partition([16, 64]).atomic_add([0, 0_i64], t + column.unsqueeze(1));
}

#[tile_kernel(arch("cpu"))]
fn sums(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, n: i32) {
    let (sum, most) = parallel(0..n)
        .map(|i| {
            let t = x.load([i], [64]);
            y.store([i], t);
            (t.sum(0), i)
        })
        .reduce((0.0, 0), |(a, b), (c, d)| (a + c, b.max(d)));
    y.store([most], full([64], sum));
}

fn main() {}
"#;

const WRONG: &str = r"
use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([64]))]
fn k(c: &mut Tensor<f32, 1>) {
    let t: i32 = c.load([0], [64]);
}

fn main() {}
";

const POINTED: &str = r#"
use tile_kernel::prelude::*;

#[tile_kernel(grid = 1, arch("cpu"))]
unsafe fn k(p: *mut f32) {
    let t: i32 = unsafe { p.offset(iota::<i32>(64)).load() };
}

fn main() {}
"#;

/// Returns the methods in backquotes in the language's documentation, without those of the host.
fn documented_methods(page: &str) -> Vec<&str> {
    let kernel = page.split("\n## The host side").next().unwrap_or_default();
    let mut names = Vec::new();
    for code in kernel.split('`').skip(1).step_by(2) {
        let receiver = ["x.", "y.", "p.", "v."]
            .iter()
            .find_map(|lead| code.strip_prefix(lead));
        let Some(rest) = receiver else { continue };
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let (name, behind) = rest.split_at(end.unwrap_or(rest.len()));
        if behind.starts_with(['(', ':']) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[test]
fn every_documented_method_of_kernels_has_a_signature() {
    let page = std::fs::read_to_string(root().join("docs/language.md")).expect("the page is there");
    let mut signatures = String::new();
    let folder = std::fs::read_dir(root().join("src/shadow")).expect("the folder is there");
    for entry in folder {
        let path = entry.expect("the folder can be read").path();
        signatures += &std::fs::read_to_string(path).expect("a readable file");
    }
    let names = documented_methods(&page);
    assert!(names.len() >= 35, "{names:?}");
    let is_known = |name: &&str| {
        signatures.contains(&format!("fn {name}(")) || signatures.contains(&format!("fn {name}<"))
    };
    for (name, file) in OF_THE_HOST {
        let host = std::fs::read_to_string(root().join(file)).expect("a readable file");
        assert!(host.contains(&format!("pub fn {name}(")) && names.contains(&name));
    }
    let missing: Vec<&str> = names
        .into_iter()
        .filter(|name| OF_THE_HOST.iter().all(|(own_name, _)| own_name != name) && !is_known(name))
        .collect();
    assert!(
        missing.is_empty(),
        "without a signature in `src/shadow/`: {missing:?}"
    );
}
