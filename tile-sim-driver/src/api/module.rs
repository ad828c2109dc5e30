//! Modules and functions.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::Arc;

use crate::abi::{CUdeviceptr, CUfunction, CUmodule, In, Out};
use crate::fatbin::{Image, Pointed};
use crate::module::compile;
use crate::result::CUresult;
use crate::state::{self, Reply, State};

/// Options of `cuModuleLoadDataEx`: the buffers of the logs and their sizes.
const INFO_LOG: (c_uint, c_uint) = (3, 4);
const ERROR_LOG: (c_uint, c_uint) = (5, 6);

/// The buffers that a caller gave for logs.
#[derive(Debug)]
struct Logs {
    options: Vec<c_uint>,
    values: Out<*mut c_void>,
}

impl Logs {
    fn value(&self, option: c_uint) -> Option<(usize, *mut c_void)> {
        let index = self.options.iter().position(|&known| known == option)?;
        let value = self.values.as_in().at(index).ok()?;
        Some((index, value))
    }

    /// Writes a text to a buffer, and the length of the text to the option of its size.
    fn write(&self, (buffer, size): (c_uint, c_uint), text: &str) {
        let (Some((_, buffer)), Some((index, size))) = (self.value(buffer), self.value(size))
        else {
            return;
        };
        let size = size.addr();
        if buffer.is_null() || size == 0 {
            return;
        }
        let mut bytes: Vec<u8> = text.bytes().take(size - 1).collect();
        let written = bytes.len();
        bytes.push(0);
        // SAFETY: the caller promised a buffer of `size` bytes.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.cast(), bytes.len()) };
        // SAFETY: the caller promised as many values as options.
        unsafe {
            self.values
                .raw()
                .add(index)
                .write_unaligned(std::ptr::without_provenance_mut(written));
        }
    }
}

fn load(module: Out<CUmodule>, image: &impl Image, logs: Option<&Logs>) -> Reply {
    let state = state::initialized()?;
    let context = state.current()?;
    if module.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let device = state.contexts.get(context)?.device;
    let capability = state.devices[device].model.capability;
    // Parsing takes long.
    drop(state);
    let compiled = match compile(image, capability) {
        Ok(compiled) => compiled,
        Err(refusal) => {
            match logs {
                Some(logs) if logs.value(ERROR_LOG.0).is_some() => {
                    logs.write(ERROR_LOG, &refusal.log);
                }
                _ => crate::report(&refusal.log),
            }
            return Err(refusal.result);
        }
    };
    if let Some(logs) = logs {
        logs.write(INFO_LOG, "");
        logs.write(ERROR_LOG, "");
    }
    let mut state = state::initialized()?;
    module.set(state.load(context, Arc::new(compiled))?)
}

pub(super) fn pointed(image: In<c_void>) -> Reply<Pointed> {
    if image.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller promised an image.
    Ok(unsafe { Pointed::new(image.raw().cast()) })
}

/// Returns a text that stays: the API lends it, and a program asks for few names.
pub(super) fn lent_name(name: &str) -> Reply<*const c_char> {
    let text = std::ffi::CString::new(name);
    let text = text.map_err(|_| CUresult::CUDA_ERROR_INVALID_HANDLE)?;
    Ok(text.into_raw().cast_const())
}

/// `CUfunction_attribute`.
mod attribute {
    pub(super) const MAX_THREADS: u32 = 0;
    pub(super) const SHARED: u32 = 1;
    pub(super) const CONST: u32 = 2;
    pub(super) const LOCAL: u32 = 3;
    pub(super) const REGISTERS: u32 = 4;
    pub(super) const PTX_VERSION: u32 = 5;
    pub(super) const BINARY_VERSION: u32 = 6;
    pub(super) const CACHE_MODE: u32 = 7;
    pub(super) const MAX_DYNAMIC_SHARED: u32 = 8;
    pub(super) const CARVEOUT: u32 = 9;
    pub(super) const CLUSTER_SIZE_MUST_BE_SET: u32 = 10;
    pub(super) const CLUSTER_WIDTH: u32 = 11;
    pub(super) const CLUSTER_DEPTH: u32 = 13;
    pub(super) const NON_PORTABLE_CLUSTER: u32 = 14;
    pub(super) const CLUSTER_POLICY: u32 = 15;
}

