//! Tests of the feature `cust`, which are linked everywhere and run with a GPU or the simulated driver.
//!
//! Without a CUDA installation, `tests/cust-stub/build.sh` builds a library to link with. `cargo xtask test` runs the
//! tests with `tile-sim-driver`.

#![cfg(feature = "cust")]
#![expect(
    clippy::print_stderr,
    clippy::float_cmp,
    reason = "a skipped test has to say that it was skipped; the products are exact"
)]

use cust::memory::{CopyDestination, DeviceBuffer};
use cust::stream::{Stream, StreamFlags};
use tile_kernel::__private::{
    Aligned, ArchImage, Instance, KernelImage, VariantImage, VariantKind, exclusive, launch, scalar,
};
use tile_kernel::cust::{adopt, release};
use tile_kernel::{Device, Launch, Tensor};

/// Computes `x[i] *= factor` in one block.
const PTX: &[u8] = b"
.version 7.0
.target sm_80
.address_size 64
.visible .entry scale__general(
    .param .u64 x, .param .u64 len, .param .u64 stride, .param .f32 factor
)
.reqntid 32
{
    .reg .f32 %f<3>;
    .reg .b32 %r<1>;
    .reg .b64 %d<2>;
    mov.u32 %r0, %tid.x;
    ld.param.u64 %d0, [x];
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %d0, %d1;
    ld.param.f32 %f0, [factor];
    ld.global.f32 %f1, [%d0];
    mul.f32 %f2, %f0, %f1;
    st.global.f32 [%d0], %f2;
    ret;
}
\0";

static CODE: Aligned<&[u8]> = Aligned(PTX);
static VARIANTS: [VariantImage; 1] = [VariantImage::new(
    VariantKind::General,
    "scale__general",
    CODE.0,
    &[ArchImage::PLAIN],
)];
static SCALE: Instance = Instance::new(KernelImage::new(
    "scale",
    (file!(), line!()),
    &["x", "factor"],
    &VARIANTS,
    &[],
));

fn scale(x: &mut Tensor<f32, 1>, factor: f32) -> Launch<'_> {
    launch(&SCALE, Some(1.into()), [exclusive(x), scalar(factor)])
}

#[test]
fn a_kernel_runs_on_a_cust_stream_over_a_cust_buffer() {
    if let Err(error) = Device::cuda(0) {
        eprintln!("a_kernel_runs_on_a_cust_stream_over_a_cust_buffer: skipped, {error}");
        return;
    }
    let _context = cust::quick_init().expect("the device works");
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None).expect("a stream");
    let buffer = DeviceBuffer::from_slice(&[3.0f32; 32]).expect("a small buffer");

    let mut x = adopt::<f32, 1>(buffer, [32]).expect("a buffer of the primary context");
    scale(&mut x, 2.0)
        .on(&stream)
        .launch()
        .expect("the kernel loads");
    let own_stream = tile_kernel::Stream::new(&x.device()).expect("a stream");
    scale(&mut x, 7.0)
        .on(&own_stream)
        .launch()
        .expect("the kernel loads");
    assert_eq!(x.to_vec().expect("it ran"), [42.0; 32]);

    let view = x.narrow(0, 0..1).expect("within the tensor");
    let (_, x) = release(x).expect_err("a view is still there");
    drop(view);
    let buffer = release(x)
        .map_err(|(error, _)| error)
        .expect("it was adopted");
    let mut host = [0.0f32; 32];
    buffer.copy_to(&mut host).expect("it is a whole buffer");
    assert_eq!(host, [42.0; 32]);
}

#[test]
fn a_tensor_that_was_not_adopted_is_not_released() {
    let tensor = Tensor::<f32, 1>::zeros(&Device::cpu(), [4]).expect("a small tensor");
    let (error, tensor) = release(tensor).expect_err("it is no buffer of `cust`");
    assert!(error.to_string().contains("no `cust` buffer"), "{error}");
    assert_eq!(tensor.len(), 4);
}
