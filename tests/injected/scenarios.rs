//! What programs do with a GPU. Each scenario checks its results, and has dropped everything when it returns.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};

use tile_kernel::foreign::{self, BorrowedMut, DeviceParts};
use tile_kernel::prelude::*;
use tile_kernel::{Event, Graph, HostBuffer, Result, f16};

use crate::driver;

/// Computes `x = x * factor + y`.
#[tile_kernel(grid = x.tiles([64]), arch("sm_80"))]
pub fn axpy(x: &mut Tensor<i32, 1>, y: &Tensor<i32, 1>, factor: i32) {
    let i = block_id(0);
    x.store([i], x.load([i], [64]) * factor + y.load([i], [64]));
}

/// Computes a matmul, with tensor maps and clusters.
#[tile_kernel(grid = c.tiles([64, 64]), cluster = 2, arch("sm_90a"))]
pub fn matmul(a: &Tensor<f16, 2>, b: &Tensor<f16, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([64, 64]);
    let b = b.partition([64, 64]);
    let mut acc = zeros::<f32>([64, 64]);
    for k in 0..a.num_tiles(1) {
        acc = mma(a.load([m, k]), b.load([k, n]), acc);
    }
    c.store([m, n], acc);
}

/// What a scenario needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Devices {
    /// Any, which may have been used.
    Used,
    /// Some that the program has not opened.
    New,
}

/// A scenario.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) devices: Devices,
    /// Takes the ordinals of two devices.
    pub(crate) run: fn([usize; 2]) -> Result<()>,
}

macro_rules! scenarios {
    ($($devices:ident $name:ident;)+) => {
        &[$(Scenario { name: stringify!($name), devices: Devices::$devices, run: $name }),+]
    };
}

/// All scenarios.
pub(crate) const ALL: &[Scenario] = scenarios! {
    New a_device_is_opened;
    New a_first_launch_loads_its_module;
    New a_launch_has_tensor_maps_and_clusters;
    Used a_launch_repeats;
    Used launches_are_on_several_streams;
    Used tensors_are_uploaded_downloaded_and_filled;
    Used buffers_are_copied;
    Used tensors_are_copied;
    Used devices_are_peers;
    Used events_are_recorded;
    Used a_graph_is_captured_and_launched;
    Used a_graph_is_updated;
    Used futures_are_awaited;
    Used memory_is_trimmed;
    Used other_code_lends_memory;
};

