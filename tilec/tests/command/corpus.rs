//! Tests that run kernels of an independent producer with `tilec run`, and compare the results with `NumPy`.
//!
//! `corpus/model.py` makes the inputs, the exact results and the tolerances, which its header
//! lists. Every kernel runs from every version of the bytecode.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::tools_are_there;
use crate::python;
use crate::support::{Tilec, text_of};

/// Returns the numbers in a file.
fn numbers(bytes: &[u8], ty: &str) -> Vec<f64> {
    match ty {
        "float64" => lanes(bytes).map(f64::from_le_bytes).collect(),
        "float32" => lanes(bytes)
            .map(|lane| f64::from(f32::from_le_bytes(lane)))
            .collect(),
        "int32" => lanes(bytes)
            .map(|lane| f64::from(i32::from_le_bytes(lane)))
            .collect(),
        "bfloat16" => {
            let wide = |lane| f32::from_bits(u32::from(u16::from_le_bytes(lane)) << 16);
            lanes(bytes).map(|lane| f64::from(wide(lane))).collect()
        }
        other => panic!("the model makes no `{other}`"),
    }
}

fn lanes<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    let (lanes, rest) = bytes.as_chunks();
    assert!(rest.is_empty(), "{} bytes", bytes.len());
    lanes.iter().copied()
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tile-core/tests/corpus")
}

/// Returns a folder with the inputs and the results; `None` without Python.
fn modelled() -> Option<Tilec> {
    let Some(mut python) = python::python() else {
        python::skip("numpy and ml_dtypes for Python");
        return None;
    };
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/model.py");
    let tilec = Tilec::new();
    let output = python
        .arg(model)
        .arg(tilec.folder.path())
        .output()
        .expect("Python starts");
    assert!(output.status.success(), "{}", text_of(&output.stderr));
    Some(tilec)
}

#[test]
fn the_corpus_gives_what_numpy_gives() {
    let Some(tilec) = modelled() else { return };
    let mut files: Vec<PathBuf> = fs::read_dir(corpus())
        .expect("the corpus is there")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "tilebc")
        })
        .collect();
    files.sort();
    assert_eq!(files.len(), 32);
    for file in files {
        let name = file.file_name().expect("a file").to_string_lossy();
        let (kernel, _version) = name.split_once('.').expect("a kernel and a version");
        for options in [&[][..], &["--check"]] {
            run(&tilec, &file, kernel, options);
        }
    }
}

/// The names of all kernels.
const KERNELS: [&str; 8] = [
    "attention_128x64x128",
    "collatz",
    "histogram",
    "matmul_128x128x64",
    "matmul_128x256x64",
    "matmul_256x128x64",
    "softmax_4096",
    "vector_add",
];

/// The target architectures, from the oldest to the newest.
const ARCHS: [&str; 6] = ["sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a"];

#[test]
fn the_corpus_gives_in_the_simulator_what_numpy_gives() {
    if !tools_are_there() {
        return;
    }
    let Some(tilec) = modelled() else { return };
    for kernel in KERNELS {
        let file = corpus().join(format!("{kernel}.13.4.tilebc"));
        for arch in ARCHS {
            let arch = format!("--arch={arch}");
            run(&tilec, &file, kernel, &["--device=sim", &arch]);
        }
    }
}

/// Kernels whose loops prefetch tiles of at least two tensors.
const WITH_MAPS: [&str; 4] = [
    "attention_128x64x128",
    "matmul_128x128x64",
    "matmul_128x256x64",
    "matmul_256x128x64",
];

#[test]
fn the_corpus_gives_with_tensor_maps_what_numpy_gives() {
    if !tools_are_there() {
        return;
    }
    let Some(tilec) = modelled() else { return };
    for kernel in KERNELS {
        let file = corpus().join(format!("{kernel}.13.4.tilebc"));
        let options = ["--device=sim", "--arch=sm_90a", "--tensor-maps=host"];
        run(&tilec, &file, kernel, &options);
    }
}

/// The kernels of `benches/gpu`, which are timed.
const TIMED: [&str; 9] = [
    "attention_128x128x128",
    "attention_128x64x64",
    "attention_causal_128x128x64",
    "attention_causal_128x64x128",
    "copy_8192",
    "cross_entropy_4096",
    "product_f8_128x128x128",
    "product_f8_128x256x128",
    "rms_norm_4096",
];

