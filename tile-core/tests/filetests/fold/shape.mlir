// test: opt --passes=canonicalize-full
// Moves of constants fold: splats in any size, other tiles up to 256 elements.

cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    // Fires at rank 0.
    %a = constant <i32: 5> : tile<i32>
    %r0 = reshape %a : tile<i32> -> tile<1x1xi32>
    %t0 = print_tko "r0 %i", %r0 : tile<1x1xi32> -> token
    // Fires on what was just folded; the tile is large.
    %r1 = broadcast %r0 : tile<1x1xi32> -> tile<256x256xi32>
    %t1 = print_tko "r1 %i", %r1 : tile<256x256xi32> -> token
    // Fires at rank 2.
    %m = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
    %r2 = permute %m [1, 0] : tile<2x2xi32> -> tile<2x2xi32>
    %t2 = print_tko "r2 %i", %r2 : tile<2x2xi32> -> token
    // Fires: 256 elements.
    %col = constant <i8: [[1], [2]]> : tile<2x1xi8>
    %r3 = broadcast %col : tile<2x1xi8> -> tile<2x128xi8>
    %t3 = print_tko "r3 %i", %r3 : tile<2x128xi8> -> token
    // Does not fire: 512 elements.
    %r4 = broadcast %col : tile<2x1xi8> -> tile<2x256xi8>
    %t4 = print_tko "r4 %i", %r4 : tile<2x256xi8> -> token
    // Fires: two equal splats.
    %l = constant <i8: 7> : tile<512x2xi8>
    %r5 = cat %l, %l dim = 0 : tile<512x2xi8>, tile<512x2xi8> -> tile<1024x2xi8>
    %t5 = print_tko "r5 %i", %r5 : tile<1024x2xi8> -> token
    // Fires: a slice.
    %i1 = constant <i32: 1> : tile<i32>
    %i0 = constant <i32: 0> : tile<i32>
    %r6 = extract %m[%i1, %i0] : tile<2x2xi32> -> tile<1x2xi32>
    %t6 = print_tko "r6 %i", %r6 : tile<1x2xi32> -> token
    // Does not fire: which slice is not known.
    %r7 = extract %m[%p, %i0] : tile<2x2xi32> -> tile<1x2xi32>
    %t7 = print_tko "r7 %i", %r7 : tile<1x2xi32> -> token
    // Fires: bytes, low ones first.
    %s = constant <i16: [513, 1027]> : tile<2xi16>
    %r8 = pack %s : tile<2xi16> -> tile<4xi8>
    %t8 = print_tko "r8 %i", %r8 : tile<4xi8> -> token
    // Fires: the only count.
    %r9 = iota : tile<1xi32>
    %t9 = print_tko "r9 %i", %r9 : tile<1xi32> -> token
    // Does not fire: smaller than its elements.
    %r10 = iota : tile<4xi32>
    %t10 = print_tko "r10 %i", %r10 : tile<4xi32> -> token
    // Does not fire: the operand is no constant.
    %r11 = reshape %p : tile<i32> -> tile<1xi32>
    %t11 = print_tko "r11 %i", %r11 : tile<1xi32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    %r9 = constant <i32: 0> : tile<1xi32>
    %r8 = constant <i8: [1, 2, 3, 4]> : tile<4xi8>
    %r6 = constant <i32: [[3, 4]]> : tile<1x2xi32>
    %r5 = constant <i8: 7> : tile<1024x2xi8>
    %r3 = constant <i8: "0x01010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202"> : tile<2x128xi8>
    %r2 = constant <i32: [[1, 3], [2, 4]]> : tile<2x2xi32>
    %r1 = constant <i32: 5> : tile<256x256xi32>
    %r0 = constant <i32: 5> : tile<1x1xi32>
    %i0 = constant <i32: 0> : tile<i32>
    %col = constant <i8: [[1], [2]]> : tile<2x1xi8>
    %m = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
    %t0 = print_tko "r0 %i", %r0 : tile<1x1xi32> -> token
    %t1 = print_tko "r1 %i", %r1 : tile<256x256xi32> -> token
    %t2 = print_tko "r2 %i", %r2 : tile<2x2xi32> -> token
    %t3 = print_tko "r3 %i", %r3 : tile<2x128xi8> -> token
    %r4 = broadcast %col : tile<2x1xi8> -> tile<2x256xi8>
    %t4 = print_tko "r4 %i", %r4 : tile<2x256xi8> -> token
    %t5 = print_tko "r5 %i", %r5 : tile<1024x2xi8> -> token
    %t6 = print_tko "r6 %i", %r6 : tile<1x2xi32> -> token
    %r7 = extract %m[%p, %i0] : tile<2x2xi32> -> tile<1x2xi32>
    %t7 = print_tko "r7 %i", %r7 : tile<1x2xi32> -> token
    %t8 = print_tko "r8 %i", %r8 : tile<4xi8> -> token
    %t9 = print_tko "r9 %i", %r9 : tile<1xi32> -> token
    %r10 = iota : tile<4xi32>
    %t10 = print_tko "r10 %i", %r10 : tile<4xi32> -> token
    %r11 = reshape %p : tile<i32> -> tile<1xi32>
    %t11 = print_tko "r11 %i", %r11 : tile<1xi32> -> token
    return
  }
}
// rewrites:
//    8 constant_fold
//    7 dead_code
//   11 constant_fold
//   15 constant_fold
//   19 constant_fold
//   26 constant_fold
//   25 dead_code
//   31 constant_fold
//   29 dead_code
//   38 constant_fold
//   37 dead_code
//   41 constant_fold
