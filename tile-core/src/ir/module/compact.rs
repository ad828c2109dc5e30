//! An arena without gaps.

use super::{Module, ValueDef};
use crate::ir::{BlockId, OpId, RegionId, ValueId};

/// For every entry of a list the number that it will have, if it stays.
struct Numbers(Vec<u32>);

/// Goes.
const GONE: u32 = u32::MAX;

impl Numbers {
    fn of(stays: impl Iterator<Item = bool>) -> Self {
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

    /// Removes what goes from a list.
    fn retain<T>(&self, list: &mut Vec<T>) {
        let mut index = 0;
        list.retain(|_| {
            index += 1;
            self.stays(index - 1)
        });
    }
}

impl Module {
    /// Removes everything that is not in the body, or inside of what is; the others keep
    /// their order.
    pub(crate) fn compact(&mut self) {
        let (mut ops, mut blocks) = (vec![false; self.ops.len()], vec![false; self.blocks.len()]);
        let mut regions = vec![false; self.regions.len()];
        let mut next = vec![self.body];
        while let Some(block) = next.pop() {
            blocks[block.index()] = true;
            for &op in &self.block(block).ops {
                ops[op.index()] = true;
                for &region in &self.op(op).regions {
                    regions[region.index()] = true;
                    next.extend_from_slice(&self.region(region).blocks);
                }
            }
        }
        let stays = |def: &ValueDef| match *def {
            ValueDef::Result(op, _) => ops[op.index()],
            ValueDef::Argument(block, _) => blocks[block.index()],
        };
        let values = Numbers::of(self.values.iter().map(|value| stays(&value.def)));
        self.renumber(
            &Numbers::of(ops.into_iter()),
            &Numbers::of(blocks.into_iter()),
            &Numbers::of(regions.into_iter()),
            &values,
        );
    }

    fn renumber(&mut self, ops: &Numbers, blocks: &Numbers, regions: &Numbers, values: &Numbers) {
        let op = |id: OpId| OpId::new(ops.get(id.index()));
        let block = |id: BlockId| BlockId::new(blocks.get(id.index()));
        let region = |id: RegionId| RegionId::new(regions.get(id.index()));
        let value = |id: ValueId| ValueId::new(values.get(id.index()));
        ops.retain(&mut self.ops);
        for data in &mut self.ops {
            data.operands.iter_mut().for_each(|id| *id = value(*id));
            data.results.iter_mut().for_each(|id| *id = value(*id));
            data.regions.iter_mut().for_each(|id| *id = region(*id));
            data.parent = data.parent.map(block);
        }
        values.retain(&mut self.values);
        for data in &mut self.values {
            data.def = match data.def {
                ValueDef::Result(id, number) => ValueDef::Result(op(id), number),
                ValueDef::Argument(id, number) => ValueDef::Argument(block(id), number),
            };
        }
        blocks.retain(&mut self.blocks);
        for data in &mut self.blocks {
            data.args.iter_mut().for_each(|id| *id = value(*id));
            data.ops.iter_mut().for_each(|id| *id = op(*id));
            data.parent = data.parent.map(region);
        }
        regions.retain(&mut self.regions);
        for data in &mut self.regions {
            data.blocks.iter_mut().for_each(|id| *id = block(*id));
            data.parent = data.parent.map(op);
        }
        self.body = block(self.body);
    }
}
