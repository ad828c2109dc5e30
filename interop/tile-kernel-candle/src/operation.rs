//! Operations of candle made of operations that launch kernels.

use candle_core::backend::{BackendDevice, BackendStorage};
use candle_core::cpu_backend::CpuDevice;
use candle_core::{
    CpuStorage, CudaStorage, CustomOp1, CustomOp2, CustomOp3, DType, Error, InplaceOp1, InplaceOp2,
    InplaceOp3, Layout, Result, Shape, Tensor,
};
use tile_kernel::foreign;

use crate::call::{Call, Source, Target};

/// An operation of `N` inputs, 1 to 3, and one result, which is computed by launches of kernels.
pub trait Operation<const N: usize> {
    /// The name in candle's messages.
    const NAME: &'static str;

    /// Returns the element type and shape of the result; those of the first input unless implemented.
    ///
    /// # Errors
    /// An error of candle about the inputs.
    fn result(&self, inputs: [(DType, &Layout); N]) -> Result<(DType, Shape)> {
        let (dtype, layout) = inputs[0];
        Ok((dtype, layout.shape().clone()))
    }

    /// Borrows the inputs and the output of a call, and launches kernels with them. The output holds zeros.
    ///
    /// # Errors
    /// An error of candle about the inputs, or that of a launch.
    fn forward(&self, call: &Call<'_, '_>) -> Result<()>;

    /// Returns the gradients of the inputs; a further operation computes them.
    ///
    /// # Errors
    /// Unless implemented, [`Error::BackwardNotSupported`].
    fn backward(
        &self,
        inputs: [&Tensor; N],
        result: &Tensor,
        gradient: &Tensor,
    ) -> Result<[Option<Tensor>; N]> {
        let _ = (inputs, result, gradient);
        Err(Error::BackwardNotSupported { op: Self::NAME })
    }
}

/// An operation that changes a tensor, of which `N` inputs, 0 to 2, are only read. Launches of kernels compute it.
pub trait InplaceOperation<const N: usize> {
    /// The name in candle's messages.
    const NAME: &'static str;

    /// Borrows the inputs, and the tensor as the output of the call, and launches kernels with them.
    ///
    /// # Errors
    /// An error of candle about the inputs, or that of a launch.
    fn forward(&self, call: &Call<'_, '_>) -> Result<()>;
}

/// Makes an [`Operation`] or an [`InplaceOperation`] one of candle: `x.apply_op1(Op(operation))`,
/// `x.inplace_op2(&y, &Op(operation))`.
#[derive(Clone, Copy, Debug)]
pub struct Op<O>(pub O);

type Cpu<'env> = (&'env CpuStorage, &'env Layout);
type Cuda<'env> = (&'env CudaStorage, &'env Layout);

fn cpu<'env>(
    inputs: &[Cpu<'env>],
    (storage, layout): (&'env mut CpuStorage, &'env Layout),
    forward: impl FnOnce(&Call<'_, '_>) -> Result<()>,
) -> Result<()> {
    let inputs = inputs
        .iter()
        .map(|&(storage, layout)| (Source::Cpu(storage), layout))
        .collect();
    foreign::scope(|scope| {
        let target = (Target::Cpu(storage), layout);
        #[cfg(feature = "cuda")]
        let call = Call::new(scope, inputs, target, None);
        #[cfg(not(feature = "cuda"))]
        let call = Call::new(scope, inputs, target);
        forward(&call)
    })
}

#[cfg(feature = "cuda")]
fn cuda<'env>(
    inputs: &[Cuda<'env>],
    (storage, layout): (&'env mut CudaStorage, &'env Layout),
    forward: impl FnOnce(&Call<'_, '_>) -> Result<()>,
) -> Result<()> {
    let stream = storage.device().cuda_stream();
    let queue = tile_kernel_cudarc::Queue::new(&stream).map_err(Error::wrap)?;
    let inputs = inputs
        .iter()
        .map(|&(storage, layout)| (Source::Cuda(storage), layout))
        .collect();
    foreign::scope(|scope| {
        let target = (Target::Cuda(storage), layout);
        forward(&Call::new(scope, inputs, target, Some(&queue)))
    })
}

