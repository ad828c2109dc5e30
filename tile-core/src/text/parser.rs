//! Parses values, regions and operations: the frame around the assembly formats.
//!
//! Errors are collected. After an error the parser skips to the next operation, and defines the
//! results of the broken operation with the error type, so that one mistake gives one message.

use super::alias::Aliases;
use super::cursor::Soft;
use super::debug::Pending;
pub(super) use super::draft::Draft;
use super::lexer::{Lexer, Token, TokenKind};
use super::scope::{Name, Scopes};
use super::{MAX_REGION_DEPTH, ParseOptions};
use super::{constant, control_flow, format, function, loop_dialect, ptx, reduce, view};
use crate::diag::{Code, Diagnostic};
use crate::ir::{BlockId, Loc, Module, OpId, RegionId, ValueId};
use crate::ops::{
    ControlFlowOp, CoreOp, Dialect, FloatOp, LoopOp, MemoryOp, MiscOp, Opcode, Rule, TestingOp,
    ViewOp,
};
use crate::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Indicates that an error was recorded and that the current operation is abandoned.
#[derive(Debug)]
pub(super) struct Failed;

/// The result of parsing.
pub(super) type Parse<T> = Result<T, Failed>;

/// The state of the parser.
pub(super) struct Parser<'s> {
    pub(super) lexer: Lexer<'s>,
    pub(super) token: Token<'s>,
    pub(super) module: Module,
    pub(super) scopes: Scopes<'s>,
    pub(super) errors: Vec<Diagnostic>,
    pub(super) options: ParseOptions,
    pub(super) aliases: Aliases<'s>,
    /// The location aliases that are not yet defined.
    pub(super) pending: Pending<'s>,
    /// The block to which operations are appended.
    pub(super) block: BlockId,
    /// The number of open modules.
    pub(super) modules: usize,
    /// The number of open regions.
    pub(super) depth: usize,
    /// The number of open attributes, types and locations.
    pub(super) nesting: usize,
    /// The number of open braces.
    pub(super) braces: usize,
    /// The open braces that do not belong to a region.
    pub(super) soft: Soft,
    /// Is `true` if a premature end of the file was reported.
    pub(super) end_reported: bool,
    /// Is `true` if the open region may have several blocks.
    pub(super) labels: bool,
    /// Is `true` if aliases and modules are allowed here.
    pub(super) top: bool,
    /// The types that have been parsed, by their text.
    pub(super) types: FxHashMap<&'s str, Type>,
    /// Written operand types that differ from the known types of the values. They are compared
    /// again once all values are defined.
    pub(super) written: Vec<(ValueId, Type, Loc)>,
}

/// A name on the left of `=`.
pub(super) struct ResultName<'s> {
    pub(super) name: &'s str,
    pub(super) count: usize,
    pub(super) loc: Loc,
}

/// An argument of a region: its name, type and location.
pub(super) type Argument<'s> = (&'s str, Type, Loc);

impl<'s> Parser<'s> {
    /// Makes a parser at the start of `source`.
    pub(super) fn new(source: &'s str, file_name: &str, options: ParseOptions) -> Self {
        let mut lexer = Lexer::new(source, file_name);
        let token = lexer.next();
        let module = Module::new(String::new());
        Self {
            lexer,
            token,
            block: module.body(),
            module,
            scopes: Scopes::default(),
            errors: Vec::new(),
            options,
            aliases: Aliases::default(),
            pending: Pending::default(),
            modules: 0,
            depth: 0,
            nesting: 0,
            braces: 0,
            soft: Soft::default(),
            end_reported: false,
            labels: false,
            top: true,
            types: FxHashMap::default(),
            written: Vec::new(),
        }
    }

