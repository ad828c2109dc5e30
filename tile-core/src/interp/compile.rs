//! Compiles an entry to steps: every value gets a slot, every operation a closure.
//!
//! The input is a verified module; the output is a [`Compiled`] entry. Constants are made once,
//! `reshape` and casts that change no bits share the slot of their source, and everything that
//! depends only on types is resolved here rather than per block.

use super::chain::Chains;
use super::check::{Check, Operation};
use super::disjoint::{self, Layout};
use super::machine::{ClockSlot, Exec, Flow, Site, Slot, Step, ViewSlot};
use super::stored::Stored;
use super::tile::Data;
use super::uses::Uses;
use super::{atomics, bitwise, control_flow, conversion, core, float, integer, memory, misc, view};
use crate::ir::{BlockId, Module, Op, OpId, ValueId};
use crate::ops::{ControlFlowOp, CoreOp, FloatOp, IntegerOp, MiscOp, Opcode};
use crate::types::{Element, Scalar, Type, TypeKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A compiled entry.
pub(super) struct Compiled {
    pub(super) name: String,
    /// The reason why the entry cannot run.
    pub(super) refused: Option<String>,
    pub(super) params: Vec<(Type, Place)>,
    /// The buffers to which the entry may store.
    pub(super) stored: Stored,
    /// Per parameter, the indexing of its accesses, if all of them use the same.
    pub(super) layouts: Vec<Option<Layout>>,
    /// Is `true` if blocks must run sequentially.
    pub(super) in_order: bool,
    /// Is `true` if the entry may print.
    pub(super) prints: bool,
    pub(super) steps: Vec<Step>,
    pub(super) tiles: usize,
    pub(super) views: usize,
    /// The number of token values; 0 unless the entry is checked.
    pub(super) clocks: usize,
    /// Memory operations, if they are checked.
    pub(super) operations: Arc<[Operation]>,
    /// Tiles that never change.
    pub(super) constants: Vec<(Slot, Data)>,
    /// The operands of the entry's `return`, for [`Program::eval`](super::Program::eval).
    pub(super) results: Vec<(Type, Slot)>,
}

impl Compiled {
    fn refused(name: String, why: String) -> Self {
        Self {
            name,
            refused: Some(why),
            params: Vec::new(),
            stored: Stored::default(),
            layouts: Vec::new(),
            in_order: true,
            prints: false,
            steps: Vec::new(),
            tiles: 0,
            views: 0,
            clocks: 0,
            operations: Arc::default(),
            constants: Vec::new(),
            results: Vec::new(),
        }
    }
}

/// The storage of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Tile(Slot),
    View(ViewSlot),
    /// A token. Only checked entries store tokens; other entries run operations in program order
    /// and need none.
    Token(ClockSlot),
}

/// A region that a terminator ends.
#[derive(Clone, Debug)]
pub(super) enum Scope {
    /// The operation, and the places to which `yield` writes the results.
    Yield(OpId, Vec<Place>),
    For {
        op: OpId,
        /// The places to which `continue` writes the next carried values.
        next: Vec<Place>,
    },
    Loop {
        op: OpId,
        /// The places to which `continue` writes the next carried values.
        next: Vec<Place>,
        /// The places to which `break` writes the results.
        results: Vec<Place>,
    },
}

/// The mode of execution for which an entry is compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    pub(super) check: Check,
    /// The seed of the random groups in which reductions combine elements.
    pub(super) seed: Option<u64>,
}

/// The state of compiling one entry.
pub(super) struct Compiler<'m> {
    pub(super) module: &'m Module,
    places: FxHashMap<ValueId, Place>,
    /// The value for which each tile slot was made, indexed by slot; later values may share the
    /// slot.
    owners: Vec<ValueId>,
    views: usize,
    clocks: usize,
    pub(super) check: Check,
    /// The seed of the random groups in which reductions combine elements.
    pub(super) seed: Option<u64>,
    /// The operation that is being compiled.
    pub(super) site: Site,
    operations: Vec<Operation>,
    pub(super) constants: Vec<(Slot, Data)>,
    pub(super) scopes: Vec<Scope>,
    /// The uses of an entry's values; empty for a single operation.
    pub(super) uses: Uses,
    /// Transposed matrices without tiles of their own, and the values they are transposed from.
    pub(super) transposed: FxHashMap<ValueId, ValueId>,
    /// The number of instances of a scalar that each rank-0 tile of a `reduce` body holds.
    pub(super) lanes: usize,
    /// In a body with several lanes: outer slots and their broadcast copies.
    pub(super) captures: Vec<(Slot, Slot)>,
    /// The number of slots made before the body with several lanes.
    pub(super) outside: usize,
    results: Vec<(Type, Slot)>,
    /// The number of each operation in messages.
    numbers: Vec<usize>,
    /// The number of pointer parameters, whose buffers come first.
    pub(super) pointer_params: usize,
    pub(super) prints: bool,
}

