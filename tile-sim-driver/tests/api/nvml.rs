use std::ffi::{CString, c_char, c_int, c_uint};

use libloading::Library;

use crate::gpu::{Gpu, cases};

cases! {
    refused: {}
    facts: {
        clocks_are_those_of_the_model,
        a_throttled_device_says_why,
        a_bus_without_a_device_is_not_found,
    }
}

type Number<T> = unsafe extern "C" fn(usize, *mut T) -> c_uint;
type Named<T> = unsafe extern "C" fn(usize, c_uint, *mut T) -> c_uint;

fn library() -> Library {
    unsafe { Library::new("libcuda.so.1") }.expect("it is loaded already")
}

fn function<T: Copy>(name: &str) -> T {
    let library = library();
    let function = unsafe { library.get::<T>(name) };
    *function.unwrap_or_else(|_| panic!("there is no `{name}`"))
}

fn handle(bus: &str) -> Result<usize, c_uint> {
    let init: unsafe extern "C" fn() -> c_uint = function("nvmlInit_v2");
    let find: unsafe extern "C" fn(*const c_char, *mut usize) -> c_uint =
        function("nvmlDeviceGetHandleByPciBusId_v2");
    let bus = CString::new(bus).expect("it has no zero bytes");
    let mut handle = 0;
    unsafe {
        assert_eq!(init(), 0);
        match find(bus.as_ptr(), &raw mut handle) {
            0 => Ok(handle),
            error => Err(error),
        }
    }
}

fn clock(device: usize, kind: c_uint) -> c_uint {
    let mut mhz = 0;
    let ask: Named<c_uint> = function("nvmlDeviceGetClockInfo");
    assert_eq!(unsafe { ask(device, kind, &raw mut mhz) }, 0);
    mhz
}

fn clocks_are_those_of_the_model(_gpu: &Gpu) {
    let a100 = handle("0000:03:00.0").expect("it is the third");
    assert_eq!((clock(a100, 1), clock(a100, 2)), (1410, 1593));
}

fn a_throttled_device_says_why(_gpu: &Gpu) {
    let set: unsafe extern "C" fn(c_int, u64) -> c_uint = function("tileSimSetThrottle");
    let ask: Number<u64> = function("nvmlDeviceGetCurrentClocksThrottleReasons");
    let second = handle("0000:02:00.0").expect("it is the second");
    let mut reasons = 1;
    unsafe {
        assert_eq!(ask(second, &raw mut reasons), 0);
        assert_eq!((reasons, clock(second, 1)), (0, 1980));
        assert_eq!(set(1, 0x24), 0);
        assert_eq!(ask(second, &raw mut reasons), 0);
        assert_eq!((reasons, clock(second, 1)), (0x24, 1485));
        assert_eq!(set(1, 0), 0);
        assert_ne!(set(9, 0), 0);
    }
}

fn a_bus_without_a_device_is_not_found(_gpu: &Gpu) {
    assert_eq!(handle("0000:77:00.0"), Err(6));
}
