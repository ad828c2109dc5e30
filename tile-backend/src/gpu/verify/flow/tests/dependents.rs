//! Kernels that may start before the previous one in the stream has ended.

use crate::gpu::{from_text, verify};

/// Returns the errors of a kernel with these operations, without what precedes the message.
fn errors(launch: &str, ops: &str) -> Vec<String> {
    let text = format!(
        "kernel @k warps=1{launch} occupancy=1 blocks_per_tile=1 raster=any programmatic {{\n  \
           #0 = lane [(1), (2), (4), (8), (16)] -> [32]\n  \
           %0 = param ptr f32 write align=16 unique\n  \
           %1 = param scalar i1\n  \
           %2 = constant 0x0 : i32\n  \
           %3 = constant 0x20 : i32\n  \
           %4 = constant 0x1 : i32\n  \
           %5 = constant 0x3f800000 : 32xf32 #0\n  \
           {ops}\n  \
           return\n\
         }}\n"
    );
    let kernel = from_text(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let errors = verify(&kernel).into_iter();
    let messages = errors.map(|error| error.rsplit(": ").next().expect("a message").to_owned());
    messages.collect()
}

const STORE: &str = "store_global f32 [32 step=32 edge=32] to=[param 0] write contiguous=0 vector=4 %5, %0, %2, %3, %4";

const ACCESS: &str = "global memory is accessed before the wait for the kernels before this one";
const END: &str = "the kernel ends before the wait for the kernels before this one";

#[test]
fn an_access_before_the_wait_is_refused() {
    let found = |ops: &str| errors("", &ops.replace("STORE", STORE));
    assert_eq!(found("wait_for_dependencies\nSTORE"), [""; 0]);
    assert_eq!(found("STORE\nwait_for_dependencies"), [ACCESS]);
    assert_eq!(found("STORE"), [ACCESS, END]);
    // The signal to later kernels needs no wait.
    assert_eq!(
        found("launch_dependents\nprefetch_maps\nwait_for_dependencies\nSTORE"),
        [""; 0]
    );
}

#[test]
fn every_path_needs_the_wait() {
    let found = |ops: &str| errors("", &ops.replace("STORE", STORE));
    let on_one_path = "if %1 {\nwait_for_dependencies\nyield\n}\nSTORE";
    assert_eq!(found(on_one_path), [ACCESS, END]);
    let on_both =
        "if %1 {\nwait_for_dependencies\nyield\n} else {\nwait_for_dependencies\nyield\n}\nSTORE";
    assert_eq!(found(on_both), [""; 0]);
    // The loop may have no iteration.
    let in_loop = "for %2, %3, %4 (%6: i32) {\nwait_for_dependencies\ncontinue\n}\nSTORE";
    assert_eq!(found(in_loop), [ACCESS, END]);
    let ends_early = "if %1 {\nreturn\n}\nwait_for_dependencies\nSTORE";
    assert_eq!(found(ends_early), [END]);
}

#[test]
fn producer_warps_need_the_wait() {
    let found = |ops: &str| errors(" producers=4", ops);
    let before = "wait_for_dependencies\nwarp_specialize {\nreturn\n}";
    assert_eq!(found(before), [""; 0]);
    let inside = "warp_specialize {\nwait_for_dependencies\nreturn\n}\nwait_for_dependencies";
    let message = "producer warps end before the wait for the kernels before this one";
    assert_eq!(found(inside), [message]);
}
