//! Tensor copies of pixels of a convolution.

use tile_sim::{Im2col, Im2colWide, Swizzle, TensorMap, TensorMapOptions, TensorType};

use super::tensors::tile_of;
use crate::asynchronous::{Run, kernel, kernel_for};

/// An im2col tensor: every axis but channels and images has a pixel box.
struct Convolution {
    /// Channels, width, height, depth, images; fewer for tensors of lower rank.
    dims: Vec<u64>,
    lower: Vec<i32>,
    upper: Vec<i32>,
    channels: u32,
    pixels: u32,
    start: Vec<i32>,
    offsets: Vec<u16>,
}

impl Convolution {
    fn with_rank(rank: usize) -> Self {
        let spatial = rank - 2;
        let mut dims = vec![8];
        dims.extend(&[6u64, 5, 4][..spatial]);
        dims.push(3);
        let mut start = vec![4];
        start.extend(&[3, 1, -1][..spatial]);
        start.push(1);
        Self {
            dims,
            lower: vec![-1; spatial],
            upper: [0, -1, -2][..spatial].to_vec(),
            channels: 8,
            pixels: 24,
            start,
            offsets: [2, 1, 1][..spatial].to_vec(),
        }
    }

    fn map(&self) -> TensorMap {
        let mut strides = Vec::new();
        let mut bytes = 4;
        for &length in &self.dims[..self.dims.len() - 1] {
            bytes *= length;
            strides.push(bytes);
        }
        let columns = Im2col {
            lower_corner: &self.lower,
            upper_corner: &self.upper,
            channels_per_pixel: self.channels,
            pixels_per_column: self.pixels,
        };
        let steps = vec![1; self.dims.len()];
        let options = TensorMapOptions::default();
        let map = TensorMap::im2col(
            TensorType::UInt32,
            0,
            &self.dims,
            &strides,
            columns,
            &steps,
            options,
        );
        map.expect("a map")
    }

    /// Returns the index of the tensor word at each pixel and channel of a copy.
    fn places(&self, offsets: &[u16]) -> Vec<Option<usize>> {
        let spatial = self.dims.len() - 2;
        let range = |axis: usize| -> Vec<i64> {
            if axis >= spatial {
                return vec![0];
            }
            let last = self.dims[axis + 1] as i64 - 1 + i64::from(self.upper[axis]);
            (i64::from(self.lower[axis])..=last).collect()
        };
        // All base positions of the filter: width first, then height, depth, images.
        let mut corners = Vec::new();
        for image in 0..self.dims[spatial + 1] as i64 + 2 {
            for depth in range(2) {
                for height in range(1) {
                    for width in range(0) {
                        corners.push((image, [width, height, depth]));
                    }
                }
            }
        }
        let start: Vec<i64> = self
            .start
            .iter()
            .map(|&coordinate| i64::from(coordinate))
            .collect();
        let first = corners
            .iter()
            .position(|(image, corner)| {
                *image == start[spatial + 1] && corner[..spatial] == start[1..=spatial]
            })
            .expect("it starts in the box");
        let mut places = Vec::new();
        for (image, corner) in &corners[first..first + self.pixels as usize] {
            for channel in 0..i64::from(self.channels) {
                let mut coordinates = vec![start[0] + channel];
                for axis in 0..spatial {
                    coordinates.push(corner[axis] + i64::from(offsets[axis]));
                }
                coordinates.push(*image);
                let inside = coordinates
                    .iter()
                    .zip(&self.dims)
                    .all(|(&coordinate, &length)| (0..length as i64).contains(&coordinate));
                let place = coordinates
                    .iter()
                    .zip(&self.dims)
                    .rev()
                    .fold(0, |sum, (coordinate, length)| {
                        sum * *length as i64 + coordinate
                    });
                places.push(inside.then_some(place as usize));
            }
        }
        places
    }
}

