//! Tests warpgroup MMAs in loops, with every type and orientation of operands.
//!
//! Each case is a test, on `sm_90a`. A kernel multiplies `A[M, K]` by `B[K, N]`, tile by tile along K. A case
//! defines the number of tiles along each axis, whether the last tiles are cut, the orientation of operands
//! in memory, and other arithmetic on the operands before the MMA or on the sum. Elements are small integers,
//! so that sums are exact in any order.

use std::fmt::Write as _;
use std::sync::Arc;

use libtest_mimic::Trial;
use tile_backend::internals::gpu::{OpKind, Reach};
use tile_backend::session::{HostMaps, KernelOptions, Persistence, ScheduleOptions};
use tile_backend::target::Arch;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::compare::Expected;
use super::export;
use super::machine::compile_with_options;
use super::mutation::lowered_with_options;
use super::support;
use super::sweep::Swept;
use super::trial;
use super::waits;

/// Number of seeds of the simulator.
const SEEDS: u64 = 20;

/// The orientation of an operand in memory, and how the kernel states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Orientation {
    /// Rows of the operand are contiguous.
    Straight,
    /// Columns are contiguous: the view exchanges the axes.
    ByView,
    /// Columns are contiguous: the tile is transposed.
    ByPermute,
}

/// The operation on an operand between load and MMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    Negated,
}

/// The operation on the sum in the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sum {
    Left,
    Doubled,
}

#[derive(Clone, Debug)]
struct Case {
    name: String,
    element: Scalar,
    output: Scalar,
    /// Signedness of integer operands.
    signs: [&'static str; 2],
    /// M, N and K of the tile.
    tile: [u64; 3],
    /// Number of tiles along M, N and K.
    tiles: [u64; 3],
    /// Number of elements that the last tiles along M, N and K lack.
    cut: [u64; 3],
    lies: [Orientation; 2],
    /// The orientation of the result; never [`Orientation::ByPermute`].
    result_lies: Orientation,
    /// The type that the sum is converted to before it is stored.
    stored: Option<Scalar>,
    before: [Before; 2],
    sum: Sum,
    /// `true` if only the tensor cores accumulate small floats.
    is_fast: bool,
    kernel_options: KernelOptions,
    /// Texts that the PTX contains.
    has: Vec<String>,
}

impl Case {
    fn new(name: impl Into<String>, element: Scalar, tile: [u64; 3]) -> Self {
        let output = if element == Scalar::I8 {
            Scalar::I32
        } else {
            Scalar::F32
        };
        Self {
            name: name.into(),
            element,
            output,
            signs: ["signed"; 2],
            tile,
            tiles: [1, 1, 3],
            cut: [0; 3],
            lies: [Orientation::Straight, Orientation::Straight],
            result_lies: Orientation::Straight,
            stored: None,
            before: [Before::Nothing; 2],
            sum: Sum::Left,
            is_fast: false,
            kernel_options: KernelOptions::default(),
            has: vec!["wgmma.mma_async".to_owned()],
        }
    }

    fn warps(mut self, count: u32) -> Self {
        self.kernel_options.schedule.num_warps = Some(count);
        self
    }

    fn has(mut self, text: impl Into<String>) -> Self {
        self.has.push(text.into());
        self
    }

    fn stored(&self) -> Scalar {
        self.stored.unwrap_or(self.output)
    }

    /// Returns `true` if TMA stores the result when the host passes a tensor map. Rows must be long enough,
    /// and the tile large enough.
    fn is_stored_by_tensor(&self) -> bool {
        let [rows, columns, _] = self.tile;
        let contiguous = if self.result_lies == Orientation::Straight {
            columns
        } else {
            rows
        };
        let bytes = self.stored().bytes() as u64;
        // Bytes across rows would be written to shared memory individually, whereas a layout conversion uses
        // vectors.
        let are_alone = bytes == 1 && self.result_lies != Orientation::Straight;
        !are_alone && contiguous * bytes >= 64 && rows * columns * bytes >= 4096
    }

