// test: parse
// `loop.reduce` and `loop.reduce.return`: the example of the specification, tiles of any
// rank, tokens. The prefix of the dialect `loop` is always written, `cuda_tile.` never.

cuda_tile.module @m {
  entry @k(%lb: tile<i64>, %ub: tile<i64>, %step: tile<i64>) {
    %t = cuda_tile.make_token : token
    %s = constant <i32: 1> : tile<2x4xi32>
    %a, %b, %c = loop.parallel (%iv) = (%lb) to (%ub) step (%step) -> (tile<f32>, tile<2x4xi32>, token) {
      %zero = constant <f32: 0.0> : tile<f32>
      loop.reduce(%zero) {
      ^bb0(%lhs : tile<f32>, %rhs: tile<f32>):
        %res = addf %lhs, %rhs : tile<f32>
        loop.reduce.return %res : tile<f32>
      } : tile<f32>
      loop.reduce(%s) {
      ^any(%lhs: tile<2x4xi32>, %rhs: tile<2x4xi32>):
        loop.reduce.return %rhs : tile<2x4xi32>
      } : tile<2x4xi32>
      loop.reduce(%t) {
      ^bb0(%lhs: token, %rhs: token):
        %both = join_tokens %lhs, %rhs : token
        loop.reduce.return %both : token
      } : token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%lb: tile<i64>, %ub: tile<i64>, %step: tile<i64>) {
    %t = make_token : token
    %s = constant <i32: 1> : tile<2x4xi32>
    %a, %b, %c = loop.parallel (%iv) = (%lb) to (%ub) step (%step) -> (tile<f32>, tile<2x4xi32>, token) : tile<i64> {
      %zero = constant <f32: 0.000000e+00> : tile<f32>
      loop.reduce(%zero) {
      ^bb0(%lhs: tile<f32>, %rhs: tile<f32>):
        %res = addf %lhs, %rhs : tile<f32>
        loop.reduce.return %res : tile<f32>
      } : tile<f32>
      loop.reduce(%s) {
      ^bb0(%lhs: tile<2x4xi32>, %rhs: tile<2x4xi32>):
        loop.reduce.return %rhs : tile<2x4xi32>
      } : tile<2x4xi32>
      loop.reduce(%t) {
      ^bb0(%lhs: token, %rhs: token):
        %both = join_tokens %lhs, %rhs : token
        loop.reduce.return %both : token
      } : token
    }
    return
  }
}
