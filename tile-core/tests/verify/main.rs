//! Tests the verifier beyond the file tests: on modules built in the arena, for rendered messages,
//! and for a file test of every operation.

mod arena;
mod attributes;
mod debug;
mod operations;
mod structure;

use tile_core::build::Builder;
use tile_core::ir::{BlockId, OpId};
use tile_core::ops::ControlFlowOp;
use tile_core::{Loc, Type};

/// Gives an operation a body with two arguments that yields the first one.
fn add_body_of_two(builder: &mut Builder<'_>, op: OpId, ty: Type) -> BlockId {
    let block = builder.add_region_block(op);
    let element = builder.module().add_block_arg(block, ty, Loc::UNKNOWN);
    builder.module().add_block_arg(block, ty, Loc::UNKNOWN);
    let outer = builder.set_block(block);
    builder.terminate(ControlFlowOp::Yield, &[element], Loc::UNKNOWN);
    builder.set_block(outer);
    block
}
