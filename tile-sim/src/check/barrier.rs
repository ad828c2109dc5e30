//! Divergence checks: instructions that need lanes which cannot arrive.

use super::FaultKind;

/// Checks that the lanes in `required` can all reach an instruction. `arrived` are the lanes at the
/// instruction; `gone` are those that have exited.
///
/// Returns `Ok(true)` if all of them have arrived and `Ok(false)` if the missing ones may still
/// arrive.
pub(crate) fn gathered(arrived: u32, required: u32, gone: u32) -> Result<bool, FaultKind> {
    if required & gone != 0 {
        return Err(FaultKind::Divergence {
            arrived,
            missing: required & gone,
        });
    }
    Ok(required & !arrived == 0)
}
