//! The candidates of a launch: the instances of a kernel, and on the CPU device each of them at every level of native code.
//!
//! A candidate is a number. The instances at the highest level of the device come first, in the order of the attribute; those at the
//! next lower level follow in the same order, and so on. Not every number is a candidate: an instance may lack a level.

use std::ops::Range;

use smallvec::SmallVec;
use tile_core::tuning::levels::at_level;

use super::table::{PartImage, Tuning};
use crate::image::NativeLevel;
use crate::instance::Instance;
use crate::{Device, cpu, device::Kind};

/// The candidates of a kernel on a device.
#[derive(Clone, Debug)]
pub(super) struct Space {
    tuning: &'static Tuning,
    /// The levels below the highest one, in descending order.
    lower: SmallVec<[NativeLevel; 4]>,
    /// For each instance the bits of the levels below its own highest one; nothing without lower levels.
    has: SmallVec<[u8; 32]>,
}

impl Space {
    pub(super) fn new(tuning: &'static Tuning, device: Device) -> Space {
        let mut space = Space {
            tuning,
            lower: SmallVec::new(),
            has: SmallVec::new(),
        };
        if device.0 != Kind::Cpu {
            return space;
        }
        for candidate in tuning.candidates {
            let images = cpu::native_images((candidate.instance)());
            let lower = images.skip(1).map(|image| bit(image.level));
            space.has.push(lower.fold(0, |bits, bit| bits | bit));
        }
        let has = |level: &NativeLevel| space.has.iter().any(|bits| bits & bit(*level) != 0);
        space.lower = NativeLevel::ALL.into_iter().rev().filter(has).collect();
        space
    }

    /// Returns the instances at the highest level, which are the first candidates.
    pub(super) fn instances(&self) -> Range<usize> {
        0..self.tuning.candidates.len()
    }

    /// Returns what a block of each instance does.
    pub(super) fn parts(&self) -> impl Iterator<Item = &'static [PartImage]> {
        self.tuning
            .candidates
            .iter()
            .map(|candidate| candidate.parts)
    }

    /// Returns one more than the last candidate.
    pub(super) fn end(&self) -> usize {
        self.tuning.candidates.len() * (1 + self.lower.len())
    }

    /// Returns all candidates.
    pub(super) fn candidates(&self) -> impl Iterator<Item = usize> {
        (0..self.end()).filter(|&candidate| self.has(candidate))
    }

    /// Returns the candidates of an instance at lower levels.
    pub(super) fn lower(&self, instance: usize) -> impl Iterator<Item = usize> {
        let step = self.tuning.candidates.len();
        let all = (instance..self.end()).step_by(step).skip(1);
        all.filter(|&candidate| self.has(candidate))
    }

    /// Returns `false` for the number of a level that an instance lacks, or that is the highest one it has.
    fn has(&self, candidate: usize) -> bool {
        self.level(candidate)
            .is_none_or(|level| self.has[self.place(candidate)] & bit(level) != 0)
    }

    /// Returns the place of the instance in the attribute.
    pub(super) fn place(&self, candidate: usize) -> usize {
        candidate % self.tuning.candidates.len()
    }

    pub(super) fn instance(&self, candidate: usize) -> &'static Instance {
        (self.tuning.candidates[self.place(candidate)].instance)()
    }

    /// Returns the level of native code that runs, `None` for the highest one, or on another device.
    pub(super) fn level(&self, candidate: usize) -> Option<NativeLevel> {
        let below = candidate / self.tuning.candidates.len();
        Some(self.lower[below.checked_sub(1)?])
    }

    /// Returns the name in messages and records: `BM = 64, BN = 128`, or `BM = 64, BN = 128 at avx2` for a lower level.
    pub(super) fn name(&self, candidate: usize) -> &'static str {
        let place = self.place(candidate);
        match self.level(candidate) {
            None => self.tuning.candidates[place].name,
            Some(level) => self.tuning.name_at(place, level),
        }
    }

    /// Returns the candidate of a name.
    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.candidates().find(|&it| self.name(it) == name)
    }
}

fn bit(level: NativeLevel) -> u8 {
    1 << level as u8
}

/// Returns the names of all candidates at all levels.
pub(super) fn names(tuning: &Tuning) -> Vec<String> {
    let of_level = |level: NativeLevel| {
        let candidates = tuning.candidates.iter();
        candidates.map(move |candidate| at_level(candidate.name, level.name()))
    };
    NativeLevel::ALL.into_iter().flat_map(of_level).collect()
}
