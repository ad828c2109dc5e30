//! A launch: checks the arguments, chooses the variant, and starts the kernel.
//!
//! Everything is checked before anything runs, in this order: the devices of the tensors and of the
//! stream, borrows of memory, the facts of the kernel, the grid, aliasing, stores to disjoint places. A grid without
//! blocks ends the launch before the last of these.

use std::marker::PhantomData;

use smallvec::SmallVec;

use crate::args::{Arg, Value, Values, accesses, memories, tensors};
use crate::completion::Completion;
use crate::driver::{self, Access, Call, Context, Mark};
use crate::graph::{self, Work};
use crate::image::{KernelImage, NativeLevel, VariantKind};
use crate::instance::Instance;
use crate::overlap::Sharing;
use crate::storage::Storage;
use crate::stream::{Queue, StreamRef};
use crate::{Cancel, Device, Error, Grid, Overlap, Result, claims, cpu, device, facts};

/// The type that implements the instance traits of kernels without type parameters. A function that
/// is generic over `N` launches `clear::<N>` under the bound `where Kernel: ClearInstance<N>`.
///
/// ```
/// use tile_kernel::prelude::*;
///
/// #[tile_kernel(grid = x.tiles([N]), instances((N = 64), (N = 256)), arch("cpu"))]
/// fn clear<const N: usize>(x: &mut Tensor<f32, 1>) {
///     x.store([block_id(0)], zeros([N]));
/// }
///
/// fn cleared<const N: usize>(mut x: Tensor<f32, 1>) -> tile_kernel::Result<Vec<f32>>
/// where
///     Kernel: ClearInstance<N>,
/// {
///     clear::<N>(&mut x).launch()?;
///     x.to_vec()
/// }
///
/// # fn main() -> tile_kernel::Result<()> {
/// let x = Tensor::full(&Device::cpu(), [100], 1.0)?;
/// assert_eq!(cleared::<256>(x)?, [0.0; 100]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Kernel {}

/// A kernel with its arguments, ready to be started.
///
/// ```no_run
/// # fn scale(x: &mut tile_kernel::Tensor<f32, 1>) -> tile_kernel::Launch<'_> { unimplemented!() }
/// # let mut x = tile_kernel::Tensor::zeros(&tile_kernel::Device::cpu(), [4])?;
/// // `scale` is a `#[tile_kernel]` function
/// scale(&mut x).launch()?;
/// # Ok::<(), tile_kernel::Error>(())
/// ```
#[must_use = "nothing runs before `.launch()`"]
pub struct Launch<'a> {
    instance: &'static Instance,
    grid: Option<Grid>,
    args: Values,
    /// The arguments borrow tensors.
    borrow: PhantomData<Arg<'a>>,
    stream: Option<StreamRef<'a>>,
    cancel: Option<Cancel>,
    only_block: Option<[u32; 3]>,
    programmatic: Option<bool>,
    /// The highest level of native code that may run on the CPU device.
    level: Option<NativeLevel>,
}

