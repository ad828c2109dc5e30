//! Tests of the simulated GPU: kernels of the examples compute the same as on the CPU device, and
//! errors of a kernel are reported with their location.

#![allow(
    dead_code,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::many_single_char_names,
    clippy::duplicate_mod,
    reason = "of the examples only the kernels are used; the numbers are small, matrices have their letters"
)]

use tile_kernel::__private::{
    ArchImage, Instance, KernelImage, VariantImage, VariantKind, exclusive, launch, scalar, shared,
};
use tile_kernel::prelude::*;
use tile_kernel::{Error, Launch, Result, SimulatedFault, Stream, sim};

#[path = "../examples/10_grids.rs"]
mod grids;
#[path = "../examples/05_layers.rs"]
mod layers;
#[path = "../examples/03_matmul.rs"]
mod matmul;
#[path = "../examples/09_matmul_variants.rs"]
mod matmul_variants;
#[path = "../examples/04_normalization.rs"]
mod normalization;
#[path = "../examples/07_search.rs"]
mod search;
#[path = "../examples/02_softmax.rs"]
mod softmax;
#[path = "../examples/01_vector_add.rs"]
mod vector_add;

#[path = "../examples/06_attention.rs"]
mod attention;
#[path = "../examples/digits/kernels.rs"]
mod digits;

/// Returns numbers from -1 to 1 in steps of 1/64, which every format represents or rounds in the same way.
fn numbers(len: usize, salt: usize) -> Vec<f32> {
    (0..len)
        .map(|index| ((index * 37 + salt * 11) % 129) as f32 / 64.0 - 1.0)
        .collect()
}

fn tensor<const R: usize>(
    device: &Device,
    shape: [usize; R],
    salt: usize,
) -> Result<Tensor<f32, R>> {
    Tensor::from_slice(device, &numbers(shape.iter().product(), salt), shape)
}

fn zeros<T: Element, const R: usize>(device: &Device, shape: [usize; R]) -> Result<Tensor<T, R>> {
    Tensor::zeros(device, shape)
}

/// Runs a kernel on both devices. The results may differ by `tolerance`, relative to the maximum of 1 and the
/// number, since the order of summation differs.
fn same(tolerance: f32, run: impl Fn(&Device) -> Result<Vec<f32>>) {
    let expected = run(&Device::cpu()).expect("it runs on the CPU");
    let actual = run(&Device::sim()).expect("it runs in the simulator");
    assert_eq!(actual.len(), expected.len());
    for (index, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
        let bound = tolerance * expected.abs().max(1.0);
        // A NaN on one side only makes both comparisons false, and therefore fails.
        let is_same = actual.to_bits() == expected.to_bits() || (actual - expected).abs() <= bound;
        assert!(
            is_same,
            "element {index} is {actual}, and {expected} on the CPU"
        );
    }
    let report = sim::last_report().expect("a kernel ran");
    let counters = report.counters().expect("it ended well");
    assert!(counters.global.stores.requests > 0, "{report}");
}

/// The tolerance for sums of several hundred numbers of this size.
const SUMS: f32 = 1e-5;

#[test]
fn vectors_are_added() {
    for len in [1, 1000, 5000] {
        same(0.0, |device| {
            let (a, b) = (tensor(device, [len], 1)?, tensor(device, [len], 2)?);
            let mut c = zeros(device, [len])?;
            vector_add::vector_add(&a, &b, &mut c).launch()?;
            c.to_vec()
        });
    }
}

#[test]
fn softmax_of_rows() {
    for shape in [[1, 1], [5, 300], [9, 256]] {
        same(SUMS, |device| {
            let x = tensor(device, shape, 1)?;
            let mut y = zeros(device, shape)?;
            softmax::softmax::<4, 256>(&x, &mut y).launch()?;
            y.to_vec()
        });
    }
}

