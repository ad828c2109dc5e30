//! Parses a file: modules, aliases, and operations without a module.
//!
//! The enclosing `module` of MLIR may be omitted. Operations outside of any `cuda_tile.module` form
//! a module of their own, named like the enclosing `module`, or `kernels`.

use super::dictionary::Given;
use super::lexer::TokenKind;
use super::parser::{Draft, Parse, Parser};
use super::scope::Scopes;
use super::{MAX_REGION_DEPTH, ParseOptions};
use crate::diag::Diagnostic;
use crate::ir::{Attr, BlockId, Loc, Module, ValueId};
use crate::ops::CoreOp;
use crate::types::Type;

/// The name that tileirdisasm gives to every module.
pub(super) const DEFAULT_NAME: &str = "kernels";

/// Parses the modules in `source`. Returns them with all errors, in source order. An empty file has
/// no module.
pub(super) fn parse(
    source: &str,
    file_name: &str,
    options: ParseOptions,
) -> (Vec<Module>, Vec<Diagnostic>) {
    let mut parser = Parser::new(source, file_name, options);
    let mut modules = Vec::new();
    parser.items(&mut modules, None);
    while parser.token.kind != TokenKind::End {
        let _ = parser.unexpected::<()>("the end of the file");
        parser.bump();
        parser.items(&mut modules, None);
    }
    parser.resolve_locations(&mut modules);
    let mut errors = parser.errors;
    errors.sort_by_key(|error| (error.primary.loc.line(), error.primary.loc.column()));
    (modules, errors)
}

/// Returns `true` if `word` starts a module.
pub(super) fn is_module(word: &str) -> bool {
    is_wrapper(word) || word == "cuda_tile.module"
}

fn is_wrapper(word: &str) -> bool {
    matches!(word, "module" | "builtin.module")
}

/// The state of a module while a nested one is read.
struct Unit<'s> {
    module: Module,
    scopes: Scopes<'s>,
    block: BlockId,
    written: Vec<(ValueId, Type, Loc)>,
}

impl Unit<'_> {
    fn new(name: &str) -> Self {
        let module = Module::new(name);
        let mut scopes = Scopes::default();
        scopes.open_isolated();
        Self {
            block: module.body(),
            module,
            scopes,
            written: Vec::new(),
        }
    }
}

impl<'s> Parser<'s> {
    fn exchange(&mut self, unit: &mut Unit<'s>) {
        std::mem::swap(&mut self.module, &mut unit.module);
        std::mem::swap(&mut self.scopes, &mut unit.scopes);
        std::mem::swap(&mut self.block, &mut unit.block);
        std::mem::swap(&mut self.written, &mut unit.written);
    }

    /// Restores `outer`; returns the completed module.
    fn complete(&mut self, mut outer: Unit<'s>) -> Module {
        let unknown = self.scopes.close_isolated();
        self.report_unknown(unknown);
        self.finish_values();
        self.exchange(&mut outer);
        outer.module
    }

    /// Parses modules, aliases and operations up to `}` or the end. `wrapper` is the enclosing
    /// `module`; operations directly in it form a module with its name and attributes. Returns the
    /// index of that module.
    fn items(&mut self, modules: &mut Vec<Module>, wrapper: Option<Module>) -> Option<usize> {
        let before = modules.len();
        let mut outer = Unit::new(DEFAULT_NAME);
        let is_wrapped = wrapper.is_some();
        if let Some(wrapper) = wrapper {
            outer.module = wrapper;
        }
        self.exchange(&mut outer);
        let top = std::mem::replace(&mut self.top, true);
        // The index of the module that the operations form.
        let mut place = None;
        let mut names = Vec::new();
        while self.token.kind != TokenKind::End && !self.at("}") {
            let (start, braces) = (self.token.start, self.braces);
            let result = if self.is_at_alias_definition() {
                self.alias_definition()
            } else if self.is_at_module() {
                self.any_module(modules)
            } else {
                if place.is_none() {
                    place = Some(modules.len());
                    if self.module.loc.is_unknown() {
                        self.module.loc = self.loc();
                    }
                }
                self.one_operation(&mut names);
                Ok(())
            };
            if result.is_err() {
                self.nesting = 0;
                self.skip_to_operation(start, braces);
            }
        }
        self.top = top;
        let module = self.complete(outer);
        if is_wrapped && modules.len() == before {
            place = place.or(Some(before));
        }
        if let Some(place) = place {
            modules.insert(place, module);
        }
        place
    }

