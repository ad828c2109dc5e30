//! Loads the fatbin of a kernel variant, and launches its function.
//!
//! The driver chooses a cubin, or compiles the PTX. The launch configuration depends on this choice, which is
//! read from the attributes of the loaded function. `CU_FUNC_ATTRIBUTE_PTX_VERSION` is the architecture that
//! a cubin was compiled for, or the target of the PTX that was compiled.

use std::ffi::{CString, c_int, c_uint, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use super::sys;

use super::occupancy::{cluster_attribute, occupancy};
use super::{Context, RawStream, check};
use crate::image::{ArchImage, KernelImage, VariantImage};
use crate::launch_grid::{LaunchGrid, Occupancy, can_launch, launch_grid};
use crate::{Error, Result};

/// The dynamic shared memory that a function may use without an opt-in (`cuFuncSetAttribute`): 48 KiB (CUDA
/// programming guide, "Shared Memory").
const PLAIN_SHARED_BYTES: u32 = 48 * 1024;

/// The functions loaded from one fatbin, one per context that launched it.
#[derive(Debug)]
pub(crate) struct ModuleCache(Mutex<Vec<(usize, Function)>>);

/// A loaded kernel and the launch configuration of its blocks.
#[derive(Clone, Copy, Debug)]
struct Function {
    raw: sys::CUfunction,
    arch: &'static ArchImage,
    occupancy: Occupancy,
}

// SAFETY: a CUfunction may be used from any thread, and its module is never unloaded.
unsafe impl Send for Function {}

impl ModuleCache {
    pub(crate) const fn new() -> ModuleCache {
        ModuleCache(Mutex::new(Vec::new()))
    }
}

/// A variant of a kernel, with the functions loaded from it.
#[derive(Clone, Copy)]
pub(crate) struct Code {
    pub(crate) image: &'static KernelImage,
    pub(crate) variant: &'static VariantImage,
    pub(crate) loaded: &'static ModuleCache,
}

impl Code {
    /// Returns the function for a context. The first call loads it.
    fn function(self, context: &'static Context) -> Result<Function> {
        let mut functions = self.loaded.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, function)) = functions
            .iter()
            .find(|(ordinal, _)| *ordinal == context.ordinal)
        {
            return Ok(*function);
        }
        let _current = context.enter()?;
        let function = load(context, self)?;
        functions.push((context.ordinal, function));
        Ok(function)
    }
}

fn load(context: &'static Context, code: Code) -> Result<Function> {
    let Code { image, variant, .. } = code;
    let refused = |error: Error| refusal(error, context, code);
    if variant.fatbin.is_empty() {
        return Err(no_code(context, code));
    }
    let mut module = Module(ptr::null_mut());
    // SAFETY: the image is a fatbin, whose header contains its length; it was written by
    // `fatbinary` and is 8-byte aligned in this program.
    check("cuModuleLoadData", unsafe {
        sys::cuModuleLoadData(&raw mut module.0, variant.fatbin.as_ptr().cast())
    })
    .map_err(refused)?;
    let entry = CString::new(variant.entry).map_err(|_| Error::Artifact {
        kernel: image.name,
        reason: "the entry has a zero byte in its name".to_owned(),
    })?;
    let mut raw = ptr::null_mut();
    // SAFETY: `module` was loaded; the name ends with a NUL.
    check("cuModuleGetFunction", unsafe {
        sys::cuModuleGetFunction(&raw mut raw, module.0, entry.as_ptr())
    })
    .map_err(refused)?;

    let ptx_version = attribute(
        raw,
        sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION,
    )?;
    let max_threads = attribute(
        raw,
        sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
    )?;
    let arch =
        configuration(variant.archs, ptx_version, max_threads).ok_or_else(|| Error::Artifact {
            kernel: image.name,
            reason: format!(
                "the driver loaded code for sm_{ptx_version} with at most {max_threads} threads, which is none of the \
                 embedded ones"
            ),
        })?;
    if arch.shared_bytes > PLAIN_SHARED_BYTES {
        let bytes = c_int::try_from(arch.shared_bytes).unwrap_or(c_int::MAX);
        // SAFETY: `raw` is a loaded function.
        check("cuFuncSetAttribute", unsafe {
            sys::cuFuncSetAttribute(
                raw,
                sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                bytes,
            )
        })?;
    }
    let function = Function {
        raw,
        arch,
        occupancy: occupancy(raw, arch, context.multiprocessors)?,
    };
    module.keep();
    Ok(function)
}

