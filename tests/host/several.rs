//! What `docs/host.md` promises of several devices.

use std::thread;

use tile_kernel::prelude::*;
use tile_kernel::{Error, Result};

use crate::all_reduce::{Group, Steps, add, add_part, connect, copy_parts};
use crate::cases::axpy;

/// A case.
pub(crate) type Case = fn(&[Device]) -> Result<()>;

macro_rules! cases {
    ($($name:ident),+ $(,)?) => { &[$((stringify!($name), $name as Case)),+] };
}

/// All cases, by name.
pub(crate) const ALL: &[(&str, Case)] = cases![
    tensors_are_copied_between_devices,
    a_tensor_of_another_device_needs_peer_access,
    work_of_two_devices_on_one_tensor_is_in_order,
    a_stream_waits_for_an_event_of_another_device,
    each_device_is_launched_by_a_thread_of_its_own,
    all_reduce_in_one_step_gives_every_device_the_sum,
    all_reduce_in_two_steps_gives_every_device_the_same_sum,
    a_member_that_leaves_a_group_lets_the_others_fail,
];

fn tensors_are_copied_between_devices(gpus: &[Device]) -> Result<()> {
    let (here, there) = (gpus[0], gpus[1]);
    let (stream, back) = (Stream::new(&here)?, Stream::new(&there)?);
    let mut x = Tensor::from_slice(&here, &[1.0, 2.0, 3.0], [3])?;
    let one = Tensor::full(&here, [3], 1.0)?;
    let mut y = Tensor::zeros(&there, [3])?;
    y.copy_from_tensor_async(&x, &stream)?;
    axpy(&mut x, &one, 10.0).launch()?;
    assert_eq!(y.to_vec()?, [1.0, 2.0, 3.0]);
    y.copy_from_tensor_async(&x, &back)?;
    assert_eq!(y.to_device(&here)?.to_vec()?, [11.0, 21.0, 31.0]);
    let third = Stream::new(&Device::cpu())?;
    assert!(matches!(
        y.copy_from_tensor_async(&x, &third),
        Err(Error::OtherDevice { .. })
    ));
    Ok(())
}

fn a_tensor_of_another_device_needs_peer_access(gpus: &[Device]) -> Result<()> {
    let (here, there) = (gpus[0], *gpus.last().expect("there are two"));
    if !here.can_access_peer(&there)? {
        let error = here.enable_peer_access(&there);
        assert!(matches!(error, Err(Error::NoPeerAccess { .. })));
        return Ok(());
    }
    let mut x = Tensor::full(&here, [100], 1.0)?;
    let y = Tensor::full(&there, [100], 2.0)?;
    here.enable_peer_access(&there)?;
    here.enable_peer_access(&there)?; // once is enough, and twice is no error
    axpy(&mut x, &y, 1.0).launch()?;
    assert_eq!(x.to_vec()?, [3.0; 100]);
    assert!(matches!(
        here.enable_peer_access(&Device::cpu()),
        Err(Error::NoPeerAccess { .. })
    ));
    Ok(())
}

fn work_of_two_devices_on_one_tensor_is_in_order(gpus: &[Device]) -> Result<()> {
    let (here, there) = (gpus[0], gpus[1]);
    here.enable_peer_access(&there)?;
    there.enable_peer_access(&here)?;
    let (first, second) = (Stream::new(&here)?, Stream::new(&there)?);
    let mut x = Tensor::full(&here, [1000], 1.0)?;
    let mut y = Tensor::full(&there, [1000], 1.0)?;
    for _ in 0..3 {
        axpy(&mut x, &y, 1.0).on(&first).launch()?;
        axpy(&mut y, &x, 1.0).on(&second).launch()?;
    }
    drop((first, second));
    assert_eq!(
        (x.to_vec()?, y.to_vec()?),
        (vec![13.0; 1000], vec![21.0; 1000])
    );
    Ok(())
}

