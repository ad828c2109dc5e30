//! Checks the invariants of the loop IR.

use std::collections::BTreeSet;

use tile_core::types::Scalar;

use super::{
    Base, Expr, Groups, Inst, Kernel, Nest, Place, Product, Signs, Stmt, Stride, Target, Unit, Val,
};

/// Returns the first rule that a kernel breaks.
pub(crate) fn verify(kernel: &Kernel) -> Result<(), String> {
    let mut checker = Checker {
        kernel,
        defined: BTreeSet::new(),
        loops: 0,
    };
    checker.stmts(&kernel.body)
}

struct Checker<'k> {
    kernel: &'k Kernel,
    defined: BTreeSet<Val>,
    loops: usize,
}

type Reply = Result<(), String>;

fn ensure(holds: bool, rule: impl FnOnce() -> String) -> Reply {
    if holds { Ok(()) } else { Err(rule()) }
}

impl Checker<'_> {
    fn used(&self, val: Val) -> Reply {
        ensure(self.defined.contains(&val), || {
            format!("%v{} is used before it is defined", val.0)
        })
    }

    fn define(&mut self, val: Val) -> Reply {
        ensure((val.0 as usize) < self.kernel.vals.len(), || {
            format!("%v{} has no type", val.0)
        })?;
        ensure(self.defined.insert(val), || {
            format!("%v{} is defined twice", val.0)
        })
    }

    /// Checks statements whose values are not visible afterwards.
    fn scope(&mut self, stmts: &[Stmt]) -> Reply {
        let outer = self.defined.clone();
        self.stmts(stmts)?;
        self.defined = outer;
        Ok(())
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Reply {
        for (number, stmt) in stmts.iter().enumerate() {
            let ends = matches!(stmt, Stmt::Break | Stmt::Continue | Stmt::Return);
            ensure(!ends || number + 1 == stmts.len(), || {
                "a statement follows a jump".to_owned()
            })?;
            self.stmt(stmt)?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Reply {
        match stmt {
            Stmt::Let(val, expr) => {
                match expr {
                    Expr::Call(_, args) => args.iter().try_for_each(|&arg| self.used(arg))?,
                    Expr::Element(buffer) => {
                        let count = self.kernel.buffers[buffer.0 as usize].count;
                        ensure(count == 1, || {
                            format!("%b{} has {count} elements", buffer.0)
                        })?;
                    }
                    Expr::Constant(_)
                    | Expr::Word(_)
                    | Expr::BlockId(_)
                    | Expr::GridDim(_)
                    | Expr::Var(_) => {}
                }
                self.define(*val)
            }
            Stmt::Set(var, val) => {
                let types = (
                    self.kernel.vars[var.0 as usize],
                    self.kernel.vals[val.0 as usize],
                );
                ensure(types.0 == types.1, || {
                    format!("%x{} has another type than %v{}", var.0, val.0)
                })?;
                self.used(*val)
            }
            Stmt::Nest(nest) => self.nest(nest),
            Stmt::Product(product) => self.product(product),
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                self.used(*condition)?;
                self.scope(then)?;
                self.scope(otherwise)
            }
            Stmt::For {
                counter,
                lower,
                upper,
                step,
                body,
                is_signed: _,
                may_wrap: _,
            } => {
                [lower, upper, step]
                    .into_iter()
                    .try_for_each(|&val| self.used(val))?;
                let outer = self.defined.clone();
                self.define(*counter)?;
                self.loops += 1;
                self.stmts(body)?;
                self.loops -= 1;
                self.defined = outer;
                Ok(())
            }
            Stmt::Loop(body) => {
                self.loops += 1;
                self.scope(body)?;
                self.loops -= 1;
                Ok(())
            }
            Stmt::Break | Stmt::Continue => {
                ensure(self.loops > 0, || "a jump outside of a loop".to_owned())
            }
            Stmt::Return | Stmt::Fence => Ok(()),
            Stmt::FaultIf(val, never) => {
                self.used(*val)?;
                never.map_or(Ok(()), |never| self.used(never))
            }
        }
    }

    fn nest(&self, nest: &Nest) -> Reply {
        let in_order = nest.axis.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let in_nest = nest.axis.iter().all(|&bit| bit < nest.bits);
        ensure(in_order && in_nest, || {
            "the axis of a nest is not a range of its bits".to_owned()
        })?;
        for (number, inst) in nest.insts.iter().enumerate() {
            let before = |reg: usize| {
                let has_value = reg < number && nest.scalar(reg, &self.kernel.vals).is_some();
                ensure(has_value, || {
                    format!("%{reg} is used before it is computed")
                })
            };
            match inst {
                Inst::Scalar(val) => self.used(*val)?,
                Inst::Constant(..) => {}
                Inst::Table(_, _, weights) | Inst::Position(_, weights) => weighs(weights, nest)?,
                Inst::Call(_, args, _) => args.iter().try_for_each(|&arg| before(arg))?,
                Inst::Load(place, _) => self.place(place, nest)?,
                Inst::Store(place, value) => {
                    before(*value)?;
                    self.place(place, nest)?;
                }
                Inst::Gather {
                    address,
                    mask,
                    padding,
                    window,
                    ..
                } => {
                    let regs = [Some(*address), *mask, *padding];
                    regs.into_iter().flatten().try_for_each(before)?;
                    if let Some(window) = window {
                        self.used(window.holds)?;
                        self.place(&window.place, nest)?;
                    }
                }
                Inst::Scatter {
                    address,
                    mask,
                    value,
                    ..
                } => [Some(*address), *mask, Some(*value)]
                    .into_iter()
                    .flatten()
                    .try_for_each(before)?,
                Inst::Atomic {
                    address,
                    mask,
                    args,
                    ..
                } => {
                    let regs = args.iter().copied().chain([*address]).chain(*mask);
                    regs.into_iter().try_for_each(before)?;
                }
                Inst::Assert(condition) => before(*condition)?,
                Inst::Reduce(reduce) | Inst::Scan(reduce) => {
                    ensure(!nest.axis.is_empty(), || {
                        "a reduction in a nest without an axis".to_owned()
                    })?;
                    reduce.values.iter().try_for_each(|&value| before(value))?;
                    reduce
                        .places
                        .iter()
                        .try_for_each(|place| self.place(place, nest))?;
                }
            }
        }
        Ok(())
    }

    fn place(&self, place: &Place, nest: &Nest) -> Reply {
        let mut last = 0;
        for axis in &place.axes {
            weighs(&axis.weights, nest)?;
            if let Stride::Value(val) = axis.stride {
                self.used(val)?;
            }
            for val in [axis.from, axis.inside].into_iter().flatten() {
                self.used(val)?;
            }
            if let Stride::Constant(stride) = axis.stride {
                last += axis.weights.iter().sum::<i64>() * stride;
            }
        }
        match place.base {
            Base::Memory(val, _) => self.used(val),
            Base::Buffer(buffer, from) => {
                let count = self.kernel.buffers[buffer.0 as usize].count;
                let is_inside = u64::try_from(last).is_ok_and(|last| last < count);
                ensure(is_inside, || {
                    format!("element {last} of %b{}, which has {count}", buffer.0)
                })?;
                from.map_or(Ok(()), |val| self.used(val))
            }
        }
    }

    fn product(&self, product: &Product) -> Reply {
        let &Product {
            batch,
            m,
            n,
            k,
            a,
            ref groups,
            b,
            panel,
            acc,
            scalar,
            operand,
            signs,
            unit,
            demanded,
            is_first,
            ref target,
        } = product;
        is_first.map_or(Ok(()), |val| self.used(val))?;
        if let Some(Target { holds, place }) = target {
            self.used(*holds)?;
            // The weights are those of a nest over the sums.
            let nest = Nest {
                bits: (m * n).trailing_zeros(),
                ..Nest::default()
            };
            self.place(place, &nest)?;
            let are_rows = batch == 1 && place.rows(m, n).is_some() && place.scalar == scalar;
            ensure(are_rows, || {
                format!("sums that are no rows of {n} `{scalar}`")
            })?;
        }
        demanded
            .into_iter()
            .flatten()
            .try_for_each(|val| self.used(val))?;
        ensure(demanded.is_none() || batch == 1, || {
            format!("a part of {batch} products")
        })?;
        let is_dot_product = matches!(
            (operand, scalar),
            (Scalar::I16 | Scalar::I8, Scalar::I32) | (Scalar::BF16, Scalar::F32)
        ) && k % product.terms() == 0;
        ensure(operand == scalar || is_dot_product, || {
            format!("{k} terms of `{operand}` to sums of `{scalar}`")
        })?;
        ensure(acc != a && acc != b, || {
            format!("%b{} is an operand of the product that changes it", acc.0)
        })?;
        let is_of_bytes = operand == Scalar::I8;
        ensure(
            unit == Unit::Vectors || is_of_bytes || operand == Scalar::BF16,
            || format!("tile registers of `{operand}`"),
        )?;
        let is_of_unit = match signs {
            Signs::Right | Signs::Left => true,
            Signs::LeftShifted => unit == Unit::Vectors,
            Signs::Both | Signs::Neither => unit == Unit::Tiles,
        };
        ensure(!is_of_bytes || is_of_unit, || {
            format!("signs {signs:?} in {unit:?}")
        })?;
        let mut rows = batch * m;
        if let Some(Groups {
            rows: of_group,
            nest,
        }) = groups
        {
            ensure(m % of_group == 0, || {
                format!("groups of {of_group} rows, of {m}")
            })?;
            ensure(1_u64 << nest.bits == batch * m * k, || {
                format!("a nest of {} bits for {m} x {k}", nest.bits)
            })?;
            self.nest(nest)?;
            rows = *of_group;
        }
        for (buffer, count, scalar) in [
            (a, rows * k, operand),
            (b, batch * k * n, operand),
            (acc, batch * m * n, scalar),
        ] {
            let found = self.kernel.buffers[buffer.0 as usize];
            let fits = found.count == count && found.scalar == scalar;
            ensure(fits, || {
                format!(
                    "%b{} is no operand of a product of {batch} x {m} x {n} x {k}",
                    buffer.0
                )
            })?;
        }
        ensure(n % panel == 0, || {
            format!("panels of {panel} columns, of {n}")
        })
    }
}

fn weighs(weights: &[i64], nest: &Nest) -> Reply {
    let count = weights.len();
    ensure(count == nest.bits as usize, || {
        format!("{count} weights in a nest of {} bits", nest.bits)
    })
}
