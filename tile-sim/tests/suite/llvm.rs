//! Tests PTX of LLVM 22: `llc -O3 -mcpu=sm_80 -mattr=+ptx70` of `ptx/loops.ll` after `opt -O2`.

use tile_sim::{Arg, Launch, Memory, Module, Options};

#[test]
fn a_block_sum_with_every_kind_of_memory_is_right_under_every_seed() {
    let module = Module::parse(include_str!("ptx/loops.ptx")).unwrap();
    let input: Vec<f32> = (0..1536u32).map(|i| ((i * 7) % 11) as f32).collect();
    let sum: f32 = input.iter().sum();
    for seed in 0..10 {
        let mut memory = Memory::new();
        let bytes: Vec<u8> = input.iter().flat_map(|value| value.to_le_bytes()).collect();
        let data = memory.alloc_with(&bytes, 16);
        let out = memory.alloc(128 * 8, 16);
        let launch = Launch::new("k")
            .threads(128)
            .dynamic_shared_bytes(16)
            .args([
                Arg::from(data),
                Arg::from(out),
                Arg::from(3i32),
                Arg::from(-4i8),
                Arg::bytes(&half::f16::from_f32(0.5).to_bits().to_le_bytes()),
                Arg::from(true),
            ]);
        let options = Options {
            seed,
            ..Options::default()
        };
        let counters = crate::support::launch(&module, &launch, &mut memory, &options).unwrap();
        assert_eq!(counters.barriers.block, 4);
        // Three iterations of 16 sectors for each of four warps.
        assert!(counters.global.loads.sectors >= 3 * 4 * 16);
        let words: Vec<f32> = memory
            .bytes(out)
            .unwrap()
            .chunks(4)
            .map(|word| f32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        for (thread, pair) in words.chunks(2).enumerate() {
            let special = [30.0, 6.0, 31.0, -39.0][thread % 4];
            let result = special + (sum / -4.0 + 0.5);
            assert_eq!(pair[0], result, "thread {thread}");
            let half = half::f16::from_f32(result);
            assert_eq!(pair[1], (half * half).to_f32(), "thread {thread}");
        }
    }
}
