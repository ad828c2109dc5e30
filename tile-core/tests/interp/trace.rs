//! Tests the records of a trace and their order.

use crate::{parsed, run_on};
use tile_core::interp::{Action, Effect, MemoryPlace, RunOptions, Trace};
use tile_core::ir::{AtomicRmwMode, MemoryOrdering};

fn place(offset: usize) -> MemoryPlace {
    MemoryPlace {
        buffer: 0,
        offset,
        bytes: 4,
    }
}

#[test]
fn a_trace_has_the_effects_of_every_block_in_order() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
    %i, %j, %l = get_tile_block_id : tile<i32>
    %true = constant <i1: true> : tile<i1>
    %zero = constant <i32: 0> : tile<i32>
    %view = make_tensor_view %x, shape = [3], strides = [2] : tensor_view<3xi32, strides=[2]>
    %tiles = make_partition_view %view : partition_view<tile=(2), tensor_view<3xi32, strides=[2]>>
    %w, %t0 = load_view_tko weak %tiles[%zero] : partition_view<tile=(2), tensor_view<3xi32, strides=[2]>>, tile<i32> -> tile<2xi32>, token
    %v, %t1 = load_view_tko relaxed device %tiles[%i] : partition_view<tile=(2), tensor_view<3xi32, strides=[2]>>, tile<i32> -> tile<2xi32>, token
    assert %true, \"fine\" : tile<i1>
    %t2 = store_view_tko weak %v, %tiles[%zero] : tile<2xi32>, partition_view<tile=(2), tensor_view<3xi32, strides=[2]>>, tile<i32> -> token
    %y = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %old, %t3 = atomic_rmw_tko release sys %y, add, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %got, %t4 = load_ptr_tko weak %y : tile<ptr<i32>> -> tile<i32>, token
    %seen, %t5 = load_ptr_tko acquire sys %y : tile<ptr<i32>> -> tile<i32>, token
    %t6 = store_ptr_tko release sys %x, %i : tile<ptr<i32>>, tile<i32> -> token
    return
}",
    );
    let trace = Trace::new();
    let options = RunOptions {
        trace: Some(&trace),
        ..RunOptions::default()
    };
    let mut memory = [10_i32, 11, 12, 13, 14, 15];
    run_on(&program, 2, &mut memory, options).expect("it runs");
    let read = |ordering, offset, bits| Action::Read {
        ordering,
        place: place(offset),
        bits,
    };
    let write = |ordering, offset, bits| Action::Write {
        ordering,
        place: place(offset),
        bits,
    };
    let add = |offset, old, new| Action::Atomic {
        ordering: MemoryOrdering::Release,
        mode: Some(AtomicRmwMode::Add),
        place: place(offset),
        old,
        new,
    };
    let fine = || Action::Assert {
        message: "fine".into(),
    };
    let (weak, relaxed) = (MemoryOrdering::Weak, MemoryOrdering::Relaxed);
    let (acquire, release) = (MemoryOrdering::Acquire, MemoryOrdering::Release);
    let first = [
        read(relaxed, 0, 10),
        read(relaxed, 8, 12),
        fine(),
        write(weak, 0, 10),
        write(weak, 8, 12),
        add(0, 10, 10),
        read(acquire, 0, 10),
        write(release, 0, 0),
    ];
    // One element of the second tile is in the tensor; the other is padding.
    let second = [
        read(relaxed, 16, 14),
        fine(),
        write(weak, 0, 14),
        write(weak, 8, 0),
        add(4, 11, 12),
        read(acquire, 4, 12),
        write(release, 0, 1),
    ];
    let expected = |block, actions: Vec<Action>| {
        let effects = actions.into_iter().map(move |action| Effect {
            block: [block, 0, 0],
            action,
        });
        effects.collect::<Vec<_>>()
    };
    let want = [expected(0, first.into()), expected(1, second.into())].concat();
    assert_eq!(trace.take(), want);
    assert_eq!(trace.take(), []);
}

#[test]
fn blocks_that_are_traced_run_in_order() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
    %i, %j, %l = get_tile_block_id : tile<i32>
    %t = store_ptr_tko weak %x, %i : tile<ptr<i32>>, tile<i32> -> token
    return
}",
    );
    let trace = Trace::new();
    let options = RunOptions {
        threads: Some(4),
        trace: Some(&trace),
        ..RunOptions::default()
    };
    let mut memory = [0_i32; 1];
    run_on(&program, 1000, &mut memory, options).expect("it runs");
    let blocks = trace.take().into_iter().map(|effect| effect.block[0]);
    assert!(blocks.eq(0..1000));
}