fn a_stream_waits_for_an_event_of_another_device(gpus: &[Device]) -> Result<()> {
    let (first, second) = (Stream::new(&gpus[0])?, Stream::new(&gpus[1])?);
    let event = first.record()?;
    second.wait(&event)?;
    let after = second.record()?;
    after.synchronize()?;
    assert!(event.is_complete()?);
    assert!(matches!(
        event.elapsed(&after),
        Err(Error::OtherDevice { .. })
    ));
    Ok(())
}

fn each_device_is_launched_by_a_thread_of_its_own(gpus: &[Device]) -> Result<()> {
    thread::scope(|scope| {
        let threads: Vec<_> = gpus
            .iter()
            .map(|gpu| {
                scope.spawn(|| {
                    let mut x = Tensor::full(gpu, [500], 1.0)?;
                    let y = Tensor::full(gpu, [500], 1.0)?;
                    (0..5).try_for_each(|_| axpy(&mut x, &y, 2.0).launch())?;
                    x.to_vec()
                })
            })
            .collect();
        for thread in threads {
            assert_eq!(thread.join().expect("no panic")?, [63.0; 500]);
        }
        Ok(())
    })
}

fn all_reduce_in_one_step_gives_every_device_the_sum(gpus: &[Device]) -> Result<()> {
    connect(gpus)?;
    for count in 1..=gpus.len() {
        let gpus = &gpus[..count];
        let inputs = inputs(gpus, 300)?;
        let sums = gpus.iter().map(|gpu| Tensor::zeros(gpu, [300]));
        let mut sums: Vec<Tensor<f32, 1>> = sums.collect::<Result<_>>()?;
        for sum in &mut sums {
            add(&inputs, sum)?;
        }
        for sum in &sums {
            assert_eq!(sum.to_vec()?, expected(count, 300));
        }
    }
    Ok(())
}

/// Each device adds its part of all tensors, and then copies the parts of the others.
fn all_reduce_in_two_steps_gives_every_device_the_same_sum(gpus: &[Device]) -> Result<()> {
    connect(gpus)?;
    for count in [2, gpus.len()] {
        let gpus = &gpus[..count];
        // The last part is shorter than the others.
        let len = 64 * count - 3;
        let inputs = inputs(gpus, len)?;
        let sums = gpus.iter().map(|gpu| Tensor::zeros(gpu, [len]));
        let sums: Vec<Tensor<f32, 1>> = sums.collect::<Result<_>>()?;
        for (number, sum) in sums.iter().enumerate() {
            add_part(number, &inputs, sum)?;
        }
        for number in 0..count {
            copy_parts(number, &sums)?;
        }
        for sum in &sums {
            assert_eq!(sum.to_vec()?, expected(count, len));
        }
    }
    Ok(())
}

fn a_member_that_leaves_a_group_lets_the_others_fail(gpus: &[Device]) -> Result<()> {
    let gpus = &gpus[..2];
    let group = Group::new(inputs(gpus, 100)?, inputs(gpus, 100)?, Steps::One)?;
    let (first, second) = (group.member(0), group.member(1));
    thread::scope(|scope| {
        let waits = scope.spawn(move || first.all_reduce());
        drop(second);
        let failed = waits.join().expect("no panic");
        assert!(matches!(failed, Err(Error::Cancelled { .. })));
    });
    Ok(())
}

/// Returns a tensor for each device: element `i` of that of device `n` is `i * (n + 1)`.
fn inputs(gpus: &[Device], len: usize) -> Result<Vec<Tensor<f32, 1>>> {
    gpus.iter()
        .zip(1u8..)
        .map(|(gpu, factor)| {
            let elements: Vec<f32> = (0u16..)
                .take(len)
                .map(|i| f32::from(i) * f32::from(factor))
                .collect();
            Tensor::from_slice(gpu, &elements, [len])
        })
        .collect()
}

fn expected(count: usize, len: usize) -> Vec<f32> {
    let factor: u8 = (1..).take(count).sum();
    (0u16..)
        .take(len)
        .map(|i| f32::from(i) * f32::from(factor))
        .collect()
}
