//! What `docs/host.md` promises of one device.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};
use std::time::Duration;

use tile_kernel::prelude::*;
use tile_kernel::{Error, Event, Graph, HostBuffer, Result};

/// Computes `x = x * factor + y`.
#[tile_kernel(grid = x.tiles([64]), arch("sm_80"))]
pub fn axpy(x: &mut Tensor<f32, 1>, y: &Tensor<f32, 1>, factor: f32) {
    let i = block_id(0);
    x.store([i], x.load([i], [64]) * factor + y.load([i], [64]));
}

/// Sums a tensor.
#[tile_kernel(arch("sm_80"))]
pub fn total(x: &Tensor<f32, 1>, tiles: i32, sum: &mut Tensor<f32, 1>) {
    let all = parallel(0..tiles)
        .map(|i| x.load([i], [64]).sum(0))
        .reduce(0.0, |a, b| a + b);
    sum.store([0], full([1], all));
}

/// A case.
pub(crate) type Case = fn(Device) -> Result<()>;

macro_rules! cases {
    ($($name:ident),+ $(,)?) => { &[$((stringify!($name), $name as Case)),+] };
}

/// All cases, by name.
pub(crate) const ALL: &[(&str, Case)] = cases![
    work_on_a_tensor_is_in_order_on_any_streams,
    priorities_are_a_range_that_streams_take,
    dropped_memory_is_given_back_on_demand,
    an_event_has_a_time_and_is_waited_for,
    an_event_that_was_not_recorded_is_refused,
    an_event_can_be_recorded_again,
    buffers_are_copied_there_and_back,
    views_are_copied_in_row_major_order,
    a_guard_and_a_copy_exclude_each_other,
    buffers_and_tensors_may_be_dropped_before_the_copy,
    copies_of_other_lengths_are_refused,
    a_tensor_is_copied_to_another,
    a_capture_runs_nothing_and_a_launch_everything,
    what_a_graph_allocates_is_set_again_by_every_launch,
    a_graph_keeps_what_it_uses,
    a_graph_is_updated_with_other_arguments_and_other_work,
    a_graph_takes_the_streams_of_its_closure,
    a_graph_is_in_order_with_launches_on_other_streams,
    events_of_a_graph_are_recorded_by_its_launches,
    what_a_graph_cannot_contain_is_refused,
    a_capture_ends_with_its_closure,
    a_graph_and_a_guard_exclude_each_other,
    an_empty_graph_does_nothing,
    graphs_are_launched_by_several_threads,
    threads_launch_on_views_of_one_tensor,
    futures_of_launches_are_awaited,
    futures_may_be_dropped,
    functions_are_called_after_the_work,
    a_launch_that_is_refused_is_the_result_of_its_future,
];

fn ones(device: Device, len: usize) -> Result<Tensor<f32, 1>> {
    Tensor::full(&device, [len], 1.0)
}

fn work_on_a_tensor_is_in_order_on_any_streams(device: Device) -> Result<()> {
    let streams = [Stream::new(&device)?, Stream::new(&device)?];
    let (mut x, mut y) = (ones(device, 200)?, ones(device, 200)?);
    for round in 0..6 {
        let stream = &streams[round % 2];
        if round % 2 == 0 {
            axpy(&mut x, &y, 1.0).on(stream).launch()?;
        } else {
            axpy(&mut y, &x, 1.0).on(stream).launch()?;
        }
    }
    // Fibonacci numbers from 1, 1.
    assert_eq!(x.to_vec()?, [13.0; 200]);
    assert_eq!(y.to_vec()?, [21.0; 200]);
    Ok(())
}

fn priorities_are_a_range_that_streams_take(device: Device) -> Result<()> {
    let range = device.stream_priorities()?;
    assert!(range.contains(&0), "{range:?}");
    let (mut x, y) = (ones(device, 100)?, ones(device, 100)?);
    // A number outside of the range is a priority too.
    for priority in [*range.start(), *range.end(), i32::MIN, i32::MAX] {
        let stream = Stream::with_priority(&device, priority)?;
        axpy(&mut x, &y, 1.0).on(&stream).launch()?;
    }
    assert_eq!(x.to_vec()?, [5.0; 100]);
    Ok(())
}

