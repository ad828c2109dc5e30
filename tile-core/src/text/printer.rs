//! A module to text.

use super::{MAX_REGION_DEPTH, constant, control_flow, format, function, reduce, view};
use crate::ir::{BlockId, Module, Op, OpId, ValueId};
use crate::ops::{ControlFlowOp, CoreOp, Opcode, TestingOp, ViewOp};
use crate::verify::row_faults;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use std::sync::Arc;

/// Output and the names of values.
pub(super) struct Printer<'m> {
    pub(super) module: &'m Module,
    pub(super) out: String,
    names: Vec<Option<Arc<str>>>,
    indent: usize,
}

/// The text of `module`.
pub(super) fn print(module: &Module) -> String {
    let mut printer = Printer {
        module,
        out: String::new(),
        names: name_values(module),
        indent: 0,
    };
    printer.module();
    printer.out
}

impl Printer<'_> {
    fn module(&mut self) {
        let module = self.module;
        write!(self.out, "cuda_tile.module @{}", module.name).expect("strings do not fail");
        if let Some(producer) = &module.producer {
            self.out.push_str(" attributes {producer = ");
            self.string(producer);
            self.out.push('}');
        }
        self.out.push_str(" {\n");
        self.indent = 1;
        for &op in &module.block(module.body()).ops {
            self.operation(op);
        }
        self.out.push_str("}\n");
    }

    fn operation(&mut self, id: OpId) {
        let module = self.module;
        let op = module.op(id);
        self.line_start();
        if !op.results.is_empty() {
            self.values(&op.results);
            self.out.push_str(" = ");
        }
        let mark = self.out.len();
        self.out.push_str(op.def().mnemonic);
        let fits = row_faults(module, id).is_empty() && self.indent <= MAX_REGION_DEPTH;
        if !fits || self.assembly(id, op).is_none() {
            self.out.truncate(mark);
            self.generic(op);
        }
        self.out.push('\n');
    }

    fn assembly(&mut self, id: OpId, op: &Op) -> Option<()> {
        match op.opcode {
            Opcode::Core(CoreOp::Constant) => constant::print_constant(self, op),
            Opcode::Core(CoreOp::Entry) | Opcode::Testing(TestingOp::Func) => {
                function::print_function(self, id, op)
            }
            Opcode::Core(CoreOp::Global) => constant::print_global(self, op),
            Opcode::Core(CoreOp::Reduce | CoreOp::Scan) => reduce::print_reduce(self, id, op),
            Opcode::ControlFlow(ControlFlowOp::For) => control_flow::print_for(self, id, op),
            Opcode::ControlFlow(ControlFlowOp::If) => control_flow::print_if(self, op),
            Opcode::ControlFlow(ControlFlowOp::Loop) => control_flow::print_loop(self, id, op),
            Opcode::View(ViewOp::GetIndexSpaceShape | ViewOp::GetTensorShape) => {
                view::print_shape_query(self, op)
            }
            Opcode::View(ViewOp::MakeTensorView) => view::print_make_tensor_view(self, op),
            Opcode::Core(CoreOp::Module) | Opcode::Unregistered(_) => None,
            _ => format::print(self, op),
        }
    }

    /// A form for operations that do not fit their row; does not parse, and
    /// leaves out the bodies of regions.
    fn generic(&mut self, op: &Op) {
        write!(self.out, "\"cuda_tile.{}\"(", op.def().mnemonic).expect("strings do not fail");
        self.values(&op.operands);
        self.out.push(')');
        for (slot, attr) in op.def().attrs.iter().zip(&op.attrs) {
            if let Some(attr) = attr {
                write!(self.out, " {}={attr:?}", slot.name).expect("strings do not fail");
            }
        }
        for _ in &op.regions {
            self.out.push_str(" { … }");
        }
        self.out.push_str(" :");
        self.space_types(&op.results);
    }

    /// ` { … }` with the operations of `block`. A terminator `implicit` without
    /// operands is left out.
    pub(super) fn block(&mut self, block: BlockId, implicit: Option<ControlFlowOp>) {
        let module = self.module;
        self.out.push_str(" {\n");
        self.indent += 1;
        let ops = &module.block(block).ops;
        for (at, &op) in ops.iter().enumerate() {
            let Op {
                opcode, operands, ..
            } = module.op(op);
            let elided = at + 1 == ops.len()
                && operands.is_empty()
                && implicit.is_some_and(|implicit| *opcode == implicit.into());
            if !elided {
                self.operation(op);
            }
        }
        self.indent -= 1;
        self.line_start();
        self.out.push('}');
    }

    fn line_start(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    /// A blank and `text`.
    pub(super) fn space(&mut self, text: &str) {
        self.out.push(' ');
        self.out.push_str(text);
    }

    /// A blank and the values, separated by commas; nothing if there are none.
    pub(super) fn space_values(&mut self, values: &[ValueId]) {
        if !values.is_empty() {
            self.out.push(' ');
            self.values(values);
        }
    }

    /// A blank and the types of the values; nothing if there are none.
    pub(super) fn space_types(&mut self, values: &[ValueId]) {
        if !values.is_empty() {
            self.out.push(' ');
            self.types(values);
        }
    }

    /// Values, separated by commas.
    pub(super) fn values(&mut self, values: &[ValueId]) {
        for (at, &value) in values.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.value(value);
        }
    }

    /// One value.
    pub(super) fn value(&mut self, value: ValueId) {
        self.out.push('%');
        match self.names.get(value.index()).and_then(Option::as_ref) {
            Some(name) => self.out.push_str(name),
            None => self.out.push_str("<unknown>"),
        }
    }

    /// Types of values, separated by commas.
    pub(super) fn types(&mut self, values: &[ValueId]) {
        for (at, &value) in values.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.ty(value);
        }
    }

    /// The type of a value.
    pub(super) fn ty(&mut self, value: ValueId) {
        if value.index() < self.module.num_values() {
            write!(self.out, "{}", self.module.ty(value)).expect("strings do not fail");
        }
    }

    /// `(%a: T, …)`
    pub(super) fn arguments(&mut self, values: &[ValueId]) {
        self.out.push('(');
        for (at, &value) in values.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.value(value);
            self.out.push_str(": ");
            self.ty(value);
        }
        self.out.push(')');
    }

    /// A quoted string with MLIR's escapes.
    pub(super) fn string(&mut self, text: &str) {
        self.out.push('"');
        for byte in text.bytes() {
            match byte {
                b'\\' => self.out.push_str("\\\\"),
                b' '..=b'~' if byte != b'"' => self.out.push(char::from(byte)),
                _ => write!(self.out, "\\{byte:02X}").expect("strings do not fail"),
            }
        }
        self.out.push('"');
    }
}

