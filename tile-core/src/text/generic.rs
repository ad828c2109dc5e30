//! Parses and prints MLIR's generic form of operations:
//! `"name"(operands) <{properties}> ({regions}) {attributes} : (types) -> types`.
//!
//! Every operation has a generic form, even one that does not fit its row or that this crate does
//! not know.

use super::dictionary::Given;
use super::lexer::TokenKind;
use super::locations::write_string;
use super::parser::{Draft, Parse, Parser, opcode};
use super::printer::Printer;
use super::raw::{is_builtin_type, is_own_type};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, Loc, Op, OpId, RegionId, ValueId};
use crate::ops::{Arity, CoreOp, Dialect, OpDef, Opcode, SlotDef, UnregisteredOp};
use crate::types::{FunctionType, Type, TypeKind};
use rustc_hash::FxHashSet;
use std::fmt::{self, Write};

/// A type in the form used outside of a `cuda_tile.module`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prefixed(pub(super) Type);

impl fmt::Display for Prefixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind() {
            TypeKind::Scalar(_) | TypeKind::Foreign(_) | TypeKind::Error => write!(f, "{}", self.0),
            TypeKind::Function(FunctionType { inputs, results }) => {
                write!(f, "{} -> ", PrefixedList(inputs))?;
                match results.as_slice() {
                    &[result] if !has_arrow(result) => write!(f, "{}", Prefixed(result)),
                    results => write!(f, "{}", PrefixedList(results)),
                }
            }
            TypeKind::Ptr(_)
            | TypeKind::Tile(_)
            | TypeKind::TensorView(_)
            | TypeKind::PartitionView(_)
            | TypeKind::StridedView(_)
            | TypeKind::GatherScatterView(_)
            | TypeKind::Token => write!(f, "!cuda_tile.{}", self.0),
        }
    }
}

/// Returns `true` if a type is written with an arrow, which would be ambiguous directly after
/// another arrow.
fn has_arrow(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Function(_) => true,
        TypeKind::Foreign(text) => text.starts_with('('),
        _ => false,
    }
}

/// A list of types: `(T, …)`.
struct PrefixedList<'t>(&'t [Type]);

impl fmt::Display for PrefixedList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, &ty) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{}", Prefixed(ty))?;
        }
        f.write_str(")")
    }
}

