// test: run
// arg: i32[8] zeros
// An entry with hints of every kind: what they ask for is advice, and changes no result.
cuda_tile.module @kernels {
  entry @test(%out: tile<ptr<i32>>) optimization_hints=<default = {num_worker_warps_per_cta = 8 : i64, occupancy = 4 : i64}, sm_90 = {num_cta_in_cga = 2 : i64, occupancy = 32 : i64}> {
    %o_t = make_tensor_view %out, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %o = make_partition_view %o_t : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %a = iota : tile<8xi32>
    %s = store_view_tko weak %a, %o[%zero] : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
