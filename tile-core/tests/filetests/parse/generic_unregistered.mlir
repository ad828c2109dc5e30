// test: parse --allow-unregistered-dialect
// Operations and types of unknown dialects are kept as they are.

cuda_tile.module @m {
  entry @k(%n: tile<i32>, %m: memref<4x?xf32, strided<[?, 1], offset: ?>>, %i: index) {
    %a = "test.op"(%n, %i) <{p = 1 : i32,   q = "x"}> ({
    ^bb0(%x: !foo.bar<"a b", [1, 2]>, %y: tile<2xi32>):
      "test.inner"(%x) : (!foo.bar<"a b", [1, 2]>) -> ()
    }, {
    }) {a = 1, b} : (tile<i32>, index) -> tensor<4x8xf32>
    %b:2 = "func.call"(%a) {callee = @f} : (tensor<4x8xf32>) -> ((i32) -> i32, vector<[4]xi8>)
    %c = addi %n, %n : tile<i32>
    %d = "func.constant"() : () -> ((i32) -> i32)
    "test.empty"() ({
    ^bb0:
    }) : () -> ()
    "test.blocks"() ({
      "test.a"() : () -> ()
    ^bb1(%z: i17):
      "test.b"(%z) : (i17) -> ()
    }) : () -> ()
  }
  "test.top"() : () -> ()
}
// output:
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %m: memref<4x?xf32, strided<[?, 1], offset: ?>>, %i: index) {
    %a = "test.op"(%n, %i) <{p = 1 : i32, q = "x"}> ({
    ^bb0(%x: !foo.bar<"a b", [1, 2]>, %y: !cuda_tile.tile<2xi32>):
      "test.inner"(%x) : (!foo.bar<"a b", [1, 2]>) -> ()
    }, {
    }) {a = 1, b} : (!cuda_tile.tile<i32>, index) -> tensor<4x8xf32>
    %b_0, %b_1 = "func.call"(%a) {callee = @f} : (tensor<4x8xf32>) -> ((i32) -> i32, vector<[4]xi8>)
    %c = addi %n, %n : tile<i32>
    %d = "func.constant"() : () -> ((i32) -> i32)
    "test.empty"() ({
    ^bb0:
    }) : () -> ()
    "test.blocks"() ({
      "test.a"() : () -> ()
    ^bb1(%z: i17):
      "test.b"(%z) : (i17) -> ()
    }) : () -> ()
    return
  }
  "test.top"() : () -> ()
}
