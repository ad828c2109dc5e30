//! Compares copies with nested loops over a dense array, and swizzles with the tables of the PTX
//! ISA.

use super::*;

use crate::random::Random;

trait Choices {
    fn within(&mut self, min: i64, max: i64) -> i64;
    fn one_of<T: Copy>(&mut self, items: &[T]) -> T;
}

impl Choices for Random {
    /// Draws a number from `min..=max`.
    fn within(&mut self, min: i64, max: i64) -> i64 {
        min + i64::try_from(self.below((max - min + 1).cast_unsigned())).unwrap()
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[usize::try_from(self.below(items.len() as u64)).unwrap()]
    }
}

/// PTX ISA, "Swizzling Modes": the 16-byte chunk at each position, line by line.
const BYTES_32: &[[u64; 8]] = &[[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6]];
const BYTES_64: &[[u64; 8]] = &[
    [0, 1, 2, 3, 4, 5, 6, 7],
    [1, 0, 3, 2, 5, 4, 7, 6],
    [2, 3, 0, 1, 6, 7, 4, 5],
    [3, 2, 1, 0, 7, 6, 5, 4],
];
const BYTES_128: &[[u64; 8]] = &[
    [0, 1, 2, 3, 4, 5, 6, 7],
    [1, 0, 3, 2, 5, 4, 7, 6],
    [2, 3, 0, 1, 6, 7, 4, 5],
    [3, 2, 1, 0, 7, 6, 5, 4],
    [4, 5, 6, 7, 0, 1, 2, 3],
    [5, 4, 7, 6, 1, 0, 3, 2],
    [6, 7, 4, 5, 2, 3, 0, 1],
    [7, 6, 5, 4, 3, 2, 1, 0],
];
const ATOM_32: &[[u64; 8]] = &[
    [0, 1, 2, 3, 4, 5, 6, 7],
    [2, 3, 0, 1, 6, 7, 4, 5],
    [4, 5, 6, 7, 0, 1, 2, 3],
    [6, 7, 4, 5, 2, 3, 0, 1],
];
const ATOM_64: &[[u64; 8]] = &[[0, 1, 2, 3, 4, 5, 6, 7], [4, 5, 6, 7, 0, 1, 2, 3]];

/// Returns the swizzled address of the byte at `address`, from the tables.
fn place(swizzle: Swizzle, address: u64) -> u64 {
    let table = match swizzle {
        Swizzle::None => return address,
        Swizzle::Bytes32 => BYTES_32,
        Swizzle::Bytes64 => BYTES_64,
        Swizzle::Bytes128 => BYTES_128,
        Swizzle::Bytes128Atom32 | Swizzle::Bytes128Atom32Flip8 => ATOM_32,
        Swizzle::Bytes128Atom64 => ATOM_64,
    };
    let (line, chunk, byte) = (address / 128, address / 16 % 8, address % 16);
    let row = table[usize::try_from(line).unwrap() % table.len()];
    let position = row.iter().position(|&source| source == chunk).unwrap() as u64;
    let flipped = swizzle == Swizzle::Bytes128Atom32Flip8 && line % 2 == 1;
    let byte = if flipped { (byte + 8) % 16 } else { byte };
    line * 128 + position * 16 + byte
}

#[test]
fn swizzles_are_those_of_the_tables() {
    for &swizzle in Swizzle::ALL {
        for address in 0..4096 {
            assert_eq!(
                swizzle.apply(address),
                place(swizzle, address),
                "{swizzle:?} {address}"
            );
        }
    }
}

/// A tensor of random shape with gaps, its memory, and its base address.
struct Case {
    ty: TensorType,
    dims: Vec<u64>,
    strides: Vec<u64>,
    memory: Vec<u8>,
}

const BASE: u64 = 0x1_0000;
const SHARED: usize = 1 << 18;

