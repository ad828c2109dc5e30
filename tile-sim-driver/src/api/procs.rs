//! The addresses of functions.

use std::ffi::{c_char, c_int, c_uint, c_void};

use crate::abi::{In, Out};
use crate::result::CUresult;

/// `CUdriverProcAddressQueryResult`.
const FOUND: c_uint = 0;
const NOT_FOUND: c_uint = 1;
const VERSION_NOT_SUFFICIENT: c_uint = 2;

/// The flags of `cuGetProcAddress`: default streams are those of threads.
const PER_THREAD: u64 = 2;

pub(super) fn proc_address(
    symbol: In<c_char>,
    function: Out<*mut c_void>,
    version: c_int,
    flags: u64,
    status: Out<c_uint>,
) -> Result<(), CUresult> {
    let name = symbol.text()?;
    if flags > PER_THREAD || function.is_null() {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let found = super::find(&name, version);
    if let Some(found) = found {
        status.put(FOUND);
        let variant = found.per_thread.filter(|_| flags == PER_THREAD);
        let address = variant.unwrap_or(found.address)();
        return function.set(std::ptr::with_exposed_provenance_mut(address));
    }
    function.set(std::ptr::null_mut())?;
    let is_newer = super::find(&name, c_int::MAX).is_some();
    status.put(if is_newer {
        VERSION_NOT_SUFFICIENT
    } else {
        NOT_FOUND
    });
    Err(CUresult::CUDA_ERROR_NOT_FOUND)
}

api! {
    fn cuGetProcAddress_v2[12_000](symbol: In<c_char>, function: Out<*mut c_void>, version: c_int, flags: u64, status: Out<c_uint>) {
        match proc_address(symbol, function, version, flags, status) {
            // The status says it.
            Err(CUresult::CUDA_ERROR_NOT_FOUND) if !status.is_null() => Ok(()),
            result => result,
        }
    }
}
