//! Free functions.

use super::{FunctionCheck, Row, rows};
use crate::hir::signature::HostScalar;
use crate::hir::{Direction, ExprKind, RandomOp};

rows! {
    /// The free functions.
    FUNCTIONS: FunctionCheck = (checker, call);

    "assume" "assume(n % 16 == 0)" => Some(checker.misplaced_fact(&call.callee(), call.args, call.loc));
    "block_id" "block_id(0)" => checker.grid_query(ExprKind::BlockId, call);
    "num_blocks" "num_blocks(0)" => checker.grid_query(ExprKind::NumBlocks, call);
    "zeros" (generic) "zeros::<f32>([64, 64])" => checker.zeros(call);
    "full" (generic) "full([64, 64], 1.0)" => checker.full(call);
    "iota" (generic) "iota::<i32>(64)" => checker.iota(call);
    "select" "select(mask, a, b)" => checker.select(call);
    "mma" "mma(a, b, acc)" => checker.mma(&call.callee(), call.args, call.loc);
    "dot" "dot(a, b)" => checker.dot(&call.callee(), call.args, call.loc);
    "mma_scaled" "mma_scaled(a, a_scale, b, b_scale, acc)" =>
        checker.mma_scaled(&call.callee(), call.args, call.loc);
    "cat" "cat(a, b, 0)" => checker.cat(&call.callee(), call.args, call.loc);
    "join" "join(a, b)" => checker.join(&call.callee(), call.args, call.loc, false);
    "interleave" "interleave(a, b)" => checker.join(&call.callee(), call.args, call.loc, true);
    "fence" "fence(Ordering::AcqRel, Scope::Device)" =>
        checker.fence(&call.callee(), call.args, call.loc);
    "reduce" "reduce((x, y), 0, (0.0, 0.0), |(a, b), (c, d)| (a + c, b + d))" =>
        checker.fold_function(None, call);
    "scan" "scan((x, y), 0, (0.0, 0.0), |(a, b), (c, d)| (a + c, b + d))" =>
        checker.fold_function(Some(Direction::Forward), call);
    "scan_rev" "scan_rev((x, y), 0, (0.0, 0.0), |(a, b), (c, d)| (a + c, b + d))" =>
        checker.fold_function(Some(Direction::Reverse), call);
    "philox" "philox((k0, k1), (c0, c1, c2, c3))" =>
        checker.philox(&call.callee(), call.args, call.loc);
    "rand_u32" "rand_u32(seed, offsets)" =>
        checker.random(RandomOp::Bits, HostScalar::U32, call);
    "rand_uniform" "rand_uniform(seed, offsets)" =>
        checker.random(RandomOp::Uniform, HostScalar::F32, call);
    "rand_normal" "rand_normal(seed, offsets)" =>
        checker.random(RandomOp::Normal, HostScalar::F32, call);
    "size_of" (generic) "size_of::<f32>()" => checker.size_of(call);
}
