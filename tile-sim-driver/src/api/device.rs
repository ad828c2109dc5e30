//! Initialization, errors, devices.

use std::ffi::{c_char, c_int, c_uint};

use crate::abi::{CUdevice, CUdevprop, CUuuid, In, Out};
use crate::result::CUresult;
use crate::state::{self, Reply};

/// The version of CUDA that the driver is for: 13.0.
const VERSION: c_int = 13_000;

pub(super) fn write_text(to: Out<c_char>, length: c_int, text: &str) -> Reply {
    let length = usize::try_from(length).ok().filter(|&length| length > 0);
    let length = length.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
    let mut bytes: Vec<c_char> = text.bytes().take(length - 1).map(u8::cast_signed).collect();
    bytes.push(0);
    to.set_all(&bytes)
}

/// The bus of a device: each has its own.
pub(super) fn bus(device: usize) -> String {
    format!("0000:{:02x}:00.0", device + 1)
}

api! {
    fn cuInit(flags: c_uint) {
        if flags != 0 {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        state::lock().initialize()
    }

    fn cuDriverGetVersion(version: Out<c_int>) {
        version.set(VERSION)
    }

    fn cuGetErrorName(error: CUresult, text: Out<*const c_char>) {
        let Some(name) = error.name() else {
            text.put(std::ptr::null());
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        };
        text.set(name.as_ptr().cast())
    }

    fn cuGetErrorString(error: CUresult, text: Out<*const c_char>) {
        let Some(description) = error.description() else {
            text.put(std::ptr::null());
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        };
        text.set(description.as_ptr().cast())
    }

    fn cuDeviceGet(device: Out<CUdevice>, ordinal: c_int) {
        let state = state::initialized()?;
        let index = state.device(ordinal)?;
        device.set(c_int::try_from(index).unwrap_or(0))
    }

    fn cuDeviceGetCount(count: Out<c_int>) {
        let state = state::initialized()?;
        count.set(c_int::try_from(state.devices.len()).unwrap_or(0))
    }

    fn cuDeviceGetName(name: Out<c_char>, length: c_int, device: CUdevice) {
        let state = state::initialized()?;
        let device = state.device(device)?;
        write_text(name, length, state.devices[device].model.name)
    }

    fn cuDeviceGetUuid_v2[11_040](uuid: Out<CUuuid>, device: CUdevice) {
        let state = state::initialized()?;
        let device = state.device(device)?;
        uuid.set(identity(device))
    }

    fn cuDeviceTotalMem_v2[3020](bytes: Out<usize>, device: CUdevice) {
        let state = state::initialized()?;
        let device = state.device(device)?;
        bytes.set(usize::try_from(state.devices[device].model.memory).unwrap_or(usize::MAX))
    }

    fn cuDeviceGetAttribute(value: Out<c_int>, attribute: c_uint, device: CUdevice) {
        let state = state::initialized()?;
        let index = state.device(device)?;
        let found = state.devices[index].model.attribute(attribute, device);
        value.set(found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?)
    }

    fn cuDeviceComputeCapability(major: Out<c_int>, minor: Out<c_int>, device: CUdevice) {
        let state = state::initialized()?;
        let device = state.device(device)?;
        let capability = state.devices[device].model.capability;
        major.set(capability.0)?;
        minor.set(capability.1)
    }

    fn cuDeviceGetProperties(properties: Out<CUdevprop>, device: CUdevice) {
        let state = state::initialized()?;
        let index = state.device(device)?;
        let model = state.devices[index].model;
        let value = |attribute| model.attribute(attribute, device).unwrap_or(0);
        properties.set(CUdevprop {
            maxThreadsPerBlock: value(1),
            maxThreadsDim: [value(2), value(3), value(4)],
            maxGridSize: [value(5), value(6), value(7)],
            sharedMemPerBlock: value(8),
            totalConstantMemory: value(9),
            SIMDWidth: value(10),
            memPitch: value(11),
            regsPerBlock: value(12),
            clockRate: value(13),
            textureAlign: value(14),
        })
    }

    fn cuDeviceGetPCIBusId(text: Out<c_char>, length: c_int, device: CUdevice) {
        let state = state::initialized()?;
        let device = state.device(device)?;
        write_text(text, length, &bus(device))
    }

    fn cuDeviceGetByPCIBusId(device: Out<CUdevice>, text: In<c_char>) {
        let state = state::initialized()?;
        let text = text.text()?.to_lowercase();
        let mut all = 0..state.devices.len();
        let found = all.find(|&index| bus(index) == text || bus(index)[5..] == text);
        let found = found.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        device.set(c_int::try_from(found).unwrap_or(0))
    }

    fn cuDeviceCanAccessPeer(can: Out<c_int>, device: CUdevice, peer: CUdevice) {
        let state = state::initialized()?;
        let (device, peer) = (state.device(device)?, state.device(peer)?);
        can.set(c_int::from(device != peer))
    }

    fn cuDeviceGetP2PAttribute(value: Out<c_int>, attribute: c_uint, from: CUdevice, to: CUdevice) {
        let state = state::initialized()?;
        let (from, to) = (state.device(from)?, state.device(to)?);
        if from == to {
            return Err(CUresult::CUDA_ERROR_INVALID_DEVICE);
        }
        match attribute {
            // PERFORMANCE_RANK
            1 => value.set(0),
            // ACCESS_SUPPORTED, NATIVE_ATOMIC_SUPPORTED
            2 | 3 => value.set(1),
            // CUDA_ARRAY_ACCESS_SUPPORTED
            4 => value.set(0),
            _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        }
    }
}

pub(super) fn identity(device: usize) -> CUuuid {
    let mut bytes = [0; 16];
    for (byte, letter) in bytes.iter_mut().zip(*b"tile-sim-driver") {
        *byte = letter.cast_signed();
    }
    bytes[15] = i8::try_from(device).unwrap_or(0);
    CUuuid { bytes }
}