impl State {
    /// Returns an attribute of a function.
    pub(crate) fn function_attribute(
        &self,
        function: CUfunction,
        attribute: c_uint,
    ) -> Reply<c_int> {
        let function = self.functions.get(function)?;
        let context = self.working(function.context)?;
        let code = &function.code;
        let module = &code.module;
        let capability = self.devices[context.device].model.capability;
        Ok(match attribute {
            attribute::MAX_THREADS => code.max_threads(),
            attribute::SHARED => code.static_shared(),
            attribute::CONST | attribute::CACHE_MODE => 0,
            attribute::LOCAL => {
                let bytes = module.local_bytes(&code.name).unwrap_or(0);
                c_int::try_from(bytes).unwrap_or(c_int::MAX)
            }
            attribute::REGISTERS => code.registers(),
            attribute::PTX_VERSION => c_int::from(module.target().number),
            attribute::BINARY_VERSION => capability.0 * 10 + capability.1,
            attribute::MAX_DYNAMIC_SHARED => function.max_dynamic_shared,
            attribute::CARVEOUT => function.carveout,
            attribute::CLUSTER_SIZE_MUST_BE_SET => {
                c_int::from(module.requires_cluster_size(&code.name))
            }
            attribute::CLUSTER_WIDTH..=attribute::CLUSTER_DEPTH => {
                let axis = (attribute - attribute::CLUSTER_WIDTH) as usize;
                let required = module.required_cluster(&code.name);
                let required = required.map(|sizes| c_int::try_from(sizes[axis]).unwrap_or(0));
                required.unwrap_or(function.cluster[axis])
            }
            attribute::NON_PORTABLE_CLUSTER => c_int::from(function.non_portable_cluster),
            attribute::CLUSTER_POLICY => function.cluster_policy,
            _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        })
    }

    /// Changes an attribute of a function.
    pub(crate) fn set_function_attribute(
        &mut self,
        function: CUfunction,
        attribute: c_uint,
        value: c_int,
    ) -> Reply {
        let found = self.functions.get(function)?;
        let device = self.working(found.context)?.device;
        let limit = self.devices[device].model.shared_of_block - found.code.static_shared();
        let is_fixed = found
            .code
            .module
            .required_cluster(&found.code.name)
            .is_some();
        let function = self.functions.get_mut(function)?;
        match attribute {
            attribute::MAX_DYNAMIC_SHARED if (0..=limit).contains(&value) => {
                function.max_dynamic_shared = value;
            }
            attribute::CARVEOUT if (-1..=100).contains(&value) => function.carveout = value,
            attribute::CLUSTER_WIDTH..=attribute::CLUSTER_DEPTH if !is_fixed && value >= 0 => {
                function.cluster[(attribute - attribute::CLUSTER_WIDTH) as usize] = value;
            }
            attribute::CLUSTER_WIDTH..=attribute::CLUSTER_DEPTH if is_fixed => {
                return Err(CUresult::CUDA_ERROR_NOT_PERMITTED);
            }
            attribute::NON_PORTABLE_CLUSTER if (0..=1).contains(&value) => {
                function.non_portable_cluster = value == 1;
            }
            attribute::CLUSTER_POLICY if (0..=2).contains(&value) => {
                function.cluster_policy = value;
            }
            _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        }
        Ok(())
    }
}

