// test: verify
// Registers that there are, of types that PTX has, in tiles of one shape.

cuda_tile.module @m {
  entry @k(%i: tile<i32>, %b: tile<i1>, %c: tile<i8>) {
    %t = iota : tile<8xi32>
    %a0 = ptx.inline "not.b32 {0}, {1};" (%i) : tile<i32> -> (tile<i32>)
    %a1 = ptx.inline "{{ not.b32 {0}, {1}; }}" (%t) : tile<8xi32> -> (tile<8xi32>)
    %a2 = ptx.inline "not.b32 {0}, {2};" (%i) : tile<i32> -> (tile<i32>) // error[T0302]: `{2}` names none of 2 registers
    %a3 = ptx.inline "{ not.b32 {0}, {1}; }" (%i) : tile<i32> -> (tile<i32>) // error[T0302]: a brace in "{ not.b32 {0}, {1}; }" belongs to no register
    %a4 = ptx.inline "not.b32 {0}, {1};}" (%i) : tile<i32> -> (tile<i32>) // error[T0302]: a brace in "not.b32 {0}, {1};}" belongs to no register
    %a5 = ptx.inline "not.b32 {0}, {1};" (%t) : tile<8xi32> -> (tile<i32>) // error[T0301]: operands and results differ in shape
    %a6 = ptx.inline "not.b32 {0}, {1};" (%b) : tile<i1> -> (tile<i32>) // error[T0306]: PTX has no register that holds an element of `tile<i1>`
    %h = iota : tile<8xi16>
    %f = trunci %h : tile<8xi16> -> tile<8xi8>
    %b0 = ptx.inline "add.f16x2 {0}, {1}, {1};" pack = 2 (%h) : tile<8xi16> -> (tile<8xi16>)
    %b1 = ptx.inline "mov.b32 {0}, {8}; mov.b32 {7}, {9};" pack = 8 (%f) : tile<8xi8> -> (tile<8xf32>)
    %b2 = ptx.inline "mov.b32 {0}, {10};" pack = 8 (%f) : tile<8xi8> -> (tile<8xf32>) // error[T0302]: `{10}` names none of 10 registers
    %b3 = ptx.inline "mov.b32 {0}, {1};" pack = 3 (%h) : tile<8xi16> -> (tile<8xi16>) // error[T0302]: a text cannot take so many elements at a time
    %b4 = ptx.inline "mov.b32 {0}, {1};" pack = 32 (%h) : tile<8xi16> -> (tile<8xi16>) // error[T0302]: a text cannot take so many elements at a time
    %b5 = ptx.inline "mov.b32 {0}, {8};" pack = 16 (%h) : tile<8xi16> -> (tile<8xi16>) // error[T0301]: a text that takes 16 elements at a time, and tiles of 8
    %b6 = ptx.inline "mov.b32 {0}, {1};" pack = 2 (%i) : tile<i32> -> (tile<i32>) // error[T0301]: a text that takes 2 elements at a time, and tiles of 1
    %a7 = ptx.inline "not.b32 {0}, {1};" (%c) : tile<i8> -> (tile<i32>) // error[T0306]: PTX has no register that holds an element of `tile<i8>`
    return
  }
}
