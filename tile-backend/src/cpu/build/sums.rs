//! This pass shortens how the sums of a product begin and end.
//!
//! In: the statements of a kernel, in which a product adds to a buffer: one that is zero before the product, or before the loop
//! around it, and that is copied to a tensor after it. Out: a product that begins with zeros in registers, and that stores the
//! last sums to the tensor, if the tile is inside of it. The buffer is filled only if the loop has no iteration, and copied
//! only if the product has not stored to the tensor.

use rustc_hash::FxHashMap;
use tile_core::types::Scalar;

use super::super::ir::{
    Base, BufferId, Expr, Fun, Inst, Kernel, Nest, Param, Place, Product, Stmt, Stride, Target, Val,
};

/// Changes all products of a kernel that can be.
pub(super) fn shorten(kernel: &mut Kernel) {
    let mut body = std::mem::take(&mut kernel.body);
    let mut uses: FxHashMap<BufferId, usize> = FxHashMap::default();
    Stmt::walk(&body, &mut |stmt| {
        for number in 0..kernel.buffers.len() {
            let buffer = BufferId(u32::try_from(number).expect("few buffers"));
            if uses_it(stmt, buffer) {
                *uses.entry(buffer).or_default() += 1;
            }
        }
    });
    Shortener { kernel, uses }.list(&mut body);
    kernel.body = body;
}

struct Shortener<'k> {
    kernel: &'k mut Kernel,
    /// The statements that use each buffer.
    uses: FxHashMap<BufferId, usize>,
}

/// A loop that counts.
#[derive(Clone, Copy)]
struct Count {
    counter: Val,
    lower: Val,
    upper: Val,
    step: Val,
}

