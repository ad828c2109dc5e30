//! Slots that warps hand to and fro: whose turn it is.
//!
//! Each side is a program of its own, and counts for itself: the `n`-th tile of a ring of `S` slots is in
//! slot `n % S`, in round `n / S`, whose parity a wait for it names; the other one if the wait is for the
//! round before to be over. What is not in this order would wait for ever, or not at all. That both go
//! through as many tiles is not known here.

use super::super::super::{BufferId, Handshake, Reach};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of one side of a ring.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Turn {
    /// The tile that comes next, of two rounds; `None` if it depends on the way that was come.
    next: Option<u64>,
    /// What is held: slots that are read, or the one that is filled; `None` as above.
    held: Option<Held>,
    /// Whether readers wrote to its bytes.
    is_spoiled: bool,
    /// Whether others of the cluster may free slots that the producer has not waited for.
    is_lent: bool,
}

/// Slots that are waited for, and not handed over yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Held {
    slots: BTreeSet<u64>,
    /// Bytes that the slot being filled expects, and those of copies into it.
    bytes: Option<(u64, u64)>,
}

impl Default for Turn {
    fn default() -> Self {
        Self {
            next: Some(0),
            held: Some(Held::default()),
            is_spoiled: false,
            is_lent: false,
        }
    }
}

impl Turn {
    /// The next tile comes; why it cannot be in this slot, in a round of this parity.
    fn advance(&mut self, slots: u64, at: Option<(u64, u64)>) -> Option<String> {
        let Some(next) = self.next else {
            return Some("which slot is next depends on the way that was come".to_owned());
        };
        self.next = Some((next + 1) % (2 * slots));
        (at != Some((next % slots, next / slots)))
            .then(|| "this is not the slot that is next, or not the parity of its round".to_owned())
    }

    fn held(&mut self) -> Result<&mut Held, String> {
        let held = self.held.as_mut();
        held.ok_or_else(|| "which slots are held depends on the way that was come".to_owned())
    }
}

/// Rings that were come by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Turns {
    rings: BTreeMap<BufferId, Turn>,
    /// Whether blocks of the cluster may do to others what these are not ready for: they have not met since
    /// barriers were initialized.
    is_apart: bool,
}

