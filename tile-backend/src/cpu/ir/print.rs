//! The loop IR as text, for dumps and file tests.

use std::fmt::{self, Write as _};

use tile_core::Module;
use tile_core::types::Scalar;

use super::{Base, Expr, Fun, Inst, Kernel, Nest, Place, Reduce, Stmt, Stride, Target, Unit, Val};

/// Returns the text of a kernel. Operations have the names of the tile IR of `module`.
pub(crate) fn to_text(kernel: &Kernel, module: &Module) -> String {
    let mut text = format!("kernel @{}\n", kernel.name);
    for (number, buffer) in kernel.buffers.iter().enumerate() {
        let _ = writeln!(
            text,
            "  buffer %b{number}: {} x {} at {}",
            buffer.count, buffer.scalar, buffer.offset
        );
    }
    let printer = Printer { kernel, module };
    printer
        .stmts(&mut text, &kernel.body, 1)
        .expect("a string takes any text");
    text
}

struct Printer<'k> {
    kernel: &'k Kernel,
    module: &'k Module,
}

impl Printer<'_> {
    fn fun(&self, fun: Fun) -> String {
        match fun {
            Fun::Op(id) => self.module.op(id).def().mnemonic.to_owned(),
            Fun::Truncate(scalar) => format!("truncate.{scalar}"),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    fn stmts(&self, text: &mut String, stmts: &[Stmt], depth: usize) -> fmt::Result {
        stmts
            .iter()
            .try_for_each(|stmt| self.stmt(text, stmt, depth))
    }

    fn stmt(&self, text: &mut String, stmt: &Stmt, depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        match stmt {
            Stmt::Let(val, expr) => {
                let scalar = self.kernel.vals[val.0 as usize];
                writeln!(
                    text,
                    "{indent}{} = {}: {scalar}",
                    name(*val),
                    self.expr(expr)
                )
            }
            Stmt::Set(var, val) => writeln!(text, "{indent}%x{} := {}", var.0, name(*val)),
            Stmt::Nest(nest) => self.nest(text, nest, depth),
            Stmt::Product(product) => {
                let super::Product {
                    batch,
                    m,
                    n,
                    k,
                    a,
                    groups,
                    b,
                    panel,
                    acc,
                    scalar,
                    operand,
                    signs,
                    unit,
                    demanded,
                    is_first,
                    target,
                } = product;
                writeln!(
                    text,
                    "{indent}product %b{} += %b{} * %b{}: {batch} x {m} x {n} x {k} {scalar} of {operand}, panels of {panel}",
                    acc.0, a.0, b.0
                )?;
                if *unit == Unit::Tiles {
                    writeln!(text, "{indent}  in tile registers")?;
                }
                if *operand == Scalar::I8 {
                    writeln!(text, "{indent}  signs: {signs:?}")?;
                }
                if let Some([rows, columns]) = demanded {
                    writeln!(
                        text,
                        "{indent}  of which {} rows and {} columns are demanded",
                        name(*rows),
                        name(*columns)
                    )?;
                }
                if let Some(is_first) = is_first {
                    writeln!(text, "{indent}  from zeros on if {}", name(*is_first))?;
                }
                if let Some(Target { holds, place }) = target {
                    let (place, holds) = (place_text(place), name(*holds));
                    writeln!(text, "{indent}  to {place} if {holds}")?;
                }
                let Some(groups) = groups else { return Ok(()) };
                writeln!(text, "{indent}  groups of {} rows", groups.rows)?;
                self.nest(text, &groups.nest, depth + 1)
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                writeln!(text, "{indent}if {}", name(*condition))?;
                self.stmts(text, then, depth + 1)?;
                writeln!(text, "{indent}else")?;
                self.stmts(text, otherwise, depth + 1)
            }
            Stmt::For {
                counter,
                lower,
                upper,
                step,
                is_signed,
                may_wrap: _,
                body,
            } => {
                let sign = if *is_signed { "" } else { " unsigned" };
                let [counter, lower, upper, step] =
                    [counter, lower, upper, step].map(|val| name(*val));
                writeln!(
                    text,
                    "{indent}for{sign} {counter} from {lower} to {upper} step {step}"
                )?;
                self.stmts(text, body, depth + 1)
            }
            Stmt::Loop(body) => {
                writeln!(text, "{indent}loop")?;
                self.stmts(text, body, depth + 1)
            }
            Stmt::Break => writeln!(text, "{indent}break"),
            Stmt::Continue => writeln!(text, "{indent}continue"),
            Stmt::Return => writeln!(text, "{indent}return"),
            Stmt::FaultIf(val, None) => writeln!(text, "{indent}fault if {}", name(*val)),
            Stmt::FaultIf(val, Some(never)) => {
                let (val, never) = (name(*val), name(*never));
                writeln!(text, "{indent}fault if {val} unless {never}")
            }
            Stmt::Fence => writeln!(text, "{indent}fence"),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Constant(bits) => format!("{bits:#x}"),
            Expr::Word(word) => format!("word {word}"),
            Expr::BlockId(axis) => format!("block_id {axis}"),
            Expr::GridDim(axis) => format!("grid_dim {axis}"),
            Expr::Call(fun, args) => {
                let args: Vec<String> = args.iter().map(|&arg| name(arg)).collect();
                format!("{}({})", self.fun(*fun), args.join(", "))
            }
            Expr::Element(buffer) => format!("element %b{}", buffer.0),
            Expr::Var(var) => format!("%x{}", var.0),
        }
    }

    fn nest(&self, text: &mut String, nest: &Nest, depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        write!(text, "{indent}nest 2^{}", nest.bits)?;
        if !nest.axis.is_empty() {
            let direction = if nest.is_reverse { " reversed" } else { "" };
            write!(text, " along bits {:?}{direction}", nest.axis)?;
        }
        writeln!(text)?;
        for (reg, inst) in nest.insts.iter().enumerate() {
            let line = self.inst(inst);
            match nest.scalar(reg, &self.kernel.vals) {
                Some(scalar) => writeln!(text, "{indent}  %{reg} = {line}: {scalar}")?,
                None => writeln!(text, "{indent}  {line}")?,
            }
        }
        Ok(())
    }

    fn inst(&self, inst: &Inst) -> String {
        match inst {
            Inst::Scalar(val) => name(*val),
            Inst::Constant(_, bits) => format!("{bits:#x}"),
            Inst::Table(_, bits, weights) => format!("table of {} at {}", bits.len(), sum(weights)),
            Inst::Position(_, weights) => format!("position {}", sum(weights)),
            Inst::Call(fun, args, _) => {
                let args: Vec<String> = args.iter().map(|arg| format!("%{arg}")).collect();
                format!("{}({})", self.fun(*fun), args.join(", "))
            }
            Inst::Load(place, padding) => {
                format!("load {}, padding {padding:#x}", place_text(place))
            }
            Inst::Store(place, value) => format!("store %{value} to {}", place_text(place)),
            Inst::Gather {
                op: _,
                is_shared,
                address,
                mask,
                padding,
                scalar: _,
                param,
                window,
            } => {
                let [mask, padding] = [mask, padding]
                    .map(|reg| reg.map_or("none".to_owned(), |reg| format!("%{reg}")));
                let window = window.as_ref().map_or(String::new(), |window| {
                    let place = place_text(&window.place);
                    format!(", if {} {place}", name(window.holds))
                });
                format!(
                    "{}gather %{address} in parameter {param}, mask {mask}, padding {padding}{window}",
                    shared(*is_shared)
                )
            }
            Inst::Scatter {
                op: _,
                is_shared,
                address,
                mask,
                value,
                param,
            } => {
                let mask = mask.map_or("none".to_owned(), |reg| format!("%{reg}"));
                format!(
                    "{}scatter %{value} to %{address} in parameter {param}, mask {mask}",
                    shared(*is_shared)
                )
            }
            Inst::Atomic {
                op: _,
                atomic,
                is_of_block,
                address,
                mask,
                args,
                scalar: _,
                param,
            } => {
                let mask = mask.map_or("none".to_owned(), |reg| format!("%{reg}"));
                let args: Vec<String> = args.iter().map(|arg| format!("%{arg}")).collect();
                format!(
                    "{}atomic {atomic:?} %{address} in parameter {param} with {}, mask {mask}",
                    if *is_of_block { "block " } else { "" },
                    args.join(", ")
                )
            }
            Inst::Assert(condition) => format!("assert %{condition}"),
            Inst::Reduce(reduce) => self.reduce("reduce", reduce),
            Inst::Scan(reduce) => self.reduce("scan", reduce),
        }
    }

    fn reduce(&self, kind: &str, reduce: &Reduce) -> String {
        let ops = &self.module.block(reduce.body).ops;
        let ops = ops.split_last().map_or(&[][..], |(_, ops)| ops);
        let body: Vec<&str> = ops
            .iter()
            .map(|&id| self.module.op(id).def().mnemonic)
            .collect();
        let values: Vec<String> = reduce
            .values
            .iter()
            .map(|value| format!("%{value}"))
            .collect();
        let places: Vec<String> = reduce.places.iter().map(place_text).collect();
        let order = format!("{:?}", reduce.order).to_lowercase();
        format!(
            "{kind} {order} {} by {} to {}",
            values.join(", "),
            body.join(", "),
            places.join(", ")
        )
    }
}

fn shared(is_shared: bool) -> &'static str {
    if is_shared { "shared " } else { "" }
}

fn name(val: Val) -> String {
    format!("%v{}", val.0)
}

/// Returns the bits of an iteration with their weights.
fn sum(weights: &[i64]) -> String {
    let terms: Vec<String> = weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| **weight != 0)
        .map(|(bit, weight)| format!("{bit}:{weight}"))
        .collect();
    format!("[{}]", terms.join(" "))
}

fn place_text(place: &Place) -> String {
    let base = match place.base {
        Base::Buffer(buffer, None) => format!("%b{}", buffer.0),
        Base::Buffer(buffer, Some(from)) => format!("%b{} from {}", buffer.0, name(from)),
        Base::Memory(address, param) => format!("{} in parameter {param}", name(address)),
    };
    let axes: Vec<String> = place
        .axes
        .iter()
        .map(|axis| {
            let stride = match axis.stride {
                Stride::Constant(stride) => stride.to_string(),
                Stride::Value(val) => name(val),
            };
            let from = axis
                .from
                .map_or(String::new(), |val| format!(" from {}", name(val)));
            let inside = axis
                .inside
                .map_or(String::new(), |val| format!(" below {}", name(val)));
            format!("{} * {stride}{from}{inside}", sum(&axis.weights))
        })
        .collect();
    format!("{base} at {}", axes.join(", "))
}
