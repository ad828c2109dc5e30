//! Tensor copies of tiles: every rank, gathered rows, and maps whose fields a kernel replaces.

use tile_sim::{Fill, Interleave, Module, Swizzle, TensorMap, TensorMapOptions, TensorType};

use super::{bytes_of, rows};
use crate::asynchronous::{Run, kernel, kernel_for};

/// A tensor of words whose axes have different lengths, with boxes that extend beyond it.
struct Tensor {
    dims: Vec<u64>,
    extents: Vec<u32>,
    start: Vec<i32>,
}

impl Tensor {
    fn with_rank(rank: usize) -> Self {
        Self {
            dims: [12u64, 6, 5, 3, 4][..rank].to_vec(),
            extents: [8u32, 4, 3, 2, 2][..rank].to_vec(),
            start: [6, -1, 3, 2, -1][..rank].to_vec(),
        }
    }

    fn map(&self) -> TensorMap {
        let mut strides = Vec::new();
        let mut bytes = 4;
        for &length in &self.dims[..self.dims.len() - 1] {
            bytes *= length;
            strides.push(bytes);
        }
        let map = TensorMap::tiled(
            TensorType::UInt32,
            0,
            &self.dims,
            &strides,
            &self.extents,
            &vec![1; self.dims.len()],
            TensorMapOptions::default(),
        );
        map.expect("a map")
    }

    fn bytes(&self) -> u32 {
        4 * self.extents.iter().product::<u32>()
    }

    /// Returns, for each word of the box, the index of the word in the tensor; `None` outside.
    fn places(&self) -> Vec<Option<usize>> {
        let count: u32 = self.extents.iter().product();
        (0..count)
            .map(|mut word| {
                let (mut place, mut unit) = (0, 1);
                for axis in 0..self.dims.len() {
                    let coordinate =
                        i64::from(self.start[axis]) + i64::from(word % self.extents[axis]);
                    word /= self.extents[axis];
                    let length = self.dims[axis] as i64;
                    if !(0..length).contains(&coordinate) {
                        return None;
                    }
                    place += coordinate * unit;
                    unit *= length;
                }
                Some(place as usize)
            })
            .collect()
    }

    /// Returns `[map, {coordinates}]`, and the instructions that set its registers.
    fn operand(&self, map: &str) -> (String, String) {
        let mut before = String::new();
        let mut names = Vec::new();
        for (register, coordinate) in (21..).zip(&self.start) {
            before += &format!("mov.u32 %r{register}, {coordinate}; ");
            names.push(format!("%r{register}"));
        }
        (before, format!("[{map}, {{{}}}]", names.join(", ")))
    }
}

/// Returns instructions that copy `words` words of the tile to the output.
fn show(words: u32) -> String {
    format!(
        "mov.u32 %r3, %r0; NEXT: setp.ge.u32 %p3, %r3, {words}; @%p3 bra SHOWN; mad.lo.u32 %r4, %r3, 4, tile; ld.shared.u32 %r5, [%r4];
         mul.wide.u32 %d3, %r3, 4; add.u64 %d3, %d1, %d3; st.global.u32 [%d3], %r5; add.u32 %r3, %r3, 128; bra NEXT; SHOWN:"
    )
}

/// Executes a tensor copy into the tile by one thread, and returns the whole tile.
pub(super) fn tile_of(
    module_of: impl Fn(&str) -> Module,
    map: TensorMap,
    before: &str,
    load: &str,
    bytes: u32,
) -> Vec<u32> {
    let module = module_of(&format!(
        "@%p0 mbarrier.init.shared.b64 [barrier], 1; fence.mbarrier_init.release.cluster; bar.sync 0; @!%p0 bra WAIT;
         mbarrier.arrive.expect_tx.shared.b64 _, [barrier], {bytes}; {before} {load}
         WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [barrier], 0; @!%p1 bra WAIT; {}",
        show(bytes / 4)
    ));
    let mut run = Run::new(128);
    run.source = Some(map);
    run.words(&module)[..bytes as usize / 4].to_vec()
}