    /// Returns for each operand whether it is MN-major although its type requires K-major.
    fn is_across(&self) -> [bool; 2] {
        let is_free = self.element.bytes() == 2;
        let [lhs, rhs] = self.lies.map(|lies| lies == Orientation::Straight);
        [!lhs && !is_free, rhs && !is_free]
    }

    /// Returns the extents M, N and K of the matmul.
    fn extents(&self) -> [u64; 3] {
        [0, 1, 2].map(|axis| (self.tile[axis] * self.tiles[axis]).saturating_sub(self.cut[axis]))
    }

    fn source(&self) -> String {
        let [m, n, k] = self.tile;
        let (element, output, stored) = (self.element, self.output, self.stored());
        let mut body = String::new();
        let divisor = 16 / element.bytes().min(stored.bytes());
        for (name, of) in [("a", element), ("b", element), ("c", stored)] {
            let _ = writeln!(
                body,
                "    %{name} = assume div_by<16>, %{name}0 : tile<ptr<{of}>>"
            );
        }
        for name in ["m", "n", "k"] {
            let _ = writeln!(
                body,
                "    %{name}1 = assume bounded<0, ?>, %{name}0 : tile<i32>\n    %{name} = assume div_by<{divisor}>, %{name}1 : tile<i32>"
            );
        }
        // Adds the view of a `rows` x `columns` matrix, partitioned into tiles.
        let mut view = |name: &str,
                        of: Scalar,
                        rows: &str,
                        columns: &str,
                        tile: [u64; 2],
                        lies: Orientation| {
            let tensor = format!("tensor_view<?x?x{of}, strides=[?,1]>");
            let is_transposed = lies != Orientation::Straight;
            let (outer, inner) = if is_transposed {
                (columns, rows)
            } else {
                (rows, columns)
            };
            let _ = writeln!(
                body,
                "    %v{name} = make_tensor_view %{name}, shape = [%{outer}, %{inner}], strides = [%{inner}, 1] : tile<i32> -> {tensor}"
            );
            let [first, second] = if lies == Orientation::ByPermute {
                [tile[1], tile[0]]
            } else {
                tile
            };
            let map = if lies == Orientation::ByView {
                ", dim_map=[1, 0]"
            } else {
                ""
            };
            let ty = format!(
                "partition_view<tile=({first}x{second}), padding_value = zero, {tensor}{map}>"
            );
            let _ = writeln!(body, "    %p{name} = make_partition_view %v{name} : {ty}");
            ty
        };
        let types = [
            view("a", element, "m", "k", [m, k], self.lies[0]),
            view("b", element, "k", "n", [k, n], self.lies[1]),
            view("c", stored, "m", "n", [m, n], self.result_lies),
        ];
        let zero = if output.is_float() { "0.0" } else { "0" };
        let tile = |rows: u64, columns: u64, of: Scalar| format!("tile<{rows}x{columns}x{of}>");
        let acc = tile(m, n, output);
        let _ = write!(
            body,
            "    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <{output}: {zero}> : {acc}
    %lower = constant <i32: 0> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %last = constant <i32: {}> : tile<i32>
    %up = addi %k, %last : tile<i32>
    %depth = constant <i32: {k}> : tile<i32>
    %trips = divi %up, %depth signed rounding<zero> : tile<i32>
    %sum = for %i in (%lower to %trips, step %step) : tile<i32> iter_values(%acc = %zero) -> ({acc}) {{
",
            k - 1
        );
        let operands = [("a", [m, k], ["%x", "%i"]), ("b", [k, n], ["%i", "%y"])];
        for (side, (name, [rows, columns], [row, column])) in operands.into_iter().enumerate() {
            let lies = self.lies[side];
            let is_permuted = lies == Orientation::ByPermute;
            let (loaded, index) = if is_permuted {
                (tile(columns, rows, element), format!("{column}, {row}"))
            } else {
                (tile(rows, columns, element), format!("{row}, {column}"))
            };
            let _ = writeln!(
                body,
                "      %l{name}, %t{name} = load_view_tko weak %p{name}[{index}] : {}, tile<i32> -> {loaded}, token",
                types[side]
            );
            let ty = tile(rows, columns, element);
            let turned = if is_permuted {
                let _ = writeln!(
                    body,
                    "      %r{name} = permute %l{name} [1, 0] : {loaded} -> {ty}"
                );
                "r"
            } else {
                "l"
            };
            let op = match self.before[side] {
                Before::Nothing => format!("reshape %{turned}{name} : {ty} -> {ty}"),
                Before::Negated if element.is_float() => format!("negf %{turned}{name} : {ty}"),
                Before::Negated => format!("negi %{turned}{name} : {ty}"),
            };
            let _ = writeln!(body, "      %o{name} = {op}");
        }
        let types_of = format!("{}, {}, {acc}", tile(m, k, element), tile(k, n, element));
        let product = if output.is_float() {
            let fast = if self.is_fast { " fast_acc" } else { "" };
            format!("mmaf %oa, %ob, %acc{fast} : {types_of}")
        } else {
            let [lhs, rhs] = self.signs;
            format!("mmai %oa, %ob, %acc {lhs} {rhs} : {types_of}")
        };
        let _ = writeln!(body, "      %product = {product}");
        let next = match (self.sum, output.is_float()) {
            (Sum::Left, _) => format!("reshape %product : {acc} -> {acc}"),
            (Sum::Doubled, true) => {
                format!("addf %product, %product rounding<nearest_even> : {acc}")
            }
            (Sum::Doubled, false) => format!("addi %product, %product : {acc}"),
        };
        let result = tile(m, n, stored);
        let converted = match (stored == output, stored.is_float()) {
            (true, _) => format!("reshape %sum : {acc} -> {acc}"),
            (_, true) => format!("ftof %sum rounding<nearest_even> : {acc} -> {result}"),
            (_, false) => format!("trunci %sum : {acc} -> {result}"),
        };
        let _ = write!(
            body,
            "      %next = {next}
      continue %next : {acc}
    }}
    %result = {converted}
    %stored = store_view_tko weak %result, %pc[%x, %y] : {result}, {}, tile<i32> -> token
",
            types[2]
        );
        format!(
            "cuda_tile.module @kernels {{
  entry @f(%a0: tile<ptr<{element}>>, %b0: tile<ptr<{element}>>, %c0: tile<ptr<{stored}>>, %m0: tile<i32>, %n0: tile<i32>, %k0: tile<i32>) {{
{body}    return
  }}
}}
"
        )
    }

    fn runnable(&self) -> Result<Runnable, String> {
        let source = self.source();
        let module = support::module(&source, "warpgroups")?;
        let [m, n, k] = self.extents();
        let mut random = Random::new(7);
        let mut buffer =
            |of: Scalar, count: u64, range| support::integers(&mut random, of, count.max(1), range);
        let mut args = vec![
            buffer(self.element, m * k, -2..=2),
            buffer(self.element, k * n, -2..=2),
            buffer(self.stored(), m * n, 0..=0),
        ];
        args.extend([m, n, k].map(Argument::Number));
        let tiles = |axis: usize| u32::try_from(self.tiles[axis]).expect("few");
        Ok(Runnable {
            module,
            grid: [tiles(0), tiles(1), 1],
            args,
        })
    }

    fn run(&self) -> Result<(), String> {
        let runnable = self.runnable()?;
        let expected = Expected::new(&runnable, 0.0);
        for (maps, blocks) in [
            (HostMaps::None, Persistence::Off),
            (HostMaps::Encoded, Persistence::Off),
            (HostMaps::Encoded, Persistence::Auto),
        ] {
            if maps == HostMaps::Encoded && self.extents().contains(&0) {
                // A tensor without elements cannot have a tensor map, so launches use the variant without
                // maps.
                continue;
            }
            let kernel_options = KernelOptions {
                schedule: ScheduleOptions {
                    // Persistent kernels are tested without clusters.
                    cluster: (blocks == Persistence::Auto).then_some(1),
                    ..self.kernel_options.schedule
                },
                maps,
                persistence: blocks,
                ..self.kernel_options
            };
            self.run_with(&runnable, &expected, kernel_options)
                .map_err(|what| format!("{maps:?}, {blocks:?}: {what}"))?;
        }
        if !export::is_on()
            && self.kernel_options.schedule.stages.is_none()
            && self.tile[0] * self.tile[1] <= 64 * 64
        {
            let new_expected = || Expected::new(&runnable, 0.0);
            let mutants = waits::of_module(
                &runnable,
                self.kernel_options.schedule.num_warps,
                new_expected,
            )?;
            if mutants < 2 {
                return Err("there is nothing to wait for".to_owned());
            }
            if self.is_across() != [false; 2] {
                let maps = HostMaps::Encoded;
                let kernel_options = KernelOptions {
                    maps,
                    ..self.kernel_options
                };
                waits::with_options(&runnable, kernel_options, new_expected)?;
            }
        }
        Ok(())
    }

    /// Runs the case with TMA multicast, and runs the same code without clusters.
    fn run_in_clusters(mut self) -> Result<(), String> {
        self.tiles[0] = self.tiles[0].next_multiple_of(2);
        if self.extents().contains(&0) {
            return Ok(());
        }
        let runnable = self.runnable()?;
        let expected = Expected::new(&runnable, 0.0);
        let kernel_options = KernelOptions {
            schedule: ScheduleOptions {
                cluster: Some(2),
                ..self.kernel_options.schedule
            },
            maps: HostMaps::Encoded,
            ..self.kernel_options
        };
        let kernel = lowered_with_options(&runnable.module, Arch::SM_90A, kernel_options)?;
        let copies = kernel.op_ids().filter(
            |&id| matches!(&kernel.op(id).kind, OpKind::TmaLoad(copy) if copy.reach == Reach::Cluster),
        );
        let (has_producers, copies) = (kernel.launch.producer_warps > 0, copies.count());
        if (copies > 0) != (has_producers && self.is_halved()) {
            let text = tile_backend::internals::gpu::to_text(&kernel);
            return Err(format!("{copies} copies are for both blocks:\n{text}"));
        }
        self.run_with(&runnable, &expected, kernel_options)
    }

    /// Returns `true` if the right operand, which the blocks of a cluster share, consists of several TMA
    /// boxes or of one box that can be halved.
    fn is_halved(&self) -> bool {
        let [_, columns, depth] = self.tile;
        let (along, across) = match self.lies[1] {
            Orientation::Straight => (columns, depth),
            Orientation::ByView | Orientation::ByPermute => (depth, columns),
        };
        // Swizzle atoms consist of eight rows of at most 128 bytes.
        along * self.element.bytes() as u64 > 128 || across >= 16
    }

    fn run_with(
        &self,
        runnable: &Runnable,
        expected: &Expected,
        kernel_options: KernelOptions,
    ) -> Result<(), String> {
        let artifact = compile_with_options(&runnable.module, Arch::SM_90A, kernel_options)?;
        let ptx = &artifact.ptx[0].1;
        for text in &self.has {
            if !ptx.contains(text) {
                return Err(format!("no `{text}` in\n{ptx}"));
            }
        }
        // Tiles that are also needed in registers, or that are not pipelined, have no tensor maps.
        let is_plain =
            self.before == [Before::Nothing; 2] && self.kernel_options.schedule.stages != Some(1);
        let has_copies = ptx.contains(".shared::cluster.global.");
        if is_plain && has_copies != (kernel_options.maps == HostMaps::Encoded) {
            return Err(format!("copies of tensors: {has_copies}, in\n{ptx}"));
        }
        let is_stored = ptx.contains(".global.shared::cta.bulk_group");
        if is_stored != (kernel_options.maps == HostMaps::Encoded && self.is_stored_by_tensor()) {
            return Err(format!("stores of tensors: {is_stored}, in\n{ptx}"));
        }
        let of_matrices = self.stored().bytes() == 2;
        let has_matrices = ptx.contains("stmatrix.sync.aligned.m8n8.x4");
        // The transposition of bytes uses the same instructions.
        let is_of_sums = self.element.bytes() != 1 || self.is_across() == [false; 2];
        if is_stored && is_of_sums && of_matrices != has_matrices {
            return Err(format!("not as matrices are stored:\n{ptx}"));
        }
        if artifact.spills().next().is_some() {
            return Err("it spills registers".to_owned());
        }
        let conflicts = expected.check_under(&artifact, runnable, super::seeds(SEEDS))?;
        if conflicts > 0 && self.before == [Before::Nothing; 2] {
            return Err(format!("{conflicts} bank conflicts"));
        }
        Ok(())
    }
}