impl Case {
    fn draw(random: &mut Random, rank: usize, longest: i64) -> Self {
        let ty = random.one_of(&[
            TensorType::UInt8,
            TensorType::BFloat16,
            TensorType::Int32,
            TensorType::Float64,
        ]);
        let bytes = u64::from(ty.unit().global);
        let dims: Vec<u64> = (0..rank)
            .map(|_| random.within(1, longest).cast_unsigned())
            .collect();
        let mut strides = Vec::new();
        let mut length = (dims[0] * bytes).next_multiple_of(16);
        for &dim in &dims[1..] {
            let stride = length + 16 * random.within(0, 2).cast_unsigned();
            strides.push(stride);
            length = stride * dim;
        }
        let memory = (0..length).map(|_| random.bits() as u8).collect();
        Self {
            ty,
            dims,
            strides,
            memory,
        }
    }

    /// Returns the bytes of an element, by a direct formula; `None` outside the tensor.
    fn element(&self, coordinates: &[i64]) -> Option<std::ops::Range<usize>> {
        let bytes = self.ty.unit().global as usize;
        let mut offset = 0;
        for (axis, (&index, &dim)) in coordinates.iter().zip(&self.dims).enumerate() {
            let index = u64::try_from(index).ok().filter(|&index| index < dim)?;
            offset += if axis == 0 {
                index * bytes as u64
            } else {
                index * self.strides[axis - 1]
            };
        }
        let start = usize::try_from(offset).unwrap();
        Some(start..start + bytes)
    }

    /// Returns the shared memory after a load, element by element; `None` where nothing is written.
    fn loaded(
        &self,
        elements: &[Vec<i64>],
        shared: u64,
        swizzle: Swizzle,
        fill: Fill,
    ) -> Vec<Option<u8>> {
        let mut result = vec![None; SHARED];
        let bytes = self.ty.unit().global as usize;
        for (number, coordinates) in elements.iter().enumerate() {
            for byte in 0..bytes {
                let to = place(swizzle, shared + (number * bytes + byte) as u64);
                let nan = match (bytes, byte) {
                    (2, 0) => 0xf7,
                    _ if byte == bytes - 1 => 0x7f,
                    _ => 0xff,
                };
                let filled = if fill == Fill::Zero { 0 } else { nan };
                let value = self
                    .element(coordinates)
                    .map_or(filled, |range| self.memory[range][byte]);
                result[usize::try_from(to).unwrap()] = Some(value);
            }
        }
        result
    }

    /// Returns the shared memory after a load of the map's pieces.
    fn copied(&self, map: &TensorMap, start: Start<'_>, shared: u64) -> Vec<Option<u8>> {
        let mut result = vec![None; SHARED];
        let mut total = 0;
        for piece in map.pieces(start, shared).unwrap() {
            assert!(piece.bytes <= 16 && piece.shared % 16 + u64::from(piece.bytes) <= 16);
            total += u64::from(piece.bytes);
            for byte in 0..u64::from(piece.bytes) {
                let value = match piece.global {
                    Some(address) => self.memory[usize::try_from(address - BASE + byte).unwrap()],
                    None => map.fill()[usize::try_from(byte).unwrap() % map.fill().len()],
                };
                let to = &mut result[usize::try_from(piece.shared + byte).unwrap()];
                assert_eq!(*to, None, "written twice");
                *to = Some(value);
            }
        }
        assert_eq!(total, map.box_bytes());
        result
    }

