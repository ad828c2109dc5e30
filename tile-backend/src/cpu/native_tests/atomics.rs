//! Atomic operations of a block, whose elements meet at few places.

use tile_core::testing::{Argument, Outcome, Runnable, execute};
use tile_core::{Diagnostics, text};

use super::{canonical, codes, is_fault, levels, run};

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

/// Applies `operation` to the elements of `x`, which begins `shift` bytes after its memory, at indices of 32 bits, and stores the
/// old ones to `z`. The indices are `(i ^ n) % 16`, and masked from an extent on: `n % 32`, which is not known to the compiler.
fn at_indices(scalar: &str, operation: &str, shift: u32) -> String {
    let pointers = format!("tile<64xptr<{scalar}>>");
    let tile = format!("tile<64x{scalar}>");
    let atomic = match operation {
        "cas" => {
            format!(
                "atomic_cas_tko relaxed tl_blk %p, %e, %v, %both : {pointers}, {tile}, tile<64xi1>"
            )
        }
        mode => {
            format!(
                "atomic_rmw_tko relaxed tl_blk %p, {mode}, %v, %both : {pointers}, {tile}, tile<64xi1>"
            )
        }
    };
    let spread = |name: &str, ty: &str| {
        format!(
            "%{name}r = reshape %{name} : tile<{ty}> -> tile<1x{ty}>
    %{name}s = broadcast %{name}r : tile<1x{ty}> -> tile<64x{ty}>"
        )
    };
    let pointer = format!("ptr<{scalar}>");
    format!(
        "cuda_tile.module @m {{
  entry @atomics(%x: tile<ptr<i8>>, %a: tile<{pointer}>, %c: tile<{pointer}>, %z: tile<{pointer}>, %n: tile<i64>) {{
    %i = iota : tile<64xi32>
    %shift = constant <i32: {shift}> : tile<i32>
    %moved = offset %x, %shift : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %y = ptr_to_ptr %moved : tile<ptr<i8>> -> tile<{pointer}>
    {}
    {}
    {}
    {}
    {}
    %aq = offset %as, %i : {pointers}, tile<64xi32> -> {pointers}
    %cq = offset %cs, %i : {pointers}, tile<64xi32> -> {pointers}
    %zq = offset %zs, %i : {pointers}, tile<64xi32> -> {pointers}
    %changed = trunci %ns : tile<64xi64> -> tile<64xi32>
    %fifteen = constant <i32: 15> : tile<64xi32>
    %other = xori %i, %changed : tile<64xi32>
    %narrow = andi %other, %fifteen : tile<64xi32>
    %wide = exti %narrow signed : tile<64xi32> -> tile<64xi64>
    %most = constant <i64: 31> : tile<64xi64>
    %extent = andi %ns, %most : tile<64xi64>
    %inside = cmpi less_than %wide, %extent, unsigned : tile<64xi64> -> tile<64xi1>
    %some = cmpi greater_than_or_equal %ns, %most, signed : tile<64xi64> -> tile<64xi1>
    %both = andi %some, %inside : tile<64xi1>
    %zero = constant <i64: 0> : tile<64xi64>
    %at = select %both, %wide, %zero : tile<64xi1>, tile<64xi64>
    %p = offset %ys, %at : {pointers}, tile<64xi64> -> {pointers}
    %v, %t = load_ptr_tko weak %aq : {pointers} -> {tile}, token
    %e, %s = load_ptr_tko weak %cq : {pointers} -> {tile}, token
    %old, %u = {atomic} -> {tile}, token
    %w = store_ptr_tko weak %zq, %old, %both : {pointers}, {tile}, tile<64xi1> -> token
    return
  }}
}}",
        spread("y", &pointer),
        spread("a", &pointer),
        spread("c", &pointer),
        spread("z", &pointer),
        spread("n", "i64"),
    )
}

/// All elements of a vector, some, or none; indices outside of memory, or of an element that is not at a multiple of its size.
#[test]
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn elements_at_indices_of_32_bits_change_in_order() {
    let cases = [
        ("i32", "add"),
        ("i32", "max"),
        ("i32", "cas"),
        ("f32", "addf"),
        ("i64", "xchg"),
        ("f64", "addf"),
    ];
    let mut faults = 0;
    for (scalar, operation) in cases {
        let bytes = if scalar.ends_with("64") { 8 } else { 4 };
        for shift in [0, 2, bytes] {
            let source = at_indices(scalar, operation, shift);
            let mut diagnostics = Diagnostics::new();
            let module = text::parse(&source, "atomics", &mut diagnostics);
            let module = module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take()));
            let codes = codes(&canonical(&module));
            // The extents are 16, 31, 8, 0, 5 and, where no element is accessed, 16.
            for number in [48_i64, 63, 40, 64, 37, 16] {
                let numbers = |first: i32, count: usize| {
                    let elements = (first..).take(count).flat_map(|i| {
                        let number = i * 37 % 5 - 2;
                        match scalar {
                            "f32" => (number as f32).to_le_bytes().to_vec(),
                            "f64" => f64::from(number).to_le_bytes().to_vec(),
                            "i64" => i64::from(number).to_le_bytes().to_vec(),
                            _ => number.to_le_bytes().to_vec(),
                        }
                    });
                    Argument::Buffer(elements.collect())
                };
                for count in [17, 15] {
                    let runnable = Runnable {
                        module: module.clone(),
                        grid: [1; 3],
                        args: vec![
                            numbers(0, count),
                            numbers(101, 64),
                            numbers(203, 64),
                            numbers(7, 64),
                            Argument::Number(number.cast_unsigned()),
                        ],
                    };
                    let what = format!("{scalar}, {operation}, {shift}, {number}, {count}");
                    faults += usize::from(is_fault(&runnable, &codes, &what));
                }
            }
        }
    }
    assert!(faults > 0, "no access is a fault");
}
