//! The cluster barrier (PTX ISA, `barrier.cluster`).

use super::registers::lanes;
use crate::check::order::Knowledge;

/// A violation of the rules of `barrier.cluster`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ClusterMisuse {
    #[error("`barrier.cluster.arrive` twice without `barrier.cluster.wait` in between")]
    ArrivesTwice,
    #[error("`barrier.cluster.wait` without a preceding `barrier.cluster.arrive`")]
    NotArrived,
}

/// The state of a cluster barrier, by warp.
#[derive(Default)]
pub(crate) struct ClusterBarrier {
    warps: Vec<Warp>,
    /// The number of warps with threads that have neither arrived nor exited.
    missing: usize,
    /// The knowledge released by the arrivals of this phase.
    pub(crate) pool: Knowledge,
    /// The knowledge released by the arrivals of the last phase.
    pub(crate) done: Knowledge,
}

#[derive(Clone, Copy, Default)]
struct Warp {
    all: u32,
    ended: u32,
    /// The mask of threads that arrived in this phase.
    arrived: u32,
    /// The mask of threads that arrived and have not waited since.
    owing: u32,
    /// Is `true` once a thread has waited, so that all blocks of the cluster have begun.
    has_met: bool,
}

impl Warp {
    fn is_here(self) -> bool {
        (self.arrived | self.ended) & self.all == self.all
    }
}

impl ClusterBarrier {
    /// Resets the barrier for the lanes of each warp.
    pub(crate) fn begin(&mut self, masks: impl Iterator<Item = u32>) {
        self.warps.clear();
        self.warps.extend(masks.map(|all| Warp {
            all,
            ..Warp::default()
        }));
        self.missing = self.warps.len();
        self.pool.clear();
        self.done.clear();
    }

    /// Records an arrival. Returns `true` if it completes the phase.
    pub(crate) fn arrive(
        &mut self,
        warp: usize,
        arriving: u32,
    ) -> Result<bool, (usize, ClusterMisuse)> {
        let state = &mut self.warps[warp];
        if let Some(lane) = lanes(state.owing & arriving).next() {
            return Err((lane, ClusterMisuse::ArrivesTwice));
        }
        let before = state.is_here();
        state.arrived |= arriving;
        state.owing |= arriving;
        self.missing -= usize::from(state.is_here() && !before);
        Ok(self.settle())
    }

    /// Records the exit of threads, which counts as an arrival. Returns `true` if it completes the
    /// phase.
    pub(crate) fn end(&mut self, warp: usize, ending: u32) -> bool {
        let state = &mut self.warps[warp];
        let before = state.is_here();
        state.ended |= ending;
        self.missing -= usize::from(state.is_here() && !before);
        let waited_for = self.warps.iter().any(|warp| warp.arrived != 0);
        waited_for && self.settle()
    }

    fn settle(&mut self) -> bool {
        if self.missing > 0 {
            return false;
        }
        for warp in &mut self.warps {
            warp.arrived = 0;
            self.missing += usize::from(!warp.is_here());
        }
        self.done = self.pool.clone();
        true
    }

    /// Executes a wait. Returns `false` if the phase is not complete.
    pub(crate) fn wait(
        &mut self,
        warp: usize,
        waiting: u32,
    ) -> Result<bool, (usize, ClusterMisuse)> {
        let state = &mut self.warps[warp];
        if let Some(lane) = lanes(waiting & !state.owing).next() {
            return Err((lane, ClusterMisuse::NotArrived));
        }
        if state.arrived & waiting != 0 {
            return Ok(false);
        }
        state.owing &= !waiting;
        state.has_met = true;
        Ok(true)
    }

    /// Returns `true` if a warp has synchronized with the cluster, in any memory order.
    pub(crate) fn has_met(&self, warp: usize) -> bool {
        self.warps[warp].has_met
    }

    /// Returns the number of missing threads, for a message.
    pub(crate) fn absent(&self) -> u32 {
        let absent = |warp: &Warp| (warp.all & !warp.arrived & !warp.ended).count_ones();
        self.warps.iter().map(absent).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_ends_when_all_threads_arrived_or_ended() {
        let mut barrier = ClusterBarrier::default();
        barrier.begin([u32::MAX, 0xff].into_iter());
        assert_eq!(barrier.arrive(0, u32::MAX), Ok(false));
        assert_eq!(barrier.wait(0, u32::MAX), Ok(false));
        assert_eq!(barrier.arrive(1, 0xf), Ok(false));
        assert_eq!(barrier.absent(), 4);
        assert!(barrier.end(1, 0xf0));
        assert!(!barrier.has_met(0));
        assert_eq!(barrier.wait(0, u32::MAX), Ok(true));
        assert!(barrier.has_met(0) && !barrier.has_met(1));
        assert_eq!(barrier.wait(0, 1), Err((0, ClusterMisuse::NotArrived)));
        assert_eq!(barrier.arrive(0, u32::MAX), Ok(false));
        assert_eq!(
            barrier.arrive(1, 0xc),
            Err((2, ClusterMisuse::ArrivesTwice))
        );
        assert_eq!(barrier.wait(1, 0xf), Ok(true));
        assert_eq!(barrier.arrive(1, 0xf), Ok(true));
    }
}
