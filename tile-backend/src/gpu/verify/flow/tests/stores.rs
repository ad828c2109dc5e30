//! Tests TMA stores: fences before them, waits after them.

use super::{BYTES, Build, LOC, errors, parameter, says};
use crate::gpu::{
    Access, BufferId, MapAxis, MapNumber, OpKind, ParamKind, TensorMap, TmaStore, TmaStoreWait,
    TmaStoreWaitKind, Ty,
};
use crate::layout::BoxSwizzle;
use tile_core::Scalar;

/// Adds a buffer, and another one at `offset_bytes`.
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
        build.kernel.shared.buffers[buffer.index()].align_bytes = 128;
        buffer
    })
}

fn wait(build: &mut Build, buffer: BufferId, end: TmaStoreWaitKind, left: u32) {
    let wait = TmaStoreWait { buffer, end, left };
    build.op(OpKind::WaitTmaStores(wait), &[], &[]);
}

/// Runs one step: a word, which may be followed by the name of a buffer.
fn step(build: &mut Build, buffers: [BufferId; 2], step: &str) {
    let (word, buffer) = match step.split_once(' ') {
        Some((word, "b")) => (word, buffers[1]),
        Some((word, _)) => (word, buffers[0]),
        None => (step, buffers[0]),
    };
    match word {
        "write" => build.store(buffer),
        "fence" => drop(build.op(OpKind::FenceProxyAsync, &[], &[])),
        "barrier" => build.barrier(),
        "send" => {
            let [index, extent, stride] = [0, 32, 1].map(|number| build.number(number));
            let store = TmaStore {
                map: 0,
                tile: parameter(Access::Write),
                buffer,
                corner: vec![0],
            };
            let kind = OpKind::TmaStore(Box::new(store));
            build.op(kind, &[build.base, index, extent, stride], &[]);
        }
        "wait" => wait(build, buffer, TmaStoreWaitKind::Read, 0),
        "wait_but_one" => wait(build, buffer, TmaStoreWaitKind::Read, 1),
        "wait_written" => wait(build, buffer, TmaStoreWaitKind::Written, 0),
        other => panic!("no step `{other}`"),
    }
}

fn kernel(offset_bytes: u32, steps: &[&str]) -> Vec<String> {
    errors(|build| {
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
        "fits_32_bits` at unknown may still read the same bytes",
    );
    says(
        &kernel(0, &without(5)),
        "a barrier between `wait_tma_stores $0 written`",
    );
    says(
        &kernel(0, &without(10)),
        "the kernel ends while `tma_store !0 $1",
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
        errors(|build| {
            let buffers = buffers(build, BYTES);
            change(build);
            for text in TWICE {
                step(build, buffers, text);
            }
        })
    };
    assert_eq!(with(|_| ()), Vec::<String>::new());
    let another = "the map of `tma_store` is of another tensor";
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
    let boxes = "the boxes of `tma_store` are not those of its map and buffer";
    says(
        &with(|build| build.kernel.maps[0].axes[0].length = 16),
        boxes,
    );
    says(
        &with(|build| build.kernel.shared.buffers[0].align_bytes = 64),
        boxes,
    );
}

/// Returns the errors of a store into a tile of `size` elements, from a buffer with the 32 elements of the
/// subtile at `corner`.
fn piece(size: u64, corner: Vec<u64>) -> Vec<String> {
    errors(|build| {
        let buffers = buffers(build, BYTES);
        for text in &TWICE[..3] {
            step(build, buffers, text);
        }
        let mut tile = parameter(Access::Write);
        (tile.axes[0].size, tile.axes[0].step) = (size, size);
        let store = TmaStore {
            map: 0,
            tile,
            buffer: buffers[0],
            corner,
        };
        let [index, extent, stride] = [0, 32, 1].map(|number| build.number(number));
        let kind = OpKind::TmaStore(Box::new(store));
        build.op(kind, &[build.base, index, extent, stride], &[]);
        step(build, buffers, "wait a");
    })
}

#[test]
fn a_buffer_has_one_of_the_pieces_of_a_tile() {
    for (size, corner) in [(32, 0), (64, 0), (64, 32), (128, 96)] {
        assert_eq!(piece(size, vec![corner]), Vec::<String>::new());
    }
    let another = "the buffer of `tma_store` does not hold a subtile of its tile";
    for (size, corner) in [(64, 16), (64, 64), (16, 0), (32, 32)] {
        says(&piece(size, vec![corner]), another);
    }
    says(&piece(64, Vec::new()), another);
    says(&piece(64, vec![0, 0]), another);
}

/// Stores of subtiles through two alternating buffers.
const IN_TURNS: [&str; 16] = [
    "write a",
    "fence",
    "barrier",
    "send a",
    "write b",
    "fence",
    "barrier",
    "send b",
    "wait_but_one a",
    "barrier",
    "write a",
    "fence",
    "barrier",
    "send a",
    "wait a",
    "wait b",
];

#[test]
fn a_wait_leaves_the_newest_stores() {
    // Errors about global memory are left out, since all of these stores write to the same place.
    let errors_of = |steps: &[&str]| {
        let errors = kernel(BYTES, steps).into_iter();
        let of_places = |text: &String| text.contains("to the same bytes: a wait for it");
        errors.filter(|text| !of_places(text)).collect::<Vec<_>>()
    };
    assert_eq!(errors_of(&IN_TURNS), Vec::<String>::new());
    let with = |index: usize, step: &'static str| {
        let mut steps = IN_TURNS.to_vec();
        steps[index] = step;
        errors_of(&steps)
    };
    let reads = "fits_32_bits` at unknown may still read the same bytes";
    for instead in ["fence", "wait_but_one b"] {
        says(&with(8, instead), reads);
    }
    says(
        &with(14, "wait_but_one a"),
        "the kernel ends while `tma_store !0 $0",
    );
    // Here the newest store is the one from the buffer that is waited for.
    let newest = [
        "write a",
        "write b",
        "fence",
        "barrier",
        "send b",
        "send a",
        "wait_but_one a",
        "barrier",
        "write a",
    ];
    says(&errors_of(&newest), reads);
}

#[test]
fn a_wait_leaves_what_is_new_on_one_of_the_ways() {
    let errors_of = |sends: [&'static str; 2]| {
        errors(|build| {
            let buffers = buffers(build, BYTES);
            for text in ["write a", "write b", "fence", "barrier", "send a"] {
                step(build, buffers, text);
            }
            let ty = Ty::Uniform(Scalar::I1);
            let condition = build.value(OpKind::Constant(1), &[], ty);
            let outer = build.block;
            let arms = sends.map(|text| {
                build.block = build.kernel.add_block();
                step(build, buffers, text);
                build.op(OpKind::Yield, &[], &[]);
                build.block
            });
            build.block = outer;
            build
                .kernel
                .push(outer, OpKind::If, &[condition], &[], &arms, LOC);
            for text in ["wait_but_one a", "barrier", "write a", "wait b"] {
                step(build, buffers, text);
            }
        })
    };
    let reads = |errors: &[String]| {
        let text = "fits_32_bits` at unknown may still read the same bytes";
        errors.iter().any(|error| error.contains(text))
    };
    assert!(!reads(&errors_of(["send b", "send b"])));
    assert!(reads(&errors_of(["send b", "fence"])));
    assert!(reads(&errors_of(["fence", "send b"])));
}
