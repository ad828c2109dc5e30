//! Vectors of elements that are neighbours in memory along other bits than those of the lanes: they are loaded and stored along
//! these bits, and shuffled.

use rustc_hash::FxHashMap;
use tile_core::types::Scalar;

use super::super::ir::{Inst, Nest, Place, Reg};
use super::super::plan::Plan;
use super::nest::{Iteration, Version};
use super::{Emitter, vector_type};

impl Emitter<'_> {
    /// Loads the blocks of elements that are neighbours along the unrolled bits, and transposes them: returns a vector for
    /// each unrolled iteration.
    pub(super) fn crossed_loads(
        &mut self,
        nest: &Nest,
        plan: &Plan,
        iteration: &Iteration,
        version: Version,
    ) -> FxHashMap<Reg, Vec<String>> {
        let mut crossed = FxHashMap::default();
        if !version.is_unit {
            return crossed;
        }
        self.lanes = 1 << plan.lanes.len();
        for (reg, inst) in nest.insts.iter().enumerate() {
            let Inst::Load(place, padding) = inst else {
                continue;
            };
            if !plan.is_crossed(place) {
                continue;
            }
            let mut rows = Vec::new();
            for lane in 0..1 << plan.lanes.len() {
                let iteration = Iteration {
                    counters: iteration.counters.clone(),
                    set: set_bits(&plan.lanes, lane),
                    lanes: plan.unrolled.clone(),
                };
                rows.push(self.load(place, *padding, &iteration, version));
            }
            crossed.insert(reg, self.transposed(rows, place.scalar));
        }
        crossed
    }

    /// Transposes the results of the unrolled iterations, which ran in the order of these numbers, and stores them to places whose
    /// elements are neighbours along the unrolled bits.
    pub(super) fn crossed_stores(
        &mut self,
        plan: &Plan,
        iteration: &Iteration,
        version: Version,
        numbers: &[usize],
    ) {
        let mut values = std::mem::take(&mut self.crossed);
        while let Some((place, _)) = values.first().cloned() {
            let (of_place, others): (Vec<_>, Vec<_>) =
                values.into_iter().partition(|(other, _)| *other == place);
            values = others;
            let mut columns = vec![String::new(); numbers.len()];
            for (&number, (_, value)) in numbers.iter().zip(of_place) {
                columns[number] = value;
            }
            self.lanes = 1 << plan.lanes.len();
            let rows = self.transposed(columns, place.scalar);
            for (lane, row) in rows.into_iter().enumerate() {
                let iteration = Iteration {
                    counters: iteration.counters.clone(),
                    set: set_bits(&plan.lanes, lane),
                    lanes: plan.unrolled.clone(),
                };
                self.store(&place, &row, &iteration, version);
            }
        }
    }

    /// Returns vectors whose lane `i` of number `j` is lane `j` of number `i` of the given ones. Each step exchanges a bit
    /// of the numbers with one of the lanes.
    fn transposed(&mut self, mut rows: Vec<String>, scalar: Scalar) -> Vec<String> {
        let count = rows.len();
        let ty = vector_type(scalar, self.lanes);
        let mut step = 1;
        while step < count {
            for low in (0..count).filter(|row| row & step == 0) {
                let high = low | step;
                let pair = [rows[low].clone(), rows[high].clone()];
                // Lanes of the second vector have numbers from `count` on.
                let kept = |lane: usize| lane & step == 0;
                let new_low = |lane| {
                    if kept(lane) {
                        lane
                    } else {
                        count + lane - step
                    }
                };
                let new_high = |lane| {
                    if kept(lane) {
                        lane + step
                    } else {
                        count + lane
                    }
                };
                rows[low] = self.lanes_of_pair(&ty, &pair, (0..count).map(new_low));
                rows[high] = self.lanes_of_pair(&ty, &pair, (0..count).map(new_high));
            }
            step *= 2;
        }
        rows
    }

    /// Returns lanes of two vectors.
    fn lanes_of_pair(
        &mut self,
        ty: &str,
        [first, second]: &[String; 2],
        lanes: impl Iterator<Item = usize>,
    ) -> String {
        let lanes: Vec<String> = lanes.map(|lane| format!("i32 {lane}")).collect();
        self.value(&format!(
            "shufflevector {ty} {first}, {ty} {second}, <{} x i32> <{}>",
            lanes.len(),
            lanes.join(", ")
        ))
    }

    /// Loads two halves, whose elements take turns.
    pub(super) fn load_in_turn(
        &mut self,
        place: &Place,
        padding: u64,
        iteration: &Iteration,
        version: Version,
    ) -> String {
        let (lanes, half) = (self.lanes as usize, self.lanes as usize / 2);
        self.lanes /= 2;
        let runs = [0, 1].map(|run| {
            let mut of_run = iteration.clone();
            of_run.lanes.remove(0);
            of_run.set.extend(set_bits(&iteration.lanes[..1], run));
            self.load(place, padding, &of_run, version)
        });
        let ty = vector_type(place.scalar, self.lanes);
        self.lanes *= 2;
        self.lanes_of_pair(
            &ty,
            &runs,
            (0..lanes).map(|lane| lane / 2 + lane % 2 * half),
        )
    }
}

/// Returns the bits that are set in a number, whose bits are those given.
pub(super) fn set_bits(bits: &[u32], number: usize) -> Vec<u32> {
    let bits = bits.iter().enumerate();
    bits.filter(|(index, _)| number >> index & 1 == 1)
        .map(|(_, &bit)| bit)
        .collect()
}
