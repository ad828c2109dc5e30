//! The left operand of a product: its rows are read where they are in memory, or from a buffer.

use super::super::super::ir::{Groups, InMemory, Place, Stride};
use super::super::Emitter;
use super::super::nest::Iteration;
use super::Rows;

impl Emitter<'_> {
    /// Returns the rows of a group: those in memory, if the nest only copies them, they are inside of the tensor, and their elements are
    /// neighbours; else `packed`, into which the nest puts them.
    pub(super) fn group(&mut self, groups: &Groups, k: u64, number: &str, packed: Rows) -> Rows {
        let bits = (groups.rows * k).trailing_zeros();
        let Some(found) = groups.in_memory(k) else {
            self.nest_part(&groups.nest, bits, number);
            return packed;
        };
        let InMemory {
            place,
            column,
            holds,
        } = found;
        let part = Iteration::of_part(self, bits..groups.nest.bits, number);
        let mut conditions = Vec::new();
        if let Some(holds) = holds {
            conditions.push((self.val(holds), 1));
        }
        if let Stride::Value(stride) = place.axes[column].stride {
            conditions.push((self.val(stride), 1));
        }
        let mut is_there = self.all_equal(&conditions);
        for axis in &place.axes {
            let extent = axis.weights[..bits as usize].iter().sum::<i64>() + 1;
            let first = self.coordinate(&axis.weights, &part);
            let end = self.value(&format!("add i64 {first}, {extent}"));
            for (bound, predicate, of_group) in
                [(axis.from, "sge", &first), (axis.inside, "sle", &end)]
            {
                let Some(bound) = bound else { continue };
                let bound = self.val(bound);
                let is_inside = self.value(&format!("icmp {predicate} i64 {of_group}, {bound}"));
                is_there = self.value(&format!("and i1 {is_there}, {is_inside}"));
            }
        }
        let [there, copied, end] = [self.label(), self.label(), self.label()];
        self.branch_if(&is_there, &there, &copied);
        self.start(&there);
        let (start, _) = self.base(place.base);
        let start = self.address(&start, place, &part);
        let stride = self.row_stride(place, k);
        self.branch(&end);
        self.start(&copied);
        self.nest_part(&groups.nest, bits, number);
        let after = self.block.clone();
        self.branch(&end);
        self.start(&end);
        Rows {
            start: self.value(&format!(
                "phi ptr [ {start}, %{there} ], [ {}, %{after} ]",
                packed.start
            )),
            stride: self.value(&format!(
                "phi i64 [ {stride}, %{there} ], [ {}, %{after} ]",
                packed.stride
            )),
        }
    }

    /// Returns the bytes from a row to the next one.
    pub(super) fn row_stride(&mut self, place: &Place, k: u64) -> String {
        let bit = k.trailing_zeros() as usize;
        let mut rows = place.axes.iter().filter(|axis| axis.weights[bit] != 0);
        let axis = rows
            .next()
            .expect("an operand in memory has an axis of rows");
        let bytes = i64::try_from(place.scalar.bytes()).expect("few bytes") * axis.weights[bit];
        match axis.stride {
            Stride::Constant(stride) => (stride * bytes).to_string(),
            Stride::Value(stride) => {
                let stride = self.val(stride);
                self.value(&format!("mul i64 {stride}, {bytes}"))
            }
        }
    }
}
