//! Evaluates structured loops directly, by walking the tree of operations.
//!
//! The evaluator shares no code with flattening, the interpreter or the interpreter's arithmetic. A
//! parallel loop runs its points in a shuffled order, and reductions combine random pairs of
//! values.

use tile_core::Module;
use tile_core::ir::{
    Attr, BlockId, ComparisonPredicate, DenseElements, Op, OpId, Signedness, ValueId,
};
use tile_core::ops::{
    BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, IntegerOp, LoopOp, MemoryOp, Opcode,
};
use tile_core::testing::Random;
use tile_core::types::Scalar;

/// A value at run time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A tile of integers, sign-extended.
    Ints(Vec<i128>),
    /// A tile of pointers, each of which is the index of a buffer and of an element in the buffer.
    Places(Vec<(usize, i128)>),
    Token,
}

/// The reason why an evaluation has no result.
#[derive(Debug, PartialEq)]
pub(crate) enum Stuck {
    /// The module uses a value that it leaves undefined.
    Undefined,
    /// The module contains an operation that this evaluator does not support.
    Unknown(String),
}

/// Buffers of integers.
pub(crate) type Memory = Vec<Vec<i64>>;

/// Numbers of executed constructs, which show that the test is not vacuous.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) points: usize,
    pub(crate) trips: usize,
    pub(crate) combined: usize,
    pub(crate) stores: usize,
    pub(crate) empty: usize,
}

pub(crate) struct Evaluator<'m> {
    module: &'m Module,
    pub(crate) memory: Memory,
    pub(crate) counts: Counts,
    random: Random<'static>,
    /// The value of each name, by its index.
    values: Vec<Option<Value>>,
}

type Outcome<T> = Result<T, Stuck>;

impl<'m> Evaluator<'m> {
    pub(crate) fn new(module: &'m Module, memory: Memory, order: u64) -> Self {
        Self {
            module,
            memory,
            counts: Counts::default(),
            random: Random::new(order),
            values: vec![None; module.num_values()],
        }
    }

    /// Runs an entry once.
    pub(crate) fn run(&mut self, name: &str, args: &[Value]) -> Outcome<()> {
        let entry = self.module.entry(name).expect("the entry");
        let block = self.module.region_block(entry, 0).expect("a body");
        self.bind(&self.module.block(block).args, args);
        self.block(block)?;
        Ok(())
    }

    fn bind(&mut self, names: &[ValueId], values: &[Value]) {
        for (&name, value) in names.iter().zip(values) {
            self.values[name.index()] = Some(value.clone());
        }
    }

    fn look(&self, name: ValueId) -> Outcome<&Value> {
        self.values[name.index()].as_ref().ok_or(Stuck::Undefined)
    }

    fn get(&self, name: ValueId) -> Outcome<Value> {
        self.look(name).cloned()
    }

    fn all(&self, names: &[ValueId]) -> Outcome<Vec<Value>> {
        names.iter().map(|&name| self.get(name)).collect()
    }

    fn ints(&self, name: ValueId) -> Outcome<&[i128]> {
        match self.look(name)? {
            Value::Ints(ints) => Ok(ints),
            _ => panic!("expected integers"),
        }
    }

    fn int(&self, name: ValueId, signedness: Signedness) -> Outcome<i128> {
        let number = self.ints(name)?[0];
        Ok(read(number, self.scalar(name), signedness))
    }

    fn places(&self, name: ValueId) -> Outcome<&[(usize, i128)]> {
        match self.look(name)? {
            Value::Places(places) => Ok(places),
            _ => panic!("expected places"),
        }
    }

    fn scalar(&self, name: ValueId) -> Scalar {
        let (scalar, _) = self.module.ty(name).as_number_tile().expect("numbers");
        scalar
    }

    fn shape(&self, name: ValueId) -> Vec<usize> {
        let tile = self.module.ty(name).as_tile().expect("a tile");
        let extents = tile.shape.iter();
        extents
            .map(|&extent| usize::try_from(extent).expect("positive"))
            .collect()
    }

