//! A launch: checks that it fits the kernel, lays out what blocks share, runs the blocks.

use super::block::Block;
use super::memory::Memory;
use super::scheduler::Scheduler;
use super::{Launch, Options};
use crate::check::Fault;
use crate::counters::Counters;
use crate::module::{Kernel, Module};

/// The most threads of a block.
const MOST_THREADS: u64 = 1024;
/// The most shared memory of a block, on any device (compute capability 9.0).
const MOST_SHARED: u64 = 227 << 10;

/// What all blocks of a launch have in common.
pub(crate) struct Setting<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) threads: u32,
    pub(crate) params: Vec<u8>,
    /// Where the shared memory of dynamic size begins, and where all ends.
    pub(crate) dynamic_base: u64,
    pub(crate) shared_bytes: u64,
    pub(crate) dynamic_bytes: u32,
    /// The addresses of the module's variables.
    pub(crate) globals: Vec<u64>,
    pub(crate) options: &'a Options,
}

impl Module {
    /// Runs a kernel to its end, or to its first fault.
    ///
    /// Memory then holds what was stored until there.
    pub fn launch(
        &self,
        launch: &Launch,
        memory: &mut Memory,
        options: &Options,
    ) -> Result<Counters, Fault> {
        let setting = self.setting(launch, memory, options)?;
        let mut scheduler = Scheduler::new(options.seed);
        let mut counters = Counters::default();
        let [x, y, _] = setting.grid.map(u64::from);
        let blocks = setting.grid.iter().map(|&size| u64::from(size)).product();
        let mut block = Block::new(&setting);
        for index in scheduler.blocks(blocks) {
            let at = [index % x, index / x % y, index / (x * y)];
            // Each is below a size of 32 bits.
            block.begin(&setting, at.map(|index| index as u32));
            block.run(&setting, memory, &mut scheduler, &mut counters)?;
        }
        Ok(counters)
    }

    fn setting<'a>(
        &'a self,
        launch: &Launch,
        memory: &mut Memory,
        options: &'a Options,
    ) -> Result<Setting<'a>, Fault> {
        let fail = |message: String| Err(Fault::launch(message));
        let Some(kernel) = self
            .kernels
            .iter()
            .find(|kernel| kernel.name == launch.entry)
        else {
            return fail(format!("there is no entry `{}`", launch.entry));
        };
        let threads = launch
            .block
            .iter()
            .map(|&size| u64::from(size))
            .product::<u64>();
        if threads == 0 || threads > MOST_THREADS || launch.block.iter().any(|&size| size > 1024) {
            return fail(format!(
                "a block has 1 to {MOST_THREADS} threads, found {threads}"
            ));
        }
        if launch.grid.contains(&0) || launch.grid[1] > 0xffff || launch.grid[2] > 0xffff {
            return fail(format!("{:?} is not a grid", launch.grid));
        }
        if let Some(required) = kernel.required_threads
            && required != launch.block
        {
            return fail(format!(
                "the kernel requires blocks of {required:?} threads"
            ));
        }
        if kernel.explicit_cluster || kernel.required_cluster.is_some_and(|size| size != [1; 3]) {
            return fail("the kernel requires clusters of several blocks".into());
        }
        if kernel.most_threads.is_some_and(|most| threads > most) {
            return fail(format!("the kernel allows fewer than {threads} threads"));
        }
        if launch.args.len() != kernel.params.len() {
            let (expected, found) = (kernel.params.len(), launch.args.len());
            return fail(format!("expected {expected} arguments, found {found}"));
        }
        let mut params = vec![0; kernel.param_bytes];
        for (param, arg) in kernel.params.iter().zip(&launch.args) {
            if arg.0.len() != param.bytes {
                let (name, expected, found) = (&param.name, param.bytes, arg.0.len());
                return fail(format!(
                    "`{name}` has {expected} bytes, the argument {found}"
                ));
            }
            params[param.offset..param.offset + param.bytes].copy_from_slice(&arg.0);
        }
        let dynamic_base = kernel.static_shared.next_multiple_of(kernel.dynamic_align);
        let shared_bytes = dynamic_base + u64::from(launch.dynamic_shared_bytes);
        if shared_bytes > MOST_SHARED {
            return fail(format!(
                "{shared_bytes} bytes of shared memory are too many"
            ));
        }
        Ok(Setting {
            kernel,
            grid: launch.grid,
            block: launch.block,
            threads: u32::try_from(threads).expect("at most 1024"),
            params,
            dynamic_base,
            shared_bytes,
            dynamic_bytes: launch.dynamic_shared_bytes,
            globals: memory.module(self.id, &self.globals),
            options,
        })
    }
}