#[cfg(not(feature = "cuda"))]
fn cuda(
    _inputs: &[Cuda<'_>],
    _target: (&mut CudaStorage, &Layout),
    _forward: impl FnOnce(&Call<'_, '_>) -> Result<()>,
) -> Result<()> {
    Err(Error::NotCompiledWithCudaSupport)
}

fn cpu_forward<O: Operation<N>, const N: usize>(
    operation: &O,
    inputs: [Cpu<'_>; N],
) -> Result<(CpuStorage, Shape)> {
    let (dtype, shape) =
        operation.result(inputs.map(|(storage, layout)| (storage.dtype(), layout)))?;
    let mut result = CpuDevice.zeros_impl(&shape, dtype)?;
    let layout = Layout::contiguous(&shape);
    if shape.elem_count() > 0 {
        cpu(&inputs, (&mut result, &layout), |call| {
            operation.forward(call)
        })?;
    }
    Ok((result, shape))
}

fn cuda_forward<O: Operation<N>, const N: usize>(
    operation: &O,
    inputs: [Cuda<'_>; N],
) -> Result<(CudaStorage, Shape)> {
    let (dtype, shape) =
        operation.result(inputs.map(|(storage, layout)| (storage.dtype(), layout)))?;
    let mut result = inputs[0].0.device().zeros_impl(&shape, dtype)?;
    let layout = Layout::contiguous(&shape);
    if shape.elem_count() > 0 {
        cuda(&inputs, (&mut result, &layout), |call| {
            operation.forward(call)
        })?;
    }
    Ok((result, shape))
}

impl<O: Operation<1>> CustomOp1 for Op<O> {
    fn name(&self) -> &'static str {
        O::NAME
    }

    fn cpu_fwd(&self, s: &CpuStorage, l: &Layout) -> Result<(CpuStorage, Shape)> {
        cpu_forward(&self.0, [(s, l)])
    }

    fn cuda_fwd(&self, s: &CudaStorage, l: &Layout) -> Result<(CudaStorage, Shape)> {
        cuda_forward(&self.0, [(s, l)])
    }

    fn bwd(&self, arg: &Tensor, res: &Tensor, grad_res: &Tensor) -> Result<Option<Tensor>> {
        let [grad] = self.0.backward([arg], res, grad_res)?;
        Ok(grad)
    }
}

impl<O: Operation<2>> CustomOp2 for Op<O> {
    fn name(&self) -> &'static str {
        O::NAME
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        cpu_forward(&self.0, [(s1, l1), (s2, l2)])
    }

    fn cuda_fwd(
        &self,
        s1: &CudaStorage,
        l1: &Layout,
        s2: &CudaStorage,
        l2: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        cuda_forward(&self.0, [(s1, l1), (s2, l2)])
    }

    fn bwd(
        &self,
        arg1: &Tensor,
        arg2: &Tensor,
        res: &Tensor,
        grad_res: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let [first, second] = self.0.backward([arg1, arg2], res, grad_res)?;
        Ok((first, second))
    }
}

impl<O: Operation<3>> CustomOp3 for Op<O> {
    fn name(&self) -> &'static str {
        O::NAME
    }

    fn cpu_fwd(
        &self,
        s1: &CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
        s3: &CpuStorage,
        l3: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        cpu_forward(&self.0, [(s1, l1), (s2, l2), (s3, l3)])
    }

    fn cuda_fwd(
        &self,
        s1: &CudaStorage,
        l1: &Layout,
        s2: &CudaStorage,
        l2: &Layout,
        s3: &CudaStorage,
        l3: &Layout,
    ) -> Result<(CudaStorage, Shape)> {
        cuda_forward(&self.0, [(s1, l1), (s2, l2), (s3, l3)])
    }

    fn bwd(
        &self,
        arg1: &Tensor,
        arg2: &Tensor,
        arg3: &Tensor,
        res: &Tensor,
        grad_res: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let [first, second, third] = self.0.backward([arg1, arg2, arg3], res, grad_res)?;
        Ok((first, second, third))
    }
}

impl<O: InplaceOperation<0>> InplaceOp1 for Op<O> {
    fn name(&self) -> &'static str {
        O::NAME
    }

    fn cpu_fwd(&self, s: &mut CpuStorage, l: &Layout) -> Result<()> {
        cpu(&[], (s, l), |call| self.0.forward(call))
    }

    fn cuda_fwd(&self, s: &mut CudaStorage, l: &Layout) -> Result<()> {
        cuda(&[], (s, l), |call| self.0.forward(call))
    }
}

impl<O: InplaceOperation<1>> InplaceOp2 for Op<O> {
    fn name(&self) -> &'static str {
        O::NAME
    }

    fn cpu_fwd(
        &self,
        s1: &mut CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
    ) -> Result<()> {
        cpu(&[(s2, l2)], (s1, l1), |call| self.0.forward(call))
    }

    fn cuda_fwd(
        &self,
        s1: &mut CudaStorage,
        l1: &Layout,
        s2: &CudaStorage,
        l2: &Layout,
    ) -> Result<()> {
        cuda(&[(s2, l2)], (s1, l1), |call| self.0.forward(call))
    }
}

impl<O: InplaceOperation<2>> InplaceOp3 for Op<O> {
    fn name(&self) -> &'static str {
        O::NAME
    }

    fn cpu_fwd(
        &self,
        s1: &mut CpuStorage,
        l1: &Layout,
        s2: &CpuStorage,
        l2: &Layout,
        s3: &CpuStorage,
        l3: &Layout,
    ) -> Result<()> {
        cpu(&[(s2, l2), (s3, l3)], (s1, l1), |call| self.0.forward(call))
    }

    fn cuda_fwd(
        &self,
        s1: &mut CudaStorage,
        l1: &Layout,
        s2: &CudaStorage,
        l2: &Layout,
        s3: &CudaStorage,
        l3: &Layout,
    ) -> Result<()> {
        cuda(&[(s2, l2), (s3, l3)], (s1, l1), |call| self.0.forward(call))
    }
}
