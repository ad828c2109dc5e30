//! Emits warpgroup MMAs: `wgmma`.
//!
//! In: operands in shared memory as swizzle atoms; the left operand may be in registers as fragments. Out,
//! for every warpgroup:
//!
//! ```text
//!   wgmma.fence                 earlier register accesses are complete
//!   wgmma.mma_async  ..         one per 64 rows, up to 256 columns, and 32 bytes of depth
//!   wgmma.commit_group
//!   wgmma.wait_group 0          or N, if MMAs stay in flight
//! ```
//!
//! LLVM has no intrinsics for `wgmma.mma_async`. In the inline assembly, the accumulator is both operand and
//! result, in the same registers. It is threaded through the fence and the wait too, so that none of its uses
//! moves across them.
//!
//! The tensor cores read shared memory through the async proxy. Threads therefore execute a proxy fence after
//! their writes to such a buffer, before the barrier that precedes the MMA (PTX ISA, "Async Proxy").

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue};
use std::fmt::Write as _;
use tile_core::Scalar;

use super::code::AsmEffect;
use super::{Emitter, Registers, Result};
use crate::gpu::{BufferId, MmaKind, Op, OpKind, SharedMatrix, Side, ValueId, Wgmma};
use crate::layout::warpgroup::{MAX_COLUMNS, ROWS, WARPS};
use crate::layout::{Axis, MmaInstruction, Steps, Warpgroups};
use crate::llvm::intrinsics::Intrinsic;

/// The bits of an address that a descriptor encodes; it stores them in units of 16 bytes.
const ADDRESS_MASK: u32 = 0x3_ffff;
const UNIT_LOG2: u32 = 4;

/// Two-level accumulation of 8-bit floats: the number of instructions along K (128 elements) after which
/// their sum is added to f32 registers.
const PROMOTED_STEPS: u64 = 4;

/// A matrix in shared memory.
struct Matrix<'ctx> {
    /// The descriptor of the warpgroup's part of the matrix.
    descriptor: IntValue<'ctx>,
    steps: Steps,
}

/// A warpgroup's part of an extent that is split into `count` parts.
#[derive(Clone, Copy)]
pub(super) struct Part<'ctx> {
    count: u32,
    number: IntValue<'ctx>,
    /// The extent of one part.
    extent: u64,
}

/// The type names in the instruction's name, and the immediates that it has.
struct Names {
    accumulator: &'static str,
    lhs: &'static str,
    rhs: &'static str,
    /// `true` if the instruction has immediates that can negate the operands.
    has_signs: bool,
    /// `true` if the instruction has immediates that transpose matrices in shared memory.
    has_transposes: bool,
}