fn product<T: Element>(
    device: &Device,
    [m, n, k]: [usize; 3],
    round: fn(f32) -> T,
) -> Result<[Tensor<T, 2>; 2]> {
    let rounded = |len, salt| {
        numbers(len, salt)
            .into_iter()
            .map(round)
            .collect::<Vec<T>>()
    };
    Ok([
        Tensor::from_slice(device, &rounded(m * k, 1), [m, k])?,
        Tensor::from_slice(device, &rounded(k * n, 2), [k, n])?,
    ])
}

#[test]
fn matmuls() {
    for shape in [[1, 1, 1], [70, 50, 90], [128, 128, 64]] {
        let [m, n, _] = shape;
        same(SUMS, |device| {
            let [a, b] = product(device, shape, bf16::from_f32)?;
            let mut c = zeros(device, [m, n])?;
            matmul::matmul::<_, 64, 64, 32>(&a, &b, &mut c).launch()?;
            c.to_vec()
        });
        same(SUMS, |device| {
            let [a, b] = product(device, shape, f16::from_f32)?;
            let mut c = zeros(device, [m, n])?;
            matmul::matmul::<_, 128, 128, 32>(&a, &b, &mut c).launch()?;
            c.to_vec()
        });
    }
    let counters = sim::last_report().expect("a kernel ran");
    let counters = counters.counters().expect("it ended well").clone();
    // One block of 128 x 128, with two steps of 32 along K.
    assert_eq!(counters.matmuls.multiply_adds, 128 * 128 * 64);
}

#[test]
fn batched_matmuls() {
    for (batch, [m, n, k]) in [(1, [1, 1, 1]), (3, [33, 20, 45])] {
        let half = |len, salt| {
            numbers(len, salt)
                .into_iter()
                .map(f16::from_f32)
                .collect::<Vec<_>>()
        };
        same(SUMS, |device| {
            let a = Tensor::from_slice(device, &half(batch * m * k, 1), [batch, m, k])?;
            let b = Tensor::from_slice(device, &half(batch * k * n, 2), [batch, k, n])?;
            let mut c = zeros(device, [batch, m, n])?;
            matmul_variants::batched(&a, &b, &mut c).launch()?;
            c.to_vec()
        });
    }
}

#[test]
fn normalized_layers() {
    for shape in [[1, 1], [7, 100], [33, 205]] {
        let [rows, columns] = shape;
        let run = |device: &Device, wanted: usize| {
            let x = tensor(device, shape, 1)?;
            let (w, b) = (tensor(device, [columns], 2)?, tensor(device, [columns], 3)?);
            let (mut y, mut dx) = (zeros(device, shape)?, zeros(device, shape)?);
            let (mut means, mut scales) = (zeros(device, [rows])?, zeros(device, [rows])?);
            let (mut dw, mut db) = (zeros(device, [columns])?, zeros(device, [columns])?);
            normalization::layer_norm(&x, &w, &b, &mut y, &mut means, &mut scales, 1e-3)
                .launch()?;
            let dy = tensor(device, shape, 4)?;
            normalization::layer_norm_dx(&x, &w, &means, &scales, &dy, &mut dx).launch()?;
            normalization::layer_norm_dweight(&x, &means, &scales, &dy, &mut dw, &mut db)
                .launch()?;
            [&y, &dx][wanted.min(1)]
                .to_vec()
                .and_then(|results| match wanted {
                    0 | 1 => Ok(results),
                    2 => dw.to_vec(),
                    _ => db.to_vec(),
                })
        };
        for wanted in 0..4 {
            same(1e-4, |device| run(device, wanted));
        }
        same(1e-4, |device| root_mean_squares(device, shape, false));
    }
}

fn root_mean_squares(device: &Device, shape: [usize; 2], is_narrow: bool) -> Result<Vec<f32>> {
    let x = tensor(device, shape, 1)?;
    let mut residual = tensor(device, shape, 2)?;
    let weight = tensor(device, [shape[1]], 3)?;
    let mut y = zeros(device, shape)?;
    if is_narrow {
        normalization::rms_norm::<64>(&x, &mut residual, &weight, &mut y, 1e-3).launch()?;
    } else {
        normalization::rms_norm::<256>(&x, &mut residual, &weight, &mut y, 1e-3).launch()?;
    }
    y.to_vec()
}

