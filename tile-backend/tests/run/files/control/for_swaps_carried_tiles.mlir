// test: run
// arg: i32[256] iota
// arg: i32[256] zeros
// arg: i32 = 5
// Carried tiles change places in every iteration.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>, %n: tile<i32>) {
    %v_t = make_tensor_view %in, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %v = make_partition_view %v_t : partition_view<tile=(128), tensor_view<256xi32, strides=[1]>>
    %o_t = make_tensor_view %out, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(128), tensor_view<256xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a, %a_k = load_view_tko weak %v[%zero] : partition_view<tile=(128), tensor_view<256xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
    %b, %b_k = load_view_tko weak %v[%one] : partition_view<tile=(128), tensor_view<256xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
    %x, %y = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%p = %a, %q = %b) -> (tile<128xi32>, tile<128xi32>) {
      continue %q, %p : tile<128xi32>, tile<128xi32>
    }
    %s1 = store_view_tko weak %x, %o[%zero] : tile<128xi32>, partition_view<tile=(128), tensor_view<256xi32, strides=[1]>>, tile<i32> -> token
    %s2 = store_view_tko weak %y, %o[%one] : tile<128xi32>, partition_view<tile=(128), tensor_view<256xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
