//! Libraries: code that belongs to no context. A kernel of a library is a function in each context that uses it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::abi::{CUcontext, CUfunction, CUkernel, CUlibrary, CUmodule};
use crate::because;
use crate::result::CUresult;
use crate::state::{Reply, State};

/// A library.
#[derive(Debug, Default)]
pub(crate) struct Library {
    /// The code by the compute capability of devices.
    pub(crate) code: BTreeMap<(i32, i32), Arc<tile_sim::Module>>,
    /// The modules that contexts have of it.
    modules: BTreeMap<CUcontext, CUmodule>,
    kernels: BTreeMap<String, CUkernel>,
}

/// A kernel of a library.
#[derive(Debug)]
pub(crate) struct LibraryKernel {
    pub(crate) library: CUlibrary,
    pub(crate) name: String,
    /// What the program set, by the number of the attribute and the device.
    pub(crate) attributes: BTreeMap<(u32, usize), i32>,
}

impl Library {
    pub(crate) fn of(code: BTreeMap<(i32, i32), Arc<tile_sim::Module>>) -> Self {
        Self {
            code,
            ..Self::default()
        }
    }

    /// Returns the names of the kernels.
    pub(crate) fn entries(&self) -> Vec<String> {
        let code = self.code.values().next();
        let entries = code.into_iter().flat_map(|code| code.entries());
        entries.map(str::to_owned).collect()
    }
}

impl State {
    /// Returns the kernel of a library with this name.
    pub(crate) fn library_kernel(&mut self, handle: CUlibrary, name: &str) -> Reply<CUkernel> {
        let library = self.libraries.get(handle)?;
        if let Some(&kernel) = library.kernels.get(name) {
            return Ok(kernel);
        }
        let entries = library.entries();
        if !entries.iter().any(|entry| entry == name) {
            let known = entries[..entries.len().min(8)].join("`, `");
            let reason = format!("the library has no kernel `{name}`, it has `{known}`");
            return Err(because(CUresult::CUDA_ERROR_NOT_FOUND, reason));
        }
        let kernel = self.kernels.add(LibraryKernel {
            library: handle,
            name: name.to_owned(),
            attributes: BTreeMap::new(),
        });
        let library = self.libraries.get_mut(handle)?;
        library.kernels.insert(name.to_owned(), kernel);
        Ok(kernel)
    }

    /// Returns the module that a context has of a library, which it loads if there is none.
    pub(crate) fn library_module(
        &mut self,
        handle: CUlibrary,
        context: CUcontext,
    ) -> Reply<CUmodule> {
        let device = self.working(context)?.device;
        let capability = self.devices[device].model.capability;
        let library = self.libraries.get(handle)?;
        // A context that was reset has none any more.
        if let Some(&module) = library.modules.get(&context)
            && self.modules.has(module)
        {
            return Ok(module);
        }
        let code = library.code.get(&capability).cloned();
        let code = code.ok_or(CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU)?;
        let module = self.load(context, code)?;
        let library = self.libraries.get_mut(handle)?;
        library.modules.insert(context, module);
        Ok(module)
    }

    /// Returns the function that a kernel of a library is in a context.
    pub(crate) fn kernel_function(
        &mut self,
        kernel: CUkernel,
        context: CUcontext,
    ) -> Reply<CUfunction> {
        let found = self.kernels.get(kernel)?;
        let (library, name) = (found.library, found.name.clone());
        let attributes = found.attributes.clone();
        let module = self.library_module(library, context)?;
        let function = self.function(module, &name)?;
        let device = self.contexts.get(context)?.device;
        for ((attribute, of), value) in attributes {
            if of == device {
                self.set_function_attribute(function, attribute, value)?;
            }
        }
        Ok(function)
    }

    /// Returns the function of a handle, which may be that of a kernel of a library.
    pub(crate) fn resolve(&mut self, handle: CUfunction, context: CUcontext) -> Reply<CUfunction> {
        let kernel = CUkernel(handle.0);
        if self.kernels.has(kernel) {
            return self.kernel_function(kernel, context);
        }
        self.functions.get(handle)?;
        Ok(handle)
    }

    /// Removes a library, with its kernels and the modules that contexts have of it.
    pub(crate) fn unload_library(&mut self, handle: CUlibrary) -> Reply {
        let library = self.libraries.remove(handle)?;
        self.kernels.retain(|_, kernel| kernel.library != handle);
        for module in library.modules.into_values() {
            if self.modules.has(module) {
                self.unload(module)?;
            }
        }
        Ok(())
    }

    /// Returns the contexts that use a library.
    pub(crate) fn contexts_of(&self, handle: CUlibrary) -> Reply<Vec<CUcontext>> {
        let library = self.libraries.get(handle)?;
        Ok(library.modules.keys().copied().collect())
    }
}