/// Returns the reason why the entry `id` cannot run, if it contains an operation that cannot.
fn refused(module: &Module, id: OpId) -> Option<String> {
    let body = module.region_block(id, 0)?;
    module.walk(body).into_iter().find_map(|op| {
        let op = module.op(op);
        match op.opcode {
            Opcode::LoopDialect(_) => Some(format!(
                "`{}` is run in its flat form; flatten structured loops before",
                op.def().mnemonic
            )),
            Opcode::Misc(MiscOp::Ptx | MiscOp::PtxPure) => Some(format!(
                "`{}` is text in PTX, which only GPUs run",
                op.def().mnemonic
            )),
            Opcode::Testing(_) | Opcode::Unregistered(_) => Some(format!(
                "`{}` is no operation that can be run",
                op.def().mnemonic
            )),
            _ => None,
        }
    })
}

/// Compiles the entry `id`.
///
/// `written` is the module in its original order, by which operations are numbered.
pub(super) fn compile(module: &Module, written: &Module, id: OpId, mode: How) -> Compiled {
    let How { check, seed } = mode;
    let mut cx = Compiler::new(module);
    cx.check = check;
    cx.seed = seed;
    cx.numbers = vec![0; written.num_ops()];
    let body = written.region_block(id, 0);
    let ops = body.map_or_else(Vec::new, |body| written.walk(body));
    for (number, op) in ops.into_iter().enumerate() {
        cx.numbers[op.index()] = number;
    }
    let name = module.op(id).sym_name().to_string();
    if let Some(refused) = refused(module, id) {
        return Compiled::refused(name, refused);
    }
    let block = module.region_block(id, 0);
    if let Some(block) = block {
        cx.uses = Uses::new(module, block);
    }
    let args = block.map_or(&[][..], |block| &module.block(block).args);
    let params: Vec<(Type, Place)> = args
        .iter()
        .map(|&arg| (module.ty(arg), cx.define(arg)))
        .collect();
    let is_pointer = |(ty, _): &&(Type, Place)| {
        let tile = ty.as_tile();
        tile.is_some_and(|tile| matches!(tile.element, Element::Ptr(_)))
    };
    cx.pointer_params = params.iter().filter(is_pointer).count();
    let steps = block.map_or_else(Vec::new, |block| cx.block(block));
    Compiled {
        name,
        refused: None,
        stored: Stored::collect(module, id, params.len()),
        layouts: disjoint::layouts(module, id, params.len()),
        in_order: super::runs_in_order(module, id),
        prints: cx.prints,
        params,
        steps,
        tiles: cx.owners.len(),
        views: cx.views,
        clocks: match check {
            Check::Off => 0,
            Check::On => cx.clocks,
        },
        operations: cx.operations.into(),
        constants: cx.constants,
        results: cx.results,
    }
}

impl<'m> Compiler<'m> {
    /// Makes a compiler that has compiled nothing.
    pub(super) fn new(module: &'m Module) -> Self {
        Self {
            module,
            places: FxHashMap::default(),
            owners: Vec::new(),
            views: 0,
            clocks: 0,
            check: Check::Off,
            seed: None,
            site: Site::ENTRY,
            operations: Vec::new(),
            constants: Vec::new(),
            scopes: Vec::new(),
            uses: Uses::default(),
            transposed: FxHashMap::default(),
            lanes: 1,
            captures: Vec::new(),
            outside: 0,
            results: Vec::new(),
            numbers: Vec::new(),
            pointer_params: 0,
            prints: false,
        }
    }
}

