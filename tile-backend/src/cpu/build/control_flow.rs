//! Branches, loops, and the values that they carry.

use rustc_hash::FxHashMap;
use tile_core::ir::ValueDef;
use tile_core::ir::{BlockId, OpId, ValueId};
use tile_core::ops::{ControlFlowOp, MiscOp, Opcode, ViewOp};
use tile_core::types::Scalar;

use super::super::ir::{BufferId, Expr, Fun, Inst, Stmt, Why};
use super::{Bound, Builder, Home, Reply, Scope, liveness, refused};

impl Builder<'_> {
    pub(super) fn control_flow(&mut self, kind: ControlFlowOp, id: OpId) -> Reply {
        let op = self.module.op(id);
        match kind {
            ControlFlowOp::Assert => self.assert(op.operand("condition")),
            ControlFlowOp::If => self.if_else(id),
            ControlFlowOp::For => self.for_loop(id),
            ControlFlowOp::Loop => self.endless_loop(id),
            ControlFlowOp::Break => {
                let homes = self
                    .scopes
                    .last()
                    .expect("verified code leaves a loop")
                    .results
                    .clone();
                self.assign(&op.operands, &homes)?;
                self.end_with(Stmt::Break);
                Ok(())
            }
            ControlFlowOp::Continue => {
                let homes = self
                    .scopes
                    .last()
                    .expect("verified code continues a loop")
                    .next
                    .clone();
                self.assign(&op.operands, &homes)?;
                self.end_with(Stmt::Continue);
                Ok(())
            }
            ControlFlowOp::Yield => {
                let homes = self
                    .yields
                    .last()
                    .expect("verified code yields to `if`")
                    .clone();
                self.assign(&op.operands, &homes)?;
                self.flush();
                Ok(())
            }
            ControlFlowOp::Return => {
                self.end_with(Stmt::Return);
                Ok(())
            }
        }
    }

    fn end_with(&mut self, stmt: Stmt) {
        self.flush();
        self.stmts.push(stmt);
    }

    fn assert(&mut self, condition: ValueId) -> Reply {
        if self.is_scalar(condition) {
            let val = self.scalar(condition)?;
            // What precedes the assertion has happened when it fails.
            self.flush();
            self.fault_unless(val);
            return Ok(());
        }
        let bits = self.bits(condition);
        self.sink(bits, &[], false, &[condition], |builder, map| {
            let reg = builder.element(condition, map)?;
            builder.push(Inst::Assert(reg));
            Ok(())
        })?;
        self.flush();
        Ok(())
    }

    /// Builds a region. What was bound within it is forgotten.
    fn region(&mut self, block: BlockId) -> Reply<Vec<Stmt>> {
        self.flush();
        let outer = std::mem::take(&mut self.stmts);
        let (bound, packed) = (self.bound.clone(), self.packed.clone());
        let deferred = self.deferred.len();
        let done = self.block(block);
        self.flush();
        self.bound = bound;
        self.packed = packed;
        self.deferred.truncate(deferred);
        let stmts = std::mem::replace(&mut self.stmts, outer);
        done.map(|()| stmts)
    }

    /// Computes the deferred tiles that a region uses many times, or whose memory it may change.
    fn prepare_region(&mut self, id: OpId, is_loop: bool) -> Reply {
        let captured = liveness::captured(self.module, id);
        for value in captured.into_iter().filter(|_| is_loop) {
            let is_dear = match self.bound.get(&value) {
                Some(Bound::Load(_)) => true,
                Some(Bound::Deferred(_)) => self.costs.get(&value).is_some_and(|&cost| cost > 1),
                _ => false,
            };
            if is_dear && self.is_scalar(value) {
                let val = self.scalar(value)?;
                self.bound.insert(value, Bound::Scalar(val));
            } else if is_dear {
                self.materialize(value, Why::UsedInLoop)?;
            }
        }
        if is_loop {
            self.pack_operands(id)?;
        }
        for param in self.stored_within(id) {
            self.before_store(param, &[], None)?;
        }
        self.flush();
        Ok(())
    }

    fn if_else(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let condition = self.scalar(op.operands[0])?;
        let homes = self.homes(&op.results)?;
        self.prepare_region(id, false)?;
        self.yields.push(homes.clone());
        let mut regions = [Vec::new(), Vec::new()];
        for (number, stmts) in regions.iter_mut().enumerate() {
            if let Some(block) = self.module.region_block(id, number) {
                // Both start from the same uses: a tile that the first branch has used is still needed in the second.
                *stmts = self.region(block)?;
            }
        }
        self.yields.pop();
        let [then, otherwise] = regions;
        self.stmts.push(Stmt::If {
            condition,
            then,
            otherwise,
        });
        self.bind(&op.results, &homes);
        Ok(())
    }

    fn for_loop(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let is_signed = !op.has_flag("unsignedCmp");
        let scalar = self.scalar_of(op.operands[0]);
        let lower = self.wide_scalar(op.operands[0], is_signed)?;
        let upper = self.wide_scalar(op.operands[1], is_signed)?;
        let step = self.wide_scalar(op.operands[2], is_signed)?;
        let one = self.number(1);
        let is_bad = self.truth(Fun::Less, &[step, one]);
        self.flush();
        self.fault_if(is_bad);
        let block = self.module.region_block(id, 0).expect("a loop has a body");
        let args = self.module.block(block).args.clone();
        self.prepare_region(id, true)?;
        let homes = self.start_loop(op.operands_of("initValues"), &args[1..])?;
        let counter = self.new_val(Scalar::I64);
        let scope = Scope {
            next: homes.clone(),
            results: Vec::new(),
        };
        let body = self.loop_body(scope, block, &args[1..], |builder| {
            let number = if scalar == Scalar::I64 {
                counter
            } else {
                builder.call(scalar, Fun::Truncate(scalar), &[counter])
            };
            builder.bound.insert(args[0], Bound::Scalar(number));
        })?;
        self.end_loop(&homes);
        self.stmts.push(Stmt::For {
            counter,
            lower,
            upper,
            step,
            is_signed,
            may_wrap: scalar == Scalar::I64,
            body,
        });
        self.bind(&op.results, &homes);
        Ok(())
    }

    fn endless_loop(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let block = self.module.region_block(id, 0).expect("a loop has a body");
        let args = self.module.block(block).args.clone();
        self.prepare_region(id, true)?;
        let results = self.homes(&op.results)?;
        let homes = self.start_loop(op.operands_of("initValues"), &args)?;
        let scope = Scope {
            next: homes.clone(),
            results: results.clone(),
        };
        let body = self.loop_body(scope, block, &args, |_| {})?;
        self.end_loop(&homes);
        self.stmts.push(Stmt::Loop(body));
        self.bind(&op.results, &results);
        Ok(())
    }

    /// Makes the homes of the carried values, and puts the initial values there. The buffer of an initial value that nothing
    /// else needs is its home.
    fn start_loop(&mut self, inits: &[ValueId], args: &[ValueId]) -> Reply<Vec<Home>> {
        let mut homes = Vec::new();
        for (&init, &arg) in inits.iter().zip(args) {
            let home = match self.bound.get(&init) {
                Some(&Bound::Buffer(buffer))
                    if self.may_change(init, buffer) && !homes.contains(&Home::Tile(buffer)) =>
                {
                    self.note_stored(arg, buffer, Why::Carried);
                    Home::Tile(buffer)
                }
                _ => self.homes(&[arg])?[0],
            };
            homes.push(home);
        }
        let depth = self.scopes.len() + 1;
        for home in &homes {
            if let Home::Tile(buffer) = home {
                self.depths[buffer.0 as usize] = depth;
            }
        }
        self.assign(inits, &homes)?;
        self.flush();
        Ok(homes)
    }

    /// After a loop, the homes of what it carried belong to the code around it.
    fn end_loop(&mut self, homes: &[Home]) {
        for home in homes {
            if let Home::Tile(buffer) = home {
                self.depths[buffer.0 as usize] = self.scopes.len();
            }
        }
    }

    fn loop_body(
        &mut self,
        scope: Scope,
        block: BlockId,
        args: &[ValueId],
        begin: impl FnOnce(&mut Self),
    ) -> Reply<Vec<Stmt>> {
        self.flush();
        let outer = std::mem::take(&mut self.stmts);
        let bound = self.bound.clone();
        self.bind(args, &scope.next.clone());
        begin(self);
        self.scopes.push(scope);
        let body = self.region(block);
        self.scopes.pop();
        self.bound = bound;
        let mut stmts = std::mem::replace(&mut self.stmts, outer);
        stmts.extend(body?);
        Ok(stmts)
    }

    /// Makes places for values that control flow carries.
    fn homes(&mut self, values: &[ValueId]) -> Reply<Vec<Home>> {
        let mut homes = Vec::new();
        for &value in values {
            let ty = self.module.ty(value);
            homes.push(if ty.is_token() {
                Home::Token
            } else if ty.as_tile().is_none() {
                let owner = match self.module.value(value).def {
                    ValueDef::Result(op, _) => op,
                    ValueDef::Argument(block, _) => self
                        .module
                        .parent_op_of_block(block)
                        .expect("a body of an operation"),
                };
                return Err(refused(
                    self.module.op(owner),
                    "a view that control flow carries has no native code yet",
                ));
            } else if self.is_pointer(value) {
                let owner = match self.module.value(value).def {
                    ValueDef::Result(op, _) => op,
                    ValueDef::Argument(block, _) => self
                        .module
                        .parent_op_of_block(block)
                        .expect("a body of an operation"),
                };
                return Err(refused(
                    self.module.op(owner),
                    "a pointer that control flow carries has no native code yet",
                ));
            } else if self.is_scalar(value) {
                let scalar = self.scalar_of(value);
                Home::Scalar(self.new_var(scalar))
            } else {
                let scalar = self.scalar_of(value);
                let buffer = self.new_buffer(scalar, self.count(value));
                self.note_stored(value, buffer, Why::Carried);
                Home::Tile(buffer)
            });
        }
        Ok(homes)
    }

    fn is_pointer(&self, value: ValueId) -> bool {
        let tile = self.module.ty(value).as_tile();
        tile.is_some_and(|tile| matches!(tile.element, tile_core::types::Element::Ptr(_)))
    }

    /// Binds values to their places.
    fn bind(&mut self, values: &[ValueId], homes: &[Home]) {
        for (&value, &home) in values.iter().zip(homes) {
            let bound = match home {
                Home::Token => Bound::Token,
                Home::Tile(buffer) => Bound::Buffer(buffer),
                Home::Scalar(var) => {
                    let scalar = self.vars[var.0 as usize];
                    Bound::Scalar(self.let_(scalar, Expr::Var(var)))
                }
            };
            self.bound.insert(value, bound);
        }
    }

    /// Puts values into places, all at once: no value is computed from what another one replaced.
    fn assign(&mut self, values: &[ValueId], homes: &[Home]) -> Reply {
        let mut scalars = Vec::new();
        let mut tiles: Vec<(ValueId, BufferId)> = Vec::new();
        for (&value, &home) in values.iter().zip(homes) {
            match home {
                Home::Token => {}
                Home::Scalar(var) => scalars.push((var, self.scalar(value)?)),
                Home::Tile(buffer) => {
                    let is_there = matches!(self.bound.get(&value), Some(Bound::Buffer(there)) if *there == buffer);
                    if !is_there {
                        tiles.push((value, buffer));
                    }
                }
            }
        }
        let reads: FxHashMap<usize, Vec<(BufferId, bool)>> = tiles
            .iter()
            .map(|&(value, _)| self.buffers_read(value))
            .enumerate()
            .collect();
        let is_staged = |number: usize, home: BufferId| {
            reads.iter().any(|(&other, buffers)| {
                let mut buffers = buffers.iter();
                buffers.any(|&(buffer, is_plain)| buffer == home && (other != number || !is_plain))
            })
        };
        let mut staged = Vec::new();
        let numbered: Vec<(usize, (ValueId, BufferId))> = tiles.into_iter().enumerate().collect();
        // What is staged is computed first, from places that nothing has replaced.
        for &(number, (value, home)) in &numbered {
            if is_staged(number, home) {
                let Home::Tile(buffer) = self.homes(&[value])?[0] else {
                    unreachable!("a tile has a buffer");
                };
                self.store_into(value, buffer)?;
                staged.push((buffer, value, home));
            }
        }
        self.flush();
        for &(number, (value, home)) in &numbered {
            if !is_staged(number, home) {
                self.store_into(value, home)?;
            }
        }
        self.flush();
        for (buffer, value, home) in staged {
            self.copy(buffer, home, value)?;
        }
        self.flush();
        for (var, val) in scalars {
            self.stmts.push(Stmt::Set(var, val));
        }
        Ok(())
    }

    /// Copies a buffer that has the elements of `value`.
    fn copy(&mut self, from: BufferId, to: BufferId, value: ValueId) -> Reply {
        let bound = self.bound.insert(value, Bound::Buffer(from));
        let done = self.store_into(value, to);
        self.bound.extend(bound.map(|bound| (value, bound)));
        done
    }

    /// Returns the parameter in which a view is, if its definition shows it.
    pub(super) fn param_of_view(&self, mut view: ValueId) -> Option<u32> {
        loop {
            if let Some(Bound::View(view)) = self.bound.get(&view) {
                return Some(view.param());
            }
            let ValueDef::Result(id, _) = self.module.value(view).def else {
                return None;
            };
            let op = self.module.op(id);
            view = match op.opcode {
                Opcode::View(
                    ViewOp::MakeGatherScatterView
                    | ViewOp::MakePartitionView
                    | ViewOp::MakeStridedView,
                )
                | Opcode::Misc(MiscOp::Assume) => op.operands[0],
                Opcode::View(ViewOp::MakeTensorView) => {
                    return self.origins.get(&op.operand("base")).copied();
                }
                _ => return None,
            };
        }
    }
}
