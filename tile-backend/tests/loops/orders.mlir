// level: avx2
// A sum along rows has 32 partial results; one of short rows is sequential; an exact one may have any order; a scan is
// sequential.
cuda_tile.module @m {
  entry @orders(%x: tile<ptr<f32>>, %n: tile<ptr<i32>>) {
    %i = iota : tile<512xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %x2 = broadcast %x1 : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %x3 = offset %x2, %i : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %n1 = reshape %n : tile<ptr<i32>> -> tile<1xptr<i32>>
    %n2 = broadcast %n1 : tile<1xptr<i32>> -> tile<512xptr<i32>>
    %n3 = offset %n2, %i : tile<512xptr<i32>>, tile<512xi32> -> tile<512xptr<i32>>
    %v, %t = load_ptr_tko weak %x3 : tile<512xptr<f32>> -> tile<512xf32>, token
    %long = reshape %v : tile<512xf32> -> tile<8x64xf32>
    %short = reshape %v : tile<512xf32> -> tile<64x8xf32>
    %a = reduce %long dim=1 identities=[0.0 : f32] : tile<8x64xf32> -> tile<8xf32> (%p: tile<f32>, %q: tile<f32>) {
      %c = addf %p, %q : tile<f32>
      yield %c : tile<f32>
    }
    %b = reduce %short dim=1 identities=[0.0 : f32] : tile<64x8xf32> -> tile<64xf32> (%p: tile<f32>, %q: tile<f32>) {
      %c = addf %p, %q : tile<f32>
      yield %c : tile<f32>
    }
    %w, %u = load_ptr_tko weak %n3 : tile<512xptr<i32>> -> tile<512xi32>, token
    %d = reduce %w dim=0 identities=[0 : i32] : tile<512xi32> -> tile<i32> (%p: tile<i32>, %q: tile<i32>) {
      %c = addi %p, %q : tile<i32>
      yield %c : tile<i32>
    }
    %e = scan %b dim=0 reverse=false identities=[0.0 : f32] : tile<64xf32> -> tile<64xf32> (%p: tile<f32>, %q: tile<f32>) {
      %c = addf %p, %q : tile<f32>
      yield %c : tile<f32>
    }
    %d1 = reshape %d : tile<i32> -> tile<1xi32>
    %d2 = broadcast %d1 : tile<1xi32> -> tile<64xi32>
    %i64 = iota : tile<64xi32>
    %i8 = iota : tile<8xi32>
    %y1 = broadcast %x1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %y2 = offset %y1, %i64 : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %y3 = offset %y2, %d2 : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %z1 = broadcast %x1 : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %z2 = offset %z1, %i8 : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %o = store_ptr_tko weak %y3, %e : tile<64xptr<f32>>, tile<64xf32> -> token
    %g = store_ptr_tko weak %z2, %a : tile<8xptr<f32>>, tile<8xf32> -> token
    return
  }
}
// ---
// kernel @orders
//   buffer %b0: 512 x f32 at 0
//   buffer %b1: 8 x f32 at 2048
//   buffer %b2: 64 x f32 at 2112
//   buffer %b3: 512 x i32 at 2368
//   buffer %b4: 1 x i32 at 4416
//   buffer %b5: 64 x f32 at 4480
//   %v0 = word 0: i64
//   %v1 = word 2: i64
//   nest 2^9 along bits [0, 1, 2, 3, 4, 5]
//     %0 = %v0: i64
//     %1 = position [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256]: i32
//     %2 = offset(%0, %1): i64
//     %3 = gather %2 in parameter 0, mask none, padding none: f32
//     store %3 to %b0 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1
//     reduce partial %3 by addf to %b1 at [6:1 7:2 8:4] * 1
//   nest 2^9 along bits [0, 1, 2]
//     %0 = load %b0 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1, padding 0x0: f32
//     reduce partial %0 by addf to %b2 at [3:1 4:2 5:4 6:8 7:16 8:32] * 1
//     %2 = %v1: i64
//     %3 = position [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256]: i32
//     %4 = offset(%2, %3): i64
//     %5 = gather %4 in parameter 1, mask none, padding none: i32
//     store %5 to %b3 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1
//   nest 2^9 along bits [0, 1, 2, 3, 4, 5, 6, 7, 8]
//     %0 = load %b3 at [0:1 1:2 2:4 3:8 4:16 5:32 6:64 7:128 8:256] * 1, padding 0x0: i32
//     reduce any %0 by addi to %b4 at [] * 1
//   nest 2^6 along bits [0, 1, 2, 3, 4, 5]
//     %0 = load %b2 at [0:1 1:2 2:4 3:8 4:16 5:32] * 1, padding 0x0: f32
//     scan sequential %0 by addf to %b5 at [0:1 1:2 2:4 3:8 4:16 5:32] * 1
//   %v2 = element %b4: i32
//   nest 2^6
//     %0 = %v0: i64
//     %1 = position [0:1 1:2 2:4 3:8 4:16 5:32]: i32
//     %2 = offset(%0, %1): i64
//     %3 = %v2: i32
//     %4 = offset(%2, %3): i64
//     %5 = load %b5 at [0:1 1:2 2:4 3:8 4:16 5:32] * 1, padding 0x0: f32
//     scatter %5 to %4 in parameter 0, mask none
//   nest 2^3
//     %0 = %v0: i64
//     %1 = position [0:1 1:2 2:4]: i32
//     %2 = offset(%0, %1): i64
//     %3 = load %b1 at [0:1 1:2 2:4] * 1, padding 0x0: f32
//     scatter %3 to %2 in parameter 0, mask none
//   return
