//! Loops over elements, in the widest vectors of the processor.
//!
//! Each loop is compiled twice from one source: for every processor, and for one with AVX2 and FMA.
//! The choice affects neither the order of operations nor their rounding: nothing is contracted or
//! reassociated, and a multiplication is fused with an addition only where the source says
//! `mul_add`. So results have the same bits everywhere.

use super::tile::Lane;

/// Defines `$name` as `$body`, compiled for the processor that runs it.
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
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the processor has the features for which the function is compiled.
                    return unsafe { wide($f, $($arg),+) };
                }
            }
            any($f, $($arg),+);
        }
    };
}

/// Appends the `count` items of `elements`.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "it is compiled for what it is inlined into"
)]
fn append<R: Lane>(out: &mut Vec<R>, count: usize, elements: impl Iterator<Item = R>) {
    out.reserve(count);
    let room = &mut out.spare_capacity_mut()[..count];
    let mut written = 0;
    for (to, element) in room.iter_mut().zip(elements) {
        to.write(element);
        written += 1;
    }
    // SAFETY: that many elements were written directly after the existing ones.
    unsafe { out.set_len(out.len() + written) };
}

widest! {
    /// Appends `f(a[i])`.
    fn map1<A, R>(f: Fn(A) -> R, a: &[A], out: &mut Vec<R>) {
        append(out, a.len(), a.iter().map(|&a| f(a)));
    }
}

widest! {
    /// Appends `f(a[i], b[i])`.
    fn map2<A, B, R>(f: Fn(A, B) -> R, a: &[A], b: &[B], out: &mut Vec<R>) {
        let both = a.iter().zip(b);
        append(out, a.len().min(b.len()), both.map(|(&a, &b)| f(a, b)));
    }
}

widest! {
    /// Appends `f(a[i], b[i], c[i])`.
    fn map3<A, B, C, R>(f: Fn(A, B, C) -> R, a: &[A], b: &[B], c: &[C], out: &mut Vec<R>) {
        let count = a.len().min(b.len()).min(c.len());
        let (a, b, c) = (&a[..count], &b[..count], &c[..count]);
        append(out, count, (0..count).map(|i| f(a[i], b[i], c[i])));
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
    /// A row of at least [`PARTIALS`] elements is combined into that many partial results: element
    /// `i` is combined into partial result `i % PARTIALS`, in order. Then the second half of the
    /// partial results is combined into the first half, repeatedly, until one is left.
    fn fold_rows<L>(f: Fn(L, L) -> L, lanes: &[L], extent: usize, out: &mut Vec<L>) {
        for row in lanes.chunks_exact(extent) {
            let (groups, rest) = row.as_chunks::<PARTIALS>();
            let Some((first, groups)) = groups.split_first() else {
                out.extend(row.iter().copied().reduce(|acc, x| f(x, acc)));
                continue;
            };
            debug_assert!(rest.is_empty(), "extents are powers of two");
            let mut partials = *first;
            for group in groups {
                for (partial, &x) in partials.iter_mut().zip(group) {
                    *partial = f(x, *partial);
                }
            }
            let mut half = PARTIALS / 2;
            while half > 0 {
                for index in 0..half {
                    partials[index] = f(partials[index + half], partials[index]);
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
        for (acc, &x) in acc.iter_mut().zip(row) {
            *acc = f(x, *acc);
        }
    }
}