    /// Compares a store from shared memory with a direct computation.
    fn check_store(
        &self,
        map: &TensorMap,
        start: Start<'_>,
        elements: &[Vec<i64>],
        shared: u64,
        swizzle: Swizzle,
        random: &mut Random,
    ) {
        let source: Vec<u8> = (0..SHARED).map(|_| random.bits() as u8).collect();
        let (mut stored, mut expected) = (self.memory.clone(), self.memory.clone());
        for piece in map.pieces(start, shared).unwrap() {
            let Some(address) = piece.global else {
                continue;
            };
            let to = usize::try_from(address - BASE).unwrap();
            let from = usize::try_from(piece.shared).unwrap();
            let bytes = piece.bytes as usize;
            stored[to..to + bytes].copy_from_slice(&source[from..from + bytes]);
        }
        let bytes = self.ty.unit().global as usize;
        for (number, coordinates) in elements.iter().enumerate() {
            let Some(range) = self.element(coordinates) else {
                continue;
            };
            for (byte, to) in range.enumerate() {
                let from = place(swizzle, shared + (number * bytes + byte) as u64);
                expected[to] = source[usize::try_from(from).unwrap()];
            }
        }
        assert!(stored == expected, "{map:?} {start:?}");
    }
}

/// Draws a swizzle and a compatible number of elements per row.
fn row(random: &mut Random, ty: TensorType) -> (Swizzle, u32) {
    let swizzle = random.one_of(Swizzle::ALL);
    let bytes = ty.unit().global;
    let max = swizzle.span().unwrap_or(u64::from(256 * bytes));
    let chunks = random.within(1, i64::try_from(max / 16).unwrap().min(16));
    (swizzle, u32::try_from(chunks).unwrap() * 16 / bytes)
}

fn options(random: &mut Random, ty: TensorType, swizzle: Swizzle) -> TensorMapOptions {
    let fill = if ty.is_float() {
        random.one_of(Fill::ALL)
    } else {
        Fill::Zero
    };
    TensorMapOptions {
        swizzle,
        fill,
        l2_promotion: random.one_of(L2Promotion::ALL),
        interleave: Interleave::None,
    }
}

#[test]
fn tiles_are_copied_as_by_nested_loops() {
    let mut random = Random::new(1);
    let (mut filled, mut whole) = (0, 0);
    for number in 0..600 {
        let rank = 1 + number % 5;
        let case = Case::draw(&mut random, rank, [400, 60, 20, 9, 6][rank - 1]);
        let (swizzle, elements) = row(&mut random, case.ty);
        let mut box_dims = vec![elements];
        let mut steps = vec![random.within(1, 8)];
        for _ in 1..rank {
            box_dims.push(u32::try_from(random.within(1, [1, 40, 12, 6, 4][rank - 1])).unwrap());
            steps.push(random.one_of(&[1, 1, 1, 2, 3, 8]));
        }
        let element_strides: Vec<u32> = steps.iter().map(|&step| step as u32).collect();
        let options = options(&mut random, case.ty, swizzle);
        let map = TensorMap::tiled(
            case.ty,
            BASE,
            &case.dims,
            &case.strides,
            &box_dims,
            &element_strides,
            options,
        )
        .unwrap();
        assert_eq!(TensorMap::from_bytes(&map.to_bytes()), Ok(map));
        let start: Vec<i32> = (0..rank)
            .map(|axis| {
                let (length, dim) = (i64::from(box_dims[axis]), case.dims[axis].cast_signed());
                i32::try_from(random.within(-length, dim + 2)).unwrap()
            })
            .collect();
        // Outermost axis first; the first axis has no stride.
        let mut indices = vec![Vec::new()];
        for axis in (0..rank).rev() {
            let step = if axis == 0 { 1 } else { steps[axis] };
            let mut longer = Vec::new();
            for index in indices {
                let mut offset = 0;
                while offset < i64::from(box_dims[axis]) {
                    let mut index: Vec<i64> = index.clone();
                    index.insert(0, i64::from(start[axis]) + offset);
                    longer.push(index);
                    offset += step;
                }
            }
            indices = longer;
        }
        let shared = 128 * random.within(0, 9).cast_unsigned();
        let copied = case.copied(&map, Start::Tile(&start), shared);
        let expected = case.loaded(&indices, shared, swizzle, options.fill);
        assert!(copied == expected, "{map:?} {start:?} {shared}");
        let outside = indices
            .iter()
            .filter(|coordinates| case.element(coordinates).is_none())
            .count();
        filled += usize::from(outside > 0);
        whole += usize::from(outside == 0);
        case.check_store(
            &map,
            Start::Tile(&start),
            &indices,
            shared,
            swizzle,
            &mut random,
        );
    }
    assert!(
        filled > 100 && whole > 50,
        "{filled} at the edge, {whole} within"
    );
}

