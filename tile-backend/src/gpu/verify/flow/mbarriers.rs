//! Verifies mbarriers that count the bytes of copies, by tracking the phase of each.
//!
//! An arrival begins a phase, which completes when its bytes have arrived. Parities of phases alternate, so a
//! wait must name the parity of the phase that the last arrival began. With the other parity it would return
//! immediately, or never. A copy for an iteration that does not take place is neither issued nor expected.
//! The state of its stage then does not matter, since nothing waits for it.
//!
//! Bulk copies have the same condition as the arrival that expects their bytes, and precede it. They begin
//! once the previous phase has completed, since that phase would otherwise count their bytes.

use super::super::super::{BARRIER_BYTES, BufferId, ExpectTx, Kernel, Op, OpId, TmaLoad};
use std::collections::BTreeMap;

/// An mbarrier: its buffer and its index.
pub(super) type Stage = (BufferId, u64);

/// The phase of an mbarrier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Phase {
    /// The parity of the phase that the next arrival begins.
    next: u64,
    /// Bytes that the last arrival expects; `None` before the first arrival, and after a wait for the last
    /// one.
    expected: Option<u64>,
    /// Bytes of copies issued since the last arrival.
    copied: u64,
    /// Bulk copies issued before the next arrival.
    begun: Vec<OpId>,
}

/// The phases of initialized mbarriers; `None` if a phase depends on the path taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Phases(BTreeMap<Stage, Option<Phase>>);

impl Phases {
    /// Merges the state of another path. Returns `true` if that adds anything.
    pub(super) fn join(&mut self, other: Self) -> bool {
        let before = self.clone();
        for (stage, phase) in &mut self.0 {
            if other.0.get(stage) != Some(phase) {
                *phase = None;
            }
        }
        for stage in other.0.into_keys() {
            self.0.entry(stage).or_insert(None);
        }
        *self != before
    }

    pub(super) fn init(&mut self, kernel: &Kernel, barriers: BufferId) -> Vec<String> {
        let count = u64::from(kernel.buffer(barriers).bytes / BARRIER_BYTES);
        let mut errors = Vec::new();
        for stage in 0..count {
            if self
                .0
                .insert((barriers, stage), Some(Phase::default()))
                .is_some()
            {
                errors.push(format!(
                    "barrier {stage} of ${} is initialized, and may be so already",
                    barriers.index()
                ));
            }
        }
        errors
    }

    /// Returns errors if mbarriers are not initialized.
    pub(super) fn demand(&self, barriers: BufferId) -> Vec<String> {
        let has = self.0.keys().any(|(buffer, _)| *buffer == barriers);
        { (!has).then(|| not_initialized(barriers)) }
            .into_iter()
            .collect()
    }

    pub(super) fn drop(&mut self, barriers: BufferId) -> Vec<String> {
        let before = self.0.len();
        self.0.retain(|(buffer, _), _| *buffer != barriers);
        let has = self.0.len() < before;
        { (!has).then(|| not_initialized(barriers)) }
            .into_iter()
            .collect()
    }

    /// Returns the phase of a stage, or the error that it is unknown.
    fn phase(&mut self, barriers: BufferId, stage: Option<u64>) -> Result<&mut Phase, String> {
        let number = barriers.index();
        let Some(stage) = stage else {
            return Err(format!("which barrier of ${number} it is cannot be said"));
        };
        match self.0.get_mut(&(barriers, stage)) {
            None => Err(not_initialized(barriers)),
            Some(None) => Err(format!(
                "the phase of barrier {stage} of ${number} depends on the path taken"
            )),
            Some(Some(phase)) => Ok(phase),
        }
    }

    /// Steps over the arrival `op`.
    pub(super) fn expect(
        &mut self,
        kernel: &Kernel,
        op: &Op,
        expected: ExpectTx,
        stage: Option<u64>,
    ) -> Option<String> {
        let phase = match self.phase(expected.barriers, stage) {
            Err(error) => return Some(error),
            Ok(phase) => phase,
        };
        let begun = std::mem::take(&mut phase.begun);
        *phase = Phase {
            next: phase.next ^ 1,
            expected: Some(expected.bytes.into()),
            ..Phase::default()
        };
        let given = begun.iter().map(|&copy| kernel.op(copy).results[0]);
        let is_alike = |&copy: &OpId| kernel.op(copy).args[0] == op.args[0];
        (!given.eq(op.args[2..].iter().copied()) || !begun.iter().all(is_alike)).then(|| {
            "not the byte count of the copies begun into the stage since the arrival before"
                .to_owned()
        })
    }

    /// Steps over a bulk copy, which one warp issues.
    pub(super) fn begin(
        &mut self,
        copy: OpId,
        barriers: BufferId,
        stage: Option<u64>,
    ) -> Option<String> {
        match self.phase(barriers, stage) {
            Err(error) => Some(error),
            Ok(phase) => {
                phase.begun.push(copy);
                phase.expected.is_some().then(|| {
                    "the phase before may not be over, which would count these bytes".to_owned()
                })
            }
        }
    }

    pub(super) fn copy(
        &mut self,
        kernel: &Kernel,
        copy: &TmaLoad,
        stage: Option<u64>,
    ) -> Vec<String> {
        let bytes = copy.boxes(kernel).map_or(0, |boxes| boxes.total_bytes());
        match self.phase(copy.barriers, stage) {
            Err(error) => vec![error],
            Ok(phase) => {
                phase.copied += bytes;
                Vec::new()
            }
        }
    }

    pub(super) fn wait(
        &mut self,
        barriers: BufferId,
        stage: Option<u64>,
        parity: Option<u64>,
    ) -> Vec<String> {
        let phase = match self.phase(barriers, stage) {
            Err(error) => return vec![error],
            Ok(phase) => {
                let fresh = Phase {
                    next: phase.next,
                    begun: phase.begun.clone(),
                    ..Phase::default()
                };
                std::mem::replace(phase, fresh)
            }
        };
        let mut errors = Vec::new();
        match phase.expected {
            None => {
                errors.push("nobody has arrived at the barrier since it was waited for".to_owned());
            }
            Some(expected) if expected != phase.copied => errors.push(format!(
                "{expected} bytes are expected, and {} come",
                phase.copied
            )),
            Some(_) => {}
        }
        if parity != Some(phase.next ^ 1) {
            errors.push("this is not the parity of the phase that was begun last".to_owned());
        }
        errors
    }
}

fn not_initialized(barriers: BufferId) -> String {
    format!("the barriers of ${} are not initialized", barriers.index())
}
