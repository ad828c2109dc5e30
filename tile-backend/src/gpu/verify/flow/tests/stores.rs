//! Stores of tensors: fences before, waits behind.

use super::{BYTES, Build, faults, parameter, says};
use crate::gpu::{
    Access, BufferId, MapAxis, MapNumber, OpKind, ParamKind, StoreEnd, TensorMap, TensorStore,
};
use crate::layout::BoxSwizzle;

/// A buffer, and another one at `offset_bytes`.
fn buffers(build: &mut Build, offset_bytes: u32) -> [BufferId; 2] {
    build.access = Access::Write;
    if let ParamKind::Pointer { access, .. } = &mut build.kernel.params[0].kind {
        *access = Access::Write;
    }
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
    [0, offset_bytes].map(|offset| {
        let buffer = build.buffer(1, offset);
        build.kernel.buffers[buffer.index()].align_bytes = 128;
        buffer
    })
}

/// A step is a word, perhaps with the buffer that it is about.
fn step(build: &mut Build, buffers: [BufferId; 2], step: &str) {
    let (word, buffer) = match step.split_once(' ') {
        Some((word, "b")) => (word, buffers[1]),
        Some((word, _)) => (word, buffers[0]),
        None => (step, buffers[0]),
    };
    match word {
        "write" => build.store(buffer),
        "fence" => drop(build.op(OpKind::FenceAsync, &[], &[])),
        "barrier" => build.barrier(),
        "send" => {
            let [index, extent, stride] = [0, 32, 1].map(|number| build.number(number));
            let store = TensorStore {
                map: 0,
                tile: parameter(Access::Write),
                buffer,
            };
            let kind = OpKind::StoreTensor(Box::new(store));
            build.op(kind, &[build.base, index, extent, stride], &[]);
        }
        "wait" => drop(build.op(OpKind::WaitStores(buffer, StoreEnd::Read), &[], &[])),
        "wait_written" => {
            build.op(OpKind::WaitStores(buffer, StoreEnd::Written), &[], &[]);
        }
        other => panic!("no step `{other}`"),
    }
}

fn kernel(offset_bytes: u32, steps: &[&str]) -> Vec<String> {
    faults(|build| {
        let buffers = buffers(build, offset_bytes);
        for text in steps {
            step(build, buffers, text);
        }
    })
}

const TWICE: [&str; 11] = [
    "write a",
    "fence",
    "barrier",
    "send a",
    "wait_written a",
    "barrier",
    "write b",
    "fence",
    "barrier",
    "send b",
    "wait b",
];

fn without(missing: usize) -> Vec<&'static str> {
    let mut steps = TWICE.to_vec();
    steps.remove(missing);
    steps
}

#[test]
fn a_buffer_is_written_again_once_it_has_been_read() {
    for offset in [0, BYTES / 2, BYTES] {
        assert_eq!(kernel(offset, &TWICE), Vec::<String>::new());
    }
}

#[test]
fn each_step_is_needed() {
    for fence in [1, 7] {
        says(&kernel(0, &without(fence)), "a fence between `store_shared");
    }
    for barrier in [2, 8] {
        says(
            &kernel(0, &without(barrier)),
            "a barrier between `store_shared",
        );
    }
    says(
        &kernel(0, &without(4)),
        "`store_tensor !0 $0 to=param0` at unknown may still read the same bytes",
    );
    says(
        &kernel(0, &without(5)),
        "a barrier between `wait_stores $0 written`",
    );
    says(
        &kernel(0, &without(10)),
        "the kernel ends while `store_tensor !0 $1",
    );
}

#[test]
fn a_fence_behind_the_barrier_is_too_late() {
    let late = ["write a", "barrier", "fence", "send a", "wait a"];
    says(&kernel(BYTES, &late), "a fence between `store_shared");
}

#[test]
fn a_wait_for_reads_is_none_for_writes() {
    let mut steps = TWICE.to_vec();
    steps[4] = "wait a";
    says(
        &kernel(BYTES, &steps),
        "may be under way to the same bytes: a wait for it is missing",
    );
}

#[test]
fn the_map_is_of_the_tensor_that_is_stored() {
    let with = |change: fn(&mut Build)| {
        faults(|build| {
            let buffers = buffers(build, BYTES);
            change(build);
            for text in TWICE {
                step(build, buffers, text);
            }
        })
    };
    assert_eq!(with(|_| ()), Vec::<String>::new());
    let another = "the map of `store_tensor` is of another tensor";
    says(
        &with(|build| build.kernel.maps[0].axes[0].extent = MapNumber::Constant(31)),
        another,
    );
    says(
        &with(|build| {
            if let ParamKind::Pointer { access, .. } = &mut build.kernel.params[0].kind {
                *access = Access::Read;
            }
        }),
        another,
    );
    let boxes = "the boxes of `store_tensor` are not those of its map and buffer";
    says(
        &with(|build| build.kernel.maps[0].axes[0].length = 16),
        boxes,
    );
    says(
        &with(|build| build.kernel.buffers[0].align_bytes = 64),
        boxes,
    );
}
