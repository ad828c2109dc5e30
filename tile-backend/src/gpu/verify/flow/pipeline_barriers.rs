//! Verifies pipeline barriers: producer and consumers visit the stages in order.
//!
//! Each side is a program of its own, and counts for itself: the `n`-th tile of a circular buffer of `S`
//! stages is in stage `n % S`, in round `n / S`. A wait for the tile names the parity of this round, and a
//! wait for the previous round to end names the other parity. A wait out of this order would block forever,
//! or not at all. The verifier does not check that both sides process the same number of tiles.

use super::super::super::{BufferId, PipelineBarriers, Reach};
use std::collections::{BTreeMap, BTreeSet};

/// The state of one side of a circular buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
struct StageCursor {
    /// The index of the next tile, modulo two rounds; `None` if it depends on the path taken.
    next: Option<u64>,
    /// The held stages: those that a consumer reads, or the one that the producer fills; `None` if they
    /// depend on the path taken.
    held: Option<Held>,
    /// `true` if consumers wrote to the bytes of the buffer.
    is_spoiled: bool,
    /// `true` if other blocks of the cluster may release stages that the producer has not waited for.
    is_lent: bool,
}

/// Stages that were waited for but not yet passed on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Held {
    stages: BTreeSet<u64>,
    /// Bytes that the stage being filled expects, and the bytes of copies into it so far.
    bytes: Option<(u64, u64)>,
}

impl Default for StageCursor {
    fn default() -> Self {
        Self {
            next: Some(0),
            held: Some(Held::default()),
            is_spoiled: false,
            is_lent: false,
        }
    }
}

impl StageCursor {
    /// Advances to the next tile. Returns an error if the tile cannot be in this stage, in a round of this
    /// parity.
    fn advance(&mut self, stages: u64, slot_and_parity: Option<(u64, u64)>) -> Option<String> {
        let Some(next) = self.next else {
            return Some("the next stage depends on the path taken".to_owned());
        };
        self.next = Some((next + 1) % (2 * stages));
        (slot_and_parity != Some((next % stages, next / stages)))
            .then(|| "this is not the next stage, or not the parity of its round".to_owned())
    }

    fn held(&mut self) -> Result<&mut Held, String> {
        let held = self.held.as_mut();
        held.ok_or_else(|| "the acquired stages depend on the path taken".to_owned())
    }
}

/// The circular buffers that were used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StageCursors {
    pipelines: BTreeMap<BufferId, StageCursor>,
    /// `true` if other blocks of the cluster may not have initialized their barriers, since the blocks have
    /// not waited for each other since this block did.
    is_apart: bool,
}

