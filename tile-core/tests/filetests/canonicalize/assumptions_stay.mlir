// test: opt --passes=canonicalize-full
// A promise is kept, with what it speaks of.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %a = addi %n, %n : tile<i32>
    %b = assume div_by<4>, %a : tile<i32>
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %a = addi %n, %n : tile<i32>
    %b = assume div_by<4>, %a : tile<i32>
    return
  }
}
// rewrites:
