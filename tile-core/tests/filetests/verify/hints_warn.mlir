// test: verify -Wunsupported-hints --allow-testing
// Each hint that no compiler follows is a warning.

cuda_tile.module @m {
  entry @good() optimization_hints=<default = {num_cta_in_cga = 16, num_worker_warps_per_cta = 32, occupancy = 32}, sm_80 = {num_cta_in_cga = 1, occupancy = 1}, sm_86 = {num_cta_in_cga = 1}, sm_87 = {num_cta_in_cga = 1}, sm_88 = {num_cta_in_cga = 1}, sm_89 = {num_cta_in_cga = 1}, sm_90 = {num_cta_in_cga = 2, num_worker_warps_per_cta = 1}, sm_100 = {num_cta_in_cga = 8}, sm_103 = {num_cta_in_cga = 8}, sm_110 = {num_cta_in_cga = 8}, sm_120 = {num_cta_in_cga = 8}, sm_121 = {num_cta_in_cga = 4}> {
  }
  entry @unknown_architecture() optimization_hints=<sm_107 = {occupancy = 99}, sm_90a = {latency = 1}, sm_90 = {occupancy = 99}> { // warning[T0302]: `sm_107` is not a known architecture
// warning[T0302]: integer value in the range [1, 32] is expected for sm_90.occupancy
// warning[T0302]: `sm_90a` is not a known architecture
  }
  entry @unknown_keys() optimization_hints=<sm_90 = {allow_tma = true, clusters = 1, latency = 1}> { // warning[T0302]: allow_tma is not known hint for current Operation
// warning[T0302]: clusters is not known hint for current Operation
// warning[T0302]: latency is not known hint for current Operation
  }
  entry @numbers() optimization_hints=<sm_90 = {num_cta_in_cga = 4 : i8, occupancy = 7 : i4}, sm_100 = {num_cta_in_cga = -8 : i4}> { // warning[T0302]: expected power-of-two ≤ 16 for sm_100.num_cta_in_cga
  }
  entry @kinds() optimization_hints=<sm_90 = {num_cta_in_cga = true, num_worker_warps_per_cta = false, occupancy = true}> { // warning[T0302]: integer value expected for sm_90.num_cta_in_cga
// warning[T0302]: integer value expected for sm_90.num_worker_warps_per_cta
// warning[T0302]: integer value expected for sm_90.occupancy
  }
  entry @clusters() optimization_hints=<sm_80 = {num_cta_in_cga = 2}, sm_86 = {num_cta_in_cga = 4}, sm_87 = {num_cta_in_cga = 2}, sm_88 = {num_cta_in_cga = 2}, sm_89 = {num_cta_in_cga = 16}, sm_90 = {num_cta_in_cga = 32}, sm_100 = {num_cta_in_cga = 3}, sm_110 = {num_cta_in_cga = 0}, sm_120 = {num_cta_in_cga = -2}> { // warning[T0302]: expected power-of-two ≤ 16 for sm_100.num_cta_in_cga
// warning[T0302]: expected power-of-two ≤ 16 for sm_110.num_cta_in_cga
// warning[T0302]: expected power-of-two ≤ 16 for sm_120.num_cta_in_cga
// warning[T0302]: expected 1 for sm_80.num_cta_in_cga
// warning[T0302]: expected 1 for sm_86.num_cta_in_cga
// warning[T0302]: expected 1 for sm_87.num_cta_in_cga
// warning[T0302]: expected 1 for sm_88.num_cta_in_cga
// warning[T0302]: expected 1 for sm_89.num_cta_in_cga
// warning[T0302]: expected power-of-two ≤ 16 for sm_90.num_cta_in_cga
  }
  entry @warps() optimization_hints=<sm_80 = {num_worker_warps_per_cta = 64}, sm_90 = {num_worker_warps_per_cta = 6}, sm_100 = {num_worker_warps_per_cta = 2}> { // warning[T0302]: expected power-of-two ≤ 32 for sm_80.num_worker_warps_per_cta
// warning[T0302]: expected power-of-two ≤ 32 for sm_90.num_worker_warps_per_cta
  }
  entry @occupancy() optimization_hints=<sm_80 = {occupancy = 0}, sm_90 = {occupancy = 33}, sm_100 = {occupancy = -1}> { // warning[T0302]: integer value in the range [1, 32] is expected for sm_100.occupancy
// warning[T0302]: integer value in the range [1, 32] is expected for sm_80.occupancy
// warning[T0302]: integer value in the range [1, 32] is expected for sm_90.occupancy
  }
  testing$func @function() optimization_hints=<sm_90 = {occupancy = 33}> { // warning[T0302]: integer value in the range [1, 32] is expected for sm_90.occupancy
    return
  }
  entry @accesses(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %t = make_tensor_view %p, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
    %v = make_partition_view %t : partition_view<tile=(4), tensor_view<16xf32, strides=[1]>>
    %a, %a_token = load_view_tko weak %v[%i] optimization_hints = <sm_90 = {allow_tma = true, latency = 1}, sm_100 = {allow_tma = false, latency = 10}> : partition_view<tile=(4), tensor_view<16xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %b, %b_token = load_view_tko weak %v[%i] optimization_hints = <sm_90 = {allow_tma = 1, latency = 0}, sm_100 = {latency = 11, occupancy = 1}> : partition_view<tile=(4), tensor_view<16xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token // warning[T0302]: integer value in the range [1, 10] is expected for sm_100.latency
// warning[T0302]: occupancy is not known hint for current Operation
// warning[T0302]: boolean value expected for sm_90.allow_tma
// warning[T0302]: integer value in the range [1, 10] is expected for sm_90.latency
    %c_token = store_view_tko weak %a, %v[%i] optimization_hints = <sm_90 = {allow_tma = true, latency = 10}> : tile<4xf32>, partition_view<tile=(4), tensor_view<16xf32, strides=[1]>>, tile<i32> -> token
    %d_token = store_view_tko weak %a, %v[%i] optimization_hints = <sm_90 = {allow_tma = 1, num_cta_in_cga = 1}> : tile<4xf32>, partition_view<tile=(4), tensor_view<16xf32, strides=[1]>>, tile<i32> -> token // warning[T0302]: boolean value expected for sm_90.allow_tma
// warning[T0302]: num_cta_in_cga is not known hint for current Operation
    %e, %e_token = load_ptr_tko weak %p optimization_hints = <sm_90 = {latency = 10}> : tile<ptr<f32>> -> tile<f32>, token
    %f, %f_token = load_ptr_tko weak %p optimization_hints = <sm_90 = {allow_tma = true, latency = true}> : tile<ptr<f32>> -> tile<f32>, token // warning[T0302]: allow_tma is not known hint for current Operation
// warning[T0302]: integer value expected for sm_90.latency
    %g_token = store_ptr_tko weak %p, %e optimization_hints = <sm_90 = {latency = 1}> : tile<ptr<f32>>, tile<f32> -> token
    %h_token = store_ptr_tko weak %p, %e optimization_hints = <sm_90 = {allow_tma = true, num_worker_warps_per_cta = 4}> : tile<ptr<f32>>, tile<f32> -> token // warning[T0302]: allow_tma is not known hint for current Operation
// warning[T0302]: num_worker_warps_per_cta is not known hint for current Operation
    return
  }
}
