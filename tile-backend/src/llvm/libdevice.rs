//! Links the functions of `libdevice.10.bc` that a module calls.
//!
//! In: a module with declarations of `__nv_*` functions. Out: the same module with their definitions, which
//! are internal, so that the optimizer can inline them and then drop them.
//!
//! The library has hundreds of functions. It is read lazily, and its definitions become `linkonce` before
//! linking, so that LLVM's linker takes only the functions that are needed.

use std::collections::BTreeSet;
use std::path::Path;

use inkwell::llvm_sys;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};

use super::Context;
use super::passes::name_of;
use crate::error::BackendError;
use crate::tools::Tool;

/// The prefix of the names of libdevice functions.
const PREFIX: &str = "__nv_";

/// Returns `true` if `module` calls a function of libdevice.
pub fn is_needed(module: &Module<'_>) -> bool {
    module
        .get_functions()
        .any(|function| function.count_basic_blocks() == 0 && name_of(function).starts_with(PREFIX))
}

/// Links the functions that `module` needs from the libdevice at `path`. Does nothing if it needs none.
pub fn link(cx: &Context, module: &Module<'_>, path: Option<&Path>) -> Result<(), BackendError> {
    let what = "link libdevice";
    if !is_needed(module) {
        return Ok(());
    }
    let Some(path) = path else {
        return Err(BackendError::ToolMissing {
            tool: Tool::Libdevice,
            looked_in: Vec::new(),
        });
    };
    let bytes = std::fs::read(path)
        .map_err(|error| BackendError::io(format!("read `{}`", path.display()), error))?;
    let buffer = MemoryBuffer::create_from_memory_range_copy(&bytes, "libdevice");
    let defined_here: BTreeSet<String> = defined(module);
    // SAFETY: the context, the module and the buffer are alive. A successful read takes ownership of the
    // buffer and returns a module of the same context; after a failed read we still own the buffer. Linking
    // takes ownership of the library's module, whether it succeeds or not.
    let failed = unsafe {
        let mut library = std::ptr::null_mut();
        let failed = llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2(
            cx.inkwell().raw(),
            buffer.as_mut_ptr(),
            &raw mut library,
        );
        if failed == 0 {
            std::mem::forget(buffer);
            // The library's data layout has 64-bit shared pointers. Replacing it is sound, since no function
            // has pointers to shared memory.
            let layout = llvm_sys::core::LLVMGetDataLayoutStr(module.as_mut_ptr());
            llvm_sys::core::LLVMSetDataLayout(library, layout);
            make_lazy(library);
            llvm_sys::linker::LLVMLinkModules2(module.as_mut_ptr(), library)
        } else {
            failed
        }
    };
    cx.check(what)?;
    if failed != 0 {
        let message = format!("`{}` is not a bitcode file", path.display());
        return Err(BackendError::Llvm { what, message });
    }
    for function in module.get_functions() {
        if function.count_basic_blocks() > 0 && !defined_here.contains(&name_of(function)) {
            function.set_linkage(Linkage::Internal);
        }
    }
    Ok(())
}

fn defined(module: &Module<'_>) -> BTreeSet<String> {
    module
        .get_functions()
        .filter(|function| function.count_basic_blocks() > 0)
        .map(name_of)
        .collect()
}

/// Makes every definition of `library` `linkonce`, so that the linker takes a function only if it is called.
///
/// # Safety
///
/// `library` must be a live module.
unsafe fn make_lazy(library: llvm_sys::prelude::LLVMModuleRef) {
    // SAFETY: the functions of a live module are alive, and none is removed during the iteration.
    unsafe {
        let mut function = llvm_sys::core::LLVMGetFirstFunction(library);
        while !function.is_null() {
            let declared = llvm_sys::core::LLVMIsDeclaration(function) != 0;
            let linkage = llvm_sys::core::LLVMGetLinkage(function);
            if !declared && linkage != llvm_sys::LLVMLinkage::LLVMInternalLinkage {
                let lazy = llvm_sys::LLVMLinkage::LLVMLinkOnceODRLinkage;
                llvm_sys::core::LLVMSetLinkage(function, lazy);
            }
            function = llvm_sys::core::LLVMGetNextFunction(function);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Arch;

    #[test]
    fn only_what_is_called_is_linked_and_it_is_internal() {
        let path = match Tool::Libdevice.find() {
            Ok(path) => path,
            Err(error) => return crate::testing::skip(&error),
        };
        let cx = Context::new();
        let module = cx.module("test", Arch::SM_80).expect("a module");
        let f32_type = cx.inkwell().f32_type();
        let ty = f32_type.fn_type(&[f32_type.into()], false);
        assert!(!is_needed(&module));
        link(&cx, &module, None).expect("nothing is needed");
        module.add_function("__nv_sinf", ty, None);
        assert!(is_needed(&module));
        link(&cx, &module, Some(&path)).expect("linked");
        assert!(!is_needed(&module));
        let linked: Vec<_> = module
            .get_functions()
            .filter(|function| function.count_basic_blocks() > 0)
            .collect();
        assert!((1..10).contains(&linked.len()), "{}", linked.len());
        for function in linked {
            assert_eq!(
                function.get_linkage(),
                Linkage::Internal,
                "{}",
                name_of(function)
            );
        }
        module.verify().expect("a valid module");
    }
}
