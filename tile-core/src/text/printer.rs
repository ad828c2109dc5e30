//! Prints modules.

use super::generic::Prefixed;
use super::locations::{LocationAliases, Names as _, write_string};
use super::names::Names;
use super::{
    MAX_REGION_DEPTH, PrintOptions, constant, control_flow, format, function, loop_dialect, ptx,
    reduce, view,
};
use crate::ir::{BlockId, DebugLoc, DiscardableAttr, Module, Op, OpId, ValueId};
use crate::ops::{
    ControlFlowOp, CoreOp, LoopOp, MiscOp, Opcode, TestingOp, UnregisteredOp, ViewOp,
};
use crate::types::Type;
use crate::verify::row_errors;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The output and the names of values.
pub(super) struct Printer<'m> {
    pub(super) module: &'m Module,
    pub(super) out: String,
    options: PrintOptions,
    names: Names,
    aliases: Option<&'m LocationAliases>,
    indent: usize,
    /// Is `true` if types have the prefix of the dialect.
    pub(super) prefix: bool,
    /// Is `true` once the attributes of the current operation that are not in its row have been
    /// printed.
    pub(super) dict_printed: bool,
    /// Operations whose regions were printed. An operation that occurs in several places would
    /// otherwise make the text exponential or endless.
    opened: FxHashSet<OpId>,
    /// Printed types, without and with prefix.
    types: FxHashMap<(Type, bool), Box<str>>,
}

/// Prints `modules` as one file.
pub(super) fn print(modules: &[&Module], options: PrintOptions) -> String {
    let names: Vec<Names> = modules
        .iter()
        .map(|module| Names::collect(module))
        .collect();
    let orders = names.iter().map(|names| &*names.order);
    // A file has one set of aliases.
    let aliases = options
        .debug_info
        .then(|| LocationAliases::collect(modules.iter().copied().zip(orders)));
    let mut out = String::new();
    if let Some(aliases) = &aliases {
        aliases.define(&mut out, true);
    }
    for (module, names) in modules.iter().zip(names) {
        let mut printer = Printer {
            module,
            out,
            options,
            names,
            aliases: aliases.as_ref(),
            indent: 0,
            prefix: false,
            dict_printed: false,
            opened: FxHashSet::default(),
            types: FxHashMap::default(),
        };
        if options.generic {
            printer.generic_module();
        } else {
            printer.custom_module();
        }
        printer.location(module.loc.debug());
        printer.out.push('\n');
        out = printer.out;
    }
    if let Some(aliases) = &aliases {
        aliases.define(&mut out, false);
    }
    out
}

