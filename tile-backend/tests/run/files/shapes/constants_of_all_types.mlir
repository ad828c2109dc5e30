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
    %2 = assume div_by<16>, %p0 : tile<ptr<i1>>
    %3 = make_tensor_view %2, shape = [4], strides = [1] : tensor_view<4xi1, strides=[1]>
    %4 = make_partition_view %3 : partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>
    %5 = store_view_tko weak %0, %4[%1] : tile<4xi1>, partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>, tile<i32> -> token
    %6 = constant <i8: [-128, 255, 0, 7]> : tile<4xi8>
    %7 = assume div_by<16>, %p1 : tile<ptr<i8>>
    %8 = make_tensor_view %7, shape = [4], strides = [1] : tensor_view<4xi8, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
    %10 = store_view_tko weak %6, %9[%1] : tile<4xi8>, partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>, tile<i32> -> token
    %11 = constant <i16: [1, -2, 3, 65535]> : tile<4xi16>
    %12 = assume div_by<16>, %p2 : tile<ptr<i16>>
    %13 = make_tensor_view %12, shape = [4], strides = [1] : tensor_view<4xi16, strides=[1]>
    %14 = make_partition_view %13 : partition_view<tile=(4), tensor_view<4xi16, strides=[1]>>
    %15 = store_view_tko weak %11, %14[%1] : tile<4xi16>, partition_view<tile=(4), tensor_view<4xi16, strides=[1]>>, tile<i32> -> token
    %16 = constant <i32: [1, 2, 3, -4]> : tile<4xi32>
    %17 = assume div_by<16>, %p3 : tile<ptr<i32>>
    %18 = make_tensor_view %17, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %19 = make_partition_view %18 : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %20 = store_view_tko weak %16, %19[%1] : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    %21 = constant <i64: [9, 8, 7, 6]> : tile<4xi64>
    %22 = assume div_by<16>, %p4 : tile<ptr<i64>>
    %23 = make_tensor_view %22, shape = [4], strides = [1] : tensor_view<4xi64, strides=[1]>
    %24 = make_partition_view %23 : partition_view<tile=(4), tensor_view<4xi64, strides=[1]>>
    %25 = store_view_tko weak %21, %24[%1] : tile<4xi64>, partition_view<tile=(4), tensor_view<4xi64, strides=[1]>>, tile<i32> -> token
    %26 = constant <f16: [1.5, -2.0, 0.0, 3.0]> : tile<4xf16>
    %27 = assume div_by<16>, %p5 : tile<ptr<f16>>
    %28 = make_tensor_view %27, shape = [4], strides = [1] : tensor_view<4xf16, strides=[1]>
    %29 = make_partition_view %28 : partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>
    %30 = store_view_tko weak %26, %29[%1] : tile<4xf16>, partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>, tile<i32> -> token
    %31 = constant <bf16: [1.5, -2.0, 0.0, 3.0]> : tile<4xbf16>
    %32 = assume div_by<16>, %p6 : tile<ptr<bf16>>
    %33 = make_tensor_view %32, shape = [4], strides = [1] : tensor_view<4xbf16, strides=[1]>
    %34 = make_partition_view %33 : partition_view<tile=(4), tensor_view<4xbf16, strides=[1]>>
    %35 = store_view_tko weak %31, %34[%1] : tile<4xbf16>, partition_view<tile=(4), tensor_view<4xbf16, strides=[1]>>, tile<i32> -> token
    %36 = constant <f32: [1.5, -2.0, 0.1, 3.0]> : tile<4xf32>
    %37 = assume div_by<16>, %p7 : tile<ptr<f32>>
    %38 = make_tensor_view %37, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %39 = make_partition_view %38 : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %40 = store_view_tko weak %36, %39[%1] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
    %41 = constant <f64: [1.5, -2.0, 0.1, 3.0]> : tile<4xf64>
    %42 = assume div_by<16>, %p8 : tile<ptr<f64>>
    %43 = make_tensor_view %42, shape = [4], strides = [1] : tensor_view<4xf64, strides=[1]>
    %44 = make_partition_view %43 : partition_view<tile=(4), tensor_view<4xf64, strides=[1]>>
    %45 = store_view_tko weak %41, %44[%1] : tile<4xf64>, partition_view<tile=(4), tensor_view<4xf64, strides=[1]>>, tile<i32> -> token
    %46 = constant <tf32: [1.5, -2.0, 0.5, 3.0]> : tile<4xtf32>
    %47 = assume div_by<16>, %p9 : tile<ptr<tf32>>
    %48 = make_tensor_view %47, shape = [4], strides = [1] : tensor_view<4xtf32, strides=[1]>
    %49 = make_partition_view %48 : partition_view<tile=(4), tensor_view<4xtf32, strides=[1]>>
    %50 = store_view_tko weak %46, %49[%1] : tile<4xtf32>, partition_view<tile=(4), tensor_view<4xtf32, strides=[1]>>, tile<i32> -> token
    %51 = constant <f8E4M3FN: [1.5, -2.0, 0.5, 3.0]> : tile<4xf8E4M3FN>
    %52 = assume div_by<16>, %p10 : tile<ptr<f8E4M3FN>>
    %53 = make_tensor_view %52, shape = [4], strides = [1] : tensor_view<4xf8E4M3FN, strides=[1]>
    %54 = make_partition_view %53 : partition_view<tile=(4), tensor_view<4xf8E4M3FN, strides=[1]>>
    %55 = store_view_tko weak %51, %54[%1] : tile<4xf8E4M3FN>, partition_view<tile=(4), tensor_view<4xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %56 = constant <f8E5M2: [1.5, -2.0, 0.5, 3.0]> : tile<4xf8E5M2>
    %57 = assume div_by<16>, %p11 : tile<ptr<f8E5M2>>
    %58 = make_tensor_view %57, shape = [4], strides = [1] : tensor_view<4xf8E5M2, strides=[1]>
    %59 = make_partition_view %58 : partition_view<tile=(4), tensor_view<4xf8E5M2, strides=[1]>>
    %60 = store_view_tko weak %56, %59[%1] : tile<4xf8E5M2>, partition_view<tile=(4), tensor_view<4xf8E5M2, strides=[1]>>, tile<i32> -> token
    return
  }
}