/// Tests a tile of 64 in a block of 128 threads: the upper 64 load copies of elements that others store.
#[test]
fn root_mean_squares_of_tiles_smaller_than_a_block() {
    same(1e-4, |device| root_mean_squares(device, [7, 100], true));
}

#[test]
fn rotations_and_gates() {
    for tokens in [1, 19] {
        let shape = [tokens, 3, 32];
        same(SUMS, |device| {
            let x = tensor(device, shape, 1)?;
            let mut y = zeros(device, shape)?;
            layers::rotate::<16>(&x, &mut y, 7).launch()?;
            y.to_vec()
        });
    }
    for shape in [[1, 1], [9, 70]] {
        same(SUMS, |device| {
            let (gate, up) = (tensor(device, shape, 1)?, tensor(device, shape, 2)?);
            let mut y = zeros(device, shape)?;
            layers::swiglu(&gate, &up, &mut y).launch()?;
            y.to_vec()
        });
    }
}

#[test]
fn random_numbers_are_the_same() {
    for len in [1, 300, 1000] {
        same(0.0, |device| {
            let x = tensor(device, [len], 1)?;
            let mut y = zeros(device, [len])?;
            layers::dropout(&x, &mut y, 0.75, 42).launch()?;
            y.to_vec()
        });
    }
}

#[test]
fn attention_over_masked_keys() {
    let half = |len, salt| {
        numbers(len, salt)
            .into_iter()
            .map(f16::from_f32)
            .collect::<Vec<_>>()
    };
    for (queries, keys) in [(45, 45), (20, 77)] {
        same(1e-3, |device| {
            let q = Tensor::from_slice(device, &half(4 * queries * 32, 1), [1, 4, queries, 32])?;
            let k = Tensor::from_slice(device, &half(2 * keys * 32, 2), [1, 2, keys, 32])?;
            let v = Tensor::from_slice(device, &half(2 * keys * 32, 3), [1, 2, keys, 32])?;
            let mut out = zeros(device, [1, 4, queries, 32])?;
            if queries == keys {
                attention::attention::<_, 32, 32, 32, true>(&q, &k, &v, &mut out, 0.25).launch()?;
            } else {
                attention::attention::<_, 32, 32, 32, false>(&q, &k, &v, &mut out, 0.25)
                    .launch()?;
            }
            out.to_vec()
        });
    }
}

#[test]
fn places_and_transposition() {
    for shape in [[1, 3], [20, 150]] {
        same(0.0, |device| {
            let x = tensor(device, shape, 1)?;
            let mut places = zeros::<i32, 1>(device, [shape[0]])?;
            search::argmax(&x, &mut places).launch()?;
            Ok(places
                .to_vec()?
                .into_iter()
                .map(|places| places as f32)
                .collect())
        });
        same(0.0, |device| {
            let x = tensor(device, shape, 1)?;
            let mut y = zeros(device, [shape[1], shape[0]])?;
            grids::transpose(&x, &mut y).launch()?;
            y.to_vec()
        });
    }
}

