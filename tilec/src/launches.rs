//! Descriptions of launches as JSON; `docs/launch.md` explains every key.
//!
//! A description combines the compiled launches with the entries before flattening, and with the
//! buffers that flattening requires of the host.

use serde_json::{Value, json};
use tile_backend::gpu::{MapAxis, MapNumber, TensorMap};
use tile_backend::stages::Launch;
use tile_core::Module;
use tile_core::flatten::{AtomicTarget, Buffer, Elements, EntryPlan};

/// An entry, as its caller sees it.
#[derive(Debug)]
pub(crate) struct Entry {
    name: String,
    /// The types of the parameters, including those of the buffers of the plan.
    parameters: Vec<String>,
    buffers: Vec<Value>,
    atomics: Vec<Value>,
}

/// Returns the entries of a module without structured loops.
pub(crate) fn entries(module: &Module, plans: &[EntryPlan]) -> Vec<Entry> {
    let entries = module.entries().map(|id| module.op(id));
    entries
        .zip(plans)
        .map(|(entry, plan)| {
            let region = entry.regions.first();
            let block = region.and_then(|&region| module.region(region).blocks.first());
            let values = block.map_or(&[][..], |&block| &module.block(block).args);
            Entry {
                name: plan.name.to_string(),
                parameters: values
                    .iter()
                    .map(|&value| module.ty(value).to_string())
                    .collect(),
                buffers: plan.buffers.iter().map(buffer).collect(),
                atomics: plan.atomics.iter().map(atomic).collect(),
            }
        })
        .collect()
}

/// Formats all launches as one object.
pub(crate) fn to_json(launches: &[Launch], entries: &[Entry]) -> String {
    let launches: Vec<Value> = launches
        .iter()
        .map(|launch| launch_json(launch, entries))
        .collect();
    let description = json!({ "launches": launches });
    format!("{description:#}\n")
}

fn launch_json(launch: &Launch, entries: &[Entry]) -> Value {
    let Launch {
        arch,
        entry,
        threads,
        shared_bytes,
        cluster,
        blocks_per_tile,
        maps,
        persistent_blocks_per_sm,
        resources,
        instead_of: _,
    } = launch;
    let plan_entry = entries.iter().find(|plan_entry| plan_entry.name == *entry);
    let maps: Vec<Value> = maps.iter().map(map).collect();
    json!({
        "entry": entry,
        "arch": arch.to_string(),
        "threads": threads,
        "shared_bytes": shared_bytes,
        "cluster": cluster,
        "blocks_per_tile": blocks_per_tile,
        "registers": resources.registers,
        "spilled_bytes": resources.spilled_bytes(),
        "parameters": plan_entry.map(|plan_entry| &plan_entry.parameters),
        "buffers": plan_entry.map(|plan_entry| &plan_entry.buffers),
        "initialized": plan_entry.map(|plan_entry| &plan_entry.atomics),
        "maps": maps,
        "persistent_blocks_per_sm": persistent_blocks_per_sm,
    })
}

fn buffer(buffer: &Buffer) -> Value {
    let &Buffer {
        element,
        elements,
        zeroed,
    } = buffer;
    let (count, each) = match elements {
        Elements::Fixed(count) => (count, "launch"),
        Elements::PerBlock(count) => (count, "block"),
    };
    json!({
        "element": element.to_string(),
        "elements": count,
        "for_each": each,
        "zeroed": zeroed,
    })
}

fn atomic(target: &AtomicTarget) -> Value {
    let &AtomicTarget {
        parameter,
        element,
        bits,
    } = target;
    json!({
        "parameter": parameter,
        "element": element.to_string(),
        "bits": bits,
    })
}

fn map(map: &TensorMap) -> Value {
    let TensorMap {
        base,
        element_bytes,
        swizzle,
        axes,
    } = map;
    let axes: Vec<Value> = axes.iter().map(axis).collect();
    json!({
        "base": base,
        "element_bytes": element_bytes,
        "swizzle_bytes": swizzle.span_bytes().unwrap_or(0),
        "axes": axes,
    })
}

fn axis(axis: &MapAxis) -> Value {
    let MapAxis {
        extent,
        stride,
        length,
    } = axis;
    json!({
        "extent": number(*extent),
        "stride": number(*stride),
        "box": length,
    })
}

fn number(number: MapNumber) -> Value {
    match number {
        MapNumber::Param(position) => json!({ "parameter": position }),
        MapNumber::Constant(number) => json!({ "constant": number }),
    }
}