fn cases() -> Vec<Case> {
    use Scalar::{BF16, F8E4M3FN, F8E5M2, F16, I8, TF32};
    let mut cases = Vec::new();
    // Cases for shapes and numbers of warps.
    for (tile, warps) in [
        ([64, 8, 16], 4),
        ([64, 16, 16], 4),
        ([64, 32, 32], 4),
        ([64, 64, 64], 4),
        ([64, 256, 32], 4),
        ([64, 64, 64], 8),
        ([64, 256, 64], 8),
        ([128, 64, 64], 4),
        ([128, 64, 128], 8),
        ([128, 128, 32], 16),
        ([128, 256, 64], 8),
        ([256, 32, 16], 8),
        ([256, 128, 64], 8),
        ([64, 512, 16], 16),
    ] {
        let [m, n, k] = tile;
        let mut case = Case::new(format!("bf16_{m}x{n}x{k}_by_{warps}"), BF16, tile);
        if n < 16 {
            // Rows of 16 bytes are too short for tensor cores.
            case.lies[1] = Orientation::ByPermute;
        }
        cases.push(case.warps(warps));
    }
    // Cases for the orientation of operands and the operations on them.
    let orientations = [
        Orientation::Straight,
        Orientation::ByView,
        Orientation::ByPermute,
    ];
    for lhs in orientations {
        for rhs in orientations {
            for (width, cut) in [(64, [8, 16, 24]), (32, [0, 8, 0])] {
                let mut case = Case::new(
                    format!("f16_{lhs:?}_{rhs:?}_{width}").to_lowercase(),
                    F16,
                    [128, width, width],
                );
                (case.lies, case.cut, case.tiles) = ([lhs, rhs], cut, [2, 2, 3]);
                cases.push(case.warps(8));
            }
        }
    }
    for before in [
        [Before::Negated, Before::Nothing],
        [Before::Nothing, Before::Negated],
        [Before::Negated, Before::Negated],
    ] {
        for lies in [Orientation::Straight, Orientation::ByPermute] {
            let name = format!("{before:?}_{lies:?}").to_lowercase();
            let name = name.replace(['[', ']', ','], "").replace(' ', "_");
            let mut case = Case::new(name, BF16, [128, 64, 32]);
            (case.before, case.lies) = (before, [lies; 2]);
            cases.push(case.warps(8));
        }
    }
    // Cases for types. Except for elements of two bytes, both operands are K-major.
    let along = [Orientation::Straight, Orientation::ByPermute];
    for (name, element, signs) in [
        ("s8", I8, ["signed"; 2]),
        ("u8", I8, ["unsigned"; 2]),
        ("s8_u8", I8, ["signed", "unsigned"]),
        ("u8_s8", I8, ["unsigned", "signed"]),
        ("tf32", TF32, ["signed"; 2]),
        ("e4m3", F8E4M3FN, ["signed"; 2]),
        ("e5m2", F8E5M2, ["signed"; 2]),
    ] {
        let depths: &[u64] = if element == TF32 {
            &[32, 64, 128]
        } else {
            &[32, 64, 256]
        };
        for &depth in depths {
            let mut case = Case::new(format!("{name}_deep_{depth}"), element, [64, 64, depth]);
            (case.signs, case.lies, case.cut) = (signs, along, [0, 0, 16]);
            cases.push(case.warps(4));
        }
        if matches!(element, F8E4M3FN | F8E5M2) {
            let mut case = Case::new(format!("{name}_fast"), element, [64, 64, 128]);
            (case.lies, case.is_fast) = (along, true);
            cases.push(case.has("wait_group.sync.aligned 1;").warps(4));
        }
        if element != I8 {
            // The other types have no arithmetic.
            continue;
        }
        let mut case = Case::new(format!("{name}_negated"), element, [64, 32, 64]);
        (case.signs, case.lies, case.before[0]) = (signs, along, Before::Negated);
        cases.push(case.warps(4));
    }
    across(&mut cases);
    for (tile, before) in [
        ([64, 64, 32], Before::Nothing),
        ([128, 32, 64], Before::Negated),
    ] {
        let mut case = Case::new(format!("f16_into_f16_{before:?}").to_lowercase(), F16, tile);
        (case.output, case.before[0]) = (Scalar::F16, before);
        cases.push(case.has(".f16.f16.f16").warps(4));
    }
    // Cases for the stored type and the orientation of the result.
    for (element, stored) in [
        (BF16, Some(BF16)),
        (F16, Some(F16)),
        (F16, None),
        (F16, Some(F8E4M3FN)),
        (F8E5M2, Some(F8E5M2)),
        (I8, Some(I8)),
        (I8, None),
        (TF32, None),
    ] {
        for lies in [Orientation::Straight, Orientation::ByView] {
            for ([m, n], warps) in [
                ([64, 64], 4),
                ([128, 128], 8),
                ([64, 256], 8),
                ([128, 32], 4),
            ] {
                // With other elements, the other shapes would test nothing new.
                if (m * n > 128 * 64 || n < 64) && m != n && element != F16 {
                    continue;
                }
                let mut case = Case::new(String::new(), element, [m, n, 64]);
                let name = case.stored.insert(stored.unwrap_or(case.output));
                case.name = format!("{element}_stored_as_{name}_{lies:?}_{m}x{n}").to_lowercase();
                case.result_lies = lies;
                (case.tiles, case.cut) = ([2, 2, 2], [16, 48.min(n / 2), 16]);
                if element.bytes() != 2 {
                    case.lies = along;
                }
                cases.push(case.warps(warps));
            }
        }
    }
    // Cases for trips and stages. The MMA stays in flight if only MMAs use the sum in the loop.
    for stages in 1..=6 {
        for trips in [0, 1, 2, 3, 4, 5, 6, 9] {
            for sum in [Sum::Left, Sum::Doubled] {
                let name = format!("stages_{stages}_trips_{trips}_{sum:?}").to_lowercase();
                let mut case = Case::new(name, BF16, [64, 32, 32]);
                (case.sum, case.kernel_options.schedule.stages, case.tiles[2]) =
                    (sum, Some(stages), trips);
                case.cut[2] = if trips > 1 { 8 } else { 0 };
                let is_open = sum == Sum::Left && stages >= 3;
                let left = u32::from(is_open);
                cases.push(
                    case.has(format!("wait_group.sync.aligned {left};"))
                        .warps(4),
                );
            }
        }
    }
    cases
}

