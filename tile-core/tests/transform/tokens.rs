//! Tests `refine-tokens` on chains and graphs of tokens: required orders are preserved.

use crate::{parsed, run, seeds};
use std::fmt::Write;
use tile_core::Module;
use tile_core::ir::{OpId, ValueId};
use tile_core::ops::{MemoryOp, Opcode};
use tile_core::text;

/// An access of a kernel under test: the elements that it touches, and whether it stores.
#[derive(Clone, Copy, Debug)]
struct Access {
    first: u64,
    len: u64,
    stores: bool,
    /// True for printing, which is ordered after every earlier access.
    is_barrier: bool,
}

impl Access {
    fn conflicts(self, other: Self) -> bool {
        let apart = self.first + self.len <= other.first || other.first + other.len <= self.first;
        self.is_barrier || other.is_barrier || ((self.stores || other.stores) && !apart)
    }
}

/// A source of pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % count
    }
}

/// Makes a kernel of `count` accesses, each of which is ordered after up to `most` earlier ones.
fn kernel(numbers: &mut Numbers, count: u64, most: u64) -> (String, Vec<Access>) {
    let mut text = "entry @k(%p: tile<ptr<i32>>) {\n".to_owned();
    let mut accesses = Vec::new();
    let mut line = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    line("%r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>");
    for (len, name) in [(1, "1"), (4, "4")] {
        line(&format!("%i{name} = iota : tile<{len}xi32>"));
        line(&format!(
            "%b{name} = broadcast %r : tile<1xptr<i32>> -> tile<{len}xptr<i32>>"
        ));
        for first in 0..8 {
            line(&format!(
                "%c{len}_{first} = constant <i32: {first}> : tile<{len}xi32>"
            ));
            line(&format!(
                "%o{len}_{first} = addi %i{name}, %c{len}_{first} : tile<{len}xi32>"
            ));
            line(&format!(
                "%a{len}_{first} = offset %b{name}, %o{len}_{first} : tile<{len}xptr<i32>>, tile<{len}xi32> -> tile<{len}xptr<i32>>"
            ));
        }
    }
    line("%t0 = make_token : token");
    for number in 1..=count {
        let (len, first) = (1 + 3 * numbers.below(2), numbers.below(8));
        let stores = numbers.below(3) == 0;
        let is_barrier = numbers.below(15) == 0;
        let mut before = format!("%t{}", number - 1 - numbers.below(number.min(3)));
        let joined = numbers.below(most);
        if joined > 0 {
            let mut tokens = before;
            for _ in 0..joined {
                write!(tokens, ", %t{}", numbers.below(number)).expect("strings do not fail");
            }
            line(&format!("%j{number} = join_tokens {tokens} : token"));
            before = format!("%j{number}");
        }
        let ty = format!("tile<{len}xptr<i32>>");
        let tile = format!("tile<{len}xi32>");
        line(&match (is_barrier, stores) {
            (true, _) => format!("%t{number} = print_tko \"x\" token={before} -> token"),
            (false, true) => format!(
                "%t{number} = store_ptr_tko weak %a{len}_{first}, %i{len} token={before} : {ty}, {tile} -> token"
            ),
            (false, false) => format!(
                "%x{number}, %t{number} = load_ptr_tko weak %a{len}_{first} token={before} : {ty} -> {tile}, token"
            ),
        });
        accesses.push(Access {
            first,
            len,
            stores,
            is_barrier,
        });
    }
    line("return\n}");
    (text, accesses)
}

/// Returns, for each access in order, the accesses that it is ordered after.
fn order(module: &Module) -> Vec<Vec<bool>> {
    let ops = module.walk(module.body());
    let is_token = |&&value: &&ValueId| module.ty(value) == tile_core::Type::token();
    let is_access = |id: OpId| {
        let op = module.op(id);
        let makes = op.results.iter().any(|value| is_token(&value));
        let other = [MemoryOp::JoinTokens, MemoryOp::MakeToken].map(Opcode::Memory);
        makes && !other.contains(&op.opcode)
    };
    let count = ops.iter().filter(|&&id| is_access(id)).count();
    let mut after = std::collections::HashMap::<ValueId, Vec<bool>>::new();
    let mut rows = Vec::new();
    for id in ops {
        let op = module.op(id);
        let mut row = vec![false; count];
        for token in op.operands.iter().filter(is_token) {
            for (mine, &theirs) in row.iter_mut().zip(&after[token]) {
                *mine |= theirs;
            }
        }
        if is_access(id) {
            rows.push(row.clone());
            row[rows.len() - 1] = true;
        }
        for &token in op.results.iter().filter(is_token) {
            after.insert(token, row.clone());
        }
    }
    rows
}

