//! Modules, blocks and operations: the frame around the assembly formats.
//!
//! Errors are collected; after one the parser skips to the next operation and
//! defines the results of the broken one with the error type, so that one
//! mistake gives one message.

use super::MAX_REGION_DEPTH;
use super::lexer::{Lexer, Token, TokenKind};
use super::scope::{Name, Scopes};
use super::{ParseOptions, constant, control_flow, format, function, reduce, view};
use crate::build::default_value;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, BlockId, Loc, Module, Op, OpId, ValueId};
use crate::ops::{
    ControlFlowOp, CoreOp, FloatOp, MemoryOp, OpDef, Opcode, Presence, Rule, TestingOp, ViewOp,
};
use crate::types::Type;
use smallvec::SmallVec;

/// An error was recorded; the operation at hand is given up.
#[derive(Debug)]
pub(super) struct Failed;

/// The outcome of parsing something.
pub(super) type Parse<T> = Result<T, Failed>;

/// The state of parsing.
pub(super) struct Parser<'s> {
    pub(super) options: ParseOptions,
    pub(super) lexer: Lexer<'s>,
    pub(super) token: Token<'s>,
    pub(super) module: Module,
    pub(super) scopes: Scopes<'s>,
    pub(super) errors: Vec<Diagnostic>,
    block: BlockId,
    depth: usize,
    /// Written types of operands, compared once all values are known.
    written: Vec<(ValueId, Type, Loc)>,
}

/// An operation while its assembly is read.
pub(super) struct Draft {
    pub(super) opcode: Opcode,
    pub(super) loc: Loc,
    /// Values per operand slot.
    pub(super) operands: Vec<Vec<ValueId>>,
    /// Values per attribute slot.
    pub(super) attrs: SmallVec<[Option<Attr>; 2]>,
    /// Types per result slot, where they are known.
    pub(super) results: Vec<Option<Vec<Type>>>,
}

/// Names on the left of `=`.
struct ResultName<'s> {
    name: &'s str,
    count: usize,
    loc: Loc,
}

/// An argument of a region: its name, type and place.
pub(super) type Argument<'s> = (&'s str, Type, Loc);

/// The module in `source` and all errors, in order of their place.
pub(super) fn parse(
    source: &str,
    file_name: &str,
    options: ParseOptions,
) -> (Module, Vec<Diagnostic>) {
    let mut lexer = Lexer::new(source, file_name);
    let token = lexer.next();
    // tileirdisasm names every module it reads so.
    let module = Module::new("kernels");
    let block = module.body();
    let mut parser = Parser {
        options,
        lexer,
        token,
        module,
        scopes: Scopes::default(),
        errors: Vec::new(),
        block,
        depth: 0,
        written: Vec::new(),
    };
    parser.scopes.open_isolated();
    parser.module();
    let unknown = parser.scopes.close_isolated();
    parser.report_unknown(unknown);
    parser.finish()
}

impl<'s> Parser<'s> {
    fn module(&mut self) {
        let braced = self.at_word("cuda_tile.module") || self.at_word("module");
        if braced && self.module_header().is_err() {
            return;
        }
        self.operations();
        if braced && self.expect("}").is_err() {
            return;
        }
        while self.token.kind != TokenKind::End {
            // A stray closing brace, or text after the module.
            let _ = self.unexpected::<()>("the end of the file");
            self.bump();
            if braced {
                return;
            }
            self.operations();
        }
    }

    fn module_header(&mut self) -> Parse<()> {
        self.bump();
        let name = self.take(TokenKind::Symbol, "the module's name")?;
        self.module.name = name.text.to_owned();
        if self.eat_word("attributes") {
            self.expect("{")?;
            self.keyword("producer")?;
            self.expect("=")?;
            self.module.producer = Some(self.string()?);
            self.expect("}")?;
        }
        self.expect("{")
    }