fn names(kind: MmaKind) -> Option<Names> {
    let signed = |signed| if signed { "s8" } else { "u8" };
    let (accumulator, lhs, rhs) = match kind {
        MmaKind::F16 => ("f32", "f16", "f16"),
        MmaKind::BF16 => ("f32", "bf16", "bf16"),
        MmaKind::F16AccF16 => ("f16", "f16", "f16"),
        MmaKind::TF32 => ("f32", "tf32", "tf32"),
        MmaKind::I8 {
            lhs_signed,
            rhs_signed,
        } => ("s32", signed(lhs_signed), signed(rhs_signed)),
        MmaKind::E4M3 => ("f32", "e4m3", "e4m3"),
        MmaKind::E5M2 => ("f32", "e5m2", "e5m2"),
        MmaKind::F64 => return None,
    };
    Some(Names {
        accumulator,
        lhs,
        rhs,
        has_signs: !matches!(kind, MmaKind::I8 { .. }),
        has_transposes: kind.element_bits() == 16,
    })
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn wgmma(&mut self, op: &Op, mma: &Wgmma) -> Result<()> {
        let instruction = MmaInstruction::for_element_bits(mma.kind.element_bits());
        let encoding = names(mma.kind).zip(self.parts(op)).zip(instruction);
        let Some(((names, parts), instruction)) = encoding else {
            return Err(self.unsupported("a `wgmma` of these layouts", op.loc));
        };
        let [rows, columns] = parts.map(|part| part.extent);
        let mut stages = op.args[mma.values()..].iter().copied();
        let depth = mma.rhs.sizes(self.kernel, Side::Right);
        let lhs = mma.lhs.map(|lhs| {
            let stage = self.stage_of(lhs.buffer, &mut stages);
            self.matrix(lhs, Side::Left, stage, parts[0])
        });
        let stage = self.stage_of(mma.rhs.buffer, &mut stages);
        let rhs = self.matrix(mma.rhs, Side::Right, stage, parts[1]);
        let (Some((_, depth)), Some(rhs)) = (depth, rhs) else {
            return Err(self.unsupported("a factor in this buffer", op.loc));
        };
        let lhs = match lhs {
            Some(None) => return Err(self.unsupported("a factor in this buffer", op.loc)),
            Some(Some(lhs)) => Some(lhs),
            None => None,
        };

        let output = self.scalar(op.args[0]);
        let mut sums = self.words_of(&self.registers(op.args[0]).clone(), output);
        let mut register_operands = if mma.lhs.is_none() {
            let values = self.registers(op.args[1]).clone();
            self.words_of_operand(&values)
        } else {
            Vec::new()
        };
        // With two-level accumulation, partial sums start at zero.
        let mut total = Vec::new();
        if mma.has_two_level_accumulation {
            total.clone_from(&sums);
            let zero = self.code.constant(output, 0);
            sums = vec![zero; total.len()];
        }
        let mut operands = sums.clone();
        operands.extend(&register_operands);
        let mut operands = self.through("wgmma.fence.sync.aligned;", &operands);
        register_operands = operands.split_off(sums.len());
        sums = operands;
        let width = columns.min(MAX_COLUMNS);
        let steps_deep = depth / instruction.k();
        let (tall, wide) = (rows / ROWS, columns / width);
        let of_one = sums.len() / usize::try_from(tall * wide).expect("few");
        let index = |number: u64| usize::try_from(number).expect("few");
        for step in 0..steps_deep {
            let deep = step * instruction.k();
            let begins = mma.has_two_level_accumulation && step % PROMOTED_STEPS == 0;
            if begins && step > 0 {
                total = self.promoted(&total, &sums);
                let zeros = vec![self.code.constant(output, 0); sums.len()];
                sums = self.through("wgmma.fence.sync.aligned;", &zeros);
            }
            for row in 0..tall {
                for column in 0..wide {
                    let first = index(row * wide + column) * of_one;
                    let of = first..first + of_one;
                    let left: Vec<BasicValueEnum<'ctx>> = if let Some(lhs) = &lhs {
                        vec![self.descriptor(lhs, row * ROWS, deep).into()]
                    } else {
                        let words = register_operands.len() / index(tall * steps_deep);
                        let offset = index(row * steps_deep + step) * words;
                        register_operands[offset..offset + words].to_vec()
                    };
                    let right = self.descriptor(&rhs, column * width, deep);
                    let flags = flags(&names, lhs.as_ref().map(|lhs| lhs.steps), rhs.steps);
                    let name = format!(
                        "wgmma.mma_async.sync.aligned.m64n{width}k{}.{}.{}.{}",
                        instruction.k(),
                        names.accumulator,
                        names.lhs,
                        names.rhs,
                    );
                    let flags = format!("{}{flags}", u32::from(!begins));
                    let done = self.multiply(&name, &sums[of.clone()], &left, right, &flags);
                    sums[of].copy_from_slice(&done);
                }
            }
        }
        if mma.has_two_level_accumulation {
            let sums = self.promoted(&total, &sums);
            self.define(op.results[0], sums);
            return Ok(());
        }
        self.commit();
        let wait = wait(mma.in_flight);
        if mma.in_flight > 0 {
            self.code.asm(&wait, "", &[], &[], AsmEffect::Together);
        } else {
            sums = self.through(&wait, &sums);
        }
        let result = self.values_of(&sums, output);
        self.define(op.results[0], result);
        Ok(())
    }

    fn commit(&self) {
        let text = "wgmma.commit_group.sync.aligned;";
        self.code.asm(text, "", &[], &[], AsmEffect::Together);
    }

    /// Waits for a partial sum, and adds it to the total.
    fn promoted(&self, total: &Registers<'ctx>, part: &Registers<'ctx>) -> Registers<'ctx> {
        self.commit();
        let part = self.through("wgmma.wait_group.sync.aligned 0;", part);
        let pairs = total.iter().zip(part);
        pairs
            .map(|(total, part)| {
                let (total, part) = (total.into_float_value(), part.into_float_value());
                self.code.fadd(total, part).into()
            })
            .collect()
    }

    /// Emits the wait for an MMA in flight; the registers that the MMA reads stay in use until then.
    pub(super) fn wait_wgmma(&mut self, op: &Op, left: u32) {
        let waited = self.waited(op.args[0], op.args.get(1).copied(), left);
        self.define(op.results[0], waited);
    }

    /// Returns the registers of an accumulator after a wait until at most `left` MMAs are in flight. The
    /// registers of `operand` stay in use until then.
    pub(super) fn waited(
        &self,
        sum: ValueId,
        operand: Option<ValueId>,
        left: u32,
    ) -> Registers<'ctx> {
        let output = self.scalar(sum);
        let sums = self.words_of(&self.registers(sum).clone(), output);
        let kept = operand.map(|operand| {
            let values = self.registers(operand).clone();
            self.words_of_operand(&values)
        });
        let kept = kept.unwrap_or_default();
        let mut constraints = tied(&sums);
        for word in &kept {
            let _ = write!(constraints, ",{}", letter(*word));
        }
        let results: Vec<BasicTypeEnum<'ctx>> = sums.iter().map(BasicValueEnum::get_type).collect();
        let args: Vec<BasicValueEnum<'ctx>> = sums.iter().chain(&kept).copied().collect();
        let text = wait(left);
        let sums = self
            .code
            .asm(&text, &constraints, &results, &args, AsmEffect::Together);
        self.values_of(&sums, output)
    }

    /// Returns `true` if tensor cores read a buffer by descriptor.
    fn is_of_warpgroups(&self, buffer: BufferId) -> bool {
        self.kernel
            .op_ids()
            .any(|id| match &self.kernel.op(id).kind {
                OpKind::Wgmma(mma) => mma.buffers().any(|read| read == buffer),
                _ => false,
            })
    }

    /// Makes preceding writes to any of `buffers` visible to tensor cores that read it.
    pub(super) fn fence_for_tensor_cores(&self, mut buffers: impl Iterator<Item = BufferId>) {
        if buffers.any(|buffer| self.is_of_warpgroups(buffer)) {
            let text = "fence.proxy.async.shared::cta;";
            self.code.asm(text, "", &[], &[], AsmEffect::Memory);
        }
    }

    /// Computes the number of the warpgroup by a shuffle, which tells ptxas that the number is uniform in a
    /// warp.
    fn warpgroup(&self) -> IntValue<'ctx> {
        let code = &self.code;
        if self.kernel.launch.num_warps == WARPS {
            return code.i32(0);
        }
        let group = code.lshr(self.thread.warp, code.i32(WARPS.ilog2()));
        let args = [code.i32(u32::MAX), group, code.i32(0), code.i32(31)];
        code.nvvm(Intrinsic::ShuffleIndexI32, &args.map(Into::into))[0].into_int_value()
    }

    fn stage_of(
        &self,
        buffer: BufferId,
        stages: &mut impl Iterator<Item = ValueId>,
    ) -> Option<IntValue<'ctx>> {
        let is_multistage = self.kernel.buffer(buffer).stages > 1;
        is_multistage.then(|| {
            self.int(
                stages
                    .next()
                    .expect("verified: a stage of each circular buffer"),
            )
        })
    }

    /// Returns the warpgroup's part of a matrix.
    fn matrix(
        &self,
        matrix: SharedMatrix,
        side: Side,
        stage: Option<IntValue<'ctx>>,
        part: Part<'ctx>,
    ) -> Option<Matrix<'ctx>> {
        let code = &self.code;
        let steps = matrix.steps(self.kernel, side)?;
        let cached = self.descriptors.get(&(matrix.buffer, side, part.extent));
        let mut descriptor = match cached {
            Some(&cached) => cached,
            None => self.first_descriptor(matrix, side, part)?,
        };
        if let Some(stage) = stage {
            // The stage is added in the descriptor's units of 16 bytes, so that only this term depends on it.
            let buffer = self.kernel.buffer(matrix.buffer);
            let units = code.i32((buffer.bytes / buffer.stages) >> UNIT_LOG2);
            let units = code.unsigned(code.mul_nuw(stage, units), code.cx.i64_type());
            descriptor = code.add(descriptor, units);
        }
        Some(Matrix { descriptor, steps })
    }

    /// Computes the descriptor of the warpgroup's part of a matrix, at the first stage.
    fn first_descriptor(
        &self,
        matrix: SharedMatrix,
        side: Side,
        part: Part<'ctx>,
    ) -> Option<IntValue<'ctx>> {
        let code = &self.code;
        let steps = matrix.steps(self.kernel, side)?;
        let mut address = code.shared_address(self.buffer_start(matrix.buffer));
        for bit in 0..part.count.ilog2() {
            let bytes = u32::try_from(steps.start_bytes(part.extent << bit, 0)).ok()?;
            let is_there = code.and(code.lshr(part.number, code.i32(bit)), code.i32(1));
            address = code.add_nuw(address, code.mul_nuw(is_there, code.i32(bytes)));
        }
        let address = code.and(address, code.i32(ADDRESS_MASK));
        let address = code.lshr(address, code.i32(UNIT_LOG2));
        let wide = code.cx.i64_type();
        let address = code.unsigned(address, wide);
        Some(code.or(address, wide.const_int(steps.descriptor(), false)))
    }

    /// Computes the descriptors once, before all loops. Hides the computation from ptxas, which would
    /// otherwise repeat it in every iteration.
    pub(super) fn prepare_descriptors(&mut self) {
        let kernel = self.kernel;
        for id in kernel.op_ids() {
            let op = kernel.op(id);
            let OpKind::Wgmma(mma) = &op.kind else {
                continue;
            };
            let Some(parts) = self.parts(op) else {
                continue;
            };
            let sides = [Side::Left, Side::Right];
            let matrices = [mma.lhs, Some(mma.rhs)];
            for ((side, matrix), part) in sides.into_iter().zip(matrices).zip(parts) {
                let operand = matrix;
                let prepared = operand.and_then(|matrix| {
                    Some((matrix.buffer, self.first_descriptor(matrix, side, part)?))
                });
                if let Some((buffer, descriptor)) = prepared {
                    let descriptor = self.hidden(descriptor);
                    let key = (buffer, side, part.extent);
                    self.descriptors.insert(key, descriptor);
                }
            }
        }
    }

    /// Returns the same descriptor in a form whose address half is opaque to the compiler, except that it is
    /// uniform in a warp.
    fn hidden(&self, descriptor: IntValue<'ctx>) -> IntValue<'ctx> {
        let code = &self.code;
        let (word, wide) = (code.cx.i32_type(), code.cx.i64_type());
        let address = code.unsigned(descriptor, word);
        let text = "shfl.sync.idx.b32 $0, $1, 0, 31, -1;";
        let (ty, args) = ([word.into()], [address.into()]);
        let hidden = code.asm(text, "=r,r", &ty, &args, AsmEffect::Together);
        let address = code.unsigned(hidden[0].into_int_value(), wide);
        let rest = code.and(descriptor, wide.const_int(!u64::from(u32::MAX), false));
        code.or(rest, address)
    }

    /// Returns the warpgroup's part of the rows and of the columns of an accumulator.
    fn parts(&self, op: &Op) -> Option<[Part<'ctx>; 2]> {
        let code = &self.code;
        let layout = self.kernel.layout_of(op.args[0]);
        let groups = Warpgroups::from_accumulator(layout)?;
        let group = self.warpgroup();
        let extent = |axis: usize, count: u32| layout.shape().size(Axis(axis)) / u64::from(count);
        Some([
            Part {
                count: groups.m,
                number: code.and(group, code.i32(groups.m - 1)),
                extent: extent(0, groups.m),
            },
            Part {
                count: groups.n,
                number: code.lshr(group, code.i32(groups.m.ilog2())),
                extent: extent(1, groups.n),
            },
        ])
    }

    /// Returns the descriptor of the submatrix that begins at `across` along M or N, and `deep` along K, in
    /// elements.
    fn descriptor(&self, matrix: &Matrix<'ctx>, across: u64, deep: u64) -> IntValue<'ctx> {
        let bytes = matrix.steps.start_bytes(across, deep);
        let wide = self.code.cx.i64_type();
        let units = wide.const_int(bytes >> UNIT_LOG2, false);
        self.code.add(matrix.descriptor, units)
    }

    /// Emits one `wgmma.mma_async`.
    fn multiply(
        &self,
        name: &str,
        sums: &[BasicValueEnum<'ctx>],
        left: &[BasicValueEnum<'ctx>],
        right: IntValue<'ctx>,
        flags: &str,
    ) -> Registers<'ctx> {
        let list = |range: std::ops::Range<usize>| {
            let names: Vec<String> = range.map(|index| format!("${index}")).collect();
            names.join(", ")
        };
        // Tied operands are numbered too, so other operands start after twice the number of results.
        let (count, first) = (sums.len(), 2 * sums.len());
        let lhs = match left {
            [_] => format!("${first}"),
            words => format!("{{{}}}", list(first..first + words.len())),
        };
        let text = format!(
            "{name} {{{}}}, {lhs}, ${}, {flags};",
            list(0..count),
            first + left.len()
        );
        let mut constraints = tied(sums);
        for word in left {
            let letter = if left.len() == 1 { 'l' } else { letter(*word) };
            let _ = write!(constraints, ",{letter}");
        }
        constraints.push_str(",l");
        let mut args = sums.to_vec();
        args.extend(left);
        args.push(right.into());
        let results: Vec<BasicTypeEnum<'ctx>> = sums.iter().map(BasicValueEnum::get_type).collect();
        self.code
            .asm(&text, &constraints, &results, &args, AsmEffect::Together)
    }

    /// Threads words through an instruction, which leaves them unchanged.
    fn through(&self, text: &str, words: &[BasicValueEnum<'ctx>]) -> Registers<'ctx> {
        let results: Vec<BasicTypeEnum<'ctx>> =
            words.iter().map(BasicValueEnum::get_type).collect();
        self.code
            .asm(text, &tied(words), &results, words, AsmEffect::Together)
    }

    /// Packs the elements of an accumulator into words; two f16 elements share a word.
    fn words_of(&self, values: &Registers<'ctx>, element: Scalar) -> Registers<'ctx> {
        if element == Scalar::F16 {
            self.words_of_operand(values)
        } else {
            values.clone()
        }
    }

    pub(super) fn words_of_operand(&self, values: &Registers<'ctx>) -> Registers<'ctx> {
        let bits: BasicTypeEnum<'ctx> = self.code.cx.i32_type().into();
        let width = match values[0] {
            BasicValueEnum::FloatValue(value) => value.get_type().get_bit_width(),
            BasicValueEnum::IntValue(value) => value.get_type().get_bit_width(),
            other => unreachable!("{other} is no number"),
        };
        let words = values.chunks((32 / width) as usize);
        words
            .flat_map(|word| self.code.recast(word, bits, 1))
            .collect()
    }

    fn values_of(&self, words: &Registers<'ctx>, element: Scalar) -> Registers<'ctx> {
        if element != Scalar::F16 {
            return words.clone();
        }
        self.elements_of_words(words, element)
    }

    /// Unpacks the elements of 32-bit words.
    pub(super) fn elements_of_words(
        &self,
        words: &Registers<'ctx>,
        element: Scalar,
    ) -> Registers<'ctx> {
        let ty = self.code.register_type(element);
        let count = 32 / element.bits();
        let values = words
            .iter()
            .flat_map(|&word| self.code.recast(&[word], ty, count))
            .flat_map(|pair| self.code.unpack(pair));
        values.collect()
    }
}

/// Returns the instruction that waits until at most `left` MMAs are in flight.
fn wait(left: u32) -> String {
    format!("wgmma.wait_group.sync.aligned {left};")
}

/// Returns the immediates that follow the predicate of the accumulator: the signs of the operands, and which
/// matrices are transposed.
fn flags(names: &Names, lhs: Option<Steps>, rhs: Steps) -> String {
    let mut text = String::new();
    if names.has_signs {
        text.push_str(", 1, 1");
    }
    if names.has_transposes {
        for steps in lhs.into_iter().chain([rhs]) {
            let _ = write!(text, ", {}", u32::from(steps.is_transposed()));
        }
    }
    text
}

/// Returns the constraints of the results, and of the operands that are tied to them.
fn tied(words: &[BasicValueEnum<'_>]) -> String {
    let results = words.iter().map(|word| format!("={}", letter(*word)));
    let operands = (0..words.len()).map(|index| index.to_string());
    results.chain(operands).collect::<Vec<_>>().join(",")
}

fn letter(word: BasicValueEnum<'_>) -> char {
    match word {
        BasicValueEnum::FloatValue(_) => 'f',
        _ => 'r',
    }
}
