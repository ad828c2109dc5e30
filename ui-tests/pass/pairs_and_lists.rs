//! Pairs of types, types beside values, lists and ranges, each with its bound and its dispatch.

use tile_kernel::prelude::*;

#[tile_kernel(
    grid = out.tiles([N]),
    types((T = f32, A = f64), (T = i8, A = i32)),
    instances(N = [16, 32], NEGATE = [false, true]),
    arch("cpu")
)]
fn widen<T: Element, A: Element, const N: i32, const NEGATE: bool>(x: &Tensor<T, 1>, out: &mut Tensor<A, 1>, add: A) {
    let t = x.gather([block_id(0) * N + iota(N)]).cast::<A>();
    let t = if NEGATE { A::ZERO - t } else { t };
    out.store([block_id(0)], t + add);
}

#[tile_kernel(instances((T = u8, ROWS = 4), (T = u16, ROWS = 8)), arch("cpu"))]
fn count<T: Element, const ROWS: usize>(out: &mut Tensor<T, 1>) {
    out.store([block_id(0)], iota::<T>(ROWS) + T::ONE);
}

#[tile_kernel(grid = out.tiles([1]), instances(STEP = -2..=2), arch("cpu"))]
unsafe fn step<const STEP: i32>(out: &mut Tensor<i32, 1>, end: *mut i32) {
    out.store([block_id(0)], full([1], block_id(0) * STEP));
    if block_id(0) == 0 {
        unsafe { end.store(STEP) };
    }
}

fn all<T: WidenInstance<A, 16, true> + WidenInstance<A, 16, false>, A: Element>(x: &[T], add: A) -> tile_kernel::Result<[Vec<A>; 2]> {
    let device = Device::cpu();
    let x = Tensor::from_slice(&device, x, [x.len()])?;
    let mut out = Tensor::zeros(&device, [x.len()])?;
    widen::<T, A, 16, true>(&x, &mut out, add).launch()?;
    let negated = out.to_vec()?;
    widen::<T, A, 16, false>(&x, &mut out, add).launch()?;
    Ok([negated, out.to_vec()?])
}

fn chosen<T: Element>(x: &[T], instance: (i32, bool)) -> tile_kernel::Result<Vec<f64>> {
    let device = Device::cpu();
    let x = Tensor::from_slice(&device, x, [x.len()])?;
    let mut out = Tensor::zeros(&device, [x.len()])?;
    widen_dispatch(instance, &x, &mut out, 0.5)?.launch()?;
    out.to_vec()
}

fn steps<const STEP: i32>() -> tile_kernel::Result<Vec<i32>>
where
    Kernel: StepInstance<STEP>,
{
    let device = Device::cpu();
    let mut out = Tensor::zeros(&device, [3])?;
    let mut end = Tensor::zeros(&device, [1])?;
    // SAFETY: `end` has one element.
    unsafe { step::<STEP>(&mut out, end.as_device_mut_ptr()) }.launch()?;
    assert_eq!(end.to_vec()?, [STEP]);
    out.to_vec()
}

fn main() -> tile_kernel::Result<()> {
    assert_eq!(all::<i8, i32>(&[1, 2], 10)?, [vec![9, 8], vec![11, 12]]);
    assert_eq!(chosen::<f32>(&[1.0, 2.0], (32, true))?, [-0.5, -1.5]);
    // Neither the pair of `i8` and `f64` nor a tile of 64 is listed.
    for error in [
        chosen::<i8>(&[1], (32, true)).expect_err("no such pair"),
        chosen::<f32>(&[1.0], (64, true)).expect_err("no such tile"),
    ] {
        let text = error.to_string();
        assert!(text.contains("`(T = i8, A = i32, N = 16, NEGATE = false)`"), "{text}");
    }
    let device = Device::cpu();
    let mut bytes = Tensor::<u8, 1>::zeros(&device, [4])?;
    count_dispatch(4, &mut bytes)?.grid(1).launch()?;
    assert_eq!(bytes.to_vec()?, [1, 2, 3, 4]);
    assert!(count_dispatch(8, &mut bytes).is_err());
    assert_eq!(steps::<-2>()?, [0, -2, -4]);
    let mut out = Tensor::zeros(&device, [2])?;
    let mut end = Tensor::zeros(&device, [1])?;
    // SAFETY: `end` has one element.
    unsafe { step_dispatch(-1, &mut out, end.as_device_mut_ptr()) }?.launch()?;
    assert_eq!(out.to_vec()?, [0, -1]);
    Ok(())
}
