//! Random integer expressions, and inputs for them.

use crate::build::Builder;
use crate::interp::Tile;
use crate::ir::{
    AssumePredicate, Attr, ComparisonPredicate, IntegerOverflow, Loc, Module, RoundingMode,
    Signedness, ValueId,
};
use crate::ops::{
    BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, IntegerOp, MiscOp, Opcode, TestingOp,
};
use crate::simplify::build::mask;
use crate::testing::Random;
use crate::types::{FunctionType, Scalar, Type, TypeKind};

/// A source of tiles of small numbers, powers of two, extremes, and arbitrary numbers.
pub(super) struct Values(Random<'static>);

impl Values {
    pub(super) fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    pub(super) fn tile(&mut self, scalar: Scalar, shape: &[i64]) -> Tile {
        let count: i64 = shape.iter().product();
        // Some tiles hold numbers of one kind only, so that assumptions about them may be true.
        let kind = self.0.below(6);
        let bits = (0..count)
            .map(|_| number(&mut self.0, scalar, kind))
            .collect();
        Tile::new(scalar, shape, bits)
    }
}

fn number(random: &mut Random<'_>, scalar: Scalar, kind: usize) -> u64 {
    let full_mask = mask(scalar.bits());
    let top = 1 << (scalar.bits() - 1);
    let bits = match kind {
        0 => random.bits() % 9,
        1 => 1 << random.below(8),
        2 => random.pick(&[0, 1, full_mask, top, top - 1, top + 1]),
        3 => random.bits() & !15,
        4 => random.bits() & (full_mask >> 1),
        _ => random.bits(),
    };
    bits & full_mask
}

const BYTE: Scalar = Scalar::I8;
const WORD: Scalar = Scalar::I16;
const BIT: Scalar = Scalar::I1;

/// An operation; its operands are indices of earlier ones.
struct Node {
    scalar: Scalar,
    kind: Kind,
}

enum Kind {
    Argument,
    Constant(u64),
    Op(Opcode, Vec<usize>, Vec<(&'static str, Attr)>),
}

/// A function `f` of two `i8` and an `i1`.
pub(super) struct Expression(Vec<Node>);

impl Expression {
    pub(super) fn random(random: &mut Random<'_>) -> Self {
        let argument = |scalar| Node {
            scalar,
            kind: Kind::Argument,
        };
        let mut expression = Self(vec![argument(BYTE), argument(BYTE), argument(BIT)]);
        for _ in 0..3 + random.below(8) {
            expression.grow(random);
        }
        expression
    }

    fn push(&mut self, scalar: Scalar, kind: Kind) -> usize {
        self.0.push(Node { scalar, kind });
        self.0.len() - 1
    }

    /// Returns an earlier value, where recent ones are more likely, or a new constant.
    fn operand(&mut self, random: &mut Random<'_>, scalar: Scalar) -> usize {
        let candidates = self.0.iter().enumerate();
        let fits: Vec<usize> = candidates
            .filter(|(_, node)| node.scalar == scalar)
            .map(|(index, _)| index)
            .collect();
        if fits.is_empty() || random.below(3) == 0 {
            let kind = random.below(6);
            let bits = number(random, scalar, kind);
            return self.push(scalar, Kind::Constant(bits));
        }
        match random.below(2) {
            0 => fits[fits.len() - 1],
            _ => random.pick(&fits),
        }
    }

    fn op(
        &mut self,
        result: Scalar,
        opcode: impl Into<Opcode>,
        args: &[usize],
        attrs: &[(&'static str, Attr)],
    ) {
        let kind = Kind::Op(opcode.into(), args.to_vec(), attrs.to_vec());
        self.push(result, kind);
    }

    fn grow(&mut self, random: &mut Random<'_>) {
        let scalar = random.pick(&[BYTE, BYTE, BYTE, WORD, BIT]);
        let signedness = random.pick(Signedness::ALL);
        let sign = ("signedness", Attr::Signedness(signedness));
        let wide = match random.below(6) {
            0 => random.pick(IntegerOverflow::ALL),
            _ => IntegerOverflow::None,
        };
        let overflow = ("overflow", Attr::Overflow(wide));
        let a = self.operand(random, scalar);
        let b = self.operand(random, scalar);
        match random.below(22) {
            0 | 1 => self.op(scalar, IntegerOp::AddI, &[a, b], &[overflow]),
            2 | 3 => self.op(scalar, IntegerOp::SubI, &[a, b], &[overflow]),
            4 => self.op(scalar, IntegerOp::MulI, &[a, b], &[overflow]),
            5 => self.op(scalar, IntegerOp::NegI, &[a], &[]),
            6 => self.op(scalar, IntegerOp::AbsI, &[a], &[]),
            7 => {
                let opcode = random.pick(&[IntegerOp::MaxI, IntegerOp::MinI]);
                self.op(scalar, opcode, &[a, b], &[sign]);
            }
            8 => self.op(scalar, IntegerOp::MulhiI, &[a, b], &[]),
            9 | 10 => {
                let by = random.bits() % u64::from(scalar.bits());
                let by = self.push(scalar, Kind::Constant(by));
                if random.below(2) == 0 {
                    self.op(scalar, IntegerOp::ShlI, &[a, by], &[overflow]);
                } else {
                    self.op(scalar, IntegerOp::ShrI, &[a, by], &[sign]);
                }
            }
            11 => {
                let modes = match signedness {
                    Signedness::Signed => &[
                        RoundingMode::Zero,
                        RoundingMode::NegativeInf,
                        RoundingMode::PositiveInf,
                    ][..],
                    Signedness::Unsigned => &[RoundingMode::Zero, RoundingMode::PositiveInf],
                };
                let rounding = ("rounding", Attr::Rounding(random.pick(modes)));
                let by = self.divisor(random, scalar);
                self.op(scalar, IntegerOp::DivI, &[a, by], &[sign, rounding]);
            }
            12 => {
                let by = self.divisor(random, scalar);
                self.op(scalar, IntegerOp::RemI, &[a, by], &[sign]);
            }
            13..=15 => {
                let opcode = random.pick(&[BitwiseOp::AndI, BitwiseOp::OrI, BitwiseOp::XorI]);
                self.op(scalar, opcode, &[a, b], &[]);
            }
            16 | 17 => {
                let predicate = Attr::Predicate(random.pick(ComparisonPredicate::ALL));
                let attrs = [("comparison_predicate", predicate), sign];
                self.op(BIT, IntegerOp::CmpI, &[a, b], &attrs);
            }
            18 => {
                let cond = self.operand(random, BIT);
                self.op(scalar, CoreOp::Select, &[cond, a, b], &[]);
            }
            19 => {
                let from = random.pick(&[BIT, BYTE]);
                let source = self.operand(random, from);
                self.op(WORD, ConversionOp::ExtI, &[source], &[sign]);
            }
            20 => {
                let source = self.operand(random, WORD);
                self.op(BYTE, ConversionOp::TruncI, &[source], &[overflow]);
            }
            _ => {
                let cond = self.operand(random, BIT);
                let truth = self.push(BIT, Kind::Constant(1));
                self.op(BIT, BitwiseOp::XorI, &[cond, truth], &[]);
            }
        }
        if random.below(12) == 0 {
            self.promise(random);
        }
    }

    /// Returns a divisor, usually a constant other than 0.
    fn divisor(&mut self, random: &mut Random<'_>, scalar: Scalar) -> usize {
        if random.below(4) == 0 {
            return self.operand(random, scalar);
        }
        let kind = random.below(3);
        let bits = number(random, scalar, kind).max(1);
        self.push(scalar, Kind::Constant(bits))
    }

    /// Adds an assumption about the last value.
    fn promise(&mut self, random: &mut Random<'_>) {
        let last = self.0.len() - 1;
        let predicate = if random.below(2) == 0 {
            AssumePredicate::DivBy {
                divisor: 1 << random.below(5),
                every: None,
                along: None,
            }
        } else {
            AssumePredicate::Bounded {
                lower: Some(0),
                upper: None,
            }
        };
        let attrs = [("predicate", Attr::Assume(Box::new(predicate)))];
        self.op(self.0[last].scalar, MiscOp::Assume, &[last], &attrs);
    }

    /// Returns a module whose function returns the last value.
    pub(super) fn module(&self, shape: &[i64]) -> Module {
        self.returning(shape, &[self.0.len() - 1])
    }

    /// Returns a module whose function returns every value.
    pub(super) fn module_of_all(&self, shape: &[i64]) -> Module {
        let indices: Vec<usize> = (0..self.0.len()).collect();
        self.returning(shape, &indices)
    }

    fn returning(&self, shape: &[i64], results: &[usize]) -> Module {
        let loc = Loc::UNKNOWN;
        let mut module = Module::new("m");
        let mut builder = Builder::new(&mut module);
        let arguments = self
            .0
            .iter()
            .filter(|node| matches!(node.kind, Kind::Argument));
        let inputs: Vec<Type> = arguments
            .map(|node| Type::tile(node.scalar, shape))
            .collect();
        let (function, arguments) = builder.entry("f", &inputs, loc);
        let mut values: Vec<ValueId> = Vec::new();
        for (index, node) in self.0.iter().enumerate() {
            let value = match &node.kind {
                Kind::Argument => arguments[index],
                Kind::Constant(bits) => builder.splat(node.scalar, *bits, shape, loc),
                Kind::Op(opcode, args, attrs) => {
                    let args: Vec<ValueId> = args.iter().map(|&arg| values[arg]).collect();
                    let mut op = builder.op(*opcode, loc).args(&args);
                    for (name, value) in attrs {
                        op = op.attr(name, value.clone());
                    }
                    op.result(Type::tile(node.scalar, shape)).finish_value()
                }
            };
            values.push(value);
        }
        let returned: Vec<ValueId> = results.iter().map(|&index| values[index]).collect();
        builder.terminate(ControlFlowOp::Return, &returned, loc);
        let results = results.iter();
        let results = results
            .map(|&index| Type::tile(self.0[index].scalar, shape))
            .collect();
        let signature = Type::new(TypeKind::Function(FunctionType { inputs, results }));
        let op = module.op_mut(function);
        op.opcode = TestingOp::Func.into();
        op.set_attr("function_type", Some(Attr::Type(signature)));
        module
    }

    /// Makes arguments of the function.
    pub(super) fn inputs(&self, values: &mut Values, shape: &[i64]) -> Vec<Tile> {
        let arguments = self
            .0
            .iter()
            .filter(|node| matches!(node.kind, Kind::Argument));
        arguments
            .map(|node| values.tile(node.scalar, shape))
            .collect()
    }
}
