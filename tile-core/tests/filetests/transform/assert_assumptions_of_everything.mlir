// test: opt --passes=assert-assumptions
// Of every predicate and everything that can be assumed of: numbers, pointers, tiles of both and
// views. Nothing is assumed after it.

cuda_tile.module @m {
  entry @f(%n: tile<i32>, %p: tile<ptr<f32>>) {
    %a = assume div_by<16>, %n : tile<i32>
    %b = assume bounded<0, 100>, %a : tile<i32>
    %c = assume bounded<?, 100>, %b : tile<i32>
    %q = assume div_by<64>, %p : tile<ptr<f32>>
    %v = make_tensor_view %q, shape = [%c], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %w = assume div_by<32>, %v : tensor_view<?xf32, strides=[1]>
    %t = iota : tile<8xi32>
    %g = assume div_by<4, every 4 along 0>, %t : tile<8xi32>
    %s = assume same_elements<[2]>, %g : tile<8xi32>
    %x = make_partition_view %w : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
    %f = itof %s signed : tile<8xi32> -> tile<8xf32>
    %i = constant <i32: 0> : tile<i32>
    %k = store_view_tko weak %f, %x[%i] : tile<8xf32>, partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @f(%n: tile<i32>, %p: tile<ptr<f32>>) {
    %0 = exti %n signed : tile<i32> -> tile<i64>
    %1 = constant <i64: 15> : tile<i64>
    %2 = andi %0, %1 : tile<i64>
    %3 = constant <i64: 0> : tile<i64>
    %4 = cmpi equal %2, %3, unsigned : tile<i64> -> tile<i1>
    assert %4, "assumed divisible by 16" : tile<i1>
    %5 = exti %n signed : tile<i32> -> tile<i64>
    %6 = constant <i64: 0> : tile<i64>
    %7 = cmpi greater_than_or_equal %5, %6, signed : tile<i64> -> tile<i1>
    %8 = constant <i64: 100> : tile<i64>
    %9 = cmpi less_than_or_equal %5, %8, signed : tile<i64> -> tile<i1>
    %10 = andi %7, %9 : tile<i1>
    assert %10, "assumed between 0 and 100" : tile<i1>
    %11 = exti %n signed : tile<i32> -> tile<i64>
    %12 = constant <i64: 100> : tile<i64>
    %13 = cmpi less_than_or_equal %11, %12, signed : tile<i64> -> tile<i1>
    assert %13, "assumed between ? and 100" : tile<i1>
    %14 = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>
    %15 = constant <i64: 63> : tile<i64>
    %16 = andi %14, %15 : tile<i64>
    %17 = constant <i64: 0> : tile<i64>
    %18 = cmpi equal %16, %17, unsigned : tile<i64> -> tile<i1>
    assert %18, "assumed divisible by 64" : tile<i1>
    %v = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %19 = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>
    %20 = constant <i64: 31> : tile<i64>
    %21 = andi %19, %20 : tile<i64>
    %22 = constant <i64: 0> : tile<i64>
    %23 = cmpi equal %21, %22, unsigned : tile<i64> -> tile<i1>
    assert %23, "assumed divisible by 32" : tile<i1>
    %t = iota : tile<8xi32>
    %24 = exti %t signed : tile<8xi32> -> tile<8xi64>
    %25 = iota : tile<8xi64>
    %26 = constant <i64: 4> : tile<8xi64>
    %27 = remi %25, %26 unsigned : tile<8xi64>
    %28 = constant <i64: 1> : tile<8xi64>
    %29 = muli %27, %28 : tile<8xi64>
    %30 = reshape %29 : tile<8xi64> -> tile<8xi64>
    %31 = broadcast %30 : tile<8xi64> -> tile<8xi64>
    %32 = subi %24, %31 : tile<8xi64>
    %33 = constant <i64: 3> : tile<8xi64>
    %34 = andi %32, %33 : tile<8xi64>
    %35 = constant <i64: 0> : tile<8xi64>
    %36 = cmpi equal %34, %35, unsigned : tile<8xi64> -> tile<8xi1>
    assert %36, "assumed divisible by 4" : tile<8xi1>
    %37 = exti %t signed : tile<8xi32> -> tile<8xi64>
    %38 = reshape %37 : tile<8xi64> -> tile<1x4x2x1xi64>
    %39 = constant <i32: 0> : tile<i32>
    %40 = extract %38[%39, %39, %39, %39] : tile<1x4x2x1xi64> -> tile<1x4x1x1xi64>
    %41 = broadcast %40 : tile<1x4x1x1xi64> -> tile<1x4x2x1xi64>
    %42 = reshape %41 : tile<1x4x2x1xi64> -> tile<8xi64>
    %43 = cmpi equal %37, %42, unsigned : tile<8xi64> -> tile<8xi1>
    assert %43, "assumed blocks of one value" : tile<8xi1>
    %x = make_partition_view %v : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
    %f = itof %t signed : tile<8xi32> -> tile<8xf32>
    %i = constant <i32: 0> : tile<i32>
    %k = store_view_tko weak %f, %x[%i] : tile<8xf32>, partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
// rewrites:
//    7 assert_assumption
//    8 assert_assumption
//    9 assert_assumption
//   10 assert_assumption
//   12 assert_assumption
//   14 assert_assumption
//   15 assert_assumption
