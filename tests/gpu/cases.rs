//! Tests of the CUDA side: each case takes a device that is a GPU.
//!
//! The kernel is handwritten PTX, so that only the facade is tested.

use tile_kernel::__private::{
    Aligned, ArchImage, Instance, KernelImage, VariantImage, VariantKind, exclusive, launch,
    scalar, shared,
};
use tile_kernel::{Device, Error, Launch, Result, Stream, Tensor, bf16};

/// Computes `x[i] = x[i] * factor + y[i]`, 128 elements per block, with any strides.
const PTX: &str = r"
.version 7.0
.target sm_80
.address_size 64
.visible .entry axpy__general(
    .param .u64 x, .param .u64 x_len, .param .u64 x_stride,
    .param .u64 y, .param .u64 y_len, .param .u64 y_stride,
    .param .f32 factor
)
.reqntid 128
{
    .reg .pred %p;
    .reg .f32 %f<4>;
    .reg .b32 %r<4>;
    .reg .b64 %d<10>;
    mov.u32 %r0, %ctaid.x;
    mov.u32 %r1, %tid.x;
    mad.lo.u32 %r2, %r0, 128, %r1;
    cvt.u64.u32 %d0, %r2;
    ld.param.u64 %d1, [x_len];
    setp.ge.u64 %p, %d0, %d1;
    @%p ret;
    ld.param.u64 %d2, [x];
    ld.param.u64 %d3, [x_stride];
    mul.lo.u64 %d4, %d0, %d3;
    shl.b64 %d4, %d4, 2;
    add.u64 %d2, %d2, %d4;
    ld.param.u64 %d5, [y];
    ld.param.u64 %d6, [y_stride];
    mul.lo.u64 %d7, %d0, %d6;
    shl.b64 %d7, %d7, 2;
    add.u64 %d5, %d5, %d7;
    ld.param.f32 %f0, [factor];
    ld.global.f32 %f1, [%d2];
    ld.global.f32 %f2, [%d5];
    fma.rn.f32 %f3, %f1, %f0, %f2;
    st.global.f32 [%d2], %f3;
    ret;
}
";

const fn with_nul<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut offset = 0;
    while offset < text.len() {
        bytes[offset] = text.as_bytes()[offset];
        offset += 1;
    }
    bytes
}

static CODE: Aligned<[u8; PTX.len() + 1]> = Aligned(with_nul(PTX));
static VARIANTS: [VariantImage; 1] = [VariantImage::new(
    VariantKind::General,
    "axpy__general",
    &CODE.0,
    &[ArchImage {
        threads: 128,
        ..ArchImage::PLAIN
    }],
)];
static AXPY: Instance = Instance::new(KernelImage::new(
    "axpy",
    (file!(), line!()),
    &["x", "y", "factor"],
    &VARIANTS,
    &[],
));

static NO_CODE: [VariantImage; 1] = [VariantImage::new(
    VariantKind::General,
    "none__general",
    &[],
    &[],
)];
static NONE: Instance = Instance::new(KernelImage::new(
    "none",
    (file!(), line!()),
    &["x"],
    &NO_CODE,
    &[],
));

fn axpy<'a>(x: &'a mut Tensor<f32, 1>, y: &'a Tensor<f32, 1>, factor: f32) -> Launch<'a> {
    let grid = Some(x.tiles([128]));
    launch(&AXPY, grid, [exclusive(x), shared(y), scalar(factor)])
}

/// A test case.
pub(crate) type Case = fn(Device) -> Result<()>;

/// All test cases, by name.
pub(crate) const ALL: &[(&str, Case)] = &[
    (
        "tensors_go_to_the_device_and_come_back",
        tensors_go_to_the_device_and_come_back,
    ),
    (
        "launches_on_one_stream_run_in_order",
        launches_on_one_stream_run_in_order,
    ),
    (
        "launches_on_many_streams_follow_their_tensors",
        launches_on_many_streams_follow_their_tensors,
    ),
    (
        "tensors_may_be_dropped_while_kernels_use_them",
        tensors_may_be_dropped_while_kernels_use_them,
    ),
    (
        "views_are_launched_with_their_strides",
        views_are_launched_with_their_strides,
    ),
    (
        "interleaved_and_repeated_views_are_arguments_of_one_launch",
        interleaved_and_repeated_views_are_arguments_of_one_launch,
    ),
    (
        "tensors_without_elements_are_arguments",
        tensors_without_elements_are_arguments,
    ),
    (
        "a_block_alone_is_refused_with_the_remedy",
        a_block_alone_is_refused_with_the_remedy,
    ),
    (
        "a_kernel_without_code_for_the_device_names_the_architecture",
        a_kernel_without_code_for_the_device_names_the_architecture,
    ),
    (
        "tensors_and_streams_of_two_devices_are_refused",
        tensors_and_streams_of_two_devices_are_refused,
    ),
    (
        "more_memory_than_the_device_has_is_an_error",
        more_memory_than_the_device_has_is_an_error,
    ),
];

