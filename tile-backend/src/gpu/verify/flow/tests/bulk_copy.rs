//! Tests bulk copies, and the arrivals that expect their bytes.

use super::{BYTES, Build, I1, I32, errors, parameter, says};
use crate::gpu::{
    Access, Arrivals, BARRIER_BYTES, Buffer, BufferId, BulkCopy, ExpectTx, GlobalTile, OpKind,
    ValueId,
};
use tile_core::Scalar;

/// A circular buffer of two stages, its mbarriers, and the results of copies that no arrival expects yet.
struct CircularBuffer {
    buffer: BufferId,
    barriers: BufferId,
    given: Vec<ValueId>,
    whether: ValueId,
}

fn circular_buffer(build: &mut Build) -> CircularBuffer {
    let circular_buffer = build.buffer(2, 0);
    let barriers = build.kernel.add_buffer(Buffer {
        is_dedicated: false,
        element: Scalar::I64,
        bytes: 2 * BARRIER_BYTES,
        stages: 1,
        align_bytes: BARRIER_BYTES,
        layout: None,
        offset_bytes: Some(2 * BYTES),
    });
    CircularBuffer {
        buffer: circular_buffer,
        barriers,
        given: Vec::new(),
        whether: build.value(OpKind::Constant(1), &[], I1),
    }
}

fn tile() -> GlobalTile {
    GlobalTile {
        vector_elements: 4,
        padding: Some(7),
        ..parameter(Access::Read)
    }
}

/// Runs one step, which is `copy STAGE`, `expect STAGE`, `wait STAGE PARITY`, `read STAGE` or `other`. After
/// `other`, steps use another condition.
fn step(build: &mut Build, circular_buffer: &mut CircularBuffer, tile: &GlobalTile, step: &str) {
    let words: Vec<&str> = step.split(' ').collect();
    let number = |index: usize| -> u64 { words[index].parse().expect("a number") };
    match words[0] {
        "init" => drop(build.op(
            OpKind::InitMbarriers(circular_buffer.barriers, Arrivals::One),
            &[],
            &[],
        )),
        "barrier" => build.barrier(),
        "other" => circular_buffer.whether = build.value(OpKind::Constant(1), &[], I1),
        "copy" => {
            let (stage, zero) = (build.number(number(1)), build.number(0));
            let copy = BulkCopy {
                tile: tile.clone(),
                buffer: circular_buffer.buffer,
                barriers: circular_buffer.barriers,
                is_prefetch: false,
            };
            let args = [circular_buffer.whether, stage, build.base, zero, zero, zero];
            let given = build.value(OpKind::BulkCopy(Box::new(copy)), &args, I32);
            circular_buffer.given.push(given);
        }
        "expect" => {
            let mut args = vec![circular_buffer.whether, build.number(number(1))];
            args.append(&mut circular_buffer.given);
            let expected = ExpectTx {
                barriers: circular_buffer.barriers,
                bytes: 0,
            };
            build.op(OpKind::ArriveExpectTx(expected), &args, &[]);
        }
        "wait" => {
            let (stage, parity) = (build.number(number(1)), build.number(number(2)));
            build.op(
                OpKind::ConsumerWait(circular_buffer.barriers),
                &[stage, parity],
                &[],
            );
        }
        "read" => {
            let stage = build.number(number(1));
            build.load(circular_buffer.buffer, &[stage]);
        }
        other => panic!("no step `{other}`"),
    }
}

fn kernel_of(tile: &GlobalTile, steps: &[&str]) -> Vec<String> {
    errors(|build| {
        let mut circular_buffer = circular_buffer(build);
        for text in steps {
            step(build, &mut circular_buffer, tile, text);
        }
    })
}

fn kernel(steps: &[&str]) -> Vec<String> {
    kernel_of(&tile(), steps)
}

const FILLED_TWICE: [&str; 11] = [
    "init", "barrier", "copy 0", "expect 0", "wait 0 0", "read 0", "barrier", "copy 0", "expect 0",
    "wait 0 1", "read 0",
];

#[test]
fn a_slot_is_filled_row_by_row_again_and_again() {
    assert_eq!(kernel(&FILLED_TWICE), Vec::<String>::new());
}

#[test]
fn each_step_of_a_copy_of_rows_is_needed() {
    let expected = [
        (0, "are not initialized"),
        (1, "a barrier between `init_mbarriers"),
        (3, "nobody has arrived at the barrier"),
        (4, "may be under way to the same bytes"),
        (6, "a barrier between `load_shared $0`"),
    ];
    for (missing, text) in expected {
        let mut steps = FILLED_TWICE.to_vec();
        steps.remove(missing);
        says(&kernel(&steps), text);
    }
    let mut unread = FILLED_TWICE.to_vec();
    unread.remove(4);
    says(&kernel(&unread), "the phase before may not be over");
}

#[test]
fn an_arrival_expects_what_was_begun_into_its_slot() {
    let bring = "not the byte count of the copies begun into the stage";
    let mut of_other = FILLED_TWICE.to_vec();
    of_other[2] = "copy 1";
    says(&kernel(&of_other), bring);
    let mut other_condition = FILLED_TWICE.to_vec();
    other_condition.insert(3, "other");
    says(&kernel(&other_condition), bring);
    let two_stages = [
        "init", "barrier", "copy 0", "copy 1", "expect 0", "wait 0 0", "read 0",
    ];
    says(&kernel(&two_stages), bring);
    let in_flight = kernel(&["init", "copy 1", "expect 1"]);
    says(&in_flight, "the kernel ends while `bulk_copy");
}

#[test]
fn rows_begin_at_multiples_of_16_bytes_in_memory_that_stays() {
    let runs = "does not come to its buffer in runs of 16 bytes";
    let aligned = GlobalTile {
        vector_elements: 2,
        ..tile()
    };
    says(&kernel_of(&aligned, &FILLED_TWICE), runs);
    let written = GlobalTile {
        access: Access::Write,
        ..tile()
    };
    says(&kernel_of(&written, &FILLED_TWICE), runs);
    let strided = GlobalTile {
        contiguous: None,
        ..tile()
    };
    says(&kernel_of(&strided, &FILLED_TWICE), runs);
}