impl<'a> Launch<'a> {
    pub(crate) fn new(
        instance: &'static Instance,
        grid: Option<Grid>,
        args: impl IntoIterator<Item = Arg<'a>>,
    ) -> Launch<'a> {
        Launch::of_values(instance, grid, Values::new(args))
    }

    /// Returns a launch with arguments that another one has too.
    pub(crate) fn of_values(
        instance: &'static Instance,
        grid: Option<Grid>,
        values: Values,
    ) -> Launch<'a> {
        Launch {
            instance,
            grid,
            args: values,
            borrow: PhantomData,
            stream: None,
            cancel: None,
            only_block: None,
            programmatic: None,
            level: None,
        }
    }

    /// Sets the highest level of native code that may run on the CPU device.
    pub(crate) fn at_level(mut self, level: Option<NativeLevel>) -> Launch<'a> {
        self.level = level;
        self
    }

    /// Sets the grid, which replaces the grid of the attribute.
    pub fn grid(mut self, grid: impl Into<Grid>) -> Launch<'a> {
        self.grid = Some(grid.into());
        self
    }

    /// Runs the kernel on this stream, instead of the device's default stream.
    pub fn on(mut self, stream: impl Into<StreamRef<'a>>) -> Launch<'a> {
        self.stream = Some(stream.into());
        self
    }

    /// Lets another thread stop the kernel on the CPU device. On other devices, only a launch that
    /// has not started can be stopped.
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Launch<'a> {
        self.cancel = Some(cancel.clone());
        self
    }

    /// Runs one block of the grid and no other, on the CPU device and the simulated GPU. In it,
    /// `block_id` and `num_blocks` are those of a launch of the whole grid.
    ///
    /// An error of a kernel names its block; this method repeats what that block did, with nothing
    /// beside it. Of a kernel whose `parallel` loop becomes the grid, the results are not stored, as
    /// that needs all blocks.
    ///
    /// ```
    /// use tile_kernel::prelude::*;
    ///
    /// #[tile_kernel(grid = x.tiles([4]), arch("cpu"))]
    /// fn count(x: &mut Tensor<i32, 1>) {
    ///     x.store([block_id(0)], full([4], block_id(0) + num_blocks(0)));
    /// }
    ///
    /// # fn main() -> tile_kernel::Result<()> {
    /// let mut x = Tensor::zeros(&Device::cpu(), [12])?;
    /// count(&mut x).only_block([2, 0, 0]).launch()?;
    /// assert_eq!(x.to_vec()?, [0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 5, 5]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// On the simulated GPU, the block is that of the hardware, which its errors name. In a kernel whose
    /// work tiles the compiler reorders, that one computes the tile of another `block_id`. Where the blocks
    /// of the variant `fast` are persistent or share work tiles, `general` runs.
    ///
    /// # Errors
    /// `launch` returns [`NoSuchBlock`](Error::NoSuchBlock) if the grid has no such block, and
    /// [`NotAlone`](Error::NotAlone) on a GPU.
    pub fn only_block(mut self, block: [u32; 3]) -> Launch<'a> {
        self.only_block = Some(block);
        self
    }

    /// Switches programmatic dependent launch off for this launch of a kernel with the option `programmatic_launch`: the
    /// kernel then starts when the previous one in its stream has ended. `true` is what such a kernel does without this
    /// method. The results are the same; on devices before `sm_90`, and on those without streams, there is no difference.
    ///
    /// ```
    /// use tile_kernel::prelude::*;
    ///
    /// #[tile_kernel(grid = x.tiles([64]), programmatic_launch, arch("cpu"))]
    /// fn increment(x: &mut Tensor<f32, 1>) {
    ///     let i = block_id(0);
    ///     x.store([i], x.load([i], [64]) + 1.0);
    /// }
    ///
    /// # fn main() -> tile_kernel::Result<()> {
    /// let mut x = Tensor::zeros(&Device::cpu(), [100])?;
    /// increment(&mut x).launch()?; // on a GPU, its blocks start while the previous kernel ends
    /// increment(&mut x).programmatic(false).launch()?; // after the previous kernel
    /// assert_eq!(x.to_vec()?, [2.0; 100]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// After `programmatic(true)`, `launch` returns [`NotProgrammatic`](Error::NotProgrammatic) if the kernel was compiled
    /// without the option.
    pub fn programmatic(mut self, early: bool) -> Launch<'a> {
        self.programmatic = Some(early);
        self
    }

    /// Starts the kernel.
    ///
    /// A grid without blocks, such as that of the tiles of a tensor without elements, is a launch that
    /// does nothing.
    ///
    /// On a GPU, this method returns immediately. The kernel runs after the earlier uses of its
    /// tensors, and an error in it is reported by the next call that waits for it. On the CPU, the
    /// kernel has finished when this method returns.
    ///
    /// # Errors
    /// Returns any [`Error`] about the arguments or from the driver.
    pub fn launch(self) -> Result<()> {
        let queue = self.queue()?;
        match self.prepare(queue.as_ref())? {
            Some(prepared) => prepared.start(queue.as_ref()),
            None => Ok(()),
        }
    }

    /// Starts the kernel, and returns a future of its end. An error before the start is the result of the future.
    ///
    /// The kernel runs whether or not the future is awaited. On the CPU, it has finished when this method returns;
    /// call it on a thread that may block.
    ///
    /// ```
    /// # use tile_kernel::prelude::*;
    /// # #[tile_kernel(grid = x.tiles([64]), arch("cpu"))]
    /// # fn step(x: &mut Tensor<f32, 1>) {
    /// #     x.store([block_id(0)], x.load([block_id(0)], [64]) + 1.0);
    /// # }
    /// async fn steps(x: &mut Tensor<f32, 1>) -> tile_kernel::Result<Vec<f32>> {
    ///     step(x).launch_async().await?; // `step` is a `#[tile_kernel]`
    ///     step(x).launch_async().await?;
    ///     x.to_vec()
    /// }
    /// ```
    pub fn launch_async(self) -> Completion {
        self.try_launch_async()
            .unwrap_or_else(|error| Completion::finished(Err(error)))
    }

    fn try_launch_async(self) -> Result<Completion> {
        graph::refuse_in_capture("a future")?;
        let queue = self.queue()?;
        let Some(prepared) = self.prepare(queue.as_ref())? else {
            return Ok(Completion::finished(Ok(())));
        };
        let queue = match queue {
            Some(queue) => queue,
            None => Queue::of_device(prepared.device)?,
        };
        prepared.start(Some(&queue))?;
        queue.completion()
    }

    fn queue(&self) -> Result<Option<Queue>> {
        let stream = self.stream.as_ref();
        stream.map(|stream| stream.queue.clone()).transpose()
    }

    /// Checks the launch. Returns `None` for a grid without blocks.
    fn prepare(self, queue: Option<&Queue>) -> Result<Option<Prepared>> {
        let image = &self.instance.image;
        let mut values = self.args;
        let device = check_devices(image, &values, queue)?;
        check_borrows(image, &values)?;
        facts::stated::check(image, &values)?;
        let planned = || {
            image
                .plan
                .as_ref()
                .map(|plan| plan.grid(image, &values, device))
        };
        let grid = self.grid.or_else(planned);
        let grid = grid.ok_or(Error::NoGrid { kernel: image.name })?;
        let grid = grid.check(image.name, device)?;
        check_aliasing(image, &values)?;
        check_only_block(image, self.only_block, grid, device)?;
        let programmatic = self.programmatic.unwrap_or(image.programmatic);
        if programmatic && !image.programmatic {
            return Err(Error::NotProgrammatic { kernel: image.name });
        }
        if grid.contains(&0) {
            return Ok(None);
        }
        check_blocks(image, grid)?;
        claims::check(image, grid, &values)?;
        if let Some(plan) = &image.plan {
            values.extend(plan.buffers(grid, device)?);
        }
        Ok(Some(Prepared {
            instance: self.instance,
            grid,
            values,
            device,
            cancel: self.cancel,
            only_block: self.only_block,
            programmatic,
            level: self.level,
        }))
    }
}

