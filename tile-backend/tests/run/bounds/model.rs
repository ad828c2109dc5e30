//! Models a launch in arithmetic that does not wrap.

use tile_core::interp::{decode_float, encode_float};
use tile_core::types::Scalar;

use super::case::{Access, Case, Kind, Product, Term, Trips, Work};
use super::tensor::Tensor;

/// The arguments of a launch.
pub(super) struct Launch {
    /// One tensor for each access.
    pub(super) tensors: Vec<Tensor>,
    /// For each access and axis, the bits of a number.
    pub(super) indices: Vec<Vec<u64>>,
    pub(super) trips: u64,
}

/// The output tensor after a launch.
pub(super) struct Stored {
    pub(super) tensor: Tensor,
    /// For each element of the buffer, `true` if it was stored.
    pub(super) is_new: Vec<bool>,
}

impl Case {
    /// Returns the expected output. The bits of a computed NaN may differ.
    pub(super) fn expected(&self, launch: &Launch) -> Stored {
        let inputs = self.inputs.iter().zip(&launch.tensors);
        let output = launch.tensors.last().expect("the last one is stored");
        let mut stored = Stored {
            tensor: output.clone(),
            // Elements have at least half a byte, so a buffer has at most two per byte.
            is_new: vec![false; 2 * output.bytes.len()],
        };
        let trips = match self.trips {
            Trips::Once => 1,
            Trips::Given => launch.trips,
            Trips::Counted => tiles_along(&self.inputs[0], &launch.tensors[0]),
        };
        let positions = (0..self.grid[0]).flat_map(|x| (0..self.grid[1]).map(move |y| [x, y]));
        for block in positions {
            let mut sums = self.product().map(|product| Sums::new(self, product));
            let iteration = (block, 0);
            for counter in 0..trips {
                let iteration = (iteration.0, counter);
                let tiles = inputs.clone().zip(&launch.indices);
                let tiles: Vec<Vec<u64>> = tiles
                    .map(|((access, tensor), index)| {
                        load(access, tensor, &self.coordinates(access, index, iteration))
                    })
                    .collect();
                if let Some(sums) = &mut sums {
                    sums.add(self, &tiles);
                    continue;
                }
                let result = self.compute(&tiles[0]);
                self.put(&mut stored, launch, iteration, &result);
            }
            if let Some(sums) = sums {
                self.put(
                    &mut stored,
                    launch,
                    iteration,
                    &sums.rounded(self.output.scalar),
                );
            }
        }
        stored
    }

    fn put(&self, stored: &mut Stored, launch: &Launch, iteration: ([u32; 2], u64), tile: &[u64]) {
        let index = launch.indices.last().expect("the last one is stored");
        let coordinates = self.coordinates(&self.output, index, iteration);
        for (linear, &bits) in tile.iter().enumerate() {
            let Some(place) = place(&self.output, &stored.tensor, &coordinates, linear) else {
                continue;
            };
            let bits = if self.is_added {
                stored.tensor.get(place).wrapping_add(bits)
            } else {
                bits
            };
            stored.tensor.put(place, bits);
            stored.is_new[place] = true;
        }
    }

    /// Returns the coordinate of a tile at `index` along each axis. Coordinates may exceed 64 bits.
    fn coordinates(
        &self,
        access: &Access,
        index: &[u64],
        (block, counter): ([u32; 2], u64),
    ) -> Vec<Vec<u128>> {
        let mask = u64::MAX >> (64 - self.index.bits());
        let axes = access.tile.iter().enumerate();
        axes.map(|(axis, &size)| {
            let index = match access.terms[axis] {
                Term::Nothing => index[axis],
                Term::Counter => index[axis].wrapping_add(counter) & mask,
                Term::CounterAlone => counter,
                Term::Block(of) => index[axis].wrapping_add(block[of].into()) & mask,
            };
            let each = |element: u64| match access.view.kind {
                Kind::Gather(sparse, by) if sparse == axis => {
                    u128::from(index.wrapping_add(element.wrapping_mul(by)) & mask)
                }
                Kind::Partition | Kind::Strided(_) | Kind::Gather(..) => {
                    u128::from(index) * u128::from(access.view.step(axis, size))
                        + u128::from(element)
                }
            };
            (0..size).map(each).collect()
        })
        .collect()
    }