fn dropped_memory_is_given_back_on_demand(device: Device) -> Result<()> {
    let bytes = 1 << 20;
    let x = Tensor::<u8, 1>::zeros(&device, [bytes])?;
    let Some(usage) = device.memory_usage()? else {
        assert!(!device.is_cuda());
        return device.trim_memory();
    };
    // Other cases may run at the same time.
    assert!(
        usage.used >= bytes as u64 && usage.held >= usage.used,
        "{usage:?}"
    );
    drop(x);
    device.trim_memory()
}

fn an_event_has_a_time_and_is_waited_for(device: Device) -> Result<()> {
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let (mut x, y) = (ones(device, 100)?, ones(device, 100)?);
    let start = stream.record()?;
    axpy(&mut x, &y, 1.0).on(&stream).launch()?;
    let end = stream.record()?;
    other.wait(&end)?;
    let after = other.record()?;
    after.synchronize()?;
    assert!(start.is_complete()? && end.is_complete()? && after.is_complete()?);
    assert!(start.elapsed(&end)? <= start.elapsed(&after)?);
    assert!(start.elapsed(&after)? < Duration::from_secs(60));
    assert_eq!(after.elapsed(&start)?, Duration::ZERO);
    Ok(())
}

fn an_event_that_was_not_recorded_is_refused(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let (event, recorded) = (Event::new(&device)?, stream.record()?);
    assert_eq!(event.synchronize(), Err(Error::EventNotRecorded));
    assert_eq!(event.is_complete(), Err(Error::EventNotRecorded));
    assert_eq!(stream.wait(&event), Err(Error::EventNotRecorded));
    assert_eq!(recorded.elapsed(&event), Err(Error::EventNotRecorded));
    assert_eq!(
        Graph::capture(&stream, || stream.wait(&event)).map(drop),
        Err(Error::EventNotRecorded)
    );
    if device != Device::cpu() {
        let here = Event::new(&Device::cpu())?;
        assert!(matches!(
            here.record(&stream),
            Err(Error::OtherDevice {
                what: "the event",
                ..
            })
        ));
        let here = Stream::new(&Device::cpu())?.record()?;
        assert!(matches!(
            recorded.elapsed(&here),
            Err(Error::OtherDevice { .. })
        ));
    }
    Ok(())
}

fn an_event_can_be_recorded_again(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let (event, clone) = (stream.record()?, stream.record()?);
    let start = clone.clone();
    event.synchronize()?;
    let before = start.elapsed(&event)?;
    // Of the simulated devices, only work takes time; of the others, this is work too.
    let (mut x, y) = (ones(device, 1000)?, ones(device, 1000)?);
    axpy(&mut x, &y, 1.0).on(&stream).launch()?;
    event.record(&stream)?;
    assert!(start.elapsed(&event)? > before);
    Ok(())
}

fn buffers_are_copied_there_and_back(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let mut buffer = HostBuffer::from_slice(&device, &[1.0, 2.0, 3.0])?;
    assert_eq!((buffer.len(), buffer.is_empty()), (3, false));
    let (mut x, y) = (Tensor::zeros(&device, [3])?, ones(device, 3)?);
    for _ in 0..3 {
        x.copy_from_async(&buffer, &stream)?;
        axpy(&mut x, &y, 2.0).launch()?;
        x.copy_to_async(&mut buffer, &stream)?;
    }
    assert_eq!(buffer.read()?[..], [15.0, 23.0, 31.0]);
    buffer.write()?[1] = 5.0;
    x.copy_from_async(&buffer, &stream)?;
    assert_eq!(x.to_vec()?, [15.0, 5.0, 31.0]);
    let bytes = HostBuffer::<u8>::zeros(&device, 5)?;
    let mut tensor = Tensor::full(&device, [5], 7u8)?;
    tensor.copy_from_async(&bytes, &stream)?;
    assert_eq!(tensor.to_vec()?, [0; 5]);
    let mut none = HostBuffer::<u8>::zeros(&device, 0)?;
    Tensor::zeros(&device, [0])?.copy_to_async(&mut none, &stream)?;
    assert!(none.is_empty() && none.read()?.is_empty());
    Ok(())
}