impl Shortener<'_> {
    fn list(&mut self, stmts: &mut Vec<Stmt>) {
        for stmt in stmts.iter_mut() {
            match stmt {
                Stmt::If {
                    then, otherwise, ..
                } => {
                    self.list(then);
                    self.list(otherwise);
                }
                Stmt::For { body, .. } | Stmt::Loop(body) => self.list(body),
                _ => {}
            }
        }
        let mut place = 0;
        while place < stmts.len() {
            place = match self.sums_at(stmts, place) {
                Some(sums) => self.change(stmts, place, sums),
                None => place + 1,
            };
        }
    }

    /// Returns the buffer that a statement adds a product to: a product, or a loop that has one and does nothing else with it.
    fn sums_at(&self, stmts: &[Stmt], place: usize) -> Option<BufferId> {
        let buffer = match &stmts[place] {
            Stmt::Product(product) => product.acc,
            Stmt::For {
                may_wrap: false,
                body,
                ..
            } => {
                let (before, product, after) = split(body)?;
                // Whatever leaves the loop, or an iteration, does so at its end.
                let mut leaves = false;
                Stmt::walk(before, &mut |stmt| leaves |= is_jump(stmt));
                let after = match after {
                    [after @ .., Stmt::Continue] => after,
                    _ => after,
                };
                Stmt::walk(after, &mut |stmt| leaves |= is_jump(stmt));
                let is_used = uses(before, product.acc) || uses(after, product.acc);
                if leaves || is_used {
                    return None;
                }
                product.acc
            }
            _ => return None,
        };
        let is_local = |param: &Param| matches!(param, Param::Local(local, _) if *local == buffer);
        (!self.kernel.params.iter().any(is_local)).then_some(buffer)
    }

    /// Changes the statements around one that adds to a buffer, and returns the place after it.
    fn change(&mut self, stmts: &mut Vec<Stmt>, mut place: usize, buffer: BufferId) -> usize {
        let count = match &stmts[place] {
            &Stmt::For {
                counter,
                lower,
                upper,
                step,
                ..
            } => Some(Count {
                counter,
                lower,
                upper,
                step,
            }),
            _ => None,
        };
        let fill = self.fill_before(&stmts[..place], buffer);
        let copy = fill.and_then(|_| self.copy_after(&stmts[place], &stmts[place + 1..], buffer));
        let copy = copy.map(|copy| place + 1 + copy);
        if fill.is_none() && copy.is_none() {
            return place + 1;
        }
        let mut before = Vec::new();
        // True if there is an iteration.
        let runs =
            count.map(|count| self.call(&mut before, Fun::Less, &[count.lower, count.upper]));
        let mut stored = None;
        if let Some(copy) = copy {
            let Stmt::Nest(nest) = stmts.remove(copy) else {
                unreachable!("it is a nest");
            };
            // What it needs does not depend on the loop.
            before.splice(0..0, stmts.drain(place + 1..copy));
            let (target, is_direct) = self.target(&mut before, &nest);
            let is_stored = match runs {
                Some(runs) => self.call(&mut before, Fun::And, &[runs, is_direct]),
                None => is_direct,
            };
            let is_left = self.call(&mut before, Fun::Not, &[is_stored]);
            stmts.insert(
                place + 1,
                Stmt::If {
                    condition: is_left,
                    then: vec![Stmt::Nest(nest)],
                    otherwise: Vec::new(),
                },
            );
            stored = Some((target, is_direct));
        }
        if let Some(fill) = fill {
            let nest = stmts.remove(fill);
            place -= 1;
            if let Some(runs) = runs {
                let is_left = self.call(&mut before, Fun::Not, &[runs]);
                before.push(Stmt::If {
                    condition: is_left,
                    then: vec![nest],
                    otherwise: Vec::new(),
                });
            }
        }
        let mut inside = Vec::new();
        let list = if count.is_some() {
            &mut inside
        } else {
            &mut before
        };
        let is_first = fill.map(|_| match count {
            Some(count) => self.call(list, Fun::Equal, &[count.counter, count.lower]),
            None => self.constant(list, Scalar::I1, 1),
        });
        let target = stored.map(|(target, is_direct)| {
            let is_last = count.map(|count| {
                let rest = self.wide(list, Fun::Sub, &[count.upper, count.counter]);
                let goes_on = self.call(list, Fun::Less, &[count.step, rest]);
                self.call(list, Fun::Not, &[goes_on])
            });
            let holds = match is_last {
                Some(is_last) => self.call(list, Fun::And, &[is_last, is_direct]),
                None => is_direct,
            };
            Target { holds, ..target }
        });
        match &mut stmts[place] {
            Stmt::For { body, .. } => {
                body.splice(0..0, inside);
                let product = body.iter_mut().find_map(|stmt| match stmt {
                    Stmt::Product(product) if product.acc == buffer => Some(product),
                    _ => None,
                });
                let product = product.expect("the loop has a product");
                (product.is_first, product.target) = (is_first, target);
            }
            Stmt::Product(product) => (product.is_first, product.target) = (is_first, target),
            _ => unreachable!("a product, or a loop around one"),
        }
        let next = place + before.len() + 1;
        stmts.splice(place..place, before);
        next
    }

    /// Returns the place of the nest that fills a buffer with zeros, if nothing between it and the end uses the buffer.
    fn fill_before(&self, stmts: &[Stmt], buffer: BufferId) -> Option<usize> {
        for (place, stmt) in stmts.iter().enumerate().rev() {
            if let Stmt::Nest(nest) = stmt
                && let [Inst::Constant(_, 0), Inst::Store(to, 0)] = &nest.insts[..]
                && let Some(filled) = whole(nest, to)
                && filled == buffer
                && self.count(buffer) == 1 << nest.bits
            {
                return Some(place);
            }
            if uses(std::slice::from_ref(stmt), buffer) {
                return None;
            }
        }
        None
    }

    /// Returns the place of the nest that copies the sums of a product to a tensor, if nothing but what it is computed from is
    /// before it, and nothing else uses them but what fills them.
    fn copy_after(&self, sums: &Stmt, stmts: &[Stmt], buffer: BufferId) -> Option<usize> {
        let product = match sums {
            Stmt::For { body, .. } => split(body)?.1,
            Stmt::Product(product) => product,
            _ => return None,
        };
        for (place, stmt) in stmts.iter().enumerate() {
            match stmt {
                Stmt::Let(_, Expr::Var(_) | Expr::Element(_)) => return None,
                Stmt::Let(..) | Stmt::FaultIf(..) => {}
                Stmt::Nest(nest) => {
                    let [Inst::Load(from, _), Inst::Store(to, 0)] = &nest.insts[..] else {
                        return None;
                    };
                    let Base::Memory(_, param) = to.base else {
                        return None;
                    };
                    let is_copied = whole(nest, from) == Some(buffer)
                        && from.scalar == to.scalar
                        && self.count(buffer) == 1 << nest.bits;
                    // Rows of the left operand may be read after sums were stored.
                    let is_apart = !accesses(std::slice::from_ref(sums), param);
                    let is_alone = self.uses.get(&buffer) == Some(&3);
                    let are_rows = product.batch == 1 && to.rows(product.m, product.n).is_some();
                    return (is_copied && is_apart && is_alone && are_rows).then_some(place);
                }
                _ => return None,
            }
        }
        None
    }

    /// Returns where a nest copies a buffer to, and whether a product may store its sums there: all of them are inside, and
    /// those of a row are neighbours.
    fn target(&mut self, list: &mut Vec<Stmt>, nest: &Nest) -> (Target, Val) {
        let [.., Inst::Store(place, _)] = &nest.insts[..] else {
            unreachable!("the nest copies");
        };
        let mut holds = self.constant(list, Scalar::I1, 1);
        for axis in &place.axes {
            let extent = axis.weights.iter().sum::<i64>() + 1;
            let is_column = axis.weights.first().is_some_and(|&weight| weight != 0);
            let stride = match axis.stride {
                Stride::Value(stride) if is_column => Some((stride, 1)),
                _ => None,
            };
            let from = axis.from.map(|from| (from, 0));
            let inside = axis.inside.map(|end| (end, extent));
            for (val, wanted) in [from, inside, stride].into_iter().flatten() {
                let wanted = self.constant(list, Scalar::I64, wanted.cast_unsigned());
                let is_wanted = self.call(list, Fun::Equal, &[val, wanted]);
                holds = self.call(list, Fun::And, &[holds, is_wanted]);
            }
        }
        let target = Target {
            holds,
            place: place.clone(),
        };
        (target, holds)
    }

    fn count(&self, buffer: BufferId) -> u64 {
        self.kernel.buffers[buffer.0 as usize].count
    }

    fn call(&mut self, list: &mut Vec<Stmt>, fun: Fun, args: &[Val]) -> Val {
        self.let_(list, Scalar::I1, Expr::Call(fun, args.to_vec()))
    }

    fn wide(&mut self, list: &mut Vec<Stmt>, fun: Fun, args: &[Val]) -> Val {
        self.let_(list, Scalar::I64, Expr::Call(fun, args.to_vec()))
    }

    fn constant(&mut self, list: &mut Vec<Stmt>, scalar: Scalar, bits: u64) -> Val {
        self.let_(list, scalar, Expr::Constant(bits))
    }

    fn let_(&mut self, list: &mut Vec<Stmt>, scalar: Scalar, expr: Expr) -> Val {
        self.kernel.vals.push(scalar);
        let val = Val(u32::try_from(self.kernel.vals.len() - 1).expect("few values"));
        list.push(Stmt::Let(val, expr));
        val
    }
}