impl Turns {
    /// Adds what may be so on another way. Whether that was anything new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        let mut rings: BTreeSet<BufferId> = self.rings.keys().copied().collect();
        rings.extend(other.rings.keys());
        for ring in rings {
            let own = self.rings.entry(ring).or_default();
            let of_other = other.rings.get(&ring).cloned().unwrap_or_default();
            if own.next != of_other.next {
                own.next = None;
            }
            if own.held != of_other.held {
                own.held = None;
            }
            own.is_spoiled |= of_other.is_spoiled;
            own.is_lent |= of_other.is_lent;
        }
        self.is_apart |= other.is_apart;
        *self != before
    }

    /// What reaches so far is initialized.
    pub(super) fn init(&mut self, reach: Reach) {
        self.is_apart |= reach == Reach::Cluster;
    }

    /// The blocks of the cluster have waited for each other.
    pub(super) fn meet(&mut self) {
        self.is_apart = false;
    }

    /// Producers begin.
    pub(super) fn begin(&self) -> Option<String> {
        self.is_apart.then(|| {
            "blocks of the cluster may copy here before the barriers are initialized".to_owned()
        })
    }

    fn of(&mut self, handshake: Handshake) -> &mut Turn {
        self.rings.entry(handshake.filled).or_default()
    }

    /// Readers write to bytes of these rings, which producers must not fill again.
    pub(super) fn spoil(&mut self, rings: impl Iterator<Item = BufferId>) {
        for ring in rings {
            self.rings.entry(ring).or_default().is_spoiled = true;
        }
    }

    /// The producer waits for a slot to be free.
    pub(super) fn take(
        &mut self,
        handshake: Handshake,
        slots: u64,
        slot: Option<u64>,
        parity: Option<u64>,
    ) -> Vec<String> {
        let turn = self.of(handshake);
        turn.is_lent |= handshake.reach == Reach::Cluster;
        let at = slot.zip(parity.map(|parity| parity ^ 1));
        let mut faults: Vec<String> = turn.advance(slots, at).into_iter().collect();
        match turn.held() {
            Err(fault) => faults.push(fault),
            Ok(held) => {
                let before = std::mem::replace(
                    held,
                    Held {
                        slots: slot.into_iter().collect(),
                        bytes: None,
                    },
                );
                if before != Held::default() {
                    faults.push("the slot before was not filled".to_owned());
                }
            }
        }
        faults
    }

    /// The producer fills no more.
    pub(super) fn end(
        &mut self,
        handshake: Handshake,
        slots: u64,
        slot: Option<u64>,
        parity: Option<u64>,
    ) -> Option<String> {
        let turn = self.of(handshake);
        turn.is_lent = false;
        let fault = turn.advance(slots, slot.zip(parity));
        turn.next = None;
        fault
    }

    /// The producer says how many bytes will come.
    pub(super) fn expect(
        &mut self,
        handshake: Handshake,
        bytes: u32,
        slot: Option<u64>,
    ) -> Option<String> {
        match self.of(handshake).held() {
            Err(fault) => Some(fault),
            Ok(held) => {
                let is_held = slot.is_some_and(|slot| held.slots.contains(&slot));
                let is_first = held.bytes.replace((bytes.into(), 0)).is_none();
                (!is_held || !is_first)
                    .then(|| "nobody has waited for this slot to be free".to_owned())
            }
        }
    }

    /// The producer begins a copy.
    pub(super) fn copy(
        &mut self,
        handshake: Handshake,
        bytes: u64,
        slot: Option<u64>,
    ) -> Option<String> {
        let held = match self.of(handshake).held() {
            Err(fault) => return Some(fault),
            Ok(held) => held,
        };
        let is_held = slot.is_some_and(|slot| held.slots.contains(&slot));
        let Some((expected, copied)) = held.bytes.filter(|_| is_held) else {
            return Some("nobody has waited for this slot, and said what comes".to_owned());
        };
        let copied = copied + bytes;
        if copied == expected {
            // It is the reader's.
            *held = Held::default();
        } else {
            held.bytes = Some((expected, copied));
        }
        (copied > expected).then(|| format!("{expected} bytes are expected, and {copied} come"))
    }

    /// A reader waits for a slot to be filled.
    pub(super) fn wait(
        &mut self,
        handshake: Handshake,
        slots: u64,
        slot: Option<u64>,
        parity: Option<u64>,
    ) -> Vec<String> {
        let turn = self.of(handshake);
        let mut faults: Vec<String> = turn.advance(slots, slot.zip(parity)).into_iter().collect();
        if turn.is_spoiled {
            faults.push("readers have written to the ring that is filled".to_owned());
        }
        match turn.held() {
            Err(fault) => faults.push(fault),
            Ok(held) => {
                let is_new = slot.is_none_or(|slot| held.slots.insert(slot));
                if !is_new {
                    faults.push("the slot was not freed since it was waited for".to_owned());
                }
            }
        }
        faults
    }

    /// Readers free a slot.
    pub(super) fn free(&mut self, handshake: Handshake, slot: Option<u64>) -> Option<String> {
        match self.of(handshake).held() {
            Err(fault) => Some(fault),
            Ok(held) => {
                let was_held = slot.is_some_and(|slot| held.slots.remove(&slot));
                (!was_held).then(|| "this slot was not waited for, or is free already".to_owned())
            }
        }
    }

    /// Faults of an end of the program here: slots that are waited for and not handed over, and others of
    /// the cluster that may still free them.
    pub(super) fn held(&self) -> impl Iterator<Item = String> {
        let lent = self.rings.values().any(|turn| turn.is_lent);
        let lent = lent.then(|| {
            "the block may end while others of the cluster arrive at its barriers".to_owned()
        });
        let all = self.rings.iter();
        let held = all
            .filter(|(_, turn)| turn.held != Some(Held::default()))
            .map(|(ring, _)| {
                format!(
                    "slots of ${} may be held where the program ends",
                    ring.index()
                )
            });
        held.chain(lent)
    }
}
