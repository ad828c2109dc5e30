//! Builds kernels from statements: allocates variables, decodes instructions, inlines calls.

mod calls;
mod kernel;
mod sources;
mod undefined;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use self::kernel::kernel;
use super::ParseError;
use super::names::{Content, Globals, Place};
use super::syntax::{Formal, Function, Linkage, Role, Space, Unit, Variable};
use super::target::{Target, Version};
use crate::machine::memory::{GlobalVariable, Relocation};
use crate::module::Kernel;

/// The maximum global memory of a module in bytes.
const MAX_GLOBAL: u64 = 1 << 30;

/// A parsed and decoded text.
pub(crate) struct Built {
    pub(crate) version: Version,
    pub(crate) target: Target,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) globals: Vec<GlobalVariable>,
}

/// The declarations that all kernels of a text share.
struct Text<'a> {
    unit: &'a Unit,
    names: Rc<Globals>,
    /// Definitions take precedence over declarations.
    functions: FxHashMap<&'a str, &'a Function>,
}

/// Parses and decodes a text.
pub(crate) fn build(text: &str) -> Result<Built, ParseError> {
    let unit = super::parser::parse(text)?;
    let functions = functions(&unit)?;
    let mut names = Globals {
        functions: functions.keys().map(|&name| name.to_owned()).collect(),
        ..Globals::default()
    };
    let globals = variables(&unit, &mut names)?;
    let text = Text {
        unit: &unit,
        names: Rc::new(names),
        functions,
    };
    let mut kernels = Vec::new();
    let mut errors = Vec::new();
    let mut reported = FxHashSet::default();
    for function in &unit.functions {
        if function.role != Role::Entry || function.body.is_none() {
            continue;
        }
        match kernel(&text, function) {
            Ok(kernel) => kernels.push(kernel),
            Err(error) => {
                let mut error = error;
                let others = std::mem::take(&mut error.others);
                // A function that two kernels call reports its errors once.
                for error in std::iter::once(error).chain(others) {
                    if reported.insert((error.line, error.message.clone())) {
                        errors.push(error);
                    }
                }
            }
        }
    }
    match ParseError::join(errors) {
        Some(error) => Err(error),
        None => Ok(Built {
            version: unit.version,
            target: unit.target,
            kernels,
            globals,
        }),
    }
}

/// Returns the functions by name. Checks that each function has at most one definition, and that
/// its declarations have the same number of parameters.
fn functions(unit: &Unit) -> Result<FxHashMap<&str, &Function>, ParseError> {
    let mut functions: FxHashMap<&str, &Function> = FxHashMap::default();
    for function in &unit.functions {
        let fail = |message: String| Err(ParseError::new(function.line, message));
        let name = function.name.as_str();
        let Some(&other) = functions.get(name) else {
            functions.insert(name, function);
            continue;
        };
        if function.body.is_some() && other.body.is_some() {
            return fail(format!("`{name}` is defined twice"));
        }
        let shape = |function: &Function| {
            let [returns, params] = [&function.returns, &function.params].map(Vec::len);
            (function.role, returns, params)
        };
        if shape(function) != shape(other) {
            return fail(format!("`{name}` is declared with other parameters"));
        }
        if function.body.is_some() {
            functions.insert(name, function);
        }
    }
    for alias in &unit.aliases {
        let Some(&target) = functions.get(alias.target.as_str()) else {
            let message = format!("`{}` is not a function", alias.target);
            return Err(ParseError::new(alias.line, message));
        };
        functions.insert(&alias.name, target);
    }
    Ok(functions)
}

/// Allocates the variables of the module.
fn variables(unit: &Unit, names: &mut Globals) -> Result<Vec<GlobalVariable>, ParseError> {
    let mut defined: FxHashSet<&str> = FxHashSet::default();
    let mut placed: Vec<&Variable> = Vec::new();
    for variable in &unit.variables {
        let fail = |message: String| Err(ParseError::new(variable.line, message));
        let name = variable.name.as_str();
        // Dynamic shared memory, whose size the launch specifies.
        let dynamic = variable.space == Space::Shared && variable.bytes.is_none();
        if variable.linkage == Linkage::Extern && !dynamic {
            names.external.insert(name.to_owned());
            continue;
        }
        if !defined.insert(name) {
            if dynamic && names.shared.contains_key(name) {
                continue;
            }
            return fail(format!("`{name}` is declared twice"));
        }
        if names.functions.contains(name) {
            return fail(format!("`{name}` is a function too"));
        }
        if variable.space == Space::Shared {
            names.shared.insert(name.to_owned(), variable.clone());
            continue;
        }
        let number = u32::try_from(placed.len()).expect("fewer variables than characters");
        let place = Place {
            space: variable.space,
            content: Content::Global(number, 0),
            of_call: false,
        };
        names.places.insert(name.to_owned(), place);
        placed.push(variable);
    }
    names
        .external
        .retain(|name| !defined.contains(name.as_str()));
    let mut total = 0;
    let mut globals = Vec::with_capacity(placed.len());
    for variable in placed {
        let length = variable.bytes.unwrap_or(0);
        total += length;
        if total > MAX_GLOBAL {
            let message = format!("`{}` is too long", variable.name);
            return Err(ParseError::new(variable.line, message));
        }
        let mut bytes = variable.initial.clone();
        bytes.resize(usize::try_from(length).expect("below 2^30"), 0);
        globals.push(GlobalVariable {
            name: variable.name.clone(),
            bytes,
            align: variable.align,
            constant: variable.space == Space::Const,
            relocations: relocations(variable, names)?,
        });
    }
    Ok(globals)
}

fn relocations(variable: &Variable, names: &Globals) -> Result<Vec<Relocation>, ParseError> {
    let mut relocations = Vec::with_capacity(variable.addresses.len());
    for address in &variable.addresses {
        let symbol = address.symbol.as_str();
        let fail = |message: String| Err(ParseError::new(address.line, message));
        let content = names.places.get(symbol).map(|place| place.content);
        let Some(Content::Global(target, _)) = content else {
            return fail(if names.functions.contains(symbol) {
                format!("`{symbol}` is a function: tables of functions cannot be called")
            } else if names.shared.contains_key(symbol) {
                format!("`{symbol}` is in shared memory, whose address is not a constant")
            } else {
                format!("`{symbol}` is not a variable of this text")
            });
        };
        relocations.push(Relocation {
            offset: address.offset,
            bytes: address.bytes,
            target,
            addend: address.addend,
            byte: address.byte,
        });
    }
    Ok(relocations)
}

/// Returns the name of a formal parameter in its function.
fn formal_name(formal: &Formal) -> &str {
    match formal {
        Formal::Param(variable) => &variable.name,
        Formal::Register(_, name) => name,
    }
}
