//! `__private`: the only names that the expansion of `#[tile_kernel]` uses.
//!
//! Everything here may change in any release, as the macro and this crate always have the same
//! version. An instance is a `static` that costs nothing until it is launched.

use std::any::{Any, TypeId};

pub mod shadow;

pub use crate::small_float::{f8e4m3, f8e5m2, f8e8m0};
pub use half::{bf16, f16};
pub use tile_core::reach::{Claim, Step};

pub use crate::Error;
pub use crate::Grid;
pub use crate::args::Arg;
use crate::args::TensorArg;
pub use crate::element::{Element, ScalarArg};
pub use crate::image::*;
pub use crate::instance::Instance;
pub use crate::launch::{Kernel, Launch};
pub use crate::pointer::{DevicePtr, DevicePtrMut};
pub use crate::tensor::Tensor;
pub use crate::tuning::TunedLaunch;
pub use crate::tuning::table::{
    Candidate, Grids, KeyClass, KeyImage, PartImage, Tuning, Work, grids, not_tuned, tuned,
};
pub use tile_macros::tile_next;

/// A type that exists only in kernels. No host type implements this trait, so host code cannot call
/// a function under `#[tile_fn]`.
#[diagnostic::on_unimplemented(
    message = "a function under `#[tile_fn]` cannot be called on the host",
    label = "this is host code",
    note = "the function becomes part of each kernel that calls it",
    note = "call it in a `#[tile_kernel]`, or write an ordinary function for the host"
)]
pub trait InKernel {}

/// Returns the grid of the attribute's `grid` option.
pub fn grid(grid: impl Into<Grid>) -> Option<Grid> {
    Some(grid.into())
}

/// Returns a launch of an instance.
pub fn launch<'a, const N: usize>(
    instance: &'static Instance,
    grid: Option<Grid>,
    args: [Arg<'a>; N],
) -> Launch<'a> {
    Launch::new(instance, grid, args)
}

/// Returns a launch of a kernel whose number of arguments is not known at compile time.
pub fn launch_all<'a>(
    instance: &'static Instance,
    grid: Option<Grid>,
    args: Vec<Arg<'a>>,
) -> Launch<'a> {
    Launch::new(instance, grid, args)
}

/// Returns `true` if two element types are the same.
pub fn is<A: Element, B: Element>() -> bool {
    TypeId::of::<A>() == TypeId::of::<B>()
}

/// Casts a `&Tensor` to a type that is known to be the same.
///
/// # Panics
/// Panics if the types differ. The stub compares them before the call.
pub fn shared_as<A: 'static, B: 'static>(value: &A) -> &B {
    let value: &dyn Any = value;
    value.downcast_ref().expect(SAME)
}

/// Casts a `&mut Tensor` to a type that is known to be the same.
///
/// # Panics
/// Panics if the types differ. The stub compares them before the call.
pub fn exclusive_as<A: 'static, B: 'static>(value: &mut A) -> &mut B {
    let value: &mut dyn Any = value;
    value.downcast_mut().expect(SAME)
}

/// Casts a value to a type that is known to be the same.
///
/// # Panics
/// Panics if the types differ. The stub compares them before the call.
pub fn value_as<A: 'static, B: 'static>(value: A) -> B {
    let mut value = Some(value);
    let value: &mut dyn Any = &mut value;
    let value: &mut Option<B> = value.downcast_mut().expect(SAME);
    value.take().expect("it was just put there")
}

/// The panic message of [`shared_as`], [`exclusive_as`] and [`value_as`].
const SAME: &str = "the stub compares the types before";

/// Returns the name of an element type, without its path.
pub fn type_name<T: Element>() -> String {
    let name = std::any::type_name::<T>();
    name.rsplit("::").next().unwrap_or(name).to_owned()
}

/// Formats a const argument.
pub fn shown(value: impl std::fmt::Display) -> String {
    value.to_string()
}

/// Returns the error for an instance that was not compiled.
pub fn not_compiled(
    kernel: &'static str,
    asked: &[(&'static str, String)],
    listed: &[&'static str],
) -> Error {
    let asked = asked
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    let asked: Vec<String> = asked.collect();
    Error::NotCompiled {
        kernel,
        instance: asked.join(", "),
        listed: listed.to_vec(),
    }
}

/// Makes an argument of a `&Tensor`.
pub fn shared<T: Element, const R: usize>(tensor: &Tensor<T, R>) -> Arg<'_> {
    Arg::tensor(tensor, crate::driver::Access::Shared)
}

/// Makes an argument of a `&mut Tensor`.
pub fn exclusive<T: Element, const R: usize>(tensor: &mut Tensor<T, R>) -> Arg<'_> {
    Arg::tensor(tensor, crate::driver::Access::Exclusive)
}

/// Makes an argument for a parameter `*const T` or `*mut T`.
pub fn pointer<'a>(pointer: impl Into<PointerArg>) -> Arg<'a> {
    Arg::pointer(pointer.into().0)
}

/// A raw pointer without its static type.
pub struct PointerArg(TensorArg);

impl<T: Element> From<DevicePtr<T>> for PointerArg {
    fn from(pointer: DevicePtr<T>) -> Self {
        PointerArg(pointer.target)
    }
}

impl<T: Element> From<DevicePtrMut<T>> for PointerArg {
    fn from(pointer: DevicePtrMut<T>) -> Self {
        PointerArg(pointer.target)
    }
}

/// Makes an argument that is passed by value.
pub fn scalar<'a>(value: impl ScalarArg) -> Arg<'a> {
    Arg::scalar(value.bits())
}
