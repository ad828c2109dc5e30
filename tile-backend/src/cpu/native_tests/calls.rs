//! Functions with so many calls that they are not inlined.

use std::fmt::Write as _;

use tile_core::interp;
use tile_core::testing::{Argument, Outcome, Runnable, execute};
use tile_core::types::Scalar;
use tile_core::{Diagnostics, text};

use super::{canonical, levels, llvm_text, run};
use crate::timing::Times;

#[test]
fn a_kernel_may_call_functions_that_are_not_inlined() {
    const CALLS: usize = 48;
    let (pointers, tile) = ("tile<64xptr<f32>>", "tile<64xf32>");
    let mut source = format!(
        "cuda_tile.module @m {{
  entry @calls(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {{
    %i = iota : tile<64xi32>
    %xr = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xs = broadcast %xr : tile<1xptr<f32>> -> {pointers}
    %p = offset %xs, %i : {pointers}, tile<64xi32> -> {pointers}
    %yr = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ys = broadcast %yr : tile<1xptr<f32>> -> {pointers}
    %q = offset %ys, %i : {pointers}, tile<64xi32> -> {pointers}
    %v, %t = load_ptr_tko weak %p : {pointers} -> {tile}, token
    %s0 = constant <f32: 0.0> : {tile}\n"
    );
    for call in 0..CALLS {
        let _ = writeln!(
            source,
            "    %c{call} = constant <f32: {call}.0> : {tile}
    %a{call} = subf %v, %c{call} : {tile}
    %e{call} = exp %a{call} : {tile}
    %s{} = addf %s{call}, %e{call} : {tile}",
            call + 1
        );
    }
    let _ = write!(
        source,
        "    %u = store_ptr_tko weak %q, %s{CALLS} : {pointers}, {tile} -> token
    return
  }}
}}"
    );
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(&source, "calls", &mut diagnostics);
    let module = module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take()));
    let numbers = (0..64_u8).flat_map(|i| (f32::from(i) / 16.0).to_le_bytes());
    let runnable = Runnable {
        module: module.clone(),
        grid: [1; 3],
        args: vec![
            Argument::Buffer(numbers.collect()),
            Argument::Buffer(vec![0; 256]),
        ],
    };
    let Outcome { buffers, fault, .. } = execute(&runnable);
    assert_eq!(fault, None);
    let module = canonical(&module);
    let entry = module.entries().next().expect("an entry");
    let elements = |bytes: &[u8]| -> Vec<f64> {
        let words = bytes.chunks_exact(4);
        words
            .map(|word| {
                let bits = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
                interp::decode_float(Scalar::F32, bits.into())
            })
            .collect()
    };
    for level in levels(&module) {
        let (text, _) = llvm_text(&module, entry, level, &mut Times::new()).expect("native code");
        assert!(
            text.contains(" noinline "),
            "{level}: everything is inlined"
        );
        let ran = run(&module, &runnable, level).expect("native code");
        assert_eq!(ran.stopped, u64::MAX, "{level}");
        for (found, expected) in elements(&ran.buffers[1]).iter().zip(elements(&buffers[1])) {
            // Each term has an error of at most two units in the last place.
            let error = (found - expected).abs() / expected;
            assert!(error < 1e-6, "{level}: {expected} expected, {found} found");
        }
    }
}