/// The name of every value that is defined somewhere in the module: its own
/// where that is legal and not taken, else the next number of its entry.
fn name_values(module: &Module) -> Vec<Option<Arc<str>>> {
    let mut namer = Namer {
        module,
        names: vec![None; module.num_values()],
        visible: FxHashSet::default(),
        next: 0,
    };
    for &op in &module.block(module.body()).ops {
        namer.next = 0;
        namer.visible.clear();
        namer.operation(op, 0);
    }
    namer.names
}

struct Namer<'m> {
    module: &'m Module,
    names: Vec<Option<Arc<str>>>,
    visible: FxHashSet<Arc<str>>,
    next: usize,
}

impl Namer<'_> {
    fn operation(&mut self, id: OpId, depth: usize) {
        let module = self.module;
        let op = module.op(id);
        for &result in &op.results {
            self.define(result);
        }
        if depth > MAX_REGION_DEPTH {
            return;
        }
        for (at, &region) in op.regions.iter().enumerate() {
            // A region that is listed twice or owned by another operation would
            // make this walk exponential or endless.
            if module.region(region).parent != Some(id) || op.regions[..at].contains(&region) {
                continue;
            }
            let outer = self.visible.clone();
            for &block in &module.region(region).blocks {
                for &argument in &module.block(block).args {
                    self.define(argument);
                }
                for &op in &module.block(block).ops {
                    self.operation(op, depth + 1);
                }
            }
            self.visible = outer;
        }
    }

    fn define(&mut self, value: ValueId) {
        if value.index() >= self.names.len() {
            return;
        }
        let wanted = self.module.value(value).name.clone();
        let free = wanted.filter(|name| is_legal(name) && !self.visible.contains(name));
        let name = free.unwrap_or_else(|| {
            self.next += 1;
            (self.next - 1).to_string().into()
        });
        self.visible.insert(name.clone());
        self.names[value.index()] = Some(name);
    }
}

/// Whether the lexer reads `name` as one name.
fn is_legal(name: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let parts_are_words = name
        .split('-')
        .all(|part| !part.is_empty() && part.bytes().all(legal));
    parts_are_words && !name.starts_with(|first: char| first.is_ascii_digit())
}
