//! Emits ping-pong scheduling: two warpgroups that alternate their MMAs, with named barriers.
//!
//! Each warpgroup has a barrier at which it waits for the other warpgroup to arrive:
//!
//! ```text
//!   begin   second: arrive at the barrier of the first
//!   take    wait at the own barrier
//!   pass    arrive at the barrier of the other
//!   end     first: wait at the own barrier       to consume the last arrival
//! ```
//!
//! This is the inter-warpgroup schedule of FlashAttention-3 (Shah et al., 2024, section 3.1): while one
//! warpgroup computes its softmax, the tensor cores execute the MMAs of the other.

use super::Emitter;
use super::code::AsmEffect;
use crate::gpu::PingPong;
use crate::layout::warpgroup::WARPS;
use inkwell::IntPredicate;

/// The barrier of the first warpgroup; the barrier of the second has the next number. The lower numbers are
/// the barriers of all threads and of all consumers.
const FIRST: u32 = 2;

impl Emitter<'_, '_> {
    pub(super) fn ping_pong(&self, action: PingPong) {
        let code = &self.code;
        let threads = 32 * self.kernel.launch.num_warps;
        let group = code.lshr(self.thread.warp, code.i32(WARPS.ilog2()));
        let is = |number| code.compare(IntPredicate::EQ, group, code.i32(number));
        let (text, constraints, arg) = match action {
            PingPong::Begin => (
                format!("@$0 barrier.cta.arrive.aligned {FIRST}, {threads};"),
                "b",
                is(1),
            ),
            PingPong::End => (
                format!("@$0 barrier.cta.sync.aligned {FIRST}, {threads};"),
                "b",
                is(0),
            ),
            PingPong::Acquire => (
                format!("barrier.cta.sync.aligned $0, {threads};"),
                "r",
                code.add_nuw(group, code.i32(FIRST)),
            ),
            PingPong::Release => (
                format!("barrier.cta.arrive.aligned $0, {threads};"),
                "r",
                code.sub(code.i32(FIRST + 1), group),
            ),
        };
        code.asm(&text, constraints, &[], &[arg.into()], AsmEffect::Memory);
    }
}
