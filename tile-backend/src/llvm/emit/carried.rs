//! Carries values through loops in the form in which they are used, so that no iteration has to convert them.
//!
//! In: a loop-carried value with a single kind of use in the body. Out: a phi for each register of this form:
//!
//! | value | only user | form |
//! |---|---|---|
//! | tile of small elements | MMA with an operand in registers | packed words |
//! | stage of a circular buffer | [`OpKind::ConsumerRelease`] | address of the mbarrier of the arrival |

use inkwell::values::IntValue;

use super::{Emitter, Registers};
use crate::gpu::{BARRIER_BYTES, OpKind, PipelineBarriers, Reach, ValueId};

/// The form of a loop-carried value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The registers of the value, unchanged.
    Plain,
    Words,
    Barrier(PipelineBarriers),
}

impl<'ctx> Emitter<'_, 'ctx> {
    /// Chooses the forms of the loop-carried values `args`, with the results `results`.
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

    /// Returns the pipeline barriers whose stages `values` are, if consumer releases are their only users.
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

    /// Converts values to their forms. Values without a form remain unchanged.
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

    /// Defines a loop-carried value from its form.
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

    /// Returns the address of the mbarrier at which a lane arrives to release a stage.
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
