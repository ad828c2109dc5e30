//! Emits selections between two numbers.

use inkwell::values::BasicValueEnum;

use super::Element;

impl<'ctx> Element<'_, 'ctx> {
    pub(super) fn select(&self) -> BasicValueEnum<'ctx> {
        self.code.select(self.int(0), self.args[1], self.args[2])
    }
}
