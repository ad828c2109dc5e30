//! Tiles in memory of which some elements change.

use tile_core::{Diagnostics, text};

use super::{canonical, compile};
use crate::cpu::Level;
use crate::timing::Times;

/// A loop that changes a tile of 512 elements, which is in memory: those that `change` chooses from `%acc` and `%v`.
fn changed(change: &str) -> String {
    format!(
        "cuda_tile.module @m {{
  entry @change(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %end: tile<i32>) {{
    %xt = make_tensor_view %x, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %xp = make_partition_view %xt : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %yt = make_tensor_view %y, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %yp = make_partition_view %yt : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %start = constant <f32: 1.5> : tile<512xf32>
    %s = for %i in (%zero to %end, step %one) : tile<i32> iter_values(%acc = %start) -> (tile<512xf32>) {{
      %v, %t = load_view_tko weak %xp[%i] : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
      {change}
      continue %next : tile<512xf32>
    }}
    %u = store_view_tko weak %s, %yp[%zero] : tile<512xf32>, partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> token
    return
  }}
}}"
    )
}

#[test]
fn elements_in_memory_change_without_masked_stores() {
    for change in [
        "%m = cmpf less_than ordered %acc, %v : tile<512xf32> -> tile<512xi1>
      %next = select %m, %start, %acc : tile<512xi1>, tile<512xf32>",
        "%next = maxf %acc, %v : tile<512xf32>",
        "%next = minf %acc, %v propagate_nan : tile<512xf32>",
    ] {
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&changed(change), "changed", &mut diagnostics);
        let module = module.unwrap_or_else(|_| panic!("{:#?}", diagnostics.take()));
        let module = canonical(&module);
        let entry = module.entries().next().expect("an entry");
        let native = compile(&module, entry, Level::Avx2, &mut Times::new());
        let native = native.expect("LLVM").expect("it has native code");
        // In the syntax of AT&T the last operand is where it is stored.
        let is_masked =
            |line: &&str| line.trim_start().starts_with("vmaskmov") && line.ends_with(')');
        let lines: Vec<&str> = native.assembly.lines().filter(is_masked).collect();
        assert!(lines.is_empty(), "{change}: {lines:#?}");
        assert!(native.assembly.contains("vblendv"), "{change}");
    }
}
