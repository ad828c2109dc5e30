//! Parses `loc(…)` and the debug attributes of the dialect; `locations` prints them.
//!
//! A location that is written for an operation, a block argument or a module is stored by
//! [`Loc::with_debug`]. Where none is written, none is stored or printed.

use super::alias::Meaning;
use super::lexer::TokenKind;
use super::locations::mnemonic;
use super::parser::{Parse, Parser};
use crate::diag::{Code, Diagnostic};
use crate::ir::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, FilePosition, Loc, Module};
use arcstr::ArcStr;
use rustc_hash::FxHashMap;

/// A location as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stated {
    /// A known location.
    Known(DebugLoc),
    /// An alias that is not yet defined, by its number in [`Pending`].
    Later(u32),
}

impl Stated {
    /// Adds the stated location to `loc`. The tag holds the number of an alias until it is
    /// resolved.
    pub(super) fn on(self, loc: Loc) -> Loc {
        match self {
            Stated::Known(debug) => loc.with_debug(Some(debug)),
            Stated::Later(number) => loc.with_tag(number),
        }
    }
}

/// The location aliases that are used before their definition.
#[derive(Debug, Default)]
pub(super) struct Pending<'s> {
    /// Name and first use, indexed by number minus one.
    names: Vec<(&'s str, Loc)>,
    numbers: FxHashMap<&'s str, u32>,
}

/// The parts of a debug attribute, in any order.
#[derive(Default)]
struct Parts {
    file: Option<DebugAttr>,
    line: Option<u32>,
    name: Option<ArcStr>,
    linkage_name: Option<ArcStr>,
    compile_unit: Option<DebugAttr>,
    scope_line: Option<u32>,
    scope: Option<DebugAttr>,
    column: Option<u32>,
}

impl<'s> Parser<'s> {
    /// Parses `loc(…)`.
    pub(super) fn location(&mut self) -> Parse<Stated> {
        self.keyword("loc")?;
        self.expect("(")?;
        let stated = match self.alias_ahead() {
            Some(name) if self.alias_meaning(name).is_none() => {
                self.bump();
                let loc = self.loc();
                self.bump();
                Stated::Later(self.pending_number(name, loc))
            }
            _ => Stated::Known(self.location_inside()?),
        };
        self.expect(")")?;
        Ok(stated)
    }

    fn pending_number(&mut self, name: &'s str, loc: Loc) -> u32 {
        let next = u32::try_from(self.pending.names.len() + 1).expect("fewer names than bytes");
        *self.pending.numbers.entry(name).or_insert_with(|| {
            self.pending.names.push((name, loc));
            next
        })
    }

    /// Parses a `loc(…)` whose aliases must all be defined already.
    pub(super) fn known_location(&mut self) -> Parse<DebugLoc> {
        self.keyword("loc")?;
        self.expect("(")?;
        let location = self.location_inside()?;
        self.expect(")")?;
        Ok(location)
    }

    /// Parses the inside of the parentheses of `loc(…)`.
    pub(super) fn location_inside(&mut self) -> Parse<DebugLoc> {
        self.nested(Self::location_kind).map(DebugLoc::new)
    }

    fn location_kind(&mut self) -> Parse<DebugLocKind> {
        match (self.token.kind, self.token.text) {
            (TokenKind::Word, "unknown") => {
                self.bump();
                Ok(DebugLocKind::Unknown)
            }
            (TokenKind::Word, "loc") => Ok(self.known_location()?.kind().clone()),
            (TokenKind::Word, "callsite") => {
                self.bump();
                self.expect("(")?;
                let callee = self.location_inside()?;
                self.keyword("at")?;
                let caller = self.location_inside()?;
                self.expect(")")?;
                Ok(DebugLocKind::CallSite { callee, caller })
            }
            (TokenKind::Word, "fused") => {
                self.bump();
                let mut metadata = None;
                if self.eat("<") {
                    metadata = Some(self.attribute_text()?);
                    self.expect(">")?;
                }
                let locations = self.list("[", "]", Self::location_inside)?;
                Ok(DebugLocKind::Fused {
                    metadata,
                    locations,
                })
            }
            (TokenKind::Str, _) => self.file_or_name(),
            (TokenKind::Punct, "#") => self.location_attr(),
            _ => self.unexpected("a location"),
        }
    }

