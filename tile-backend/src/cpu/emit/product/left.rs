//! The left operand of a product: its rows are read where they are in memory, or from a buffer.

use super::super::super::ir::{Groups, InMemory, Place, Product, Stride, Unit};
use super::super::Emitter;
use super::super::nest::Iteration;
use super::Rows;

/// The panels from which on they prefetch rows: they have less than half as many prefetches as loads of rows.
const FEW_PANELS: u64 = 4;

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

    /// Returns the address of the first row to prefetch for a panel: it and each row after as many as there are panels, so that
    /// the panels share the rows of the next group, or after the last group those of the first one of the next `k` columns, which
    /// a loop multiplies next. Returns `None` where the processor does that on its own, the rows are not in memory, or there are so
    /// few panels that each would prefetch many rows.
    ///
    /// A register has 16 rows, more than the streams that processors with such registers find by themselves. On a Xeon with AMX, a
    /// product of 2048 in bf16 took 0.92 of the time, one of 512, which is in the second-level cache, 1.03.
    pub(super) fn rows_ahead(
        &mut self,
        product: &Product,
        a: &Rows,
        group: &str,
        panel: &str,
    ) -> Option<String> {
        let groups = product.groups.as_ref()?;
        groups.in_memory(product.k)?;
        if product.unit != Unit::Tiles || product.n / product.panel < FEW_PANELS {
            return None;
        }
        let Rows { start, stride } = a;
        let (rows, row_bytes) = (groups.rows, product.steps() * product.scalar.bytes() as u64);
        let last = product.m / rows - 1;
        let next = self.value(&format!("mul i64 {stride}, {rows}"));
        let before = self.value(&format!("mul i64 {stride}, {}", last * rows));
        let first = self.value(&format!("sub i64 {row_bytes}, {before}"));
        let is_last = self.value(&format!("icmp eq i64 {group}, {last}"));
        let offset = self.value(&format!("select i1 {is_last}, i64 {first}, i64 {next}"));
        let of_panel = self.value(&format!("mul i64 {stride}, {panel}"));
        let offset = self.value(&format!("add i64 {offset}, {of_panel}"));
        Some(self.value(&format!("getelementptr i8, ptr {start}, i64 {offset}")))
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
