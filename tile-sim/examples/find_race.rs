//! Finds a data race: a reduction in shared memory that lacks a barrier.
//!
//! Each thread stores a number to shared memory, and thread 0 adds the numbers. Without `bar.sync`
//! between the stores and the loads, nothing orders the stores of other threads before the loads.
//! The race is found even if the sum happens to be correct.
#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::error::Error;

use tile_sim::{Argument, Options, RunOptions, run};

/// Returns a kernel that sums 64 numbers; `barrier` is the instruction before the sum.
fn sum(barrier: &str) -> String {
    format!(
        ".version 7.0
.target sm_80
.address_size 64
.visible .entry sum(.param .u64 out) {{
  .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %d<2>;
  .shared .align 4 .b8 numbers[256];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, numbers;
  mad.lo.u32 %r3, %r1, 4, %r2;
  st.shared.u32 [%r3], %r1;
  {barrier}
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
  mov.u32 %r4, 0;
LOOP:
  ld.shared.u32 %r5, [%r2];
  add.u32 %r4, %r4, %r5;
  add.u32 %r2, %r2, 4;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p2, %r1, 64;
  @%p2 bra LOOP;
  ld.param.u64 %d1, [out];
  st.global.u32 [%d1], %r4;
  ret;
}}"
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    for barrier in ["bar.sync 0;", ""] {
        // An error can depend on the interleaving of warps, which the seed selects.
        for seed in 0..8 {
            let options = Options {
                seed,
                ..Options::default()
            };
            let mut total = [0u32];
            let args = [Argument::in_out(&mut total)];
            let report = run(&sum(barrier), "sum", 1, 64, args, RunOptions::from(options))?;
            match report.fault() {
                Some(fault) => println!("`{barrier}`, seed {seed}: {fault}"),
                None => println!("`{barrier}`, seed {seed}: the sum is {}", total[0]),
            }
        }
    }
    Ok(())
}
