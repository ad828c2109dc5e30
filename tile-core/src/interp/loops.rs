//! Loops over elements, in the widest vectors of the processor.
//!
//! Each loop is compiled twice from one source: for every processor, and for one with AVX2 and FMA.
//! The choice affects neither the order of operations nor their rounding: nothing is contracted or
//! reassociated, and a multiplication is fused with an addition only where the source says
//! `mul_add`. So results have the same bits everywhere.
//!
//! Without optimization (`cfg(unoptimized)`, from the build script) nothing is vectorized or inlined. Then the
//! loops are compiled once for each type of elements, and call the operation through a pointer: an operation is as
//! fast as in a loop of its own, and the loops of 800 operations would be a quarter of the crate's machine code.

use super::tile::Lane;
use std::mem::MaybeUninit;

/// Returns `true` if the processor has AVX2 and FMA.
#[cfg(all(target_arch = "x86_64", not(unoptimized)))]
fn has_wide_vectors() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Defines `$name` as `$body`, compiled for the processor that runs it.
#[cfg(not(unoptimized))]
macro_rules! widest {
    (
        $(#[$meta:meta])*
        fn $name:ident<$($T:ident),+>($f:ident: $F:path, $($arg:ident: $ty:ty),+) $body:block
    ) => {
        $(#[$meta])*
        pub(super) fn $name<$($T: Lane),+>($f: impl $F, $($arg: $ty),+) {
            #[inline(always)]
            fn any<$($T: Lane),+>($f: impl $F, $($arg: $ty),+) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn wide<$($T: Lane),+>($f: impl $F, $($arg: $ty),+) {
                    any($f, $($arg),+);
                }
                if has_wide_vectors() {
                    // SAFETY: the processor has the features for which the function is compiled.
                    return unsafe { wide($f, $($arg),+) };
                }
            }
            any($f, $($arg),+);
        }
    };
}

/// Defines `$name` as `$body`, which is compiled once for all operations on the same types.
#[cfg(unoptimized)]
macro_rules! widest {
    (
        $(#[$meta:meta])*
        fn $name:ident<$($T:ident),+>($f:ident: $F:path, $($arg:ident: $ty:ty),+) $body:block
    ) => {
        $(#[$meta])*
        pub(super) fn $name<$($T: Lane),+>($f: impl $F, $($arg: $ty),+) {
            fn shared<$($T: Lane),+>($f: &dyn $F, $($arg: $ty),+) $body

            shared(&$f, $($arg),+);
        }
    };
}

/// Returns the room for `count` more elements behind those of `out`.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "it is compiled for what it is inlined into"
)]
fn room<R: Lane>(out: &mut Vec<R>, count: usize) -> &mut [MaybeUninit<R>] {
    out.reserve(count);
    &mut out.spare_capacity_mut()[..count]
}

// These loops exist for each operation on each type of elements, some 800 times, so they are written
// with indices: in a build without optimization an iterator adapter costs a dozen functions for each.

widest! {
    /// Appends `f(a[i])`.
    fn map1<A, R>(f: Fn(A) -> R, a: &[A], out: &mut Vec<R>) {
        let count = a.len();
        let to = room(out, count);
        let mut i = 0;
        while i < count {
            to[i] = MaybeUninit::new(f(a[i]));
            i += 1;
        }
        // SAFETY: `count` elements were written behind the existing ones.
        unsafe { out.set_len(out.len() + count) };
    }
}

widest! {
    /// Appends `f(a[i], b[i])`.
    fn map2<A, B, R>(f: Fn(A, B) -> R, a: &[A], b: &[B], out: &mut Vec<R>) {
        let count = if a.len() < b.len() { a.len() } else { b.len() };
        let (a, b) = (&a[..count], &b[..count]);
        let to = room(out, count);
        let mut i = 0;
        while i < count {
            to[i] = MaybeUninit::new(f(a[i], b[i]));
            i += 1;
        }
        // SAFETY: `count` elements were written behind the existing ones.
        unsafe { out.set_len(out.len() + count) };
    }
}

widest! {
    /// Appends `f(a[i], b[i], c[i])`.
    fn map3<A, B, C, R>(f: Fn(A, B, C) -> R, a: &[A], b: &[B], c: &[C], out: &mut Vec<R>) {
        let count = a.len().min(b.len()).min(c.len());
        let (a, b, c) = (&a[..count], &b[..count], &c[..count]);
        let to = room(out, count);
        let mut i = 0;
        while i < count {
            to[i] = MaybeUninit::new(f(a[i], b[i], c[i]));
            i += 1;
        }
        // SAFETY: `count` elements were written behind the existing ones.
        unsafe { out.set_len(out.len() + count) };
    }
}

widest! {
    /// Computes `a[i] = f(a[i])`.
    fn map_in_place<A>(f: Fn(A) -> A, a: &mut [A]) {
        for a in a {
            *a = f(*a);
        }
    }
}

/// The number of partial results of a row that are computed simultaneously.
pub(super) const PARTIALS: usize = 32;

widest! {
    /// Appends the reduction of each row of `lanes`, which has `extent` elements.
    ///
    /// A row is combined into [`PARTIALS`] partial results: element `i` is combined into partial
    /// result `i % PARTIALS`, in order. Then the second half of the partial results is combined into
    /// the first half, repeatedly, until one is left. A shorter row has a partial result for each
    /// element.
    fn fold_rows<L>(f: Fn(L, L) -> L, lanes: &[L], extent: usize, out: &mut Vec<L>) {
        let mut start = 0;
        while start + extent <= lanes.len() {
            let row = &lanes[start..start + extent];
            start += extent;
            debug_assert!(extent.is_power_of_two(), "extents are powers of two");
            let count = if extent < PARTIALS { extent } else { PARTIALS };
            let mut partials = [row[0]; PARTIALS];
            let mut i = 1;
            while i < count {
                partials[i] = row[i];
                i += 1;
            }
            let (groups, _) = row.as_chunks::<PARTIALS>();
            let mut number = 1;
            while number < groups.len() {
                let group = &groups[number];
                let mut i = 0;
                while i < PARTIALS {
                    partials[i] = f(group[i], partials[i]);
                    i += 1;
                }
                number += 1;
            }
            let mut half = count / 2;
            while half > 0 {
                let mut i = 0;
                while i < half {
                    partials[i] = f(partials[i + half], partials[i]);
                    i += 1;
                }
                half /= 2;
            }
            out.push(partials[0]);
        }
    }
}

widest! {
    /// Computes `acc[i] = f(row[i], acc[i])`.
    fn fold_into<L>(f: Fn(L, L) -> L, row: &[L], acc: &mut [L]) {
        let count = if row.len() < acc.len() { row.len() } else { acc.len() };
        let (row, acc) = (&row[..count], &mut acc[..count]);
        let mut i = 0;
        while i < count {
            acc[i] = f(row[i], acc[i]);
            i += 1;
        }
    }
}
