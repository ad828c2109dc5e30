//! Runs programs as a GPU does: compiles them to PTX and executes it in the simulator with all
//! checks.

use super::generate::Sample;
use super::rustc::Outcome;
use tile_backend::internals::llvm::{Compilation, Context};
use tile_backend::internals::{llvm, lower_for};
use tile_backend::target::Arch;
use tile_core::Diagnostics;
use tile_core::canonicalize::Canonical;
use tile_sim::{Arg, Launch, Memory, Module, Options};

/// The tested architecture.
const ARCH: Arch = Arch::SM_90A;

/// Alignment in bytes of memory from `cuMemAlloc`.
const ALIGNMENT: u64 = 256;

/// A program that can run.
pub(super) struct Device {
    module: Module,
    entry: String,
    threads: u32,
    shared_bytes: u32,
}

/// Compiles the first entry of a module.
pub(super) fn device(canonical: &Canonical) -> Result<Device, String> {
    let mut diagnostics = Diagnostics::new();
    let kernels = lower_for(canonical.module(), ARCH, None, &mut diagnostics)
        .map_err(|_| format!("the back end refuses it: {:#?}", diagnostics.take()))?;
    let kernel = kernels.first().ok_or("no entry")?;
    let cx = Context::new();
    let compilation = Compilation::new(ARCH);
    let ptx = llvm::emit(&cx, kernel, ARCH)
        .and_then(|module| llvm::compile(&cx, &module, &compilation))
        .map_err(|error| error.to_string())?;
    Ok(Device {
        module: Module::parse(ptx.text()).map_err(|error| error.to_string())?,
        entry: kernel.name.clone(),
        threads: 32 * kernel.launch.num_warps,
        shared_bytes: kernel.shared.bytes,
    })
}

impl Device {
    pub(super) fn run(&self, sample: &Sample, row: &[u64]) -> Result<Outcome, String> {
        let mut memory = Memory::new();
        let bytes = [super::kernel::size(sample.result), 8];
        let places = bytes.map(|bytes| memory.alloc_with(&vec![0; bytes], ALIGNMENT));
        let mut words = row.to_vec();
        for place in places {
            // The tensor has one axis with extent 1 and stride 1.
            words.extend([place, 1, 1]);
        }
        let widths = self.module.param_bytes(&self.entry);
        let widths = widths.ok_or("no entry")?;
        let args = words
            .iter()
            .zip(widths)
            .map(|(word, width)| Arg::bytes(&word.to_le_bytes()[..width.min(8)]));
        let launch = Launch::new(&self.entry)
            .threads(self.threads)
            .dynamic_shared_bytes(self.shared_bytes)
            .args(args.collect::<Vec<_>>());
        let options = Options {
            threads: 1,
            ..Options::default()
        };
        self.module
            .launch(&launch, &mut memory, &options)
            .map_err(|fault| fault.to_string())?;
        let mut outcome = [0; 2];
        for (word, place) in outcome.iter_mut().zip(places) {
            let bytes = memory.bytes(place).expect("it was allocated");
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
        }
        Ok(outcome)
    }
}