/// A launch that was checked. It keeps the memory of its arguments.
pub(crate) struct Prepared {
    instance: &'static Instance,
    grid: [u32; 3],
    values: Values,
    device: Device,
    cancel: Option<Cancel>,
    only_block: Option<[u32; 3]>,
    /// `true` if the kernel may start before the previous one in the stream has ended.
    programmatic: bool,
    /// The highest level of native code that may run on the CPU device.
    level: Option<NativeLevel>,
}

impl Prepared {
    /// Starts the kernel on a stream, by default that of the device, or records it.
    fn start(self, queue: Option<&Queue>) -> Result<()> {
        if graph::is_captured(self.device)? {
            return graph::push(queue, Work::Launch(self));
        }
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Error::Cancelled {
                kernel: self.instance.image.name,
            });
        }
        let device::Kind::Cuda(context) = self.device.0 else {
            return self.run_here();
        };
        #[cfg(feature = "nvtx")]
        let _range = crate::nvtx::range(self.name());
        let call = self.call(context)?;
        let stream = match queue {
            Some(Queue::Cuda(stream)) => stream,
            Some(Queue::Host(_)) | None => context.default_stream()?,
        };
        let uses = self.accesses().into_iter();
        let uses = uses.filter_map(|(storage, access)| match storage {
            Storage::Device(memory) => Some(memory.tracked(access)),
            Storage::Host(_) => None,
        });
        driver::submit(uses.collect(), stream, Mark::IfNeeded, || {
            call.submit(stream)
        })
    }

    /// Returns the name of the kernel.
    #[cfg(feature = "nvtx")]
    pub(crate) fn name(&self) -> &'static str {
        self.instance.image.name
    }

    /// Runs the kernel on this thread, on a device that is not a GPU.
    pub(crate) fn run_here(&self) -> Result<()> {
        #[cfg(feature = "nvtx")]
        let _range = crate::nvtx::range(self.name());
        match self.device.0 {
            device::Kind::Cpu => {
                let options = cpu::Options {
                    cancel: self.cancel.as_ref(),
                    only_block: self.only_block,
                    level: self.level,
                };
                cpu::run(self.instance, self.grid, &self.values, options)
            }
            #[cfg(feature = "sim")]
            device::Kind::Sim => {
                let (grid, values) = (self.grid, &self.values[..]);
                let (image, only) = (&self.instance.image, self.only_block);
                let kind = choose_variant(image, grid, values);
                if self.instance.simulate(kind, grid, only, values)?
                    || self
                        .instance
                        .simulate(VariantKind::General, grid, only, values)?
                {
                    return Ok(());
                }
                match only {
                    None => Ok(()),
                    Some(_) => Err(Error::NotAlone {
                        kernel: image.name,
                        device: self.device,
                        reason: "its blocks process several work tiles each, or share them",
                    }),
                }
            }
            device::Kind::Cuda(_) => unreachable!("a GPU runs its kernels itself"),
        }
    }

    /// Chooses the code for a GPU, and prepares its parameters.
    pub(crate) fn call(&self, context: &'static Context) -> Result<Call> {
        let (image, grid, values) = (&self.instance.image, self.grid, &self.values[..]);
        let mut kind = choose_variant(image, grid, values);
        let mut code = self.instance.code(kind)?;
        if !driver::is_startable(context, code, grid)? {
            kind = VariantKind::General;
            code = self.instance.code(kind)?;
        }
        let mut parameters = facts::parameters(image, values, kind);
        let maps = driver::tensor_maps(context, code, &parameters)?;
        if maps.is_none() {
            kind = VariantKind::General;
            code = self.instance.code(kind)?;
            parameters = facts::parameters(image, values, kind);
        }
        let maps = maps.unwrap_or_default();
        let call = driver::call(context, code, grid, parameters, maps)?;
        Ok(if self.programmatic {
            call
        } else {
            call.after_the_previous()
        })
    }

    /// Returns each allocation once, with the strongest access that the launch makes to it.
    pub(crate) fn accesses(&self) -> SmallVec<[(&Storage, Access); 8]> {
        accesses(&self.values)
    }
}