/// Returns a length that keeps the device busy for a while.
fn long(device: &Device) -> usize {
    if device.name().starts_with("tile-sim") {
        1 << 12
    } else {
        1 << 20
    }
}

fn numbers(count: u16) -> Vec<f32> {
    (0..count).map(f32::from).collect()
}

fn tensors_go_to_the_device_and_come_back(device: Device) -> Result<()> {
    let host = numbers(1000);
    let tensor = Tensor::from_slice(&device, &host, [20, 50])?;
    assert_eq!(tensor.to_vec()?, host);
    assert_eq!(tensor.t().t().to_vec()?, host);
    assert_eq!(
        tensor.t().to_vec()?,
        tensor.to_device(&Device::cpu())?.t().to_vec()?
    );
    assert_eq!(Tensor::<f64, 1>::zeros(&device, [3])?.to_vec()?, [0.0; 3]);
    for value in [0.0, 1.5, f64::NEG_INFINITY] {
        assert_eq!(Tensor::full(&device, [5], value)?.to_vec()?, [value; 5]);
    }
    assert_eq!(
        Tensor::full(&device, [5], bf16::ONE)?.to_vec()?,
        [bf16::ONE; 5]
    );
    assert_eq!(Tensor::full(&device, [5], true)?.to_vec()?, [true; 5]);
    tensor.narrow(1, 3..5)?.fill(-1.0)?;
    assert_eq!(
        tensor.narrow(1, 2..5)?.to_vec()?[..4],
        [2.0, -1.0, -1.0, 52.0]
    );
    Ok(())
}

fn launches_on_one_stream_run_in_order(device: Device) -> Result<()> {
    let mut x = Tensor::full(&device, [1001], 1.0)?;
    let y = Tensor::full(&device, [1001], 1.0)?;
    for _ in 0..5 {
        axpy(&mut x, &y, 2.0).launch()?;
    }
    assert_eq!(x.to_vec()?, [63.0; 1001]);
    Ok(())
}

fn launches_on_many_streams_follow_their_tensors(device: Device) -> Result<()> {
    let len = long(&device);
    let streams = [
        Stream::new(&device)?,
        Stream::new(&device)?,
        Stream::new(&device)?,
    ];
    let mut x = Tensor::full(&device, [len], 1.0)?;
    let mut y = Tensor::full(&device, [len], 0.0)?;
    for round in 0..30 {
        let stream = &streams[round % 3];
        if round % 2 == 0 {
            axpy(&mut x, &y, 1.0).on(stream).launch()?;
        } else {
            axpy(&mut y, &x, 0.0).on(stream).launch()?;
        }
    }
    // x doubles in every second round except the first, where y is 0.
    assert_eq!(x.to_vec()?, vec![16384.0; len]);
    Ok(())
}

fn tensors_may_be_dropped_while_kernels_use_them(device: Device) -> Result<()> {
    let len = long(&device);
    let stream = Stream::new(&device)?;
    let mut x = Tensor::full(&device, [len], 0.0)?;
    for round in 1..=20u8 {
        let y = Tensor::full(&device, [len], f32::from(round))?;
        axpy(&mut x, &y, 1.0).on(&stream).launch()?;
        drop(y);
        // This tensor is probably allocated in the memory that was just freed.
        Tensor::full(&device, [len], f32::NAN)?;
    }
    drop(stream);
    assert_eq!(x.to_vec()?, vec![210.0; len]);
    Ok(())
}