fn views_are_copied_in_row_major_order(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let matrix = Tensor::<i32, 2>::zeros(&device, [2, 3])?;
    let mut buffer = HostBuffer::from_slice(&device, &[1, 2, 3, 4, 5, 6])?;
    matrix.t().copy_from_async(&buffer, &stream)?;
    assert_eq!(matrix.to_vec()?, [1, 3, 5, 2, 4, 6]);
    matrix.copy_to_async(&mut buffer, &stream)?;
    assert_eq!(buffer.read()?[..], [1, 3, 5, 2, 4, 6]);
    let mut column = HostBuffer::zeros(&device, 2)?;
    matrix
        .narrow(1, 1..2)?
        .copy_to_async(&mut column, &stream)?;
    assert_eq!(column.read()?[..], [3, 4]);
    Ok(())
}

fn a_guard_and_a_copy_exclude_each_other(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let buffer = HostBuffer::from_slice(&device, &[1.0f32; 8])?;
    let mut x = Tensor::zeros(&device, [8])?;
    // Both read.
    let guard = buffer.read()?;
    x.copy_from_async(&buffer, &stream)?;
    assert_eq!((&guard[..], x.to_vec()?), (&[1.0; 8][..], vec![1.0; 8]));
    Ok(())
}

#[expect(clippy::float_cmp, reason = "copies are exact")]
fn buffers_and_tensors_may_be_dropped_before_the_copy(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let mut x = Tensor::zeros(&device, [1 << 16])?;
    let mut sums = Vec::new();
    for round in 1..=4u8 {
        let buffer = HostBuffer::from_slice(&device, &vec![f32::from(round); 1 << 16])?;
        x.copy_from_async(&buffer, &stream)?;
        drop(buffer);
        let mut copy = HostBuffer::zeros(&device, 1 << 16)?;
        let other = x.copy()?;
        other.copy_to_async(&mut copy, &stream)?;
        drop(other);
        sums.push(copy);
    }
    drop(stream);
    for (round, copy) in (1..=4u8).zip(&sums) {
        assert!(copy.read()?.iter().all(|&value| value == f32::from(round)));
    }
    Ok(())
}

fn copies_of_other_lengths_are_refused(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let mut buffer = HostBuffer::<f32>::zeros(&device, 5)?;
    let mut x = Tensor::<f32, 2>::zeros(&device, [2, 3])?;
    let expected = Error::LengthMismatch {
        len: 5,
        shape: vec![2, 3],
        expected: 6,
    };
    assert_eq!(x.copy_from_async(&buffer, &stream), Err(expected.clone()));
    assert_eq!(x.copy_to_async(&mut buffer, &stream), Err(expected));
    let most = HostBuffer::<f64>::zeros(&device, usize::MAX);
    assert!(matches!(most.map(drop), Err(Error::ShapeTooLarge { .. })));
    if device != Device::cpu() {
        let here = Stream::new(&Device::cpu())?;
        let buffer = HostBuffer::zeros(&device, 6)?;
        assert!(matches!(
            x.copy_from_async(&buffer, &here),
            Err(Error::OtherDevice { .. })
        ));
    }
    Ok(())
}

fn a_tensor_is_copied_to_another(device: Device) -> Result<()> {
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let (mut x, y) = (Tensor::zeros(&device, [100])?, ones(device, 100)?);
    axpy(&mut x, &y, 1.0).on(&other).launch()?;
    let mut z = Tensor::zeros(&device, [100])?;
    z.copy_from_tensor_async(&x, &stream)?;
    axpy(&mut x, &y, 1.0).on(&other).launch()?;
    assert_eq!((x.to_vec()?, z.to_vec()?), (vec![2.0; 100], vec![1.0; 100]));
    let mut shifted = z.narrow(0, 1..100)?;
    shifted.fill(3.0)?;
    let mut front = z.narrow(0, 0..99)?;
    front.copy_from_tensor_async(&shifted, &stream)?;
    assert_eq!(z.to_vec()?, [3.0; 100]);
    let error = z.copy_from_tensor_async(&shifted, &stream);
    assert!(matches!(
        error,
        Err(Error::LengthMismatch {
            len: 99,
            expected: 100,
            ..
        })
    ));
    Ok(())
}