/// Returns the device of the launch: that of the stream, else of the first tensor, else the best one. Refuses
/// tensors to which it has no access.
fn check_devices(
    image: &'static KernelImage,
    values: &[Value],
    queue: Option<&Queue>,
) -> Result<Device> {
    let mut tensors = memories(values);
    let Some((first, tensor)) = tensors.next() else {
        return Ok(queue.map_or_else(Device::best, Queue::device));
    };
    let mut expected = tensor.storage.device();
    if let Some(device) = queue.map(Queue::device)
        && device != expected
    {
        if !device.has_peer_access(&expected) {
            return Err(Error::StreamMismatch {
                kernel: image.name,
                expected,
                found: device,
            });
        }
        expected = device;
    }
    for (index, tensor) in tensors {
        let device = tensor.storage.device();
        if device != expected && !expected.has_peer_access(&device) {
            return Err(Error::DeviceMismatch {
                kernel: image.name,
                first_param: image.param(first),
                expected,
                param: image.param(index),
                found: device,
            });
        }
    }
    Ok(expected)
}

/// Refuses memory that was borrowed for less than the kernel does with it, or no longer is.
fn check_borrows(image: &'static KernelImage, values: &[Value]) -> Result<()> {
    for (index, memory) in memories(values) {
        let allowed = memory.storage.check_access(memory.access);
        allowed.map_err(|error| error.of_param(image.name, image.param(index)))?;
    }
    Ok(())
}