    /// Applies the computation of the kernel to a tile.
    fn compute(&self, tile: &[u64]) -> Vec<u64> {
        match &self.work {
            Work::Same => tile.to_vec(),
            Work::Permuted(axes) => {
                let (tile_shape, shape) = (&self.inputs[0].tile, &self.output.tile);
                (0..tile.len())
                    .map(|linear| {
                        let position = position(shape, linear);
                        let mut from = vec![0; tile_shape.len()];
                        for (axis, &of) in axes.iter().enumerate() {
                            from[of] = position[axis];
                        }
                        let linear =
                            from.iter()
                                .zip(tile_shape)
                                .fold(0, |linear, (&coordinate, &size)| {
                                    linear * usize::try_from(size).expect("small") + coordinate
                                });
                        tile[linear]
                    })
                    .collect()
            }
            Work::Unpacked(scalar) => tile
                .iter()
                .flat_map(|byte| [byte & 0xf, byte >> 4])
                .map(|four| {
                    // `i4` is sign-extended to a byte.
                    let is_negative = *scalar == Scalar::I4 && four > 7;
                    if is_negative { four | 0xf0 } else { four }
                })
                .collect(),
            Work::Packed => {
                let pairs = tile.as_chunks::<2>().0.iter();
                pairs.map(|[low, high]| low | high << 4).collect()
            }
            Work::Product(_) => unreachable!("products are summed"),
        }
    }
}

/// Returns the number of tiles of the axis that a loop follows.
fn tiles_along(access: &Access, tensor: &Tensor) -> u64 {
    let is_followed = |term: &Term| *term == Term::CounterAlone;
    let axis = access.terms.iter().position(is_followed);
    let axis = axis.expect("a loop over tiles follows an axis");
    let extent = tensor.shape[access.view.order[axis]];
    extent.div_ceil(access.view.step(axis, access.tile[axis]))
}

/// Returns the coordinates of an element of a tile.
fn position(tile: &[u64], linear: usize) -> Vec<usize> {
    let mut coordinates = vec![0; tile.len()];
    let mut rest = linear;
    for (coordinate, &size) in coordinates.iter_mut().zip(tile).rev() {
        let size = usize::try_from(size).expect("small");
        *coordinate = rest % size;
        rest /= size;
    }
    coordinates
}

/// Returns the offset of an element of a tile from the first element of the tensor, in elements; `None` if
/// the element is outside the tensor.
fn place(
    access: &Access,
    tensor: &Tensor,
    coordinates: &[Vec<u128>],
    linear: usize,
) -> Option<usize> {
    let mut rest = linear;
    let mut element = 0;
    for (of_axis, &dim) in coordinates.iter().zip(&access.view.order).rev() {
        let coordinate = of_axis[rest % of_axis.len()];
        rest /= of_axis.len();
        if coordinate >= u128::from(tensor.shape[dim]) {
            return None;
        }
        element += coordinate * u128::from(tensor.strides[dim]);
    }
    Some(usize::try_from(element).expect("inside"))
}

fn load(access: &Access, tensor: &Tensor, coordinates: &[Vec<u128>]) -> Vec<u64> {
    let padding = padding(access);
    let count = usize::try_from(access.elements()).expect("small");
    (0..count)
        .map(|linear| {
            let place = place(access, tensor, coordinates, linear);
            place.map_or(padding, |element| tensor.get(element))
        })
        .collect()
}

/// Returns the bits of the padding of a load.
fn padding(access: &Access) -> u64 {
    let value = match access.view.padding.expect("loads have one") {
        "neg_zero" => -0.0,
        "nan" => f64::NAN,
        "pos_inf" => f64::INFINITY,
        "neg_inf" => f64::NEG_INFINITY,
        _ => return 0,
    };
    let bits = encode_float(access.scalar, value);
    if access.scalar == Scalar::TF32 {
        bits << 13
    } else {
        bits
    }
}

