//! Atomic operations of a block, whose elements meet at few places.

use tile_core::testing::{Argument, Outcome, Runnable, execute};
use tile_core::{Diagnostics, text};

use super::{canonical, levels, run};

/// The notation of an operation.
#[derive(Clone, Copy, Debug)]
struct Form {
    scope: &'static str,
    /// `true` if the old elements are stored to `z`.
    keeps: bool,
    /// `true` if a mask leaves out each fourth element.
    is_masked: bool,
}

/// Applies `operation` to the elements of `x` at the indices `i % 8`, with `arg` of element `i`.
fn source(scalar: &str, operation: &str, form: Form) -> String {
    let Form {
        scope,
        keeps,
        is_masked,
    } = form;
    let (pointers, tile) = (
        format!("tile<64xptr<{scalar}>>"),
        format!("tile<64x{scalar}>"),
    );
    let (mask, of_mask) = if is_masked {
        (", %m", ", tile<64xi1>")
    } else {
        ("", "")
    };
    let atomic = match operation {
        "cas" => {
            format!("atomic_cas_tko relaxed {scope} %p, %e, %v{mask} : {pointers}, {tile}{of_mask}")
        }
        mode => {
            format!(
                "atomic_rmw_tko relaxed {scope} %p, {mode}, %v{mask} : {pointers}, {tile}{of_mask}"
            )
        }
    };
    let kept = if keeps {
        format!("%w = store_ptr_tko weak %zq, %old : {pointers}, {tile} -> token")
    } else {
        String::new()
    };
    let spread = |name: &str| {
        format!(
            "%{name}r = reshape %{name} : tile<ptr<{scalar}>> -> tile<1xptr<{scalar}>>
    %{name}s = broadcast %{name}r : tile<1xptr<{scalar}>> -> {pointers}
    %{name}q = offset %{name}s, %i : {pointers}, tile<64xi32> -> {pointers}"
        )
    };
    format!(
        "cuda_tile.module @m {{
  entry @atomics(%x: tile<ptr<{scalar}>>, %a: tile<ptr<{scalar}>>, %c: tile<ptr<{scalar}>>, %z: tile<ptr<{scalar}>>) {{
    %i = iota : tile<64xi32>
    %seven = constant <i32: 7> : tile<64xi32>
    %at = andi %i, %seven : tile<64xi32>
    %three = constant <i32: 3> : tile<64xi32>
    %low = andi %i, %three : tile<64xi32>
    %m = cmpi less_than %low, %three, signed : tile<64xi32> -> tile<64xi1>
    {}
    {}
    {}
    {}
    %p = offset %xs, %at : {pointers}, tile<64xi32> -> {pointers}
    %v, %t = load_ptr_tko weak %aq : {pointers} -> {tile}, token
    %e, %s = load_ptr_tko weak %cq : {pointers} -> {tile}, token
    %old, %u = {atomic} -> {tile}, token
    {kept}
    return
  }}
}}",
        spread("x"),
        spread("a"),
        spread("c"),
        spread("z"),
    )
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn every_operation_is_that_of_the_interpreter() {
    let integers = [
        "and", "or", "xor", "add", "max", "min", "umax", "umin", "xchg", "cas",
    ];
    let of_integers = integers.map(|operation| ("i32", operation));
    let floats = ["addf", "xchg", "cas"].map(|operation| ("f32", operation));
    for (scalar, operation) in of_integers.into_iter().chain(floats) {
        let of_block = Form {
            scope: "tl_blk",
            keeps: true,
            is_masked: false,
        };
        let mut forms = vec![
            of_block,
            Form {
                is_masked: true,
                ..of_block
            },
            Form {
                scope: "device",
                ..of_block
            },
        ];
        if operation == "add" {
            forms.push(Form {
                keeps: false,
                ..of_block
            });
        }
        for form in forms {
            let source = source(scalar, operation, form);
            let mut diagnostics = Diagnostics::new();
            let module = text::parse(&source, "atomics", &mut diagnostics);
            let module = module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take()));
            // Five numbers of both signs: each is compared at each place, and sums of floats are exact.
            let numbers = |first: i32| {
                let bytes = (first..first + 64).flat_map(|i| {
                    let number = i * 37 % 5 - 2;
                    if scalar == "f32" {
                        (number as f32).to_le_bytes()
                    } else {
                        number.to_le_bytes()
                    }
                });
                Argument::Buffer(bytes.collect())
            };
            let runnable = Runnable {
                module: module.clone(),
                grid: [1; 3],
                args: vec![
                    numbers(0),
                    numbers(101),
                    numbers(203),
                    Argument::Buffer(vec![0; 256]),
                ],
            };
            let Outcome { buffers, fault, .. } = execute(&runnable);
            assert_eq!(fault, None);
            for level in levels(&module) {
                let ran = run(&canonical(&module), &runnable, level).expect("native code");
                let what = format!("{scalar}, {operation}, {form:?}, {level}");
                assert_eq!(ran.stopped, u64::MAX, "{what}");
                assert_eq!(ran.buffers, buffers, "{what}");
            }
        }
    }
}