/// Refuses a block that the grid does not have, or that the device cannot run alone.
fn check_only_block(
    image: &'static KernelImage,
    only_block: Option<[u32; 3]>,
    grid: [u32; 3],
    device: Device,
) -> Result<()> {
    let Some(block) = only_block else {
        return Ok(());
    };
    let kernel = image.name;
    if block.iter().zip(grid).any(|(&at, blocks)| at >= blocks) {
        return Err(Error::NoSuchBlock {
            kernel,
            block,
            grid,
        });
    }
    if device.is_cuda() {
        return Err(Error::NotAlone {
            kernel,
            device,
            reason: "a GPU numbers the blocks of a launch from 0",
        });
    }
    Ok(())
}

/// Refuses a grid with more blocks along an axis than the stores of the kernel allow.
fn check_blocks(image: &'static KernelImage, grid: [u32; 3]) -> Result<()> {
    for (axis, blocks) in grid.into_iter().enumerate() {
        if image.single_axes[axis] && blocks > 1 {
            return Err(Error::SharedPlace {
                kernel: image.name,
                axis,
                blocks,
            });
        }
        let limit = image.max_blocks[axis];
        if blocks > limit {
            return Err(Error::BlocksNotApart {
                kernel: image.name,
                axis,
                blocks,
                limit,
            });
        }
    }
    Ok(())
}

/// Refuses tensors of which a write to one element may change another.
fn check_aliasing(image: &'static KernelImage, values: &[Value]) -> Result<()> {
    for (exclusive, tensor) in tensors(values) {
        if tensor.access != Access::Exclusive {
            continue;
        }
        if tensor.overlap() != Sharing::Apart {
            return Err(Error::ReadOnlyArgument {
                kernel: image.name,
                param: image.param(exclusive),
                shape: tensor.shape().to_vec(),
                strides: tensor.strides().to_vec(),
            });
        }
        for (other, second) in tensors(values) {
            // Of two tensors that are written, the first is compared with the second.
            if other == exclusive || (second.access == Access::Exclusive && other < exclusive) {
                continue;
            }
            let overlap = match tensor.sharing(second) {
                Sharing::Apart => continue,
                Sharing::Shared => Overlap::Proven,
                Sharing::Unknown => Overlap::Undecided,
            };
            return Err(Error::Aliasing {
                kernel: image.name,
                exclusive: image.param(exclusive),
                other: image.param(other),
                other_is_written: second.access == Access::Exclusive,
                overlap,
            });
        }
    }
    Ok(())
}