    /// Replaces the placeholders of values that were used before their definition, and compares the
    /// written types with those of the values.
    pub(super) fn finish_values(&mut self) {
        if self.scopes.has_early_uses() {
            for op in self.module.walk(self.module.body()) {
                for operand in &mut self.module.op_mut(op).operands {
                    *operand = self.scopes.resolve(*operand);
                }
                self.infer_late(op);
            }
        }
        for (value, written, loc) in std::mem::take(&mut self.written) {
            let value = self.scopes.resolve(value);
            let actual = self.module.ty(value);
            if actual != written && !actual.is_error() && !written.is_error() {
                let defined = self.module.value(value).loc;
                self.report(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        loc,
                        format!("expected `{actual}`, found `{written}`"),
                    )
                    .label(defined, format!("the operand has type `{actual}`"))
                    .note("a type written for an operand is the type of that value"),
                );
            }
        }
    }

    /// Infers the types of the results of `id` from operands that were unknown when it was read.
    fn infer_late(&mut self, id: OpId) {
        let op = self.module.op(id);
        let def = op.def();
        let unknown: SmallVec<[(&str, ValueId); 2]> = def
            .results
            .iter()
            .zip(&op.results)
            .filter(|&(_, &result)| self.module.ty(result).is_error())
            .map(|(slot, &result)| (slot.name, result))
            .collect();
        for (name, result) in unknown {
            let op = self.module.op(id);
            let peers = def.operands.iter().enumerate().filter(|(_, slot)| {
                def.rules.iter().any(|rule| {
                    matches!(rule, Rule::SameType(slots)
                        if slots.contains(&name) && slots.contains(&slot.name))
                })
            });
            let types = peers.filter_map(|(index, _)| op.operands_at(index).first());
            let mut types = types.map(|&operand| self.module.ty(operand));
            if let Some(ty) = types.find(|ty| !ty.is_error()) {
                self.module.value_mut(result).ty = ty;
            } else if self.errors.is_empty() {
                let loc = op.loc;
                self.report(
                    Diagnostic::error(
                        Code::IrSyntax,
                        loc,
                        format!("the type of the result of `{}` is not known", def.mnemonic),
                    )
                    .note("it is that of an operand, which is defined further down"),
                );
            }
        }
    }

    pub(super) fn report_unknown(&mut self, unknown: Vec<(Name<'s>, Loc)>) {
        for ((name, number), loc) in unknown {
            let name = match number {
                0 => format!("%{name}"),
                _ => format!("%{name}#{number}"),
            };
            self.report(
                Diagnostic::error(Code::UnknownName, loc, format!("unknown value `{name}`"))
                    .note("a value is visible in the region that defines it and in regions inside"),
            );
        }
    }

    // Values.

    /// Parses a use of a value.
    pub(super) fn value(&mut self) -> Parse<ValueId> {
        let loc = self.loc();
        let name = self.value_name()?;
        if let Some(value) = self.scopes.find(name) {
            return Ok(value);
        }
        let placeholder = self.stand_in(loc);
        self.scopes.use_early(name, placeholder, loc);
        Ok(placeholder)
    }

    fn value_name(&mut self) -> Parse<Name<'s>> {
        let token = self.take(TokenKind::Value, "a value")?;
        if !self.eat("#") {
            return Ok((token.text, 0));
        }
        let number = self.small("number of a result")?;
        Ok((token.text, number))
    }

    /// Makes a value of the error type, which an operation outside the module defines.
    pub(super) fn stand_in(&mut self, loc: Loc) -> ValueId {
        let draft = Draft::new(MemoryOp::MakeToken.into(), loc);
        let op = self.module.add_op(draft.into_op());
        self.module.add_result(op, Type::error())
    }

    /// Records that `value` is written with type `ty` at `loc`.
    pub(super) fn check_type(&mut self, value: ValueId, ty: Type, loc: Loc) {
        if self.module.ty(value) != ty {
            self.written.push((value, ty, loc));
        }
    }

    /// Parses the type of `value`.
    pub(super) fn type_of(&mut self, value: ValueId) -> Parse<Type> {
        let loc = self.loc();
        let ty = self.parse_type()?;
        self.check_type(value, ty, loc);
        Ok(ty)
    }

    /// Parses the types of `values`, separated by commas.
    pub(super) fn types_of(&mut self, values: &[ValueId]) -> Parse<Vec<Type>> {
        let loc = self.loc();
        let types = self.comma_list(|parser| Ok((parser.loc(), parser.parse_type()?)))?;
        if types.len() != values.len() {
            return self.syntax(
                loc,
                format!("expected {} types, found {}", values.len(), types.len()),
            );
        }
        for (&value, &(loc, ty)) in values.iter().zip(&types) {
            self.check_type(value, ty, loc);
        }
        Ok(types.into_iter().map(|(_, ty)| ty).collect())
    }

    pub(super) fn define(&mut self, name: Name<'s>, value: ValueId, loc: Loc) {
        if let Some(first) = self.scopes.defined_at(name) {
            self.report(
                Diagnostic::error(
                    Code::IrSyntax,
                    loc,
                    format!("`%{}` is defined twice", name.0),
                )
                .label(first, "first defined here")
                .note("a name denotes one value, and no inner region may reuse it"),
            );
        }
        self.scopes.define(name, value, loc);
    }

    // Operations and regions.

    /// Parses operations up to `}`, a block label or the end.
    pub(super) fn operations(&mut self) {
        let top = std::mem::replace(&mut self.top, false);
        let mut names = Vec::new();
        while self.token.kind != TokenKind::End && !self.at("}") && !self.is_at_label() {
            self.one_operation(&mut names);
        }
        self.top = top;
    }

    /// Returns `true` at a block label, if labels are allowed.
    pub(super) fn is_at_label(&self) -> bool {
        self.labels && self.at("^")
    }

    /// Parses one operation, or skips other text up to the next one. `names` is a buffer for reuse.
    pub(super) fn one_operation(&mut self, names: &mut Vec<ResultName<'s>>) {
        let start = self.token.start;
        let braces = self.braces;
        let labels = self.labels;
        let nesting = self.nesting;
        names.clear();
        if self.operation(names).is_err() {
            self.nesting = nesting;
            self.labels = labels;
            self.define_broken(names);
            self.skip_to_operation(start, braces);
        }
    }

    fn operation(&mut self, names: &mut Vec<ResultName<'s>>) -> Parse<()> {
        if self.token.kind == TokenKind::Value {
            loop {
                let loc = self.loc();
                let name = self.take(TokenKind::Value, "a value")?.text;
                let mut count = 1;
                if self.eat(":") {
                    count = self.small("number of results")?;
                }
                names.push(ResultName { name, count, loc });
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("=")?;
        }
        let loc = self.loc();
        let op = match self.token.kind {
            TokenKind::Word => {
                let opcode = self.custom_opcode()?;
                let op = self.assembly(Draft::new(opcode, loc))?;
                // Here, a dictionary follows a region or a type. A dictionary in any other place is
                // parsed by the format.
                self.late_attr_dict(op)?;
                op
            }
            TokenKind::Str => self.generic_operation(loc)?,
            _ => return self.unexpected("an operation"),
        };
        if self.is_at_word("loc") {
            let stated = self.location()?;
            let op = self.module.op_mut(op);
            op.loc = stated.on(op.loc);
        }
        self.name_results(op, names, loc)
    }

    /// Parses the opcode of an operation in custom assembly.
    fn custom_opcode(&mut self) -> Parse<Opcode> {
        let loc = self.loc();
        let word = self.token.text;
        let help = match opcode(word) {
            Some(Opcode::Testing(TestingOp::Func)) if !self.options.allow_testing => {
                "operations of test builds need `--allow-testing`"
            }
            Some(opcode) => {
                self.bump();
                return Ok(opcode);
            }
            None if super::file::is_module(word) => {
                self.bump();
                return self.fail(
                    Diagnostic::error(Code::IrSyntax, loc, "a module inside of a module")
                        .note("modules are written side by side, or in a `module` of MLIR"),
                );
            }
            None if word.contains('.') && Dialect::from_name(word).is_none() => {
                "an operation of another dialect is written in generic form, \
                 `\"dialect.name\"(...) : (...) -> (...)`, and needs `--allow-unregistered-dialect`"
            }
            None => "",
        };
        let message = format!("unknown operation `{word}`");
        self.bump();
        let diagnostic = Diagnostic::error(Code::IrSyntax, loc, message);
        self.fail(match help {
            "" => diagnostic,
            help => diagnostic.help(help),
        })
    }

    fn assembly(&mut self, draft: Draft) -> Parse<OpId> {
        match draft.opcode {
            Opcode::Core(CoreOp::Constant) => constant::parse_constant(self, draft),
            Opcode::Core(CoreOp::Entry) | Opcode::Testing(TestingOp::Func) => {
                function::parse_function(self, draft)
            }
            Opcode::Core(CoreOp::Global) => constant::parse_global(self, draft),
            Opcode::Core(CoreOp::Reduce | CoreOp::Scan) => reduce::parse_reduce(self, draft),
            Opcode::ControlFlow(ControlFlowOp::For) => control_flow::parse_for(self, draft),
            Opcode::ControlFlow(ControlFlowOp::If) => control_flow::parse_if(self, draft),
            Opcode::ControlFlow(ControlFlowOp::Loop) => control_flow::parse_loop(self, draft),
            Opcode::LoopDialect(LoopOp::For) => loop_dialect::parse_for(self, draft),
            Opcode::LoopDialect(LoopOp::If) => loop_dialect::parse_if(self, draft),
            Opcode::LoopDialect(LoopOp::Parallel) => loop_dialect::parse_parallel(self, draft),
            Opcode::LoopDialect(LoopOp::Reduce) => loop_dialect::parse_reduce(self, draft),
            Opcode::Misc(MiscOp::Ptx | MiscOp::PtxPure) => ptx::parse_inline(self, draft),
            Opcode::View(ViewOp::GetIndexSpaceShape | ViewOp::GetTensorShape) => {
                view::parse_shape_query(self, draft)
            }
            Opcode::View(ViewOp::MakeTensorView) => view::parse_make_tensor_view(self, draft),
            Opcode::Core(CoreOp::Module) | Opcode::Unregistered(_) => {
                let name = draft.opcode.def().mnemonic;
                self.syntax(draft.loc, format!("`{name}` is not allowed here"))
            }
            _ => format::parse(self, draft),
        }
    }

    fn name_results(&mut self, op: OpId, names: &[ResultName<'s>], loc: Loc) -> Parse<()> {
        let results = &self.module.op(op).results;
        let named: usize = names
            .iter()
            .map(|name| name.count)
            .fold(0, usize::saturating_add);
        if !names.is_empty() && named != results.len() {
            let message = format!("expected {} result names, found {named}", results.len());
            return self.syntax(names.first().map_or(loc, |name| name.loc), message);
        }
        let mut results = results.clone().into_iter();
        for &ResultName { name, count, loc } in names {
            for (number, result) in (0..).zip(results.by_ref().take(count)) {
                if count == 1 {
                    self.set_name(result, name, name, loc);
                } else {
                    self.set_name(result, name, &format!("{name}_{number}"), loc);
                }
                self.define((name, number), result, loc);
            }
        }
        Ok(())
    }

    fn set_name(&mut self, value: ValueId, written: &str, label: &str, loc: Loc) {
        let entry = self.module.value_mut(value);
        entry.loc = loc;
        if !written.starts_with(|first: char| first.is_ascii_digit()) {
            entry.name = Some(label.into());
        }
    }

    /// Appends the operation to the current block. The rules of the row imply the result types that
    /// were not written.
    pub(super) fn create(&mut self, draft: Draft) -> OpId {
        let types = draft.result_types(&self.module);
        let op = self.module.add_op(draft.into_op());
        for ty in types {
            self.module.add_result(op, ty);
        }
        self.append(op);
        op
    }

    /// Appends a detached operation to the current block.
    pub(super) fn append(&mut self, op: OpId) {
        let end = self.module.block(self.block).ops.len();
        self.module.insert_op(self.block, end, op);
    }

    /// Parses `%name: type [{…}] [loc(…)]`, for a region. The attributes have no meaning and are
    /// dropped, as they are upstream.
    pub(super) fn argument(&mut self) -> Parse<Argument<'s>> {
        let mut loc = self.loc();
        let name = self.take(TokenKind::Value, "an argument")?.text;
        self.expect(":")?;
        let ty = self.parse_type()?;
        if self.at("{") {
            self.dictionary()?;
        }
        if self.is_at_word("loc") {
            loc = self.location()?.on(loc);
        }
        Ok((name, ty, loc))
    }

    /// Parses a region in braces, with one block. If the operation has an implicit terminator
    /// `terminator`, a block that does not end in a terminator gets that one, without operands.
    pub(super) fn region(
        &mut self,
        op: OpId,
        arguments: &[Argument<'s>],
        terminator: Option<Opcode>,
    ) -> Parse<()> {
        let region = self.open_region(op)?;
        let block = self.module.add_block(region);
        let outer = std::mem::replace(&mut self.block, block);
        let labels = std::mem::replace(&mut self.labels, false);
        self.block_arguments(block, arguments);
        self.operations();
        if let Some(terminator) = terminator {
            self.terminate(block, terminator);
        }
        self.labels = labels;
        self.block = outer;
        self.close_region(op);
        self.expect("}")
    }

    /// Parses the `{` of a region, and opens its scope.
    pub(super) fn open_region(&mut self, op: OpId) -> Parse<RegionId> {
        let open = self.loc();
        self.expect("{")?;
        if self.depth == MAX_REGION_DEPTH {
            let message = format!("regions nested deeper than {MAX_REGION_DEPTH}");
            return self.syntax(open, message);
        }
        self.depth += 1;
        if is_isolated(self.module.op(op).opcode) {
            self.scopes.open_isolated();
        } else {
            self.scopes.open();
        }
        Ok(self.module.add_region(op))
    }

    /// Closes the scope of a region.
    pub(super) fn close_region(&mut self, op: OpId) {
        if is_isolated(self.module.op(op).opcode) {
            let unknown = self.scopes.close_isolated();
            self.report_unknown(unknown);
        } else {
            self.scopes.close();
        }
        self.depth -= 1;
    }

    /// Adds arguments to `block`.
    pub(super) fn block_arguments(&mut self, block: BlockId, arguments: &[Argument<'s>]) {
        for &(name, ty, loc) in arguments {
            let value = self.module.add_block_arg(block, ty, loc);
            self.set_name(value, name, name, loc);
            self.define((name, 0), value, loc);
        }
    }

    fn terminate(&mut self, block: BlockId, terminator: Opcode) {
        let last = self.module.block(block).ops.last().copied();
        let ended = last.is_some_and(|op| self.module.op(op).def().is_terminator());
        if !ended {
            let loc = self.loc();
            self.create(Draft::new(terminator, loc));
        }
    }
}

/// Returns `true` if the regions of the operation cannot use values from outside.
fn is_isolated(opcode: Opcode) -> bool {
    opcode == CoreOp::Entry.into() || opcode == TestingOp::Func.into()
}

/// Returns the opcode for a name inside a module. The name has the prefix of its dialect, which is
/// optional for `cuda_tile`.
pub(super) fn opcode(word: &str) -> Option<Opcode> {
    let (dialect, mnemonic) = Dialect::from_name(word).unwrap_or((Dialect::CudaTile, word));
    match mnemonic {
        // `tileirdisasm` 13.4 prints `pow` under this name.
        "fpowf" => Some(FloatOp::Pow.into()),
        mnemonic => Opcode::from_mnemonic(mnemonic).filter(|&opcode| {
            opcode.dialect() == dialect
                && opcode != CoreOp::Module.into()
                && !opcode.is_unregistered()
        }),
    }
}
