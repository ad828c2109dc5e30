//! Counts bank conflicts: a warp transposes a tile of 32 x 32 words in shared memory.
//!
//! Lanes that read a column of the tile access the same bank if the rows are 32 words long. Padding
//! each row by one word moves them to different banks.
#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::error::Error;

use tile_sim::{Arg, Launch, Memory, Module, Options};

/// Returns a kernel that transposes `tile` through shared memory with rows of `pitch` bytes.
fn transpose(pitch: u32) -> String {
    format!(
        ".version 7.0
.target sm_80
.address_size 64
.visible .entry transpose(.param .u64 tile) {{
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<4>;
  .shared .align 4 .b8 shared[{bytes}];
  ld.param.u64 %d1, [tile];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  add.s64 %d1, %d1, %d2;
  mov.u64 %d3, %d1;
  mov.u32 %r2, shared;
  mad.lo.u32 %r3, %r1, 4, %r2;
  mad.lo.u32 %r4, %r1, {pitch}, %r2;
  mov.u32 %r5, 0;
WRITE:
  ld.global.u32 %r6, [%d1];
  st.shared.u32 [%r3], %r6;
  add.s64 %d1, %d1, 128;
  add.u32 %r3, %r3, {pitch};
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 32;
  @%p1 bra WRITE;
  bar.warp.sync 0xffffffff;
  mov.u32 %r5, 0;
READ:
  ld.shared.u32 %r6, [%r4];
  st.global.u32 [%d3], %r6;
  add.s64 %d3, %d3, 128;
  add.u32 %r4, %r4, 4;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 32;
  @%p1 bra READ;
  ret;
}}",
        bytes = 32 * pitch
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    for pitch in [128, 132] {
        let module = Module::parse(&transpose(pitch))?;
        let mut memory = Memory::new();
        let numbers: Vec<u8> = (0..1024u32).flat_map(u32::to_le_bytes).collect();
        let tile = memory.alloc_with(&numbers, 128);
        let launch = Launch::new("transpose").threads(32).args([Arg::from(tile)]);
        let counters = module.launch(&launch, &mut memory, &Options::default())?;

        // Row 0 now holds column 0: the numbers 0, 32, 64, ..
        let row: Vec<u8> = (0..32u32)
            .flat_map(|row| (32 * row).to_le_bytes())
            .collect();
        assert_eq!(memory.read(tile, row.len())?, row);

        let (loads, stores) = (counters.shared.loads, counters.shared.stores);
        println!(
            "rows of {pitch} bytes: loads take {} wavefronts ({} bank conflicts), stores {} ({})",
            loads.wavefronts, loads.bank_conflicts, stores.wavefronts, stores.bank_conflicts
        );
    }
    Ok(())
}