    /// Runs a block; returns the operands of its terminator.
    fn block(&mut self, block: BlockId) -> Outcome<Vec<Value>> {
        let module = self.module;
        for &id in &module.block(block).ops {
            let op = module.op(id);
            if op.def().is_terminator() {
                return self.all(&op.operands);
            }
            self.operation(id, op)?;
        }
        panic!("a block ends")
    }

    fn region(&self, id: OpId, number: usize) -> BlockId {
        self.module.region_block(id, number).expect("a region")
    }

    fn operation(&mut self, id: OpId, op: &'m Op) -> Outcome<()> {
        let results = match op.opcode {
            Opcode::LoopDialect(LoopOp::For) => self.for_(id, op, ["initArgs", "unsignedCmp"])?,
            Opcode::ControlFlow(ControlFlowOp::For) => {
                self.for_(id, op, ["initValues", "unsignedCmp"])?
            }
            Opcode::LoopDialect(LoopOp::If) | Opcode::ControlFlow(ControlFlowOp::If) => {
                let taken = usize::from(self.ints(op.operand("condition"))?[0] == 0);
                match self.module.region_block(id, taken) {
                    Some(block) => self.block(block)?,
                    None => Vec::new(),
                }
            }
            Opcode::LoopDialect(LoopOp::Parallel) => return self.parallel(id, op),
            Opcode::Memory(MemoryOp::LoadPtrTko) => {
                let places = self.places(op.operand("source"))?;
                let load = |&(buffer, offset): &(usize, i128)| {
                    let offset = usize::try_from(offset).expect("in bounds");
                    i128::from(self.memory[buffer][offset])
                };
                vec![Value::Ints(places.iter().map(load).collect()), Value::Token]
            }
            Opcode::Memory(MemoryOp::StorePtrTko) => {
                let places = self.places(op.operand("destination"))?;
                let values = self.ints(op.operand("value"))?;
                let pairs: Vec<_> = places.iter().copied().zip(values.iter().copied()).collect();
                for ((buffer, offset), value) in pairs {
                    let offset = usize::try_from(offset).expect("in bounds");
                    self.memory[buffer][offset] = i64::try_from(value).expect("64 bits");
                    self.counts.stores += 1;
                }
                vec![Value::Token]
            }
            Opcode::Memory(MemoryOp::MakeToken | MemoryOp::JoinTokens) => vec![Value::Token],
            _ => vec![self.compute(op)?],
        };
        self.bind(&op.results, &results);
        Ok(())
    }

    fn range(&self, bounds: [ValueId; 3], signedness: Signedness) -> Outcome<Vec<i128>> {
        let [lower, upper, step] = bounds;
        let (mut counter, upper) = (self.int(lower, signedness)?, self.int(upper, signedness)?);
        let step = self.int(step, signedness)?;
        assert!(step > 0, "steps are positive");
        let mut numbers = Vec::new();
        while counter < upper {
            numbers.push(counter);
            counter += step;
        }
        Ok(numbers)
    }

    fn for_(&mut self, id: OpId, op: &'m Op, [inits, flag]: [&str; 2]) -> Outcome<Vec<Value>> {
        let signedness = signedness(op.has_flag(flag));
        let bounds = ["lowerBound", "upperBound", "step"].map(|name| op.operand(name));
        let mut carried = self.all(op.operands_of(inits))?;
        let block = self.region(id, 0);
        let args = &self.module.block(block).args;
        let scalar = self.scalar(bounds[0]);
        for number in self.range(bounds, signedness)? {
            self.counts.trips += 1;
            self.bind(&args[..1], &[Value::Ints(vec![wrap(number, scalar)])]);
            self.bind(&args[1..], &carried);
            carried = self.block(block)?;
        }
        Ok(carried)
    }