fn a_capture_runs_nothing_and_a_launch_everything(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let (mut x, y) = (ones(device, 100)?, ones(device, 100)?);
    let mut output = HostBuffer::zeros(&device, 100)?;
    let graph = Graph::capture(&stream, || {
        axpy(&mut x, &y, 2.0).launch()?;
        x.copy_to_async(&mut output, &stream)?;
        axpy(&mut x, &y, 2.0).on(&stream).launch()
    })?;
    assert_eq!(
        (graph.len(), graph.is_empty(), graph.device()),
        (3, false, device)
    );
    assert_eq!(x.to_vec()?, [1.0; 100]);
    let graph = graph.instantiate()?;
    assert_eq!(x.to_vec()?, [1.0; 100]);
    for (after, copied) in [(7.0, 3.0), (31.0, 15.0), (127.0, 63.0)] {
        graph.launch(&stream)?;
        assert_eq!(output.read()?[..], [copied; 100]);
        assert_eq!(x.to_vec()?, [after; 100]);
    }
    Ok(())
}

fn what_a_graph_allocates_is_set_again_by_every_launch(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let y = ones(device, 100)?;
    let mut results = Vec::new();
    let graph = Graph::capture(&stream, || {
        let mut zero = Tensor::zeros(&device, [100])?;
        let mut slice = Tensor::from_slice(&device, &[5.0; 100], [100])?;
        let mut full = Tensor::full(&device, [100], 7.0f32)?;
        for x in [&mut zero, &mut slice, &mut full] {
            axpy(x, &y, 1.0).launch()?;
        }
        let wide = Tensor::full(&device, [10], 0.1f64)?;
        let mut sum = Tensor::zeros(&device, [1])?;
        total(&slice, 2, &mut sum).launch()?;
        results.push((zero, slice, full, wide, sum));
        Ok(())
    })?;
    let graph = graph.instantiate()?;
    for _ in 0..2 {
        graph.launch(&stream)?;
        for (zero, slice, full, wide, sum) in &results {
            assert_eq!(zero.to_vec()?, [1.0; 100]);
            assert_eq!(slice.to_vec()?, [6.0; 100]);
            assert_eq!(full.to_vec()?, [8.0; 100]);
            assert_eq!(wide.to_vec()?, [0.1; 10]);
            assert_eq!(sum.to_vec()?, [600.0]);
        }
    }
    Ok(())
}

fn a_graph_keeps_what_it_uses(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let mut x = Tensor::zeros(&device, [1 << 12])?;
    let graph = {
        let y = ones(device, 1 << 12)?;
        let input = HostBuffer::from_slice(&device, &vec![2.0; 1 << 12])?;
        let mut z = Tensor::zeros(&device, [1 << 12])?;
        let stream = Stream::new(&device)?;
        Graph::capture(&stream, || {
            z.copy_from_async(&input, &stream)?;
            axpy(&mut z, &y, 1.0).launch()?;
            axpy(&mut x, &z, 1.0).launch()
        })?
        .instantiate()?
    };
    // These are probably allocated where freed memory was.
    let _other = (
        Tensor::full(&device, [1 << 12], f32::NAN)?,
        HostBuffer::from_slice(&device, &vec![f32::NAN; 1 << 12])?,
    );
    graph.launch(&stream)?;
    graph.launch(&stream)?;
    drop(graph);
    let _other = Tensor::full(&device, [1 << 12], f32::NAN)?;
    assert_eq!(x.to_vec()?, vec![6.0; 1 << 12]);
    Ok(())
}

