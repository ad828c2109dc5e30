//! Generates instructions that differ from correct ones in one respect. Most are invalid, and both
//! assemblers must refuse them.

use crate::pattern::Instruction;

/// Types that replace a type.
const TYPES: [&str; 12] = [
    "u8", "b16", "s16", "f16", "bf16x2", "u32", "b32", "f32", "s64", "b64", "f64", "pred",
];

fn is_type(word: &str) -> bool {
    TYPES.contains(&word)
        || matches!(
            word,
            "u16" | "s32" | "u64" | "bf16" | "f16x2" | "b8" | "s8" | "tf32" | "b128"
        )
}

/// Returns all single changes of an instruction.
pub(crate) fn generate(right: &Instruction) -> Vec<Instruction> {
    let mut neighbors = Vec::new();
    let mut add = |change: &dyn Fn(&mut Instruction)| {
        let mut other = right.clone();
        change(&mut other);
        if other != *right {
            neighbors.push(other);
        }
    };
    add(&|other| drop(other.operands.pop()));
    add(&|other| other.operands.extend(right.operands.last().cloned()));
    add(&|other| other.modifiers.push("wrong".into()));
    for index in 1..right.modifiers.len() {
        add(&|other| drop(other.modifiers.remove(index)));
    }
    for (index, operand) in right.operands.iter().enumerate() {
        let others: &[&str] = match operand.as_str() {
            "pred" | "p" => &["b32"],
            "b16" | "u16" | "s16" | "f16" | "bf16" => &["b32"],
            "b64" | "u64" | "s64" | "f64" => &["b32"],
            _ if is_type(operand) => &["b16", "b64", "p"],
            _ => &[],
        };
        for new in others {
            add(&|other| (*new).clone_into(&mut other.operands[index]));
        }
    }
    // Replaces only the type and keeps the registers: the result is valid if the sizes agree.
    for (index, modifier) in right.modifiers.iter().enumerate() {
        if index > 0 && is_type(modifier) {
            for new in TYPES {
                add(&|other| new.clone_into(&mut other.modifiers[index]));
            }
        }
    }
    neighbors
}
