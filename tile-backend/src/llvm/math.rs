//! Links the mathematical functions that a module calls.
//!
//! In: a module with declarations of `tile_*` functions. Out: the same module with their definitions, which
//! are internal, so that the optimizer can inline them and then drop them.
//!
//! The functions are in `math.ll`, which `cargo xtask math` generates from the Rust in `device-math`. Each
//! calls only intrinsics. LLVM therefore reads the text of those that are called, and nothing else: reading
//! all of them takes as long as several stages of a small kernel.

use std::fmt::Write as _;

use inkwell::llvm_sys;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};

use super::Context;
use super::passes::name_of;
use crate::error::BackendError;

/// All functions, in LLVM's assembly language: constants and declarations, then definitions.
const TEXT: &str = include_str!("math.ll");

/// Returns the text of the definition of `name`.
fn definition(name: &str) -> Option<&'static str> {
    let heads = TEXT.match_indices("\ndefine ");
    let mut texts = heads.map(|(start, _)| &TEXT[start + 1..]);
    let text = texts.find(|text| {
        let head = text.lines().next().unwrap_or_default();
        head.split_once('@')
            .and_then(|(_, rest)| rest.split_once('('))
            .is_some_and(|(found, _)| found == name)
    })?;
    let end = text.find("\n}\n").expect("a definition has an end") + 3;
    Some(&text[..end])
}

/// Links the functions that `module` needs. Does nothing if it needs none. Other undefined functions stay
/// undefined.
pub fn link(cx: &Context, module: &Module<'_>) -> Result<(), BackendError> {
    let what = "link mathematical functions";
    let needed: Vec<(String, &str)> = module
        .get_functions()
        .filter(|function| function.count_basic_blocks() == 0)
        .filter_map(|function| {
            let name = name_of(function);
            let text = definition(&name)?;
            Some((name, text))
        })
        .collect();
    if needed.is_empty() {
        return Ok(());
    }
    let start = TEXT.find("\ndefine ").expect("the text has definitions");
    let mut text = TEXT[..start].to_owned();
    for (_, definition) in &needed {
        let _ = write!(text, "\n{definition}");
    }
    let failed = |message| BackendError::Llvm { what, message };
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "math");
    let library = cx
        .inkwell()
        .create_module_from_ir(buffer)
        .map_err(|message| failed(message.to_string()))?;
    library.set_triple(&module.get_triple());
    library.set_data_layout(&module.get_data_layout());
    // SAFETY: both modules are alive and of the context `cx`. Linking takes ownership of the library, whether it
    // succeeds or not.
    let is_failed = unsafe {
        let pointer = library.as_mut_ptr();
        std::mem::forget(library);
        llvm_sys::linker::LLVMLinkModules2(module.as_mut_ptr(), pointer)
    };
    cx.check(what)?;
    if is_failed != 0 {
        return Err(failed("the modules do not fit together".to_owned()));
    }
    for (name, _) in needed {
        let function = module.get_function(&name).expect("it was declared");
        function.set_linkage(Linkage::Internal);
    }
    Ok(())
}

#[cfg(test)]
mod accuracy;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Arch;

    fn names() -> Vec<&'static str> {
        let heads = TEXT.lines().filter(|line| line.starts_with("define "));
        heads
            .filter_map(|head| Some(head.split_once('@')?.1.split_once('(')?.0))
            .collect()
    }

    #[test]
    fn every_function_is_valid_by_itself_and_calls_only_intrinsics() {
        let names = names();
        for function in ["atan2", "fmod", "log", "log2", "pow", "powi", "sin"] {
            for scalar in ["f32", "f64"] {
                let name = format!("tile_{function}_{scalar}");
                assert!(names.contains(&name.as_str()), "{name}");
            }
        }
        for name in names {
            let cx = Context::new();
            let start = TEXT.find("\ndefine ").expect("a definition");
            let text = format!("{}\n{}", &TEXT[..start], definition(name).expect("found"));
            let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "math");
            let module = cx
                .inkwell()
                .create_module_from_ir(buffer)
                .unwrap_or_else(|message| panic!("{name}: {message}"));
            module.verify().expect("a valid module");
            for function in module.get_functions() {
                let called = name_of(function);
                assert!(
                    called == name || function.get_intrinsic_id() != 0,
                    "{name} has {called}"
                );
            }
        }
    }

    #[test]
    fn only_what_is_called_is_linked_and_it_is_internal() {
        let cx = Context::new();
        let module = cx.module("test", Arch::SM_80).expect("a module");
        let f32_type = cx.inkwell().f32_type();
        let ty = f32_type.fn_type(&[f32_type.into()], false);
        link(&cx, &module).expect("nothing is needed");
        assert_eq!(module.get_functions().count(), 0);
        module.add_function("tile_sin_f32", ty, None);
        module.add_function("tile_nosuch_f32", ty, None);
        link(&cx, &module).expect("linked");
        let sine = module.get_function("tile_sin_f32").expect("linked");
        assert!(sine.count_basic_blocks() > 0);
        assert_eq!(sine.get_linkage(), Linkage::Internal);
        let other = module.get_function("tile_nosuch_f32").expect("kept");
        assert_eq!(other.count_basic_blocks(), 0);
        assert!(module.get_function("tile_cos_f32").is_none());
        module.verify().expect("a valid module");
    }
}
