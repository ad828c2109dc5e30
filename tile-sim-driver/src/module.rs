//! Modules and their functions.

use std::collections::BTreeMap;
use std::sync::Arc;

use tile_sim::Suffix;

use crate::abi::{CUcontext, CUfunction, CUmodule};
use crate::because;
use crate::device::PLAIN_SHARED;
use crate::fatbin::{self, Image, NoCode};
use crate::memory::{Kind, Request};
use crate::result::CUresult;
use crate::state::{Reply, State};

/// A module that is loaded into a context.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) context: CUcontext,
    pub(crate) ptx: Arc<tile_sim::Module>,
    /// The address and the size of each variable.
    pub(crate) variables: BTreeMap<String, (u64, usize)>,
    addresses: Arc<[u64]>,
    functions: BTreeMap<String, CUfunction>,
}

/// A kernel with the addresses of its module's variables.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) module: Arc<tile_sim::Module>,
    pub(crate) variables: Arc<[u64]>,
    pub(crate) name: String,
}

/// A function of a module.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) context: CUcontext,
    pub(crate) module: CUmodule,
    pub(crate) code: Arc<Code>,
    /// The dynamic shared memory that launches may use in bytes.
    pub(crate) max_dynamic_shared: i32,
    pub(crate) carveout: i32,
    pub(crate) cluster: [i32; 3],
    pub(crate) non_portable_cluster: bool,
    pub(crate) cluster_policy: i32,
}

/// Why a module could not be loaded.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) result: CUresult,
    /// What the log of the compiler says.
    pub(crate) log: String,
}

/// Parses the code of an image for a device.
pub(crate) fn compile(
    image: &impl Image,
    capability: (i32, i32),
) -> Result<tile_sim::Module, Refusal> {
    let refused = |result, log| Err(Refusal { result, log });
    let text = match fatbin::ptx(image, capability) {
        Ok(text) => text,
        Err(NoCode::ForDevice(log)) => return refused(CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU, log),
        Err(NoCode::Invalid(log)) => return refused(CUresult::CUDA_ERROR_INVALID_IMAGE, log),
    };
    let module = match tile_sim::Module::parse(&text) {
        Ok(module) => module,
        Err(error) => {
            let line = text.lines().nth(error.line.saturating_sub(1) as usize);
            let line = line.unwrap_or_default().trim();
            let log = format!("ptx line {}: {}: `{line}`", error.line, error.message);
            return refused(CUresult::CUDA_ERROR_INVALID_PTX, log);
        }
    };
    let target = module.target();
    let suffix = match target.suffix {
        Suffix::None => None,
        Suffix::Family => Some('f'),
        Suffix::Architecture => Some('a'),
    };
    if !fatbin::fits((target.number, suffix), capability) {
        let (major, minor) = capability;
        let log = format!("the target {target} of the PTX does not run on sm_{major}{minor}");
        return refused(CUresult::CUDA_ERROR_INVALID_PTX, log);
    }
    Ok(module)
}

impl State {
    /// Loads a module into a context: places its variables.
    pub(crate) fn load(
        &mut self,
        context: CUcontext,
        ptx: Arc<tile_sim::Module>,
    ) -> Reply<CUmodule> {
        let device = self.contexts.get(context)?.device;
        let mut addresses = Vec::new();
        let mut allocations = Vec::new();
        let mut variables = BTreeMap::new();
        for variable in ptx.variables() {
            let request = Request {
                kind: Kind::Variable,
                context,
                device,
                bytes: variable.bytes,
            };
            let allocation = self
                .memory
                .variable(request, variable.align, variable.constant)?;
            addresses.push(allocation.base());
            variables.insert(
                variable.name.to_owned(),
                (allocation.base(), variable.bytes),
            );
            allocations.push(allocation);
        }
        for (allocation, content) in allocations.iter().zip(ptx.initial(&addresses)) {
            allocation.region.write(0, &content);
        }
        Ok(self.modules.add(Module {
            context,
            ptx,
            variables,
            addresses: addresses.into(),
            functions: BTreeMap::new(),
        }))
    }

    /// Returns the function of a module with this name.
    pub(crate) fn function(&mut self, handle: CUmodule, name: &str) -> Reply<CUfunction> {
        let module = self.modules.get(handle)?;
        if let Some(&function) = module.functions.get(name) {
            return Ok(function);
        }
        if !module.ptx.entries().any(|entry| entry == name) {
            let known: Vec<_> = module.ptx.entries().take(8).collect();
            let reason = format!(
                "the module has no kernel `{name}`, it has `{}`",
                known.join("`, `")
            );
            return Err(because(CUresult::CUDA_ERROR_NOT_FOUND, reason));
        }
        let function = Function {
            context: module.context,
            module: handle,
            code: Arc::new(Code {
                module: Arc::clone(&module.ptx),
                variables: Arc::clone(&module.addresses),
                name: name.to_owned(),
            }),
            max_dynamic_shared: PLAIN_SHARED.saturating_sub(static_shared(&module.ptx, name)),
            carveout: -1,
            cluster: [0; 3],
            non_portable_cluster: false,
            cluster_policy: 0,
        };
        let function = self.functions.add(function);
        let module = self.modules.get_mut(handle)?;
        module.functions.insert(name.to_owned(), function);
        Ok(function)
    }

    /// Unloads a module.
    pub(crate) fn unload(&mut self, handle: CUmodule) -> Reply {
        let module = self.modules.remove(handle)?;
        self.functions
            .retain(|_, function| function.module != handle);
        for (address, _) in module.variables.into_values() {
            if let Some(allocation) = self.memory.begins(address).cloned() {
                self.memory.free(&allocation, "`cuModuleUnload`");
                self.races.forget(address);
            }
        }
        Ok(())
    }
}

fn static_shared(module: &tile_sim::Module, name: &str) -> i32 {
    let bytes = module.static_shared_bytes(name).unwrap_or(0);
    i32::try_from(bytes).unwrap_or(i32::MAX)
}

impl Code {
    pub(crate) fn static_shared(&self) -> i32 {
        static_shared(&self.module, &self.name)
    }

    pub(crate) fn max_threads(&self) -> i32 {
        let max = self.module.max_threads(&self.name).unwrap_or(1024);
        i32::try_from(max.min(1024)).unwrap_or(1024)
    }

    /// Returns the registers of a thread: `.maxnreg`, or as many as `ptxas` may use for the block size.
    pub(crate) fn registers(&self) -> i32 {
        let max = self.module.max_registers(&self.name);
        let max = max.and_then(|max| i32::try_from(max).ok());
        let threads = (self.max_threads() + 31) / 32 * 32;
        let fit = (65536 / threads / 8 * 8).min(255);
        // Without an upper limit, a middling number: the simulator does not allocate registers.
        max.unwrap_or(64).min(fit)
    }
}