    /// Parses `"file":line:column`, `"name"` or `"name"(child)`. The end of a range, `to :column`
    /// or `to line:column`, is read and dropped.
    fn file_or_name(&mut self) -> Parse<DebugLocKind> {
        let name: ArcStr = self.string()?.into();
        if self.eat("(") {
            let child = self.location_inside()?;
            self.expect(")")?;
            return Ok(DebugLocKind::Name { name, child });
        }
        if !self.eat(":") {
            let child = DebugLoc::new(DebugLocKind::Unknown);
            return Ok(DebugLocKind::Name { name, child });
        }
        let line = self.small("line")?;
        let mut column = 0;
        if self.eat(":") {
            column = self.small("column")?;
            if self.eat_word("to") {
                if !self.at(":") {
                    self.small::<u32>("line")?;
                }
                self.expect(":")?;
                self.small::<u32>("column")?;
            }
        }
        Ok(DebugLocKind::File(FilePosition {
            file: name,
            line,
            column,
        }))
    }

    /// Parses an alias of a location, or `#cuda_tile.di_loc<POSITION in SCOPE>`.
    fn location_attr(&mut self) -> Parse<DebugLocKind> {
        if let Some(name) = self.alias_ahead() {
            self.bump();
            let loc = self.loc();
            let kind = match self.alias_meaning(name) {
                Some(Meaning::Loc(location)) => location.kind().clone(),
                Some(_) => return self.unexpected("an alias of a location"),
                None => return self.unknown_alias("#", name, loc),
            };
            self.bump();
            return Ok(kind);
        }
        self.expect("#")?;
        self.keyword("cuda_tile.di_loc")?;
        self.expect("<")?;
        let loc = self.loc();
        let inner = self.location_inside()?;
        let DebugLocKind::File(position) = inner.kind() else {
            return self.syntax(
                loc,
                "expected a file, line and column, found another location",
            );
        };
        self.keyword("in")?;
        let scope = self.debug_attr_that("a scope", is_scope)?;
        self.expect(">")?;
        Ok(DebugLocKind::Scoped {
            position: position.clone(),
            scope,
        })
    }

    /// Parses a debug attribute of kind `what`, which is an alias or written inline.
    fn debug_attr_that(
        &mut self,
        what: &str,
        accept: fn(&DebugAttrKind) -> bool,
    ) -> Parse<DebugAttr> {
        let loc = self.loc();
        let attr = self.nested(Self::debug_attr)?;
        if accept(attr.kind()) {
            return Ok(attr);
        }
        let actual = mnemonic(attr.kind());
        self.syntax(loc, format!("expected {what}, found a `{actual}`"))
    }

    /// Parses a debug attribute such as `#cuda_tile.di_file<…>`, or an alias of one.
    pub(super) fn debug_attr(&mut self) -> Parse<DebugAttr> {
        let loc = self.loc();
        if let Some(name) = self.alias_ahead() {
            self.bump();
            let loc = self.loc();
            let attr = match self.alias_meaning(name) {
                Some(&Meaning::Debug(attr)) => attr,
                Some(_) => return self.unexpected("an alias of a debug attribute"),
                None => return self.unknown_alias("#", name, loc),
            };
            self.bump();
            return Ok(attr);
        }
        self.expect("#")?;
        let word = match self.token.kind {
            TokenKind::Word => self.token.text,
            _ => "",
        };
        let attr = match word.strip_prefix("cuda_tile.") {
            Some("di_file") => {
                self.bump();
                self.expect("<")?;
                let name = self.string()?.into();
                self.keyword("in")?;
                let directory = self.string()?.into();
                self.expect(">")?;
                DebugAttrKind::File { name, directory }
            }
            Some(kind @ ("di_compile_unit" | "di_subprogram" | "di_lexical_block")) => {
                self.bump();
                self.debug_parts(kind, loc)?
            }
            _ => {
                return self.unexpected(
                    "`cuda_tile.di_file`, `cuda_tile.di_compile_unit`, \
                     `cuda_tile.di_subprogram` or `cuda_tile.di_lexical_block`",
                );
            }
        };
        Ok(DebugAttr::new(attr))
    }

