//! Tests TMA loads and the mbarriers that count their bytes.

use super::{BYTES, Build, I1, errors, parameter, says};
use crate::gpu::{
    Access, BARRIER_BYTES, Buffer, BufferId, ExpectTx, MapAxis, MapNumber, OpKind, TensorMap,
    TmaLoad,
};
use crate::layout::BoxSwizzle;
use tile_core::Scalar;

/// Adds a circular buffer of two stages, and its mbarriers.
fn circular_buffer(build: &mut Build) -> (BufferId, BufferId) {
    let circular_buffer = build.buffer(2, 0);
    build.kernel.shared.buffers[circular_buffer.index()].align_bytes = 128;
    build.kernel.add_map(TensorMap {
        base: 0,
        element_bytes: 4,
        swizzle: BoxSwizzle::None,
        axes: vec![MapAxis {
            extent: MapNumber::Constant(32),
            stride: MapNumber::Constant(1),
            length: 32,
        }],
    });
    let barriers = build.kernel.add_buffer(Buffer {
        is_dedicated: false,
        element: Scalar::I64,
        bytes: 2 * BARRIER_BYTES,
        stages: 1,
        align_bytes: BARRIER_BYTES,
        layout: None,
        offset_bytes: Some(2 * BYTES),
    });
    (circular_buffer, barriers)
}

/// Runs one step, which is `expect STAGE BYTES`, `copy STAGE`, `wait STAGE PARITY` or `read STAGE`.
fn step(build: &mut Build, (circular_buffer, barriers): (BufferId, BufferId), step: &str) {
    let words: Vec<&str> = step.split(' ').collect();
    let number = |word: usize| -> u64 { words[word].parse().expect("a number") };
    match words[0] {
        "init" => drop(build.op(
            OpKind::InitMbarriers(barriers, crate::gpu::Arrivals::One),
            &[],
            &[],
        )),
        "drop" => drop(build.op(OpKind::InvalidateMbarriers(barriers), &[], &[])),
        "barrier" => build.barrier(),
        "expect" => {
            let whether = build.value(OpKind::Constant(1), &[], I1);
            let stage = build.number(number(1));
            let bytes = u32::try_from(number(2)).expect("few");
            let expected = ExpectTx { barriers, bytes };
            build.op(OpKind::ArriveExpectTx(expected), &[whether, stage], &[]);
        }
        "copy" => {
            let whether = build.value(OpKind::Constant(1), &[], I1);
            let (stage, index) = (build.number(number(1)), build.number(0));
            let copy = TmaLoad {
                map: 0,
                tile: parameter(Access::Read),
                buffer: circular_buffer,
                barriers,
                reach: crate::gpu::Reach::Block,
                is_prefetch: false,
            };
            let kind = OpKind::TmaLoad(Box::new(copy));
            build.op(kind, &[whether, stage, index], &[]);
        }
        "wait" => {
            let (stage, parity) = (build.number(number(1)), build.number(number(2)));
            build.op(OpKind::ConsumerWait(barriers), &[stage, parity], &[]);
        }
        "read" => {
            let stage = build.number(number(1));
            build.load(circular_buffer, &[stage]);
        }
        other => panic!("no step `{other}`"),
    }
}

fn kernel(steps: &[&str]) -> Vec<String> {
    errors(|build| {
        let circular_buffer = circular_buffer(build);
        for text in steps {
            step(build, circular_buffer, text);
        }
    })
}

const FILLED_TWICE: [&str; 11] = [
    "init",
    "barrier",
    "expect 0 128",
    "copy 0",
    "wait 0 0",
    "read 0",
    "barrier",
    "expect 0 128",
    "copy 0",
    "wait 0 1",
    "read 0",
];

#[test]
fn a_slot_is_filled_again_and_again() {
    assert_eq!(kernel(&FILLED_TWICE), Vec::<String>::new());
    let mut again = FILLED_TWICE.to_vec();
    again.extend(["barrier", "drop", "barrier"]);
    let once = again.clone();
    again.extend(once);
    assert_eq!(kernel(&again), Vec::<String>::new());
}

#[test]
fn each_step_is_needed() {
    let expected = [
        "are not initialized",
        "a barrier between `init_mbarriers",
        "nobody has arrived at the barrier",
        "bytes are expected, and 0 come",
        "may be under way to the same bytes",
    ];
    for (missing, text) in expected.into_iter().enumerate() {
        let mut steps = FILLED_TWICE.to_vec();
        steps.remove(missing);
        says(&kernel(&steps), text);
    }
    // The read stage is overwritten, and some threads still wait where the next phase begins.
    let mut steps = FILLED_TWICE.to_vec();
    steps.remove(6);
    let actual = kernel(&steps);
    says(&actual, "a barrier between `load_shared $0`");
    says(&actual, "a barrier between `consumer_wait $1`");
}

#[test]
fn a_wait_names_the_phase_that_was_begun_last() {
    for (index, wrong) in [(4, "wait 0 1"), (9, "wait 0 0")] {
        let mut steps = FILLED_TWICE.to_vec();
        steps[index] = wrong;
        says(
            &kernel(&steps),
            "this is not the parity of the phase that was begun last",
        );
    }
    let mut other_stage = FILLED_TWICE.to_vec();
    other_stage[4] = "wait 1 0";
    let actual = kernel(&other_stage);
    says(&actual, "nobody has arrived at the barrier");
    says(&actual, "may be under way to the same bytes");
}

#[test]
fn as_many_bytes_come_as_are_expected() {
    for wrong in ["expect 0 112", "expect 0 256"] {
        let mut steps = FILLED_TWICE.to_vec();
        steps[2] = wrong;
        says(&kernel(&steps), "are expected, and 128 come");
    }
    let mut twice = FILLED_TWICE.to_vec();
    twice.insert(4, "copy 0");
    says(&kernel(&twice), "128 bytes are expected, and 256 come");
}

#[test]
fn barriers_are_initialized_once_and_copies_end_before_the_kernel() {
    says(&kernel(&["init", "init"]), "may be so already");
    says(&kernel(&["drop"]), "are not initialized");
    let in_flight = kernel(&["init", "expect 1 128", "copy 1"]);
    says(&in_flight, "the kernel ends while `tma_load");
}

#[test]
fn boxes_are_those_of_the_map() {
    let with = |change: fn(&mut Build)| {
        errors(|build| {
            let circular_buffer = circular_buffer(build);
            change(build);
            for text in FILLED_TWICE {
                step(build, circular_buffer, text);
            }
        })
    };
    let boxes = "the boxes of `tma_load` are not those of its map and buffer";
    says(
        &with(|build| build.kernel.maps[0].axes[0].length = 16),
        boxes,
    );
    says(
        &with(|build| build.kernel.maps[0].swizzle = BoxSwizzle::Bytes128),
        boxes,
    );
    says(
        &with(|build| build.kernel.shared.buffers[0].align_bytes = 64),
        boxes,
    );
    says(
        &with(|build| build.kernel.maps[0].base = 7),
        "is made of what the host does not know",
    );
    says(
        &with(|build| build.kernel.maps[0].axes[0].extent = MapNumber::Param(0)),
        "is made of what the host does not know",
    );
}