impl Parser<'_> {
    /// Parses an operation in generic form, at its quoted name.
    pub(super) fn generic_operation(&mut self, loc: Loc) -> Parse<OpId> {
        let name = self.string()?;
        let opcode = self.generic_opcode(&name, loc)?;
        let operands = self.list("(", ")", Self::value)?;
        if self.at("[") {
            return self.fail(
                Diagnostic::error(Code::IrSyntax, self.loc(), "an operation with successors")
                    .note("control flow is structured: no operation branches to a block"),
            );
        }
        let mut draft = Draft::new(opcode, loc);
        let mut given = Given::default();
        if opcode.is_unregistered() {
            draft.set("name", Attr::Str(name.into()));
            if self.eat("<") {
                draft.set("properties", Attr::Str(self.dictionary_text()?));
                self.expect(">")?;
            }
        } else if self.eat("<") {
            let loc = self.loc();
            if !self.at("{") {
                return self.unexpected("`{`");
            }
            given = self.given(opcode)?;
            self.expect(">")?;
            self.check_properties(&given, opcode.def(), loc)?;
        }
        let op = self.module.add_op(Draft::new(opcode, loc).into_op());
        if self.eat("(") {
            loop {
                self.generic_region(op)?;
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        if self.at("{") {
            let more = self.given(opcode)?;
            given.inherent.extend(more.inherent);
            given.discardable.extend(more.discardable);
            given.segments = given.segments.or(more.segments);
            given.dense_type = given.dense_type.or(more.dense_type);
        }
        self.expect(":")?;
        let types_loc = self.loc();
        let types = self.list("(", ")", |parser| Ok((parser.loc(), parser.parse_type()?)))?;
        if types.len() != operands.len() {
            let message = format!(
                "expected {} types of operands, found {}",
                operands.len(),
                types.len()
            );
            return self.syntax(types_loc, message);
        }
        for (&value, &(loc, ty)) in operands.iter().zip(&types) {
            self.check_type(value, ty, loc);
        }
        self.expect("->")?;
        let results = self.result_types()?;
        let segments = given.segments.take();
        let dense_type = given.dense_type.take();
        self.fill_operands(&mut draft, operands, segments, loc)?;
        self.apply(
            given,
            opcode.def(),
            &mut draft.attrs,
            &mut draft.discardable,
        )?;
        if let Some((ty, loc)) = dense_type {
            self.place_dense_type(&mut draft, ty, &results, loc)?;
        }
        let regions = std::mem::take(&mut self.module.op_mut(op).regions);
        *self.module.op_mut(op) = Op {
            regions,
            ..draft.into_op()
        };
        for ty in results {
            self.module.add_result(op, ty);
        }
        self.append(op);
        Ok(op)
    }

    fn generic_opcode(&mut self, name: &str, loc: Loc) -> Parse<Opcode> {
        if Dialect::from_name(name).is_some() {
            return match opcode(name) {
                Some(Opcode::Testing(_)) if !self.options.allow_testing => self.fail(
                    Diagnostic::error(Code::IrSyntax, loc, format!("unknown operation `{name}`"))
                        .help("operations of test builds need `--allow-testing`"),
                ),
                Some(opcode) => Ok(opcode),
                None => self.syntax(loc, format!("unknown operation `{name}`")),
            };
        }
        if self.options.allow_unregistered {
            return Ok(UnregisteredOp::Op.into());
        }
        self.fail(
            Diagnostic::error(
                Code::IrSyntax,
                loc,
                format!("operation `{name}` of an unknown dialect"),
            )
            .help("`--allow-unregistered-dialect` admits operations that nothing is known of"),
        )
    }

    /// Checks that properties are attributes of the row.
    pub(super) fn check_properties(&mut self, given: &Given, def: &OpDef, loc: Loc) -> Parse<()> {
        // This dialect ignores some properties that MLIR's functions have.
        let is_function = def.attrs.iter().any(|slot| slot.name == "function_type");
        let ignored = |name: &str| is_function && matches!(name, "arg_attrs" | "res_attrs");
        let unknown = given
            .discardable
            .iter()
            .find(|(attr, _)| !ignored(&attr.name));
        let Some((attr, _)) = unknown else {
            return Ok(());
        };
        let names: Vec<String> = def
            .attrs
            .iter()
            .map(|slot| format!("`{}`", slot.name))
            .collect();
        let message = format!("`{}` has no property `{}`", def.mnemonic, attr.name);
        let diagnostic = Diagnostic::error(Code::IrSyntax, loc, message)
            .help("put an attribute without meaning after the regions, in `{…}`");
        self.fail(if names.is_empty() {
            diagnostic.note("it has none")
        } else {
            diagnostic.note(format!("it has {}", names.join(", ")))
        })
    }

    /// Distributes the operands over the slots of the row.
    fn fill_operands(
        &mut self,
        draft: &mut Draft,
        operands: Vec<ValueId>,
        segments: Option<Vec<i32>>,
        loc: Loc,
    ) -> Parse<()> {
        let def = draft.opcode.def();
        let slots = def.operands;
        let open = slots.iter().filter(|slot| slot.arity != Arity::One).count();
        let lengths: Vec<i64> = match segments {
            Some(segments) => segments.into_iter().map(i64::from).collect(),
            // Without segment sizes, either at most one slot has a variable number of operands, or
            // all such slots are empty.
            None if open <= 1 || operands.len() + open == slots.len() => {
                let spare = operands.len() + open;
                let spare = i64::try_from(spare.saturating_sub(slots.len())).unwrap_or(i64::MAX);
                let length = |slot: &SlotDef| if slot.arity == Arity::One { 1 } else { spare };
                slots.iter().map(length).collect()
            }
            None => {
                return self.fail(
                    Diagnostic::error(
                        Code::IrSyntax,
                        loc,
                        format!("`{}` lacks `operandSegmentSizes`", def.mnemonic),
                    )
                    .note(format!(
                        "it says how many operands each of {} has",
                        listed(slots)
                    )),
                );
            }
        };
        let actual = i64::try_from(operands.len()).unwrap_or(i64::MAX);
        let total = lengths
            .iter()
            .fold(0, |sum: i64, &len| sum.saturating_add(len));
        if lengths.len() != slots.len() || total != actual || lengths.iter().any(|&len| len < 0) {
            let expected = match slots.len() {
                count if open == 0 => format!("{count} operands"),
                count => format!("operands in {count} groups"),
            };
            let groups = match open {
                0 => String::new(),
                _ => format!(" in groups of {lengths:?}"),
            };
            return self.fail(
                Diagnostic::error(
                    Code::VerifyOperands,
                    loc,
                    format!("expected {expected}, found {actual}{groups}"),
                )
                .note(format!(
                    "the operands of `{}` are {}",
                    def.mnemonic,
                    listed(slots)
                )),
            );
        }
        let mut rest = operands.into_iter();
        for (slot, len) in draft.operands.iter_mut().zip(lengths) {
            let len = usize::try_from(len).expect("not negative, as was just checked");
            *slot = rest.by_ref().take(len).collect();
        }
        Ok(())
    }

    /// Assigns the type that is written with a dense value to the result, or to a global variable.
    fn place_dense_type(
        &mut self,
        draft: &mut Draft,
        ty: Type,
        results: &[Type],
        loc: Loc,
    ) -> Parse<()> {
        if draft.opcode == CoreOp::Global.into() {
            draft.set("value_type", Attr::Type(ty));
            return Ok(());
        }
        match results {
            &[result] if result != ty => self.fail(
                Diagnostic::error(
                    Code::TypeMismatch,
                    loc,
                    format!("expected `{result}`, found `{ty}`"),
                )
                .note("the value of a constant has the type of its result"),
            ),
            _ => Ok(()),
        }
    }

    /// Parses a type or `(types)`.
    pub(super) fn result_types(&mut self) -> Parse<Vec<Type>> {
        if self.at("(") {
            return self.list("(", ")", Self::parse_type);
        }
        Ok(vec![self.parse_type()?])
    }

    /// Returns `true` at a type of another dialect, if these are allowed.
    #[inline]
    pub(super) fn peek_foreign_type(&self) -> bool {
        self.options.allow_unregistered && self.is_foreign_type()
    }

    fn is_foreign_type(&self) -> bool {
        match (self.token.kind, self.token.text) {
            (TokenKind::Word, word) => is_builtin_type(word) && !is_own_type(word),
            (TokenKind::Punct, "(") => true,
            (TokenKind::Punct, "!") => {
                let mut ahead = self.lexer.clone();
                let name = ahead.next();
                name.kind == TokenKind::Word
                    && !name.text.starts_with("cuda_tile.")
                    && (name.text.contains('.') || ahead.peek_byte() == Some(b'<'))
            }
            _ => false,
        }
    }

    /// Returns `true` if a type alias follows a `!`.
    pub(super) fn is_at_alias(&self) -> bool {
        match self.token.kind {
            TokenKind::Word => {
                !self.token.text.contains('.') && self.lexer.peek_byte() != Some(b'<')
            }
            kind => kind == TokenKind::Int,
        }
    }

    /// Reports a type that the dialect does not have.
    pub(super) fn unknown_type<T>(&mut self, name: &str, loc: Loc) -> Parse<T> {
        let diagnostic = Diagnostic::error(Code::IrSyntax, loc, format!("unknown type `{name}`"));
        let foreign = name.contains('.') || is_builtin_type(name);
        self.fail(if foreign && !name.contains("cuda_tile.") {
            diagnostic.help("`--allow-unregistered-dialect` admits types of other dialects")
        } else {
            diagnostic
        })
    }

    /// Parses a type of another dialect.
    pub(super) fn foreign_type(&mut self) -> Parse<Type> {
        let text = self.type_as_text()?;
        Ok(Type::new(TypeKind::Foreign(text)))
    }

    /// Parses `(T, …) -> T` or `(T, …) -> (T, …)`.
    pub(super) fn function_type(&mut self) -> Parse<Type> {
        let inputs = self.list("(", ")", Self::parse_type)?;
        self.expect("->")?;
        let results = if self.at("(") {
            self.list("(", ")", Self::parse_type)?
        } else {
            vec![self.parse_type()?]
        };
        Ok(Type::new(TypeKind::Function(FunctionType {
            inputs,
            results,
        })))
    }

    /// Parses `{…}` with any number of blocks.
    pub(super) fn generic_region(&mut self, op: OpId) -> Parse<()> {
        let region = self.open_region(op)?;
        let block = self.block;
        let labels = std::mem::replace(&mut self.labels, true);
        let result = self.generic_blocks(region);
        self.labels = labels;
        self.block = block;
        // Close the region even if a label is wrong, so that its names go out of scope.
        self.close_region(op);
        result?;
        self.expect("}")
    }

    fn generic_blocks(&mut self, region: RegionId) -> Parse<()> {
        if !self.at("^") && !self.at("}") {
            self.block = self.module.add_block(region);
            self.operations();
        }
        let mut labels = FxHashSet::default();
        while self.at("^") {
            self.bump();
            let loc = self.loc();
            let label = match self.token.kind {
                TokenKind::Word | TokenKind::Int => self.bump().text,
                _ => return self.unexpected("the label of a block"),
            };
            if !labels.insert(label) {
                return self.syntax(loc, format!("block `^{label}` is defined twice"));
            }
            let arguments = if self.at("(") {
                self.list("(", ")", Self::argument)?
            } else {
                Vec::new()
            };
            self.expect(":")?;
            self.block = self.module.add_block(region);
            self.block_arguments(self.block, &arguments);
            self.operations();
        }
        Ok(())
    }
}

/// Returns the names of slots, for messages.
fn listed(slots: &[SlotDef]) -> String {
    let names: Vec<String> = slots
        .iter()
        .map(|slot| match slot.arity {
            Arity::One => format!("`{}`", slot.name),
            Arity::Optional => format!("`{}` (optional)", slot.name),
            Arity::Variadic => format!("`{}` (any number)", slot.name),
        })
        .collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        names => names.join(", "),
    }
}

