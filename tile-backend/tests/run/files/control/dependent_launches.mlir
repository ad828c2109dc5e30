// test: run
// arg: i32[8] iota
// arg: i32[8] zeros
// Waiting for kernels before, and letting those after start; nothing before sm_90.
cuda_tile.module @kernels {
  entry @test(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %v_t = make_tensor_view %in, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %v = make_partition_view %v_t : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %start = make_token : token
    %w = gdc_wait_tko token = %start -> token
    %a, %k = load_view_tko weak %v[%zero] token = %w : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %b = addi %a, %a : tile<8xi32>
    %l = gdc_launch_dependents_tko token = %k -> token
    %j = join_tokens %l, %w : token
    %s = store_view_tko weak %b, %o[%zero] token = %j : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