#[test]
fn pixels_are_copied_in_the_order_of_the_box() {
    let mut random = Random::new(2);
    for number in 0..300 {
        let rank = 3 + number % 3;
        let mut case = Case::draw(&mut random, rank, [12, 9, 6][rank - 3]);
        let (swizzle, channels) = row(&mut random, case.ty);
        let channels = channels.min(256);
        case.dims[0] = case.dims[0].max(1);
        let axes = rank - 2;
        let lower: Vec<i32> = (0..axes).map(|_| random.within(-3, 1) as i32).collect();
        let upper: Vec<i32> = (0..axes)
            .map(|axis| {
                let dim = case.dims[axis + 1].cast_signed();
                random.within((1 - dim + i64::from(lower[axis])).max(-4), 2) as i32
            })
            .collect();
        let pixels = u32::try_from(random.within(1, 70)).unwrap();
        let steps: Vec<u32> = (0..rank).map(|_| random.within(1, 3) as u32).collect();
        let options = options(&mut random, case.ty, swizzle);
        let columns = Im2col {
            lower_corner: &lower,
            upper_corner: &upper,
            channels_per_pixel: channels,
            pixels_per_column: pixels,
        };
        let map = TensorMap::im2col(
            case.ty,
            BASE,
            &case.dims,
            &case.strides,
            columns,
            &steps,
            options,
        )
        .unwrap();
        assert_eq!(TensorMap::from_bytes(&map.to_bytes()), Ok(map));
        // Every base position of the filter, in enough images, in order.
        let mut corners: Vec<Vec<i64>> = (-2..40).map(|image| vec![image]).collect();
        for axis in (1..=axes).rev() {
            let first = i64::from(lower[axis - 1]);
            let last = case.dims[axis].cast_signed() - 1 + i64::from(upper[axis - 1]);
            let mut longer = Vec::new();
            for corner in corners {
                for coordinate in (first..=last).step_by(steps[axis] as usize) {
                    let mut corner = corner.clone();
                    corner.insert(0, coordinate);
                    longer.push(corner);
                }
            }
            corners = longer;
        }
        let first = random.bits() as usize % (corners.len() / 4 + 1);
        let offsets: Vec<u16> = (0..axes).map(|_| random.within(0, 3) as u16).collect();
        let channel = random.within(-2, case.dims[0].cast_signed());
        let mut start = vec![channel as i32];
        start.extend(corners[first].iter().map(|&coordinate| coordinate as i32));
        // Images beyond the fortieth are outside the tensor too.
        let mut elements = Vec::new();
        for number in 0..pixels as usize {
            let outside = vec![-1; rank - 1];
            let corner = corners.get(first + number).unwrap_or(&outside);
            for element in 0..i64::from(channels) {
                let mut coordinates = vec![channel + element];
                for (axis, &corner) in corner.iter().enumerate() {
                    coordinates
                        .push(corner + offsets.get(axis).map_or(0, |&offset| i64::from(offset)));
                }
                elements.push(coordinates);
            }
        }
        let shared = 128 * random.within(0, 9).cast_unsigned();
        let im2col = Start::Im2col(Im2colStart {
            coordinates: &start,
            offsets: &offsets,
        });
        let copied = case.copied(&map, im2col, shared);
        let expected = case.loaded(&elements, shared, swizzle, options.fill);
        assert!(copied == expected, "{map:?} {start:?} {offsets:?}");
    }
}