fn joins(module: &Module) -> usize {
    let join = Opcode::Memory(MemoryOp::JoinTokens);
    let ops = module.walk(module.body());
    ops.iter()
        .filter(|&&id| module.op(id).opcode == join)
        .count()
}

#[test]
fn order_goes_where_it_is_not_needed_and_only_there() {
    let (mut kept, mut dropped) = (0, 0);
    for seed in seeds(200) {
        let mut numbers = Numbers(seed);
        let count = 5 + numbers.below(60);
        let most = 1 + numbers.below(3);
        let (source, accesses) = kernel(&mut numbers, count, most);
        let module = parsed(&source);
        let before = order(&module);
        let (module, _) = run(module, "refine-tokens");
        let after = order(&module);
        let printed = text::print(&module);
        for (late, (before, after)) in before.iter().zip(&after).enumerate() {
            for early in 0..late {
                let conflicts = accesses[late].conflicts(accesses[early]);
                assert!(
                    before[early] || !after[early],
                    "{seed}: {late} waits for {early}\n{printed}"
                );
                if before[early] && conflicts {
                    assert!(
                        after[early],
                        "{seed}: {late} does not wait for {early}\n{source}\n{printed}"
                    );
                }
                kept += usize::from(after[early]);
                dropped += usize::from(before[early] && !after[early]);
            }
        }
        let (again, rewrites) = run(module, "refine-tokens");
        let again = text::print(&again);
        assert!(again == printed, "{seed}\n{source}\n{printed}\n{again}");
        assert_eq!(rewrites, 0, "{seed}");
    }
    assert!(dropped > kept / 10, "{dropped} dropped, {kept} kept");
}

/// Makes a kernel of loads, or of disjoint stores, in one chain.
fn chain(count: u64, stores: bool) -> String {
    let mut text = "entry @k(%p: tile<ptr<i32>>) {\n%t0 = make_token : token\n".to_owned();
    for number in 1..=count {
        let before = number - 1;
        writeln!(text, "%c{number} = constant <i32: {number}> : tile<i32>")
            .expect("strings do not fail");
        writeln!(
            text,
            "%p{number} = offset %p, %c{number} : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>"
        )
        .expect("strings do not fail");
        let access = if stores {
            format!(
                "%t{number} = store_ptr_tko weak %p{number}, %c{number} token=%t{before} : tile<ptr<i32>>, tile<i32> -> token"
            )
        } else {
            format!(
                "%x{number}, %t{number} = load_ptr_tko weak %p token=%t{before} : tile<ptr<i32>> -> tile<i32>, token"
            )
        };
        writeln!(text, "{access}").expect("strings do not fail");
    }
    writeln!(text, "print_tko \"x\" token=%t{count} -> token\nreturn\n}}")
        .expect("strings do not fail");
    text
}

#[test]
fn a_long_chain_costs_no_more_than_its_length() {
    for stores in [false, true] {
        let (module, _) = run(parsed(&chain(3000, stores)), "refine-tokens");
        let joins = joins(&module);
        assert!((60..200).contains(&joins), "{joins} joins");
        let printed = text::print(&module);
        let (again, rewrites) = run(module, "refine-tokens");
        assert_eq!((text::print(&again) == printed, rewrites), (true, 0));
        let (module, _) = run(parsed(&chain(32, stores)), "refine-tokens");
        let waiting = order(&module)
            .iter()
            .filter(|row| row.contains(&true))
            .count();
        assert_eq!(waiting, 1, "only printing waits");
    }
}
