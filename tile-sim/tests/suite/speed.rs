//! Measures the most common instructions: `cargo test --release -- --ignored speed --nocapture`.

use std::time::Instant;

use tile_sim::{Arg, Checks, Launch, Memory, Options};

use crate::support::module;

/// The number of consecutive instructions per warp.
const REPEATS: usize = 200;
const ROUNDS: u64 = 20;

#[rustfmt::skip]
const INSTRUCTIONS: [&str; 36] = [
    "add.s32 %r3, %r4, %r5;", "sub.s32 %r3, %r4, %r5;", "mul.lo.s32 %r3, %r4, %r5;", "mad.lo.s32 %r3, %r4, %r5, %r6;",
    "mul.wide.u32 %d3, %r4, %r5;", "add.s64 %d3, %d4, %d5;", "shl.b32 %r3, %r4, 3;", "shr.u32 %r3, %r4, %r5;",
    "and.b32 %r3, %r4, %r5;", "lop3.b32 %r3, %r4, %r5, %r6, 0x96;", "bfe.u32 %r3, %r4, 3, 5;", "prmt.b32 %r3, %r4, %r5, 0x5410;",
    "min.s32 %r3, %r4, %r5;", "mov.b32 %r3, %r4;", "setp.lt.s32 %p1, %r4, %r5;", "setp.lt.f32 %p1, %r7, %r8;", "setp.neu.f32 %p1, %r7, %r8;",
    "selp.b32 %r3, %r4, %r5, %p2;", "add.f32 %r3, %r7, %r8;", "mul.f32 %r3, %r7, %r8;", "fma.rn.f32 %r3, %r7, %r8, %r9;",
    "fma.rn.ftz.f32 %r3, %r7, %r8, %r9;", "max.f32 %r3, %r7, %r8;", "neg.f32 %r3, %r7;", "ex2.approx.f32 %r3, %r7;", "rcp.approx.f32 %r3, %r7;",
    "rsqrt.approx.f32 %r3, %r7;", "cvt.rn.f32.s32 %r3, %r4;", "cvt.f32.f16 %r3, %h4;", "cvt.rn.f16.f32 %h3, %r7;",
    "cvt.rn.bf16x2.f32 %r3, %r7, %r8;", "cvt.u64.u32 %d3, %r4;", "add.rn.f16x2 %r3, %r7, %r8;", "fma.rn.f16x2 %r3, %r7, %r8, %r9;",
    "fma.rn.bf16x2 %r3, %r7, %r8, %r9;", "fma.rn.f64 %d3, %d4, %d5, %d6;",
];

fn nanoseconds(instruction: &str) -> f64 {
    let module = module(&format!(
        "mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r4, 7, 3; mad.lo.u32 %r6, %r4, 5, 1;
         cvt.rn.f32.u32 %r7, %r4; mul.f32 %r8, %r7, 0f3dcccccd; mul.f32 %r9, %r7, 0f3fcccccd;
         cvt.u64.u32 %d4, %r4; cvt.rn.f64.f32 %d5, %r8; mov.b64 %d6, %d5; cvt.rn.f16.f32 %h4, %r7; setp.gt.u32 %p2, %r4, 9;
         mov.u32 %r0, 0; loop: {} add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, {ROUNDS}; @%p0 bra loop;",
        instruction.repeat(REPEATS)
    )
    .replace("cvt.rn.f64.f32", "cvt.f64.f32"));
    let launch = Launch::new("k").threads(32).args([0u64; 4].map(Arg::from));
    let options = Options {
        checks: Checks::Cheap,
        ..Options::default()
    };
    let mut best = f64::MAX;
    for _ in 0..100 {
        let begin = Instant::now();
        module
            .launch(&launch, &mut Memory::new(), &options)
            .unwrap();
        best = best.min(begin.elapsed().as_secs_f64());
    }
    best * 1e9 / (REPEATS as f64 * ROUNDS as f64)
}

#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "the result of the measurement")]
fn speed_of_the_commonest_instructions() {
    for instruction in INSTRUCTIONS {
        println!("{:6.1} ns  {instruction}", nanoseconds(instruction));
    }
}