    fn finish(mut self) -> (Module, Vec<Diagnostic>) {
        if self.scopes.has_early_uses() {
            for op in self.module.walk(self.module.body()) {
                let operands: Vec<ValueId> = self.module.op(op).operands.to_vec();
                for (at, operand) in operands.into_iter().enumerate() {
                    self.module.op_mut(op).operands[at] = self.scopes.resolve(operand);
                }
            }
        }
        for (value, written, loc) in std::mem::take(&mut self.written) {
            let value = self.scopes.resolve(value);
            let found = self.module.ty(value);
            if found != written && !found.is_error() && !written.is_error() {
                let defined = self.module.value(value).loc;
                self.errors.push(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        loc,
                        format!("expected `{found}`, found `{written}`"),
                    )
                    .label(defined, format!("the operand has type `{found}`"))
                    .note("a type written for an operand is the type of that value"),
                );
            }
        }
        self.errors
            .sort_by_key(|error| (error.primary.loc.line(), error.primary.loc.column()));
        (self.module, self.errors)
    }

    fn report_unknown(&mut self, unknown: Vec<(Name<'s>, Loc)>) {
        for ((name, number), loc) in unknown {
            let name = match number {
                0 => format!("%{name}"),
                _ => format!("%{name}#{number}"),
            };
            self.errors.push(
                Diagnostic::error(Code::UnknownName, loc, format!("unknown value `{name}`"))
                    .note("a value is visible in the region that defines it and in regions inside"),
            );
        }
    }

    // Values.

    /// A use of a value.
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

    /// A value of the error type, defined by an operation outside the module.
    fn stand_in(&mut self, loc: Loc) -> ValueId {
        let draft = Draft::new(MemoryOp::MakeToken.into(), loc);
        let op = self.module.add_op(draft.into_op());
        self.module.add_result(op, Type::error())
    }

    /// Remembers that `value` is written with type `ty` at `loc`.
    pub(super) fn check_type(&mut self, value: ValueId, ty: Type, loc: Loc) {
        self.written.push((value, ty, loc));
    }

    /// Reads the type of `value`.
    pub(super) fn type_of(&mut self, value: ValueId) -> Parse<Type> {
        let loc = self.loc();
        let ty = self.parse_type()?;
        self.check_type(value, ty, loc);
        Ok(ty)
    }

    /// Reads the types of `values`, separated by commas.
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

    fn define(&mut self, name: Name<'s>, value: ValueId, loc: Loc) {
        if let Some(first) = self.scopes.defined_at(name) {
            self.errors.push(
                Diagnostic::error(
                    Code::IrSyntax,
                    loc,
                    format!("`%{}` is defined twice", name.0),
                )
                .label(first, "first defined here")
                .note("a name stands for one value, and no inner region may reuse it"),
            );
        }
        self.scopes.define(name, value, loc);
    }

    // Operations and regions.

    /// Operations up to `}` or the end.
    fn operations(&mut self) {
        while self.token.kind != TokenKind::End && !self.at("}") {
            let start = self.token.start;
            let mut names = Vec::new();
            if self.operation(&mut names).is_err() {
                self.define_broken(&names);
                self.skip_to_operation(start);
            }
        }
    }

    fn define_broken(&mut self, names: &[ResultName<'s>]) {
        for &ResultName { name, count, loc } in names {
            for number in 0..count.min(1 << 10) {
                let number = u32::try_from(number).expect("bounded just above");
                if self.scopes.defined_at((name, number)).is_none() {
                    let value = self.stand_in(loc);
                    self.scopes.define((name, number), value, loc);
                }
            }
        }
    }

    /// Skips to the first token of a line that can start an operation, passing
    /// over whole regions, or to the `}` that ends this one.
    fn skip_to_operation(&mut self, start: usize) {
        if self.token.start == start && !self.at("{") {
            self.bump();
        }
        let mut nested = 0usize;
        loop {
            match self.token.kind {
                TokenKind::End => return,
                TokenKind::Punct if self.token.text == "{" => nested += 1,
                TokenKind::Punct if self.token.text == "}" => {
                    if nested == 0 {
                        return;
                    }
                    nested -= 1;
                }
                TokenKind::Value | TokenKind::Word if nested == 0 && self.starts_operation() => {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Whether the current token is the first of its line.
    pub(super) fn starts_line(&self) -> bool {
        self.lexer.is_first_of_line(self.token.start)
    }

    fn starts_operation(&self) -> bool {
        self.starts_line()
            && (self.token.kind == TokenKind::Value || opcode(self.token.text).is_some())
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
        if self.token.kind != TokenKind::Word {
            return self.unexpected("an operation");
        }
        let Some(opcode) = opcode(self.token.text) else {
            let message = format!("unknown operation `{}`", self.token.text);
            self.bump();
            return self.syntax(loc, message);
        };
        self.bump();
        let op = self.assembly(Draft::new(opcode, loc))?;
        self.name_results(op, names, loc)
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
            Opcode::View(ViewOp::GetIndexSpaceShape | ViewOp::GetTensorShape) => {
                view::parse_shape_query(self, draft)
            }
            Opcode::View(ViewOp::MakeTensorView) => view::parse_make_tensor_view(self, draft),
            Opcode::Core(CoreOp::Module) | Opcode::Unregistered(_) => {
                let name = draft.opcode.def().mnemonic;
                self.syntax(draft.loc, format!("`{name}` cannot stand here"))
            }
            _ => format::parse(self, draft),
        }
    }

    fn name_results(&mut self, op: OpId, names: &[ResultName<'s>], loc: Loc) -> Parse<()> {
        let results = self.module.op(op).results.clone();
        let named: usize = names
            .iter()
            .map(|name| name.count)
            .fold(0, usize::saturating_add);
        if !names.is_empty() && named != results.len() {
            let message = format!("expected {} result names, found {named}", results.len());
            return self.syntax(names.first().map_or(loc, |name| name.loc), message);
        }
        let mut results = results.into_iter();
        for &ResultName { name, count, loc } in names {
            for (number, result) in (0..).zip(results.by_ref().take(count)) {
                let label = match count {
                    1 => name.to_owned(),
                    _ => format!("{name}_{number}"),
                };
                self.set_name(result, name, label, loc);
                self.define((name, number), result, loc);
            }
        }
        Ok(())
    }

    fn set_name(&mut self, value: ValueId, written: &str, label: String, loc: Loc) {
        let entry = self.module.value_mut(value);
        entry.loc = loc;
        if !written.starts_with(|first: char| first.is_ascii_digit()) {
            entry.name = Some(label.into());
        }
    }

    /// Puts the operation at the end of the current block. The types of
    /// results that were not written follow from the row's rules.
    pub(super) fn create(&mut self, draft: Draft) -> OpId {
        let def = draft.opcode.def();
        let mut types = Vec::new();
        for (slot, written) in def.results.iter().zip(&draft.results) {
            match written {
                Some(written) => types.extend_from_slice(written),
                None => types.push(self.inferred(def, slot.name, &draft)),
            }
        }
        let op = self.module.add_op(draft.into_op());
        for ty in types {
            self.module.add_result(op, ty);
        }
        let end = self.module.block(self.block).ops.len();
        self.module.insert_op(self.block, end, op);
        op
    }

    fn inferred(&self, def: &OpDef, slot: &str, draft: &Draft) -> Type {
        let peers = def.rules.iter().find_map(|rule| match rule {
            Rule::SameType(slots) if slots.contains(&slot) => Some(*slots),
            _ => None,
        });
        let written = peers.unwrap_or_default().iter().find_map(|peer| {
            let at = def.results.iter().position(|slot| slot.name == *peer)?;
            draft.results[at].as_ref()?.first().copied()
        });
        let operand = || {
            peers.unwrap_or_default().iter().find_map(|peer| {
                let at = def.operands.iter().position(|slot| slot.name == *peer)?;
                draft.operands[at]
                    .first()
                    .map(|&value| self.module.ty(value))
            })
        };
        written.or_else(operand).unwrap_or_else(Type::error)
    }

    /// `%name: type`, for a region.
    pub(super) fn argument(&mut self) -> Parse<Argument<'s>> {
        let loc = self.loc();
        let name = self.take(TokenKind::Value, "an argument")?.text;
        self.expect(":")?;
        Ok((name, self.parse_type()?, loc))
    }

    /// A region in braces, with one block. A block without a terminator gets
    /// `terminator` without operands, if the operation has an implicit one.
    pub(super) fn region(
        &mut self,
        op: OpId,
        arguments: &[Argument<'s>],
        terminator: Option<ControlFlowOp>,
    ) -> Parse<()> {
        let open = self.loc();
        self.expect("{")?;
        if self.depth == MAX_REGION_DEPTH {
            let message = format!("regions nested deeper than {MAX_REGION_DEPTH}");
            return self.syntax(open, message);
        }
        let region = self.module.add_region(op);
        let block = self.module.add_block(region);
        let outer = std::mem::replace(&mut self.block, block);
        self.depth += 1;
        let isolated = matches!(
            self.module.op(op).opcode,
            Opcode::Core(CoreOp::Entry) | Opcode::Testing(TestingOp::Func)
        );
        if isolated {
            self.scopes.open_isolated();
        } else {
            self.scopes.open();
        }
        for &(name, ty, loc) in arguments {
            let value = self.module.add_block_arg(block, ty, loc);
            self.set_name(value, name, name.to_owned(), loc);
            self.define((name, 0), value, loc);
        }
        self.operations();
        if let Some(terminator) = terminator {
            self.terminate(block, terminator);
        }
        if isolated {
            let unknown = self.scopes.close_isolated();
            self.report_unknown(unknown);
        } else {
            self.scopes.close();
        }
        self.depth -= 1;
        self.block = outer;
        self.expect("}")
    }

    fn terminate(&mut self, block: BlockId, terminator: ControlFlowOp) {
        let last = self.module.block(block).ops.last().copied();
        let ended = last.is_some_and(|op| self.module.op(op).def().is_terminator());
        if !ended {
            let loc = self.loc();
            self.create(Draft::new(terminator.into(), loc));
        }
    }
}

impl Draft {
    /// Nothing but the opcode.
    pub(super) fn new(opcode: Opcode, loc: Loc) -> Self {
        let def = opcode.def();
        Self {
            opcode,
            loc,
            operands: vec![Vec::new(); def.operands.len()],
            attrs: def
                .attrs
                .iter()
                .map(|slot| match slot.presence {
                    Presence::Default(number) => Some(default_value(slot.kind, number)),
                    Presence::Required | Presence::Optional | Presence::AllFalse => None,
                })
                .collect(),
            results: vec![None; def.results.len()],
        }
    }

    /// Sets the attribute `name`.
    pub(super) fn set(&mut self, name: &str, value: Attr) {
        let slots = self.opcode.def().attrs;
        let at = slots.iter().position(|slot| slot.name == name);
        self.attrs[at.expect("the assembly names slots of the row")] = Some(value);
    }

    fn into_op(self) -> Op {
        let segments = self.operands.iter();
        Op {
            opcode: self.opcode,
            segments: segments
                .map(|values| u32::try_from(values.len()).expect("fewer values than bytes"))
                .collect(),
            operands: self.operands.into_iter().flatten().collect(),
            results: SmallVec::new(),
            attrs: self.attrs,
            discardable: Vec::new(),
            regions: SmallVec::new(),
            parent: None,
            loc: self.loc,
        }
    }
}

fn opcode(word: &str) -> Option<Opcode> {
    match word.strip_prefix("cuda_tile.").unwrap_or(word) {
        // The name of `pow` in tileirdisasm 13.4.
        "fpowf" => Some(FloatOp::Pow.into()),
        mnemonic => Opcode::from_mnemonic(mnemonic),
    }
}