#[test]
fn columns_of_a_convolution_are_loaded() {
    for rank in 3..=5 {
        let convolution = Convolution::with_rank(rank);
        let mut before = String::new();
        let mut names = Vec::new();
        for (register, coordinate) in (21..).zip(&convolution.start) {
            before += &format!("mov.u32 %r{register}, {coordinate}; ");
            names.push(format!("%r{register}"));
        }
        let mut offsets = Vec::new();
        for (register, offset) in (1..).zip(&convolution.offsets) {
            before += &format!("mov.b16 %h{register}, {offset}; ");
            offsets.push(format!("%h{register}"));
        }
        let [names, offsets] = [names, offsets].map(|names| names.join(", "));
        let load = format!(
            "cp.async.bulk.prefetch.tensor.{rank}d.L2.global.im2col [%d8, {{{names}}}], {{{offsets}}};
             cp.async.bulk.tensor.{rank}d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [tile], [%d8, {{{names}}}], [barrier], {{{offsets}}};"
        );
        let words = convolution.channels * convolution.pixels;
        let actual = tile_of(kernel, convolution.map(), &before, &load, 4 * words);
        let expected: Vec<u32> = convolution
            .places(&convolution.offsets)
            .iter()
            .map(|place| place.map_or(0, |place| place as u32 * 3 + 1))
            .collect();
        assert_eq!(actual, expected, "{rank}");

        for (name, kept) in [
            (
                format!(
                    "cp.async.bulk.tensor.{rank}d.global.shared::cta.im2col_no_offs.bulk_group"
                ),
                0,
            ),
            (
                format!(
                    "cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.add.im2col_no_offs.bulk_group"
                ),
                100,
            ),
        ] {
            let module = kernel(&format!(
                "mov.u32 %r3, %r0; NEXT: setp.ge.u32 %p3, %r3, {words}; @%p3 bra OLD; mad.lo.u32 %r4, %r3, 4, tile;
                 mad.lo.u32 %r5, %r3, 7, 5; st.shared.u32 [%r4], %r5; add.u32 %r3, %r3, 128; bra NEXT;
                 OLD: mov.u32 %r3, %r0; MORE: setp.ge.u32 %p3, %r3, 2048; @%p3 bra FILLED; mul.wide.u32 %d3, %r3, 4; add.u64 %d3, %d1, %d3;
                 st.global.u32 [%d3], {kept}; add.u32 %r3, %r3, 128; bra MORE;
                 FILLED: fence.proxy.async; bar.sync 0; @!%p0 bra END; {before}
                 {name} [%d9, {{{names}}}], [tile]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; END: ret;"
            ));
            let mut run = Run::new(128);
            run.target = Some(convolution.map());
            let actual = run.words(&module);
            let mut expected: Vec<u32> = (0..4096)
                .map(|word| if word < 2048 { kept } else { 0 })
                .collect();
            for (word, place) in convolution.places(&[0; 3]).into_iter().enumerate() {
                if let Some(place) = place {
                    expected[place] = word as u32 * 7 + 5 + kept;
                }
            }
            assert_eq!(actual, expected, "{name}");
        }
    }
}