#[test]
fn every_step_of_training() {
    let (images, pixels, classes) = (37, 64, 10);
    let levels: Vec<u8> = (0..images * pixels)
        .map(|index| (index % 17) as u8)
        .collect();
    same(0.0, |device| {
        let levels = Tensor::from_slice(device, &levels, [images, pixels])?;
        let mut x = zeros(device, [images, pixels])?;
        digits::normalize(&levels, &mut x).launch()?;
        x.to_vec()
    });
    same(SUMS, |device| {
        let x = tensor(device, [images, pixels], 1)?;
        let (w, bias) = (tensor(device, [pixels, 32], 2)?, tensor(device, [32], 3)?);
        let mut y = zeros(device, [images, 32])?;
        digits::dense::<32, true>(&x, &w, &bias, &mut y).launch()?;
        y.to_vec()
    });
    let labels: Vec<i32> = (0..images).map(|index| (index % classes) as i32).collect();
    for is_loss in [true, false] {
        same(SUMS, |device| {
            let logits = tensor(device, [images, classes], 1)?;
            let labels = Tensor::from_slice(device, &labels, [images])?;
            let mut loss = zeros(device, [images])?;
            let mut gradient = zeros(device, [images, classes])?;
            let count = images as i32;
            digits::cross_entropy(&logits, &labels, count, &mut loss, &mut gradient).launch()?;
            if is_loss {
                loss.to_vec()
            } else {
                gradient.to_vec()
            }
        });
    }
    same(SUMS, |device| {
        let (x, dy) = (
            tensor(device, [images, pixels], 1)?,
            tensor(device, [images, classes], 2)?,
        );
        let mut dw = zeros(device, [pixels, classes])?;
        digits::weight_gradient(&x, &dy, &mut dw).launch()?;
        dw.to_vec()
    });
    same(SUMS, |device| {
        let (dy, w) = (
            tensor(device, [images, classes], 1)?,
            tensor(device, [32, classes], 2)?,
        );
        let x = tensor(device, [images, 32], 3)?;
        let mut dx = zeros(device, [images, 32])?;
        digits::relu_gradient(&dy, &w, &x, &mut dx).launch()?;
        dx.to_vec()
    });
    same(SUMS, |device| {
        let x = tensor(device, [images, classes], 1)?;
        let mut sums = zeros(device, [classes])?;
        digits::column_sums(&x, &mut sums).launch()?;
        sums.to_vec()
    });
    same(SUMS, |device| {
        let mut value = tensor(device, [1500], 1)?;
        let (mut velocity, gradient) = (tensor(device, [1500], 2)?, tensor(device, [1500], 3)?);
        digits::descend(&mut value, &mut velocity, &gradient, 0.1, 0.9).launch()?;
        value.to_vec()
    });
    same(0.0, |device| {
        let logits = tensor(device, [images, classes], 1)?;
        let mut actual = zeros::<i32, 1>(device, [images])?;
        digits::predict(&logits, &mut actual).launch()?;
        Ok(actual
            .to_vec()?
            .into_iter()
            .map(|class| class as f32)
            .collect())
    });
}

#[test]
fn views_and_streams_work_as_on_other_devices() -> Result<()> {
    let device = Device::sim();
    assert_eq!(
        (device.name(), device.is_cuda(), device.arch()),
        ("sim", false, None)
    );
    assert_ne!(device, Device::cpu());
    // The second column of a matrix changes, and the other columns do not.
    let host = numbers(6 * 4, 1);
    let whole = Tensor::from_slice(&device, &host, [6, 4])?;
    let first = tensor(&device, [6, 1], 2)?;
    let mut second = whole.narrow(1, 1..2)?;
    let stream = Stream::new(&device)?;
    grids::transpose(&first.t(), &mut second)
        .on(&stream)
        .launch()?;
    stream.synchronize()?;
    assert_eq!(stream.device(), device);
    let expected: Vec<f32> = (0..24)
        .map(|index| {
            if index % 4 == 1 {
                numbers(6, 2)[index / 4]
            } else {
                host[index]
            }
        })
        .collect();
    assert_eq!(whole.to_vec()?, expected);
    // A launch with tensors on two devices is refused.
    let other = tensor(&Device::cpu(), [6, 1], 1)?;
    let error = grids::transpose(&other.t(), &mut second).launch();
    assert!(
        matches!(error, Err(Error::DeviceMismatch { .. })),
        "{error:?}"
    );
    Ok(())
}

