//! What loops carry in another form than it is defined in, so that an iteration need not make that again.
//!
//! In: a value that a loop carries and its body uses in one way alone. Out: a phi for each register of the form:
//!
//! | value | only user | form |
//! |---|---|---|
//! | tile of small elements | tensor cores take it from registers | the words that they take |
//! | slot of a ring | [`OpKind::ConsumerRelease`] | the address of the barrier at which a lane arrives |

use inkwell::values::IntValue;

use super::{Emitter, Registers};
use crate::gpu::{BARRIER_BYTES, OpKind, PipelineBarriers, Reach, ValueId};

/// How a loop carries a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Its registers.
    Plain,
    Words,
    Barrier(PipelineBarriers),
}

impl<'ctx> Emitter<'_, 'ctx> {
    /// The forms of what a loop carries as `args` and gives as `results`.
    pub(super) fn forms(&self, args: &[ValueId], results: &[ValueId]) -> Vec<Form> {
        let pairs = args.iter().zip(results);
        pairs
            .map(|(&arg, &result)| {
                if self.is_operand_in_registers(arg) {
                    return Form::Words;
                }
                match self.only_consumer_releases(&[arg, result]) {
                    Some(pipeline_barriers) => Form::Barrier(pipeline_barriers),
                    None => Form::Plain,
                }
            })
            .collect()
    }

    fn is_operand_in_registers(&self, value: ValueId) -> bool {
        self.kernel.op_ids().any(|id| {
            let op = self.kernel.op(id);
            let is_match = matches!(&op.kind, OpKind::Wgmma(mma) if mma.lhs.is_none());
            is_match && op.args.get(1) == Some(&value)
        })
    }

    /// The ring of which these are freed, if nothing else is done with them.
    fn only_consumer_releases(&self, values: &[ValueId]) -> Option<PipelineBarriers> {
        let kernel = self.kernel;
        let mut released = None;
        for id in kernel.op_ids() {
            let op = kernel.op(id);
            if !op.args.iter().any(|arg| values.contains(arg)) {
                continue;
            }
            let OpKind::ConsumerRelease(pipeline_barriers) = op.kind else {
                return None;
            };
            if *released.get_or_insert(pipeline_barriers) != pipeline_barriers {
                return None;
            }
        }
        released
    }

    /// Values as they are carried. Of those behind the forms nothing is special.
    pub(super) fn to_forms(
        &self,
        values: Vec<Registers<'ctx>>,
        forms: &[Form],
    ) -> Vec<Registers<'ctx>> {
        let forms = forms.iter().chain(std::iter::repeat(&Form::Plain));
        let formed = values
            .into_iter()
            .zip(forms)
            .map(|(values, form)| match form {
                Form::Plain => values,
                Form::Words => self.words_of_operand(&values),
                Form::Barrier(pipeline_barriers) => {
                    let stage = values[0].into_int_value();
                    vec![self.arrival(*pipeline_barriers, stage).into()]
                }
            });
        formed.collect()
    }

    /// Defines a value that comes so.
    pub(super) fn define_carried(
        &mut self,
        value: ValueId,
        registers: Registers<'ctx>,
        form: Form,
    ) {
        let registers = match form {
            Form::Plain => registers,
            Form::Words => self.elements_of_words(&registers, self.scalar(value)),
            Form::Barrier(_) => {
                self.freed.insert(value, registers[0].into_int_value());
                return;
            }
        };
        self.define(value, registers);
    }

    /// The barrier at which a lane arrives that frees a slot.
    pub(super) fn arrival_of(
        &self,
        pipeline_barriers: PipelineBarriers,
        stage: ValueId,
    ) -> IntValue<'ctx> {
        let cached = self.freed.get(&stage).copied();
        cached.unwrap_or_else(|| self.arrival(pipeline_barriers, self.int(stage)))
    }

    fn arrival(
        &self,
        pipeline_barriers: PipelineBarriers,
        stage: IntValue<'ctx>,
    ) -> IntValue<'ctx> {
        let code = &self.code;
        match pipeline_barriers.reach {
            Reach::Block => code.shared_address(self.barrier_of(pipeline_barriers.empty, stage)),
            Reach::Cluster => {
                let cached = self.arrivals.get(&pipeline_barriers.empty).copied();
                let first = cached.unwrap_or_else(|| self.first_arrival(pipeline_barriers));
                code.add(first, code.mul_nuw(stage, code.i32(BARRIER_BYTES)))
            }
        }
    }
}