#[test]
fn tiles_of_every_rank_are_loaded_and_stored() {
    for rank in 1..=5 {
        let tensor = Tensor::with_rank(rank);
        for mode in ["", ".tile"] {
            let (before, source) = tensor.operand("%d8");
            let name = format!(
                "cp.async.bulk.tensor.{rank}d.shared::cluster.global{mode}.mbarrier::complete_tx::bytes"
            );
            let load = format!("{name} [tile], {source}, [barrier];");
            let actual = tile_of(kernel, tensor.map(), &before, &load, tensor.bytes());
            let expected: Vec<u32> = tensor
                .places()
                .iter()
                .map(|place| place.map_or(0, |place| place as u32 * 3 + 1))
                .collect();
            assert_eq!(actual, expected, "{load}");

            let (before, target) = tensor.operand("%d9");
            for (name, tail) in [
                (
                    format!("cp.async.bulk.tensor.{rank}d.global.shared::cta{mode}.bulk_group"),
                    "",
                ),
                (
                    format!(
                        "cp.async.bulk.tensor.{rank}d.global.shared::cta{mode}.bulk_group.L2::cache_hint"
                    ),
                    ", %d10",
                ),
            ] {
                let words = tensor.bytes() / 4;
                let module = kernel(&format!(
                    "mov.u32 %r3, %r0; NEXT: setp.ge.u32 %p3, %r3, {words}; @%p3 bra FILLED; mad.lo.u32 %r4, %r3, 4, tile;
                     mad.lo.u32 %r5, %r3, 7, 5; st.shared.u32 [%r4], %r5; add.u32 %r3, %r3, 128; bra NEXT;
                     FILLED: fence.proxy.async.shared::cta; bar.sync 0; @!%p0 bra END; mov.u64 %d10, 0; {before}
                     cp.async.bulk.prefetch.tensor.{rank}d.L2.global{mode} {target};
                     {name} {target}, [tile]{tail}; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; END: ret;"
                ));
                let mut run = Run::new(128);
                run.target = Some(tensor.map());
                let actual = run.words(&module);
                let mut expected = vec![0; actual.len()];
                for (word, place) in tensor.places().into_iter().enumerate() {
                    if let Some(place) = place {
                        expected[place] = word as u32 * 7 + 5;
                    }
                }
                assert_eq!(actual, expected, "{name}");
            }
        }
    }
}

/// Tests `.tile::gather4` and `.tile::scatter4`: a column, and four rows in any order.
#[test]
fn rows_are_gathered_and_scattered() {
    let coordinates = [4, 9, 63, 64, -2];
    let mut before = String::new();
    for (register, coordinate) in (21..).zip(coordinates) {
        before += &format!("mov.u32 %r{register}, {coordinate}; ");
    }
    let source = "[%d8, {%r21, %r22, %r23, %r24, %r25}]";
    let load = format!(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [tile], {source}, [barrier];"
    );
    let blackwell = |body: &str| kernel_for("8.8", "sm_100a", body);
    let actual = tile_of(blackwell, rows(64, 16), &before, &load, 4 * 64);
    let place = |word: usize| {
        let row = coordinates[1 + word / 16];
        (0..64)
            .contains(&row)
            .then(|| row as usize * 64 + 4 + word % 16)
    };
    let expected: Vec<u32> = (0..64)
        .map(|word| place(word).map_or(0, |place| place as u32 * 3 + 1))
        .collect();
    assert_eq!(actual, expected);
    let module = blackwell(&format!(
        "mad.lo.u32 %r4, %r0, 4, tile; st.shared.u32 [%r4], %r0; fence.proxy.async.shared::cta; bar.sync 0; @!%p0 bra END; {before}
         cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group {}, [tile];
         cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; END: ret;",
        source.replace("%d8", "%d9")
    ));
    let mut run = Run::new(64);
    run.target = Some(rows(64, 16));
    let actual = run.words(&module);
    let mut expected = vec![0; actual.len()];
    for word in 0..64 {
        if let Some(place) = place(word) {
            expected[place] = word as u32;
        }
    }
    assert_eq!(actual, expected);
}

