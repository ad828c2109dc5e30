//! Descriptions of launches as JSON; `docs/launch.md` explains every key.
//!
//! A description is the [`Manifest`] of the compiled code, to which the types of the parameters are
//! added, and the buffers that flattening requires of the host.

use serde_json::{Value, json};
use tile_backend::manifest::Manifest;
use tile_core::Module;
use tile_core::flatten::{AtomicTarget, Buffer, Elements, EntryPlan};

/// An entry, as its caller sees it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
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

/// Formats a manifest as JSON, with what a caller must pass to each entry.
pub(crate) fn to_json(manifest: &Manifest, entries: &[Entry]) -> String {
    let described = serde_json::from_str(&manifest.to_json());
    let mut described: Value = described.expect("a manifest is JSON");
    for (launch, index) in manifest.launches.iter().zip(0_usize..) {
        let entry = entries.iter().find(|entry| entry.name == launch.entry);
        let entry = entry.expect("flattening lists every entry of the module");
        let launch = &mut described["launches"][index];
        launch["parameters"] = json!(entry.parameters);
        launch["buffers"] = json!(entry.buffers);
        launch["initialized"] = json!(entry.atomics);
    }
    format!("{described:#}\n")
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
