//! Prints kernels.

use super::{Codec, Field, Optional, Value, header};
use crate::gpu::kernel::{BlockId, Kernel, OpId, Ty, ValueId};
use std::fmt::Write as _;

/// Returns the text of a kernel.
pub fn to_text(kernel: &Kernel) -> String {
    let mut printer = Printer {
        kernel,
        text: String::new(),
    };
    printer.kernel();
    printer.text
}

struct Printer<'k> {
    kernel: &'k Kernel,
    text: String,
}

impl Printer<'_> {
    /// Begins a line.
    fn indent(&mut self, depth: usize) {
        let _ = write!(self.text, "{:indent$}", "", indent = depth * 2);
    }

    /// Adds a line that declares something.
    fn declare(&mut self, name: &str, value: &impl Codec) {
        let _ = write!(self.text, "  {name} ");
        Value.print(value, &mut self.text);
        self.text.push('\n');
    }

    fn kernel(&mut self) {
        let kernel = self.kernel;
        self.text.push_str("kernel");
        kernel.name.print(&mut self.text);
        header::print(kernel, &mut self.text);
        self.text.push_str(" {\n");
        for (id, layout) in kernel.layouts() {
            self.declare(&format!("#{} =", id.index()), layout);
        }
        for id in kernel.buffer_ids() {
            let _ = write!(self.text, "  ${} = buffer", id.index());
            Value.print(kernel.buffer(id), &mut self.text);
            self.text.push('\n');
        }
        for variable in &kernel.variables {
            self.declare("variable =", variable);
        }
        for arena in &kernel.arenas {
            self.declare("arena =", arena);
        }
        for param in &kernel.params {
            self.declare(&format!("{} = param", value(param.value)), &param.kind);
        }
        for (number, map) in kernel.maps.iter().enumerate() {
            let _ = writeln!(self.text, "  !{number} = map {}", map.to_text());
        }
        self.block(kernel.body(), 1);
        self.text.push_str("}\n");
    }

    fn block(&mut self, block: BlockId, depth: usize) {
        for &op in &self.kernel.block(block).ops {
            self.op(op, depth);
        }
    }

    fn op(&mut self, id: OpId, depth: usize) {
        let kernel = self.kernel;
        let op = kernel.op(id);
        self.indent(depth);
        if !op.results.is_empty() {
            let _ = write!(self.text, "{} = ", values(&op.results));
        }
        op.kind.print(&mut self.text);
        let distance = kernel.requests.prefetch_distances.get(&id).copied();
        Optional("ahead").print(&distance, &mut self.text);
        Optional("token").print(&kernel.order.numbers.get(&id).copied(), &mut self.text);
        if !op.args.is_empty() {
            let _ = write!(self.text, " {}", values(&op.args));
        }
        if !op.results.is_empty() {
            let types: Vec<String> = op.results.iter().map(|&v| self.ty(v)).collect();
            let _ = write!(self.text, " : {}", types.join(", "));
        }
        for (index, &block) in op.blocks.iter().enumerate() {
            if index > 0 {
                self.indent(depth);
                self.text.push_str("} else");
            }
            let args = kernel.block(block).args.iter();
            let args = args.map(|&v| format!("{}: {}", value(v), self.ty(v)));
            let args = args.collect::<Vec<_>>().join(", ");
            if !args.is_empty() {
                let _ = write!(self.text, " ({args})");
            }
            self.text.push_str(" {\n");
            self.block(block, depth + 1);
        }
        if !op.blocks.is_empty() {
            self.indent(depth);
            self.text.push('}');
        }
        self.text.push('\n');
    }

    fn ty(&self, value: ValueId) -> String {
        match self.kernel.ty(value) {
            Ty::Uniform(scalar) => scalar.to_string(),
            Ty::Pointer(pointee) => format!("ptr<{pointee}>"),
            Ty::Distributed { element, layout } => {
                let shape = self.kernel.layout(layout).shape().sizes();
                let dims = dims_of(&shape);
                format!("{dims}{element} #{}", layout.index())
            }
        }
    }
}

fn value(id: ValueId) -> String {
    format!("%{}", id.index())
}

fn values(ids: &[ValueId]) -> String {
    let ids: Vec<String> = ids.iter().map(|&id| value(id)).collect();
    ids.join(", ")
}

/// Returns the sizes of a tile, each followed by `x`.
pub(super) fn dims_of(sizes: &[u64]) -> String {
    let sizes = sizes
        .iter()
        .flat_map(|size| [size.to_string(), "x".to_owned()]);
    sizes.collect()
}
