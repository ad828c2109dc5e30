//! What an input goes through.

use super::inputs::Input;
use tile_core::bytecode::{Version, read, write};
use tile_core::testing::structure;
use tile_core::text::{ParseOptions, PrintOptions, parse_file, print, print_with};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Module};

/// Runs an input: what became of it, or what is wrong with us.
pub(crate) fn run(input: &Input) -> Result<&'static str, String> {
    match input {
        Input::Text(source) => match parse(source) {
            Err(_) => Ok("text that does not parse"),
            Ok(modules) => {
                let mut outcome = "text that parses and verifies";
                for module in modules {
                    if !check(module)? {
                        outcome = "text that parses and does not verify";
                    }
                }
                Ok(outcome)
            }
        },
        Input::Bytes(bytes) => match read(bytes) {
            Err(_) => Ok("bytecode that does not read"),
            Ok(module) => Ok(if check(module)? {
                "bytecode that reads and verifies"
            } else {
                "bytecode that reads and does not verify"
            }),
        },
    }
}

/// The modules of a text, or the first fault.
fn parse(source: &str) -> Result<Vec<Module>, String> {
    let options = ParseOptions {
        allow_testing: true,
        allow_unregistered: true,
    };
    let mut diagnostics = Diagnostics::new();
    let modules = parse_file(source, "input", options, &mut diagnostics);
    let found = diagnostics.take();
    modules.map_err(|_| {
        let first = found.first();
        first.map_or_else(String::new, |first| first.message.clone())
    })
}

/// Verifies a module and prints it; a valid one must survive text and bytecode.
fn check(module: Module) -> Result<bool, String> {
    let mut diagnostics = Diagnostics::new();
    let verified = verify(module.clone(), &mut diagnostics);
    diagnostics.take();
    let generic = PrintOptions {
        generic: true,
        debug_info: true,
    };
    let (custom, generic) = (print(&module), print_with(&module, generic));
    let Ok(module) = verified else {
        // Whatever the writer makes of it, it must not panic.
        let _ = write(&module, Version::V13_4);
        return Ok(false);
    };
    let expected = structure(&module);
    for (form, text) in [("custom", custom), ("generic", generic)] {
        let back = parse(&text);
        let back = back.map_err(|fault| format!("its {form} form does not parse: {fault}"))?;
        let [back] = &back[..] else {
            return Err(format!("its {form} form is {} modules", back.len()));
        };
        same(&expected, &structure(back), form)?;
    }
    if let Ok(bytes) = write(&module, Version::V13_4) {
        let back = read(&bytes).map_err(|error| format!("its bytecode does not read: {error}"))?;
        same(&expected, &structure(&back), "bytecode")?;
    }
    Ok(true)
}

fn same(expected: &str, found: &str, form: &str) -> Result<(), String> {
    let mut lines = expected.lines().zip(found.lines());
    match lines.find(|(expected, found)| expected != found) {
        Some((expected, found)) => Err(format!("its {form} form says `{found}` for `{expected}`")),
        None if expected.len() != found.len() => Err(format!("its {form} form has another length")),
        None => Ok(()),
    }
}
