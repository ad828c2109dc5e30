// test: verify
// Registers that there are, of types that PTX has, in tiles of one shape.

cuda_tile.module @m {
  entry @k(%i: tile<i32>, %b: tile<i1>, %c: tile<i8>) {
    %t = iota : tile<8xi32>
    %a0 = ptx.inline_pure "not.b32 {0}, {1};" (%i) : tile<i32> -> (tile<i32>)
    %a1 = ptx.inline_pure "{{ not.b32 {0}, {1}; }}" (%t) : tile<8xi32> -> (tile<8xi32>)
    %a2 = ptx.inline_pure "not.b32 {0}, {2};" (%i) : tile<i32> -> (tile<i32>) // error[T0302]: `{2}` names none of 2 registers
    %a3 = ptx.inline_pure "{ not.b32 {0}, {1}; }" (%i) : tile<i32> -> (tile<i32>) // error[T0302]: a brace in "{ not.b32 {0}, {1}; }" belongs to no register
    %a4 = ptx.inline_pure "not.b32 {0}, {1};}" (%i) : tile<i32> -> (tile<i32>) // error[T0302]: a brace in "not.b32 {0}, {1};}" belongs to no register
    %a5 = ptx.inline_pure "not.b32 {0}, {1};" (%t) : tile<8xi32> -> (tile<i32>) // error[T0301]: operands and results differ in shape
    %a6 = ptx.inline_pure "not.b32 {0}, {1};" (%b) : tile<i1> -> (tile<i32>) // error[T0306]: PTX has no register that holds an element of `tile<i1>`
    %a7 = ptx.inline_pure "not.b32 {0}, {1};" (%c) : tile<i8> -> (tile<i32>) // error[T0306]: PTX has no register that holds an element of `tile<i8>`
    return
  }
}
