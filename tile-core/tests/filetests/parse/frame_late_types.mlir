// test: parse
// A type that follows from an operand is known even if that is defined further
// down, unless it follows from itself.

cuda_tile.module @m {
  entry @k() {
    %a = memory_fence_alias_tko %b
    %b = make_token : token
  }
  entry @l() {
    %c = memory_fence_alias_tko %c // error[T0103]: the type of the result of `memory_fence_alias_tko` is not known
  }
}