#[test]
fn a_kernel_without_gpu_code_says_what_to_change() -> Result<()> {
    #[tile_kernel(grid = x.tiles([8]), arch("cpu"))]
    fn on_the_cpu(x: &mut Tensor<f32, 1>) {
        let i = block_id(0);
        let tile = x.load([i], [8]);
        x.store([i], tile);
    }
    let error = on_the_cpu(&mut zeros(&Device::sim(), [8])?)
        .launch()
        .expect_err("no PTX");
    assert_eq!(
        error.to_string(),
        "kernel `on_the_cpu` has no PTX to simulate: take `arch(\"cpu\")` out of `#[tile_kernel]` on `on_the_cpu`, or \
         use `Device::cpu()`"
    );
    assert!(sim::last_report().is_none());
    Ok(())
}

/// Computes `x[i] = x[i] * factor + y[i]` without bounds checks.
const AXPY: &str = ".version 7.0
.target sm_80
.address_size 64
.visible .entry axpy(.param .u64 x, .param .u64 x_len, .param .u64 x_stride,
                     .param .u64 y, .param .u64 y_len, .param .u64 y_stride, .param .f32 factor)
{
    .reg .f32 %f<4>; .reg .b32 %r<2>; .reg .b64 %d<4>;
    mov.u32 %r0, %tid.x;
    mul.wide.u32 %d0, %r0, 4;
    ld.param.u64 %d1, [x];
    add.u64 %d1, %d1, %d0;
    ld.param.u64 %d2, [y];
    add.u64 %d2, %d2, %d0;
    ld.param.f32 %f0, [factor];
    ld.global.f32 %f1, [%d1];
    ld.global.f32 %f2, [%d2];
    fma.rn.f32 %f3, %f1, %f0, %f2;
    st.global.f32 [%d1], %f3;
    ret;
}
";

/// Returns a fatbin that contains only this PTX.
fn fatbin(text: &str) -> &'static [u8] {
    let mut image = vec![1, 0, 1, 1, 16, 0, 0, 0];
    image.extend((text.len() as u64).to_le_bytes());
    image.extend(text.as_bytes());
    let mut bytes = 0xBA55_ED50_u32.to_le_bytes().to_vec();
    bytes.extend([1, 0, 16, 0]);
    bytes.extend((image.len() as u64).to_le_bytes());
    bytes.extend(image);
    bytes.leak()
}

fn instance(text: &str) -> &'static Instance {
    static ARCHS: [ArchImage; 1] = [ArchImage::PLAIN];
    let variant = VariantImage::new(VariantKind::General, "axpy", fatbin(text), &ARCHS);
    let variants = Box::leak(Box::new([variant]));
    Box::leak(Box::new(Instance::new(KernelImage::new(
        "axpy",
        ("src/kernels.rs", 7),
        &["x", "y", "factor"],
        variants,
        &[],
    ))))
}

fn axpy<'a>(
    instance: &'static Instance,
    x: &'a mut Tensor<f32, 1>,
    y: &'a Tensor<f32, 1>,
) -> Launch<'a> {
    let args = [exclusive(x), shared(y), scalar(2.0f32)];
    launch(instance, tile_kernel::__private::grid(1), args)
}

