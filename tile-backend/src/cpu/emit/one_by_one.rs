//! Masked accesses for which a level has no instruction are loops over the lanes that the mask has. LLVM would write out a branch and an
//! access for each lane, which is a multiple of the code, and takes as long to run.

use tile_core::types::Scalar;

use super::places::memory_scalar;
use super::{Emitter, scalar_type, vector_of, vector_type};

/// The places that the lanes of a masked access have.
#[derive(Clone, Copy)]
pub(super) enum Lane<'t> {
    /// The address of the first lane, whose neighbours follow it.
    From(&'t str),
    /// A vector of pointers.
    At(&'t str),
}

impl Emitter<'_> {
    /// Returns `true` if masked accesses to elements of a type have no instruction.
    fn goes_one_by_one(&self, at: Lane<'_>, scalar: Scalar) -> bool {
        let is_word = matches!(memory_scalar(scalar).bytes(), 4 | 8);
        let has_instruction = match at {
            Lane::From(_) => self.level.has_masks() || self.level.has_masked_words() && is_word,
            Lane::At(_) => self.level.has_masks() && is_word,
        };
        self.lanes > 1 && !has_instruction
    }

    /// Loads the lanes of a mask one by one, in memory as in `padding`; `None` if there is an instruction.
    pub(super) fn load_one_by_one(
        &mut self,
        at: Lane<'_>,
        mask: &str,
        padding: &str,
        scalar: Scalar,
        alias: &str,
    ) -> Option<String> {
        let element = scalar_type(memory_scalar(scalar));
        let copy = |emitter: &mut Self, of_lane: &str, pointer: &str| {
            let loaded = emitter.value(&format!("load {element}, ptr {pointer}, align 1{alias}"));
            emitter.line(&format!("store {element} {loaded}, ptr {of_lane}"));
        };
        let vector = self.access_one_by_one(at, mask, padding, scalar, copy)?;
        let ty = vector_type(memory_scalar(scalar), self.lanes);
        Some(self.value(&format!("load {ty}, ptr {vector}")))
    }

    /// Stores the lanes of a mask one by one, the last one last. Returns `false` if there is an instruction.
    pub(super) fn store_one_by_one(
        &mut self,
        at: Lane<'_>,
        mask: &str,
        value: &str,
        scalar: Scalar,
        alias: &str,
    ) -> bool {
        let element = scalar_type(memory_scalar(scalar));
        let copy = |emitter: &mut Self, of_lane: &str, pointer: &str| {
            let stored = emitter.value(&format!("load {element}, ptr {of_lane}"));
            emitter.line(&format!(
                "store {element} {stored}, ptr {pointer}, align 1{alias}"
            ));
        };
        let vector = self.access_one_by_one(at, mask, value, scalar, copy);
        vector.is_some()
    }

    /// Puts a vector on the stack, and emits `copy` for the lanes of a mask, which gets the pointer to the lane there and that of the
    /// element. Returns the pointer to the vector; `None` if there is an instruction.
    fn access_one_by_one(
        &mut self,
        at: Lane<'_>,
        mask: &str,
        vector: &str,
        scalar: Scalar,
        copy: impl FnOnce(&mut Self, &str, &str),
    ) -> Option<String> {
        if !self.goes_one_by_one(at, scalar) {
            return None;
        }
        let ty = vector_type(memory_scalar(scalar), self.lanes);
        let element = scalar_type(memory_scalar(scalar));
        let slot = self.slot(&ty);
        self.line(&format!("store {ty} {vector}, ptr {slot}"));
        self.for_lanes(at, mask, element, |emitter, lane, pointer| {
            let of_lane =
                emitter.value(&format!("getelementptr {element}, ptr {slot}, i64 {lane}"));
            copy(emitter, &of_lane, pointer);
        });
        Some(slot)
    }

    /// Returns memory on the stack for a vector, which each access may use until it ends.
    fn slot(&mut self, ty: &str) -> String {
        if let Some(slot) = self.slots.get(ty) {
            return slot.clone();
        }
        let slot = self.at_entry(&format!("alloca {ty}"));
        self.slots.insert(ty.to_owned(), slot.clone());
        slot
    }

    /// Emits a loop over the lanes of a mask, from the first; `body` gets the number of the lane and its pointer.
    fn for_lanes(
        &mut self,
        at: Lane<'_>,
        mask: &str,
        element: &str,
        body: impl FnOnce(&mut Self, &str, &str),
    ) {
        let lanes = self.lanes;
        let pointers = match at {
            Lane::From(_) => None,
            Lane::At(vector) => {
                let ty = vector_of("ptr", lanes);
                let pointers = self.slot(&ty);
                self.line(&format!("store {ty} {vector}, ptr {pointers}"));
                Some(pointers)
            }
        };
        let truths = vector_of("i1", lanes);
        let bits = self.value(&format!("bitcast {truths} {mask} to i{lanes}"));
        // Bytes have more lanes than a word has bits, where the rest of a nest has wider elements.
        let word = format!("i{}", lanes.max(64));
        let bits = if lanes < 64 {
            self.value(&format!("zext i{lanes} {bits} to {word}"))
        } else {
            bits
        };
        let [head, next, end] = [self.label(), self.label(), self.label()];
        let (left, rest) = (self.fresh(), self.fresh());
        let before = self.block.clone();
        self.branch(&head);
        self.start(&head);
        self.line(&format!(
            "{left} = phi {word} [ {bits}, %{before} ], [ {rest}, %{next} ]"
        ));
        let is_done = self.value(&format!("icmp eq {word} {left}, 0"));
        self.branch_if(&is_done, &end, &next);
        self.start(&next);
        self.declare(format!("declare {word} @llvm.cttz.{word}({word}, i1)"));
        let lane = self.value(&format!(
            "call {word} @llvm.cttz.{word}({word} {left}, i1 true)"
        ));
        let lane = if lanes > 64 {
            self.value(&format!("trunc {word} {lane} to i64"))
        } else {
            lane
        };
        let pointer = match (at, pointers) {
            (Lane::From(first), _) => {
                self.value(&format!("getelementptr {element}, ptr {first}, i64 {lane}"))
            }
            (_, pointers) => {
                let pointers = pointers.expect("a vector of pointers");
                let from = self.value(&format!("getelementptr ptr, ptr {pointers}, i64 {lane}"));
                self.value(&format!("load ptr, ptr {from}"))
            }
        };
        body(self, &lane, &pointer);
        let lower = self.value(&format!("sub {word} {left}, 1"));
        self.line(&format!("{rest} = and {word} {left}, {lower}"));
        self.branch(&head);
        self.start(&end);
    }
}
