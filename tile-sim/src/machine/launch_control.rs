//! Requests to cancel a cluster that has not begun (PTX ISA, `clusterlaunchcontrol`).
//!
//! The request decides immediately whether a cluster is cancelled, and which one. The response is
//! written as late as the wait for it allows, like every copy that signals an `mbarrier`.

use super::cx::{Cx, SharedSpot};
use super::flights::{Change, End, Flight, Piece, Source};
use crate::check::shared::Change as Written;
use crate::check::stamp::Strength;
use crate::check::{FaultKind, Trouble};
use crate::isa::launch_control::RESPONSE_BYTES;

impl Cx<'_, '_> {
    pub(crate) fn try_cancel(
        &mut self,
        lane: usize,
        to: SharedSpot,
        barrier: SharedSpot,
        multicast: bool,
    ) -> Result<(), Trouble> {
        let misuse = |message: String| Trouble::at(lane, FaultKind::LaunchControl(message));
        if self.cluster.blocks[self.block].denied {
            return Err(misuse(
                "an earlier request of this block was denied, and the block waited for the response: another request is undefined".into(),
            ));
        }
        let targets = if multicast {
            0..self.cluster.blocks.len()
        } else {
            self.block..self.block + 1
        };
        for block in targets.clone() {
            let there = &self.cluster.blocks[block];
            if there.has_ended() {
                return Err(misuse(format!(
                    "block {:?} of the cluster, which also receives the response, has exited",
                    there.index
                )));
            }
            let to = SharedSpot { block, ..to };
            self.check_shared_write(lane, Strength::Copy, Written::Some, to, RESPONSE_BYTES)?;
        }
        let first = self.world.waiting.cancel();
        let first = first.map(|number| self.setting.block_index(number, 0));
        for block in targets {
            let flight = Flight {
                who: self.who(lane),
                block: self.block,
                pieces: vec![Piece {
                    to: SharedSpot { block, ..to },
                    from: Source::Response(first),
                    bytes: RESPONSE_BYTES,
                }],
                change: Change::None,
                // A response has sixteen bytes.
                end: End::Bytes(RESPONSE_BYTES as u32),
            };
            self.launch(lane, SharedSpot { block, ..barrier }, flight)?;
        }
        Ok(())
    }
}
