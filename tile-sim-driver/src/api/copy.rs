//! Copies and fills.
//!
//! - Memory of the program that is not pinned is staged: its bytes are copied before the call returns, and a copy
//!   to it has ended when the call returns.
//! - Copies between devices and fills of device memory do not wait, even where the call has no `Async`.

use std::ffi::{c_uint, c_void};
use std::sync::Arc;

use crate::abi::{
    CUDA_MEMCPY2D, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUarray, CUcontext, CUdeviceptr,
    CUstream, In, Out,
};
use crate::because;
use crate::graph::Kind;
use crate::queue::Start;
use crate::result::CUresult;
use crate::state::{self, Reply, State};
use crate::work::{Copy, End, Fill, Shape, Work};

/// What an address has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    /// Memory of a device, or of the host that kernels can access.
    Device,
    /// Memory of the program.
    Host,
    /// Either.
    Unified,
}

/// One side of a copy as the caller names it.
#[derive(Clone, Copy, Debug)]
struct Side {
    space: Space,
    address: u64,
}

fn device(address: u64) -> Side {
    Side {
        space: Space::Device,
        address,
    }
}

fn host(address: usize) -> Side {
    Side {
        space: Space::Host,
        address: address as u64,
    }
}

fn unified(address: u64) -> Side {
    Side {
        space: Space::Unified,
        address,
    }
}

/// When the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Return {
    AtOnce(CUstream),
    /// When the copy has ended, unless it is between devices.
    AtEnd,
}

/// Returns the bytes from the first to the last byte of one side.
fn extent(shape: Shape, pitch: usize, slice: usize) -> Option<usize> {
    let rows = pitch.checked_mul(shape.height - 1)?;
    let slices = slice.checked_mul(shape.depth - 1)?;
    rows.checked_add(slices)?.checked_add(shape.width)
}

impl State {
    fn end(&self, side: Side, bytes: usize) -> Reply<End> {
        let found = self.memory.at(side.address);
        let Some(allocation) = found else {
            return match side.space {
                Space::Device => Err(because(
                    CUresult::CUDA_ERROR_INVALID_VALUE,
                    self.memory.is_nothing(side.address),
                )),
                Space::Host | Space::Unified if side.address == 0 => Err(because(
                    CUresult::CUDA_ERROR_INVALID_VALUE,
                    "the address of the host is null".to_owned(),
                )),
                Space::Host | Space::Unified if self.memory.around(side.address).is_some() => {
                    Err(because(
                        CUresult::CUDA_ERROR_INVALID_VALUE,
                        self.memory.is_nothing(side.address),
                    ))
                }
                Space::Host | Space::Unified => {
                    Ok(End::Host(usize::try_from(side.address).unwrap_or(0)))
                }
            };
        };
        if self.memory.range(side.address, bytes as u64).is_none() {
            let (offset, all) = (side.address - allocation.base(), allocation.bytes);
            let reason = format!(
                "{bytes} bytes from byte {offset} on are beyond an allocation of {all} bytes"
            );
            return Err(because(CUresult::CUDA_ERROR_INVALID_VALUE, reason));
        }
        let offset = usize::try_from(side.address - allocation.base()).unwrap_or(0);
        Ok(End::Memory(Arc::clone(allocation), offset))
    }
}

fn is_pageable(end: &End) -> bool {
    matches!(end, End::Host(_))
}

fn is_of_device(end: &End) -> bool {
    matches!(end, End::Memory(allocation, _) if !allocation.is_host())
}

