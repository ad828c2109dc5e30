//! Executes transpositions, instruction by instruction, as the PTX ISA defines them.

use super::super::{
    AddressParts, Axis, LinearLayout, Location, OutShape, Register, SwizzleAtoms, Transposition,
    atom_layout,
};
use std::collections::BTreeSet;

/// Bytes of shared memory, each identified by its element and its position in that element; `None` if never
/// written.
type Memory = Vec<Option<(u64, u64)>>;

fn memory(layout: &LinearLayout, element_bytes: u64) -> Memory {
    let bytes = 0..layout.shape().num_elements() * element_bytes;
    let identity = |byte: u64| {
        let offset = u32::try_from(byte / element_bytes).expect("small");
        let element = layout.apply_flat(Location::offset(offset));
        Some((element, byte % element_bytes))
    };
    bytes.map(identity).collect()
}

/// Returns the byte offsets at which the rows of all lanes begin; checks that groups of eight rows are in
/// different banks.
fn rows(parts: &AddressParts, register: u32, warp: u32, element_bytes: u64) -> Vec<usize> {
    let lanes = 0..32;
    let rows: Vec<u64> = lanes
        .map(|lane| {
            parts.evaluate(Location::thread(Register(register), lane, warp)) * element_bytes
        })
        .collect();
    for eight in rows.chunks(8) {
        let banks: BTreeSet<u64> = eight.iter().map(|row| row / 16 % 8).collect();
        assert_eq!(banks.len(), 8, "{eight:?}");
    }
    let rows = rows
        .into_iter()
        .map(|row| usize::try_from(row).expect("small"));
    rows.collect()
}

/// Executes a transposition from one buffer to another.
fn moved(from: &Memory, plan: &Transposition, num_warps: u32, element_bytes: u64) -> Memory {
    let mut to: Memory = vec![None; from.len()];
    assert_eq!(plan.load.constants.len(), plan.store.constants.len());
    let registers = u32::try_from(plan.load.constants.len()).expect("few");
    for warp in (0..num_warps).filter(|warp| warp & plan.idle_warps == 0) {
        for register in 0..registers {
            let load = rows(&plan.load, register, warp, element_bytes);
            let store = rows(&plan.store, register, warp, element_bytes);
            let mut put = |offset: usize, bytes: &[Option<(u64, u64)>]| {
                for (byte, offset) in bytes.iter().zip(offset..) {
                    assert_eq!(to[offset], None, "written twice");
                    to[offset] = *byte;
                }
            };
            for lane in 0..32 {
                let (row, four) = (lane / 4, lane % 4);
                if element_bytes == 4 {
                    // ldmatrix.x4: lane l receives word l%4 of row l/4 of each matrix, and then stores 16
                    // bytes.
                    let words = (0..4).flat_map(|matrix| {
                        let start = load[8 * matrix + row] + 4 * four;
                        from[start..start + 4].to_vec()
                    });
                    put(store[lane], &words.collect::<Vec<_>>());
                    continue;
                }
                // ldmatrix.x4.trans: lane l receives column l/4 of rows 2(l%4) and 2(l%4)+1, in units of two
                // bytes.
                let word = |matrix: usize| {
                    let of = [2 * four, 2 * four + 1].map(|unit| load[8 * matrix + unit] + 2 * row);
                    of.map(|start| [from[start], from[start + 1]])
                };
                for pair in [0, 2] {
                    let mut units = [word(pair), word(pair + 1)];
                    if lane & 2 != 0 {
                        units.reverse();
                    }
                    for matrix in 0..2 {
                        let column = matrix ^ usize::from(lane & 16 != 0);
                        let bytes = units.as_flattened().iter().map(|unit| unit[column]);
                        // stmatrix.x4: lane l stores four bytes of row l/4 of each matrix.
                        let start = store[8 * (pair + matrix) + row] + 4 * four;
                        put(start, &bytes.collect::<Vec<_>>());
                    }
                }
            }
        }
    }
    to
}

#[test]
fn transposed_matrices_have_every_element_without_bank_conflicts() {
    let mut done = 0;
    for (element_bytes, sizes) in [(1, [32, 64, 128, 256]), (4, [8, 16, 32, 64])] {
        for rows in sizes {
            for columns in sizes {
                for deep in [Axis(0), Axis(1)] {
                    for num_warps in [4, 8, 16] {
                        let shape = OutShape::new(&[rows, columns]).expect("a shape");
                        let layout = |axis| {
                            let atoms = SwizzleAtoms::widest(&shape, axis, element_bytes)?;
                            Some(atoms.layout(&shape, element_bytes))
                        };
                        let across = Axis(1 - deep.0);
                        let Some((from, to)) = layout(across).zip(layout(deep)) else {
                            continue;
                        };
                        let bits = u32::try_from(element_bytes * 8).expect("small");
                        let plan = Transposition::choose(&from, &to, bits, num_warps);
                        let is_large = element_bytes == 1 || shape.size(across) >= 32;
                        assert_eq!(plan.is_some(), is_large, "{rows}x{columns}");
                        let Some(plan) = plan else {
                            continue;
                        };
                        let transposed = moved(
                            &memory(&from, element_bytes),
                            &plan,
                            num_warps,
                            element_bytes,
                        );
                        assert_eq!(transposed, memory(&to, element_bytes), "{rows}x{columns}");
                        done += 1;
                    }
                }
            }
        }
    }
    assert_eq!(done, 96 + 48);
}

#[test]
fn other_matrices_are_not_transposed() {
    let shape = OutShape::new(&[64, 64]).expect("a shape");
    let layout = |axis, bytes| {
        SwizzleAtoms::widest(&shape, axis, bytes)
            .expect("wide")
            .layout(&shape, bytes)
    };
    let (rows, columns) = (layout(Axis(0), 1), layout(Axis(1), 1));
    assert!(Transposition::choose(&rows, &columns, 8, 4).is_some());
    assert!(Transposition::choose(&rows, &rows, 8, 4).is_none());
    assert!(Transposition::choose(&layout(Axis(0), 2), &layout(Axis(1), 2), 16, 4).is_none());
    let small = OutShape::new(&[32, 64]).expect("a shape");
    let other = atom_layout(&small, Axis(1), 1);
    assert!(Transposition::choose(&rows, &other, 8, 4).is_none());
}