    fn parallel(&mut self, id: OpId, op: &'m Op) -> Outcome<()> {
        let module = self.module;
        let signedness = signedness(op.has_flag("unsignedCmp"));
        let slots = ["lowerBounds", "upperBounds", "steps"].map(|name| op.operands_of(name));
        let mut points: Vec<Vec<i128>> = vec![Vec::new()];
        for dim in 0..slots[0].len() {
            let range = self.range(slots.map(|slot| slot[dim]), signedness)?;
            let longer = points.iter().flat_map(|point| {
                range
                    .iter()
                    .map(|&number| [point.as_slice(), &[number]].concat())
            });
            points = longer.collect();
        }
        self.random.shuffle(&mut points);
        let block = self.region(id, 0);
        let body = module.block(block);
        let reduces: Vec<OpId> = body
            .ops
            .iter()
            .copied()
            .filter(|&op| module.op(op).opcode == LoopOp::Reduce.into())
            .collect();
        let inits = self.all(op.operands_of("initVals"))?;
        let mut accumulated: Vec<Vec<Value>> = match inits.as_slice() {
            [] => vec![Vec::new(); reduces.len()],
            inits => inits.iter().map(|init| vec![init.clone()]).collect(),
        };
        let scalar = self.scalar(slots[0][0]);
        self.counts.empty += usize::from(points.is_empty());
        for point in points {
            self.counts.points += 1;
            let numbers = point
                .iter()
                .map(|&number| Value::Ints(vec![wrap(number, scalar)]));
            let numbers: Vec<Value> = numbers.collect();
            self.bind(&body.args, &numbers);
            let mut offset = 0;
            for &inner in &body.ops {
                let op = module.op(inner);
                if reduces.contains(&inner) {
                    accumulated[offset].push(self.get(op.operand("operand"))?);
                    offset += 1;
                } else if !op.def().is_terminator() {
                    self.operation(inner, op)?;
                }
            }
        }
        for (offset, reduce) in reduces.into_iter().enumerate() {
            let mut values = std::mem::take(&mut accumulated[offset]);
            // Combine any two values in either order until one is left.
            while values.len() > 1 {
                let one = values.swap_remove(self.random.below(values.len()));
                let other = values.swap_remove(self.random.below(values.len()));
                let block = self.region(reduce, 0);
                self.bind(&module.block(block).args, &[one, other]);
                let combined = self.block(block)?.remove(0);
                self.counts.combined += 1;
                values.push(combined);
            }
            match values.pop() {
                Some(value) => self.bind(&op.results[offset..=offset], &[value]),
                // Nothing was combined and there is no initial value: the result must not be used.
                None => self.values[op.results[offset].index()] = None,
            }
        }
        Ok(())
    }

