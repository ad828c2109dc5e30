//! One program with candle, cudarc, cust and kernels. That it builds is most of the test: no crate decides for another
//! which CUDA it needs, or how it finds the driver.

use candle_core::{DType, Device as CandleDevice, Tensor as CandleTensor};
use tile_kernel::{foreign, prelude::*};

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

#[tile_kernel(grid = y.tiles([64]), arch("sm_80"))]
fn double(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let tile = x.load([block_id(0)], [64]);
    y.store([block_id(0)], tile + tile);
}

#[test]
fn kernels_run_on_the_cpu_beside_candle() -> Result {
    let x = CandleTensor::arange(0f32, 100.0, &CandleDevice::Cpu)?;
    let (x, mut y) = (x.to_vec1::<f32>()?, vec![0.0; 100]);
    foreign::scope(|scope| {
        let x = scope.slice(&Device::cpu(), &x, [100])?;
        let mut y = scope.slice_mut(&Device::cpu(), &mut y, [100])?;
        double(&x, &mut y).launch()
    })?;
    assert!(y.iter().zip(&x).all(|(y, x)| *y == 2.0 * x));
    let ones = CandleTensor::ones((3, 8), DType::F32, &CandleDevice::Cpu)?;
    let weight = CandleTensor::ones(8, DType::F32, &CandleDevice::Cpu)?;
    let normal = tile_kernel_candle::rms_norm(&ones, &weight, 0.0)?;
    assert_eq!(normal.to_vec2::<f32>()?, [[1.0; 8]; 3]);
    Ok(())
}

#[test]
fn memory_of_two_libraries_is_used_by_one_kernel() -> Result {
    use cust::memory::{CopyDestination, DeviceBuffer};
    use tile_kernel_cudarc::BorrowSlices;
    use tile_kernel_cust::BorrowBuffers;

    let _current = cust::quick_init()?;
    let context = cudarc::driver::CudaContext::new(0)?;
    let stream = context.new_stream()?;
    let x = stream.clone_htod(&[1.5f32; 100])?;
    let mut y = DeviceBuffer::from_slice(&[0.0f32; 100])?;
    let theirs = cust::stream::Stream::new(cust::stream::StreamFlags::NON_BLOCKING, None)?;
    let queues = (
        tile_kernel_cudarc::Queue::new(&stream)?,
        tile_kernel_cust::Queue::new(&theirs)?,
    );
    foreign::scope(|scope| {
        let x = scope.device_slice(x.as_view(), &queues.0, [100])?;
        // SAFETY: the stream is synchronized before the buffer is used again.
        let mut y = unsafe { scope.buffer_mut(&mut y, &queues.1, [100], [1]) }?;
        double(&x, &mut y).launch()
    })?;
    theirs.synchronize()?;
    let mut host = [0.0f32; 100];
    y.copy_to(&mut host)?;
    assert_eq!(host, [3.0; 100]);
    Ok(())
}

/// The tests of `tile-kernel` use the bindings of another version. Libraries that only these features declare are
/// there too.
#[test]
fn cudarc_has_the_version_of_its_own_features() {
    assert_eq!(cudarc::driver::sys::CUDA_VERSION, 12_080);
    assert!(std::any::type_name::<cudarc::nvrtc::Ptx>().starts_with("cudarc::nvrtc"));
    assert!(std::any::type_name::<cudarc::cublas::CudaBlas>().starts_with("cudarc::cublas"));
}
