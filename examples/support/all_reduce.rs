//! All-reduce in our own kernels: every device gets the sum of the vectors of all, over peer access.
//!
//! Up to eight members take part, each with a thread and a device of its own; several may share a device. A launch reads
//! the memory of other devices as it reads its own, and the library orders it after the work that wrote it. What the
//! threads have to agree on is who submits first, so they meet before and after the reads; no thread waits for a device.

use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tile_kernel::prelude::*;
use tile_kernel::{Error, Result};

/// Members of a group at the most.
pub(crate) const MOST: usize = 8;

/// Adds the first `count` of eight vectors, in the same order on every device.
#[tile_kernel(grid = sum.tiles([1024]))]
#[allow(clippy::too_many_arguments, reason = "one for each member")]
pub(crate) fn sum_of(
    a: &Tensor<f32, 1>,
    b: &Tensor<f32, 1>,
    c: &Tensor<f32, 1>,
    d: &Tensor<f32, 1>,
    e: &Tensor<f32, 1>,
    f: &Tensor<f32, 1>,
    g: &Tensor<f32, 1>,
    h: &Tensor<f32, 1>,
    count: i32,
    sum: &mut Tensor<f32, 1>,
) {
    let i = block_id(0);
    let mut all = a.load([i], [1024]);
    if count > 1 {
        all += b.load([i], [1024]);
    }
    if count > 2 {
        all += c.load([i], [1024]);
    }
    if count > 3 {
        all += d.load([i], [1024]);
    }
    if count > 4 {
        all += e.load([i], [1024]);
    }
    if count > 5 {
        all += f.load([i], [1024]);
    }
    if count > 6 {
        all += g.load([i], [1024]);
    }
    if count > 7 {
        all += h.load([i], [1024]);
    }
    sum.store([i], all);
}

/// How the vectors are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// Every device reads all vectors: `n` times their bytes for `n` members, without a step in between.
    One,
    /// Every device adds a part of all vectors, and then copies the other parts: twice the bytes for any number of
    /// members.
    Two,
}

/// Gives every device access to the memory of every other.
pub(crate) fn connect(devices: &[Device]) -> Result<()> {
    for here in devices {
        for there in devices {
            here.enable_peer_access(there)?;
        }
    }
    Ok(())
}

/// Adds vectors of several devices, into one of the device of the launch.
pub(crate) fn add(inputs: &[Tensor<f32, 1>], sum: &mut Tensor<f32, 1>) -> Result<()> {
    let input = |number: usize| inputs.get(number).unwrap_or(&inputs[0]);
    let count = i32::try_from(inputs.len()).expect("at most eight");
    let stream = Stream::of_device(&sum.device())?;
    sum_of(
        input(0),
        input(1),
        input(2),
        input(3),
        input(4),
        input(5),
        input(6),
        input(7),
        count,
        sum,
    )
    .on(&stream)
    .launch()
}

/// Returns the elements of which a member computes the sum, in two steps.
pub(crate) fn part(member: usize, members: usize, len: usize) -> Range<usize> {
    // Parts begin at multiples of 16 bytes, as copies and loads of several elements at once want it.
    let size = len.div_ceil(members).next_multiple_of(4);
    (size * member).min(len)..(size * (member + 1)).min(len)
}

/// Adds the part of one member.
pub(crate) fn add_part(
    member: usize,
    inputs: &[Tensor<f32, 1>],
    sum: &Tensor<f32, 1>,
) -> Result<()> {
    let part = part(member, inputs.len(), sum.len());
    let parts = inputs.iter().map(|input| input.narrow(0, part.clone()));
    add(
        &parts.collect::<Result<Vec<_>>>()?,
        &mut sum.narrow(0, part.clone())?,
    )
}

/// Copies the parts of the others.
pub(crate) fn copy_parts(member: usize, sums: &[Tensor<f32, 1>]) -> Result<()> {
    let sum = &sums[member];
    let stream = Stream::of_device(&sum.device())?;
    for (from, other) in sums.iter().enumerate().filter(|(from, _)| *from != member) {
        let part = part(from, sums.len(), sum.len());
        let mut target = sum.narrow(0, part.clone())?;
        target.copy_from_tensor_async(&other.narrow(0, part)?, &stream)?;
    }
    Ok(())
}

/// The vectors of all members, and where their threads meet.
pub(crate) struct Group {
    inputs: Vec<Tensor<f32, 1>>,
    sums: Vec<Tensor<f32, 1>>,
    steps: Steps,
    meeting: Meeting,
}

impl Group {
    /// Makes a group of members that each have a vector to be added, and one for the sum, on a device.
    pub(crate) fn new(
        inputs: Vec<Tensor<f32, 1>>,
        sums: Vec<Tensor<f32, 1>>,
        steps: Steps,
    ) -> Result<Group> {
        assert!(inputs.len() <= MOST && inputs.len() == sums.len());
        let devices: Vec<Device> = sums.iter().map(Tensor::device).collect();
        connect(&devices)?;
        let meeting = Meeting::new(inputs.len());
        Ok(Group {
            inputs,
            sums,
            steps,
            meeting,
        })
    }

    /// Returns the part of one member, for its thread. A thread that ends early lets the others fail rather than wait.
    pub(crate) fn member(&self, number: usize) -> Member<'_> {
        Member {
            group: self,
            number,
        }
    }
}

/// One member of a group.
pub(crate) struct Member<'a> {
    group: &'a Group,
    number: usize,
}

impl Member<'_> {
    /// Adds the vectors of all members. All threads call this, after they submitted what computes their vectors; what they
    /// submit afterwards may overwrite them.
    pub(crate) fn all_reduce(&self) -> Result<()> {
        let Group {
            inputs,
            sums,
            steps,
            meeting,
        } = self.group;
        meeting.meet()?;
        match steps {
            Steps::One => add(inputs, &mut sums[self.number].narrow(0, ..)?)?,
            Steps::Two => {
                add_part(self.number, inputs, &sums[self.number])?;
                meeting.meet()?;
                copy_parts(self.number, sums)?;
            }
        }
        meeting.meet()
    }

    /// Returns the sum of a number of each member, in the same order for all.
    pub(crate) fn sum(&self, number: f32) -> Result<f32> {
        let meeting = &self.group.meeting;
        meeting.lock().numbers[self.number] = number;
        meeting.meet()?;
        let sum = meeting.lock().numbers.iter().sum();
        meeting.meet()?;
        Ok(sum)
    }
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        self.group.meeting.leave();
    }
}

/// Where threads wait for each other: a `std::sync::Barrier` that a thread can leave for good.
struct Meeting {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    numbers: Vec<f32>,
    waiting: usize,
    round: usize,
    has_left: bool,
}

impl Meeting {
    fn new(members: usize) -> Meeting {
        Meeting {
            state: Mutex::new(State {
                numbers: vec![0.0; members],
                waiting: 0,
                round: 0,
                has_left: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all members are here. Fails if one has left.
    fn meet(&self) -> Result<()> {
        let mut state = self.lock();
        let round = state.round;
        state.waiting += 1;
        if state.waiting == state.numbers.len() {
            state.waiting = 0;
            state.round += 1;
            self.changed.notify_all();
            return Ok(());
        }
        while state.round == round {
            if state.has_left {
                return Err(Error::Cancelled { kernel: "sum_of" });
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    fn leave(&self) {
        self.lock().has_left = true;
        self.changed.notify_all();
    }
}