fn a_graph_is_updated_with_other_arguments_and_other_work(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let (mut x, mut z, y) = (ones(device, 100)?, ones(device, 100)?, ones(device, 100)?);
    let mut scaled = |factor| Graph::capture(&stream, || axpy(&mut x, &y, factor).launch());
    let (twice, thrice) = (scaled(2.0)?, scaled(3.0)?);
    let mut graph = twice.instantiate()?;
    graph.launch(&stream)?;
    graph.update(&thrice)?;
    graph.launch(&stream)?;
    assert_eq!(x.to_vec()?, [10.0; 100]);
    // Other tensors.
    graph.update(&Graph::capture(&stream, || axpy(&mut z, &x, 1.0).launch())?)?;
    graph.launch(&stream)?;
    assert_eq!(z.to_vec()?, [11.0; 100]);
    // More work, of other kinds.
    graph.update(&Graph::capture(&stream, || {
        x.fill(1.0)?;
        axpy(&mut z, &x, 1.0).launch()?;
        axpy(&mut z, &x, 1.0).launch()
    })?)?;
    graph.launch(&stream)?;
    assert_eq!(
        (x.to_vec()?, z.to_vec()?),
        (vec![1.0; 100], vec![13.0; 100])
    );
    graph.update(&twice)?;
    graph.launch(&stream)?;
    assert_eq!(x.to_vec()?, [3.0; 100]);
    if device != Device::cpu() {
        let here = Graph::capture(&Stream::new(&Device::cpu())?, || Ok(()))?;
        assert!(matches!(
            graph.update(&here),
            Err(Error::OtherDevice {
                what: "the graph",
                ..
            })
        ));
    }
    Ok(())
}

fn a_graph_takes_the_streams_of_its_closure(device: Device) -> Result<()> {
    let [first, second, third] = [
        Stream::new(&device)?,
        Stream::new(&device)?,
        Stream::new(&device)?,
    ];
    let mut tensors = [ones(device, 100)?, ones(device, 100)?, ones(device, 100)?];
    let y = ones(device, 100)?;
    let outside = third.record()?;
    let graph = Graph::capture(&first, || {
        let [a, b, c] = &mut tensors;
        axpy(a, &y, 1.0).on(&first).launch()?;
        axpy(b, &y, 2.0).on(&second).launch()?;
        axpy(c, a, 1.0).on(&third).launch()?;
        let event = second.record()?;
        first.wait(&event)?;
        first.wait(&outside)?;
        axpy(a, b, 1.0).on(&first).launch()
    })?;
    let graph = graph.instantiate()?;
    graph.launch(&second)?;
    graph.launch(&third)?;
    let [a, b, c] = tensors;
    assert_eq!(a.to_vec()?, [13.0; 100]);
    assert_eq!(b.to_vec()?, [7.0; 100]);
    assert_eq!(c.to_vec()?, [9.0; 100]);
    Ok(())
}

fn a_graph_is_in_order_with_launches_on_other_streams(device: Device) -> Result<()> {
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let (mut x, mut y) = (ones(device, 1000)?, ones(device, 1000)?);
    let graph = Graph::capture(&stream, || axpy(&mut x, &y, 1.0).launch())?.instantiate()?;
    for _ in 0..3 {
        graph.launch(&stream)?;
        axpy(&mut y, &x, 1.0).on(&other).launch()?;
    }
    assert_eq!(
        (x.to_vec()?, y.to_vec()?),
        (vec![13.0; 1000], vec![21.0; 1000])
    );
    Ok(())
}

fn events_of_a_graph_are_recorded_by_its_launches(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let (mut x, y) = (ones(device, 100)?, ones(device, 100)?);
    let (start, end) = (Event::new(&device)?, Event::new(&device)?);
    let graph = Graph::capture(&stream, || {
        start.record(&stream)?;
        axpy(&mut x, &y, 1.0).launch()?;
        end.record(&stream)
    })?;
    let graph = graph.instantiate()?;
    assert_eq!(start.synchronize(), Err(Error::EventNotRecorded));
    graph.launch(&stream)?;
    let once = start.elapsed(&end)?;
    assert!(once < Duration::from_secs(60), "{once:?}");
    let first = stream.record()?;
    graph.launch(&stream)?;
    end.synchronize()?;
    assert!(first.elapsed(&end)? >= start.elapsed(&end)?);
    Ok(())
}

