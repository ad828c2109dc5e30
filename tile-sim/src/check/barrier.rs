//! Barriers and exchanges that not all can come to.

use super::FaultKind;

/// Lanes `arrived` are at an instruction that needs `required`, and `gone` have ended.
///
/// `Ok(true)` if all are there, `Ok(false)` if the others may still come.
pub(crate) fn gathered(arrived: u32, required: u32, gone: u32) -> Result<bool, FaultKind> {
    if required & gone != 0 {
        return Err(FaultKind::Divergence {
            arrived,
            missing: required & gone,
        });
    }
    Ok(required & !arrived == 0)
}
