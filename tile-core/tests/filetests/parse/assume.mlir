// test: parse
// The three predicates.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume bounded<0, ?>, %n : tile<i32>
    %c = assume bounded<-5, 7>, %b : tile<i32>
    %i = iota : tile<64xi32>
    %d = assume div_by<4, every 4 along 0>, %i : tile<64xi32>
    %e = assume same_elements<[1]>, %d : tile<64xi32>
    return
  }
}