fn copy(name: &str, to: Side, from: Side, shape: Shape, returns: Return) -> Reply {
    state::not_in_callback()?;
    let mut state = state::initialized()?;
    let stream = match returns {
        Return::AtOnce(stream) => state.stream(stream)?,
        Return::AtEnd => {
            state.current()?;
            state.stream(CUstream::NULL)?
        }
    };
    if shape.is_empty() {
        return Ok(());
    }
    let to_bytes = extent(shape, shape.to_pitch, shape.to_slice);
    let from_bytes = extent(shape, shape.from_pitch, shape.from_slice);
    let (Some(to_bytes), Some(from_bytes)) = (to_bytes, from_bytes) else {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    };
    let (given_to, given_from) = (to, from);
    let to = state.end(to, to_bytes)?;
    let mut from = state.end(from, from_bytes)?;
    if returns == Return::AtEnd {
        state.capture_forbids(None)?;
    }
    let context = state.streams.get(stream)?.context;
    let is_capturing = state.is_capturing(stream);
    let waits = match returns {
        Return::AtOnce(_) => is_pageable(&to) && !is_capturing,
        Return::AtEnd => !(is_of_device(&to) && is_of_device(&from)),
    };
    if let End::Host(address) = from
        && !is_capturing
    {
        let start = std::ptr::with_exposed_provenance::<u8>(address);
        // SAFETY: the caller promised that the range may be read.
        let bytes = unsafe { std::slice::from_raw_parts(start, from_bytes) };
        from = End::Staged(bytes.into());
    }

    let copy = Copy { to, from, shape };
    let work = Work::Copy(copy.clone());
    let node = || node(given_to, given_from, copy);
    let op = state.enqueue(
        stream,
        &format!("`{name}`"),
        work,
        Start::AfterPrevious,
        node,
    )?;
    if let Some(op) = op.filter(|_| waits) {
        let state = state.wait_for(&op);
        state.working(context)?;
    }
    Ok(())
}

/// Returns the node of a graph for a copy.
fn node(to: Side, from: Side, copy: Copy) -> Kind {
    let shape = copy.shape;
    let kind = |side: Side| match side.space {
        Space::Host => 1,
        Space::Device => 2,
        Space::Unified => 4,
    };
    let pointer = |side: Side| super::memory::pointer_of(side.address);
    let params = CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: kind(from),
        srcHost: pointer(from).cast_const(),
        srcDevice: from.address,
        srcArray: CUarray::NULL,
        reserved0: std::ptr::null_mut(),
        srcPitch: shape.from_pitch,
        srcHeight: shape.from_slice / shape.from_pitch.max(1),
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: kind(to),
        dstHost: pointer(to),
        dstDevice: to.address,
        dstArray: CUarray::NULL,
        reserved1: std::ptr::null_mut(),
        dstPitch: shape.to_pitch,
        dstHeight: shape.to_slice / shape.to_pitch.max(1),
        WidthInBytes: shape.width,
        Height: shape.height,
        Depth: shape.depth,
    };
    Kind::Copy(Box::new(params), copy)
}

fn copy_1d(name: &str, to: Side, from: Side, bytes: usize, returns: Return) -> Reply {
    copy(name, to, from, Shape::linear(bytes), returns)
}

/// Returns one side of a copy with rows, from the fields of its structure.
fn side(
    kind: c_uint,
    host_pointer: usize,
    address: CUdeviceptr,
    offset: Option<usize>,
) -> Reply<Side> {
    let offset = offset.ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)? as u64;
    match kind {
        1 => Ok(host(
            host_pointer.wrapping_add(usize::try_from(offset).unwrap_or(0)),
        )),
        2 => Ok(device(address.wrapping_add(offset))),
        4 => Ok(unified(address.wrapping_add(offset))),
        // Arrays, of which there are none.
        3 => Err(CUresult::CUDA_ERROR_INVALID_HANDLE),
        _ => Err(CUresult::CUDA_ERROR_INVALID_VALUE),
    }
}

/// Returns the sides and the shape of a copy of three dimensions.
fn sides_3d(params: &CUDA_MEMCPY3D) -> Reply<(Side, Side, Shape)> {
    let pitch = |pitch: usize, x: usize| {
        let row = params.WidthInBytes.checked_add(x);
        match pitch {
            0 if params.Height <= 1 && params.Depth <= 1 => row,
            pitch if Some(pitch) < row => None,
            pitch => Some(pitch),
        }
        .ok_or_else(|| {
            let row = row.unwrap_or(usize::MAX);
            let reason = format!("a pitch of {pitch} bytes is less than a row of {row}");
            because(CUresult::CUDA_ERROR_INVALID_VALUE, reason)
        })
    };
    let to_pitch = pitch(params.dstPitch, params.dstXInBytes)?;
    let from_pitch = pitch(params.srcPitch, params.srcXInBytes)?;
    let rows = |height: usize, y: usize| {
        let least = params.Height.checked_add(y);
        match height {
            0 if params.Depth <= 1 => least,
            height if Some(height) < least => None,
            height => Some(height),
        }
        .ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
    };
    let slice = |pitch: usize, rows: usize| {
        pitch
            .checked_mul(rows)
            .ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
    };
    let to_slice = slice(to_pitch, rows(params.dstHeight, params.dstY)?)?;
    let from_slice = slice(from_pitch, rows(params.srcHeight, params.srcY)?)?;
    let offset = |x: usize, y: usize, z: usize, pitch: usize, slice: usize| {
        let rows = y.checked_mul(pitch)?;
        let slices = z.checked_mul(slice)?;
        x.checked_add(rows)?.checked_add(slices)
    };
    let to = side(
        params.dstMemoryType,
        params.dstHost.expose_provenance(),
        params.dstDevice,
        offset(
            params.dstXInBytes,
            params.dstY,
            params.dstZ,
            to_pitch,
            to_slice,
        ),
    )?;
    let from = side(
        params.srcMemoryType,
        params.srcHost.expose_provenance(),
        params.srcDevice,
        offset(
            params.srcXInBytes,
            params.srcY,
            params.srcZ,
            from_pitch,
            from_slice,
        ),
    )?;
    let shape = Shape {
        width: params.WidthInBytes,
        height: params.Height,
        depth: params.Depth,
        to_pitch,
        to_slice,
        from_pitch,
        from_slice,
    };
    Ok((to, from, shape))
}

