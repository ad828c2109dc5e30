//! Launches on a stream of another library while that library captures it.

use std::env;
use std::ffi::{c_int, c_uint, c_ulonglong, c_void};
use std::ptr;

use libloading::Library;
use tile_kernel::prelude::*;
use tile_kernel::{Result, foreign};

use crate::cases::{Case, axpy};

/// All cases, by name.
pub(crate) const ALL: &[(&str, Case)] = &[(
    "launches_are_captured_by_another_library",
    launches_are_captured_by_another_library,
)];

type Handle = *mut c_void;

/// What another library does with the driver.
struct Driver(Library);

impl Driver {
    fn load() -> Driver {
        let path = env::var_os("TILE_SIM_DRIVER").unwrap_or_else(|| "libcuda.so.1".into());
        // SAFETY: the library is loaded already, and has no initializers.
        Driver(unsafe { Library::new(path) }.expect("the driver"))
    }

    /// Returns a function of the driver.
    ///
    /// # Safety
    /// It has this type.
    unsafe fn function<F: Copy>(&self, name: &str) -> F {
        // SAFETY: the caller's promise.
        *unsafe { self.0.get::<F>(name.as_bytes()) }.expect("a function of the driver")
    }
}

fn check(result: c_int) {
    assert_eq!(result, 0, "a call of the driver");
}

/// A graph of another library.
struct Captured {
    driver: Driver,
    stream: Handle,
    graph: Handle,
}

impl Captured {
    /// Captures what is launched on a new stream, which the work takes as often as it launches.
    fn new(
        device: Device,
        work: impl FnOnce(&dyn Fn() -> Result<foreign::Stream<'static>>) -> Result<()>,
    ) -> Result<Captured> {
        let driver = Driver::load();
        let (mut stream, mut captured, mut graph) =
            (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: the functions have these types; the context of the device is current, since this thread launched.
        unsafe {
            let create: unsafe extern "C" fn(*mut Handle, c_uint) -> c_int =
                driver.function("cuStreamCreate");
            let begin: unsafe extern "C" fn(Handle, c_uint) -> c_int =
                driver.function("cuStreamBeginCapture_v2");
            check(create(&raw mut stream, 1));
            check(begin(stream, 1));
        }
        // SAFETY: the stream lives to the end of the program.
        work(&|| unsafe { foreign::Stream::from_raw(&device, stream) })?;
        // SAFETY: as above.
        unsafe {
            let end: unsafe extern "C" fn(Handle, *mut Handle) -> c_int =
                driver.function("cuStreamEndCapture");
            let instantiate: unsafe extern "C" fn(*mut Handle, Handle, c_ulonglong) -> c_int =
                driver.function("cuGraphInstantiateWithFlags");
            check(end(stream, &raw mut captured));
            check(instantiate(&raw mut graph, captured, 0));
        }
        Ok(Captured {
            driver,
            stream,
            graph,
        })
    }

    /// Launches the graph, and waits for it.
    fn run(&self) {
        // SAFETY: as above.
        unsafe {
            let launch: unsafe extern "C" fn(Handle, Handle) -> c_int =
                self.driver.function("cuGraphLaunch");
            let wait: unsafe extern "C" fn(Handle) -> c_int =
                self.driver.function("cuStreamSynchronize");
            check(launch(self.graph, self.stream));
            check(wait(self.stream));
        }
    }
}

fn launches_are_captured_by_another_library(device: Device) -> Result<()> {
    if !device.is_cuda() {
        return Ok(());
    }
    let y = Tensor::full(&device, [100], 1.0)?;
    let mut x = Tensor::zeros(&device, [100])?;
    // What a capture uses has to be finished before: a stream that is captured waits for no other.
    axpy(&mut x, &y, 1.0).launch()?;
    device.synchronize()?;
    assert_eq!((x.to_vec()?, y.to_vec()?), (vec![1.0; 100], vec![1.0; 100]));
    let graph = Captured::new(device, |stream| {
        axpy(&mut x, &y, 2.0).on(&stream()?).launch()?;
        // Nothing has run, and the tensors are used as before, without becoming a part of the capture.
        assert_eq!(x.to_vec()?, [1.0; 100]);
        axpy(&mut x, &y, 2.0).on(&stream()?).launch()
    })?;
    assert_eq!(x.to_vec()?, [1.0; 100]);
    let other = Stream::new(&device)?;
    axpy(&mut x, &y, 3.0).on(&other).launch()?;
    assert_eq!(x.to_vec()?, [4.0; 100]);
    other.synchronize()?;
    graph.run();
    assert_eq!(x.to_vec()?, [19.0; 100]);
    Ok(())
}