#[test]
fn the_kernels_that_are_timed_give_what_numpy_gives() {
    if !tools_are_there() {
        return;
    }
    let Some(tilec) = modelled() else { return };
    for kernel in TIMED {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/gpu");
        let file = folder.join(format!("{kernel}.tilebc"));
        let options = ["--device=sim", "--arch=sm_90a", "--tensor-maps=host"];
        run(&tilec, &file, kernel, &options);
    }
}

#[test]
fn what_is_said_of_tensor_maps_is_enough_to_launch_with_them() {
    if !tools_are_there() {
        return;
    }
    let Some(tilec) = modelled() else { return };
    for kernel in WITH_MAPS {
        let file = corpus().join(format!("{kernel}.13.4.tilebc"));
        let file = file.to_str().expect("a path in UTF-8");
        let build = ["build", file, "--arch=sm_90a", "--emit=ptx"];
        let described = ["--tensor-maps=host", "--launches=launches.json"];
        let ptx = tilec.prints(&[&build[..], &described].concat(), b"");
        let json = text_of(&tilec.read("launches.json"));
        let launches: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let launch = &launches["launches"][0];
        let maps = launch["maps"].as_array().map_or(0, Vec::len);
        assert!(maps >= 2, "{json}");
        let results = launched(&tilec, kernel, &ptx, launch);
        compare(&tilec, kernel, &results);
    }
}

/// Returns the output of a kernel after a launch that follows the description, as another program
/// would make it.
fn launched(tilec: &Tilec, kernel: &str, ptx: &str, launch: &serde_json::Value) -> Vec<u8> {
    let text = |name: &str| text_of(&tilec.read(&format!("{kernel}/{name}")));
    let module = tile_sim::Module::parse(ptx).expect("PTX");
    let mut memory = tile_sim::Memory::new();
    let (mut words, mut args) = (Vec::new(), Vec::new());
    let mut output = None;
    for argument in text("args").lines() {
        let (kind, value) = argument.split_once(':').expect("a kind and a value");
        if kind == "buffer" {
            let bytes = tilec.read(&format!("{kernel}/{value}"));
            let address = memory.alloc_with(&bytes, 256);
            output = Some(address);
            words.push(address);
            args.push(tile_sim::Arg::from(address));
        } else {
            let number: u32 = value.parse().expect("an extent");
            words.push(u64::from(number));
            args.push(tile_sim::Arg::bytes(&number.to_le_bytes()));
        }
    }
    let parameters = launch["parameters"].as_array().expect("types");
    assert_eq!(parameters.len(), args.len());
    for map in launch["maps"].as_array().expect("maps") {
        args.push(tile_sim::Arg::bytes(&encoded(map, &words).to_bytes()));
    }
    let mut grid = [1_u32; 3];
    for (extent, text) in grid.iter_mut().zip(text("grid").split(',')) {
        *extent = text.parse().expect("an extent");
    }
    let number = |key: &str| {
        let number = launch[key].as_u64().expect("a number");
        u32::try_from(number).expect("32 bits")
    };
    let entry = launch["entry"].as_str().expect("a name");
    let described = tile_sim::Launch::new(entry)
        .grid(grid)
        .threads(number("threads"))
        .dynamic_shared_bytes(number("shared_bytes"))
        .args(args);
    let done = module.launch(&described, &mut memory, &tile_sim::Options::default());
    done.unwrap_or_else(|fault| panic!("{kernel}: {fault}"));
    let output = output.expect("a buffer");
    memory.bytes(output).expect("it was allocated").to_vec()
}

