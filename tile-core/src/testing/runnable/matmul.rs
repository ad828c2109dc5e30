//! Matmuls and reductions for devices. Their numbers are so small that no sum rounds, in any order.

use super::control_flow::Flow;
use super::memory::{Buffer, Role};
use super::{LOC, Maker};
use crate::interp::encode_float;
use crate::ir::{
    Attr, ComparisonPredicate, MemoryOrdering, RoundingMode, Signedness, TypedScalar, ValueId,
};
use crate::ops::{
    BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, FloatOp, IntegerOp, Opcode, ViewOp,
};
use crate::types::{PartitionViewType, Scalar, TensorViewType, Type, TypeKind};

/// Operand and accumulator types of `mmaf`.
const PAIRS: [(Scalar, Scalar); 10] = [
    (Scalar::F8E4M3FN, Scalar::F16),
    (Scalar::F8E4M3FN, Scalar::F32),
    (Scalar::F8E5M2, Scalar::F16),
    (Scalar::F8E5M2, Scalar::F32),
    (Scalar::F16, Scalar::F16),
    (Scalar::F16, Scalar::F32),
    (Scalar::BF16, Scalar::F32),
    (Scalar::TF32, Scalar::F32),
    (Scalar::F32, Scalar::F32),
    (Scalar::F64, Scalar::F64),
];

/// Operand and scale types of `mmaf_scaled`, and the number of elements that share a scale.
const SCALED: [(Scalar, Scalar, i64); 5] = [
    (Scalar::F8E4M3FN, Scalar::F8E8M0FNU, 32),
    (Scalar::F8E5M2, Scalar::F8E8M0FNU, 32),
    (Scalar::F4E2M1FN, Scalar::F8E4M3FN, 16),
    (Scalar::F4E2M1FN, Scalar::F8E8M0FNU, 16),
    (Scalar::F4E2M1FN, Scalar::F8E8M0FNU, 32),
];

/// Extents of matmuls: some smaller than those of an MMA instruction, some that fill one.
const EXTENTS: [i64; 8] = [1, 2, 4, 8, 8, 16, 16, 32];

/// The maximum number of elements of an accumulator.
const MAX_ELEMENTS: i64 = 512;

