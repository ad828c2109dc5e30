//! The register file of a warp.
//!
//! A value occupies the low bits of 64; the bits above its width are zero. Each row has the mask of
//! lanes in which it was written.
//!
//! A row whose 32 values are known to be equal is uniform: loop counters, sizes, addresses of a block. An
//! instruction computes a uniform row from uniform rows once, not once per lane.
#![expect(clippy::inline_always, reason = "see `vectors::Work`")]

use crate::isa::{Pred, Slot};
use crate::parse::decoder::Condition;

/// One value per lane.
pub(crate) type Row = [u64; 32];

/// Iterates over the lanes of a mask in ascending order.
#[inline]
pub(crate) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(lane)
    })
}

/// The registers of a warp.
#[derive(Clone)]
pub(crate) struct Registers {
    rows: Vec<Row>,
    /// Is `true` for rows that are known to be uniform.
    uniform: Vec<bool>,
    defined: Vec<u32>,
    preds: Vec<u32>,
    preds_defined: Vec<u32>,
    /// The carry flag of each lane (`CC.CF`).
    pub(crate) carry: u32,
}

impl Registers {
    pub(crate) fn new(rows: usize, preds: usize) -> Self {
        Self {
            rows: vec![[0; 32]; rows],
            uniform: vec![true; rows],
            defined: vec![0; rows],
            preds: vec![0; preds],
            preds_defined: vec![0; preds],
            carry: 0,
        }
    }

    /// Marks all registers as uninitialized.
    pub(crate) fn reset(&mut self) {
        self.defined.fill(0);
        self.preds_defined.fill(0);
        self.carry = 0;
    }

    #[inline]
    pub(crate) fn defined(&self, slot: Slot) -> u32 {
        self.defined[slot.index()]
    }

    #[inline]
    pub(crate) fn pred_defined(&self, pred: Pred) -> u32 {
        self.preds_defined[pred.index()]
    }

    #[inline]
    pub(crate) fn define(&mut self, active: u32, slot: Slot) {
        self.defined[slot.index()] |= active;
    }

    /// Marks a register as undefined in the `active` lanes, after an instruction that leaves it
    /// undefined.
    pub(crate) fn forget(&mut self, active: u32, slot: Slot) {
        self.defined[slot.index()] &= !active;
    }

    /// Returns the value of a row that is known to be uniform.
    #[inline]
    pub(crate) fn uniform(&self, slot: Slot) -> Option<u64> {
        self.uniform[slot.index()].then(|| self.rows[slot.index()][0])
    }

    /// Sets all lanes to one value.
    #[inline]
    pub(crate) fn spread(&mut self, dest: Slot, value: u64) {
        self.rows[dest.index()] = [value; 32];
        self.uniform[dest.index()] = true;
        self.defined[dest.index()] = u32::MAX;
    }

    /// Finds out if a row is uniform, after its lanes were set one by one.
    pub(crate) fn find_uniform(&mut self, slot: Slot) {
        let row = &self.rows[slot.index()];
        self.uniform[slot.index()] = row.iter().all(|&value| value == row[0]);
    }

    #[inline]
    pub(crate) fn row(&self, slot: Slot) -> Row {
        self.rows[slot.index()]
    }

    #[inline]
    pub(crate) fn row_ref(&self, slot: Slot) -> &Row {
        &self.rows[slot.index()]
    }

    /// Returns a row that the caller sets in the `active` lanes.
    #[inline]
    pub(crate) fn row_mut(&mut self, active: u32, slot: Slot) -> &mut Row {
        self.defined[slot.index()] |= active;
        self.uniform[slot.index()] = false;
        &mut self.rows[slot.index()]
    }

    #[inline]
    pub(crate) fn get(&self, lane: usize, slot: Slot) -> u64 {
        self.rows[slot.index()][lane]
    }

    /// Sets one lane. The caller calls [`Self::define`].
    #[inline]
    pub(crate) fn set(&mut self, lane: usize, slot: Slot, value: u64) {
        self.rows[slot.index()][lane] = value;
        self.uniform[slot.index()] = false;
    }