    /// Returns `true` at the start of a module, in custom or generic form.
    fn is_at_module(&self) -> bool {
        matches!(self.token.kind, TokenKind::Word | TokenKind::Str) && is_module(self.token.text)
    }

    fn any_module(&mut self, modules: &mut Vec<Module>) -> Parse<()> {
        if self.modules == MAX_REGION_DEPTH {
            let loc = self.loc();
            return self.syntax(
                loc,
                format!("modules nested deeper than {MAX_REGION_DEPTH}"),
            );
        }
        self.modules += 1;
        let result = self.module_form(modules);
        self.modules -= 1;
        result
    }

    /// Parses `cuda_tile.module @name [attributes {…}] {…} [loc(…)]`, or its generic form, or a
    /// `module` of MLIR in either form.
    fn module_form(&mut self, modules: &mut Vec<Module>) -> Parse<()> {
        let mut module = Module::new(DEFAULT_NAME);
        module.loc = self.loc();
        let (kind, word) = (self.token.kind, self.token.text);
        let wrapper = is_wrapper(word);
        let generic = kind == TokenKind::Str;
        self.bump();
        let mut draft = Draft::new(CoreOp::Module.into(), module.loc);
        if generic {
            self.generic_module_head(&mut draft, wrapper)?;
        } else {
            if !wrapper || self.token.kind == TokenKind::Symbol {
                let name = self.symbol("the module's name")?;
                draft.set("sym_name", Attr::Str(name));
            }
            self.attributes_clause(&mut draft)?;
            self.expect("{")?;
        }
        describe(&mut module, &draft);
        // The text after the region belongs to the same module.
        let module_ops = if wrapper {
            self.items(modules, Some(module))
        } else {
            let mut outer = Unit::new(DEFAULT_NAME);
            outer.module = module;
            self.exchange(&mut outer);
            self.operations();
            let module = self.complete(outer);
            modules.push(module);
            Some(modules.len() - 1)
        };
        self.expect("}")?;
        if generic {
            self.generic_module_tail(&mut draft)?;
            if !wrapper && draft.attrs[0].is_none() {
                return self.syntax(draft.loc, "a module without a name: `sym_name` is missing");
            }
            if let Some(module_ops) = module_ops {
                describe(&mut modules[module_ops], &draft);
            }
        }
        if self.is_at_word("loc") {
            let stated = self.location()?;
            if let Some(module_ops) = module_ops {
                modules[module_ops].loc = stated.on(modules[module_ops].loc);
            }
        }
        Ok(())
    }

    /// Parses `() [<{…}>] ({` of a module, whose block has no label.
    fn generic_module_head(&mut self, draft: &mut Draft, wrapper: bool) -> Parse<()> {
        self.expect("(")?;
        self.expect(")")?;
        if self.eat("<") {
            let loc = self.loc();
            if !self.at("{") {
                return self.unexpected("`{`");
            }
            let given = self.given(draft.opcode)?;
            self.expect(">")?;
            // A `module` of MLIR has properties of its own.
            if !wrapper {
                self.check_properties(&given, draft.opcode.def(), loc)?;
            }
            self.add_given(given, draft)?;
        }
        self.expect("(")?;
        self.expect("{")?;
        if self.eat("^") {
            self.take(TokenKind::Word, "the label of a block")?;
            self.expect(":")?;
        }
        Ok(())
    }

    /// Parses `) [{…}] : () -> ()`.
    fn generic_module_tail(&mut self, draft: &mut Draft) -> Parse<()> {
        self.expect(")")?;
        self.attr_dict(draft)?;
        for token in [":", "(", ")", "->", "(", ")"] {
            self.expect(token)?;
        }
        Ok(())
    }

    fn add_given(&mut self, given: Given, draft: &mut Draft) -> Parse<()> {
        let def = draft.opcode.def();
        self.apply(given, def, &mut draft.attrs, &mut draft.discardable)
    }
}

/// Sets the name and attributes of `module` from `draft`.
fn describe(module: &mut Module, draft: &Draft) {
    if let Some(Attr::Str(name)) = &draft.attrs[0] {
        name.as_str().clone_into(&mut module.name);
    }
    if let Some(Attr::Str(producer)) = &draft.attrs[1] {
        module.producer = Some(producer.to_string());
    }
    module.discardable.clone_from(&draft.discardable);
}
