//! Element types that both crates have.

use candle_core::{CpuStorage, DType, Error, Result, WithDType};
use tile_kernel::foreign::AnyBits;
use tile_kernel::{bf16, f8e4m3, f16};

/// An element type of kernels with the one of candle that has the same bytes.
pub trait CandleElement: AnyBits {
    /// The type in candle: the same, but for 8-bit floats.
    #[cfg(not(feature = "cuda"))]
    type Candle: WithDType;

    /// The type in candle: the same, but for 8-bit floats.
    #[cfg(feature = "cuda")]
    type Candle: WithDType
        + candle_core::cuda_backend::CudaDType
        + candle_core::cuda_backend::cudarc::driver::DeviceRepr;

    /// Returns the elements of a storage.
    ///
    /// # Errors
    /// An error of candle if it has elements of another type.
    fn slice_mut(storage: &mut CpuStorage) -> Result<&mut [Self::Candle]>;
}

macro_rules! elements {
    ($($ty:ty => $candle:ty, $variant:ident;)+) => { $(
        impl CandleElement for $ty {
            type Candle = $candle;

            fn slice_mut(storage: &mut CpuStorage) -> Result<&mut [$candle]> {
                use candle_core::backend::BackendStorage;
                let got = storage.dtype();
                match storage {
                    CpuStorage::$variant(elements) => Ok(elements),
                    _ => Err(Error::UnexpectedDType {
                        msg: "the output of a kernel",
                        expected: DType::$variant,
                        got,
                    }
                    .bt()),
                }
            }
        }
    )+ };
}

elements! {
    u8 => u8, U8;
    u32 => u32, U32;
    i16 => i16, I16;
    i32 => i32, I32;
    i64 => i64, I64;
    bf16 => bf16, BF16;
    f16 => f16, F16;
    f32 => f32, F32;
    f64 => f64, F64;
    f8e4m3 => float8::F8E4M3, F8E4M3;
}
