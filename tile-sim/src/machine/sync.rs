//! Releases and acquires at memory locations (PTX ISA, "Memory Consistency Model").

use super::cx::{Cx, SharedSpot};
use crate::check::Trouble;
use crate::check::order::Release;
use crate::check::stamp::{Scope, Strength};
use crate::parse::syntax::Space;

/// The memory order of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Weak,
    Relaxed(Scope),
    Acquire(Scope),
    Release(Scope),
    AcquireRelease(Scope),
}

impl Order {
    pub(crate) fn strength(self) -> Strength {
        match self {
            Self::Weak => Strength::Plain,
            Self::Relaxed(scope)
            | Self::Acquire(scope)
            | Self::Release(scope)
            | Self::AcquireRelease(scope) => Strength::Strong(scope),
        }
    }

    fn acquires(self) -> bool {
        matches!(self, Self::Acquire(_) | Self::AcquireRelease(_))
    }

    fn releases(self) -> bool {
        matches!(self, Self::Release(_) | Self::AcquireRelease(_))
    }
}

/// A word in memory through which threads may synchronize.
#[derive(Clone, Copy, Debug)]
enum Meeting {
    Shared(SharedSpot),
    Global((usize, usize)),
}

impl Cx<'_, '_> {
    fn meeting(&mut self, lane: usize, space: Space, address: u64) -> Result<Meeting, Trouble> {
        // The bytes of a word share their release.
        let address = address & !3;
        if matches!(space, Space::Shared | Space::Cluster) {
            let spot = self.shared_spot(lane, space, address, 1)?;
            return Ok(Meeting::Shared(spot));
        }
        let spot = self.global_spot(lane, space, address, 1)?;
        Ok(Meeting::Global((spot.allocation, spot.offset / 4)))
    }

    fn release_at(&mut self, meeting: Meeting) -> Option<&mut Release> {
        match meeting {
            Meeting::Shared(spot) => self.cluster.releases.get_mut(&spot),
            Meeting::Global(word) => self.world.releases.get_mut(&word),
        }
    }

    fn take_release(&mut self, meeting: Meeting) -> Option<Release> {
        match meeting {
            Meeting::Shared(spot) => self.cluster.releases.remove(&spot),
            Meeting::Global(word) => self.world.releases.remove(&word),
        }
    }

    fn put_release(&mut self, meeting: Meeting, release: Release) {
        match meeting {
            Meeting::Shared(spot) => self.cluster.releases.insert(spot, release),
            Meeting::Global(word) => self.world.releases.insert(word, release),
        };
    }

    /// Updates the happens-before relation after a strong load of a lane.
    pub(crate) fn loaded(
        &mut self,
        order: Order,
        lane: usize,
        space: Space,
        address: u64,
    ) -> Result<(), Trouble> {
        if order == Order::Weak || !self.checks_all() || space == Space::Local {
            return Ok(());
        }
        let meeting = self.meeting(lane, space, address)?;
        let Some(release) = self.release_at(meeting) else {
            return Ok(());
        };
        let release = std::mem::take(release);
        let agent = self.agent;
        if order.acquires() {
            self.cluster.order.acquire(agent, &release);
        } else {
            self.cluster.order.notice(agent, &release);
        }
        self.put_release(meeting, release);
        Ok(())
    }

    /// Updates the happens-before relation after a strong store or the store of an atomic.
    pub(crate) fn stored(
        &mut self,
        order: Order,
        is_atomic: bool,
        lane: usize,
        space: Space,
        address: u64,
    ) -> Result<(), Trouble> {
        if order == Order::Weak || !self.checks_all() || space == Space::Local {
            return Ok(());
        }
        let agent = self.agent;
        let tells = order.releases() || self.cluster.order.has_fenced(agent);
        let meeting = self.meeting(lane, space, address)?;
        // A plain store ends a release sequence; an atomic continues it.
        let before = if is_atomic && !tells {
            return Ok(());
        } else {
            self.take_release(meeting)
        };
        if !tells {
            return Ok(());
        }
        let mut release = before.filter(|_| is_atomic).unwrap_or_default();
        if order.releases() {
            self.cluster.order.release(agent, lane, &mut release);
        } else {
            self.cluster.order.publish(agent, &mut release);
        }
        self.put_release(meeting, release);
        Ok(())
    }
}
