// test: parse --modules
// Any number of modules, in a `module` of MLIR or not; operations outside of
// any make one of their own, in the place of the first.

entry @first() {
}
cuda_tile.module @a {
  entry @k() {
  }
}
entry @second() {
}
module @wrapper attributes {foo.bar} {
  cuda_tile.module @b attributes {producer = "me"} {
  }
  builtin.module {
    cuda_tile.module @c {
    }
  }
}
module @plain attributes {producer = "p"} {
  entry @in_plain() {
  }
}
module @nothing {
}
cuda_tile.module @"any name" {
}
// output:
cuda_tile.module @kernels {
  entry @first() {
    return
  }
  entry @second() {
    return
  }
}
cuda_tile.module @a {
  entry @k() {
    return
  }
}
cuda_tile.module @b attributes {producer = "me"} {
}
cuda_tile.module @c {
}
cuda_tile.module @plain attributes {producer = "p"} {
  entry @in_plain() {
    return
  }
}
cuda_tile.module @nothing {
}
cuda_tile.module @"any name" {
}
