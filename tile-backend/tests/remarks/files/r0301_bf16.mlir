// test: remarks
// kinds: R0301
// Sums of bf16, which `sm_80` has no instruction for, and of f16.
cuda_tile.module @m {
  entry @gives(%a: tile<ptr<bf16>>) {
    %i = iota : tile<256xi32>
    %a1 = reshape %a : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %a2 = broadcast %a1 : tile<1xptr<bf16>> -> tile<256xptr<bf16>>
    %a3 = offset %a2, %i : tile<256xptr<bf16>>, tile<256xi32> -> tile<256xptr<bf16>>
    %one = constant <bf16: 1.0> : tile<256xbf16>
    %o, %t0 = atomic_rmw_tko relaxed device %a3, addf, %one : tile<256xptr<bf16>>, tile<256xbf16> -> tile<256xbf16>, token // remark R0301: compares and swaps
    return
  }
  entry @twin(%a: tile<ptr<f16>>) {
    %i = iota : tile<256xi32>
    %a1 = reshape %a : tile<ptr<f16>> -> tile<1xptr<f16>>
    %a2 = broadcast %a1 : tile<1xptr<f16>> -> tile<256xptr<f16>>
    %a3 = offset %a2, %i : tile<256xptr<f16>>, tile<256xi32> -> tile<256xptr<f16>>
    %one = constant <f16: 1.0> : tile<256xf16>
    %o, %t0 = atomic_rmw_tko relaxed device %a3, addf, %one : tile<256xptr<f16>>, tile<256xf16> -> tile<256xf16>, token
    return
  }
}