/// Returns the first variant whose assumptions hold.
fn choose_variant(image: &KernelImage, grid: [u32; 3], values: &[Value]) -> VariantKind {
    let is_fast = image.variant(VariantKind::Fast).is_some()
        && tensors(values).all(|(index, tensor)| facts::allow_fast(image, index, tensor))
        && facts::allow_blocks(image, grid, values);
    if is_fast {
        VariantKind::Fast
    } else {
        VariantKind::General
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::VariantImage;
    use crate::{__private as private, Stream, Tensor};

    static VARIANTS: [VariantImage; 2] = [
        VariantImage::new(VariantKind::Fast, "k__fast", &[], &[]),
        VariantImage::new(VariantKind::General, "k__general", &[], &[]),
    ];
    static K: Instance = Instance::new(KernelImage::new(
        "k",
        ("src/k.rs", 3),
        &["a", "n", "c"],
        &VARIANTS,
        &[],
    ));

    fn k<'a>(a: &'a Tensor<f32, 2>, n: i32, c: &'a mut Tensor<f32, 2>) -> Launch<'a> {
        let grid = private::grid(c.tiles([16, 16]));
        private::launch(
            &K,
            grid,
            [
                private::shared(a),
                private::scalar(n),
                private::exclusive(c),
            ],
        )
    }

    fn zeros(shape: [usize; 2]) -> Tensor<f32, 2> {
        Tensor::zeros(&Device::cpu(), shape).expect("a small tensor")
    }

    fn values(launch: Launch<'_>) -> Values {
        launch.args
    }

    #[test]
    fn a_grid_given_at_the_launch_replaces_the_attribute_s() {
        let (a, mut c) = (zeros([4, 4]), zeros([4, 4]));
        let error = k(&a, 1, &mut c).grid([1, 1 << 30, 1]).launch();
        assert!(
            matches!(error, Err(Error::GridTooLarge { axis: 1, .. })),
            "{error:?}"
        );
    }

    #[test]
    fn without_blocks_nothing_runs() {
        // The image has no code, so a block would be an error.
        let launched = k(&zeros([0, 4]), 1, &mut zeros([4, 0])).launch();
        assert_eq!(launched, Ok(()));
        let (a, mut c) = (zeros([4, 4]), zeros([4, 4]));
        assert_eq!(k(&a, 1, &mut c).grid([1, 1, 0]).launch(), Ok(()));
        assert_eq!(
            k(&a, 1, &mut c).grid(0).only_block([0; 3]).launch(),
            Err(Error::NoSuchBlock {
                kernel: "k",
                block: [0; 3],
                grid: [0, 1, 1]
            })
        );
    }

    #[test]
    fn a_launch_without_a_grid_is_refused() {
        let c = &mut zeros([4, 4]);
        let error = private::launch(&K, None, [private::exclusive(c)]).launch();
        assert_eq!(error, Err(Error::NoGrid { kernel: "k" }));
    }

    #[test]
    fn an_exclusive_tensor_may_not_share_memory_with_any_other() {
        let mut c = zeros([4, 4]);
        let view = c.t();
        assert_eq!(
            k(&view, 1, &mut c).launch(),
            Err(Error::Aliasing {
                kernel: "k",
                exclusive: "c",
                other: "a",
                other_is_written: false,
                overlap: Overlap::Proven,
            })
        );
    }

    #[test]
    fn interleaved_parts_are_no_aliases() -> Result<()> {
        let mut both = zeros([8, 4]);
        let columns = both.narrow(1, 2..4)?;
        let check = |a: &Tensor<f32, 2>, c: &mut Tensor<f32, 2>| {
            check_aliasing(&K.image, &values(k(a, 1, c)))
        };
        assert_eq!(check(&columns, &mut both.narrow(1, 0..2)?), Ok(()));
        assert!(check(&columns, &mut both.narrow(1, 1..3)?).is_err());
        let (even, mut odd) = (both.slice(0, .., 2)?, both.slice(0, 1.., 2)?);
        assert_eq!(check(&even, &mut odd), Ok(()));
        assert!(check(&odd, &mut both.narrow(0, 3..4)?).is_err());
        assert_eq!(check(&odd, &mut both.narrow(0, 4..4)?), Ok(()));
        let repeated = both.narrow(0, 0..1)?.broadcast_to([5, 4])?;
        assert_eq!(check(&repeated, &mut both.narrow(0, 1..8)?), Ok(()));
        let parts: Vec<_> = both.chunks_mut(1, 1)?.collect();
        for (number, part) in parts.iter().enumerate() {
            for other in &parts[..number] {
                assert_eq!(check(other, &mut part.narrow(0, ..)?), Ok(()));
            }
        }
        Ok(())
    }

    #[test]
    fn a_view_with_two_indices_for_one_element_is_not_written() -> Result<()> {
        let a = zeros([4, 4]);
        let mut repeated = zeros([1, 4]).broadcast_to([4, 4])?;
        assert_eq!(
            k(&a, 1, &mut repeated).launch(),
            Err(Error::ReadOnlyArgument {
                kernel: "k",
                param: "c",
                shape: vec![4, 4],
                strides: vec![0, 1]
            })
        );
        assert_eq!(
            check_aliasing(&K.image, &values(k(&repeated, 1, &mut zeros([4, 4])))),
            Ok(())
        );
        Ok(())
    }

    #[test]
    fn parts_of_one_tensor_that_do_not_touch_are_no_aliases() -> Result<()> {
        let both = zeros([8, 4]);
        let (top, mut bottom) = (both.narrow(0, 0..4)?, both.narrow(0, 4..8)?);
        assert_eq!(
            check_aliasing(&K.image, &values(k(&top, 1, &mut bottom))),
            Ok(())
        );
        let mut middle = both.narrow(0, 3..8)?;
        assert!(check_aliasing(&K.image, &values(k(&top, 1, &mut middle))).is_err());
        Ok(())
    }

    #[test]
    fn shared_tensors_may_be_the_same() {
        let a = zeros([4, 4]);
        let launch = private::launch(&K, None, [private::shared(&a), private::shared(&a)]);
        let values = values(launch);
        assert_eq!(check_aliasing(&K.image, &values), Ok(()));
        assert_eq!(accesses(&values).len(), 1);
    }

    #[test]
    fn memory_is_used_once_with_its_strongest_access() -> Result<()> {
        let both = zeros([8, 4]);
        let (top, mut bottom) = (both.narrow(0, 0..4)?, both.narrow(0, 4..8)?);
        let values = values(k(&top, 1, &mut bottom));
        let accesses: Vec<Access> = accesses(&values)
            .into_iter()
            .map(|(_, access)| access)
            .collect();
        assert_eq!(accesses, [Access::Exclusive]);
        Ok(())
    }

    #[test]
    fn the_fast_variant_is_taken_only_where_every_tensor_allows_it() {
        let kind = |a: &Tensor<f32, 2>, c: [usize; 2]| {
            choose_variant(&K.image, [1; 3], &values(k(a, 1, &mut zeros(c))))
        };
        let wide = zeros([4, 8]);
        assert_eq!(kind(&wide, [4, 4]), VariantKind::Fast);
        assert_eq!(kind(&wide.t(), [4, 4]), VariantKind::General);
        assert_eq!(kind(&wide, [4, 3]), VariantKind::General);
    }

    #[test]
    fn a_cpu_stream_takes_cpu_launches() {
        let stream = Stream::new(&Device::cpu()).expect("a CPU stream");
        let (a, mut c) = (zeros([4, 4]), zeros([4, 4]));
        let launch = k(&a, 1, &mut c).on(&stream);
        let queue = launch
            .stream
            .and_then(|stream| stream.queue.ok())
            .expect("a stream was given");
        assert_eq!(queue.device(), Device::cpu());
    }

    #[test]
    fn bytecode_that_cannot_be_read_is_an_error_with_the_kernel_s_name() {
        let error = k(&zeros([4, 4]), 1, &mut zeros([4, 4]))
            .launch()
            .expect_err("the test image has no bytecode");
        assert!(
            matches!(error, Error::Artifact { kernel: "k", .. }),
            "{error}"
        );
    }
}