    #[inline(always)]
    pub(crate) fn write(&mut self, active: u32, dest: Slot, values: &Row) {
        let row = &mut self.rows[dest.index()];
        if active == u32::MAX {
            *row = *values;
        } else {
            for lane in lanes(active) {
                row[lane] = values[lane];
            }
        }
        self.defined[dest.index()] |= active;
        self.uniform[dest.index()] = false;
    }

    /// Sets the active lanes, one by one.
    #[inline]
    pub(crate) fn each(&mut self, active: u32, dest: Slot, mut value: impl FnMut(usize) -> u64) {
        let mut out = [0; 32];
        for lane in lanes(active) {
            out[lane] = value(lane);
        }
        self.write(active, dest, &out);
    }

    #[inline(always)]
    pub(crate) fn map1(&mut self, active: u32, dest: Slot, a: Slot, f: impl Fn(u64) -> u64) {
        if active == u32::MAX
            && let Some(a) = self.uniform(a)
        {
            return self.spread(dest, f(a));
        }
        let a = &self.rows[a.index()];
        let mut out = [0; 32];
        if active == u32::MAX {
            for lane in 0..32 {
                out[lane] = f(a[lane]);
            }
        } else {
            for lane in lanes(active) {
                out[lane] = f(a[lane]);
            }
        }
        self.write(active, dest, &out);
    }

    #[inline(always)]
    pub(crate) fn map2(
        &mut self,
        active: u32,
        dest: Slot,
        a: Slot,
        b: Slot,
        f: impl Fn(u64, u64) -> u64,
    ) {
        if active == u32::MAX
            && let (Some(a), Some(b)) = (self.uniform(a), self.uniform(b))
        {
            return self.spread(dest, f(a, b));
        }
        let (a, b) = (&self.rows[a.index()], &self.rows[b.index()]);
        let mut out = [0; 32];
        if active == u32::MAX {
            for lane in 0..32 {
                out[lane] = f(a[lane], b[lane]);
            }
        } else {
            for lane in lanes(active) {
                out[lane] = f(a[lane], b[lane]);
            }
        }
        self.write(active, dest, &out);
    }

    #[inline(always)]
    pub(crate) fn map3(
        &mut self,
        active: u32,
        dest: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
        f: impl Fn(u64, u64, u64) -> u64,
    ) {
        if active == u32::MAX
            && let (Some(a), Some(b), Some(c)) = (self.uniform(a), self.uniform(b), self.uniform(c))
        {
            return self.spread(dest, f(a, b, c));
        }
        let [a, b, c] = [a, b, c].map(|slot| &self.rows[slot.index()]);
        let mut out = [0; 32];
        if active == u32::MAX {
            for lane in 0..32 {
                out[lane] = f(a[lane], b[lane], c[lane]);
            }
        } else {
            for lane in lanes(active) {
                out[lane] = f(a[lane], b[lane], c[lane]);
            }
        }
        self.write(active, dest, &out);
    }

    #[inline]
    pub(crate) fn map4(
        &mut self,
        active: u32,
        dest: Slot,
        args: [Slot; 4],
        f: impl Fn(u64, u64, u64, u64) -> u64,
    ) {
        let [a, b, c, d] = args.map(|slot| &self.rows[slot.index()]);
        let mut out = [0; 32];
        for lane in lanes(active) {
            out[lane] = f(a[lane], b[lane], c[lane], d[lane]);
        }
        self.write(active, dest, &out);
    }

    /// Returns the lanes in which the condition holds.
    #[inline]
    pub(crate) fn condition(&self, condition: Condition) -> u32 {
        let value = self.preds[condition.pred.index()];
        if condition.negated { !value } else { value }
    }

    #[inline]
    pub(crate) fn set_pred(&mut self, active: u32, dest: Pred, value: u32) {
        let pred = &mut self.preds[dest.index()];
        *pred = *pred & !active | value & active;
        self.preds_defined[dest.index()] |= active;
    }
}
