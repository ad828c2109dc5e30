//! Passes over the GPU IR.

mod allocate_shared;
mod barriers;
mod block_skipping;
mod caching;
mod dead_code;
mod epilogue_subtiles;
mod lazy_rescaling;
mod load_once;
mod lpt_order;
mod mask_elision;
mod persistent;
mod pipeline;
mod places;
mod sink_store_waits;
#[cfg(test)]
mod tests;

pub use allocate_shared::allocate_shared;
pub use barriers::barriers;
pub use block_skipping::skip_blocks;
pub use caching::choose_cache_hints;
pub use dead_code::eliminate_dead_code;
pub use lazy_rescaling::rescale_lazily;
pub use load_once::load_once;
pub use lpt_order::order_by_lpt;
pub use mask_elision::elide_masks;
pub(crate) use pipeline::first_uneven_loop;
pub use pipeline::pipeline;
pub use sink_store_waits::sink_store_waits;
