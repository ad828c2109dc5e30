//! The arguments of a launch, without their static types.

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use smallvec::SmallVec;
use tile_core::Scalar;

use crate::driver::Access;
use crate::kept::{self, Kept};
use crate::layout::Layout;
use crate::overlap::{self, Elements, Sharing};
use crate::storage::Storage;
use crate::{Element, Tensor};

/// The maximum rank of a tensor.
pub(crate) const MAX_RANK: usize = 8;

/// An argument of a launch.
pub struct Arg<'a> {
    value: Value,
    borrow: PhantomData<&'a ()>,
}

#[derive(Clone)]
pub(crate) enum Value {
    Tensor(TensorArg),
    Scalar(u64),
    /// The address of the first element of this tensor.
    Pointer(TensorArg),
}

/// The arguments of a launch, in order. Launches of a thread use the memory of the list one after the other.
#[derive(Default)]
pub(crate) struct Values(Vec<Value>);

/// The maximum capacity of a list that is kept for later launches.
const MAX_KEPT: usize = 64;

thread_local! {
    static KEPT: Kept<Value> = const { Kept::new() };
}

impl Values {
    pub(crate) fn new<'a>(args: impl IntoIterator<Item = Arg<'a>>) -> Values {
        let mut values = kept::take(&KEPT);
        values.extend(args.into_iter().map(Arg::into_value));
        Values(values)
    }

    pub(crate) fn extend(&mut self, more: Vec<Value>) {
        self.0.extend(more);
    }
}

impl Clone for Values {
    fn clone(&self) -> Values {
        let mut values = kept::take(&KEPT);
        values.extend_from_slice(&self.0);
        Values(values)
    }
}

impl Deref for Values {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl Drop for Values {
    fn drop(&mut self) {
        kept::give_back(&KEPT, std::mem::take(&mut self.0), MAX_KEPT);
    }
}

/// A tensor without its static type.
#[derive(Clone)]
pub(crate) struct TensorArg {
    pub(crate) storage: Arc<Storage>,
    pub(crate) access: Access,
    pub(crate) element_bytes: usize,
    pub(crate) scalar: Scalar,
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
                T::SCALAR,
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
        scalar: Scalar,
        layout: &Layout<R>,
    ) -> TensorArg {
        let mut shape = [1; MAX_RANK];
        let mut strides = [1; MAX_RANK];
        shape[..R].copy_from_slice(&layout.shape);
        strides[..R].copy_from_slice(&layout.strides);
        TensorArg {
            storage,
            access,
            element_bytes: scalar.bytes(),
            scalar,
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

    /// Returns the layout, with axes of one element before the others.
    pub(crate) fn layout(&self) -> Layout<MAX_RANK> {
        let (mut shape, mut strides) = ([1; MAX_RANK], [1; MAX_RANK]);
        let first = MAX_RANK - self.rank;
        shape[first..].copy_from_slice(self.shape());
        strides[first..].copy_from_slice(self.strides());
        Layout {
            offset: self.offset,
            shape,
            strides,
        }
    }

    /// Returns the address of the first element.
    pub(crate) fn address(&self) -> u64 {
        self.storage.address() + (self.offset * self.element_bytes) as u64
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shape().contains(&0)
    }

    /// Decides whether two tensors have an element in common.
    pub(crate) fn sharing(&self, other: &TensorArg) -> Sharing {
        if Arc::ptr_eq(&self.storage, &other.storage) {
            return overlap::between(&self.elements(), &other.elements());
        }
        // Memory may be borrowed twice.
        let end = |arg: &TensorArg| arg.address() + (arg.span * arg.element_bytes) as u64;
        if self.address() >= end(other) || other.address() >= end(self) {
            return Sharing::Apart;
        }
        let [first, second] = [self, other].map(|arg| Elements {
            // Addresses are multiples of the sizes of elements.
            offset: usize::try_from(arg.address()).expect("a pointer") / arg.element_bytes,
            ..arg.elements()
        });
        overlap::between(&first, &second)
    }

    /// Decides whether two indices are the same element.
    pub(crate) fn overlap(&self) -> Sharing {
        overlap::within(&self.elements())
    }

    fn elements(&self) -> Elements<'_> {
        Elements {
            offset: self.offset,
            shape: self.shape(),
            strides: self.strides(),
            element_bytes: self.element_bytes,
        }
    }
}

/// Iterates over the tensor arguments, with their parameter indices.
pub(crate) fn tensors(values: &[Value]) -> impl Iterator<Item = (usize, &TensorArg)> {
    values
        .iter()
        .enumerate()
        .filter_map(|(index, value)| match value {
            Value::Tensor(tensor) => Some((index, tensor)),
            Value::Scalar(_) | Value::Pointer(_) => None,
        })
}

/// Iterates over the arguments that use memory, with their parameter indices.
pub(crate) fn memories(values: &[Value]) -> impl Iterator<Item = (usize, &TensorArg)> {
    values
        .iter()
        .enumerate()
        .filter_map(|(index, value)| match value {
            Value::Tensor(memory) | Value::Pointer(memory) => Some((index, memory)),
            Value::Scalar(_) => None,
        })
}

/// Returns each allocation once, with the strongest access that the launch makes to it.
pub(crate) fn accesses(values: &[Value]) -> SmallVec<[(&Storage, Access); 8]> {
    let mut accesses: SmallVec<[(&Arc<Storage>, Access); 8]> = SmallVec::new();
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
