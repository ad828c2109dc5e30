//! Tensors, partitions and views.

use std::marker::PhantomData;

use super::{Element, Padding};

/// A tensor: an array of any shape in device memory.
///
/// A kernel reads it through `&Tensor`, and reads and writes it through `&mut Tensor`.
pub struct Tensor<T, const RANK: usize>(PhantomData<T>);

/// A tensor divided into tiles of one shape.
pub struct Partition<T, const RANK: usize>(PhantomData<T>);

impl<T, const RANK: usize> Clone for Partition<T, RANK> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const RANK: usize> Copy for Partition<T, RANK> {}

/// A tensor whose tiles are gathered along one axis.
pub struct GatherView<T, const RANK: usize>(PhantomData<T>);

impl<T, const RANK: usize> Clone for GatherView<T, RANK> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const RANK: usize> Copy for GatherView<T, RANK> {}

/// The value that a load returns for elements out of bounds: a [`Padding`], or a number.
pub trait Beyond<T> {}
impl<T: Element> Beyond<T> for T {}
impl<T: Element> Beyond<T> for Padding {}
impl Beyond<super::f16> for f64 {}
impl Beyond<super::bf16> for f64 {}
