//! Builds loops, and the jumps that remain after `hir::structure`.
//!
//! `break` and `continue` of the dialect reach only the innermost `loop`, and no operation of the
//! dialect returns from the kernel. If code in a loop jumps to an outer target, the loop therefore
//! has an additional result, a code for the target, and the jumps follow the loop:
//!
//! ```text
//! 'a: loop { loop { if p { break 'a; } if q { break; } } }
//!
//! loop {
//!   %code = loop { if %p { break %one } if %q { break %zero } }
//!   %out = cmpi equal %code, %one
//!   if %out { break }
//! }
//! ```
//!
//! A block that code leaves early is a `loop` that runs once. A `for` remains a `for` unless code
//! leaves it early.

use super::control::{Carried, Effects, flat_types, flatten, rebuild};
use super::scalar::signedness;
use super::{Build, Val};
use crate::hir::signature::HostScalar;
use crate::hir::walk::Jump;
use crate::hir::{Adapter, Block, Const, ExprId, ExprKind, LocalId, Range, TargetId, Ty};
use tile_core::Loc;
use tile_core::ir::{ComparisonPredicate, ValueId};
use tile_core::ops::{ControlFlowOp, ConversionOp, CoreOp, IntegerOp, LoopOp, MemoryOp};
use tile_core::types::{Scalar, Type, TypeKind};

/// A `loop` of the dialect that encloses the code being built.
pub(super) struct Scope {
    /// The jump that `break` performs.
    breaks: Jump,
    /// The jump that `continue` performs, if there is a next iteration.
    continues: Option<Jump>,
    carried: Carried,
    /// The type of the loop's value.
    ty: Ty,
    /// The jumps from the loop body to outer targets; code `k + 1` stands for `further[k]`.
    further: Vec<Jump>,
    counter: Counter,
}

/// The counter of a loop.
#[derive(Clone, Copy)]
enum Counter {
    /// No counter.
    None,
    /// The loop variable itself, up to an exclusive end.
    Plain { value: ValueId, scalar: HostScalar },
    /// The index of the current trip and the index of the last one.
    Trips {
        trip: ValueId,
        last: ValueId,
        scalar: HostScalar,
    },
}

/// A `loop` to build.
struct Looped {
    breaks: Jump,
    continues: Option<Jump>,
    ty: Ty,
    /// The initial values of the counter.
    first: Vec<ValueId>,
}

/// The numbers of a range: the `last + 1` numbers `first`, `first + stride`, .., in wrapping
/// arithmetic.
struct Progression {
    first: ValueId,
    /// The stride; `None` stands for 1.
    stride: Option<ValueId>,
    /// The index of the last number, unsigned.
    last: ValueId,
    nonempty: ValueId,
}