    /// Parses `<key = value, …>`.
    fn debug_parts(&mut self, kind: &str, loc: Loc) -> Parse<DebugAttrKind> {
        let mut parts = Parts::default();
        self.list("<", ">", |parser| parser.debug_part(kind, &mut parts))?;
        let Parts {
            file,
            line,
            name,
            linkage_name,
            compile_unit,
            scope_line,
            scope,
            column,
        } = parts;
        let kind_found = match kind {
            "di_compile_unit" => file.map(|file| DebugAttrKind::CompileUnit { file }),
            "di_subprogram" => (|| {
                Some(DebugAttrKind::Subprogram {
                    file: file?,
                    line: line?,
                    name: name?,
                    linkage_name: linkage_name?,
                    compile_unit: compile_unit?,
                    scope_line,
                })
            })(),
            _ => (|| {
                Some(DebugAttrKind::LexicalBlock {
                    scope: scope?,
                    file: file?,
                    line: line?,
                    column,
                })
            })(),
        };
        if let Some(kind_found) = kind_found {
            return Ok(kind_found);
        }
        let (required, _) = keys(kind);
        let required: Vec<String> = required.iter().map(|key| format!("`{key}`")).collect();
        self.syntax(loc, format!("`{kind}` needs {}", required.join(", ")))
    }

    fn debug_part(&mut self, kind: &str, parts: &mut Parts) -> Parse<()> {
        let loc = self.loc();
        let (required, optional) = keys(kind);
        let is_key = |word: &str| required.contains(&word) || optional.contains(&word);
        if self.token.kind != TokenKind::Word || !is_key(self.token.text) {
            let names: Vec<String> = required
                .iter()
                .chain(optional)
                .map(|key| format!("`{key}`"))
                .collect();
            return self.unexpected(&names.join(" or "));
        }
        let key = self.bump().text;
        self.expect("=")?;
        let twice = match key {
            "file" => {
                let is_file = |kind: &DebugAttrKind| matches!(kind, DebugAttrKind::File { .. });
                let file = self.debug_attr_that("a `di_file`", is_file)?;
                parts.file.replace(file).is_some()
            }
            "compileUnit" => {
                let is_unit =
                    |kind: &DebugAttrKind| matches!(kind, DebugAttrKind::CompileUnit { .. });
                let unit = self.debug_attr_that("a `di_compile_unit`", is_unit)?;
                parts.compile_unit.replace(unit).is_some()
            }
            "scope" => {
                let scope = self.debug_attr_that("a scope", is_scope)?;
                parts.scope.replace(scope).is_some()
            }
            "name" => parts.name.replace(self.string()?.into()).is_some(),
            "linkageName" => parts.linkage_name.replace(self.string()?.into()).is_some(),
            "line" => parts.line.replace(self.small("line")?).is_some(),
            "scopeLine" => parts.scope_line.replace(self.small("line")?).is_some(),
            _ => parts.column.replace(self.small("column")?).is_some(),
        };
        if twice {
            return self.syntax(loc, format!("`{key}` is given twice"));
        }
        Ok(())
    }

    /// Resolves every location of `modules` that is an alias, after all aliases have been read.
    pub(super) fn resolve_locations(&mut self, modules: &mut [Module]) {
        if self.pending.names.is_empty() {
            return;
        }
        let names = std::mem::take(&mut self.pending.names);
        let mut meanings = Vec::new();
        for (name, loc) in names {
            let meaning = match self.alias_meaning(name) {
                Some(&Meaning::Loc(location)) => Some(location),
                Some(_) => {
                    let message = format!("`#{name}` is no location");
                    self.report(Diagnostic::error(Code::IrSyntax, loc, message));
                    None
                }
                None => {
                    let _ = self.unknown_alias::<()>("#", name, loc);
                    None
                }
            };
            meanings.push(meaning);
        }
        let resolve = |loc: &mut Loc| {
            if loc.tag() > 0 {
                *loc = loc.with_tag(0).with_debug(meanings[loc.tag() as usize - 1]);
            }
        };
        for module in modules {
            module.for_each_loc(resolve);
        }
    }
}

fn is_scope(kind: &DebugAttrKind) -> bool {
    matches!(
        kind,
        DebugAttrKind::Subprogram { .. } | DebugAttrKind::LexicalBlock { .. }
    )
}

/// Returns the required and the optional keys of a debug attribute.
fn keys(kind: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        "di_compile_unit" => (&["file"], &[]),
        "di_subprogram" => (
            &["file", "line", "name", "linkageName", "compileUnit"],
            &["scopeLine"],
        ),
        _ => (&["scope", "file", "line"], &["column"]),
    }
}
