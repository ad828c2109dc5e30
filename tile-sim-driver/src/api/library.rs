//! Libraries, which belong to no context, and their kernels.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ops::Range;
use std::sync::Arc;

use crate::abi::{CUdevice, CUdeviceptr, CUfunction, CUkernel, CUlibrary, CUmodule, In, Out};
use crate::fatbin::Image;
use crate::library::Library;
use crate::module::compile;
use crate::result::CUresult;
use crate::state::{self, Reply, State};

/// Loads a library: its code for each device that can run it.
fn load(library: Out<CUlibrary>, image: &impl Image) -> Reply {
    let state = state::initialized()?;
    if library.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let capabilities: Vec<_> = state
        .devices
        .iter()
        .map(|device| device.model.capability)
        .collect();
    // Parsing takes long.
    drop(state);
    let mut code = BTreeMap::new();
    let mut refusal = None;
    for capability in capabilities {
        if code.contains_key(&capability) {
            continue;
        }
        match compile(image, capability) {
            Ok(compiled) => {
                code.insert(capability, Arc::new(compiled));
            }
            Err(refused) => refusal = Some(refused),
        }
    }
    if let Some(refusal) = refusal.filter(|_| code.is_empty()) {
        return Err(crate::because(refusal.result, refusal.log));
    }
    let mut state = state::initialized()?;
    library.set(state.libraries.add(Library::of(code)))
}

/// Returns the function of a kernel in a context of a device: the current one, or else the primary one.
fn on_device(state: &mut State, kernel: CUkernel, device: CUdevice) -> Reply<CUfunction> {
    let device = state.device(device)?;
    state.kernels.get(kernel)?;
    let current = state.current().ok();
    let current = current.filter(|&context| {
        let context = state.contexts.get(context);
        context.is_ok_and(|context| context.device == device)
    });
    let primary = state.devices[device].primary;
    let primary = primary.filter(|&context| state.working(context).is_ok());
    let context = current.or(primary);
    let context = context.ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)?;
    state.kernel_function(kernel, context)
}

impl State {
    /// Returns the places of the parameters of a kernel.
    fn params(&self, kernel: CUkernel) -> Reply<Vec<Range<usize>>> {
        let found = self.kernels.get(kernel)?;
        let code = self.libraries.get(found.library)?.code.values().next();
        let places = code.and_then(|code| code.param_places(&found.name));
        places.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)
    }
}

api! {
    fn cuLibraryLoadData(library: Out<CUlibrary>, code: In<c_void>, _jit: Out<c_uint>, _jit_values: Out<*mut c_void>, _jit_count: c_uint, _options: Out<c_uint>, _values: Out<*mut c_void>, _count: c_uint) {
        load(library, &super::module::pointed(code)?)
    }

    fn cuLibraryLoadFromFile(library: Out<CUlibrary>, path: In<c_char>, _jit: Out<c_uint>, _jit_values: Out<*mut c_void>, _jit_count: c_uint, _options: Out<c_uint>, _values: Out<*mut c_void>, _count: c_uint) {
        drop(state::initialized()?);
        let image = std::fs::read(path.text()?);
        let image = image.map_err(|_| CUresult::CUDA_ERROR_FILE_NOT_FOUND)?;
        load(library, &image.as_slice())
    }

    fn cuLibraryUnload(library: CUlibrary) {
        let mut state = state::initialized()?;
        // Its kernels may still run.
        for context in state.contexts_of(library)? {
            state = super::context::finish(state, context);
        }
        state.unload_library(library)
    }

    fn cuLibraryGetKernel(kernel: Out<CUkernel>, library: CUlibrary, name: In<c_char>) {
        let mut state = state::initialized()?;
        let name = name.text()?;
        kernel.set(state.library_kernel(library, &name)?)
    }

    fn cuLibraryGetKernelCount(count: Out<c_uint>, library: CUlibrary) {
        let state = state::initialized()?;
        let entries = state.libraries.get(library)?.entries().len();
        count.set(c_uint::try_from(entries).unwrap_or(c_uint::MAX))
    }

    fn cuLibraryEnumerateKernels(kernels: Out<CUkernel>, count: c_uint, library: CUlibrary) {
        let mut state = state::initialized()?;
        let mut entries = state.libraries.get(library)?.entries();
        entries.truncate(count as usize);
        let handles: Reply<Vec<_>> = entries.iter().map(|name| state.library_kernel(library, name)).collect();
        kernels.set_all(&handles?)
    }

    fn cuLibraryGetModule(module: Out<CUmodule>, library: CUlibrary) {
        let mut state = state::initialized()?;
        let context = state.current()?;
        module.set(state.library_module(library, context)?)
    }

    fn cuLibraryGetGlobal(address: Out<CUdeviceptr>, bytes: Out<usize>, library: CUlibrary, name: In<c_char>) {
        let mut state = state::initialized()?;
        let name = name.text()?;
        let context = state.current()?;
        let module = state.library_module(library, context)?;
        let variables = &state.modules.get(module)?.variables;
        let &(start, size) = variables.get(&name).ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
        address.put(start);
        bytes.put(size);
        Ok(())
    }

    fn cuLibraryGetManaged(_address: Out<CUdeviceptr>, _bytes: Out<usize>, library: CUlibrary, name: In<c_char>) {
        let state = state::initialized()?;
        name.text()?;
        state.libraries.get(library)?;
        // PTX of the simulator has no managed variables.
        Err(CUresult::CUDA_ERROR_NOT_FOUND)
    }

    fn cuKernelGetFunction(function: Out<CUfunction>, kernel: CUkernel) {
        let mut state = state::initialized()?;
        let context = state.current()?;
        function.set(state.kernel_function(kernel, context)?)
    }

    fn cuKernelGetLibrary(library: Out<CUlibrary>, kernel: CUkernel) {
        let state = state::initialized()?;
        library.set(state.kernels.get(kernel)?.library)
    }

    fn cuKernelGetName(name: Out<*const c_char>, kernel: CUkernel) {
        let state = state::initialized()?;
        let found = state.kernels.get(kernel)?;
        name.set(super::module::lent_name(&found.name)?)
    }

    fn cuKernelGetParamCount(kernel: CUkernel, count: Out<usize>) {
        let state = state::initialized()?;
        count.set(state.params(kernel)?.len())
    }

    fn cuKernelGetParamInfo(kernel: CUkernel, index: usize, offset: Out<usize>, bytes: Out<usize>) {
        let state = state::initialized()?;
        let places = state.params(kernel)?;
        let place = places.get(index).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        offset.set(place.start)?;
        bytes.put(place.len());
        Ok(())
    }

    fn cuKernelGetAttribute(value: Out<c_int>, attribute: c_uint, kernel: CUkernel, device: CUdevice) {
        let mut state = state::initialized()?;
        let function = on_device(&mut state, kernel, device)?;
        value.set(state.function_attribute(function, attribute)?)
    }

    fn cuKernelSetAttribute(attribute: c_uint, value: c_int, kernel: CUkernel, device: CUdevice) {
        let mut state = state::initialized()?;
        let function = on_device(&mut state, kernel, device)?;
        state.set_function_attribute(function, attribute, value)?;
        let device = state.device(device)?;
        state.kernels.get_mut(kernel)?.attributes.insert((attribute, device), value);
        Ok(())
    }

    fn cuKernelSetCacheConfig(kernel: CUkernel, cache: c_uint, device: CUdevice) {
        let state = state::initialized()?;
        state.kernels.get(kernel)?;
        state.device(device)?;
        if cache > 3 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(())
    }
}