/// Returns a copy of two dimensions as one of three.
fn as_3d(params: &CUDA_MEMCPY2D) -> CUDA_MEMCPY3D {
    let &CUDA_MEMCPY2D {
        srcXInBytes,
        srcY,
        srcMemoryType,
        srcHost,
        srcDevice,
        srcArray,
        srcPitch,
        dstXInBytes,
        dstY,
        dstMemoryType,
        dstHost,
        dstDevice,
        dstArray,
        dstPitch,
        WidthInBytes,
        Height,
    } = params;
    CUDA_MEMCPY3D {
        srcXInBytes,
        srcY,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType,
        srcHost,
        srcDevice,
        srcArray,
        reserved0: std::ptr::null_mut(),
        srcPitch,
        srcHeight: 0,
        dstXInBytes,
        dstY,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType,
        dstHost,
        dstDevice,
        dstArray,
        reserved1: std::ptr::null_mut(),
        dstPitch,
        dstHeight: 0,
        WidthInBytes,
        Height,
        Depth: 1,
    }
}

fn copy_3d(name: &str, params: &CUDA_MEMCPY3D, returns: Return) -> Reply {
    if params.srcLOD != 0
        || params.dstLOD != 0
        || !params.reserved0.is_null()
        || !params.reserved1.is_null()
    {
        return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    }
    let (to, from, shape) = sides_3d(params)?;
    copy(name, to, from, shape, returns)
}

impl State {
    /// Returns the work of a copy with the parameters of a graph node.
    pub(super) fn copy_work(&self, params: &CUDA_MEMCPY3D) -> Reply<Copy> {
        let (to, from, shape) = sides_3d(params)?;
        if shape.is_empty() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let to_bytes = extent(shape, shape.to_pitch, shape.to_slice);
        let from_bytes = extent(shape, shape.from_pitch, shape.from_slice);
        let (Some(to_bytes), Some(from_bytes)) = (to_bytes, from_bytes) else {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        };
        Ok(Copy {
            to: self.end(to, to_bytes)?,
            from: self.end(from, from_bytes)?,
            shape,
        })
    }

    /// Returns the work of a fill, after it has checked the range.
    pub(super) fn fill_work(
        &self,
        address: u64,
        value: u32,
        element: usize,
        (width, height, pitch): (usize, usize, usize),
    ) -> Reply<Fill> {
        let invalid = CUresult::CUDA_ERROR_INVALID_VALUE;
        if !matches!(element, 1 | 2 | 4) || !address.is_multiple_of(element as u64) {
            let reason = format!("{address:#x} is not aligned to elements of {element} bytes");
            return Err(because(invalid, reason));
        }
        let row = width.checked_mul(element).ok_or(invalid)?;
        if height > 1 && (pitch < row || !pitch.is_multiple_of(element)) {
            let reason = format!("a pitch of {pitch} bytes does not fit rows of {row}");
            return Err(because(invalid, reason));
        }
        let bytes = pitch.checked_mul(height.saturating_sub(1));
        let bytes = bytes
            .and_then(|bytes| bytes.checked_add(row))
            .ok_or(invalid)?;
        let allocation = self.memory.range(address, bytes as u64).ok_or_else(|| {
            let reason = match self.memory.at(address) {
                Some(found) => format!(
                    "{bytes} bytes from byte {} on are beyond an allocation of {} bytes",
                    address - found.base(),
                    found.bytes
                ),
                None => self.memory.is_nothing(address),
            };
            because(invalid, reason)
        })?;
        Ok(Fill {
            to: Arc::clone(allocation),
            offset: usize::try_from(address - allocation.base()).unwrap_or(0),
            value,
            element,
            width,
            height,
            pitch,
        })
    }
}