impl Compiler<'_> {
    /// Compiles the operations of a block.
    pub(super) fn block(&mut self, block: BlockId) -> Vec<Step> {
        let mut chains = Chains::new();
        let module = self.module;
        for &id in &module.block(block).ops {
            let op = module.op(id);
            let site = Site {
                mnemonic: op.def().mnemonic,
                index: self.numbers.get(id.index()).copied().unwrap_or_default(),
                loc: op.loc.or_stated(),
            };
            self.site = site;
            let exec = self.op(id, op);
            if let Some(exec) = exec {
                chains.push(self, id, Step { exec, site });
            }
        }
        let steps = chains.finish(self);
        memory::scoped(module, block, steps)
    }

    /// Compiles an operation to a closure; `None` if it needs no code.
    pub(super) fn op(&mut self, id: OpId, op: &Op) -> Option<Exec> {
        match op.opcode {
            Opcode::Core(kind) => core::compile(kind, self, id, op),
            Opcode::Conversion(kind) => conversion::compile(kind, self, op),
            Opcode::ControlFlow(kind) => Some(control_flow::compile(kind, self, id, op)),
            Opcode::Memory(kind) => memory::compile(kind, self, op),
            Opcode::Float(kind) => Some(float::compile(kind, self, op)),
            Opcode::Integer(kind) => Some(integer::compile(kind, self, op)),
            Opcode::Bitwise(kind) => Some(bitwise::compile(kind, self, op)),
            Opcode::View(kind) => view::compile(kind, self, op),
            Opcode::Misc(kind) => misc::compile(kind, self, op),
            Opcode::Atomic(kind) => Some(atomics::compile(kind, self, op)),
            Opcode::LoopDialect(_) | Opcode::Testing(_) | Opcode::Unregistered(_) => {
                unreachable!("refused before")
            }
        }
    }

    /// Allocates the place of a new value.
    pub(super) fn define(&mut self, value: ValueId) -> Place {
        let place = match self.module.ty(value).kind() {
            TypeKind::TensorView(_)
            | TypeKind::PartitionView(_)
            | TypeKind::StridedView(_)
            | TypeKind::GatherScatterView(_) => {
                self.views += 1;
                Place::View(ViewSlot(self.views - 1))
            }
            TypeKind::Token => self.spare_clock(),
            _ => Place::Tile(self.spare(value)),
        };
        self.places.insert(value, place);
        place
    }

    /// Allocates the slot of a new tile.
    pub(super) fn define_tile(&mut self, value: ValueId) -> Slot {
        match self.define(value) {
            Place::Tile(slot) => slot,
            other => panic!("verified code defines a tile, found {other:?}"),
        }
    }

    /// Allocates the slot of the only result of `op`.
    pub(super) fn result(&mut self, op: &Op) -> Slot {
        self.define_tile(op.result())
    }

    /// Allocates a temporary slot on behalf of `value`.
    pub(super) fn spare(&mut self, value: ValueId) -> Slot {
        self.owners.push(value);
        Slot(self.owners.len() - 1)
    }

    /// Returns the index of the next new slot.
    pub(super) fn next_slot(&self) -> usize {
        self.owners.len()
    }

    /// Allocates a temporary place of the kind of `value`.
    pub(super) fn spare_place(&mut self, value: ValueId) -> Place {
        match self.module.ty(value).kind() {
            TypeKind::Token => self.spare_clock(),
            _ => Place::Tile(self.spare(value)),
        }
    }

    fn spare_clock(&mut self) -> Place {
        self.clocks += 1;
        Place::Token(ClockSlot(self.clocks - 1))
    }

    /// Returns the slot of a token.
    pub(super) fn clock(&mut self, value: ValueId) -> ClockSlot {
        match self.place(value) {
            Place::Token(slot) => slot,
            other => panic!("verified code uses a token, found {other:?}"),
        }
    }

    /// Adds an operation to those that are checked; returns its number.
    pub(super) fn add_operation(&mut self, operation: Operation) -> u32 {
        self.operations.push(operation);
        u32::try_from(self.operations.len() - 1).expect("an entry has few operations")
    }

    /// Makes `value` share the place of `source`.
    pub(super) fn alias(&mut self, value: ValueId, source: ValueId) {
        let place = self.place(source);
        self.places.insert(value, place);
    }

    /// Returns the place of `value`.
    pub(super) fn place(&mut self, value: ValueId) -> Place {
        let place = *self
            .places
            .get(&value)
            .expect("verified code defines a value before its uses");
        match place {
            Place::Tile(slot) if self.lanes > 1 && slot.0 < self.outside => {
                if let Some(&(_, copy)) = self.captures.iter().find(|&&(from, _)| from == slot) {
                    return Place::Tile(copy);
                }
                let copy = self.spare(value);
                self.captures.push((slot, copy));
                Place::Tile(copy)
            }
            place => place,
        }
    }

    /// Returns the slot of a tile.
    pub(super) fn tile(&mut self, value: ValueId) -> Slot {
        match self.place(value) {
            Place::Tile(slot) => slot,
            other => panic!("verified code uses a tile, found {other:?}"),
        }
    }

    /// Returns the slot of a view.
    pub(super) fn view(&mut self, value: ValueId) -> ViewSlot {
        match self.place(value) {
            Place::View(slot) => slot,
            other => panic!("verified code uses a view, found {other:?}"),
        }
    }

    /// Returns the slots of the first `N` operands.
    pub(super) fn args<const N: usize>(&mut self, op: &Op) -> [Slot; N] {
        std::array::from_fn(|index| self.tile(op.operands[index]))
    }

    /// Returns the element type of a tile of numbers.
    pub(super) fn scalar(&self, value: ValueId) -> Scalar {
        self.numbers(value).0
    }

    /// Returns the element type and shape of a tile of numbers.
    pub(super) fn numbers(&self, value: ValueId) -> (Scalar, &'static [i64]) {
        self.module
            .ty(value)
            .as_number_tile()
            .expect("verified code has a tile of numbers here")
    }

    /// Returns the extents of a tile.
    pub(super) fn shape(&self, value: ValueId) -> Vec<usize> {
        let tile = self.module.ty(value).as_tile();
        extents(&tile.expect("verified code has a tile here").shape)
    }

    /// Assigns constant elements to a slot.
    pub(super) fn constant(&mut self, slot: Slot, data: Data) {
        self.constants.push((slot, data));
    }

    /// Copies or moves `values` to `to`. The places `to` are distinct from those of `values`, so
    /// the order of the moves does not matter.
    pub(super) fn transfer(&mut self, values: &[ValueId], to: &[Place], region: OpId) -> Exec {
        let mut moves: Vec<(Slot, Slot, bool)> = Vec::new();
        let mut clocks: Vec<(ClockSlot, ClockSlot)> = Vec::new();
        for (&value, &to) in values.iter().zip(to) {
            match (self.place(value), to) {
                (Place::Tile(from), Place::Tile(to)) => moves.push((from, to, false)),
                (Place::Token(from), Place::Token(to)) if self.check == Check::On => {
                    clocks.push((from, to));
                }
                _ => {}
            }
        }
        for index in 0..moves.len() {
            let from = moves[index].0;
            // A value of the region is redefined before its next use, so it may be moved, unless it
            // has two destinations.
            let unique = moves.iter().filter(|other| other.0 == from).count() == 1;
            let constant = self.constants.iter().any(|&(slot, _)| slot == from);
            moves[index].2 =
                unique && !constant && self.module.is_defined_within(self.owners[from.0], region);
        }
        Box::new(move |machine| {
            for &(from, to, moved) in &moves {
                if moved {
                    machine.swap(from, to);
                } else {
                    machine.copy(from, to);
                }
            }
            for &(from, to) in &clocks {
                machine.frame.clocks[to.0] = machine.frame.clocks[from.0].clone();
            }
            Ok(Flow::Next)
        })
    }

    /// Returns the places of the operands of the entry's `return`.
    pub(super) fn return_places(&mut self, values: &[ValueId]) -> Vec<Place> {
        if self.results.is_empty() {
            for &value in values {
                let slot = self.spare(value);
                self.results.push((self.module.ty(value), slot));
            }
        }
        self.results
            .iter()
            .map(|&(_, slot)| Place::Tile(slot))
            .collect()
    }
}

/// Converts the shape of a tile to array extents.
pub(super) fn extents(shape: &[i64]) -> Vec<usize> {
    shape
        .iter()
        .map(|&dim| usize::try_from(dim).expect("extents are positive"))
        .collect()
}

/// Returns `true` if every operation of a `reduce` body is elementwise, so that one run of the body
/// may process many instances.
pub(super) fn is_elementwise(module: &Module, block: BlockId) -> bool {
    module.block(block).ops.iter().all(|&id| {
        let op = module.op(id);
        match op.opcode {
            Opcode::Core(kind) => matches!(kind, CoreOp::Constant | CoreOp::Select),
            Opcode::Integer(kind) => kind != IntegerOp::MmaI,
            Opcode::Float(kind) => !matches!(kind, FloatOp::MmaF | FloatOp::MmaFScaled),
            Opcode::Bitwise(_) | Opcode::Conversion(_) => true,
            Opcode::ControlFlow(kind) => kind == ControlFlowOp::Yield,
            Opcode::Memory(_)
            | Opcode::Atomic(_)
            | Opcode::View(_)
            | Opcode::Misc(_)
            | Opcode::LoopDialect(_)
            | Opcode::Testing(_)
            | Opcode::Unregistered(_) => false,
        }
    })
}
