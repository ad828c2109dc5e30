//! Programmatic dependent launch as an option of a launch.

use std::env;
use std::ffi::{CStr, c_char, c_int, c_uint};
use std::sync::{Mutex, PoisonError};

use tile_kernel::prelude::*;
use tile_kernel::{Error, Graph, Result};

use crate::cases::{Case, axpy};

/// Computes `x = x * 2 + y`, on a GPU from `sm_90` on. No other test has a kernel that is launched with attributes.
#[tile_kernel(grid = x.tiles([64]), programmatic_launch, arch("sm_90"))]
fn early(x: &mut Tensor<f32, 1>, y: &Tensor<f32, 1>) {
    let i = block_id(0);
    x.store([i], x.load([i], [64]) * 2.0 + y.load([i], [64]));
}

/// Held by a case while it launches [`early`]: the call of the driver that is made to fail is the next one of any thread.
static LAUNCHES_EARLY: Mutex<()> = Mutex::new(());

/// All cases, by name.
pub(crate) const ALL: &[(&str, Case)] = &[
    (
        "a_launch_may_start_early_or_not",
        a_launch_may_start_early_or_not,
    ),
    (
        "a_kernel_that_cannot_start_early_is_refused",
        a_kernel_that_cannot_start_early_is_refused,
    ),
    (
        "the_driver_is_told_which_launch_may_start_early",
        the_driver_is_told_which_launch_may_start_early,
    ),
];

fn a_launch_may_start_early_or_not(device: Device) -> Result<()> {
    let _alone = LAUNCHES_EARLY
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let stream = Stream::new(&device)?;
    let y = Tensor::full(&device, [300], 1.0)?;
    let mut x = Tensor::zeros(&device, [300])?;
    match early(&mut x, &y).on(&stream).launch() {
        Err(Error::NoDeviceCode { .. }) => return Ok(()),
        launched => launched?,
    }
    early(&mut x, &y).programmatic(false).on(&stream).launch()?;
    early(&mut x, &y).programmatic(true).on(&stream).launch()?;
    assert_eq!(x.to_vec()?, [7.0; 300]);
    let graph = Graph::capture(&stream, || {
        early(&mut x, &y).launch()?;
        early(&mut x, &y).programmatic(false).launch()?;
        early(&mut x, &y).programmatic(true).launch()
    })?;
    graph.instantiate()?.launch(&stream)?;
    assert_eq!(x.to_vec()?, [63.0; 300]);
    Ok(())
}

fn a_kernel_that_cannot_start_early_is_refused(device: Device) -> Result<()> {
    let y = Tensor::full(&device, [100], 1.0)?;
    let mut x = Tensor::zeros(&device, [100])?;
    let refused = axpy(&mut x, &y, 1.0).programmatic(true).launch();
    assert_eq!(refused, Err(Error::NotProgrammatic { kernel: "axpy" }));
    axpy(&mut x, &y, 1.0).programmatic(false).launch()?;
    assert_eq!(x.to_vec()?, [1.0; 100]);
    Ok(())
}

/// Lets the next call of a function of the simulated driver fail. Returns `false` on other devices.
fn fail_next(device: Device, function: &CStr) -> bool {
    type FailNext = unsafe extern "C" fn(*const c_char, c_int, c_uint) -> c_int;
    const NOT_SUPPORTED: c_int = 801;
    let Some(path) = env::var_os("TILE_SIM_DRIVER").filter(|_| device.is_cuda()) else {
        return false;
    };
    // SAFETY: the library is loaded already, and has no initializers.
    let library = unsafe { libloading::Library::new(path) }.expect("the simulated driver");
    // SAFETY: the function has this type; the name is read during the call.
    let result = unsafe {
        let fail = library.get::<FailNext>(b"tileSimFailNext\0");
        fail.expect("a function of the simulated driver")(function.as_ptr(), NOT_SUPPORTED, 1)
    };
    result == 0
}

/// A launch with attributes is another function of the driver, which is made to fail.
fn the_driver_is_told_which_launch_may_start_early(device: Device) -> Result<()> {
    let _alone = LAUNCHES_EARLY
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let stream = Stream::new(&device)?;
    let y = Tensor::full(&device, [100], 1.0)?;
    let mut x = Tensor::zeros(&device, [100])?;
    if !fail_next(device, c"cuLaunchKernelEx") {
        return Ok(());
    }
    early(&mut x, &y).programmatic(false).launch()?;
    let late = Graph::capture(&stream, || early(&mut x, &y).programmatic(false).launch())?;
    late.instantiate()?.launch(&stream)?;
    let told = early(&mut x, &y).launch();
    assert!(matches!(told, Err(Error::Driver { .. })), "{told:?}");
    assert!(fail_next(device, c"cuLaunchKernelEx"));
    let graph = Graph::capture(&stream, || early(&mut x, &y).launch())?;
    let told = graph.instantiate();
    assert!(matches!(told, Err(Error::Driver { .. })), "{told:?}");
    assert_eq!(x.to_vec()?, [3.0; 100]);
    Ok(())
}