/// A module that is unloaded unless all of it was found; null before it is loaded.
struct Module(sys::CUmodule);

impl Module {
    /// Leaves the module loaded for ever.
    fn keep(mut self) {
        self.0 = ptr::null_mut();
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the module is loaded in the current context, and nothing uses it. It stays loaded if the call
            // fails.
            let _ = unsafe { sys::cuModuleUnload(self.0) };
        }
    }
}

fn attribute(function: sys::CUfunction, attribute: sys::CUfunction_attribute) -> Result<u32> {
    let mut value = 0;
    // SAFETY: writes one int; `function` is loaded.
    check("cuFuncGetAttribute", unsafe {
        sys::cuFuncGetAttribute(&raw mut value, attribute, function)
    })?;
    Ok(u32::try_from(value).unwrap_or(0))
}

/// Returns the embedded architecture that a function was compiled for. If two have the same number (`sm_90`
/// and `sm_90a`), prefers the one whose block size is the function's maximum.
fn configuration(
    archs: &'static [ArchImage],
    ptx_version: u32,
    max_threads: u32,
) -> Option<&'static ArchImage> {
    let mut fitting = archs
        .iter()
        .filter(|arch| arch.capability == ptx_version && arch.threads <= max_threads);
    fitting
        .clone()
        .find(|arch| arch.threads == max_threads)
        .or_else(|| fitting.next())
}

/// Translates a failure to load a module into an error for the author of the kernel.
fn refusal(error: Error, context: &'static Context, code: Code) -> Error {
    let Error::Driver { name, .. } = &error else {
        return error;
    };
    match name.as_str() {
        "CUDA_ERROR_NO_BINARY_FOR_GPU" => no_code(context, code),
        "CUDA_ERROR_UNSUPPORTED_PTX_VERSION" | "CUDA_ERROR_INVALID_PTX" => Error::PtxTooNew {
            kernel: code.image.name,
            arch: context.arch(),
        },
        _ => error,
    }
}

fn no_code(context: &'static Context, code: Code) -> Error {
    Error::NoDeviceCode {
        kernel: code.image.name,
        device: context.name.clone(),
        arch: context.arch(),
        embedded: code.variant.archs.iter().map(|arch| arch.name).collect(),
    }
}

