// test: run
// arg: bf16[4096] ones
// arg: bf16[4096] zeros
// Every prefix is added in f32 and rounded for itself.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<bf16>>, %p1: tile<ptr<bf16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %d0 = assume div_by<16>, %p0 : tile<ptr<bf16>>
    %w0 = make_tensor_view %d0, shape = [4096], strides = [1] : tensor_view<4096xbf16, strides=[1]>
    %v0 = make_partition_view %w0 : partition_view<tile=(4096), tensor_view<4096xbf16, strides=[1]>>
    %x, %x_t = load_view_tko weak %v0[%0] : partition_view<tile=(4096), tensor_view<4096xbf16, strides=[1]>>, tile<i32> -> tile<4096xbf16>, token
    %s = scan %x dim=0 reverse=false identities=[0.0 : bf16] : tile<4096xbf16> -> tile<4096xbf16> (%e0: tile<bf16>, %a0: tile<bf16>) {
      %b0 = addf %e0, %a0 : tile<bf16>
      yield %b0 : tile<bf16>
    }
    %d1 = assume div_by<16>, %p1 : tile<ptr<bf16>>
    %w1 = make_tensor_view %d1, shape = [4096], strides = [1] : tensor_view<4096xbf16, strides=[1]>
    %v1 = make_partition_view %w1 : partition_view<tile=(4096), tensor_view<4096xbf16, strides=[1]>>
    %s_s = store_view_tko weak %s, %v1[%0] : tile<4096xbf16>, partition_view<tile=(4096), tensor_view<4096xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