impl Printer<'_> {
    /// Prints the text after the names of the results. Regions are elided unless `open`.
    pub(super) fn generic(&mut self, op: &Op, open: bool) {
        let name = match op.opcode {
            Opcode::Unregistered(UnregisteredOp::Op) => {
                if let Some(Attr::Str(name)) = op.attr("name") {
                    name.clone()
                } else {
                    arcstr::literal!("unregistered")
                }
            }
            opcode => opcode.def().full_name().into(),
        };
        write_string(&mut self.out, &name).expect("strings do not fail");
        self.out.push('(');
        self.values(&op.operands);
        self.out.push(')');
        self.properties(op);
        self.regions(op, open);
        if !op.discardable.is_empty() {
            self.out.push(' ');
            self.dictionary(&op.discardable);
        }
        let prefix = std::mem::replace(&mut self.prefix, true);
        self.out.push_str(" : (");
        self.types(&op.operands);
        self.out.push_str(") -> ");
        let module = self.module;
        let with_arrow = |result| {
            module
                .get_value(result)
                .is_some_and(|one| has_arrow(one.ty))
        };
        match op.results.as_slice() {
            &[result] if !with_arrow(result) => self.types(&[result]),
            results => {
                self.out.push('(');
                self.types(results);
                self.out.push(')');
            }
        }
        self.prefix = prefix;
    }

    /// Prints ` <{…}>`, unless it is empty.
    fn properties(&mut self, op: &Op) {
        if op.opcode.is_unregistered() {
            if let Some(Some(Attr::Str(properties))) = op.attrs.get(1) {
                write!(self.out, " <{properties}>").expect("strings do not fail");
            }
            return;
        }
        let def = op.def();
        let slots = def.attrs.iter().zip(&op.attrs);
        let mut written: Vec<(&str, Option<&Attr>)> = slots
            .filter_map(|(slot, attr)| Some((slot.name, Some(attr.as_ref()?))))
            .collect();
        if written.iter().any(|(name, _)| *name == "value") {
            // The type is printed with the value.
            written.retain(|(name, _)| *name != "value_type");
        }
        if def.segmented {
            written.push(("operandSegmentSizes", None));
        }
        if written.is_empty() {
            return;
        }
        written.sort_by_key(|(name, _)| *name);
        self.out.push_str(" <{");
        for (index, (name, attr)) in written.into_iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.out.push_str(name);
            match attr {
                Some(Attr::Unit) => {}
                Some(attr) => {
                    self.out.push_str(" = ");
                    self.slot_value(op, name, attr);
                }
                None => {
                    self.out.push_str(" = ");
                    self.array("i32", &op.segments);
                }
            }
        }
        self.out.push_str("}>");
    }

    /// Prints `array<T: …>`.
    pub(super) fn array(&mut self, element: &str, values: &[impl fmt::Display]) {
        write!(self.out, "array<{element}").expect("strings do not fail");
        for (index, value) in values.iter().enumerate() {
            let separator = if index > 0 { "," } else { ":" };
            write!(self.out, "{separator} {value}").expect("strings do not fail");
        }
        self.out.push('>');
    }

    /// Prints ` ({…}, {…})`, unless there are none.
    fn regions(&mut self, op: &Op, open: bool) {
        if op.regions.is_empty() {
            return;
        }
        let module = self.module;
        for (index, &region) in op.regions.iter().enumerate() {
            self.out.push_str(if index > 0 { ", {" } else { " ({" });
            if !open {
                // The region is nested too deep, or was printed before. Such a module does not
                // verify.
                self.out.push_str("…}");
                continue;
            }
            self.out.push('\n');
            let blocks = module.blocks_of(region).iter();
            for (number, &block) in blocks.enumerate() {
                let (args, ops) = (&module.block(block).args, &module.block(block).ops);
                if number > 0 || !args.is_empty() || ops.is_empty() {
                    self.line_start();
                    write!(self.out, "^bb{number}").expect("strings do not fail");
                    if !args.is_empty() {
                        let prefix = std::mem::replace(&mut self.prefix, true);
                        self.arguments(args);
                        self.prefix = prefix;
                    }
                    self.out.push_str(":\n");
                }
                self.operations(ops);
            }
            self.line_start();
            self.out.push('}');
        }
        self.out.push(')');
    }
}