/// `im2col::w`: pixels along the width, continuing in the next image, and the halo that filters
/// need after them.
#[test]
fn rows_of_a_convolution_are_loaded_with_their_halo() {
    let (channels, width, height, images) = (8u64, 9u64, 2u64, 20u64);
    let [lower, upper, step] = [-1i64, -1, 1];
    for w128 in [false, true] {
        for (step, start, halo, offset) in [
            (step, 2i64, 0u16, 0u16),
            (1, 2, 2, 0),
            (1, -1, 2, 1),
            (2, -1, 1, 0),
            (1, 7, 2, 2),
        ] {
            let pixels = if w128 { 128 } else { 40 };
            let map = TensorMap::im2col_wide(
                TensorType::UInt32,
                0,
                &[channels, width, height, images],
                &[32, 32 * width, 32 * width * height],
                Im2colWide {
                    lower_corner: lower as i32,
                    upper_corner: upper as i32,
                    channels_per_pixel: 8,
                    pixels_per_column: 40,
                    w128,
                },
                &[1, step as u32, 1, 1],
                TensorMapOptions {
                    swizzle: Swizzle::Bytes32,
                    ..TensorMapOptions::default()
                },
            )
            .expect("a map");
            // The pixels, image by image, with their positions along the width.
            let mut expected_pixels = Vec::new();
            let (mut image, mut column) = (1i64, start);
            let part = if w128 { 32 } else { pixels };
            while expected_pixels.len() < pixels + pixels / part * usize::from(halo) {
                for _ in 0..part {
                    expected_pixels.push((image, column + i64::from(offset)));
                    column += step;
                    if column > width as i64 - 1 + upper {
                        column = lower;
                        image += 1;
                    }
                }
                let (image, last) = *expected_pixels.last().expect("a part has pixels");
                for number in 1..=i64::from(halo) {
                    expected_pixels.push((image, last + number * step));
                }
            }
            let row = 1u64;
            let mut expected = vec![0; expected_pixels.len() * 8];
            for (pixel, &(image, column)) in expected_pixels.iter().enumerate() {
                for channel in 0..8 {
                    let byte = pixel * 32 + channel * 4;
                    // The swizzle exchanges 16-byte chunks in every other 128 bytes.
                    let byte = byte ^ (byte >> 7 & 1) << 4;
                    let inside =
                        (0..width as i64).contains(&column) && (0..images as i64).contains(&image);
                    let place = ((image as u64 * height + row) * width) as i64 + column;
                    expected[byte / 4] = if inside {
                        (place as u32 * 8 + channel as u32) * 3 + 1
                    } else {
                        0
                    };
                }
            }
            let before = format!(
                "mov.u32 %r21, 0; mov.u32 %r22, {start}; mov.u32 %r23, {row}; mov.u32 %r24, 1; mov.b16 %h1, {halo}; mov.b16 %h2, {offset};"
            );
            let mode = if w128 { "im2col::w::128" } else { "im2col::w" };
            let load = format!(
                "cp.async.bulk.prefetch.tensor.4d.L2.global.{mode} [%d8, {{%r21, %r22, %r23, %r24}}], {{%h1, %h2}};
                 cp.async.bulk.tensor.4d.shared::cluster.global.{mode}.mbarrier::complete_tx::bytes
                 [tile], [%d8, {{%r21, %r22, %r23, %r24}}], [barrier], {{%h1, %h2}};"
            );
            let blackwell = |body: &str| kernel_for("8.8", "sm_100a", body);
            let actual = tile_of(blackwell, map, &before, &load, 4 * expected.len() as u32);
            assert_eq!(
                actual, expected,
                "{mode}, step {step}, start {start}, halo {halo}, offset {offset}"
            );
        }
    }
    // The same with three axes: a tensor without height.
    for (mode, w128) in [("im2col::w", false), ("im2col::w::128", true)] {
        let map = TensorMap::im2col_wide(
            TensorType::UInt32,
            0,
            &[8, 9, 20],
            &[32, 32 * 9],
            Im2colWide {
                lower_corner: 0,
                upper_corner: 0,
                channels_per_pixel: 8,
                pixels_per_column: 128,
                w128,
            },
            &[1, 1, 1],
            TensorMapOptions {
                swizzle: Swizzle::Bytes32,
                ..TensorMapOptions::default()
            },
        );
        let before =
            "mov.u32 %r21, 0; mov.u32 %r22, 2; mov.u32 %r23, 0; mov.b16 %h1, 0; mov.b16 %h2, 0;";
        let load = format!(
            "cp.async.bulk.tensor.3d.shared::cluster.global.{mode}.mbarrier::complete_tx::bytes
             [tile], [%d8, {{%r21, %r22, %r23}}], [barrier], {{%h1, %h2}};"
        );
        let blackwell = |body: &str| kernel_for("8.8", "sm_100a", body);
        let actual = tile_of(blackwell, map.expect("a map"), before, &load, 128 * 32);
        for (word, &actual) in actual.iter().enumerate() {
            let byte = word * 4;
            let offset = (byte ^ (byte >> 7 & 1) << 4) / 4 + 16;
            assert_eq!(actual, offset as u32 * 3 + 1, "{mode}, word {word}");
        }
    }
}