impl Printer<'_> {
    fn custom_module(&mut self) {
        let module = self.module;
        self.out.push_str("cuda_tile.module ");
        self.symbol(&module.name);
        if module.producer.is_some() || !module.discardable.is_empty() {
            self.out.push_str(" attributes ");
            // The producer is printed among the other attributes, in alphabetical order.
            let mut attrs = module.discardable.clone();
            if let Some(producer) = &module.producer {
                let mut text = String::new();
                write_string(&mut text, producer).expect("strings do not fail");
                attrs.push(DiscardableAttr {
                    name: "producer".into(),
                    value: Some(text.into()),
                });
                attrs.sort_by(|a, b| a.name.cmp(&b.name));
            }
            self.dictionary(&attrs);
        }
        self.out.push_str(" {\n");
        self.operations(&module.block(module.body()).ops);
        self.out.push('}');
    }

    fn generic_module(&mut self) {
        let module = self.module;
        self.out.push_str("\"cuda_tile.module\"() <{");
        if let Some(producer) = &module.producer {
            self.out.push_str("producer = ");
            self.string(producer);
            self.out.push_str(", ");
        }
        self.out.push_str("sym_name = ");
        self.string(&module.name);
        self.out.push_str("}> ({\n");
        self.operations(&module.block(module.body()).ops);
        self.out.push_str("})");
        if !module.discardable.is_empty() {
            self.out.push(' ');
            self.dictionary(&module.discardable);
        }
        self.out.push_str(" : () -> ()");
    }

    /// Prints operations, one level deeper.
    pub(super) fn operations(&mut self, ops: &[OpId]) {
        self.indent += 1;
        for &op in ops {
            self.operation(op);
        }
        self.indent -= 1;
    }

    fn operation(&mut self, id: OpId) {
        let module = self.module;
        let op = module.op(id);
        self.line_start();
        if !op.results.is_empty() {
            self.values(&op.results);
            self.out.push_str(" = ");
        }
        let open =
            op.regions.is_empty() || (self.indent <= MAX_REGION_DEPTH && self.opened.insert(id));
        let mark = self.out.len();
        let custom = !self.options.generic && open && self.has_custom_form(id, op);
        if !custom || !self.custom(id, op) {
            self.out.truncate(mark);
            self.generic(op, open);
        }
        self.location(op.loc.debug());
        self.out.push('\n');
    }

    /// Prints the custom assembly; returns whether it expresses the whole operation.
    fn custom(&mut self, id: OpId, op: &Op) -> bool {
        self.out.push_str(op.def().mnemonic);
        let outer = std::mem::replace(&mut self.dict_printed, false);
        let mut printed = self.assembly(id, op).is_some();
        if printed && prints_dict_last(op) {
            self.attr_dict(op);
        }
        printed &= self.dict_printed || op.discardable.is_empty();
        self.dict_printed = outer;
        printed
    }

    /// Returns `true` if the operation fits its row and the custom assembly of its regions.
    fn has_custom_form(&self, id: OpId, op: &Op) -> bool {
        let module = self.module;
        if matches!(
            op.opcode,
            Opcode::Unregistered(UnregisteredOp::Op) | Opcode::Core(CoreOp::Module)
        ) || !row_errors(module, id).is_empty()
        {
            return false;
        }
        op.regions.iter().all(|&region| {
            let arguments = match module.region(region).blocks.as_slice() {
                [] => {
                    return matches!(
                        op.opcode,
                        Opcode::ControlFlow(ControlFlowOp::If) | Opcode::LoopDialect(LoopOp::If)
                    );
                }
                [block] => &module.block(*block).args,
                _ => return false,
            };
            match op.opcode {
                Opcode::ControlFlow(ControlFlowOp::If) | Opcode::LoopDialect(LoopOp::If) => {
                    arguments.is_empty()
                }
                // The custom forms of these operations write arguments without locations.
                Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop)
                | Opcode::LoopDialect(LoopOp::For | LoopOp::Parallel) => arguments
                    .iter()
                    .all(|&argument| self.stated(argument).is_none()),
                _ => true,
            }
        })
    }

    /// Returns the debug location of a block argument, if locations are printed.
    fn stated(&self, argument: ValueId) -> Option<DebugLoc> {
        let printed = self.options.debug_info;
        let argument = self.module.get_value(argument).filter(|_| printed);
        argument?.loc.debug()
    }

    /// Prints ` loc(#alias)`, if locations are printed and there is one.
    fn location(&mut self, loc: Option<DebugLoc>) {
        let (Some(aliases), Some(loc)) = (&self.aliases, loc) else {
            return;
        };
        let alias = aliases.loc(loc).unwrap_or("unknown");
        write!(self.out, " loc(#{alias})").expect("strings do not fail");
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
            Opcode::LoopDialect(LoopOp::For) => loop_dialect::print_for(self, id, op),
            Opcode::LoopDialect(LoopOp::If) => loop_dialect::print_if(self, op),
            Opcode::LoopDialect(LoopOp::Parallel) => loop_dialect::print_parallel(self, id, op),
            Opcode::LoopDialect(LoopOp::Reduce) => loop_dialect::print_reduce(self, id, op),
            Opcode::Misc(MiscOp::Ptx | MiscOp::PtxPure) => ptx::print_inline(self, op),
            Opcode::View(ViewOp::GetIndexSpaceShape | ViewOp::GetTensorShape) => {
                view::print_shape_query(self, op)
            }
            Opcode::View(ViewOp::MakeTensorView) => view::print_make_tensor_view(self, op),
            Opcode::Core(CoreOp::Module) | Opcode::Unregistered(_) => None,
            _ => format::print(self, op),
        }
    }

    /// Prints ` { … }` with the operations of `block`. Omits the terminator if its opcode is
    /// `implicit` and it has no operands, attributes or location.
    pub(super) fn block(&mut self, block: BlockId, implicit: Option<Opcode>) {
        let module = self.module;
        self.out.push_str(" {\n");
        let mut ops = module.block(block).ops.as_slice();
        if let (Some(implicit), Some((&last, before))) = (implicit, ops.split_last()) {
            let Op {
                opcode,
                operands,
                discardable,
                loc,
                ..
            } = module.op(last);
            let stated = self.options.debug_info && loc.debug().is_some();
            let is_bare = operands.is_empty() && discardable.is_empty() && !stated;
            // The parser adds the terminator only to a block that does not end in one.
            let ended = before
                .last()
                .is_some_and(|&op| module.op(op).def().is_terminator());
            if *opcode == implicit && is_bare && !ended {
                ops = before;
            }
        }
        self.operations(ops);
        self.line_start();
        self.out.push('}');
    }

    /// Returns `true` if the block ends in a terminator. If it does not, the parser of a custom
    /// form would add one.
    pub(super) fn is_terminated(&self, block: BlockId) -> bool {
        let ops = &self.module.block(block).ops;
        ops.last()
            .is_some_and(|&op| self.module.op(op).def().is_terminator())
    }

    /// Returns `true` if the values have pairwise the same types.
    pub(super) fn same_types(&self, left: &[ValueId], right: &[ValueId]) -> bool {
        let ty = |value: &ValueId| self.module.ty(*value);
        left.len() == right.len() && left.iter().map(ty).eq(right.iter().map(ty))
    }

    /// Prints the indentation of a line.
    pub(super) fn line_start(&mut self) {
        const BLANKS: &str = "                                ";
        let mut left = 2 * self.indent;
        while left > 0 {
            let some = left.min(BLANKS.len());
            self.out.push_str(&BLANKS[..some]);
            left -= some;
        }
    }

    /// Prints a space and `text`.
    pub(super) fn space(&mut self, text: &str) {
        self.out.push(' ');
        self.out.push_str(text);
    }

    /// Prints a space and the values, separated by commas; nothing if there are none.
    pub(super) fn space_values(&mut self, values: &[ValueId]) {
        if !values.is_empty() {
            self.out.push(' ');
            self.values(values);
        }
    }

    /// Prints a space and the types of the values; nothing if there are none.
    pub(super) fn space_types(&mut self, values: &[ValueId]) {
        if !values.is_empty() {
            self.out.push(' ');
            self.types(values);
        }
    }

    /// Prints values, separated by commas.
    pub(super) fn values(&mut self, values: &[ValueId]) {
        for (index, &value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.value(value);
        }
    }

    /// Prints one value.
    pub(super) fn value(&mut self, value: ValueId) {
        self.names.print(&mut self.out, value);
    }

    /// Prints the types of values, separated by commas.
    pub(super) fn types(&mut self, values: &[ValueId]) {
        for (index, &value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.ty(value);
        }
    }

    /// Prints the type of a value.
    pub(super) fn ty(&mut self, value: ValueId) {
        if let Some(value) = self.module.get_value(value) {
            self.write_type(value.ty);
        }
    }

    /// Prints a type.
    pub(super) fn write_type(&mut self, ty: Type) {
        let text = self.types.entry((ty, self.prefix)).or_insert_with(|| {
            let text = if self.prefix {
                Prefixed(ty).to_string()
            } else {
                ty.to_string()
            };
            text.into()
        });
        self.out.push_str(text);
    }

    /// Prints `(%a: T, …)`.
    pub(super) fn arguments(&mut self, values: &[ValueId]) {
        self.out.push('(');
        for (index, &value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.value(value);
            self.out.push_str(": ");
            self.ty(value);
            self.location(self.stated(value));
        }
        self.out.push(')');
    }

    /// Prints a quoted string with MLIR's escapes.
    pub(super) fn string(&mut self, text: &str) {
        write_string(&mut self.out, text).expect("strings do not fail");
    }

    /// Prints `@name`, in quotes if the name is not an identifier.
    pub(super) fn symbol(&mut self, name: &str) {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
        let starts = |first: char| first.is_ascii_alphabetic() || first == '_';
        self.out.push('@');
        if name.bytes().all(legal) && name.starts_with(starts) {
            self.out.push_str(name);
        } else {
            self.string(name);
        }
    }
}

/// Returns `true` if attributes that are not in the row are printed at the end.
fn prints_dict_last(op: &Op) -> bool {
    !op.regions.is_empty() || matches!(op.opcode, Opcode::Core(CoreOp::Constant | CoreOp::Global))
}