/// Adds cases with MN-major operands whose elements do not have 16 bits, which are transposed.
fn across(cases: &mut Vec<Case>) {
    use Scalar::{F8E4M3FN, F8E5M2, I8, TF32};
    for (name, element) in [
        ("e4m3", F8E4M3FN),
        ("e5m2", F8E5M2),
        ("s8", I8),
        ("tf32", TF32),
    ] {
        for (operands, lies) in [
            ("rhs", [Orientation::Straight, Orientation::Straight]),
            ("lhs", [Orientation::ByView, Orientation::ByPermute]),
            ("both", [Orientation::ByPermute, Orientation::Straight]),
        ] {
            for (tile, warps) in [
                ([64, 32, 32], 4),
                ([64, 64, 64], 4),
                ([64, 128, 128], 4),
                ([128, 64, 128], 8),
                ([128, 128, 32], 8),
                ([64, 256, 64], 16),
            ] {
                let [m, n, k] = tile;
                // The tile keeps the same number of bytes along K.
                let k = if element == TF32 { (k / 4).max(16) } else { k };
                let tile = [m, n, k];
                let mut case = Case::new(
                    format!("{name}_across_{operands}_{m}x{n}x{k}_by_{warps}"),
                    element,
                    tile,
                );
                (case.lies, case.cut) = (lies, [16, 16, 16]);
                cases.push(case.warps(warps));
            }
        }
        let mut case = Case::new(format!("{name}_across_stored"), element, [64, 64, 64]);
        case.result_lies = Orientation::ByView;
        cases.push(case.warps(4));
        for stages in 1..=5 {
            for trips in [0, 1, 2, 3, 5, 9] {
                let name = format!("{name}_across_stages_{stages}_trips_{trips}");
                let mut case = Case::new(name, element, [64, 64, 64]);
                (case.kernel_options.schedule.stages, case.tiles[2]) = (Some(stages), trips);
                case.is_fast = element.is_float() && element.bytes() == 1;
                case.cut[2] = if trips > 1 { 16 } else { 0 };
                let left = u32::from(stages >= 3);
                let has = format!("wait_group.sync.aligned {left};");
                cases.push(case.has(has).warps(4));
            }
        }
    }
}

