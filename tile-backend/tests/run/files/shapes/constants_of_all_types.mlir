// test: run
// arg: i1[4] zeros
// arg: i8[4] zeros
// arg: i16[4] zeros
// arg: i32[4] zeros
// arg: i64[4] zeros
// arg: f16[4] zeros
// arg: bf16[4] zeros
// arg: f32[4] zeros
// arg: f64[4] zeros
// arg: tf32[4] zeros
// arg: f8E4M3FN[4] zeros
// arg: f8E5M2[4] zeros
// Tables and single numbers.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>, %p1: tile<ptr<i8>>, %p2: tile<ptr<i16>>, %p3: tile<ptr<i32>>, %p4: tile<ptr<i64>>, %p5: tile<ptr<f16>>, %p6: tile<ptr<bf16>>, %p7: tile<ptr<f32>>, %p8: tile<ptr<f64>>, %p9: tile<ptr<tf32>>, %p10: tile<ptr<f8E4M3FN>>, %p11: tile<ptr<f8E5M2>>) {
    %0 = constant <i1: [true, false, true, true]> : tile<4xi1>
    %1 = constant <i32: 0> : tile<i32>
    %2 = make_tensor_view %p0, shape = [4], strides = [1] : tensor_view<4xi1, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>
    %4 = store_view_tko weak %0, %3[%1] : tile<4xi1>, partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>, tile<i32> -> token
    %5 = constant <i8: [-128, 255, 0, 7]> : tile<4xi8>
    %6 = make_tensor_view %p1, shape = [4], strides = [1] : tensor_view<4xi8, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%1] : tile<4xi8>, partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>, tile<i32> -> token
    %9 = constant <i16: [1, -2, 3, 65535]> : tile<4xi16>
    %10 = make_tensor_view %p2, shape = [4], strides = [1] : tensor_view<4xi16, strides=[1]>
    %11 = make_partition_view %10 : partition_view<tile=(4), tensor_view<4xi16, strides=[1]>>
    %12 = store_view_tko weak %9, %11[%1] : tile<4xi16>, partition_view<tile=(4), tensor_view<4xi16, strides=[1]>>, tile<i32> -> token
    %13 = constant <i32: [1, 2, 3, -4]> : tile<4xi32>
    %14 = make_tensor_view %p3, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %15 = make_partition_view %14 : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %16 = store_view_tko weak %13, %15[%1] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    %17 = constant <i64: [9, 8, 7, 6]> : tile<4xi64>
    %18 = make_tensor_view %p4, shape = [4], strides = [1] : tensor_view<4xi64, strides=[1]>
    %19 = make_partition_view %18 : partition_view<tile=(4), tensor_view<4xi64, strides=[1]>>
    %20 = store_view_tko weak %17, %19[%1] : tile<4xi64>, partition_view<tile=(4), tensor_view<4xi64, strides=[1]>>, tile<i32> -> token
    %21 = constant <f16: [1.5, -2.0, 0.0, 3.0]> : tile<4xf16>
    %22 = make_tensor_view %p5, shape = [4], strides = [1] : tensor_view<4xf16, strides=[1]>
    %23 = make_partition_view %22 : partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>
    %24 = store_view_tko weak %21, %23[%1] : tile<4xf16>, partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>, tile<i32> -> token
    %25 = constant <bf16: [1.5, -2.0, 0.0, 3.0]> : tile<4xbf16>
    %26 = make_tensor_view %p6, shape = [4], strides = [1] : tensor_view<4xbf16, strides=[1]>
    %27 = make_partition_view %26 : partition_view<tile=(4), tensor_view<4xbf16, strides=[1]>>
    %28 = store_view_tko weak %25, %27[%1] : tile<4xbf16>, partition_view<tile=(4), tensor_view<4xbf16, strides=[1]>>, tile<i32> -> token
    %29 = constant <f32: [1.5, -2.0, 0.1, 3.0]> : tile<4xf32>
    %30 = make_tensor_view %p7, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %31 = make_partition_view %30 : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %32 = store_view_tko weak %29, %31[%1] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
    %33 = constant <f64: [1.5, -2.0, 0.1, 3.0]> : tile<4xf64>
    %34 = make_tensor_view %p8, shape = [4], strides = [1] : tensor_view<4xf64, strides=[1]>
    %35 = make_partition_view %34 : partition_view<tile=(4), tensor_view<4xf64, strides=[1]>>
    %36 = store_view_tko weak %33, %35[%1] : tile<4xf64>, partition_view<tile=(4), tensor_view<4xf64, strides=[1]>>, tile<i32> -> token
    %37 = constant <tf32: [1.5, -2.0, 0.5, 3.0]> : tile<4xtf32>
    %38 = make_tensor_view %p9, shape = [4], strides = [1] : tensor_view<4xtf32, strides=[1]>
    %39 = make_partition_view %38 : partition_view<tile=(4), tensor_view<4xtf32, strides=[1]>>
    %40 = store_view_tko weak %37, %39[%1] : tile<4xtf32>, partition_view<tile=(4), tensor_view<4xtf32, strides=[1]>>, tile<i32> -> token
    %41 = constant <f8E4M3FN: [1.5, -2.0, 0.5, 3.0]> : tile<4xf8E4M3FN>
    %42 = make_tensor_view %p10, shape = [4], strides = [1] : tensor_view<4xf8E4M3FN, strides=[1]>
    %43 = make_partition_view %42 : partition_view<tile=(4), tensor_view<4xf8E4M3FN, strides=[1]>>
    %44 = store_view_tko weak %41, %43[%1] : tile<4xf8E4M3FN>, partition_view<tile=(4), tensor_view<4xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %45 = constant <f8E5M2: [1.5, -2.0, 0.5, 3.0]> : tile<4xf8E5M2>
    %46 = make_tensor_view %p11, shape = [4], strides = [1] : tensor_view<4xf8E5M2, strides=[1]>
    %47 = make_partition_view %46 : partition_view<tile=(4), tensor_view<4xf8E5M2, strides=[1]>>
    %48 = store_view_tko weak %45, %47[%1] : tile<4xf8E5M2>, partition_view<tile=(4), tensor_view<4xf8E5M2, strides=[1]>>, tile<i32> -> token
    return
  }
}