fn a_device_is_opened([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    assert!(device.name().contains("H100"));
    assert_eq!(device.arch().as_deref(), Some("sm_90"));
    Ok(())
}

fn numbers(device: Device, first: i32) -> Result<Tensor<i32, 1>> {
    let numbers: Vec<i32> = (first..).take(100).collect();
    Tensor::from_slice(&device, &numbers, [100])
}

/// Returns `x * factor + y`.
fn expected(x: i32, factor: i32, y: i32) -> Vec<i32> {
    (0..100).map(|i| (x + i) * factor + y + i).collect()
}

fn a_first_launch_loads_its_module([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let (mut x, y) = (numbers(device, 3)?, numbers(device, 5)?);
    axpy(&mut x, &y, 7).launch()?;
    assert_eq!(x.to_vec()?, expected(3, 7, 5));
    Ok(())
}

#[expect(clippy::float_cmp, reason = "sums of small integers are exact")]
fn a_launch_has_tensor_maps_and_clusters([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let a = Tensor::full(&device, [128, 64], f16::from_f32(2.0))?;
    let b = Tensor::full(&device, [64, 64], f16::from_f32(3.0))?;
    let mut c = Tensor::zeros(&device, [128, 64])?;
    matmul(&a, &b, &mut c).launch()?;
    assert!(c.to_vec()?.iter().all(|&value| value == 384.0));
    Ok(())
}

fn a_launch_repeats([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let (mut x, y) = (numbers(device, 0)?, numbers(device, 0)?);
    for _ in 0..3 {
        axpy(&mut x, &y, 1).launch()?;
    }
    assert_eq!(x.to_vec()?, expected(0, 3, 0));
    Ok(())
}

fn launches_are_on_several_streams([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let streams = [
        Stream::new(&device)?,
        Stream::with_priority(&device, i32::MIN)?,
    ];
    let (mut x, y) = (numbers(device, 0)?, numbers(device, 1)?);
    let mut z = Tensor::zeros(&device, [100])?;
    axpy(&mut x, &y, 2).on(&streams[0]).launch()?;
    axpy(&mut z, &x, 1).on(&streams[1]).launch()?;
    axpy(&mut x, &z, 1).on(&streams[0]).launch()?;
    streams[1].synchronize()?;
    drop(z);
    assert_eq!(
        x.to_vec()?,
        (0..100).map(|i| 6 * i + 2).collect::<Vec<i32>>()
    );
    Ok(())
}

fn tensors_are_uploaded_downloaded_and_filled([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let mut x = numbers(device, 4)?;
    x.copy_from_slice(&[6; 100])?;
    assert_eq!(x.to_vec()?, [6; 100]);
    x.fill(0x0102_0304)?;
    assert_eq!(x.copy()?.to_vec()?, [0x0102_0304; 100]);
    assert_eq!(Tensor::full(&device, [9], 7u16)?.to_vec()?, [7; 9]);
    assert_eq!(Tensor::full(&device, [9], 7u8)?.to_vec()?, [7; 9]);
    assert_eq!(Tensor::full(&device, [9], 0.1f64)?.to_vec()?, [0.1; 9]);
    assert_eq!(x.to_device(&Device::cpu())?.to_vec()?, [0x0102_0304; 100]);
    Ok(())
}

fn buffers_are_copied([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let stream = Stream::new(&device)?;
    let y = numbers(device, 0)?;
    let mut x = Tensor::zeros(&device, [100])?;
    let mut buffer = HostBuffer::from_slice(&device, &[1; 100])?;
    x.copy_from_async(&buffer, &stream)?;
    axpy(&mut x, &y, 2).on(&stream).launch()?;
    let mut copy = HostBuffer::zeros(&device, 100)?;
    x.copy_to_async(&mut copy, &stream)?;
    buffer.write()?.fill(3);
    assert_eq!(
        copy.read()?[..],
        (0..100).map(|i| i + 2).collect::<Vec<i32>>()
    );
    // The memory of both is used when they are dropped.
    x.copy_from_async(&buffer, &stream)?;
    x.copy_to_async(&mut copy, &stream)
}

fn tensors_are_copied([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let stream = Stream::new(&device)?;
    let (x, mut y) = (numbers(device, 4)?, Tensor::zeros(&device, [100])?);
    y.copy_from_tensor_async(&x, &stream)?;
    drop(x);
    assert_eq!(
        y.to_vec()?,
        expected(4, 1, 0)
            .iter()
            .zip(0..)
            .map(|(x, i)| x - i)
            .collect::<Vec<i32>>()
    );
    let (mut front, back) = (y.narrow(0, 0..50)?, y.narrow(0, 50..100)?);
    front.copy_from_tensor_async(&back, &stream)?;
    assert_eq!(y.to_vec()?[0], 54);
    Ok(())
}

fn devices_are_peers(ordinals: [usize; 2]) -> Result<()> {
    let here = Device::cuda(ordinals[0])?;
    let there = Device::cuda(ordinals[1])?;
    let (x, mut y) = (numbers(here, 4)?, Tensor::zeros(&there, [100])?);
    let stream = Stream::new(&there)?;
    y.copy_from_tensor_async(&x, &stream)?;
    there.enable_peer_access(&here)?;
    axpy(&mut y, &x, 2).on(&stream).launch()?;
    stream.synchronize()?;
    let event = stream.record()?;
    Stream::of_device(&here)?.wait(&event)?;
    assert_eq!(
        y.to_vec()?,
        (0..100).map(|i| 3 * (4 + i)).collect::<Vec<i32>>()
    );
    Ok(())
}

fn events_are_recorded([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let (start, end) = (Event::new(&device)?, Event::new(&device)?);
    start.record(&stream)?;
    let mut x = Tensor::zeros(&device, [100])?;
    axpy(&mut x, &numbers(device, 0)?, 1).on(&stream).launch()?;
    end.record(&stream)?;
    other.wait(&end)?;
    end.synchronize()?;
    assert!(start.is_complete()? && start.elapsed(&end)? < std::time::Duration::from_secs(60));
    Ok(())
}

fn a_graph_is_captured_and_launched([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let (mut x, y) = (Tensor::zeros(&device, [100])?, numbers(device, 0)?);
    let (event, outside) = (Event::new(&device)?, other.record()?);
    let mut output = HostBuffer::zeros(&device, 100)?;
    let graph = Graph::capture(&stream, || {
        stream.wait(&outside)?;
        x.copy_from_slice(&[2; 100])?;
        axpy(&mut x, &y, 1).launch()?;
        event.record(&stream)?;
        let z = Tensor::full(&device, [100], 1)?;
        other.wait(&event)?;
        axpy(&mut x, &z, 1).on(&other).launch()?;
        x.copy_to_async(&mut output, &other)
    })?;
    let graph = graph.instantiate()?;
    graph.launch(&stream)?;
    assert_eq!(
        output.read()?[..],
        (0..100).map(|i| 3 + i).collect::<Vec<i32>>()
    );
    // It runs when it is dropped.
    graph.launch(&other)
}

fn a_graph_is_updated([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let stream = Stream::of_device(&device)?;
    let (mut x, y) = (numbers(device, 1)?, numbers(device, 0)?);
    let mut capture = |factor, times| {
        Graph::capture(&stream, || {
            (0..times).try_for_each(|_| axpy(&mut x, &y, factor).launch())
        })
    };
    let (one, other, longer) = (capture(1, 1)?, capture(2, 1)?, capture(1, 2)?);
    let mut graph = one.instantiate()?;
    graph.update(&other)?;
    graph.launch(&stream)?;
    // The driver does not do this in place.
    graph.update(&longer)?;
    graph.launch(&stream)?;
    assert_eq!(
        x.to_vec()?,
        (0..100).map(|i| 2 * (1 + i) + 3 * i).collect::<Vec<i32>>()
    );
    Ok(())
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Arc::new(Unpark(thread::current())).into();
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => break output,
            Poll::Pending => thread::park(),
        }
    }
}

fn futures_are_awaited([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let stream = Stream::new(&device)?;
    let (mut x, y) = (numbers(device, 0)?, numbers(device, 0)?);
    block_on(axpy(&mut x, &y, 1).on(&stream).launch_async())?;
    block_on(async { stream.completion()?.await })?;
    stream.completion()?.wait()?;
    let (sender, receiver) = mpsc::channel();
    let before = driver::count("event");
    stream.on_complete(move |result| {
        let sent = sender.send((result, driver::count("event")));
        sent.expect("it is received");
    })?;
    let (result, events) = receiver.recv().expect("the function is called");
    // An event that cannot be destroyed stays.
    if !driver::is_failing() {
        assert_eq!(events, before, "the event is destroyed before the call");
    }
    result?;
    assert_eq!(x.to_vec()?, expected(0, 1, 0));
    Ok(())
}

fn memory_is_trimmed([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let x = numbers(device, 0)?;
    let usage = device.memory_usage()?.expect("it has a pool");
    assert!(usage.used >= 400);
    drop(x);
    device.trim_memory()?;
    assert!(device.stream_priorities()?.contains(&0));
    device.synchronize()
}

fn other_code_lends_memory([first, _]: [usize; 2]) -> Result<()> {
    let device = Device::cuda(first)?;
    let owner = numbers(device, 1)?;
    lend(device, &owner).inspect_err(|_| {
        // The owner knows no work of other code, and has to wait for it before it drops its memory.
        let _ = device.synchronize();
    })
}

fn lend(device: Device, owner: &Tensor<i32, 1>) -> Result<()> {
    // SAFETY: null is the default stream of the driver, which is always there.
    let stream = unsafe { foreign::Stream::from_raw(&device, std::ptr::null_mut()) }?;
    stream.wait_for(owner)?;
    let parts = DeviceParts {
        address: foreign::address(owner),
        len: 100,
        shape: [100],
        strides: [1],
    };
    // SAFETY: the memory is that of `owner`, which is not used until the borrow has ended.
    let mut borrowed = unsafe { BorrowedMut::<i32, 1>::from_device_ptr(&stream, parts) }?;
    let y = numbers(device, 0)?;
    axpy(&mut borrowed, &y, 2).on(&stream).launch()?;
    let other = Stream::new(&device)?;
    axpy(&mut borrowed, &y, 2).on(&other).launch()?;
    // Whatever it returns, the stream is behind both launches now.
    let ended = borrowed.end();
    stream.precede(owner)?;
    assert_eq!(
        owner.to_vec()?,
        (0..100).map(|i| 4 * (1 + i) + 3 * i).collect::<Vec<i32>>()
    );
    ended
}
