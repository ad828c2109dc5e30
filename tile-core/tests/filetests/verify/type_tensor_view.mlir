// test: verify
// Elements, ranks and static entries of tensors.

cuda_tile.module @m {
  entry @k(
    %a0: tensor_view<4xi1, strides=[1]>,
    %a1: tensor_view<4xi8, strides=[1]>,
    %a2: tensor_view<4xi16, strides=[1]>,
    %a3: tensor_view<4xi32, strides=[1]>,
    %a4: tensor_view<4xi64, strides=[1]>,
    %a5: tensor_view<4xf16, strides=[1]>,
    %a6: tensor_view<4xbf16, strides=[1]>,
    %a7: tensor_view<4xf32, strides=[1]>,
    %a8: tensor_view<4xf64, strides=[1]>,
    %a9: tensor_view<4xtf32, strides=[1]>,
    %a10: tensor_view<4xf8E4M3FN, strides=[1]>,
    %a11: tensor_view<4xf8E5M2, strides=[1]>,
    %a12: tensor_view<4xf8E8M0FNU, strides=[1]>,
    %a13: tensor_view<4xf4E2M1FN, strides=[1]>,
    %a14: tensor_view<4xi4, strides=[1]>, // error[T0306]: a tensor cannot hold `i4`
    %a15: tensor_view<f32>,
    %a16: tensor_view<?x3xf32, strides=[?,1]>,
    %a17: tensor_view<1xf32, strides=[1]>,
    %a18: tensor_view<9223372036854775807xf32, strides=[9223372036854775807]>,
    %a19: tensor_view<4x4xf32, strides=[1,1]>,
    %a20: tensor_view<0xf32, strides=[1]>, // error[T0306]: static dimensions must be positive
    %a21: tensor_view<4xf32, strides=[0]>, // error[T0306]: static strides must be positive
    %a22: tensor_view<4xf32, strides=[-1]>, // error[T0306]: static strides must be positive
    %a23: tensor_view<4x0xf32, strides=[4,1]>, // error[T0306]: static dimensions must be positive
    %a24: tensor_view<4x4xf32, strides=[1]>, // error[T0306]: expected strides and shape to have the same rank, got 1 and 2
    %a25: tensor_view<4xf32, strides=[4,1]>, // error[T0306]: expected strides and shape to have the same rank, got 2 and 1
    %a26: tensor_view<4xi4, strides=[0]> // error[T0306]: a tensor cannot hold `i4`
  ) {
    return
  }
}