api! {
    fn cuModuleLoadData(module: Out<CUmodule>, image: In<c_void>) {
        load(module, &pointed(image)?, None)
    }

    fn cuModuleLoadDataEx(module: Out<CUmodule>, image: In<c_void>, count: c_uint, options: Out<c_uint>, values: Out<*mut c_void>) {
        let logs = Logs {
            options: options.as_in().list(count as usize)?,
            values,
        };
        load(module, &pointed(image)?, Some(&logs))
    }

    fn cuModuleLoadFatBinary(module: Out<CUmodule>, image: In<c_void>) {
        load(module, &pointed(image)?, None)
    }

    fn cuModuleLoad(module: Out<CUmodule>, path: In<c_char>) {
        let state = state::initialized()?;
        state.current()?;
        drop(state);
        let image = std::fs::read(path.text()?);
        let image = image.map_err(|_| CUresult::CUDA_ERROR_FILE_NOT_FOUND)?;
        load(module, &image.as_slice(), None)
    }

    fn cuModuleUnload(module: CUmodule) {
        let state = state::initialized()?;
        let context = state.modules.get(module)?.context;
        state.working(context)?;
        // Its kernels may still run.
        let mut state = super::context::finish(state, context);
        state.unload(module)
    }

    fn cuModuleGetFunction(function: Out<CUfunction>, module: CUmodule, name: In<c_char>) {
        let mut state = state::initialized()?;
        let name = name.text()?;
        let context = state.modules.get(module)?.context;
        state.working(context)?;
        function.set(state.function(module, &name)?)
    }

    fn cuModuleGetFunctionCount(count: Out<c_uint>, module: CUmodule) {
        let state = state::initialized()?;
        let entries = state.modules.get(module)?.ptx.entries().count();
        count.set(c_uint::try_from(entries).unwrap_or(c_uint::MAX))
    }

    fn cuModuleEnumerateFunctions(functions: Out<CUfunction>, count: c_uint, module: CUmodule) {
        let mut state = state::initialized()?;
        let entries = state.modules.get(module)?.ptx.entries().take(count as usize);
        let names: Vec<String> = entries.map(str::to_owned).collect();
        let handles: Reply<Vec<_>> = names.iter().map(|name| state.function(module, name)).collect();
        functions.set_all(&handles?)
    }

    fn cuModuleGetGlobal_v2[3020](address: Out<CUdeviceptr>, bytes: Out<usize>, module: CUmodule, name: In<c_char>) {
        let state = state::initialized()?;
        let name = name.text()?;
        let variables = &state.modules.get(module)?.variables;
        let &(start, size) = variables.get(&name).ok_or(CUresult::CUDA_ERROR_NOT_FOUND)?;
        address.put(start);
        bytes.put(size);
        Ok(())
    }

    fn cuModuleGetLoadingMode(mode: Out<c_uint>) {
        // CU_MODULE_EAGER_LOADING
        mode.set(1)
    }

    fn cuFuncGetModule(module: Out<CUmodule>, function: CUfunction) {
        let state = state::initialized()?;
        module.set(state.functions.get(function)?.module)
    }

    fn cuFuncGetName(name: Out<*const c_char>, function: CUfunction) {
        let state = state::initialized()?;
        let code = &state.functions.get(function)?.code;
        name.set(lent_name(&code.name)?)
    }

    fn cuFuncGetParamInfo(function: CUfunction, index: usize, offset: Out<usize>, bytes: Out<usize>) {
        let state = state::initialized()?;
        let code = &state.functions.get(function)?.code;
        let params = code.module.param_places(&code.name);
        let params = params.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        let place = params.get(index).ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        offset.set(place.start)?;
        bytes.put(place.len());
        Ok(())
    }

    fn cuFuncGetParamCount(function: CUfunction, count: Out<usize>) {
        let state = state::initialized()?;
        let code = &state.functions.get(function)?.code;
        let params = code.module.param_places(&code.name);
        count.set(params.ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?.len())
    }

    fn cuFuncGetAttribute(value: Out<c_int>, attribute: c_uint, function: CUfunction) {
        let state = state::initialized()?;
        value.set(state.function_attribute(function, attribute)?)
    }

    fn cuFuncSetAttribute(function: CUfunction, attribute: c_uint, value: c_int) {
        let mut state = state::initialized()?;
        state.set_function_attribute(function, attribute, value)
    }

    fn cuFuncSetCacheConfig(function: CUfunction, cache: c_uint) {
        let state = state::initialized()?;
        state.functions.get(function)?;
        if cache > 3 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(())
    }

    fn cuFuncSetSharedMemConfig(function: CUfunction, config: c_uint) {
        let state = state::initialized()?;
        state.functions.get(function)?;
        if config > 2 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        Ok(())
    }

    fn cuFuncIsLoaded(loading: Out<c_uint>, function: CUfunction) {
        let state = state::initialized()?;
        state.functions.get(function)?;
        // CU_FUNCTION_LOADING_STATE_LOADED
        loading.set(1)
    }

    fn cuFuncLoad(function: CUfunction) {
        let state = state::initialized()?;
        state.functions.get(function).map(drop)
    }
}