/// Returns the only product of a list, with what is before and after it.
fn split(stmts: &[Stmt]) -> Option<(&[Stmt], &Product, &[Stmt])> {
    let is_product = |stmt: &Stmt| matches!(stmt, Stmt::Product(_));
    let place = stmts.iter().position(is_product)?;
    let Stmt::Product(product) = &stmts[place] else {
        return None;
    };
    let (before, after) = (&stmts[..place], &stmts[place + 1..]);
    let is_only = product.is_first.is_none() && product.target.is_none();
    is_only.then_some((before, product, after))
}

fn is_jump(stmt: &Stmt) -> bool {
    matches!(
        stmt,
        Stmt::Break | Stmt::Continue | Stmt::Return | Stmt::Loop(_)
    )
}

/// Returns `true` if statements use a buffer.
fn uses(stmts: &[Stmt], buffer: BufferId) -> bool {
    let mut is_used = false;
    Stmt::walk(stmts, &mut |stmt| is_used |= uses_it(stmt, buffer));
    is_used
}

/// Returns `true` if a statement, without those within it, uses a buffer.
fn uses_it(stmt: &Stmt, buffer: BufferId) -> bool {
    let is_it = |place: &Place| matches!(place.base, Base::Buffer(used, _) if used == buffer);
    match stmt {
        Stmt::Let(_, Expr::Element(used)) => *used == buffer,
        Stmt::Nest(nest) => nest.places().any(is_it),
        Stmt::Product(product) => {
            let mut places = product
                .groups
                .iter()
                .flat_map(|groups| groups.nest.places());
            [product.a, product.b, product.acc].contains(&buffer) || places.any(is_it)
        }
        _ => false,
    }
}

/// Returns `true` if statements access the memory of a parameter.
fn accesses(stmts: &[Stmt], param: u32) -> bool {
    let is_it = |place: &Place| matches!(place.base, Base::Memory(_, used) if used == param);
    let of_nest = |nest: &Nest| {
        let by_address = nest.insts.iter().any(|inst| match inst {
            Inst::Gather { param: used, .. }
            | Inst::Scatter { param: used, .. }
            | Inst::Atomic { param: used, .. } => *used == param,
            _ => false,
        });
        by_address || nest.places().any(is_it)
    };
    let mut is_accessed = false;
    Stmt::walk(stmts, &mut |stmt| {
        is_accessed |= match stmt {
            Stmt::Nest(nest) => of_nest(nest),
            Stmt::Product(product) => product.groups.iter().any(|groups| of_nest(&groups.nest)),
            _ => false,
        };
    });
    is_accessed
}

/// Returns the buffer at whose elements the place of each iteration is, in order.
fn whole(nest: &Nest, place: &Place) -> Option<BufferId> {
    let Base::Buffer(buffer, None) = place.base else {
        return None;
    };
    let [axis] = &place.axes[..] else {
        return None;
    };
    let is_identity = axis
        .weights
        .iter()
        .enumerate()
        .all(|(bit, &it)| it == 1 << bit);
    let is_whole = axis.from.is_none() && axis.inside.is_none();
    let is_plain = nest.axis.is_empty() && axis.stride == Stride::Constant(1);
    (is_identity && is_whole && is_plain).then_some(buffer)
}