/// Decodes the bits of a tile element.
fn number(scalar: Scalar, bits: u64) -> f64 {
    let is_word = scalar == Scalar::TF32;
    decode_float(scalar, if is_word { bits >> 13 } else { bits })
}

/// The sums of a matmul, which are exact.
struct Sums {
    product: Product,
    batch: usize,
    rows: usize,
    columns: usize,
    depth: usize,
    floats: Vec<f64>,
    integers: Vec<i32>,
}

impl Sums {
    fn new(case: &Case, product: Product) -> Self {
        let extents: Vec<usize> = [&case.inputs[0], &case.output]
            .iter()
            .flat_map(|access| access.tile.iter().rev().take(2).rev())
            .map(|&size| usize::try_from(size).expect("small"))
            .collect();
        let count = usize::try_from(case.output.elements()).expect("small");
        Self {
            product,
            batch: count / (extents[0] * extents[3]),
            rows: extents[0],
            depth: extents[1],
            columns: extents[3],
            floats: vec![0.0; count],
            integers: vec![0; count],
        }
    }

    fn add(&mut self, case: &Case, tiles: &[Vec<u64>]) {
        if self.product.sum == Scalar::I32 {
            self.add_bytes(tiles);
            return;
        }
        let numbers = |number_of: usize| -> Vec<f64> {
            let scalar = case.inputs[number_of].scalar;
            let tile = tiles[number_of].iter();
            tile.map(|&bits| number(scalar, bits)).collect()
        };
        let (mut a, mut b) = (numbers(0), numbers(1));
        if self.product.is_scaled {
            let (of_a, of_b) = (numbers(2), numbers(3));
            let blocks = of_a.len() / self.rows;
            let length = self.depth / blocks;
            for (index, a) in a.iter_mut().enumerate() {
                let (row, k) = (index / self.depth, index % self.depth);
                *a *= of_a[row * blocks + k / length];
            }
            for (index, b) in b.iter_mut().enumerate() {
                let (k, column) = (index / self.columns, index % self.columns);
                *b *= of_b[k / length * self.columns + column];
            }
        }
        let (rows, columns, depth) = (self.rows, self.columns, self.depth);
        for batch in 0..self.batch {
            let a = &a[batch * rows * depth..][..rows * depth];
            let b = &b[batch * depth * columns..][..depth * columns];
            let sums = &mut self.floats[batch * rows * columns..][..rows * columns];
            for (a, sums) in a.chunks_exact(depth).zip(sums.chunks_exact_mut(columns)) {
                for (a, b) in a.iter().zip(b.chunks_exact(columns)) {
                    for (sum, b) in sums.iter_mut().zip(b) {
                        *sum += a * b;
                    }
                }
            }
        }
    }

    fn add_bytes(&mut self, tiles: &[Vec<u64>]) {
        let numbers = |side: usize| -> Vec<i32> {
            let number = |&bits: &u64| {
                let byte = u8::try_from(bits).expect("a byte");
                if self.product.signs[side] {
                    i32::from(byte.cast_signed())
                } else {
                    i32::from(byte)
                }
            };
            tiles[side].iter().map(number).collect()
        };
        let (a, b) = (numbers(0), numbers(1));
        let (rows, columns, depth) = (self.rows, self.columns, self.depth);
        for (linear, sum) in self.integers.iter_mut().enumerate() {
            let (batch, rest) = (linear / (rows * columns), linear % (rows * columns));
            let (row, column) = (rest / columns, rest % columns);
            for k in 0..depth {
                let a = a[(batch * rows + row) * depth + k];
                let b = b[(batch * depth + k) * columns + column];
                *sum = sum.wrapping_add(a * b);
            }
        }
    }

    /// Converts the sums to stored elements.
    fn rounded(&self, scalar: Scalar) -> Vec<u64> {
        if self.product.sum == Scalar::I32 {
            let integers = self.integers.iter();
            return integers.map(|sum| u64::from(sum.cast_unsigned())).collect();
        }
        let bits = |&sum: &f64| encode_float(scalar, sum);
        self.floats.iter().map(bits).collect()
    }
}