/// Replaces the fields of a map in global memory by those of another, whose bytes the host creates.
#[test]
fn fields_of_a_tensor_map_are_replaced() {
    let tiled = |ty, dims: &[u64], strides: &[u64], extents: &[u32], steps: &[u32], options| {
        TensorMap::tiled(ty, 0x2000, dims, strides, extents, steps, options).expect("a map")
    };
    let from = tiled(
        TensorType::UInt32,
        &[64, 64],
        &[256],
        &[16, 32],
        &[1, 1],
        TensorMapOptions::default(),
    );
    let swizzled = TensorMapOptions {
        swizzle: Swizzle::Bytes64,
        fill: Fill::NanRequestZeroFma,
        ..TensorMapOptions::default()
    };
    let sliced = TensorMapOptions {
        interleave: Interleave::Bytes16,
        ..TensorMapOptions::default()
    };
    // The numbers of the PTX ISA: type, interleave, swizzle, fill.
    for (to, [ty, interleave, swizzle, fill]) in [
        (
            tiled(
                TensorType::Float16,
                &[40, 24, 10],
                &[96, 2304],
                &[32, 4, 2],
                &[1, 2, 1],
                swizzled,
            ),
            [6, 0, 2, 1],
        ),
        (
            tiled(
                TensorType::UInt16,
                &[40, 24, 10],
                &[96, 2304],
                &[8, 4, 2],
                &[1, 2, 1],
                sliced,
            ),
            [1, 1, 0, 0],
        ),
    ] {
        for (space, address) in [("global", "%d1"), ("shared::cta", "tile")] {
            let box_dim = if interleave == 0 { 32 } else { 8 };
            let replace = |field: &str, kind: &str, operands: &str| {
                format!(
                    "tensormap.replace.tile.{field}.{space}.b1024.{kind} [{address}], {operands};\n"
                )
            };
            let mut body = String::from("@!%p0 bra END; mov.u32 %r9, 2; mov.u64 %d7, 0x2000;\n");
            for part in 0..16 {
                let part = 8 * part;
                body += &format!(
                    "ld.param.u64 %d2, [source+{part}]; st.{space}.u64 [{address}+{part}], %d2;"
                );
            }
            body += &replace("global_address", "b64", "%d7");
            body += &replace("rank", "b32", "%r9");
            for (axis, [box_dim, dim, step]) in [[box_dim, 40, 1], [4, 24, 2], [2, 10, 1]]
                .into_iter()
                .enumerate()
            {
                body += &replace("box_dim", "b32", &format!("{axis}, {box_dim}"));
                body += &replace("global_dim", "b32", &format!("{axis}, {dim}"));
                body += &replace("element_stride", "b32", &format!("{axis}, {step}"));
            }
            for (axis, stride) in [96, 2304].into_iter().enumerate() {
                body += &format!("mov.u64 %d6, {stride};");
                body += &replace("global_stride", "b64", &format!("{axis}, %d6"));
            }
            for (field, number) in [
                ("elemtype", ty),
                ("interleave_layout", interleave),
                ("swizzle_mode", swizzle),
                ("fill_mode", fill),
            ] {
                body += &replace(field, "b32", &number.to_string());
            }
            for part in 0..16 {
                let part = 8 * part;
                body += &format!(
                    "ld.{space}.u64 %d2, [{address}+{part}]; st.global.u64 [%d1+{part}], %d2;"
                );
            }
            body += "END: ret;";
            let mut run = Run::new(32);
            run.source = Some(from);
            let text = kernel_for("8.6", "sm_90a", &body.replace("[source+", "[source + "));
            let actual = bytes_of(&run.words(&text)[..32]);
            // The kernel receives the address of the first map, which is replaced too.
            assert_eq!(actual, to.to_bytes(), "{space}");
        }
    }
}
