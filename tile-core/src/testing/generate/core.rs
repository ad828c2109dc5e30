//! Constants, shapes and reductions.

use super::Generator;
use super::control_flow::Frame;
use super::values::is_iota;
use crate::ir::{Attr, ValueId};
use crate::ops::CoreOp;
use crate::types::{Element, Scalar, Type};

impl Generator<'_, '_, '_> {
    pub(super) fn core(&mut self, opcode: CoreOp) {
        match opcode {
            CoreOp::Broadcast => {
                let ty = self.tile_type(|_| true);
                self.broadcast_to(ty);
            }
            CoreOp::Cat => self.cat(),
            CoreOp::Constant => {
                let ty = self.tile_type(
                    |element| matches!(element, Element::Scalar(scalar) if scalar != Scalar::I4),
                );
                let (scalar, shape) = ty.as_number_tile().expect("a tile of numbers");
                self.constant(scalar, shape);
            }
            CoreOp::Extract => self.extract(),
            CoreOp::GetGlobal => {
                self.get_global(None);
            }
            CoreOp::GetNumTileBlocks | CoreOp::GetTileBlockId => {
                let loc = self.loc();
                let op = self.builder.op(opcode, loc);
                let op = op.results(&[Type::scalar(Scalar::I32); 3]).finish();
                self.define(op);
            }
            CoreOp::Insert => self.insert(),
            CoreOp::Iota => {
                let ty = self.tile_type_of(
                    |element| matches!(element, Element::Scalar(s) if s.is_integer() && s != Scalar::I4),
                    |rank| rank == 1,
                );
                let (scalar, shape) = ty.as_number_tile().expect("a tile of numbers");
                if is_iota(scalar, shape) {
                    self.plain(CoreOp::Iota, &[], ty);
                }
            }
            CoreOp::Offset => {
                let pointers = self.tile_type(|element| matches!(element, Element::Ptr(_)));
                let shape = &pointers.as_tile().expect("a tile").shape;
                let int = self.scalar(|scalar| scalar.is_integer() && scalar != Scalar::I4);
                let operands = self.values(&[pointers, Type::tile(int, shape)]);
                self.plain(opcode, &operands, pointers);
            }
            CoreOp::Pack => self.pack(false),
            CoreOp::Permute => self.permute(),
            CoreOp::Reduce | CoreOp::Scan => self.reduce(opcode),
            CoreOp::Reshape => {
                let ty = self.tile_type(|_| true);
                self.reshape_to(ty);
            }
            CoreOp::Select => self.select(),
            CoreOp::Unpack => self.pack(true),
            CoreOp::Entry | CoreOp::Global | CoreOp::Module => {
                unreachable!("these are not candidates")
            }
        }
    }

    /// Makes a `get_global` of a global variable of `element`, if there is one.
    pub(super) fn get_global(&mut self, element: Option<Scalar>) -> Option<ValueId> {
        let fits = |scalar: Scalar| element.is_none_or(|element| element == scalar);
        let candidates: Vec<usize> = (0..self.globals.len())
            .filter(|&index| fits(self.globals[index].1))
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let (name, scalar) = self.globals[self.random.pick(&candidates)].clone();
        let loc = self.loc();
        let op = self
            .builder
            .op(CoreOp::GetGlobal, loc)
            .attr("name", Attr::Symbol(name))
            .result(Type::pointer(scalar))
            .finish();
        Some(self.define(op))
    }

    fn cat(&mut self) {
        let half = self.tile_type_of(|_| true, |rank| rank > 0);
        let tile = half.as_tile().expect("a tile");
        if tile.num_elements() >= self.options.max_elements {
            return;
        }
        let dim = self.random.below(tile.shape.len());
        let mut shape = tile.shape.clone();
        shape[dim] *= 2;
        let operands = self.values(&[half, half]);
        let loc = self.loc();
        let op = self
            .builder
            .op(CoreOp::Cat, loc)
            .args(&operands)
            .attr(
                "dim",
                Attr::Int(i64::try_from(dim).expect("ranks are small")),
            )
            .result(Type::tile(tile.element, &shape))
            .finish();
        self.define(op);
    }

    /// Returns the types of a tile and of a slice of it; a slice of 4-bit floats never has an odd
    /// number of elements.
    fn slice(&mut self) -> (Type, Type) {
        let ty = self.tile_type(|_| true);
        let tile = ty.as_tile().expect("a tile");
        let mut shape = tile.shape.clone();
        for dim in &mut shape {
            *dim >>= self.random.below(dim.ilog2() as usize + 1);
        }
        if tile.element == Element::Scalar(Scalar::F4E2M1FN) {
            shape.clone_from(&tile.shape);
        }
        (ty, Type::tile(tile.element, &shape))
    }

    /// Returns indices of a slice within the tile.
    fn slice_indices(&mut self, tile: Type, slice: Type) -> Vec<ValueId> {
        let [tile, slice] = [tile, slice].map(|ty| &ty.as_tile().expect("a tile").shape);
        let pairs: Vec<i64> = tile
            .iter()
            .zip(slice)
            .map(|(tile, slice)| tile / slice)
            .collect();
        pairs
            .into_iter()
            .map(|count| {
                if self.random.one_in(3) {
                    return self.value(Type::scalar(Scalar::I32));
                }
                let index = self.random.bits() % count.cast_unsigned();
                let loc = self.loc();
                let value = self.builder.splat(Scalar::I32, index, &[], loc);
                self.pool.add(Type::scalar(Scalar::I32), value);
                value
            })
            .collect()
    }

    fn extract(&mut self) {
        let (ty, slice) = self.slice();
        let source = self.value(ty);
        let indices = self.slice_indices(ty, slice);
        let loc = self.loc();
        let op = self
            .builder
            .op(CoreOp::Extract, loc)
            .operand("source", source)
            .operands("indices", &indices)
            .result(slice)
            .finish();
        self.define(op);
    }

    fn insert(&mut self) {
        let (ty, slice) = self.slice();
        let values = self.values(&[slice, ty]);
        let indices = self.slice_indices(ty, slice);
        let loc = self.loc();
        let op = self
            .builder
            .op(CoreOp::Insert, loc)
            .args(&values)
            .operands("indices", &indices)
            .result(ty)
            .finish();
        self.define(op);
    }

    /// Makes `pack` or `unpack` between numbers of a width other than 8 bits and bytes.
    fn pack(&mut self, unpack: bool) {
        let scalar = self.scalar(|scalar| scalar.bits() != 8);
        // A tf32 is packed as 32 bits.
        let bits = match scalar {
            Scalar::TF32 => 32,
            other => i64::from(other.bits()),
        };
        let most = self.options.max_elements.max(64).ilog2() as usize - 6;
        let mut elements = 1_i64 << self.random.below(most + 1);
        while elements * bits < 8 {
            elements *= 2;
        }
        let numbers = Type::tile(scalar, &[elements]);
        let bytes = Type::tile(Scalar::I8, &[elements * bits / 8]);
        let (opcode, from, to) = if unpack {
            (CoreOp::Unpack, bytes, numbers)
        } else {
            (CoreOp::Pack, numbers, bytes)
        };
        let source = self.value(from);
        self.plain(opcode, &[source], to);
    }

    fn permute(&mut self) {
        let ty = self.tile_type_of(|_| true, |rank| rank >= 2);
        let tile = ty.as_tile().expect("a tile");
        let mut axes: Vec<usize> = (0..tile.shape.len()).collect();
        self.random.shuffle(&mut axes);
        let shape: Vec<i64> = axes.iter().map(|&axis| tile.shape[axis]).collect();
        let permutation: Vec<i32> = axes
            .iter()
            .map(|&axis| i32::try_from(axis).expect("ranks are small"))
            .collect();
        let source = self.value(ty);
        let loc = self.loc();
        let op = self
            .builder
            .op(CoreOp::Permute, loc)
            .args(&[source])
            .attr("permutation", Attr::I32Array(permutation.into()))
            .result(Type::tile(tile.element, &shape))
            .finish();
        self.define(op);
    }

    fn select(&mut self) {
        let ty = self.tile_type(|element| element != Element::Scalar(Scalar::F4E2M1FN));
        let shape = &ty.as_tile().expect("a tile").shape;
        let operands = self.values(&[Type::tile(Scalar::I1, shape), ty, ty]);
        self.plain(CoreOp::Select, &operands, ty);
    }

    /// Makes `reduce` or `scan`.
    fn reduce(&mut self, opcode: CoreOp) {
        // Neither rank-0 tiles of 4-bit floats, which the body would take, nor identities of i4
        // exist.
        let accept = |element| matches!(element, Element::Scalar(scalar) if scalar.bits() != 4);
        let first = self.tile_type_of(accept, |rank| rank > 0);
        let (scalar, shape) = first.as_number_tile().expect("a tile of numbers");
        let mut scalars = vec![scalar];
        while scalars.len() < 3 && self.random.one_in(3) {
            let scalar = self.scalar(|scalar| scalar.bits() != 4);
            scalars.push(scalar);
        }
        let dim = self.random.below(shape.len());
        let mut rest = shape.to_vec();
        if opcode == CoreOp::Reduce {
            rest.remove(dim);
        }
        let tiles = |shape: &[i64]| -> Vec<Type> {
            scalars
                .iter()
                .map(|&scalar| Type::tile(scalar, shape))
                .collect()
        };
        let operands = self.values(&tiles(shape));
        let identities = scalars.iter().map(|&scalar| self.typed_scalar(scalar));
        let identities: Vec<_> = identities.collect();
        let dim = Attr::Int(i64::try_from(dim).expect("ranks are small"));
        let attrs = self.attrs(opcode.into(), None);
        let loc = self.loc();
        let mut op = self
            .builder
            .op(opcode, loc)
            .operands("operands", &operands)
            .attr("dim", dim)
            .attr("identities", Attr::Scalars(identities.into()))
            .results(&tiles(&rest));
        for (name, value) in attrs {
            op = op.attr(name, value);
        }
        let op = op.finish();
        let yielded = tiles(&[]);
        let params: Vec<Type> = yielded.iter().flat_map(|&ty| [ty, ty]).collect();
        let steps = self.random.below(5);
        self.region(op, &params, Frame::Pure(yielded), steps);
        self.define(op);
    }
}
