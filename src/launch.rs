//! A launch: checks the arguments, chooses the variant, and starts the kernel.
//!
//! Everything is checked before anything runs, in this order: the devices of the tensors and of the
//! stream, empty tensors, the facts of the kernel, the grid, stores to disjoint places, aliasing.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::claims;
use crate::driver::{self, Access};
use crate::facts;
use crate::layout::Layout;
use crate::private::{KernelImage, VariantImage, VariantKind};
use crate::storage::Storage;
use crate::stream::{Queue, StreamRef};
use crate::{Cancel, Device, Element, Error, Grid, Result, Tensor, cpu, device};

/// The maximum rank of a tensor.
pub(crate) const MAX_RANK: usize = 8;

/// An argument of a launch.
pub struct Arg<'a> {
    value: Value,
    borrow: PhantomData<&'a ()>,
}

pub(crate) enum Value {
    Tensor(TensorArg),
    Scalar(u64),
    /// The address of the first element of this tensor.
    Pointer(TensorArg),
}

/// A tensor without its static type.
#[derive(Clone)]
pub(crate) struct TensorArg {
    pub(crate) storage: Arc<Storage>,
    pub(crate) access: Access,
    pub(crate) element_bytes: usize,
    /// The offset of the first element, in elements.
    pub(crate) offset: usize,
    pub(crate) span: usize,
    rank: usize,
    shape: [usize; MAX_RANK],
    strides: [usize; MAX_RANK],
}

impl<'a> Arg<'a> {
    pub(crate) fn tensor<T: Element, const R: usize>(
        tensor: &'a Tensor<T, R>,
        access: Access,
    ) -> Arg<'a> {
        Arg {
            value: Value::Tensor(TensorArg::new(
                Arc::clone(&tensor.storage),
                access,
                size_of::<T>(),
                &tensor.layout,
            )),
            borrow: PhantomData,
        }
    }

    pub(crate) fn into_value(self) -> Value {
        self.value
    }

    /// Makes an argument of a raw pointer, which borrows nothing.
    pub(crate) fn pointer(target: TensorArg) -> Arg<'a> {
        Arg {
            value: Value::Pointer(target),
            borrow: PhantomData,
        }
    }

    pub(crate) fn scalar(bits: u64) -> Arg<'a> {
        Arg {
            value: Value::Scalar(bits),
            borrow: PhantomData,
        }
    }
}

impl TensorArg {
    pub(crate) fn new<const R: usize>(
        storage: Arc<Storage>,
        access: Access,
        element_bytes: usize,
        layout: &Layout<R>,
    ) -> TensorArg {
        let mut shape = [1; MAX_RANK];
        let mut strides = [1; MAX_RANK];
        shape[..R].copy_from_slice(&layout.shape);
        strides[..R].copy_from_slice(&layout.strides);
        TensorArg {
            storage,
            access,
            element_bytes,
            offset: layout.offset,
            span: layout.span(),
            rank: R,
            shape,
            strides,
        }
    }

    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape[..self.rank]
    }

    pub(crate) fn strides(&self) -> &[usize] {
        &self.strides[..self.rank]
    }

    /// Returns the address of the first element.
    pub(crate) fn address(&self) -> u64 {
        self.storage.address() + (self.offset * self.element_bytes) as u64
    }

    fn is_empty(&self) -> bool {
        self.shape().contains(&0)
    }

    /// Returns `true` if the ranges from the first to the last element of both overlap.
    fn overlaps(&self, other: &TensorArg) -> bool {
        let end = |arg: &TensorArg| arg.address() + (arg.span * arg.element_bytes) as u64;
        Arc::ptr_eq(&self.storage, &other.storage)
            && self.address() < end(other)
            && other.address() < end(self)
    }
}

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
    image: &'static KernelImage,
    grid: Option<Grid>,
    args: Vec<Arg<'a>>,
    stream: Option<StreamRef<'a>>,
    cancel: Option<Cancel>,
}

impl<'a> Launch<'a> {
    pub(crate) fn new(
        image: &'static KernelImage,
        grid: Option<Grid>,
        args: Vec<Arg<'a>>,
    ) -> Launch<'a> {
        Launch {
            image,
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
        let image = self.image;
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
            device::Kind::Cpu => cpu::run(image, grid, &values, self.cancel.as_ref()),
            #[cfg(feature = "sim")]
            device::Kind::Sim => {
                let variant = choose_variant(image, grid, &values)?;
                let has_maps = crate::sim::launch(image, variant, grid, &values)?;
                if !has_maps {
                    crate::sim::launch(image, general(image)?, grid, &values)?;
                }
                Ok(())
            }
            device::Kind::Cuda(context) => {
                let mut variant = choose_variant(image, grid, &values)?;
                if !driver::is_startable(context, image, variant, grid)? {
                    variant = general(image)?;
                }
                let mut parameters = facts::parameters(image, &values, variant.kind);
                let maps = driver::tensor_maps(context, image, variant, &parameters)?;
                if maps.is_none() {
                    variant = general(image)?;
                    parameters = facts::parameters(image, &values, variant.kind);
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
                driver::launch(image, variant, grid, args, &uses, stream)
            }
        }
    }
}

