//! The checks of one block's tensor memory.

/// What is known of the tensor memory of a block.
#[derive(Default)]
pub(crate) struct TensorShadow {}

impl TensorShadow {
    pub(crate) fn clear(&mut self) {}
}
