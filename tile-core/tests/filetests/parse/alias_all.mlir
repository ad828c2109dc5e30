// test: parse
// Aliases stand for attributes and types, also inside of others.

!tile = !cuda_tile.tile<4xi32>
!scalar = !cuda_tile.tile<i32>
!again = !scalar
#wrap = #cuda_tile.overflow<no_wrap>
#wrap2 = #wrap
#div = #cuda_tile.div_by<16>
#text = {a = 1, b = [2, 3]}
#map0 = affine_map<(d0) -> (d0)>
cuda_tile.module @m {
  entry @k(%n: !scalar, %t: !tile, %u: !again) {
    %a = addi %n, %u {overflow = #wrap2} : !scalar
    %b = "cuda_tile.addi"(%t, %t) <{overflow = #wrap}> {x = #text, y = [#map0, #foo<#wrap>], z = !tile} : (!tile, !tile) -> !tile
    %c = assume #div, %n : tile<i32>
  }
}
// output:
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %t: tile<4xi32>, %u: tile<i32>) {
    %a = addi %n, %u overflow<no_wrap> : tile<i32>
    %b = addi %t, %t overflow<no_wrap> {x = {a = 1, b = [2, 3]}, y = [affine_map<(d0) -> (d0)>, #foo<#cuda_tile.overflow<no_wrap>>], z = !cuda_tile.tile<4xi32>} : tile<4xi32>
    %c = assume div_by<16>, %n : tile<i32>
    return
  }
}
