//! A launch: checks the arguments, chooses the variant, and starts the kernel.
//!
//! Everything is checked before anything runs, in this order: the devices of the tensors and of the
//! stream, empty tensors, the facts of the kernel, the grid, stores to disjoint places, aliasing.

use crate::args::{Arg, Value, accesses, memories, tensors};
use crate::driver::{self, Access};
use crate::image::{KernelImage, VariantKind};
use crate::instance::Instance;
use crate::storage::Storage;
use crate::stream::{Queue, StreamRef};
use crate::{Cancel, Device, Error, Grid, Result, claims, cpu, device, facts};

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
    args: Vec<Arg<'a>>,
    stream: Option<StreamRef<'a>>,
    cancel: Option<Cancel>,
}

impl<'a> Launch<'a> {
    pub(crate) fn new(
        instance: &'static Instance,
        grid: Option<Grid>,
        args: Vec<Arg<'a>>,
    ) -> Launch<'a> {
        Launch {
            instance,
            grid,
            args,
            stream: None,
            cancel: None,
        }
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

    /// Starts the kernel.
    ///
    /// On a GPU, this method returns immediately. The kernel runs after the earlier uses of its
    /// tensors, and an error in it is reported by the next call that waits for it. On the CPU, the
    /// kernel has finished when this method returns.
    ///
    /// # Errors
    /// Returns any [`Error`] about the arguments or from the driver.
    pub fn launch(self) -> Result<()> {
        let queue = self.stream.map(|stream| stream.queue).transpose()?;
        let image = &self.instance.image;
        let mut values: Vec<Value> = self.args.into_iter().map(Arg::into_value).collect();
        let device = check_devices(image, &values, queue.as_ref())?;
        check_not_empty(image, &values)?;
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
        check_blocks(image, grid)?;
        claims::check(image, grid, &values)?;
        check_aliasing(image, &values)?;
        if let Some(plan) = &image.plan {
            values.extend(plan.buffers(grid, device)?);
        }
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Error::Cancelled { kernel: image.name });
        }
        match device.0 {
            device::Kind::Cpu => cpu::run(self.instance, grid, &values, self.cancel.as_ref()),
            #[cfg(feature = "sim")]
            device::Kind::Sim => {
                let kind = choose_variant(image, grid, &values);
                if !self.instance.simulate(kind, grid, &values)? {
                    self.instance
                        .simulate(VariantKind::General, grid, &values)?;
                }
                Ok(())
            }
            device::Kind::Cuda(context) => {
                let mut kind = choose_variant(image, grid, &values);
                let mut code = self.instance.code(kind)?;
                if !driver::is_startable(context, code, grid)? {
                    kind = VariantKind::General;
                    code = self.instance.code(kind)?;
                }
                let mut parameters = facts::parameters(image, &values, kind);
                let maps = driver::tensor_maps(context, code, &parameters)?;
                if maps.is_none() {
                    kind = VariantKind::General;
                    code = self.instance.code(kind)?;
                    parameters = facts::parameters(image, &values, kind);
                }
                let mut maps = maps.unwrap_or_default();
                let stream = match &queue {
                    Some(Queue::Cuda(stream)) => stream,
                    Some(Queue::Host(_)) | None => context.default_stream()?,
                };
                let uses: Vec<_> = accesses(&values)
                    .into_iter()
                    .filter_map(|(storage, access)| match storage {
                        Storage::Device(memory) => Some((memory, access)),
                        Storage::Host(_) => None,
                    })
                    .collect();
                let args = (&mut parameters[..], &mut maps[..]);
                driver::launch(code, grid, args, &uses, stream)
            }
        }
    }
}

/// Returns the common device of all tensors and the stream; the best device if there are none.
fn check_devices(
    image: &'static KernelImage,
    values: &[Value],
    queue: Option<&Queue>,
) -> Result<Device> {
    let mut tensors = memories(values);
    let Some((first, tensor)) = tensors.next() else {
        return Ok(queue.map_or_else(Device::best, Queue::device));
    };
    let expected = tensor.storage.device();
    for (index, tensor) in tensors {
        let device = tensor.storage.device();
        if device != expected {
            return Err(Error::DeviceMismatch {
                kernel: image.name,
                first_param: image.param(first),
                expected,
                param: image.param(index),
                found: device,
            });
        }
    }
    match queue.map(Queue::device) {
        Some(device) if device != expected => Err(Error::StreamMismatch {
            kernel: image.name,
            expected,
            found: device,
        }),
        _ => Ok(expected),
    }
}

fn check_not_empty(image: &'static KernelImage, values: &[Value]) -> Result<()> {
    match tensors(values).find(|(_, tensor)| tensor.is_empty()) {
        None => Ok(()),
        Some((index, tensor)) => Err(Error::EmptyTensor {
            kernel: image.name,
            param: image.param(index),
            shape: tensor.shape().to_vec(),
        }),
    }
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

fn check_aliasing(image: &'static KernelImage, values: &[Value]) -> Result<()> {
    for (exclusive, tensor) in tensors(values) {
        if tensor.access != Access::Exclusive {
            continue;
        }
        for (other, second) in tensors(values) {
            if other != exclusive && tensor.overlaps(second) {
                return Err(Error::Aliasing {
                    kernel: image.name,
                    exclusive: image.param(exclusive),
                    other: image.param(other),
                });
            }
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

    fn values(launch: Launch<'_>) -> Vec<Value> {
        launch.args.into_iter().map(Arg::into_value).collect()
    }

    #[test]
    fn an_empty_tensor_is_refused_by_name() {
        let error = k(&zeros([0, 4]), 1, &mut zeros([4, 4])).launch();
        assert_eq!(
            error,
            Err(Error::EmptyTensor {
                kernel: "k",
                param: "a",
                shape: vec![0, 4]
            })
        );
    }

    #[test]
    fn a_grid_given_at_the_launch_replaces_the_attribute_s() {
        let (a, mut c) = (zeros([4, 4]), zeros([4, 4]));
        let error = k(&a, 1, &mut c).grid([1, 1, 0]).launch();
        assert_eq!(
            error,
            Err(Error::EmptyGrid {
                kernel: "k",
                axis: 2
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
                other: "a"
            })
        );
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