fn fill(
    name: &str,
    address: u64,
    value: u32,
    element: usize,
    size: (usize, usize, usize),
    stream: Option<CUstream>,
) -> Reply {
    state::not_in_callback()?;
    let mut state = state::initialized()?;
    let own = if let Some(stream) = stream {
        state.stream(stream)?
    } else {
        state.capture_forbids(None)?;
        state.stream(CUstream::NULL)?
    };
    if size.0 == 0 || size.1 == 0 {
        return Ok(());
    }
    let fill = state.fill_work(address, value, element, size)?;
    let is_host = fill.to.is_host();
    let context = state.streams.get(own)?.context;
    let params = CUDA_MEMSET_NODE_PARAMS {
        dst: address,
        pitch: size.2,
        value,
        elementSize: c_uint::try_from(element).unwrap_or(4),
        width: size.0,
        height: size.1,
    };
    let work = Work::Fill(fill.clone());
    let node = || Kind::Fill(params, fill);
    let op = state.enqueue(own, &format!("`{name}`"), work, Start::AfterPrevious, node)?;
    if let Some(op) = op.filter(|_| is_host && stream.is_none()) {
        let state = state.wait_for(&op);
        state.working(context)?;
    }
    Ok(())
}

fn fill_1d(
    name: &str,
    address: u64,
    value: u32,
    element: usize,
    count: usize,
    stream: Option<CUstream>,
) -> Reply {
    fill(name, address, value, element, (count, 1, 0), stream)
}

/// Checks that the contexts of a copy between devices exist.
fn peers(to: CUcontext, from: CUcontext) -> Reply {
    let state = state::initialized()?;
    state.contexts.get(to)?;
    state.contexts.get(from).map(drop)
}