impl<'k> Build<'k, '_> {
    /// Builds a value of a type that is never read.
    pub(super) fn placeholder(&mut self, ty: &Ty, loc: Loc) -> Val {
        let mut types = Vec::new();
        match ty {
            Ty::Never | Ty::Error => return Val::Tuple(Vec::new()),
            Ty::Tensor(_) | Ty::Partition(_) => return Val::View,
            Ty::Scalar(_) | Ty::Tile(..) | Ty::Pointer(_) | Ty::Tuple(_) | Ty::Struct(..) => {
                flat_types(ty, &mut types);
            }
        }
        let values: Vec<ValueId> = types.iter().map(|&ty| self.any_value(ty, loc)).collect();
        rebuild(ty, &mut values.into_iter())
    }

    fn any_value(&mut self, ty: Type, loc: Loc) -> ValueId {
        if ty == Type::token() {
            return self
                .b
                .op(MemoryOp::MakeToken, loc)
                .result(ty)
                .finish_value();
        }
        if let Some((scalar, shape)) = ty.as_number_tile() {
            let shape = shape.to_vec();
            return self.b.splat(scalar, 0, &shape, loc);
        }
        let TypeKind::Tile(tile) = ty.kind() else {
            unreachable!("only tiles and tokens are carried");
        };
        let zero = self.b.splat(Scalar::I64, 0, &tile.shape, loc);
        self.b
            .op(ConversionOp::IntToPtr, loc)
            .args(&[zero])
            .result(ty)
            .finish_value()
    }

    /// Returns the types of the values that a jump to an outer target carries.
    fn payload(&self, jump: Jump) -> Vec<Type> {
        let mut types = Vec::new();
        match jump {
            Jump::Exit(target) if target != self.kernel.target => {
                match &self.kernel.targets[target.index()] {
                    Ty::Never | Ty::Error => {}
                    ty => flat_types(ty, &mut types),
                }
            }
            Jump::Exit(_) | Jump::Continue(_) => {}
        }
        types
    }

    /// Ends the current block with a jump that carries a value.
    pub(super) fn jump(&mut self, jump: Jump, value: &[ValueId], loc: Loc) {
        self.left = true;
        let Some(scope) = self.scopes.pop() else {
            self.b.terminate(ControlFlowOp::Return, &[], loc);
            return;
        };
        if scope.continues == Some(jump) {
            let mut values = self.next_count(scope.counter, loc);
            values.extend(self.carried_values(&scope.carried, loc));
            self.b.terminate(ControlFlowOp::Continue, &values, loc);
            self.scopes.push(scope);
            return;
        }
        let mut values = Vec::new();
        if scope.breaks == jump {
            values.extend_from_slice(value);
        } else {
            let unused = self.placeholder(&scope.ty, loc);
            flatten(&unused, &mut values);
        }
        values.extend(self.carried_values(&scope.carried, loc));
        if !scope.further.is_empty() {
            let index = scope.further.iter().position(|further| *further == jump);
            let code = index.map_or(0, |index| index + 1);
            let code = i32::try_from(code).expect("few jumps");
            values.push(self.b.const_i32(code, loc));
            for further in &scope.further {
                if *further == jump {
                    values.extend_from_slice(value);
                } else {
                    for ty in self.payload(*further) {
                        let unused = self.any_value(ty, loc);
                        values.push(unused);
                    }
                }
            }
        }
        self.b.terminate(ControlFlowOp::Break, &values, loc);
        self.scopes.push(scope);
    }

    /// Builds `break`, `continue` or `return` of the source.
    pub(super) fn leave(&mut self, jump: Jump, value: Option<ExprId>, loc: Loc) {
        let mut values = Vec::new();
        if let Some(value) = value {
            let value = self.expr(value);
            if self.left {
                return;
            }
            flatten(&value, &mut values);
        }
        self.jump(jump, &values, loc);
    }

    /// Builds a `loop` around code that receives the values of the counter. Returns the value of
    /// the loop.
    fn looped(
        &mut self,
        looped: Looped,
        effects: Effects,
        loc: Loc,
        body: &mut dyn FnMut(&mut Self, &[ValueId]) -> Val,
    ) -> Val {
        let Looped {
            breaks,
            continues,
            ty,
            first,
        } = looped;
        let own_jumps = [Some(breaks), continues];
        let mut goes_on = effects.jumps.contains(&breaks);
        let further: Vec<Jump> = {
            let jumps = effects.jumps.iter().copied();
            jumps
                .filter(|jump| !own_jumps.contains(&Some(*jump)))
                .collect()
        };
        let carried = self.carried(effects);
        let mut init = first;
        let counted = init.len();
        let mut types: Vec<Type> = init.iter().map(|&value| self.b.ty(value)).collect();
        init.extend(self.carried_values(&carried, loc));
        types.extend(self.carried_types(&carried));
        let mut results = Vec::new();
        if !ty.is_error() {
            flat_types(&ty, &mut results);
        }
        let values = results.len();
        results.extend(self.carried_types(&carried));
        let states = results.len();
        if !further.is_empty() {
            results.push(Type::scalar(Scalar::I32));
            for jump in &further {
                results.extend(self.payload(*jump));
            }
        }
        let op = self
            .b
            .op(ControlFlowOp::Loop, loc)
            .operands("initValues", &init)
            .results(&results)
            .finish();
        let outer = self.b.block();
        let locals = self.locals.clone();
        let tokens = self.save_tokens();
        let block = self.b.add_region_block(op);
        let module = self.b.module();
        let args: Vec<ValueId> = types
            .iter()
            .map(|&ty| module.add_block_arg(block, ty, loc))
            .collect();
        self.b.set_block(block);
        self.set_carried(&carried, &args[counted..]);
        self.scopes.push(Scope {
            breaks,
            continues,
            carried,
            ty: ty.clone(),
            further,
            counter: Counter::None,
        });
        let val = body(self, &args[..counted]);
        if !std::mem::take(&mut self.left) {
            if let Some(next) = continues {
                self.jump(next, &[], loc);
            } else {
                goes_on = true;
                let mut values = Vec::new();
                flatten(&val, &mut values);
                self.jump(breaks, &values, loc);
            }
            self.left = false;
        }
        let scope = self.scopes.pop().expect("it was pushed above");
        self.b.set_block(outer);
        self.locals = locals;
        self.tokens = tokens;
        let results: Vec<ValueId> = self.b.module().op(op).results.to_vec();
        self.set_carried(&scope.carried, &results[values..states]);
        if !scope.further.is_empty() {
            self.go_further(&scope.further, goes_on, &results[states..], loc);
        }
        if self.left || ty.is_error() {
            return Val::Tuple(Vec::new());
        }
        rebuild(&ty, &mut results[..values].iter().copied())
    }

    /// Builds the jumps that follow a `loop`, selected by its code.
    fn go_further(&mut self, further: &[Jump], goes_on: bool, results: &[ValueId], loc: Loc) {
        let code = results[0];
        let mut payload = 1;
        for (index, &jump) in further.iter().enumerate() {
            let count = self.payload(jump).len();
            let value: Vec<ValueId> = results[payload..payload + count].to_vec();
            payload += count;
            if index + 1 == further.len() && !goes_on {
                self.jump(jump, &value, loc);
                return;
            }
            let number = i32::try_from(index + 1).expect("few jumps");
            let number = self.b.const_i32(number, loc);
            let sign = signedness(HostScalar::I32);
            let equal = ComparisonPredicate::Equal;
            let taken = self.b.cmpi(equal, code, number, sign, loc);
            self.leave_if(taken, loc, &mut |build| build.jump(jump, &value, loc));
        }
    }

    /// Builds a block that code leaves early.
    pub(super) fn breakable(
        &mut self,
        target: TargetId,
        block: &'k Block,
        ty: &Ty,
        loc: Loc,
    ) -> Val {
        let effects = self.block_effects(block);
        let looped = Looped {
            breaks: Jump::Exit(target),
            continues: None,
            ty: ty.clone(),
            first: Vec::new(),
        };
        self.looped(looped, effects, loc, &mut |build, _| build.block(block))
    }

    /// Builds `loop` and `while`.
    pub(super) fn endless_loop(
        &mut self,
        target: TargetId,
        block: &'k Block,
        ty: &Ty,
        loc: Loc,
    ) -> Val {
        let effects = self.block_effects(block);
        let looped = Looped {
            breaks: Jump::Exit(target),
            continues: Some(Jump::Continue(target)),
            ty: ty.clone(),
            first: Vec::new(),
        };
        self.looped(looped, effects, loc, &mut |build, _| build.block(block))
    }

    fn set_counter(&mut self, counter: Counter) {
        let scope = self.scopes.last_mut();
        scope.expect("a counter belongs to a loop").counter = counter;
    }

    /// Computes the counter of the next iteration.
    fn next_count(&mut self, counter: Counter, loc: Loc) -> Vec<ValueId> {
        match counter {
            Counter::None => Vec::new(),
            Counter::Plain { value, scalar } => {
                let one = self.integer(scalar, 1, loc);
                vec![self.b.wrapping(IntegerOp::AddI, &[value, one], loc)]
            }
            Counter::Trips { trip, last, scalar } => {
                let one = self.integer(scalar, 1, loc);
                let next = self.b.wrapping(IntegerOp::AddI, &[trip, one], loc);
                let sign = signedness(scalar);
                let differs = ComparisonPredicate::NotEqual;
                let more = self.b.cmpi(differs, trip, last, sign, loc);
                vec![next, more]
            }
        }
    }

    /// Builds `for local in range`.
    pub(super) fn for_loop(
        &mut self,
        target: TargetId,
        local: LocalId,
        range: &Range,
        body: &'k Block,
        loc: Loc,
    ) {
        let effects = self.block_effects(body);
        let next = Jump::Continue(target);
        if effects.jumps.iter().any(|jump| *jump != next) {
            self.left_for(target, local, range, body, effects, loc);
        } else {
            self.whole_for(target, local, range, body, effects, loc);
        }
    }

    /// Builds a `for` that code leaves early, as a `loop` with a counter.
    fn left_for(
        &mut self,
        target: TargetId,
        local: LocalId,
        range: &Range,
        body: &'k Block,
        effects: Effects,
        loc: Loc,
    ) {
        let scalar = self.element(range.low);
        let sign = signedness(scalar);
        let mut looped = Looped {
            breaks: Jump::Exit(target),
            continues: Some(Jump::Continue(target)),
            ty: Ty::unit(),
            first: Vec::new(),
        };
        if !range.inclusive && range.adapters.is_empty() {
            let low = self.tile(range.low);
            let high = self.tile(range.high);
            looped.first = vec![low];
            // The loop also exits at the end of the range, which the effects of the body do not
            // include.
            let mut effects = effects;
            effects.jumps.insert(looped.breaks);
            self.looped(looped, effects, loc, &mut |build, counter| {
                let value = counter[0];
                build.set_counter(Counter::Plain { value, scalar });
                let above = ComparisonPredicate::GreaterThanOrEqual;
                let done = build.b.cmpi(above, value, high, sign, loc);
                build.leave_if(done, loc, &mut |build| {
                    build.jump(Jump::Exit(target), &[], loc);
                });
                build.locals[local.index()] = Some(Val::Tile(value));
                build.block(body)
            });
            return;
        }
        let progression = self.progression(range, scalar, loc);
        let zero = self.integer(scalar, 0, loc);
        looped.first = vec![zero, progression.nonempty];
        let mut effects = effects;
        effects.jumps.insert(looped.breaks);
        self.looped(looped, effects, loc, &mut |build, counter| {
            let (trip, more) = (counter[0], counter[1]);
            build.set_counter(Counter::Trips {
                trip,
                last: progression.last,
                scalar,
            });
            let done = build.not(more, loc);
            build.leave_if(done, loc, &mut |build| {
                build.jump(Jump::Exit(target), &[], loc);
            });
            let value = build.number(&progression, trip, loc);
            build.locals[local.index()] = Some(Val::Tile(value));
            build.block(body)
        });
    }

    /// Computes the number of a trip.
    fn number(&mut self, progression: &Progression, trip: ValueId, loc: Loc) -> ValueId {
        let offset = match progression.stride {
            None => trip,
            Some(stride) => self.b.wrapping(IntegerOp::MulI, &[trip, stride], loc),
        };
        let first = progression.first;
        self.b.wrapping(IntegerOp::AddI, &[first, offset], loc)
    }

    fn constant_integer(&self, id: ExprId) -> Option<i128> {
        let expr = self.kernel.expr(id);
        match expr.kind {
            ExprKind::Int(value) => Some(value),
            ExprKind::Local(local) => match self.kernel.local(local).constant? {
                Const::Int(value) => Some(value),
                Const::Bool(_) => None,
            },
            _ => None,
        }
    }

    fn progression(&mut self, range: &Range, scalar: HostScalar, loc: Loc) -> Progression {
        let sign = signedness(scalar);
        let low = self.tile(range.low);
        let high = self.tile(range.high);
        let predicate = if range.inclusive {
            ComparisonPredicate::LessThanOrEqual
        } else {
            ComparisonPredicate::LessThan
        };
        let nonempty = self.b.cmpi(predicate, low, high, sign, loc);
        let mut last = self.b.wrapping(IntegerOp::SubI, &[high, low], loc);
        if !range.inclusive {
            let one = self.integer(scalar, 1, loc);
            last = self.b.wrapping(IntegerOp::SubI, &[last, one], loc);
        }
        let mut progression = Progression {
            first: low,
            stride: None,
            last,
            nonempty,
        };
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev => {
                    progression.first = self.number(&progression, progression.last, loc);
                    let stride = match progression.stride {
                        Some(stride) => stride,
                        None => self.integer(scalar, 1, loc),
                    };
                    progression.stride = Some(self.b.wrapping(IntegerOp::NegI, &[stride], loc));
                }
                Adapter::StepBy(step) => self.step_by(&mut progression, *step, scalar, loc),
            }
        }
        progression
    }

    /// Keeps every `step`th number of a range.
    fn step_by(
        &mut self,
        progression: &mut Progression,
        step: ExprId,
        scalar: HostScalar,
        loc: Loc,
    ) {
        let unsigned = signedness(HostScalar::Usize);
        let fits = self
            .constant_integer(step)
            .is_some_and(|step| step < 1 << scalar.bits());
        let wide = self.tile(step);
        let narrow = self.cast(wide, HostScalar::Usize, scalar, loc);
        progression.last = if fits || scalar.bits() == 64 {
            let args = [progression.last, narrow];
            self.b.signed(IntegerOp::DivI, &args, unsigned, loc)
        } else {
            // The step may have more bits than the numbers.
            let op = ConversionOp::ExtI;
            let last = self
                .b
                .convert(op, progression.last, Scalar::I64, Some(unsigned), loc);
            let last = self.b.signed(IntegerOp::DivI, &[last, wide], unsigned, loc);
            let op = ConversionOp::TruncI;
            self.b.convert(op, last, scalar.scalar(), None, loc)
        };
        progression.stride = Some(match progression.stride {
            None => narrow,
            Some(stride) => self.b.wrapping(IntegerOp::MulI, &[stride, narrow], loc),
        });
    }

    /// Builds a `for` that always runs to its end.
    fn whole_for(
        &mut self,
        target: TargetId,
        local: LocalId,
        range: &Range,
        body: &'k Block,
        effects: Effects,
        loc: Loc,
    ) {
        let scalar = self.element(range.low);
        let step = match range.adapters.as_slice() {
            [] => Some(1),
            [Adapter::StepBy(step)] => self
                .constant_integer(*step)
                .filter(|&step| scalar.holds(step)),
            _ => None,
        };
        let end = self
            .constant_integer(range.high)
            .filter(|&end| range.inclusive && scalar.holds(end + 1));
        let mut once = |build: &mut Self, value: ValueId| {
            build.locals[local.index()] = Some(Val::Tile(value));
            build.iteration(target, body, loc);
        };
        if let Some(step) = step
            && (!range.inclusive || end.is_some())
        {
            let low = self.tile(range.low);
            let high = match end {
                Some(end) => self.integer(scalar, end + 1, loc),
                None => self.tile(range.high),
            };
            let step = self.integer(scalar, step, loc);
            self.counted([low, high, step], scalar, effects, loc, &mut once);
            return;
        }
        if range.inclusive && range.adapters.is_empty() && scalar.bits() < 64 {
            self.widened_for(range, scalar, effects, loc, &mut once);
        } else {
            self.for_of_trips(range, scalar, effects, loc, &mut once);
        }
    }

    /// Builds a `for` over an inclusive range of numbers of up to 32 bits, whose exclusive end may need one
    /// more bit.
    fn widened_for(
        &mut self,
        range: &Range,
        scalar: HostScalar,
        effects: Effects,
        loc: Loc,
        once: &mut dyn FnMut(&mut Self, ValueId),
    ) {
        let wide = HostScalar::I64;
        let low = self.tile(range.low);
        let low = self.cast(low, scalar, wide, loc);
        let high = self.tile(range.high);
        let high = self.cast(high, scalar, wide, loc);
        let one = self.integer(wide, 1, loc);
        let high = self.b.wrapping(IntegerOp::AddI, &[high, one], loc);
        self.counted([low, high, one], wide, effects, loc, &mut |build, value| {
            let op = ConversionOp::TruncI;
            let value = build.b.convert(op, value, scalar.scalar(), None, loc);
            once(build, value);
        });
    }

    /// Builds a `for` that counts trips, from which each iteration computes its number.
    fn for_of_trips(
        &mut self,
        range: &Range,
        scalar: HostScalar,
        effects: Effects,
        loc: Loc,
        once: &mut dyn FnMut(&mut Self, ValueId),
    ) {
        let progression = self.progression(range, scalar, loc);
        // A range with an exclusive end has fewer numbers than the type, so the number of trips
        // fits in the type.
        let unsigned = signedness(HostScalar::Usize);
        let counter = match (range.inclusive, scalar.bits()) {
            (false, 8) => HostScalar::U8,
            (false, 16) => HostScalar::U16,
            (false, 32) => HostScalar::U32,
            (true | false, _) => HostScalar::U64,
        };
        let mut last = progression.last;
        if counter.bits() != scalar.bits() {
            let op = ConversionOp::ExtI;
            let to = counter.scalar();
            last = self.b.convert(op, last, to, Some(unsigned), loc);
        }
        let one = self.integer(counter, 1, loc);
        let mut trips = self.b.wrapping(IntegerOp::AddI, &[last, one], loc);
        if range.inclusive && scalar.bits() == 64 {
            // 2^64 trips do not fit in the counter. They are reduced to 2^64 - 1, which no kernel
            // completes either.
            let args = [trips, last];
            trips = self.b.signed(IntegerOp::MaxI, &args, unsigned, loc);
        }
        let zero = self.integer(counter, 0, loc);
        let ty = self.b.ty(trips);
        let args = [progression.nonempty, trips, zero];
        let select = self.b.op(CoreOp::Select, loc).args(&args);
        let trips = select.result(ty).finish_value();
        self.counted(
            [zero, trips, one],
            counter,
            effects,
            loc,
            &mut |build, trip| {
                let mut trip = trip;
                if counter.bits() != scalar.bits() {
                    let op = ConversionOp::TruncI;
                    trip = build.b.convert(op, trip, scalar.scalar(), None, loc);
                }
                let value = build.number(&progression, trip, loc);
                once(build, value);
            },
        );
    }

    /// Builds an iteration that `continue` may end early.
    fn iteration(&mut self, target: TargetId, body: &'k Block, loc: Loc) {
        let effects = self.block_effects(body);
        if effects.jumps.is_empty() {
            self.block(body);
            return;
        }
        let looped = Looped {
            breaks: Jump::Continue(target),
            continues: None,
            ty: Ty::unit(),
            first: Vec::new(),
        };
        self.looped(looped, effects, loc, &mut |build, _| build.block(body));
    }

    /// Builds `loop.for` over `[low, high, step]`.
    fn counted(
        &mut self,
        [low, high, step]: [ValueId; 3],
        counter: HostScalar,
        effects: Effects,
        loc: Loc,
        body: &mut dyn FnMut(&mut Self, ValueId),
    ) {
        let carried = self.carried(effects);
        let init = self.carried_values(&carried, loc);
        let types = self.carried_types(&carried);
        let op = self
            .b
            .op(LoopOp::For, loc)
            .operand("lowerBound", low)
            .operand("upperBound", high)
            .operand("step", step)
            .operands("initArgs", &init)
            .flag("unsignedCmp", !counter.is_signed())
            .results(&types)
            .finish();
        let outer = self.b.block();
        let locals = self.locals.clone();
        let tokens = self.save_tokens();
        let block = self.b.add_region_block(op);
        let module = self.b.module();
        let induction = module.add_block_arg(block, Type::scalar(counter.scalar()), loc);
        let args: Vec<ValueId> = types
            .iter()
            .map(|&ty| module.add_block_arg(block, ty, loc))
            .collect();
        self.b.set_block(block);
        self.set_carried(&carried, &args);
        body(self, induction);
        let next = self.carried_values(&carried, loc);
        self.yields(&next, loc);
        self.b.set_block(outer);
        self.locals = locals;
        self.tokens = tokens;
        let results: Vec<ValueId> = self.b.module().op(op).results.to_vec();
        self.set_carried(&carried, &results);
    }
}