/// Returns the cases of the sweep, which cover each path of operands and sums.
pub(crate) fn swept() -> Vec<Swept> {
    use Orientation::{ByPermute, ByView, Straight};
    use Scalar::{BF16, F8E4M3FN, F16, I8, TF32};
    let case = |name: &str, element, lies: [Orientation; 2]| Case {
        lies,
        tiles: [2, 1, 0],
        ..Case::new(format!("product_{name}"), element, [64, 32, 32])
    };
    let along = [Straight, ByPermute];
    let cases = [
        case("bf16", BF16, [Straight; 2]),
        case("f16_turned", F16, [ByPermute; 2]),
        case("tf32", TF32, along),
        case("s8", I8, along),
        case("e4m3", F8E4M3FN, along),
        Case {
            is_fast: true,
            ..case("e4m3_fast", F8E4M3FN, along)
        },
        Case {
            is_fast: true,
            ..case("e4m3_across", F8E4M3FN, [ByView, Straight])
        },
        Case {
            stored: Some(F16),
            ..case("f16_stored_as_f16", F16, along)
        },
        Case {
            before: [Before::Negated, Before::Nothing],
            ..case("bf16_from_registers", BF16, along)
        },
        Case {
            sum: Sum::Doubled,
            ..case("bf16_doubled", BF16, along)
        },
    ];
    let swept = |case: Case| Swept {
        name: case.name.clone(),
        tolerance: 0.0,
        least_mapped: 1,
        is_plain: case.before == [Before::Nothing; 2],
        is_even: true,
        is_persistent: true,
        make: Arc::new(move |warpgroups, trips| {
            let mut case = case.clone();
            case.tile[0] *= u64::from(warpgroups);
            case.tiles[2] = trips;
            // Rows stay multiples of 16 bytes.
            case.cut = [32, 16, if trips > 0 { 16 } else { 0 }];
            case.runnable()
        }),
    };
    cases.into_iter().map(swept).collect()
}

pub(crate) fn trials() -> Vec<Trial> {
    let case_trial = |case: Case| trial(format!("warpgroups/{}", case.name), move || case.run());
    let plain = cases().into_iter().map(case_trial);
    let in_clusters = cases().into_iter().map(|case| {
        trial(format!("clusters/{}", case.name), move || {
            case.run_in_clusters()
        })
    });
    plain.chain(in_clusters).collect()
}
