//! The barrier of a cluster (PTX ISA, `barrier.cluster`).

use super::registers::lanes;
use crate::check::order::Knowledge;

/// Why a thread uses it against its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ClusterMisuse {
    #[error("`barrier.cluster.arrive` twice without `barrier.cluster.wait` between")]
    ArrivesTwice,
    #[error("`barrier.cluster.wait` without `barrier.cluster.arrive` before")]
    NotArrived,
}

/// Threads of the cluster, by warp, and how far they are.
#[derive(Default)]
pub(crate) struct ClusterBarrier {
    warps: Vec<Warp>,
    /// Warps of which not all threads have arrived or ended.
    missing: usize,
    /// What all who arrived know.
    pub(crate) pool: Knowledge,
    /// Likewise when the last phase ended.
    pub(crate) done: Knowledge,
}

#[derive(Clone, Copy, Default)]
struct Warp {
    all: u32,
    ended: u32,
    /// In this phase.
    arrived: u32,
    /// Arrived, and did not wait since.
    owing: u32,
    /// Some thread has waited: all of the cluster have begun.
    has_met: bool,
}

impl Warp {
    fn is_here(self) -> bool {
        (self.arrived | self.ended) & self.all == self.all
    }
}

impl ClusterBarrier {
    /// For the lanes that each warp has.
    pub(crate) fn begin(&mut self, all: impl Iterator<Item = u32>) {
        self.warps.clear();
        self.warps.extend(all.map(|all| Warp {
            all,
            ..Warp::default()
        }));
        self.missing = self.warps.len();
        self.pool.clear();
        self.done.clear();
    }

    /// Whether that ends the phase.
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

    /// Whether that ends the phase: threads that have ended count as arrived.
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

    /// Whether the phase that the threads arrived in is over; then they have waited.
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

    /// Whether a warp has met the others of the cluster, in whatever memory order.
    pub(crate) fn has_met(&self, warp: usize) -> bool {
        self.warps[warp].has_met
    }

    /// Threads that have not come, for a message.
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
