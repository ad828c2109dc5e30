//! A shared library with a kernel, whose tensors Python takes and whose arguments it gives: see `shared.py`.
//!
//! `cargo build --example shared` makes `target/debug/examples/libshared.so`.

use std::ptr;

use dlpark::ffi::DLManagedTensorVersioned;
use tile_kernel::prelude::*;
use tile_kernel_dlpack::{Versioned, export, import};

/// Divides the elements of each row by their sum.
#[tile_kernel(grid = y.shape()[0].div_ceil(8), arch("cpu"))]
fn normalize(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let row = block_id(0);
    let x = x.partition([8, 64]);
    let mut sum = zeros::<f32>([8]);
    for k in 0..x.num_tiles(1) {
        sum += x.load([row, k]).sum(1);
    }
    for k in 0..x.num_tiles(1) {
        y.store([row, k], x.load([row, k]) / sum.unsqueeze(1));
    }
}

/// Returns a tensor whose rows are those of `x` divided by their sums; null after an error, which is printed.
///
/// # Safety
/// `x` is a valid DLPack tensor, which this function deletes and which nothing writes meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn normalized(
    x: *mut DLManagedTensorVersioned,
) -> *mut DLManagedTensorVersioned {
    let run = || -> Result<Versioned, Box<dyn std::error::Error>> {
        // SAFETY: the caller's promise.
        let x = unsafe { import::<f32, 2, _>(Versioned::from_raw(x)?) }?;
        let mut y = Tensor::zeros(&Device::cpu(), x.shape())?;
        normalize(&x, &mut y).launch()?;
        Ok(export(y)?)
    };
    returned(run())
}

/// Divides the rows of `x` by their sums, in place. Returns 0, or 1 after an error, which is printed.
///
/// # Safety
/// As for [`normalized`], and nothing reads `x` meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn normalize_in_place(x: *mut DLManagedTensorVersioned) -> i32 {
    let run = || -> Result<(), Box<dyn std::error::Error>> {
        // SAFETY: the caller's promise.
        let mut x = unsafe { import::<f32, 2, _>(Versioned::from_raw(x)?) }?;
        let copy = x.copy()?;
        normalize(&copy, &mut x).launch()?;
        Ok(())
    };
    i32::from(complain(run()).is_none())
}

/// Returns a view of a tensor of `f32` with the strides `[1, 4]`: the transpose of three rows of four numbers.
#[unsafe(no_mangle)]
pub extern "C" fn transposed() -> *mut DLManagedTensorVersioned {
    let elements: Vec<f32> = (0..12u8).map(f32::from).collect();
    let tensor = Tensor::from_slice(&Device::cpu(), &elements, [3, 4]);
    returned(
        tensor
            .and_then(|tensor| export(tensor.t()))
            .map_err(Into::into),
    )
}

fn returned(
    result: Result<Versioned, Box<dyn std::error::Error>>,
) -> *mut DLManagedTensorVersioned {
    complain(result).map_or(ptr::null_mut(), Versioned::into_raw)
}

#[expect(
    clippy::print_stderr,
    reason = "a C function has no other way to say it"
)]
fn complain<T>(result: Result<T, Box<dyn std::error::Error>>) -> Option<T> {
    result.map_err(|error| eprintln!("{error}")).ok()
}