fn what_a_graph_cannot_contain_is_refused(device: Device) -> Result<()> {
    fn refused<T>(result: Result<T>) {
        assert!(matches!(result.map(drop), Err(Error::Capturing { .. })));
    }
    let stream = Stream::new(&device)?;
    let (mut x, y) = (ones(device, 100)?, ones(device, 100)?);
    let event = stream.record()?;
    let mut empty = Graph::capture(&stream, || Ok(()))?.instantiate()?;
    let graph = Graph::capture(&stream, || {
        refused(x.to_vec());
        refused(x.copy());
        refused(stream.synchronize());
        refused(device.synchronize());
        refused(event.synchronize());
        refused(stream.completion());
        refused(stream.on_complete(drop));
        refused(axpy(&mut x, &y, 1.0).launch_async().wait());
        refused(Graph::capture(&stream, || Ok(())));
        refused(empty.launch(&stream));
        if device != Device::cpu() {
            refused(Tensor::<f32, 1>::zeros(&Device::cpu(), [1]));
        }
        let again = Graph::capture(&stream, || Ok(()));
        refused(again);
        axpy(&mut x, &y, 1.0).launch()
    })?;
    assert_eq!(graph.len(), 1);
    let refusal = Graph::capture(&stream, || empty.update(&graph));
    refused(refusal);
    assert_eq!(x.to_vec()?, [1.0; 100]);
    Ok(())
}

fn a_capture_ends_with_its_closure(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let (mut x, y) = (ones(device, 100)?, ones(device, 100)?);
    let error = Graph::capture(&stream, || {
        axpy(&mut x, &y, 1.0).launch()?;
        x.to_vec().map(drop)
    });
    assert!(matches!(error, Err(Error::Capturing { .. })));
    axpy(&mut x, &y, 1.0).launch()?;
    let panic = catch_unwind(AssertUnwindSafe(|| {
        Graph::capture(&stream, || panic!("of the test"))
    }));
    assert!(panic.is_err());
    axpy(&mut x, &y, 1.0).launch()?;
    assert_eq!(x.to_vec()?, [3.0; 100]);
    // Another thread is not captured.
    let graph = Graph::capture(&stream, || {
        thread::scope(|scope| {
            scope
                .spawn(|| axpy(&mut x, &y, 1.0).launch())
                .join()
                .expect("no panic")
        })
    })?;
    assert!(graph.is_empty());
    assert_eq!(x.to_vec()?, [4.0; 100]);
    Ok(())
}

fn a_graph_and_a_guard_exclude_each_other(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let (mut input, mut output) = (
        HostBuffer::zeros(&device, 8)?,
        HostBuffer::zeros(&device, 8)?,
    );
    let mut x = Tensor::<f32, 1>::zeros(&device, [8])?;
    let graph = Graph::capture(&stream, || {
        x.copy_from_async(&input, &stream)?;
        x.copy_to_async(&mut output, &stream)
    })?;
    let graph = graph.instantiate()?;
    let guard = input.write()?;
    assert_eq!(graph.launch(&stream), Err(Error::HostBufferInUse));
    drop(guard);
    let guard = output.read()?;
    assert_eq!(graph.launch(&stream), Err(Error::HostBufferInUse));
    drop(guard);
    // The graph reads it, as this guard does.
    let guard = input.read()?;
    graph.launch(&stream)?;
    drop(guard);
    input.write()?.fill(1.0);
    graph.launch(&stream)?;
    assert_eq!(output.read()?[..], [1.0; 8]);
    Ok(())
}

fn an_empty_graph_does_nothing(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let graph = Graph::capture(&stream, || Ok(()))?;
    assert!(graph.is_empty());
    let exec = graph.instantiate()?;
    exec.launch(&stream)?;
    stream.synchronize()?;
    if device != Device::cpu() {
        let here = Stream::new(&Device::cpu())?;
        assert!(matches!(
            exec.launch(&here),
            Err(Error::OtherDevice {
                what: "the graph",
                ..
            })
        ));
    }
    Ok(())
}