impl StageCursors {
    /// Merges the state of another path. Returns `true` if that adds anything.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        let mut pipelines: BTreeSet<BufferId> = self.pipelines.keys().copied().collect();
        pipelines.extend(other.pipelines.keys());
        for pipeline in pipelines {
            let cursor = self.pipelines.entry(pipeline).or_default();
            let of_other = other.pipelines.get(&pipeline).cloned().unwrap_or_default();
            if cursor.next != of_other.next {
                cursor.next = None;
            }
            if cursor.held != of_other.held {
                cursor.held = None;
            }
            cursor.is_spoiled |= of_other.is_spoiled;
            cursor.is_lent |= of_other.is_lent;
        }
        self.is_apart |= other.is_apart;
        *self != before
    }

    /// Records that barriers of this scope are initialized.
    pub(super) fn init(&mut self, reach: Reach) {
        self.is_apart |= reach == Reach::Cluster;
    }

    /// Records that the blocks of the cluster have waited for each other.
    pub(super) fn meet(&mut self) {
        self.is_apart = false;
    }

    /// Steps over the start of the producer.
    pub(super) fn begin(&self) -> Option<String> {
        self.is_apart.then(|| {
            "blocks of the cluster may copy here before the barriers are initialized".to_owned()
        })
    }

    fn cursor(&mut self, pipeline_barriers: PipelineBarriers) -> &mut StageCursor {
        self.pipelines.entry(pipeline_barriers.full).or_default()
    }

    /// Records that consumers write to bytes of these circular buffers, which the producer must not fill
    /// again.
    pub(super) fn spoil(&mut self, pipelines: impl Iterator<Item = BufferId>) {
        for pipeline in pipelines {
            self.pipelines.entry(pipeline).or_default().is_spoiled = true;
        }
    }

    /// Steps over `producer_acquire`: the producer waits until a stage is empty.
    pub(super) fn take(
        &mut self,
        pipeline_barriers: PipelineBarriers,
        stages: u64,
        stage: Option<u64>,
        parity: Option<u64>,
    ) -> Vec<String> {
        let cursor = self.cursor(pipeline_barriers);
        cursor.is_lent |= pipeline_barriers.reach == Reach::Cluster;
        let slot_and_parity = stage.zip(parity.map(|parity| parity ^ 1));
        let mut errors: Vec<String> = cursor
            .advance(stages, slot_and_parity)
            .into_iter()
            .collect();
        match cursor.held() {
            Err(error) => errors.push(error),
            Ok(held) => {
                let before = std::mem::replace(
                    held,
                    Held {
                        stages: stage.into_iter().collect(),
                        bytes: None,
                    },
                );
                if before != Held::default() {
                    errors.push("the stage before was not filled".to_owned());
                }
            }
        }
        errors
    }

    /// Steps over `producer_tail`: the end of production.
    pub(super) fn end(
        &mut self,
        pipeline_barriers: PipelineBarriers,
        stages: u64,
        stage: Option<u64>,
        parity: Option<u64>,
    ) -> Option<String> {
        let cursor = self.cursor(pipeline_barriers);
        cursor.is_lent = false;
        let error = cursor.advance(stages, stage.zip(parity));
        cursor.next = None;
        error
    }

    /// Steps over an arrival by which the producer announces a number of bytes.
    pub(super) fn expect(
        &mut self,
        pipeline_barriers: PipelineBarriers,
        bytes: u32,
        stage: Option<u64>,
    ) -> Option<String> {
        match self.cursor(pipeline_barriers).held() {
            Err(error) => Some(error),
            Ok(held) => {
                let is_held = stage.is_some_and(|stage| held.stages.contains(&stage));
                let is_first = held.bytes.replace((bytes.into(), 0)).is_none();
                (!is_held || !is_first).then(|| "this stage was not acquired".to_owned())
            }
        }
    }

    /// Steps over a copy that the producer issues.
    pub(super) fn copy(
        &mut self,
        pipeline_barriers: PipelineBarriers,
        bytes: u64,
        stage: Option<u64>,
    ) -> Option<String> {
        let held = match self.cursor(pipeline_barriers).held() {
            Err(error) => return Some(error),
            Ok(held) => held,
        };
        let is_held = stage.is_some_and(|stage| held.stages.contains(&stage));
        let Some((expected, copied)) = held.bytes.filter(|_| is_held) else {
            return Some("this stage was not acquired, or no arrival expects its bytes".to_owned());
        };
        let copied = copied + bytes;
        if copied == expected {
            // All bytes are issued: the stage belongs to the consumers now.
            *held = Held::default();
        } else {
            held.bytes = Some((expected, copied));
        }
        (copied > expected).then(|| format!("{expected} bytes are expected, and {copied} come"))
    }

    /// Steps over `consumer_wait`: a consumer waits until a stage is full.
    pub(super) fn wait(
        &mut self,
        pipeline_barriers: PipelineBarriers,
        stages: u64,
        stage: Option<u64>,
        parity: Option<u64>,
    ) -> Vec<String> {
        let cursor = self.cursor(pipeline_barriers);
        let mut errors: Vec<String> = cursor
            .advance(stages, stage.zip(parity))
            .into_iter()
            .collect();
        if cursor.is_spoiled {
            errors.push("consumers have written to the circular buffer".to_owned());
        }
        match cursor.held() {
            Err(error) => errors.push(error),
            Ok(held) => {
                let is_new = stage.is_none_or(|stage| held.stages.insert(stage));
                if !is_new {
                    errors.push("the stage was not released since its wait".to_owned());
                }
            }
        }
        errors
    }

    /// Steps over `consumer_release`.
    pub(super) fn free(
        &mut self,
        pipeline_barriers: PipelineBarriers,
        stage: Option<u64>,
    ) -> Option<String> {
        match self.cursor(pipeline_barriers).held() {
            Err(error) => Some(error),
            Ok(held) => {
                let was_held = stage.is_some_and(|stage| held.stages.remove(&stage));
                (!was_held)
                    .then(|| "this stage was not waited for, or was released already".to_owned())
            }
        }
    }

    /// Returns the errors if the program ends here: stages that were waited for but not passed on, and stages
    /// that other blocks of the cluster may still release.
    pub(super) fn held(&self) -> impl Iterator<Item = String> {
        let lent = self.pipelines.values().any(|cursor| cursor.is_lent);
        let lent = lent.then(|| {
            "the block may end while others of the cluster arrive at its barriers".to_owned()
        });
        let cursors = self.pipelines.iter();
        let held = cursors
            .filter(|(_, cursor)| cursor.held != Some(Held::default()))
            .map(|(pipeline, _)| {
                format!(
                    "stages of ${} may be unreleased where the program ends",
                    pipeline.index()
                )
            });
        held.chain(lent)
    }
}
