//! Small tiles in registers.

use tile_core::{Diagnostics, text};

use super::{canonical, compile};
use crate::cpu::Level;
use crate::timing::Times;

/// The sum of 24 tiles of 16 numbers, which a loop carries, along its axis.
const SUM: &str = "cuda_tile.module @m {
  entry @sum(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %xt = make_tensor_view %x, shape = [384], strides = [1] : tensor_view<384xf32, strides=[1]>
    %xp = make_partition_view %xt : partition_view<tile=(16), tensor_view<384xf32, strides=[1]>>
    %yt = make_tensor_view %y, shape = [1], strides = [1] : tensor_view<1xf32, strides=[1]>
    %yp = make_partition_view %yt : partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %end = constant <i32: 24> : tile<i32>
    %start = constant <f32: 0.0> : tile<16xf32>
    %s = for %i in (%zero to %end, step %one) : tile<i32> iter_values(%acc = %start) -> (tile<16xf32>) {
      %v, %t = load_view_tko weak %xp[%i] : partition_view<tile=(16), tensor_view<384xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
      %next = addf %acc, %v : tile<16xf32>
      continue %next : tile<16xf32>
    }
    %r = reduce %s dim=0 identities=[-0.0 : f32] : tile<16xf32> -> tile<f32> (%e: tile<f32>, %f: tile<f32>) {
      %g = addf %e, %f : tile<f32>
      yield %g : tile<f32>
    }
    %r1 = reshape %r : tile<f32> -> tile<1xf32>
    %u = store_view_tko weak %r1, %yp[%zero] : tile<1xf32>, partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}";

/// The scratch memory is the second argument, which is in `rsi` on x86-64.
#[test]
fn a_tile_of_some_vectors_stays_in_registers_while_a_loop_carries_it() {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(SUM, "sum", &mut diagnostics);
    let module = module.unwrap_or_else(|_| panic!("{:#?}", diagnostics.take()));
    let module = canonical(&module);
    let entry = module.entries().next().expect("an entry");
    for level in [Level::Avx2, Level::Avx512] {
        let native = compile(&module, entry, level, &mut Times::new());
        let native = native
            .expect("LLVM compiles it")
            .expect("it has native code");
        let in_memory = |line: &&str| {
            let is_vector = line.contains("ymm") || line.contains("zmm");
            let is_local = line.contains("(%rsi") || line.contains("(%rsp");
            is_vector && is_local
        };
        let lines: Vec<&str> = native.assembly.lines().filter(in_memory).collect();
        assert!(lines.is_empty(), "{level}: {lines:#?}");
        assert!(native.assembly.contains("vaddps"), "{level}");
    }
}