#[test]
fn rows_are_gathered() {
    let mut random = Random::new(3);
    for _ in 0..100 {
        let case = Case::draw(&mut random, 2, 50);
        let (swizzle, elements) = row(&mut random, case.ty);
        let options = options(&mut random, case.ty, swizzle);
        let map = TensorMap::tiled(
            case.ty,
            BASE,
            &case.dims,
            &case.strides,
            &[elements, 1],
            &[1, 1],
            options,
        )
        .unwrap();
        let start: [i32; 5] = std::array::from_fn(|_| random.within(-3, 53) as i32);
        let mut indices = Vec::new();
        for row in &start[1..] {
            for element in 0..i64::from(elements) {
                indices.push(vec![i64::from(start[0]) + element, i64::from(*row)]);
            }
        }
        let expected = case.loaded(&indices, 256, swizzle, options.fill);
        let pieces = map.pieces(Start::Rows(start), 256).unwrap();
        let mut copied = vec![None; SHARED];
        for piece in pieces {
            for byte in 0..u64::from(piece.bytes) {
                let value = match piece.global {
                    Some(address) => case.memory[usize::try_from(address - BASE + byte).unwrap()],
                    None => map.fill()[usize::try_from(byte).unwrap() % map.fill().len()],
                };
                copied[usize::try_from(piece.shared + byte).unwrap()] = Some(value);
            }
        }
        assert!(copied == expected, "{map:?} {start:?}");
    }
}

#[test]
fn packed_types_leave_gaps() {
    let options = TensorMapOptions::default();
    let map = |ty| TensorMap::tiled(ty, BASE, &[256], &[], &[128], &[1], options).unwrap();
    let four = map(TensorType::Packed16U4Align16B);
    assert_eq!(four.box_bytes(), 128);
    let pieces = four.pieces(Start::Tile(&[128]), 0).unwrap();
    let expected: Vec<Piece> = (0..8)
        .map(|unit| Piece {
            global: Some(BASE + 64 + 8 * unit),
            shared: 16 * unit,
            bytes: 8,
        })
        .collect();
    assert_eq!(pieces, expected);
    let six = map(TensorType::Packed16U6Align16B);
    let pieces = six.pieces(Start::Tile(&[128]), 0).unwrap();
    assert_eq!(pieces[3].global, Some(BASE + 96 + 36));
    assert_eq!((pieces[3].shared, pieces[3].bytes), (48, 12));
    let outside = six.pieces(Start::Tile(&[256]), 0).unwrap();
    assert!(outside.iter().all(|piece| piece.global.is_none()));
    let error = six.pieces(Start::Tile(&[8]), 0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "coordinate 8 along the first axis must be a multiple of 16"
    );
}

#[test]
fn loads_flush_and_round() {
    let load = |ty: TensorType, value: f32| {
        let mut bytes = value.to_le_bytes();
        ty.convert(&mut bytes);
        f32::from_le_bytes(bytes)
    };
    let denormal = f32::from_bits(0x8000_0001);
    assert_eq!(load(TensorType::Float32, denormal).to_bits(), 0x8000_0001);
    assert_eq!(
        load(TensorType::Float32Ftz, denormal).to_bits(),
        0x8000_0000
    );
    assert_eq!(
        load(TensorType::TFloat32Ftz, denormal).to_bits(),
        0x8000_0000
    );
    // A tie between two numbers with 10 fraction bits rounds away from zero.
    let tie = f32::from_bits(0x3f80_1000);
    assert_eq!(load(TensorType::TFloat32, tie).to_bits(), 0x3f80_2000);
    assert_eq!(load(TensorType::TFloat32, -tie).to_bits(), 0xbf80_2000);
    let infinity = load(TensorType::TFloat32, f32::INFINITY);
    assert!(infinity.is_infinite() && infinity > 0.0);
    assert!(load(TensorType::TFloat32, f32::from_bits(0x7f80_0001)).is_nan());
}

mod errors;
