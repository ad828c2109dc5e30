//! Tests that the launch description of `--cluster-split=auto` suffices to launch cluster splits.

use std::path::Path;

use serde_json::Value;

use crate::build::tools_are_there;
use crate::support::{Tilec, text_of};

/// A kernel of the back end's tests, and the arguments of a launch.
struct Kernel {
    file: &'static str,
    /// Options of `tilec build`.
    options: &'static [&'static str],
    work_tiles: u32,
    /// Blocks per work tile.
    blocks_per_tile: u32,
    /// The last index of the first buffer, which has elements of 4 bytes.
    input: u16,
    /// The size of the second buffer.
    output_bytes: usize,
    /// `true` for floats.
    is_float: bool,
}

const KERNELS: [Kernel; 2] = [
    Kernel {
        file: "softmax_long",
        options: &[],
        work_tiles: 2,
        blocks_per_tile: 8,
        input: u16::MAX,
        output_bytes: 4 << 16,
        is_float: true,
    },
    // This kernel reads its block index and the number of blocks.
    Kernel {
        file: "pointers",
        options: &["--cluster=2"],
        work_tiles: 3,
        blocks_per_tile: 2,
        input: 12287,
        output_bytes: 12,
        is_float: false,
    },
];

impl Kernel {
    fn path(&self) -> String {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tile-backend/tests/run/files");
        let path = folder.join(format!("cluster_split/{}.mlir", self.file));
        path.to_str().expect("a path in UTF-8").to_owned()
    }

    /// Returns numbers from -32 to 31 in a mixed order.
    fn input(&self) -> Vec<u8> {
        let bytes_of = |index: u16| {
            let number = i16::try_from(index.wrapping_mul(37) % 64).expect("small") - 32;
            if self.is_float {
                f32::from(number).to_le_bytes()
            } else {
                i32::from(number).to_le_bytes()
            }
        };
        (0..=self.input).flat_map(bytes_of).collect()
    }

    /// Returns both buffers after a run in `tilec`.
    fn run(&self, options: &[&str]) -> [Vec<u8>; 2] {
        let tilec = Tilec::new().with("in", self.input());
        let (path, grid) = (self.path(), format!("--grid={}", self.work_tiles));
        let output = format!("--arg=zeros:out:{}", self.output_bytes);
        let run = ["run", &path, &grid, "--arg=buffer:in", &output];
        assert_eq!(tilec.prints(&[&run[..], options].concat(), b""), "");
        [tilec.read("in"), tilec.read("out")]
    }

    /// Returns the PTX of the kernel and its launch description.
    fn build(&self, options: &[&str]) -> (String, Value) {
        let tilec = Tilec::new();
        let path = self.path();
        let build = ["build", &path, "--arch=sm_90a", "--emit=ptx"];
        let more = [self.options, &["--launches=launches.json"], options].concat();
        let ptx = tilec.prints(&[&build[..], &more].concat(), b"");
        let json: Value = serde_json::from_slice(&tilec.read("launches.json")).expect("JSON");
        (ptx, json["launches"][0].clone())
    }

    /// Returns both buffers after a launch that follows the description, as another program would make it.
    fn launched(&self, ptx: &str, launch: &Value) -> [Vec<u8>; 2] {
        let number = |key: &str| {
            let number = launch[key].as_u64().expect("a number");
            u32::try_from(number).expect("32 bits")
        };
        let module = tile_sim::Module::parse(ptx).expect("PTX");
        let mut memory = tile_sim::Memory::new();
        let input = memory.alloc_with(&self.input(), 256);
        let output = memory.alloc_with(&vec![0; self.output_bytes], 256);
        let (parts, cluster) = (number("blocks_per_tile"), number("cluster"));
        let described = tile_sim::Launch::new(launch["entry"].as_str().expect("a name"))
            .grid([self.work_tiles * parts, 1, 1])
            .cluster([cluster, 1, 1])
            .threads(number("threads"))
            .dynamic_shared_bytes(number("shared_bytes"))
            .args([input, output].map(tile_sim::Arg::from));
        let done = module.launch(&described, &mut memory, &tile_sim::Options::default());
        done.unwrap_or_else(|fault| panic!("{}: {fault}", self.file));
        [input, output].map(|address| memory.bytes(address).expect("it was allocated").to_vec())
    }

    fn compare(&self, actual: &[Vec<u8>; 2], expected: &[Vec<u8>; 2]) {
        if !self.is_float {
            assert!(actual == expected, "{}: another result", self.file);
            return;
        }
        let numbers = |bytes: &[u8]| {
            let (lanes, _) = bytes.as_chunks();
            lanes.iter().copied().map(f32::from_le_bytes).collect()
        };
        let [actual, expected]: [Vec<f32>; 2] =
            [actual, expected].map(|buffers| numbers(&buffers[1]));
        let largest = expected.iter().copied().fold(0.0, f32::max);
        for (index, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
            // The order of summation differs, so the sums may differ slightly.
            let is_same = (actual - expected).abs() <= 1e-5 * largest;
            assert!(is_same, "{}: {index}: {actual}, not {expected}", self.file);
        }
    }
}

#[test]
fn what_is_said_of_shared_positions_is_enough_to_launch_them() {
    if !tools_are_there() {
        return;
    }
    for kernel in KERNELS {
        let expected = kernel.run(&[]);
        let (ptx, launch) = kernel.build(&["--cluster-split=auto"]);
        let shared = [&launch["blocks_per_tile"], &launch["cluster"]];
        assert_eq!(shared, [kernel.blocks_per_tile; 2], "{}", kernel.file);
        kernel.compare(&kernel.launched(&ptx, &launch), &expected);

        let (ptx, launch) = kernel.build(&[]);
        assert_eq!([&launch["blocks_per_tile"], &launch["cluster"]], [1; 2]);
        kernel.compare(&kernel.launched(&ptx, &launch), &expected);
    }
}

#[test]
fn the_simulated_gpu_starts_the_clusters_that_share_positions() {
    if !tools_are_there() {
        return;
    }
    let kernel = &KERNELS[0];
    let sim = ["--device=sim", "--arch=sm_90a"];
    let shared = [&sim[..], &["--cluster-split=auto"]].concat();
    kernel.compare(&kernel.run(&shared), &kernel.run(&[]));
    // Only the blocks of a cluster wait at cluster barriers.
    let barriers = |options: &[&str]| {
        let tilec = Tilec::new().with("in", kernel.input());
        let path = kernel.path();
        let run = ["run", &path, "--grid=2", "--arg=buffer:in", "--json"];
        let output = format!("--arg=zeros:out:{}", kernel.output_bytes);
        let output = tilec.run(&[&run[..], &[&output], options].concat());
        let json: Value = serde_json::from_str(&text_of(&output.stdout)).expect("JSON");
        json["counters"]["barriers"]["cluster"].as_u64()
    };
    assert!(barriers(&shared) > Some(0));
    assert_eq!(barriers(&sim), Some(0));
}