fn fault(error: Result<()>) -> SimulatedFault {
    match error {
        Err(Error::Simulated(fault)) => *fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_fault_names_the_instruction_the_thread_and_the_tensor() -> Result<()> {
    let device = Device::sim();
    let instance = instance(AXPY);
    let (mut x, y) = (tensor(&device, [32], 1)?, tensor(&device, [32], 2)?);
    axpy(instance, &mut x, &y).launch()?;
    let expected: Vec<f32> = numbers(32, 1)
        .iter()
        .zip(numbers(32, 2))
        .map(|(x, y)| x * 2.0 + y)
        .collect();
    assert_eq!(x.to_vec()?, expected);

    let whole = tensor(&device, [64], 3)?;
    // A view ends before its memory does, but an access beyond the view is detected.
    let short = whole.narrow(0, 8..30)?;
    let error = axpy(instance, &mut x, &short).launch();
    let text = error.clone().expect_err("y is too short").to_string();
    let simulated = fault(error);
    assert_eq!(simulated.ptx_line, 16);
    assert_eq!(simulated.instruction, "ld.global.f32 %f2, [%d2];");
    assert_eq!(
        (simulated.block, simulated.warp, simulated.lane),
        ([0, 0, 0], 0, Some(22))
    );
    assert!(
        simulated
            .reason
            .ends_with("byte 88 of `y`, which has 88 (extents [22], strides [1])"),
        "{}",
        simulated.reason
    );
    for part in [
        "`axpy` (src/kernels.rs:7)",
        "line 16",
        "lane 22",
        "0x",
        "`.only_block([0, 0, 0])`",
        "`TILE_LINEINFO=1`",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let report = sim::last_report().expect("a kernel ran");
    assert!(report.counters().is_none());
    assert_eq!(report.fault().map(|fault| fault.line), Some(16));
    Ok(())
}

#[test]
fn a_race_is_found() -> Result<()> {
    static ARCHS: [ArchImage; 1] = [ArchImage {
        threads: 64,
        ..ArchImage::PLAIN
    }];
    // Both warps store to x[0..32] without synchronization.
    let text = AXPY.replace("mov.u32 %r0, %tid.x;", "mov.u32 %r0, %laneid;");
    let variant = VariantImage::new(VariantKind::General, "axpy", fatbin(&text), &ARCHS);
    let variants = Box::leak(Box::new([variant]));
    let image = KernelImage::new("axpy", ("k.rs", 1), &["x", "y", "factor"], variants, &[]);
    let device = Device::sim();
    let (mut x, y) = (tensor(&device, [32], 1)?, tensor(&device, [32], 2)?);
    let simulated = fault(axpy(Box::leak(Box::new(Instance::new(image))), &mut x, &y).launch());
    assert!(
        simulated.reason.contains("races with"),
        "{}",
        simulated.reason
    );
    Ok(())
}

#[test]
fn ptx_that_cannot_be_run_is_refused_by_line() -> Result<()> {
    let device = Device::sim();
    let (mut x, y) = (tensor(&device, [32], 1)?, tensor(&device, [32], 2)?);
    let text = AXPY.replace("fma.rn.f32", "fmma.rn.f32");
    let error = axpy(instance(&text), &mut x, &y)
        .launch()
        .expect_err("unknown");
    assert!(
        matches!(error, Error::NotOnSim { kernel: "axpy", .. }),
        "{error}"
    );
    assert!(error.to_string().contains("fmma"), "{error}");
    let other = AXPY.replace("sm_80", "sm_90");
    let error = axpy(instance(&other), &mut x, &y)
        .launch()
        .expect_err("another architecture");
    assert!(
        error.to_string().contains("its PTX is for sm_90"),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_persistent_kernel_has_no_block_to_run_alone_and_its_faults_say_so() -> Result<()> {
    static ARCHS: [ArchImage; 1] = [ArchImage {
        persistent_blocks_per_sm: Some(1),
        ..ArchImage::PLAIN
    }];
    let text = AXPY.replace(
        ".param .f32 factor)",
        ".param .f32 factor, .param .u32 gx, .param .u32 gy, .param .u32 gz)",
    );
    let variant = VariantImage::new(VariantKind::General, "axpy", fatbin(&text), &ARCHS);
    let variants = Box::leak(Box::new([variant]));
    let image = KernelImage::new("axpy", ("k.rs", 1), &["x", "y", "factor"], variants, &[]);
    let instance = Box::leak(Box::new(Instance::new(image)));
    let device = Device::sim();
    let (mut x, y) = (tensor(&device, [32], 1)?, tensor(&device, [30], 2)?);
    let error = axpy(instance, &mut x, &y).only_block([0, 0, 0]).launch();
    assert!(
        matches!(error, Err(Error::NotAlone { kernel: "axpy", .. })),
        "{error:?}"
    );
    let simulated = fault(axpy(instance, &mut x, &y).launch());
    assert!(simulated.is_persistent);
    let text = simulated.to_string();
    assert!(
        text.contains("persistent kernel processes several work tiles")
            && !text.contains("only_block"),
        "{text}"
    );
    Ok(())
}
