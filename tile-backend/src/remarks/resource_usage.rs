//! Remarks on the resource usage and occupancy of a kernel, as ptxas reports it.

use super::{Kind, Remark, Remarks};
use crate::gpu::Kernel;
use crate::lower::MatmulChains;
use crate::manifest::{Launch, Resources};
use crate::schedule::Occupancy;
use crate::schedule::estimate::{Estimate, Need};
use crate::target::Arch;
use tile_core::Module;

/// Adds remarks on a compiled kernel.
pub(crate) fn remark_on_launch(
    module: &Module,
    kernel: &Kernel,
    launch: &Launch,
    remarks: &mut Remarks,
) {
    remarks.about(&kernel.name, launch.arch);
    // Without ptxas nothing is known of registers.
    let Some(used) = &launch.resources else {
        return;
    };
    chosen(kernel, launch, used, remarks);
    let spilled = used.spilled_bytes();
    if spilled > 0 {
        remarks.add(|| {
            let need = need(module, kernel, launch.arch);
            let loc = need.map(|need| need.loc).filter(|loc| !loc.is_unknown());
            let message = format!("each thread spills {spilled} bytes of registers");
            let remark = Remark::new(Kind::Spill, loc.unwrap_or(kernel.loc), message);
            let remark = match need {
                Some(need) => remark.note(format!(
                    "most tiles are alive here: about {} registers of each thread, of {} that it has",
                    need.registers, used.registers
                )),
                None => remark,
            };
            let remark = match kernel.launch.blocks_per_multiprocessor {
                0 | 1 => remark,
                blocks => remark.note(format!("{blocks} blocks are asked to fit a multiprocessor")),
            };
            remark.help("use smaller tiles, or more warps")
        });
    }
    if let Some(before) = launch.instead_of {
        remarks.add(|| {
            let message = format!(
                "blocks have {} warps: with {}, each thread spills {} bytes",
                kernel.launch.num_warps, before.num_warps, before.bytes
            );
            let help = format!(
                "write `num_warps = {}` to save the time of finding out",
                kernel.launch.num_warps
            );
            Remark::new(Kind::SpillAvoided, kernel.loc, message).help(help)
        });
    }
    let local = used.stack_bytes.saturating_sub(used.spill_stores_bytes);
    if local > 0 {
        remarks.add(|| {
            let message = format!("each thread has {local} bytes of local memory");
            Remark::new(Kind::LocalMemory, kernel.loc, message)
                .note("functions of the library, and what is printed, need arrays that registers cannot hold")
        });
    }
}

fn chosen(kernel: &Kernel, launch: &Launch, resources: &Resources, remarks: &mut Remarks) {
    let (arch, shared_bytes) = (&launch.arch, launch.shared_bytes);
    remarks.add(|| {
        let (warps, registers) = (kernel.threads() / 32, resources.registers);
        let shared = shared_bytes + resources.shared_bytes;
        let occupancy = Occupancy::estimate(*arch, warps, registers, shared);
        let stages = kernel.shared.buffers.iter().map(|buffer| buffer.stages).max();
        let stages = match stages.unwrap_or(1) {
            1 => String::new(),
            stages => format!(", {stages} stages"),
        };
        let message = format!(
            "warps: {warps}{stages}; {registers} registers, {shared} bytes of shared memory; occupancy: {} blocks ({} of {} warps)",
            occupancy.blocks, occupancy.warps, occupancy.max_warps
        );
        let by = if kernel.requests.options.num_warps.is_none() {
            "the compiler chose the warps"
        } else {
            "the warps are asked for"
        };
        Remark::new(Kind::Chosen, kernel.loc, message)
            .note(format!("occupancy is limited by {}", occupancy.limit))
            .note(by)
    });
}

/// Returns the estimated registers per thread of a kernel.
pub(crate) fn need(module: &Module, kernel: &Kernel, arch: Arch) -> Option<Need> {
    let mut entries = module.entries();
    let entry = entries.find(|&id| *module.op(id).sym_name() == *kernel.name)?;
    let body = module.region_block(entry, 0)?;
    let chains = MatmulChains::find(module, &module.walk(body));
    let is_chained = chains.max_warps(module).is_some();
    Some(Estimate::analyze(module, body, is_chained, arch).need(kernel.launch.num_warps))
}