api! {
    fn cuMemcpy @ptds(to: CUdeviceptr, from: CUdeviceptr, bytes: usize) {
        copy_1d("cuMemcpy", unified(to), unified(from), bytes, Return::AtEnd)
    }

    fn cuMemcpyAsync @ptsz(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream) {
        copy_1d("cuMemcpyAsync", unified(to), unified(from), bytes, Return::AtOnce(stream))
    }

    fn cuMemcpyHtoD_v2[3020] @ptds(to: CUdeviceptr, from: In<c_void>, bytes: usize) {
        let from = host(from.raw().expose_provenance());
        copy_1d("cuMemcpyHtoD", device(to), from, bytes, Return::AtEnd)
    }

    fn cuMemcpyHtoDAsync_v2[3020] @ptsz(to: CUdeviceptr, from: In<c_void>, bytes: usize, stream: CUstream) {
        let from = host(from.raw().expose_provenance());
        copy_1d("cuMemcpyHtoDAsync", device(to), from, bytes, Return::AtOnce(stream))
    }

    fn cuMemcpyDtoH_v2[3020] @ptds(to: Out<c_void>, from: CUdeviceptr, bytes: usize) {
        let to = host(to.raw().expose_provenance());
        copy_1d("cuMemcpyDtoH", to, device(from), bytes, Return::AtEnd)
    }

    fn cuMemcpyDtoHAsync_v2[3020] @ptsz(to: Out<c_void>, from: CUdeviceptr, bytes: usize, stream: CUstream) {
        let to = host(to.raw().expose_provenance());
        copy_1d("cuMemcpyDtoHAsync", to, device(from), bytes, Return::AtOnce(stream))
    }

    fn cuMemcpyDtoD_v2[3020] @ptds(to: CUdeviceptr, from: CUdeviceptr, bytes: usize) {
        copy_1d("cuMemcpyDtoD", device(to), device(from), bytes, Return::AtEnd)
    }

    fn cuMemcpyDtoDAsync_v2[3020] @ptsz(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream) {
        copy_1d("cuMemcpyDtoDAsync", device(to), device(from), bytes, Return::AtOnce(stream))
    }

    fn cuMemcpyPeer @ptds(to: CUdeviceptr, to_context: CUcontext, from: CUdeviceptr, from_context: CUcontext, bytes: usize) {
        peers(to_context, from_context)?;
        copy_1d("cuMemcpyPeer", device(to), device(from), bytes, Return::AtEnd)
    }

    fn cuMemcpyPeerAsync @ptsz(to: CUdeviceptr, to_context: CUcontext, from: CUdeviceptr, from_context: CUcontext, bytes: usize, stream: CUstream) {
        peers(to_context, from_context)?;
        copy_1d("cuMemcpyPeerAsync", device(to), device(from), bytes, Return::AtOnce(stream))
    }

    fn cuMemcpy2D_v2[3020] @ptds(params: In<CUDA_MEMCPY2D>) {
        copy_3d("cuMemcpy2D", &as_3d(&params.get()?), Return::AtEnd)
    }

    fn cuMemcpy2DUnaligned_v2[3020] @ptds(params: In<CUDA_MEMCPY2D>) {
        copy_3d("cuMemcpy2DUnaligned", &as_3d(&params.get()?), Return::AtEnd)
    }

    fn cuMemcpy2DAsync_v2[3020] @ptsz(params: In<CUDA_MEMCPY2D>, stream: CUstream) {
        copy_3d("cuMemcpy2DAsync", &as_3d(&params.get()?), Return::AtOnce(stream))
    }

    fn cuMemcpy3D_v2[3020] @ptds(params: In<CUDA_MEMCPY3D>) {
        copy_3d("cuMemcpy3D", &params.get()?, Return::AtEnd)
    }

    fn cuMemcpy3DAsync_v2[3020] @ptsz(params: In<CUDA_MEMCPY3D>, stream: CUstream) {
        copy_3d("cuMemcpy3DAsync", &params.get()?, Return::AtOnce(stream))
    }

    fn cuMemsetD8_v2[3020] @ptds(address: CUdeviceptr, value: u8, count: usize) {
        fill_1d("cuMemsetD8", address, value.into(), 1, count, None)
    }

    fn cuMemsetD16_v2[3020] @ptds(address: CUdeviceptr, value: u16, count: usize) {
        fill_1d("cuMemsetD16", address, value.into(), 2, count, None)
    }

    fn cuMemsetD32_v2[3020] @ptds(address: CUdeviceptr, value: c_uint, count: usize) {
        fill_1d("cuMemsetD32", address, value, 4, count, None)
    }

    fn cuMemsetD8Async @ptsz(address: CUdeviceptr, value: u8, count: usize, stream: CUstream) {
        fill_1d("cuMemsetD8Async", address, value.into(), 1, count, Some(stream))
    }

    fn cuMemsetD16Async @ptsz(address: CUdeviceptr, value: u16, count: usize, stream: CUstream) {
        fill_1d("cuMemsetD16Async", address, value.into(), 2, count, Some(stream))
    }

    fn cuMemsetD32Async @ptsz(address: CUdeviceptr, value: c_uint, count: usize, stream: CUstream) {
        fill_1d("cuMemsetD32Async", address, value, 4, count, Some(stream))
    }

    fn cuMemsetD2D8_v2[3020] @ptds(address: CUdeviceptr, pitch: usize, value: u8, width: usize, height: usize) {
        fill("cuMemsetD2D8", address, value.into(), 1, (width, height, pitch), None)
    }

    fn cuMemsetD2D16_v2[3020] @ptds(address: CUdeviceptr, pitch: usize, value: u16, width: usize, height: usize) {
        fill("cuMemsetD2D16", address, value.into(), 2, (width, height, pitch), None)
    }

    fn cuMemsetD2D32_v2[3020] @ptds(address: CUdeviceptr, pitch: usize, value: c_uint, width: usize, height: usize) {
        fill("cuMemsetD2D32", address, value, 4, (width, height, pitch), None)
    }

    fn cuMemsetD2D8Async @ptsz(address: CUdeviceptr, pitch: usize, value: u8, width: usize, height: usize, stream: CUstream) {
        fill("cuMemsetD2D8Async", address, value.into(), 1, (width, height, pitch), Some(stream))
    }

    fn cuMemsetD2D16Async @ptsz(address: CUdeviceptr, pitch: usize, value: u16, width: usize, height: usize, stream: CUstream) {
        fill("cuMemsetD2D16Async", address, value.into(), 2, (width, height, pitch), Some(stream))
    }

    fn cuMemsetD2D32Async @ptsz(address: CUdeviceptr, pitch: usize, value: c_uint, width: usize, height: usize, stream: CUstream) {
        fill("cuMemsetD2D32Async", address, value, 4, (width, height, pitch), Some(stream))
    }
}