impl Maker<'_> {
    /// Makes a matmul of any pair of types.
    pub(super) fn any_matmul(&mut self) {
        if self.random.one_in(3) {
            return self.matmul_from_memory();
        }
        let [mut m, mut n, k, batch] = [(); 4].map(|()| self.random.pick(&EXTENTS));
        let batch = (self.random.one_in(3)).then_some(batch.min(4));
        let count = |m, n| m * n * batch.unwrap_or(1);
        while count(m, n) > MAX_ELEMENTS {
            m = (m / 2).max(1);
            n = (n / 2).max(1);
        }
        let shape = |rows: i64, columns: i64| -> Vec<i64> {
            batch.into_iter().chain([rows, columns]).collect()
        };
        match self.random.below(8) {
            0 | 1 => {
                let (from, scale, block) = self.random.pick(&SCALED);
                let blocks = 1 << self.random.below(2);
                let k = block * blocks;
                let lhs = self.small(from, &shape(m, k));
                let rhs = self.small(from, &shape(k, n));
                let acc = self.small(Scalar::F32, &shape(m, n));
                let lhs_scale = self.scales(scale, &shape(m, blocks));
                let rhs_scale = self.scales(scale, &shape(blocks, n));
                let args = [lhs, rhs, acc, lhs_scale, rhs_scale];
                let result = Type::tile(Scalar::F32, &shape(m, n));
                let op = self.builder.op(FloatOp::MmaFScaled, LOC).args(&args);
                let value = op.result(result).finish_value();
                self.shown(value);
            }
            2 | 3 => {
                let byte = |maker: &mut Self, shape: &[i64]| {
                    let int = Type::tile(Scalar::I32, shape);
                    let value = maker.value(int);
                    let to = Scalar::I8;
                    maker
                        .builder
                        .convert(ConversionOp::TruncI, value, to, None, LOC)
                };
                let result = Type::tile(Scalar::I32, &shape(m, n));
                let args = [
                    byte(self, &shape(m, k)),
                    byte(self, &shape(k, n)),
                    self.value(result),
                ];
                let value = self.mmai(args);
                self.pool.add(result, value);
            }
            _ => {
                let (from, to) = self.random.pick(&PAIRS);
                let lhs = self.small(from, &shape(m, k));
                let rhs = self.small(from, &shape(k, n));
                let acc = self.small(to, &shape(m, n));
                let is_fast = matches!(from, Scalar::F8E4M3FN | Scalar::F8E5M2);
                let is_fast = is_fast && self.random.one_in(3);
                let mut value = self.mmaf([lhs, rhs, acc], is_fast);
                if self.random.one_in(4) {
                    // Chain matmuls through the accumulator, sometimes in a loop.
                    value = self.summed(lhs, rhs, value, is_fast);
                }
                self.shown(value);
            }
        }
    }

    /// Makes a sum of matmuls of tiles that a loop loads.
    fn matmul_from_memory(&mut self) {
        let factors = self.buffers.iter();
        let factors = factors.clone().find(|buffer| buffer.role == Role::Factors);
        let Buffer { scalar, base, .. } = *factors.expect("there are some");
        let [m, n, k] = [(); 3].map(|()| self.random.pick(&[8, 16, 16, 32]));
        let trips = i64::try_from(1 + self.random.below(4)).expect("small");
        let depth = k * trips;
        let views = [[m, depth, m, k], [depth, n, k, n]];
        let views = views.map(|[rows, columns, tile_rows, tile_columns]| {
            self.matrix(base, scalar, [rows, columns], [tile_rows, tile_columns])
        });
        let sums: Vec<Scalar> = match scalar {
            Scalar::I8 => vec![Scalar::I32],
            _ => PAIRS
                .iter()
                .filter(|&&(from, _)| from == scalar)
                .map(|&(_, to)| to)
                .collect(),
        };
        let sum = self.random.pick(&sums);
        let start = match sum {
            Scalar::I32 => self.value(Type::tile(sum, &[m, n])),
            _ => self.small(sum, &[m, n]),
        };
        let int = Type::scalar(Scalar::I32);
        let ty = self.builder.ty(start);
        let end = trips.unsigned_abs();
        let bounds = [0, end, 1].map(|bits| self.splat(Scalar::I32, bits, &[]));
        let op = self
            .builder
            .op(ControlFlowOp::For, LOC)
            .args(&bounds)
            .operands("initValues", &[start])
            .result(ty)
            .finish();
        self.region(op, &[int, ty], &Flow::default(), |maker, args| {
            let [zero, turn] = [bounds[0], args[0]];
            let lhs = maker.load_matrix(views[0], [zero, turn], Type::tile(scalar, &[m, k]));
            let rhs = maker.load_matrix(views[1], [turn, zero], Type::tile(scalar, &[k, n]));
            let value = match scalar {
                Scalar::I8 => {
                    let args = [lhs, rhs, args[1]];
                    maker.mmai(args)
                }
                _ => maker.mmaf([lhs, rhs, args[1]], false),
            };
            maker
                .builder
                .terminate(ControlFlowOp::Continue, &[value], LOC);
        });
        let value = self.builder.module().op(op).result();
        self.shown(value);
    }

    /// Returns tiles of a matrix in memory, row by row.
    fn matrix(
        &mut self,
        base: ValueId,
        scalar: Scalar,
        [rows, columns]: [i64; 2],
        tile: [i64; 2],
    ) -> ValueId {
        let tensor_view = TensorViewType {
            element: scalar,
            shape: vec![Some(rows), Some(columns)],
            strides: vec![Some(columns), Some(1)],
        };
        let tensor = self
            .builder
            .op(ViewOp::MakeTensorView, LOC)
            .operand("base", base)
            .result(Type::new(TypeKind::TensorView(tensor_view.clone())))
            .finish_value();
        let view = PartitionViewType {
            tile: tile
                .map(|extent| i32::try_from(extent).expect("small"))
                .into(),
            padding: None,
            tensor_view,
            dim_map: vec![0, 1],
        };
        self.builder
            .op(ViewOp::MakePartitionView, LOC)
            .args(&[tensor])
            .result(Type::new(TypeKind::PartitionView(view)))
            .finish_value()
    }

    fn load_matrix(&mut self, view: ValueId, index: [ValueId; 2], ty: Type) -> ValueId {
        let weak = Attr::MemoryOrdering(MemoryOrdering::Weak);
        let op = self
            .builder
            .op(ViewOp::LoadViewTko, LOC)
            .operand("view", view)
            .operands("index", &index)
            .attr("memory_ordering_semantics", weak)
            .results(&[ty, Type::token()])
            .finish();
        self.builder.module().op(op).results[0]
    }

    fn mmai(&mut self, args: [ValueId; 3]) -> ValueId {
        let [lhs, rhs] = [0; 2].map(|_| self.random.pick(Signedness::ALL));
        let result = self.builder.ty(args[2]);
        self.builder
            .op(IntegerOp::MmaI, LOC)
            .args(&args)
            .attr("signedness_lhs", Attr::Signedness(lhs))
            .attr("signedness_rhs", Attr::Signedness(rhs))
            .result(result)
            .finish_value()
    }

    fn mmaf(&mut self, args: [ValueId; 3], is_fast: bool) -> ValueId {
        let result = self.builder.ty(args[2]);
        let op = self.builder.op(FloatOp::MmaF, LOC).args(&args);
        op.flag("fast_acc", is_fast).result(result).finish_value()
    }

    /// Makes the matmul once or twice more, in a loop.
    fn summed(&mut self, lhs: ValueId, rhs: ValueId, acc: ValueId, is_fast: bool) -> ValueId {
        let int = Type::scalar(Scalar::I32);
        let ty = self.builder.ty(acc);
        let end = 1 + self.random.below(2) as u64;
        let bounds = [0, end, 1].map(|bits| self.splat(Scalar::I32, bits, &[]));
        let op = self
            .builder
            .op(ControlFlowOp::For, LOC)
            .args(&bounds)
            .operands("initValues", &[acc])
            .result(ty)
            .finish();
        let flow = Flow::default();
        self.region(op, &[int, ty], &flow, |maker, args| {
            let value = maker.mmaf([lhs, rhs, args[1]], is_fast);
            maker
                .builder
                .terminate(ControlFlowOp::Continue, &[value], LOC);
        });
        self.builder.module().op(op).result()
    }

    /// Makes integers from -3 to 4, which every float type except those of scales represents. Their
    /// products, and sums of hundreds of products, fit the mantissa of f16.
    fn small(&mut self, scalar: Scalar, shape: &[i64]) -> ValueId {
        // A matmul with an accumulator in f16 sums at most 32 products per element.
        let value = self.value(Type::tile(Scalar::I32, shape));
        let value = self.bits_of(value, 7);
        let three = self.splat_like(value, 3);
        let value = self.builder.wrapping(IntegerOp::SubI, &[value, three], LOC);
        let signed = Some(Signedness::Signed);
        self.builder
            .convert(ConversionOp::IToF, value, scalar, signed, LOC)
    }

    /// Makes scales of 1, 2, 4 or 8.
    fn scales(&mut self, scalar: Scalar, shape: &[i64]) -> ValueId {
        let value = self.value(Type::tile(Scalar::I32, shape));
        let value = self.bits_of(value, 3);
        let one = self.splat_like(value, 1);
        let ty = self.builder.ty(value);
        let value = self.overflow_free_shift(one, value, ty);
        let signed = Some(Signedness::Signed);
        let single = self
            .builder
            .convert(ConversionOp::IToF, value, Scalar::F32, signed, LOC);
        let rounding = match scalar {
            Scalar::F8E8M0FNU => RoundingMode::PositiveInf,
            _ => RoundingMode::NearestEven,
        };
        self.builder
            .op(ConversionOp::FToF, LOC)
            .args(&[single])
            .attr("rounding_mode", Attr::Rounding(rounding))
            .result(Type::tile(scalar, shape))
            .finish_value()
    }

    fn overflow_free_shift(&mut self, lhs: ValueId, rhs: ValueId, ty: Type) -> ValueId {
        let op = self.builder.op(IntegerOp::ShlI, LOC).args(&[lhs, rhs]);
        op.result(ty).finish_value()
    }

    /// Adds an exact result to the pool, whatever its type and shape.
    fn shown(&mut self, value: ValueId) {
        let (scalar, _) = self.builder.ty(value).as_number_tile().expect("numbers");
        if self.scalars.contains(&scalar) {
            let ty = self.builder.ty(value);
            self.pool.add(ty, value);
            return;
        }
        self.signed_conversion(
            ConversionOp::FToI,
            value,
            {
                let (_, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
                Type::tile(Scalar::I32, shape)
            },
            Signedness::Signed,
        );
    }

    /// Makes a sum of small numbers, or an argmax.
    pub(super) fn device_reduction(&mut self, shape: &[i64]) {
        if self.random.one_in(2) {
            self.exact_sum(shape);
        } else {
            self.greatest(shape);
        }
    }

    /// Makes sums of zeros and ones, or products of ones with signs.
    fn exact_sum(&mut self, shape: &[i64]) {
        let Some(scalar) = self.scalar(Scalar::is_base_float) else {
            return;
        };
        let dim = self.random.below(shape.len());
        // bf16 represents every integer up to 256.
        if shape[dim] > 256 {
            return;
        }
        let is_product = self.random.one_in(3);
        let ints = self.value(Type::tile(Scalar::I32, shape));
        let mut ints = self.bits_of(ints, 1);
        if is_product {
            // 1 or -1
            let two = self.splat_like(ints, 2);
            let doubled = self.builder.wrapping(IntegerOp::MulI, &[ints, two], LOC);
            let one = self.splat_like(ints, 1);
            ints = self.builder.wrapping(IntegerOp::SubI, &[doubled, one], LOC);
        }
        let signed = Some(Signedness::Signed);
        let source = self
            .builder
            .convert(ConversionOp::IToF, ints, scalar, signed, LOC);
        let (opcode, identity) = if is_product {
            (FloatOp::MulF, encode_float(scalar, 1.0))
        } else {
            (FloatOp::AddF, 0)
        };
        let identities = [TypedScalar {
            scalar,
            bits: identity,
        }];
        self.fold(shape, dim, &[source], &identities, |maker, args| {
            let signed = Signedness::Signed;
            vec![maker.joined(scalar, Opcode::Float(opcode), signed, [args[0], args[1]])]
        });
    }

    /// Makes an argmax over two tiles: the greatest number, and the least index among those paired
    /// with it.
    fn greatest(&mut self, shape: &[i64]) {
        let dim = self.random.below(shape.len());
        let scalar = self.count_type();
        let values = self.value(Type::tile(scalar, shape));
        let places = self.value(Type::tile(Scalar::I32, shape));
        let identities = [
            TypedScalar {
                scalar,
                bits: 1 << (scalar.bits() - 1),
            },
            TypedScalar {
                scalar: Scalar::I32,
                bits: 0x7fff_ffff,
            },
        ];
        let sources = [values, places];
        self.fold(shape, dim, &sources, &identities, |maker, args| {
            let signed = Signedness::Signed;
            let [value, best, place, first] = [args[0], args[1], args[2], args[3]];
            let greater = ComparisonPredicate::GreaterThan;
            let is_greater = maker.builder.cmpi(greater, value, best, signed, LOC);
            let equal = ComparisonPredicate::Equal;
            let is_equal = maker.builder.cmpi(equal, value, best, signed, LOC);
            let less = ComparisonPredicate::LessThan;
            let is_before = maker.builder.cmpi(less, place, first, signed, LOC);
            let truth = Type::scalar(Scalar::I1);
            let mut both = |opcode: BitwiseOp, args: [ValueId; 2]| {
                let op = maker.builder.op(opcode, LOC).args(&args).result(truth);
                op.finish_value()
            };
            let breaks_tie = both(BitwiseOp::AndI, [is_equal, is_before]);
            let wins = both(BitwiseOp::OrI, [is_greater, breaks_tie]);
            let mut chosen = |scalar, args: [ValueId; 2]| {
                let args = [wins, args[0], args[1]];
                let op = maker.builder.op(CoreOp::Select, LOC).args(&args);
                op.result(Type::scalar(scalar)).finish_value()
            };
            vec![
                chosen(scalar, [value, best]),
                chosen(Scalar::I32, [place, first]),
            ]
        });
    }

    /// Makes a reduction or a scan, with a body.
    fn fold(
        &mut self,
        shape: &[i64],
        dim: usize,
        sources: &[ValueId],
        identities: &[TypedScalar],
        body: impl FnOnce(&mut Self, &[ValueId]) -> Vec<ValueId>,
    ) {
        let is_scan = self.random.one_in(3);
        let mut rest = shape.to_vec();
        if !is_scan {
            rest.remove(dim);
        }
        let results: Vec<Type> = identities
            .iter()
            .map(|identity| Type::tile(identity.scalar, &rest))
            .collect();
        let opcode = if is_scan {
            CoreOp::Scan
        } else {
            CoreOp::Reduce
        };
        let mut op = self
            .builder
            .op(opcode, LOC)
            .operands("operands", sources)
            .attr("dim", Attr::Int(i64::try_from(dim).expect("small")));
        if is_scan {
            let reverse = self.random.one_in(2);
            op = op.attr("reverse", Attr::Bool(reverse));
        }
        let op = op
            .attr("identities", Attr::Scalars(identities.into()))
            .results(&results)
            .finish();
        let block = self.builder.add_region_block(op);
        let module = self.builder.module();
        let args: Vec<ValueId> = identities
            .iter()
            .flat_map(|identity| [Type::scalar(identity.scalar); 2])
            .map(|ty| module.add_block_arg(block, ty, LOC))
            .collect();
        let outer = self.builder.set_block(block);
        let values = body(self, &args);
        self.builder.terminate(ControlFlowOp::Yield, &values, LOC);
        self.builder.set_block(outer);
        self.define(op);
    }
}
