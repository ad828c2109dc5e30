// test: verify
// What pointers point to.

cuda_tile.module @m {
  entry @k(
    %a0: tile<ptr<i1>>,
    %a1: tile<ptr<i8>>,
    %a2: tile<ptr<i16>>,
    %a3: tile<ptr<i32>>,
    %a4: tile<ptr<i64>>,
    %a5: tile<ptr<f16>>,
    %a6: tile<ptr<bf16>>,
    %a7: tile<ptr<f32>>,
    %a8: tile<ptr<f64>>,
    %a9: tile<ptr<tf32>>,
    %a10: tile<ptr<f8E4M3FN>>,
    %a11: tile<ptr<f8E5M2>>,
    %a12: tile<ptr<f8E8M0FNU>>,
    %a13: tile<ptr<f4E2M1FN>>,
    %a14: tile<ptr<i4>>, // error[T0306]: a pointer cannot point to `i4`
    %a15: ptr<f32>,
    %a16: ptr<i1>,
    %a17: ptr<f4E2M1FN>,
    %a18: ptr<i4>, // error[T0306]: a pointer cannot point to `i4`
    %a19: f32,
    %a20: i1,
    %a21: i4 // error[T0306]: `i4` is allowed in tiles only
  ) {
    return
  }
}
