//! Branches, loops and terminators.

use super::check::Check;
use super::compile::{Compiler, Place, Scope};
use super::fault::FaultKind;
use super::machine::{ClockSlot, Exec, Flow, Machine, Slot, Stop, run_steps};
use super::number::{Int, with_int};
use super::position::position;
use super::tile::Lane;
use super::trace::Action;
use crate::ir::{Attr, Op, OpId, ValueId};
use crate::ops::ControlFlowOp;
use crate::types::Scalar;

/// Compiles a control flow operation.
pub(super) fn compile(kind: ControlFlowOp, cx: &mut Compiler<'_>, id: OpId, op: &Op) -> Exec {
    match kind {
        ControlFlowOp::Assert => assert(cx, op),
        ControlFlowOp::Break => {
            let Some(Scope::Loop {
                op: region,
                results,
                ..
            }) = innermost_loop(cx)
            else {
                panic!("verified code leaves a `loop`");
            };
            leave(cx, op, &results, region, Flow::Break)
        }
        ControlFlowOp::Continue => {
            let (Scope::For { op: region, next }
            | Scope::Loop {
                op: region, next, ..
            }) = innermost_loop(cx).expect("verified code continues a loop")
            else {
                unreachable!("only loops were looked for");
            };
            leave(cx, op, &next, region, Flow::Continue)
        }
        ControlFlowOp::Loop => endless_loop(cx, id, op),
        ControlFlowOp::For => for_loop(cx, id, op),
        ControlFlowOp::If => if_else(cx, id, op),
        ControlFlowOp::Return => {
            let places = cx.return_places(&op.operands);
            // A `return` has no region whose values could be moved, so they are copied.
            leave(cx, op, &places, id, Flow::Return)
        }
        ControlFlowOp::Yield => {
            let Some(Scope::Yield(region, places)) = cx.scopes.last().cloned() else {
                panic!("verified code yields to `if` or `reduce`");
            };
            leave(cx, op, &places, region, Flow::Yield)
        }
    }
}

fn innermost_loop(cx: &Compiler<'_>) -> Option<Scope> {
    let is_loop = |scope: &&Scope| matches!(scope, Scope::For { .. } | Scope::Loop { .. });
    cx.scopes.iter().rev().find(is_loop).cloned()
}

fn leave(cx: &mut Compiler<'_>, op: &Op, to: &[Place], region: OpId, flow: Flow) -> Exec {
    let transfer = cx.transfer(&op.operands, to, region);
    Box::new(move |machine| transfer(machine).map(|_| flow))
}

fn if_else(cx: &mut Compiler<'_>, id: OpId, op: &Op) -> Exec {
    let condition = cx.tile(op.operands[0]);
    let places: Vec<Place> = op.results.iter().map(|&value| cx.define(value)).collect();
    let mut region = |index| {
        let Some(block) = cx.module.region_block(id, index) else {
            return Vec::new();
        };
        cx.scopes.push(Scope::Yield(id, places.clone()));
        let steps = cx.block(block);
        cx.scopes.pop();
        steps
    };
    let (then, otherwise) = (region(0), region(1));
    Box::new(move |machine| {
        let steps = if machine.scalar(condition) == 0 {
            &otherwise
        } else {
            &then
        };
        match run_steps(steps, machine)? {
            Flow::Next | Flow::Yield => Ok(Flow::Next),
            flow => Ok(flow),
        }
    })
}

/// Moves of values between places.
struct Moves {
    tiles: Vec<(Slot, Slot)>,
    /// Empty unless the entry is checked.
    clocks: Vec<(ClockSlot, ClockSlot)>,
}

impl Moves {
    fn new(cx: &Compiler<'_>, from: &[Place], to: &[Place]) -> Self {
        let mut moves = Self {
            tiles: Vec::new(),
            clocks: Vec::new(),
        };
        for places in from.iter().zip(to) {
            match places {
                (&Place::Tile(from), &Place::Tile(to)) => moves.tiles.push((from, to)),
                (&Place::Token(from), &Place::Token(to)) if cx.check == Check::On => {
                    moves.clocks.push((from, to));
                }
                _ => {}
            }
        }
        moves
    }

    fn copy(&self, machine: &mut Machine<'_>) {
        for &(from, to) in &self.tiles {
            machine.copy(from, to);
        }
        self.copy_clocks(machine);
    }

    /// Moves by swapping, for source values that are dead afterwards.
    fn swap(&self, machine: &mut Machine<'_>) {
        for &(from, to) in &self.tiles {
            machine.swap(from, to);
        }
        self.copy_clocks(machine);
    }

    fn copy_clocks(&self, machine: &mut Machine<'_>) {
        for &(from, to) in &self.clocks {
            machine.frame.clocks[to.0] = machine.frame.clocks[from.0].clone();
        }
    }
}