    fn compute(&self, op: &Op) -> Outcome<Value> {
        let result = op.result();
        let integers = |ints: Vec<i128>| {
            let scalar = self.scalar(result);
            Value::Ints(ints.into_iter().map(|one| wrap(one, scalar)).collect())
        };
        let pairs = || -> Outcome<Vec<(i128, i128)>> {
            let (a, b) = (self.ints(op.operands[0])?, self.ints(op.operands[1])?);
            Ok(a.iter().copied().zip(b.iter().copied()).collect())
        };
        let each = |f: &dyn Fn(i128, i128) -> i128| -> Outcome<Value> {
            Ok(integers(
                pairs()?.into_iter().map(|(a, b)| f(a, b)).collect(),
            ))
        };
        let read = |number: i128| match op.attr("signedness") {
            Some(&Attr::Signedness(signedness)) => {
                read(number, self.scalar(op.operands[0]), signedness)
            }
            _ => panic!("the operation says how to read numbers"),
        };
        Ok(match op.opcode {
            Opcode::Core(CoreOp::Constant) => {
                let count = self.shape(result).into_iter().product();
                let data = op.dense_value();
                let bits = |index| match &*data {
                    DenseElements::Splat { bits, .. } => *bits,
                    DenseElements::Each { bits, .. } => bits[index],
                };
                integers((0..count).map(|index| i128::from(bits(index))).collect())
            }
            Opcode::Core(CoreOp::Iota) => integers((0..).take(self.shape(result)[0]).collect()),
            Opcode::Core(CoreOp::Reshape) => self.get(op.operands[0])?,
            Opcode::Core(CoreOp::Broadcast) => self.broadcast(op)?,
            Opcode::Core(CoreOp::Select) => {
                let conditions = self.ints(op.operands[0])?.iter();
                let choices = conditions.zip(self.ints(op.operands[1])?);
                let choices = choices.zip(self.ints(op.operands[2])?);
                let chosen = choices.map(|((&c, &a), &b)| if c == 0 { b } else { a });
                integers(chosen.collect())
            }
            Opcode::Core(CoreOp::Offset) => {
                let places = self.places(op.operands[0])?.iter();
                let offsets = self.ints(op.operands[1])?;
                let moved = places
                    .zip(offsets)
                    .map(|(&(buffer, index), by)| (buffer, index + by));
                Value::Places(moved.collect())
            }
            Opcode::Conversion(ConversionOp::ExtI) => integers(
                self.ints(op.operands[0])?
                    .iter()
                    .copied()
                    .map(read)
                    .collect(),
            ),
            Opcode::Conversion(ConversionOp::TruncI) => {
                integers(self.ints(op.operands[0])?.to_vec())
            }
            Opcode::Integer(IntegerOp::AddI) => each(&|a, b| a + b)?,
            Opcode::Integer(IntegerOp::SubI) => each(&|a, b| a - b)?,
            Opcode::Integer(IntegerOp::MulI) => each(&|a, b| a * b)?,
            Opcode::Integer(IntegerOp::DivI) => each(&|a, b| read(a) / read(b))?,
            Opcode::Integer(IntegerOp::MaxI) => each(&|a, b| read(a).max(read(b)))?,
            Opcode::Integer(IntegerOp::MinI) => each(&|a, b| read(a).min(read(b)))?,
            Opcode::Integer(IntegerOp::CmpI) => each(&|a, b| {
                let (a, b) = (read(a), read(b));
                i128::from(match op.predicate() {
                    ComparisonPredicate::Equal => a == b,
                    ComparisonPredicate::NotEqual => a != b,
                    ComparisonPredicate::LessThan => a < b,
                    ComparisonPredicate::LessThanOrEqual => a <= b,
                    ComparisonPredicate::GreaterThan => a > b,
                    ComparisonPredicate::GreaterThanOrEqual => a >= b,
                })
            })?,
            Opcode::Bitwise(BitwiseOp::AndI) => each(&|a, b| a & b)?,
            Opcode::Bitwise(BitwiseOp::OrI) => each(&|a, b| a | b)?,
            Opcode::Bitwise(BitwiseOp::XorI) => each(&|a, b| a ^ b)?,
            _ => return Err(Stuck::Unknown(op.def().mnemonic.to_owned())),
        })
    }

    fn broadcast(&self, op: &Op) -> Outcome<Value> {
        let (from, to) = (self.shape(op.operands[0]), self.shape(op.result()));
        // The source of each element, in row-major order.
        let sources: Vec<usize> = (0..to.iter().product())
            .map(|index: usize| {
                let (mut rest, mut source, mut stride) = (index, 0, 1);
                for (&from, &to) in from.iter().zip(&to).rev() {
                    let coordinate = rest % to;
                    rest /= to;
                    source += if from == 1 { 0 } else { coordinate * stride };
                    stride *= from;
                }
                source
            })
            .collect();
        Ok(match self.get(op.operands[0])? {
            Value::Ints(ints) => Value::Ints(sources.iter().map(|&index| ints[index]).collect()),
            Value::Places(places) => {
                Value::Places(sources.iter().map(|&index| places[index]).collect())
            }
            Value::Token => panic!("a token has no shape"),
        })
    }
}

fn signedness(is_unsigned: bool) -> Signedness {
    if is_unsigned {
        Signedness::Unsigned
    } else {
        Signedness::Signed
    }
}

/// Returns the signed number of a type that is congruent to `number`.
fn wrap(number: i128, scalar: Scalar) -> i128 {
    let modulus = 1_i128 << scalar.bits();
    let unsigned = number.rem_euclid(modulus);
    if scalar != Scalar::I1 && unsigned >= modulus / 2 {
        unsigned - modulus
    } else {
        unsigned
    }
}

fn read(number: i128, scalar: Scalar, signedness: Signedness) -> i128 {
    match signedness {
        Signedness::Signed if scalar == Scalar::I1 => -number,
        Signedness::Signed => number,
        Signedness::Unsigned => number.rem_euclid(1 << scalar.bits()),
    }
}
