//! Compaction of the arena: removes unreachable entries and renumbers the others.

use super::{Module, ValueDef};
use crate::ir::{BlockId, OpId, RegionId, ValueId};

/// The new number of each entry of a list, or `GONE` if the entry is removed.
struct Numbers(Vec<u32>);

/// The mark of an entry that is removed.
const GONE: u32 = u32::MAX;

impl Numbers {
    fn renumber(stays: impl Iterator<Item = bool>) -> Self {
        let mut next = 0;
        let numbers = stays.map(|stays| {
            let number = if stays { next } else { GONE };
            next += u32::from(stays);
            number
        });
        Self(numbers.collect())
    }

    fn stays(&self, index: usize) -> bool {
        self.0[index] != GONE
    }

    fn get(&self, index: usize) -> usize {
        debug_assert!(self.stays(index), "what stays names only what stays");
        self.0[index] as usize
    }

    /// Removes the entries marked `GONE` from a list, and calls `change` on the others.
    fn retain<T>(&self, list: &mut Vec<T>, mut change: impl FnMut(&mut T)) {
        let mut index = 0;
        list.retain_mut(|entry| {
            let stays = self.stays(index);
            index += 1;
            if stays {
                change(entry);
            }
            stays
        });
    }
}

/// The operations, blocks and regions that are reachable from the body of a module.
#[derive(Debug)]
pub(crate) struct Reached {
    ops: Vec<bool>,
    blocks: Vec<bool>,
    regions: Vec<bool>,
}

impl Reached {
    /// Starts with nothing marked.
    pub(crate) fn nothing(module: &Module) -> Self {
        Self {
            ops: vec![false; module.ops.len()],
            blocks: vec![false; module.blocks.len()],
            regions: vec![false; module.regions.len()],
        }
    }

    /// Marks a block, its operations and their regions as reachable.
    pub(crate) fn block(&mut self, module: &Module, block: BlockId, ops: &[OpId]) {
        self.blocks[block.index()] = true;
        for &op in ops {
            self.ops[op.index()] = true;
            for region in &module.op(op).regions {
                self.regions[region.index()] = true;
            }
        }
    }
}

impl Module {
    /// Removes all unreachable entries; the others keep their order.
    pub(crate) fn compact(&mut self, reached: Reached) {
        let Reached {
            ops,
            blocks,
            regions,
        } = reached;
        let stays = |def: &ValueDef| match *def {
            ValueDef::Result(op, _) => ops[op.index()],
            ValueDef::Argument(block, _) => blocks[block.index()],
        };
        let values = Numbers::renumber(self.values.iter().map(|value| stays(&value.def)));
        self.renumber(
            &Numbers::renumber(ops.into_iter()),
            &Numbers::renumber(blocks.into_iter()),
            &Numbers::renumber(regions.into_iter()),
            &values,
        );
    }

    fn renumber(&mut self, ops: &Numbers, blocks: &Numbers, regions: &Numbers, values: &Numbers) {
        let op = |id: OpId| OpId::new(ops.get(id.index()));
        let block = |id: BlockId| BlockId::new(blocks.get(id.index()));
        let region = |id: RegionId| RegionId::new(regions.get(id.index()));
        let value = |id: ValueId| ValueId::new(values.get(id.index()));
        ops.retain(&mut self.ops, |data| {
            data.operands.iter_mut().for_each(|id| *id = value(*id));
            data.results.iter_mut().for_each(|id| *id = value(*id));
            data.regions.iter_mut().for_each(|id| *id = region(*id));
            data.parent = data.parent.map(block);
        });
        values.retain(&mut self.values, |data| {
            data.def = match data.def {
                ValueDef::Result(id, number) => ValueDef::Result(op(id), number),
                ValueDef::Argument(id, number) => ValueDef::Argument(block(id), number),
            };
        });
        blocks.retain(&mut self.blocks, |data| {
            data.args.iter_mut().for_each(|id| *id = value(*id));
            data.ops.iter_mut().for_each(|id| *id = op(*id));
            data.parent = data.parent.map(region);
        });
        regions.retain(&mut self.regions, |data| {
            data.blocks.iter_mut().for_each(|id| *id = block(*id));
            data.parent = data.parent.map(op);
        });
        self.body = block(self.body);
    }
}
