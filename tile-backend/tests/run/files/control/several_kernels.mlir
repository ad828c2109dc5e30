// test: run
// warps: 4
// arg: i32[128] iota
// arg: i32 = 3
// Several kernels in a module that assert and print: each has its own messages, and what they
// share in the module is shared. The first one runs.
cuda_tile.module @kernels {
  entry @first(%in: tile<ptr<i32>>, %n: tile<i32>) {
    %t = make_tensor_view %in, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %v = make_partition_view %t : partition_view<tile=(128), tensor_view<128xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %a, %k = load_view_tko weak %v[%zero] : partition_view<tile=(128), tensor_view<128xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
    %r = reshape %n : tile<i32> -> tile<1xi32>
    %b = broadcast %r : tile<1xi32> -> tile<128xi32>
    %c = cmpi not_equal %a, %b, signed : tile<128xi32> -> tile<128xi1>
    %p = print_tko "first %d\0A", %a : tile<128xi32> -> token
    assert %c, "first" : tile<128xi1>
    return
  }
  entry @second(%in: tile<ptr<i32>>, %n: tile<i32>) {
    %one = constant <i32: 1> : tile<128xi32>
    %i = iota : tile<128xi32>
    %c = cmpi not_equal %i, %one, signed : tile<128xi32> -> tile<128xi1>
    %p = print_tko "second %d\0A", %i : tile<128xi32> -> token
    assert %c, "other" : tile<128xi1>
    %zero = constant <i32: 0> : tile<i32>
    %d = cmpi equal %n, %zero, signed : tile<i32> -> tile<i1>
    assert %d, "third" : tile<i1>
    return
  }
}
