//! Provenance analysis: finds the memory that pointers may point to.
//!
//! Input: a verified entry. Output: for every tile of pointers, the parameters, variables and `alloca`s that
//! it derives from. The analysis follows `offset`, shape operations, `select`, loops and branches. A pointer
//! made from an integer may point to any object whose address may be known.
//!
//! A parameter that is used only as the base of views is a *tensor*: the host guarantees that nothing else
//! reaches its memory. Any other parameter is *raw*: it may overlap with other raw parameters, unless the
//! host gives the same guarantee for it.

use crate::gpu::{Aliasing, Root, Roots};
use crate::options::NoAliasParams;
use rustc_hash::FxHashSet;
use tile_core::Module;
use tile_core::ir::{BlockId, OpId, ValueId};
use tile_core::ops::{ControlFlowOp, ConversionOp, CoreOp, MemoryOp, MiscOp, Opcode, ViewOp};
use tile_core::types::Element;

/// The objects that every pointer of an entry may point to.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    roots: Vec<Roots>,
    raw: FxHashSet<usize>,
    aliasing: Aliasing,
    locals: Vec<OpId>,
}

impl Provenance {
    /// Analyses `body`, the body of an entry whose operations are `ops`.
    pub fn analyze(module: &Module, body: BlockId, ops: &[OpId], noalias: NoAliasParams) -> Self {
        let is_alloca = |op: &OpId| module.op(*op).opcode == Opcode::Memory(MemoryOp::Alloca);
        let mut analysis = Self {
            roots: vec![Roots::new(); module.num_values()],
            raw: FxHashSet::default(),
            aliasing: Aliasing::default(),
            locals: ops.iter().copied().filter(is_alloca).collect(),
        };
        for (number, &arg) in module.block(body).args.iter().enumerate() {
            if is_pointer(module, arg) {
                analysis.roots[arg.index()].insert(Root::Param(number));
            }
        }
        loop {
            let mut changed = false;
            for &op in ops {
                changed |= analysis.op(module, op);
            }
            if !changed {
                break;
            }
        }
        for &op in ops {
            analysis.find_raw(module, op);
        }
        let raw = analysis.raw.iter().copied();
        let shared = raw.filter(|&param| !noalias.contains(param));
        analysis.aliasing = Aliasing::new(shared.collect());
        analysis
    }

    /// Returns the objects that `pointer` may point to.
    pub fn roots(&self, pointer: ValueId) -> &Roots {
        &self.roots[pointer.index()]
    }

    /// Returns `true` if the parameter at index `param` is accessed other than through views.
    pub fn is_raw(&self, param: usize) -> bool {
        self.raw.contains(&param)
    }

    /// Returns the index of an `alloca` among those of the entry.
    pub fn local(&self, alloca: OpId) -> usize {
        let index = self.locals.iter().position(|&op| op == alloca);
        index.expect("an `alloca` of the entry")
    }

    /// Returns the `alloca`s of the entry.
    pub fn locals(&self) -> &[OpId] {
        &self.locals
    }

    /// Returns the parameters whose memory other pointers may reach.
    pub fn aliasing(&self) -> &Aliasing {
        &self.aliasing
    }

    fn add(&mut self, to: ValueId, roots: &Roots) -> bool {
        let existing = &mut self.roots[to.index()];
        let before = existing.len();
        existing.extend(roots);
        existing.len() != before
    }

    fn flow(&mut self, module: &Module, from: ValueId, to: ValueId) -> bool {
        if !is_pointer(module, to) {
            return false;
        }
        let roots = self.roots[from.index()].clone();
        self.add(to, &roots)
    }

    fn op(&mut self, module: &Module, id: OpId) -> bool {
        let op = module.op(id);
        let mut changed = false;
        match op.opcode {
            Opcode::Core(CoreOp::GetGlobal) => {
                let number = variable(module, id);
                changed |= self.add(op.result(), &Roots::from([Root::Variable(number)]));
            }
            Opcode::Memory(MemoryOp::Alloca) => {
                let number = self.local(id);
                changed |= self.add(op.result(), &Roots::from([Root::Local(number)]));
            }
            Opcode::Conversion(ConversionOp::IntToPtr) => {
                changed |= self.add(op.result(), &Roots::from([Root::Anywhere]));
            }
            Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop) => {
                let is_for = op.opcode == ControlFlowOp::For.into();
                let Some(body) = module.region_block(id, 0) else {
                    return false;
                };
                let args = &module.block(body).args[usize::from(is_for)..];
                for (number, &init) in op.operands_of("initValues").iter().enumerate() {
                    changed |= self.flow(module, init, args[number]);
                    if is_for {
                        changed |= self.flow(module, init, op.results[number]);
                    }
                }
            }
            Opcode::ControlFlow(
                control @ (ControlFlowOp::Continue | ControlFlowOp::Break | ControlFlowOp::Yield),
            ) => {
                let Some(target) = super::divisibility::target(module, id, control) else {
                    return false;
                };
                let to = module.op(target);
                let is_for = to.opcode == ControlFlowOp::For.into();
                for (number, &value) in op.operands.iter().enumerate() {
                    if control == ControlFlowOp::Continue
                        && let Some(body) = module.region_block(target, 0)
                    {
                        let arg = module.block(body).args[number + usize::from(is_for)];
                        changed |= self.flow(module, value, arg);
                    }
                    if control != ControlFlowOp::Continue || is_for {
                        changed |= self.flow(module, value, to.results[number]);
                    }
                }
            }
            // A result derives from every pointer among the operands.
            _ => {
                for &result in &op.results {
                    for &operand in &op.operands {
                        if is_pointer(module, operand) {
                            changed |= self.flow(module, operand, result);
                        }
                    }
                }
            }
        }
        changed
    }

    /// Records the parameters that `op` uses other than for a view.
    fn find_raw(&mut self, module: &Module, id: OpId) {
        let op = module.op(id);
        let is_plain = matches!(
            op.opcode,
            Opcode::View(ViewOp::MakeTensorView) | Opcode::Misc(MiscOp::Assume)
        );
        for &operand in &op.operands {
            let direct = self.roots[operand.index()].len() == 1 && is_param(module, operand);
            if is_plain && direct {
                continue;
            }
            for root in self.roots[operand.index()].clone() {
                if let Root::Param(param) = root {
                    self.raw.insert(param);
                }
            }
        }
    }
}

/// Returns `true` if `value` is a parameter, possibly through assumptions.
fn is_param(module: &Module, value: ValueId) -> bool {
    match module.defining_op(value).map(|op| module.op(op)) {
        None => match module.value(value).def {
            tile_core::ir::ValueDef::Argument(block, _) => {
                let parent = module.parent_op_of_block(block);
                parent.is_some_and(|op| module.op(op).opcode == CoreOp::Entry.into())
            }
            tile_core::ir::ValueDef::Result(..) => false,
        },
        Some(op) if op.opcode == MiscOp::Assume.into() => is_param(module, op.operands[0]),
        Some(_) => false,
    }
}

fn is_pointer(module: &Module, value: ValueId) -> bool {
    let tile = module.ty(value).as_tile();
    tile.is_some_and(|tile| matches!(tile.element, Element::Ptr(_)))
}

/// Returns the index of the variable that a `get_global` names, among the variables of the module.
pub fn variable(module: &Module, get_global: OpId) -> usize {
    let Some(tile_core::ir::Attr::Symbol(name)) = module.op(get_global).attr("name") else {
        panic!("verified: a symbol");
    };
    module
        .globals()
        .position(|id| module.op(id).sym_name() == *name)
        .expect("verified: a variable of the module")
}
