// test: verify
// A global of the module, wherever it stands, and a pointer to its elements.

cuda_tile.module @m {
  global @g <f32: 1.0> : tile<2xf32>
  global @i <i1: true> : tile<2xi1>
  entry @e() {
    return
  }
  entry @k0() {
    %p = get_global @g : tile<ptr<f32>>
    %q = get_global @i : tile<ptr<i1>>
    return
  }
  entry @kx() {
    %p = get_global @late : tile<ptr<f32>>
    return
  }
  global @late <f32: 1.0> : tile<1xf32>
  entry @k1() {
    %p = get_global @h : tile<ptr<f32>> // error[T0302]: expected a global, found no symbol @h
    return
  }
  entry @k2() {
    %p = get_global @e : tile<ptr<f32>> // error[T0302]: expected a global, found `entry` @e
    return
  }
  entry @k3() {
    %p = get_global @k3 : tile<ptr<f32>> // error[T0302]: expected a global, found `entry` @k3
    return
  }
  entry @k4() {
    %p = get_global @g : tile<ptr<i32>> // error[T0303]: expected a pointer to `f32`, found `tile<ptr<i32>>`
    return
  }
  entry @k5() {
    %p = get_global @g : tile<2xptr<f32>> // error[T0303]: expected `result` to be a rank-0 tile of pointers, found `tile<2xptr<f32>>`
    return
  }
  entry @k6() {
    %p = get_global @g : tile<f32> // error[T0303]: expected `result` to be a rank-0 tile of pointers, found `tile<f32>`
    return
  }
}