fn for_loop(cx: &mut Compiler<'_>, id: OpId, op: &Op) -> Exec {
    let [lower, upper, step] = cx.args(op);
    let scalar = cx.scalar(op.operands[0]);
    let is_signed = !op.has_flag("unsignedCmp");
    let inits: Vec<ValueId> = op.operands_of("initValues").to_vec();
    let inits: Vec<Place> = inits.into_iter().map(|value| cx.place(value)).collect();
    let block = cx.module.region_block(id, 0);
    let block = block.expect("verified code has a body here");
    let args = &cx.module.block(block).args;
    let counter = cx.define_tile(args[0]);
    let carried: Vec<Place> = args[1..].iter().map(|&arg| cx.define(arg)).collect();
    let next: Vec<Place> = args[1..].iter().map(|&arg| cx.spare_place(arg)).collect();
    cx.scopes.push(Scope::For {
        op: id,
        next: next.clone(),
    });
    let body = cx.block(block);
    cx.scopes.pop();
    let results: Vec<Place> = op.results.iter().map(|&value| cx.define(value)).collect();
    let start = Moves::new(cx, &inits, &carried);
    let advance = Moves::new(cx, &next, &carried);
    let finish = Moves::new(cx, &carried, &results);
    Box::new(move |machine| {
        let read = |machine: &Machine<'_>, slot| number(machine, slot, scalar, is_signed);
        let (lower, upper) = (read(machine, lower), read(machine, upper));
        let step = read(machine, step);
        let mut counter_bits = lower;
        if step <= 0 {
            let stop = Stop::Here(format!("step {step} is not positive"));
            machine.undefined(stop)?;
            counter_bits = upper;
        }
        start.copy(machine);
        while counter_bits < upper {
            machine.iterate()?;
            let bits = u64::try_from(counter_bits & i128::from(u64::MAX)).expect("masked");
            with_int!(scalar, I => machine.put_scalar(counter, I::wrap(bits)), else {});
            if run_steps(&body, machine)? == Flow::Return {
                return Ok(Flow::Return);
            }
            advance.swap(machine);
            counter_bits += step;
        }
        finish.swap(machine);
        Ok(Flow::Next)
    })
}

fn endless_loop(cx: &mut Compiler<'_>, id: OpId, op: &Op) -> Exec {
    let inits: Vec<ValueId> = op.operands_of("initValues").to_vec();
    let inits: Vec<Place> = inits.into_iter().map(|value| cx.place(value)).collect();
    let block = cx.module.region_block(id, 0);
    let block = block.expect("verified code has a body here");
    let args = &cx.module.block(block).args;
    let carried: Vec<Place> = args.iter().map(|&arg| cx.define(arg)).collect();
    let next: Vec<Place> = args.iter().map(|&arg| cx.spare_place(arg)).collect();
    let results = op.results.iter().map(|&value| cx.define(value)).collect();
    let start = Moves::new(cx, &inits, &carried);
    let advance = Moves::new(cx, &next, &carried);
    cx.scopes.push(Scope::Loop {
        op: id,
        next,
        results,
    });
    let body = cx.block(block);
    cx.scopes.pop();
    Box::new(move |machine| {
        start.copy(machine);
        loop {
            machine.iterate()?;
            match run_steps(&body, machine)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return => return Ok(Flow::Return),
                Flow::Continue | Flow::Next | Flow::Yield => {}
            }
            advance.swap(machine);
        }
    })
}

/// Compiles `assert`. In the dialect a failed assertion prints and may continue; here it ends the
/// launch.
fn assert(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let condition = op.operand("condition");
    let shape = cx.shape(condition);
    let condition = cx.tile(condition);
    let Some(Attr::Str(message)) = op.attr("message").cloned() else {
        panic!("verified code has a message here");
    };
    Box::new(move |machine| {
        let lanes = machine.tile::<u8>(condition);
        if let Some(failed) = lanes.iter().position(|&lane| lane == 0) {
            let index = position(&shape, failed);
            let message = format!("assertion `{message}` failed at {index:?}");
            return Err(Stop::Other(FaultKind::Assertion, message));
        }
        if let Some(trace) = machine.options.trace {
            let message = message.clone();
            trace.record(machine.block, Action::Assert { message });
        }
        Ok(Flow::Next)
    })
}

/// Reads a rank-0 integer.
fn number(machine: &Machine<'_>, slot: Slot, scalar: Scalar, is_signed: bool) -> i128 {
    with_int!(scalar, I => {
        let lane = machine.tile::<<I as Int>::L>(slot)[0];
        if is_signed { i128::from(I::signed(lane)) } else { i128::from(lane.to_bits()) }
    }, else 0)
}