fn views_are_launched_with_their_strides(device: Device) -> Result<()> {
    let matrix = Tensor::from_slice(&device, &numbers(12), [3, 4])?;
    let mut diagonal = matrix.reshape([12])?.narrow(0, 1..4)?;
    let y = Tensor::full(&device, [3], 100.0)?;
    axpy(&mut diagonal, &y, 1.0).launch()?;
    assert_eq!(matrix.to_vec()?[..5], [0.0, 101.0, 102.0, 103.0, 4.0]);
    Ok(())
}

fn interleaved_and_repeated_views_are_arguments_of_one_launch(device: Device) -> Result<()> {
    let mut pairs = Tensor::from_slice(&device, &numbers(600), [300, 2])?;
    let (left, right) = pairs.split_at_mut(1, 1)?;
    axpy(&mut right.squeeze(1)?, &left.squeeze(1)?, 10.0).launch()?;
    let expected = (0..300_u16).flat_map(|row| {
        let even = f32::from(2 * row);
        [even, (even + 1.0) * 10.0 + even]
    });
    assert_eq!(pairs.to_vec()?, expected.collect::<Vec<_>>());
    let mut x = Tensor::zeros(&device, [300])?;
    let ones = Tensor::full(&device, [1], 1.0)?.broadcast_to([300])?;
    axpy(&mut x, &ones, 1.0).launch()?;
    assert_eq!(x.to_vec()?, [1.0; 300]);
    let mut ones = ones;
    assert!(matches!(
        axpy(&mut ones, &x, 1.0).launch(),
        Err(Error::ReadOnlyArgument { param: "x", .. })
    ));
    let padded = Tensor::from_strided(&device, &numbers(899), [300], [3])?;
    axpy(&mut x, &padded, 0.0).launch()?;
    assert_eq!(x.to_vec()?[298..], [894.0, 897.0]);
    Ok(())
}

fn tensors_without_elements_are_arguments(device: Device) -> Result<()> {
    let mut none = Tensor::<f32, 1>::zeros(&device, [0])?;
    axpy(&mut none, &Tensor::from_slice(&device, &[], [0])?, 1.0).launch()?;
    let x = Tensor::full(&device, [4], 1.0)?;
    axpy(&mut none, &x, 1.0).grid(2).launch()?;
    none.fill(1.0)?;
    none.copy_from_slice(&[])?;
    assert!(none.copy()?.to_vec()?.is_empty());
    assert!(none.as_strided([1], [1], 0).is_err());
    assert_eq!(x.to_vec()?, [1.0; 4]);
    Ok(())
}

fn a_block_alone_is_refused_with_the_remedy(device: Device) -> Result<()> {
    let (mut x, y) = (Tensor::zeros(&device, [4])?, Tensor::zeros(&device, [4])?);
    let error = axpy(&mut x, &y, 1.0).only_block([0, 0, 0]).launch();
    assert!(
        matches!(error, Err(Error::NotAlone { kernel: "axpy", .. })),
        "{error:?}"
    );
    Ok(())
}

fn a_kernel_without_code_for_the_device_names_the_architecture(device: Device) -> Result<()> {
    let mut x = Tensor::<f32, 1>::zeros(&device, [1])?;
    let error = launch(&NONE, Some(1.into()), [exclusive(&mut x)])
        .launch()
        .expect_err("there is no code");
    let arch = device.arch().expect("it is a GPU");
    assert!(
        error
            .to_string()
            .contains(&format!("add `arch(\"{arch}\")`")),
        "{error}"
    );
    Ok(())
}

fn tensors_and_streams_of_two_devices_are_refused(device: Device) -> Result<()> {
    let mut x = Tensor::zeros(&device, [4])?;
    let y = Tensor::zeros(&Device::cpu(), [4])?;
    assert!(matches!(
        axpy(&mut x, &y, 1.0).launch(),
        Err(Error::DeviceMismatch { param: "y", .. })
    ));
    let stream = Stream::new(&Device::cpu())?;
    let y = y.to_device(&device)?;
    assert!(matches!(
        axpy(&mut x, &y, 1.0).on(&stream).launch(),
        Err(Error::StreamMismatch { .. })
    ));
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "every case returns a result")]
fn more_memory_than_the_device_has_is_an_error(device: Device) -> Result<()> {
    let error = Tensor::<u8, 1>::zeros(&device, [1 << 45]).expect_err("32 TiB");
    assert!(
        matches!(error, Error::OutOfMemory { bytes, .. } if bytes == 1 << 45),
        "{error}"
    );
    Ok(())
}