/// Encodes a tensor map as `docs/launch.md` explains it.
fn encoded(map: &serde_json::Value, words: &[u64]) -> tile_sim::TensorMap {
    let integer = |value: &serde_json::Value| value.as_u64().expect("a number");
    let number = |value: &serde_json::Value| match value.get("parameter") {
        Some(parameter) => words[usize::try_from(integer(parameter)).expect("a position")],
        None => integer(&value["constant"]),
    };
    let bytes = integer(&map["element_bytes"]);
    let axes = map["axes"].as_array().expect("axes");
    let extents: Vec<u64> = axes.iter().map(|axis| number(&axis["extent"])).collect();
    let strides: Vec<u64> = axes[1..]
        .iter()
        .map(|axis| number(&axis["stride"]) * bytes)
        .collect();
    let boxes: Vec<u32> = axes
        .iter()
        .map(|axis| u32::try_from(integer(&axis["box"])).expect("a length"))
        .collect();
    let base = usize::try_from(integer(&map["base"])).expect("a position");
    assert_eq!((bytes, number(&axes[0]["stride"])), (2, 1));
    let options = tile_sim::TensorMapOptions {
        swizzle: match integer(&map["swizzle_bytes"]) {
            0 => tile_sim::Swizzle::None,
            32 => tile_sim::Swizzle::Bytes32,
            64 => tile_sim::Swizzle::Bytes64,
            128 => tile_sim::Swizzle::Bytes128,
            other => panic!("no swizzle of {other} bytes"),
        },
        ..tile_sim::TensorMapOptions::default()
    };
    tile_sim::TensorMap::tiled(
        tile_sim::TensorType::UInt16,
        words[base],
        &extents,
        &strides,
        &boxes,
        &vec![1; axes.len()],
        options,
    )
    .expect("tensors of the model have maps")
}

#[test]
fn a_tensor_without_a_map_is_an_error_with_a_cure() {
    if !tools_are_there() {
        return;
    }
    let tilec = Tilec::new().with("a", []).with("b", []);
    let file = corpus().join("matmul_128x128x64.13.4.tilebc");
    let file = file.to_str().expect("a path in UTF-8");
    let run = "--grid=1 --arg=buffer:a --arg=i32:16 --arg=i32:0 --arg=i32:16 --arg=i32:1 --arg=buffer:b --arg=i32:0 \
         --arg=i32:16 --arg=i32:16 --arg=i32:1 --arg=zeros:c:512 --arg=i32:16 --arg=i32:16 --arg=i32:16 --arg=i32:1";
    let mut run: Vec<&str> = run.split_whitespace().collect();
    run.splice(..0, ["run", file, "--device=sim", "--arch=sm_90a"]);
    let stderr = tilec.fails(&[&run[..], &["--tensor-maps=host"]].concat(), b"");
    for part in ["parameter 0 has no tensor map: ", "`--tensor-maps=none`"] {
        assert!(stderr.contains(part), "{stderr}");
    }
    // Without maps, the kernel runs without an error, since the sum has no terms.
    assert_eq!(tilec.prints(&run, b""), "");
    assert_eq!(tilec.read("c"), [0; 512]);
}

/// Runs the kernel in `file`, and compares its output.
fn run(tilec: &Tilec, file: &Path, kernel: &str, options: &[&str]) {
    let read = |name: &str| tilec.read(&format!("{kernel}/{name}"));
    let text = |name: &str| text_of(&read(name));
    let before = read("out");
    let place = |argument: &str| format!("--arg={}", argument.replace(':', &format!(":{kernel}/")));
    let args = text("args");
    let args = args
        .lines()
        .map(|argument| match argument.strip_prefix("buffer:") {
            Some(_) => place(argument),
            None => format!("--arg={argument}"),
        });
    let args: Vec<String> = args.collect();
    let grid = format!("--grid={}", text("grid"));
    let entry = format!("--entry={kernel}");
    let file = file.to_str().expect("a path in UTF-8");
    let mut run = vec!["run", file, &entry, &grid];
    run.extend(
        args.iter()
            .map(String::as_str)
            .chain(options.iter().copied()),
    );
    assert_eq!(tilec.prints(&run, b""), "", "{file}");

    compare(tilec, kernel, &read("out"));
    fs::write(tilec.path(&format!("{kernel}/out")), before).expect("a writable folder");
}

/// Compares an output with the output of the model, within its tolerances.
fn compare(tilec: &Tilec, kernel: &str, output: &[u8]) {
    let read = |name: &str| tilec.read(&format!("{kernel}/{name}"));
    let results = numbers(output, &text_of(&read("type")));
    let expected = numbers(&read("expected"), "float64");
    let allowed = numbers(&read("allowed"), "float64");
    assert_eq!(results.len(), expected.len(), "{kernel}");
    for (index, (result, (expected, allowed))) in results
        .iter()
        .zip(expected.iter().zip(&allowed))
        .enumerate()
    {
        let error = (result - expected).abs();
        assert!(
            error <= *allowed,
            "{kernel}: element {index} is {result}, expected {expected} ± {allowed}"
        );
    }
}
