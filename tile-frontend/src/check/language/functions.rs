//! Free functions.

use super::{AssociatedCheck, Declaration, FunctionCheck, Row, rows};
use crate::hir::signature::HostScalar;
use crate::hir::{Direction, ExprKind, RandomOp};

/// A scan of several tiles together.
const SCAN: Declaration = Declaration::new(
    "fn<X: Tiles>(x: X, axis: impl Integer, init: X::Elements, \
     combine: impl Fn(X::Elements, X::Elements) -> X::Elements) -> X",
);

rows! {
    /// The free functions.
    FUNCTIONS: FunctionCheck = (checker, call);

    /// States a fact about the arguments of the kernel, which every launch checks and the compiler relies on.
    ///
    /// Facts stand at the start of a kernel.
    "assume" "assume(n % 16 == 0)" "fn(condition: bool)" =>
        Some(checker.misplaced_fact(&call.callee(), call.args, call.loc));
    /// Returns the index of this block in the grid, along axis 0, 1 or 2.
    "block_id" "block_id(0)" "fn(axis: usize) -> i32" => checker.grid_query(ExprKind::BlockId, call);
    /// Returns the extent of the grid along axis 0, 1 or 2; an unused axis has extent 1.
    "num_blocks" "num_blocks(0)" "fn(axis: usize) -> i32" => checker.grid_query(ExprKind::NumBlocks, call);
    /// Returns a tile of zeros. The element type may be left to inference.
    "zeros" (generic) "zeros::<f32>([64, 64])" "fn<T: Element, S: Shape>(shape: S) -> S::Tile<T>" =>
        checker.zeros(call);
    /// Returns a tile whose elements all equal one number.
    "full" (generic) "full([64, 64], 1.0)" "fn<T: Element, S: Shape>(shape: S, x: T) -> S::Tile<T>" =>
        checker.full(call);
    /// Returns the tile `[0, 1, .. n - 1]` of integers.
    "iota" (generic) "iota::<i32>(64)" "fn<T: Integer>(n: impl Integer) -> Tile<T, 1>" => checker.iota(call);
    /// Selects `a` where `mask` holds, otherwise `b`.
    ///
    /// `mask` is a `bool` or a tile of `bool`; `a` and `b` have one element type. All three stretch.
    "select" "select(mask, a, b)"
        "fn<T: Element, M: Choose<T, A, B>, A, B>(mask: M, a: A, b: B) -> M::Output" => checker.select(call);
    /// Computes `a · b + acc` for `[M, K]`, `[K, N]` and `[M, N]`; tiles of rank 3 are batches of matrices.
    "mma" "mma(a, b, acc)"
        "fn<A: Element, B: Element, C: Element, const RANK: usize>\
         (a: Tile<A, RANK>, b: Tile<B, RANK>, acc: Tile<C, RANK>) -> Tile<C, RANK>" =>
        checker.mma(&call.callee(), call.args, call.loc);
    /// Computes `a · b`: accumulates from zeros of the last type in the `acc` column.
    "dot" "dot(a, b)"
        "fn<A: MatmulOperand, B: Element, const RANK: usize>\
         (a: Tile<A, RANK>, b: Tile<B, RANK>) -> Tile<A::Sum, RANK>" =>
        checker.dot(&call.callee(), call.args, call.loc);
    /// Computes `a · b + acc` in `f32`, where every block of `a` and `b` along `K` has a scale.
    "mma_scaled" "mma_scaled(a, a_scale, b, b_scale, acc)"
        "fn<A: Element, S: Element, B: Element, R: Element>\
         (a: Tile<A, 2>, a_scale: Tile<S, 2>, b: Tile<B, 2>, b_scale: Tile<R, 2>, acc: Tile<f32, 2>) -> Tile<f32, 2>" =>
        checker.mma_scaled(&call.callee(), call.args, call.loc);
    /// Concatenates `a` and `b` along `axis`.
    "cat" "cat(a, b, 0)"
        "fn<T: Element, const RANK: usize>\
         (a: Tile<T, RANK>, b: Tile<T, RANK>, axis: impl Integer) -> Tile<T, RANK>" =>
        checker.cat(&call.callee(), call.args, call.loc);
    /// Pairs the elements of `a` and `b`, `[.., N]`, along a new last axis: `[.., N, 2]`. Both stretch.
    "join" "join(a, b)"
        "fn<T: Element, const RANK: usize>\
         (a: Tile<T, RANK>, b: impl Operand<T, RANK>) -> <Tile<T, RANK> as Axes>::With \
         where Tile<T, RANK>: Axes" =>
        checker.join(&call.callee(), call.args, call.loc, false);
    /// Alternates the elements of `a` and `b`, `[.., N]`, along the last axis: `[.., 2 * N]`. Both stretch.
    "interleave" "interleave(a, b)"
        "fn<T: Element, const RANK: usize>(a: Tile<T, RANK>, b: impl Operand<T, RANK>) -> Tile<T, RANK>" =>
        checker.join(&call.callee(), call.args, call.loc, true);
    /// Orders all memory accesses before the fence before all accesses after it, as seen by other blocks.
    ///
    /// A `Scope` may follow the ordering; without one it is the device.
    "fence" "fence(Ordering::AcqRel, Scope::Device)" "fn(ordering: Ordering)" =>
        checker.fence(&call.callee(), call.args, call.loc);
    /// Reduces several tiles of one shape together along an axis.
    "reduce" "reduce((x, y), 0, (0.0, 0.0), |(a, b), (c, d)| (a + c, b + d))"
        "fn<X: Tiles>(x: X, axis: impl Integer, init: X::Elements, \
         combine: impl Fn(X::Elements, X::Elements) -> X::Elements) -> X::Without" =>
        checker.fold_function(None, call);
    /// Computes the inclusive prefix scan of several tiles of one shape together along an axis.
    "scan" "scan((x, y), 0, (0.0, 0.0), |(a, b), (c, d)| (a + c, b + d))" SCAN =>
        checker.fold_function(Some(Direction::Forward), call);
    /// Computes the inclusive suffix scan of several tiles of one shape together along an axis.
    "scan_rev" "scan_rev((x, y), 0, (0.0, 0.0), |(a, b), (c, d)| (a + c, b + d))" SCAN =>
        checker.fold_function(Some(Direction::Reverse), call);
    /// Returns the four words of Philox 4x32-10 for a key and a counter, as a tuple of `u32`.
    "philox" "philox((k0, k1), (c0, c1, c2, c3))"
        "fn<K0, K1, C0, C1, C2, C3: Drawn>(key: (K0, K1), counter: (C0, C1, C2, C3)) \
         -> (C3::Of<u32>, C3::Of<u32>, C3::Of<u32>, C3::Of<u32>)" =>
        checker.philox(&call.callee(), call.args, call.loc);
    /// Returns uniform numbers over all of `u32`: word 0 of the key `(seed, seed >> 32)` and the counter
    /// `(offset, offset >> 32, 0, 0)`.
    "rand_u32" "rand_u32(seed, offsets)" "fn<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<u32>" =>
        checker.random(RandomOp::Bits, HostScalar::U32, call);
    /// Returns uniform numbers of `f32` from 0 to below 1, in steps of 2⁻²⁴.
    "rand_uniform" "rand_uniform(seed, offsets)" "fn<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<f32>" =>
        checker.random(RandomOp::Uniform, HostScalar::F32, call);
    /// Returns normally distributed numbers of `f32`, of mean 0 and variance 1.
    "rand_normal" "rand_normal(seed, offsets)" "fn<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<f32>" =>
        checker.random(RandomOp::Normal, HostScalar::F32, call);
    /// Returns the size of an element type in bytes, a constant.
    "size_of" (generic) "size_of::<f32>()" "fn<T>() -> usize" => checker.size_of(call);
}

rows! {
    /// The functions of a type, such as `f32::from_bits`.
    ASSOCIATED: AssociatedCheck = (checker, ty, call);

    /// Returns the float with these bits, an unsigned integer of its width; of a tile, a tile.
    "from_bits" "f32::from_bits(n)" "fn<T: Bits, B: OfBits<T>>(bits: B) -> B::Float" =>
        checker.float_of_bits(ty, call);
}