fn graphs_are_launched_by_several_threads(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let (mut x, y) = (ones(device, 100)?, ones(device, 100)?);
    let mut output = HostBuffer::zeros(&device, 100)?;
    let graph = Graph::capture(&stream, || {
        axpy(&mut x, &y, 1.0).launch()?;
        x.copy_to_async(&mut output, &stream)
    })?;
    let graph = graph.instantiate()?;
    thread::scope(|scope| {
        let threads = [(); 3].map(|()| {
            scope.spawn(|| {
                let stream = Stream::new(&device)?;
                (0..5).try_for_each(|_| graph.launch(&stream))
            })
        });
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    assert_eq!(x.to_vec()?, [16.0; 100]);
    assert_eq!(output.read()?[..], [16.0; 100]);
    Ok(())
}

fn threads_launch_on_views_of_one_tensor(device: Device) -> Result<()> {
    let (x, y) = (ones(device, 100)?, ones(device, 100)?);
    thread::scope(|scope| {
        let threads = [(); 4].map(|()| {
            scope.spawn(|| {
                let stream = Stream::new(&device)?;
                let mut view = x.narrow(0, ..)?;
                (0..25).try_for_each(|_| axpy(&mut view, &y, 1.0).on(&stream).launch())
            })
        });
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    assert_eq!(x.to_vec()?, [101.0; 100]);
    Ok(())
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let (mut future, waker) = (pin!(future), Arc::new(Unpark(thread::current())).into());
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => break output,
            Poll::Pending => thread::park(),
        }
    }
}

fn futures_of_launches_are_awaited(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let (mut x, mut z, y) = (ones(device, 100)?, ones(device, 100)?, ones(device, 100)?);
    block_on(async {
        axpy(&mut x, &y, 1.0).launch_async().await?;
        // Two at once, awaited in the other order.
        let first = axpy(&mut x, &y, 1.0).on(&stream).launch_async();
        let second = axpy(&mut z, &y, 1.0).launch_async();
        second.await?;
        first.await?;
        stream.completion()?.await
    })?;
    let finished = stream.completion()?;
    finished.wait()?;
    let finished = stream.completion()?;
    stream.synchronize()?;
    assert!(finished.is_complete()?);
    assert_eq!((x.to_vec()?, z.to_vec()?), (vec![3.0; 100], vec![2.0; 100]));
    Ok(())
}

fn futures_may_be_dropped(device: Device) -> Result<()> {
    let (mut x, y) = (ones(device, 100)?, ones(device, 100)?);
    drop(axpy(&mut x, &y, 1.0).launch_async());
    let mut polled = axpy(&mut x, &y, 1.0).launch_async();
    let waker = Arc::new(Unpark(thread::current())).into();
    let _ = std::pin::Pin::new(&mut polled).poll(&mut Context::from_waker(&waker));
    drop(polled);
    assert_eq!(x.to_vec()?, [3.0; 100]);
    Ok(())
}

fn functions_are_called_after_the_work(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let (mut x, y) = (ones(device, 100)?, ones(device, 100)?);
    let (sender, receiver) = mpsc::channel();
    for number in 0..3 {
        axpy(&mut x, &y, 1.0).on(&stream).launch()?;
        let sender = sender.clone();
        // A function may panic, and may use the device.
        stream.on_complete(move |result| {
            result.expect("the kernel runs");
            let value = Tensor::full(&device, [1], number).and_then(|tensor| tensor.to_vec());
            sender.send(value).expect("the test waits");
            panic!("of the test");
        })?;
    }
    let mut called = Vec::new();
    for _ in 0..3 {
        called.extend(receiver.recv().expect("every function is called")?);
    }
    called.sort_unstable();
    assert_eq!(called, [0, 1, 2]);
    assert_eq!(x.to_vec()?, [4.0; 100]);
    Ok(())
}

fn a_launch_that_is_refused_is_the_result_of_its_future(device: Device) -> Result<()> {
    let mut x = ones(device, 100)?;
    let view = x.narrow(0, 0..100)?;
    let result = block_on(axpy(&mut x, &view, 1.0).launch_async());
    assert!(matches!(result, Err(Error::Aliasing { .. })), "{result:?}");
    Ok(())
}
