//! Properties of every input: nothing panics; a valid module is unchanged by a round trip through
//! text and bytecode, and remains valid after every pass.

use super::equal::structure;
use crate::bytecode::{Version, read, write};
use crate::diag::Diagnostics;
use crate::ir::Module;
use crate::pass::{Pass, Pipeline, Trace};
use crate::text::{ParseOptions, PrintOptions, parse_file, print_with};
use crate::verify::{Verified, verify};

/// The last stage that an input passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Survival {
    /// The input cannot be read.
    Unread,
    /// The input can be read, but does not verify.
    Invalid,
    /// The input can be read and verifies.
    Valid,
}

/// Takes text through parser, verifier, printer, writer and passes.
///
/// # Errors
/// If a round trip changes a valid module; the message states the first difference.
pub fn survive_text(source: &str) -> Result<Survival, String> {
    let Ok(modules) = parse(source) else {
        return Ok(Survival::Unread);
    };
    let mut least = Survival::Valid;
    for module in modules {
        least = least.min(survive(&module)?);
    }
    Ok(least)
}

/// Takes bytecode through reader, verifier, printer, writer and passes.
///
/// # Errors
/// If a round trip changes a valid module; the message states the first difference.
pub fn survive_bytes(bytes: &[u8]) -> Result<Survival, String> {
    match read(bytes) {
        Ok(module) => survive(&module),
        Err(_) => Ok(Survival::Unread),
    }
}

/// Takes a module through verifier, printer, writer and passes.
///
/// # Errors
/// If the module is valid and a round trip changes it; the message states the first difference.
pub fn survive(module: &Module) -> Result<Survival, String> {
    let mut diagnostics = Diagnostics::new();
    let verified = verify(module.clone(), &mut diagnostics);
    diagnostics.take();
    let forms = [false, true].map(|generic| {
        let options = PrintOptions {
            generic,
            debug_info: generic,
        };
        (generic, print_with(module, options))
    });
    let written = write(module, Version::V13_4);
    let Ok(module) = verified else {
        return Ok(Survival::Invalid);
    };
    let expected = structure(&module);
    for (generic, text) in forms {
        let form = if generic { "generic" } else { "custom" };
        let back = parse(&text)
            .map_err(|fault| format!("its {form} form does not parse: {fault}\n{text}"))?;
        let [back] = &back[..] else {
            return Err(format!("its {form} form is {} modules", back.len()));
        };
        same(&expected, &structure(back), form)?;
    }
    if let Ok(bytes) = written {
        let back = read(&bytes).map_err(|error| format!("its bytecode does not read: {error}"))?;
        same(&expected, &structure(&back), "bytecode")?;
    }
    for (name, _) in Pass::list() {
        rewritten(&module, name)?;
    }
    Ok(Survival::Valid)
}

/// Runs a pass, which may reject the module.
fn rewritten(module: &Verified, pass: &str) -> Result<(), String> {
    let pipeline: Pipeline = pass.parse().map_err(|error| format!("{error}"))?;
    for pass in pipeline.passes() {
        let mut diagnostics = Diagnostics::new();
        let rewritten = pass.run(module.clone(), &mut Trace::new(), &mut diagnostics);
        if let Ok(module) = rewritten
            && verify(module, &mut diagnostics).is_err()
        {
            let faults = diagnostics.take();
            let first = faults.first().map_or("", |fault| &fault.message);
            return Err(format!("after `{pass}` it does not verify: {first}"));
        }
        diagnostics.take();
    }
    Ok(())
}

/// Parses the modules of a text, or returns its first error.
fn parse(source: &str) -> Result<Vec<Module>, String> {
    let options = ParseOptions {
        allow_testing: true,
        allow_unregistered: true,
    };
    let mut diagnostics = Diagnostics::new();
    let modules = parse_file(source, "input", options, &mut diagnostics);
    let diagnostics_found = diagnostics.take();
    modules.map_err(|_| {
        let first = diagnostics_found.first();
        first.map_or_else(String::new, |first| first.message.clone())
    })
}

fn same(expected: &str, actual: &str, form: &str) -> Result<(), String> {
    if expected == actual {
        return Ok(());
    }
    let mut lines = expected.lines().zip(actual.lines());
    let (expected, actual) = lines
        .find(|(expected, actual)| expected != actual)
        .unwrap_or(("more", "the end"));
    Err(format!(
        "its {form} form says `{actual}` instead of `{expected}`"
    ))
}
