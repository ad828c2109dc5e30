//! Errors of a kernel that ran on this machine.

/// An error of a kernel on the simulated GPU, with its location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "kernel `{kernel}` ({file}:{line}) failed in the simulator at line {ptx_line} of its PTX, `{instruction}`{}, in \
     block {block:?}, warp {warp}{}: {reason}; {}; `TILE_DUMP=ptx` prints the PTX while the crate is built{}",
    source_place(.place.as_deref()), lane_of(*.lane), alone(*.block, .reason, *.is_persistent), line_variable(.place.as_deref())
)]
pub struct SimulatedFault {
    /// The kernel.
    pub kernel: &'static str,
    /// The file of the kernel.
    pub file: &'static str,
    /// The line in that file.
    pub line: u32,
    /// The line of the PTX; 0 if the error has no instruction.
    pub ptx_line: u32,
    /// The text of that line.
    pub instruction: String,
    /// The location in the source, if the PTX records it.
    pub place: Option<String>,
    /// The block, as an index into the grid.
    pub block: [u32; 3],
    /// `true` if the block processes several work tiles of the grid: `block` is then its number among
    /// the blocks that run at the same time.
    pub is_persistent: bool,
    /// The warp of the block.
    pub warp: u32,
    /// The lane of the warp, if the error concerns a single lane.
    pub lane: Option<u32>,
    /// A description of the error.
    pub reason: String,
}

fn source_place(place: Option<&str>) -> String {
    place.map_or_else(String::new, |place| format!(" ({place})"))
}

/// Says how to repeat the fault of a block.
pub(super) fn alone(block: [u32; 3], reason: &str, is_persistent: bool) -> String {
    if is_persistent {
        return "a block of this persistent kernel processes several work tiles, so launch it on `Device::cpu()` for the \
                one that fails"
            .to_owned();
    }
    // What two blocks do is named with the other block.
    if reason.contains(" of block ") {
        return "it takes both blocks, so launch the whole grid to repeat it".to_owned();
    }
    format!("`.only_block({block:?})` before `.launch()` runs that block alone")
}

/// Says how to get the line of the source, if the PTX does not record it.
fn line_variable(place: Option<&str>) -> &'static str {
    match place {
        Some(_) => "",
        None => ", and `TILE_LINEINFO=1` records the lines of the source in it",
    }
}

fn lane_of(lane: Option<u32>) -> String {
    lane.map_or_else(String::new, |lane| format!(", lane {lane}"))
}

/// Says why a kernel has no native code, with its place.
pub(super) fn why_not_native(file: &str, line: u32, reason: &str) -> String {
    match line {
        0 => reason.to_owned(),
        _ => format!("{reason} ({file}:{line})"),
    }
}