/// Iterates over the tensor arguments, with their parameter indices.
fn tensors(values: &[Value]) -> impl Iterator<Item = (usize, &TensorArg)> {
    values
        .iter()
        .enumerate()
        .filter_map(|(index, value)| match value {
            Value::Tensor(tensor) => Some((index, tensor)),
            Value::Scalar(_) | Value::Pointer(_) => None,
        })
}

/// Iterates over the arguments that use memory, with their parameter indices.
fn memories(values: &[Value]) -> impl Iterator<Item = (usize, &TensorArg)> {
    values
        .iter()
        .enumerate()
        .filter_map(|(index, value)| match value {
            Value::Tensor(memory) | Value::Pointer(memory) => Some((index, memory)),
            Value::Scalar(_) => None,
        })
}

/// Returns each allocation once, with the strongest access that the launch makes to it.
pub(crate) fn accesses(values: &[Value]) -> Vec<(&Storage, Access)> {
    let mut accesses: Vec<(&Arc<Storage>, Access)> = Vec::new();
    for (_, tensor) in memories(values) {
        match accesses
            .iter_mut()
            .find(|(storage, _)| Arc::ptr_eq(storage, &tensor.storage))
        {
            Some((_, access)) => *access = (*access).max(tensor.access),
            None => accesses.push((&tensor.storage, tensor.access)),
        }
    }
    accesses
        .into_iter()
        .map(|(storage, access)| (&**storage, access))
        .collect()
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
fn choose_variant(
    image: &'static KernelImage,
    grid: [u32; 3],
    values: &[Value],
) -> Result<&'static VariantImage> {
    let fast = tensors(values).all(|(index, tensor)| facts::allow_fast(image, index, tensor))
        && facts::allow_blocks(image, grid, values);
    let chosen = image.variants.iter().find(|variant| match variant.kind {
        VariantKind::Fast => fast,
        VariantKind::General => true,
    });
    chosen.map_or_else(|| general(image), Ok)
}

/// Returns the variant without assumptions.
fn general(image: &'static KernelImage) -> Result<&'static VariantImage> {
    let mut variants = image.variants.iter();
    let chosen = variants.find(|variant| variant.kind == VariantKind::General);
    chosen.ok_or_else(|| Error::Artifact {
        kernel: image.name,
        reason: "it has no general variant".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use crate::private;

    static VARIANTS: [VariantImage; 2] = [
        VariantImage::new(VariantKind::Fast, "k__fast", &[], &[]),
        VariantImage::new(VariantKind::General, "k__general", &[], &[]),
    ];
    static IMAGE: KernelImage =
        KernelImage::new("k", ("src/k.rs", 3), &["a", "n", "c"], &VARIANTS, &[]);

    fn k<'a>(a: &'a Tensor<f32, 2>, n: i32, c: &'a mut Tensor<f32, 2>) -> Launch<'a> {
        let grid = private::grid(c.tiles([16, 16]));
        private::launch(
            &IMAGE,
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
        let error = private::launch(&IMAGE, None, [private::exclusive(c)]).launch();
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
            check_aliasing(&IMAGE, &values(k(&top, 1, &mut bottom))),
            Ok(())
        );
        let mut middle = both.narrow(0, 3..8)?;
        assert!(check_aliasing(&IMAGE, &values(k(&top, 1, &mut middle))).is_err());
        Ok(())
    }

    #[test]
    fn shared_tensors_may_be_the_same() {
        let a = zeros([4, 4]);
        let launch = private::launch(&IMAGE, None, [private::shared(&a), private::shared(&a)]);
        let values = values(launch);
        assert_eq!(check_aliasing(&IMAGE, &values), Ok(()));
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
    fn the_fast_variant_is_taken_only_where_every_tensor_allows_it() -> Result<()> {
        let kind = |a: &Tensor<f32, 2>, c: [usize; 2]| {
            choose_variant(&IMAGE, [1; 3], &values(k(a, 1, &mut zeros(c))))
                .map(|variant| variant.kind)
        };
        let wide = zeros([4, 8]);
        assert_eq!(kind(&wide, [4, 4])?, VariantKind::Fast);
        assert_eq!(kind(&wide.t(), [4, 4])?, VariantKind::General);
        assert_eq!(kind(&wide, [4, 3])?, VariantKind::General);
        Ok(())
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