/// Returns the architecture whose code the driver chooses for a variant.
pub(super) fn loaded_arch(context: &'static Context, code: Code) -> Result<&'static ArchImage> {
    Ok(code.function(context)?.arch)
}

/// Returns `true` if the device can launch the code that the driver chose for a variant on this
/// grid.
pub(crate) fn is_startable(context: &'static Context, code: Code, grid: [u32; 3]) -> Result<bool> {
    let is_plain =
        |arch: &ArchImage| arch.blocks_per_tile == 1 && arch.persistent_blocks_per_sm.is_none();
    if code.variant.archs.iter().all(is_plain) {
        return Ok(true);
    }
    let Function {
        raw: _,
        arch,
        occupancy,
    } = code.function(context)?;
    Ok(can_launch(arch, grid, occupancy))
}

/// Returns the launch attribute by which a kernel may start before the previous one in the stream has ended. The
/// kernel waits for that one itself before it accesses memory and before it ends, so what follows it in the
/// stream follows both.
fn programmatic_attribute() -> sys::CUlaunchAttribute {
    // SAFETY: the attribute consists of numbers and bytes, for which zeros are valid.
    let mut attribute: sys::CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    attribute
}

/// A kernel with its arguments, ready to be submitted.
pub(crate) struct Call {
    kernel: &'static KernelImage,
    function: Function,
    grid: LaunchGrid,
    /// The values of the entry's parameters in order, in the low bytes of each word.
    parameters: Vec<u64>,
    /// The tensor maps that follow the parameters.
    maps: Vec<sys::CUtensorMap>,
    /// `true` if the kernel may start before the previous one in the stream has ended.
    programmatic: bool,
}

/// Returns the call of a variant; `grid` counts work tiles.
pub(crate) fn call(
    context: &'static Context,
    code: Code,
    grid: [u32; 3],
    parameters: Vec<u64>,
    maps: Vec<sys::CUtensorMap>,
) -> Result<Call> {
    let function = code.function(context)?;
    Ok(Call {
        kernel: code.image,
        function,
        grid: launch_grid(function.arch, grid, function.occupancy),
        parameters,
        maps,
        programmatic: function.arch.programmatic,
    })
}

impl Call {
    /// Makes the kernel start after the previous one in the stream, even if it was compiled to start before.
    pub(crate) fn after_the_previous(self) -> Call {
        Call {
            programmatic: false,
            ..self
        }
    }

    /// Submits the kernel to a stream of the current context. The memory of the arguments must stay
    /// allocated until the kernel has finished.
    pub(crate) fn submit(&self, stream: &RawStream) -> Result<()> {
        let Call {
            kernel,
            function,
            grid:
                LaunchGrid {
                    grid: [x, y, z],
                    cluster,
                    extents,
                },
            parameters,
            maps,
            programmatic,
        } = self;
        stream.context().history.note(kernel);
        let extents = extents.as_ref().map_or(&[][..], |extents| &extents[..]);
        // The driver only reads the values.
        let mut pointers: Vec<*mut c_void> = parameters
            .iter()
            .map(|value| (&raw const *value).cast_mut().cast())
            .chain(maps.iter().map(|map| (&raw const *map).cast_mut().cast()))
            .chain(
                extents
                    .iter()
                    .map(|extent| (&raw const *extent).cast_mut().cast()),
            )
            .collect();
        let mut attributes = Vec::new();
        if *cluster > 1 {
            attributes.push(cluster_attribute(*cluster));
        }
        if *programmatic {
            attributes.push(programmatic_attribute());
        }
        if let Ok(count @ 1..) = c_uint::try_from(attributes.len()) {
            let config = sys::CUlaunchConfig {
                gridDimX: *x,
                gridDimY: *y,
                gridDimZ: *z,
                blockDimX: function.arch.threads,
                blockDimY: 1,
                blockDimZ: 1,
                sharedMemBytes: function.arch.shared_bytes,
                hStream: stream.raw(),
                attrs: attributes.as_mut_ptr(),
                numAttrs: count,
            };
            // SAFETY: as below; the driver reads the configuration and its attributes during the call.
            return check("cuLaunchKernelEx", unsafe {
                sys::cuLaunchKernelEx(
                    &raw const config,
                    function.raw,
                    pointers.as_mut_ptr(),
                    ptr::null_mut(),
                )
            });
        }
        // SAFETY: the function is loaded in the current context. The parameters match its signature, because
        // the stub and the entry were made from one signature. The memory that they point into remains
        // allocated until after this work (`DeviceMemory::free`).
        check("cuLaunchKernel", unsafe {
            sys::cuLaunchKernel(
                function.raw,
                *x,
                *y,
                *z,
                function.arch.threads,
                1,
                1,
                function.arch.shared_bytes,
                stream.raw(),
                pointers.as_mut_ptr(),
                ptr::null_mut(),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn arch(name: &'static str, capability: u32, threads: u32) -> ArchImage {
        ArchImage {
            name,
            capability,
            threads,
            ..ArchImage::PLAIN
        }
    }

    static ARCHS: [ArchImage; 3] = [
        arch("sm_80", 80, 128),
        arch("sm_90", 90, 128),
        arch("sm_90a", 90, 384),
    ];

    fn chosen(ptx_version: u32, max_threads: u32) -> Option<&'static str> {
        configuration(&ARCHS, ptx_version, max_threads).map(|arch| arch.name)
    }

    #[test]
    fn the_configuration_is_that_of_the_code_the_driver_took() {
        assert_eq!(chosen(80, 128), Some("sm_80"));
        assert_eq!(chosen(90, 384), Some("sm_90a"));
        assert_eq!(chosen(90, 128), Some("sm_90"));
        assert_eq!(chosen(80, 1024), Some("sm_80"));
    }

    #[test]
    fn code_that_is_not_embedded_has_no_configuration() {
        assert_eq!(chosen(100, 128), None);
        assert_eq!(chosen(80, 64), None);
    }
}
