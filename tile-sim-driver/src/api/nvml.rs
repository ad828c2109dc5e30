//! The functions of `nvml.h` with which a program checks the clocks of a device. They are in a library of their own
//! from NVIDIA, `libnvidia-ml.so.1`; a program finds them in this one with `dlsym`, or under that name.

use std::ffi::{c_char, c_uint};

use crate::abi::{In, Out};
use crate::result::CUresult;
use crate::state::{self, Locked, Reply};

/// `NVML_ERROR_UNINITIALIZED`, `NVML_ERROR_INVALID_ARGUMENT` and `NVML_ERROR_NOT_FOUND`: numbers of `nvmlReturn_t`.
const UNINITIALIZED: CUresult = CUresult(1);
const INVALID_ARGUMENT: CUresult = CUresult(2);
const NOT_FOUND: CUresult = CUresult(6);

/// `NVML_CLOCK_GRAPHICS`, `NVML_CLOCK_SM` and `NVML_CLOCK_MEM`.
const GRAPHICS: c_uint = 0;
const MULTIPROCESSORS: c_uint = 1;
const MEMORY: c_uint = 2;

/// The temperature of every device in degrees Celsius.
const TEMPERATURE: c_uint = 40;

/// Returns the state, and the number of the device of a handle, which is one more.
fn device(handle: usize) -> Reply<(Locked, usize)> {
    let state = state::lock();
    if !state.is_initialized {
        return Err(UNINITIALIZED);
    }
    let index = handle.checked_sub(1).ok_or(INVALID_ARGUMENT)?;
    if index >= state.devices.len() {
        return Err(INVALID_ARGUMENT);
    }
    Ok((state, index))
}

/// Returns a clock rate in MHz.
fn clock(handle: usize, kind: c_uint) -> Reply<(c_uint, u64)> {
    let (state, index) = device(handle)?;
    let (multiprocessors, memory) = state.devices[index].model.clocks_mhz();
    let throttled = state.devices[index].throttled;
    match kind {
        GRAPHICS | MULTIPROCESSORS => Ok((multiprocessors, throttled)),
        MEMORY => Ok((memory, 0)),
        _ => Err(INVALID_ARGUMENT),
    }
}

exports! {
    /// It is of `nvml.h`.
    fn nvmlInit_v2() {
        let mut state = state::lock();
        match state.initialize() {
            Ok(()) | Err(CUresult::CUDA_ERROR_NO_DEVICE) => Ok(()),
            Err(_) => Err(UNINITIALIZED),
        }
    }

    /// It is of `nvml.h`.
    fn nvmlShutdown() {
        Ok(())
    }

    /// It is of `nvml.h`. The handle is a number.
    fn nvmlDeviceGetHandleByPciBusId_v2(text: In<c_char>, device: Out<usize>) {
        let state = state::lock();
        if !state.is_initialized {
            return Err(UNINITIALIZED);
        }
        let text = text.text().map_err(|_| INVALID_ARGUMENT)?.to_lowercase();
        let mut all = 0..state.devices.len();
        let found = all.find(|&index| super::device::bus(index) == text).ok_or(NOT_FOUND)?;
        device.set(found + 1).map_err(|_| INVALID_ARGUMENT)
    }

    /// It is of `nvml.h`. A throttled device has three quarters of its clock rate.
    fn nvmlDeviceGetClockInfo(device: usize, kind: c_uint, mhz: Out<c_uint>) {
        let (highest, throttled) = clock(device, kind)?;
        let rate = if throttled == 0 { highest } else { highest / 4 * 3 };
        mhz.set(rate).map_err(|_| INVALID_ARGUMENT)
    }

    /// It is of `nvml.h`.
    fn nvmlDeviceGetMaxClockInfo(device: usize, kind: c_uint, mhz: Out<c_uint>) {
        let (highest, _) = clock(device, kind)?;
        mhz.set(highest).map_err(|_| INVALID_ARGUMENT)
    }

    /// It is of `nvml.h`. The reasons are those of `tileSimSetThrottle`.
    fn nvmlDeviceGetCurrentClocksThrottleReasons(device: usize, reasons: Out<u64>) {
        let (state, index) = self::device(device)?;
        reasons.set(state.devices[index].throttled).map_err(|_| INVALID_ARGUMENT)
    }

    /// It is of `nvml.h`.
    fn nvmlDeviceGetTemperature(device: usize, sensor: c_uint, celsius: Out<c_uint>) {
        self::device(device)?;
        if sensor != 0 {
            return Err(INVALID_ARGUMENT);
        }
        celsius.set(TEMPERATURE).map_err(|_| INVALID_ARGUMENT)
    }
}
