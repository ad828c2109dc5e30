//! Tests of stores whose indices depend on the launch: the launch checks are compared with an
//! enumeration of all blocks.

use crate::hir::claims::Claimed;
use crate::testing::front_and_claims;
use std::collections::BTreeMap;
use std::fmt::Write;
use tile_core::reach::{Inputs, reach};
use tile_core::testing::Random;

type Word = (&'static str, u32, bool);

const WORDS: [Word; 5] = [
    ("i8", 8, true),
    ("u8", 8, false),
    ("i16", 16, true),
    ("u16", 16, false),
    ("i32", 32, true),
];

fn wrap(value: i128, (_, bits, signed): Word) -> i128 {
    let low = value & ((1 << bits) - 1);
    if signed && low >> (bits - 1) == 1 {
        low - (1 << bits)
    } else {
        low
    }
}

/// The variables of indices.
const NAMES: [&str; 8] = ["b0", "b1", "g0", "g1", "n", "m", "i", "j"];

/// The values of [`NAMES`] in an iteration of a block.
type Point = [i128; 8];

#[derive(Clone, Debug)]
enum Expr {
    Name(usize),
    Int(i128),
    Two(&'static str, Box<Expr>, Box<Expr>),
}

fn name(name: &str) -> Expr {
    let index = NAMES.iter().position(|candidate| *candidate == name);
    Expr::Name(index.expect("a name of the list"))
}

fn two(op: &'static str, left: Expr, right: Expr) -> Expr {
    Expr::Two(op, Box::new(left), Box::new(right))
}

impl Expr {
    /// Returns `true` if the expression contains a variable, which gives literals the type of the
    /// variable.
    fn has_name(&self) -> bool {
        match self {
            Expr::Name(_) => true,
            Expr::Int(_) => false,
            Expr::Two(_, left, right) => left.has_name() || right.has_name(),
        }
    }

    fn text(&self) -> String {
        match self {
            Expr::Name(index) => NAMES[*index].to_owned(),
            Expr::Int(value) => format!("({value})"),
            Expr::Two(op @ ("min" | "max"), left, right) => {
                format!("{}.{op}({})", left.text(), right.text())
            }
            Expr::Two(op, left, right) => format!("({} {op} {})", left.text(), right.text()),
        }
    }

    /// Returns the value as the kernel computes it; `None` for a quotient by 0.
    fn value(&self, point: &Point, word: Word) -> Option<i128> {
        Some(match self {
            Expr::Name(index) => point[*index],
            Expr::Int(value) => wrap(*value, word),
            Expr::Two(op, left, right) => {
                let (a, b) = (left.value(point, word)?, right.value(point, word)?);
                let exact = match *op {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "/" => a.checked_div(b)?,
                    "%" => a.checked_rem(b)?,
                    "min" => a.min(b),
                    "max" => a.max(b),
                    "<" => (a < b).into(),
                    other => unreachable!("`{other}` is not generated"),
                };
                wrap(exact, word)
            }
        })
    }
}

/// A loop or condition that encloses the store.
#[derive(Clone, Debug)]
enum Loop {
    /// `for name in 0..end`
    Range(usize, Expr),
    /// `for name in (start..end).step_by(stride)`
    Strided(usize, Expr, Expr, Expr),
    /// `while name < end { ..; name += stride }`
    While(usize, Expr, Expr, Expr),
    /// `while name < end { ..; name += stride; other += other_stride }`, with one variable from 0
    /// and the other from a start.
    Beside(usize, Expr, Expr, usize, Expr, Expr),
    /// `if condition`
    If(Expr),
}

/// A kernel with a store in loops; the store covers one element along every axis.
#[derive(Clone, Debug)]
struct Program {
    word: Word,
    grid: Option<[u32; 2]>,
    loops: Vec<Loop>,
    index: Vec<Expr>,
}

/// Returns a number that a launch knows, and that is more than 0 for most launches.
fn factor(random: &mut Random<'_>, depth: usize) -> Expr {
    let leaf = random.pick(&["n", "n", "m", "g1", "int"]);
    let leaf = if leaf == "int" {
        Expr::Int(random.pick(&[1, 2, 3, 7, 16]))
    } else {
        name(leaf)
    };
    if depth == 0 || random.below(2) == 0 {
        return leaf;
    }
    let op = random.pick(&["+", "*", "*", "max", "-", "min"]);
    two(op, leaf, factor(random, depth - 1))
}

fn anything(random: &mut Random<'_>, depth: usize) -> Expr {
    if depth == 0 {
        let leaf = random.pick(&["b0", "b0", "b1", "g0", "g1", "n", "m", "int"]);
        return if leaf == "int" {
            Expr::Int(random.pick(&[1, 2, 3, 64, -1, 100]))
        } else {
            name(leaf)
        };
    }
    let op = random.pick(&["+", "-", "*", "*", "%", "/"]);
    two(op, anything(random, depth - 1), anything(random, 0))
}

fn program(random: &mut Random<'_>) -> Program {
    let word = random.pick(&[
        WORDS[0], WORDS[0], WORDS[1], WORDS[2], WORDS[3], WORDS[4], WORDS[4],
    ]);
    let several = random.below(3) == 0;
    let second = if several { random.pick(&[2, 3, 7]) } else { 1 };
    let grid = [random.pick(&[2, 3, 5, 12, 40]), second];
    let block = if several {
        two("+", two("*", name("b0"), name("g1")), name("b1"))
    } else {
        name("b0")
    };
    let x = factor(random, 1);
    let (i, j) = (6, 7);
    let within =
        |index: Expr, by: Expr, loop_name: &str| two("+", two("*", index, by), name(loop_name));
    let (mut loops, mut index) = match random.below(11) {
        0..3 => (vec![Loop::Range(j, x.clone())], within(block, x, "j")),
        3 => {
            let z = factor(random, 0);
            let loops = vec![Loop::Range(i, z.clone()), Loop::Range(j, x.clone())];
            (loops, within(within(block, z, "i"), x, "j"))
        }
        4 => {
            let loops = vec![Loop::While(
                i,
                block,
                factor(random, 0),
                two("*", name("g0"), name("g1")),
            )];
            (loops, name("i"))
        }
        5 => {
            let stride = two("*", name("g0"), name("g1"));
            let loops = vec![Loop::Strided(i, block, x, stride)];
            (loops, within(name("i"), Expr::Int(1), "n"))
        }
        6 => {
            let loops = vec![
                Loop::While(
                    i,
                    block,
                    factor(random, 0),
                    two("*", name("g0"), name("g1")),
                ),
                Loop::Range(j, x.clone()),
            ];
            (loops, within(name("i"), x, "j"))
        }
        7 => (Vec::new(), two("-", x, block)),
        10 => {
            // The variable in the index is not the counter of the loop.
            let stride = factor(random, 0);
            let jump = two("*", name("g0"), name("g1"));
            let loops = vec![Loop::Beside(i, x, stride, j, block, jump)];
            (loops, name("j"))
        }
        8 => {
            let index = vec![two("/", block.clone(), x.clone()), two("%", block, x)];
            let index = if random.below(2) == 0 {
                index
            } else {
                vec![index[1].clone(), index[0].clone()]
            };
            return Program {
                word,
                grid: Some(grid),
                loops: if random.below(3) == 0 {
                    vec![Loop::If(two("<", Expr::Int(0), name("n")))]
                } else {
                    Vec::new()
                },
                index,
            };
        }
        _ => {
            let depth = 1 + random.below(3);
            let mut index = anything(random, depth);
            while !index.has_name() {
                index = anything(random, depth);
            }
            (Vec::new(), index)
        }
    };
    match random.below(6) {
        0 => index = two("*", index, Expr::Int(random.pick(&[2, 4, 64, 3]))),
        1 => index = two("+", index, name("m")),
        2 => index = two("-", name("m"), index),
        3 => {
            let condition = two("<", name("n"), Expr::Int(random.pick(&[3, 20, 100])));
            loops.insert(0, Loop::If(condition));
        }
        _ => {}
    }
    // Without a grid in the attribute, an index of fewer than 32 bits is always refused.
    let grid = (word.1 < 32 || random.below(2) == 0).then_some(grid);
    Program {
        word,
        grid,
        loops,
        index: vec![index],
    }
}

impl Program {
    fn text(&self) -> (String, String) {
        let word = self.word.0;
        let index: Vec<String> = self.index.iter().map(Expr::text).collect();
        let rank = index.len();
        let tile = if rank == 1 { "[16]" } else { "[4, 4]" };
        let mut body = format!("y.store([{}], full({tile}, 1.0));", index.join(", "));
        for around in self.loops.iter().rev() {
            body = match around {
                Loop::Range(counter, end) => {
                    format!("for {} in 0..{} {{ {body} }}", NAMES[*counter], end.text())
                }
                Loop::Strided(counter, start, end, stride) => format!(
                    "for {} in ({}..{}).step_by({} as usize) {{ {body} }}",
                    NAMES[*counter],
                    start.text(),
                    end.text(),
                    stride.text()
                ),
                Loop::While(counter, start, end, stride) => format!(
                    "let mut {name} = {}; while {name} < {} {{ {body} {name} += {}; }}",
                    start.text(),
                    end.text(),
                    stride.text(),
                    name = NAMES[*counter],
                ),
                Loop::Beside(counter, end, stride, other, start, other_stride) => format!(
                    "let mut {name} = 0; let mut {other} = {}; while {name} < {} {{ {body} {name} += {}; {other} += {}; }}",
                    start.text(),
                    end.text(),
                    stride.text(),
                    other_stride.text(),
                    name = NAMES[*counter],
                    other = NAMES[*other],
                ),
                Loop::If(condition) => format!("if {} {{ {body} }}", condition.text()),
            };
        }
        let attribute = match self.grid {
            Some([x, y]) => format!("grid = [{x}, {y}], arch(\"cpu\")"),
            None => "arch(\"cpu\")".to_owned(),
        };
        let item = format!(
            "fn k(y: &mut Tensor<f32, {rank}>, n: {word}, m: {word}) {{
                let (b0, b1) = (block_id(0) as {word}, block_id(1) as {word});
                let (g0, g1) = (num_blocks(0) as {word}, num_blocks(1) as {word});
                {body}
            }}"
        );
        (attribute, item)
    }

    /// Calls `store` with each index that a block stores to; `None` if an index is unknown, or if
    /// that takes too many steps.
    fn run(
        &self,
        loops: &[Loop],
        point: &mut Point,
        left: &mut usize,
        store: &mut impl FnMut(Vec<i128>),
    ) -> Option<()> {
        let Some((around, inner)) = loops.split_first() else {
            *left = left.checked_sub(1)?;
            let index: Option<Vec<i128>> = self
                .index
                .iter()
                .map(|index| index.value(point, self.word))
                .collect();
            store(index?);
            return Some(());
        };
        match around {
            Loop::If(condition) => {
                if condition.value(point, self.word)? != 0 {
                    self.run(inner, point, left, store)?;
                }
            }
            Loop::Range(counter, end) => {
                for value in 0..end.value(point, self.word)? {
                    // Iterations without a store count too, so that the run ends.
                    *left = left.checked_sub(1)?;
                    point[*counter] = value;
                    self.run(inner, point, left, store)?;
                }
            }
            Loop::Strided(counter, start, end, stride) => {
                let (mut value, end) =
                    (start.value(point, self.word)?, end.value(point, self.word)?);
                // The stride is converted to `usize`; a stride of 0 is an error.
                let stride = stride.value(point, self.word)?.rem_euclid(1 << 64);
                while value < end {
                    // Iterations without a store count too, so that the run ends.
                    *left = left.checked_sub(1)?;
                    point[*counter] = value;
                    self.run(inner, point, left, store)?;
                    if stride == 0 {
                        return None;
                    }
                    value += stride;
                }
            }
            Loop::While(counter, start, end, stride) => {
                let mut value = start.value(point, self.word)?;
                while value < end.value(point, self.word)? {
                    // Iterations without a store count too, so that the run ends.
                    *left = left.checked_sub(1)?;
                    point[*counter] = value;
                    self.run(inner, point, left, store)?;
                    value = wrap(value + stride.value(point, self.word)?, self.word);
                }
            }
            Loop::Beside(counter, end, stride, other, start, other_stride) => {
                let (mut value, mut other_value) = (0, start.value(point, self.word)?);
                while value < end.value(point, self.word)? {
                    *left = left.checked_sub(1)?;
                    point[*counter] = value;
                    point[*other] = other_value;
                    self.run(inner, point, left, store)?;
                    let steps = [stride, other_stride].map(|step| step.value(point, self.word));
                    value = wrap(value + steps[0]?, self.word);
                    other_value = wrap(other_value + steps[1]?, self.word);
                }
            }
        }
        Some(())
    }

    /// Reports whether two blocks of a launch store to the same element; `None` if that takes too
    /// many steps.
    fn races(&self, launch: &Launch) -> Option<bool> {
        let mut owners: BTreeMap<Vec<i128>, [u32; 2]> = BTreeMap::new();
        let mut race = false;
        for x in 0..launch.grid[0] {
            for y in 0..launch.grid[1] {
                let numbers = [x, y, launch.grid[0], launch.grid[1]].map(i128::from);
                let [x0, y0, x1, y1] = numbers.map(|number| wrap(number, self.word));
                let [n, m] = launch.numbers;
                let mut point = [x0, y0, x1, y1, n, m, 0, 0];
                let mut left = 4000;
                let done = self.run(&self.loops, &mut point, &mut left, &mut |index| {
                    if index.iter().all(|&start| start >= 0) {
                        race |= *owners.entry(index).or_insert([x, y]) != [x, y];
                    }
                });
                if race {
                    return Some(true);
                }
                if done.is_none() && left > 0 {
                    // A quotient by 0 may have any value.
                    return Some(launch.grid != [1, 1]);
                }
                done?;
            }
        }
        Some(race)
    }
}

/// The arguments and the grid of a launch.
#[derive(Debug)]
struct Launch {
    grid: [u32; 2],
    numbers: [i128; 2],
}

impl Inputs for Launch {
    fn blocks(&self, axis: usize) -> u32 {
        self.grid.get(axis).copied().unwrap_or(1)
    }

    fn scalar(&self, param: usize) -> Option<u64> {
        let number = self.numbers.get(param.checked_sub(1)?)?;
        u64::try_from(number & i128::from(u64::MAX)).ok()
    }

    fn extent(&self, _: usize, _: usize) -> Option<u64> {
        None
    }
}

fn passes(claims: &[Claimed], launch: &Launch) -> bool {
    claims
        .iter()
        .all(|claimed| claimed.claim.holds(reach(&claimed.program, launch)))
}

/// Returns whether a launch of a program has a race, and whether the launch checks pass.
fn check(program: &Program, grid: [u32; 2], numbers: [i128; 2]) -> (Option<bool>, bool) {
    let (attribute, item) = program.text();
    let (_, claims) = front_and_claims(&attribute, &item)
        .unwrap_or_else(|errors| panic!("{item}\n{}", errors.concat()));
    let launch = Launch { grid, numbers };
    (program.races(&launch), passes(&claims, &launch))
}

/// Returns a kernel with the index `block * len + j`, for `j` in `0..len`.
fn chunks(word: Word, len: Expr) -> Program {
    let start = two("*", name("b0"), len.clone());
    Program {
        word,
        grid: Some([40, 1]),
        loops: vec![Loop::Range(7, len)],
        index: vec![two("+", start, name("j"))],
    }
}

#[test]
fn the_counter_of_a_while_loop_must_not_wrap_around() {
    let stride = two("*", name("g0"), name("g1"));
    // 98 + 30 is -128, which is less than 100: the loop runs again.
    let minus = Program {
        word: WORDS[0],
        grid: Some([40, 1]),
        loops: vec![Loop::While(6, name("b0"), name("n"), stride.clone())],
        index: vec![two("-", name("m"), name("i"))],
    };
    assert_eq!(check(&minus, [30, 1], [100, 100]), (Some(true), false));
    assert_eq!(check(&minus, [20, 1], [100, 100]), (Some(false), true));
    // 100 is less than 101, and 100 + 50 is -106: the loop ends after 23 iterations instead of 3, in which
    // the other variable wraps around.
    let loops = vec![Loop::Beside(6, name("n"), name("m"), 7, name("b0"), stride)];
    let beside = Program {
        word: WORDS[0],
        grid: Some([40, 1]),
        loops,
        index: vec![name("j")],
    };
    assert_eq!(check(&beside, [12, 1], [101, 50]), (Some(true), false));
    assert_eq!(check(&beside, [12, 1], [100, 20]), (Some(false), true));
}

#[test]
fn launches_are_not_refused_for_what_does_not_matter() {
    // A single block has no other block to be compared with, although its index wraps around.
    let mut scaled = chunks(WORDS[0], name("n"));
    scaled.index[0] = two("*", scaled.index[0].clone(), Expr::Int(4));
    assert_eq!(check(&scaled, [1, 1], [100, 0]), (Some(false), true));
    assert!(!check(&scaled, [2, 1], [100, 0]).1);
    // The product wraps around, but the index does not.
    let mut shifted = chunks(WORDS[0], name("n"));
    shifted.index[0] = two("+", shifted.index[0].clone(), name("m"));
    assert_eq!(check(&shifted, [20, 1], [9, -100]), (Some(false), true));
    assert!(!check(&shifted, [20, 1], [9, 0]).1);
    // The interval of `16 * b0 - n * b0`, computed term by term, is wider than that of the
    // difference.
    let mut few = chunks(WORDS[1], two("-", Expr::Int(16), name("n")));
    few.grid = Some([5, 1]);
    assert_eq!(check(&few, [5, 1], [10, 0]), (Some(false), true));
}

/// Checks that no launch whose checks pass has a race, and that only a small share of the launches
/// without a race is refused.
///
/// `TILE_RACE_SEEDS` sets the number of kernels; each is launched several times.
#[test]
#[expect(
    clippy::print_stdout,
    reason = "the shares are what a reader of the test wants to see"
)]
fn launches_that_pass_have_no_race() {
    let count = std::env::var("TILE_RACE_SEEDS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(400);
    let mut random = Random::new(0x5EED_0027);
    let (mut accepted, mut with_claims, mut refused) = (0_u32, 0_u32, 0_u32);
    let (mut right, mut stopped, mut needless, mut untold) = (0_u32, 0_u32, 0_u32, 0_u32);
    let mut wrong = String::new();
    let mut examples = String::new();
    for _ in 0..count {
        let program = program(&mut random);
        let (attribute, item) = program.text();
        let (expansion, claims) = match front_and_claims(&attribute, &item) {
            Ok(checked) => checked,
            Err(errors) if errors.iter().all(|error| error.starts_with("T0222")) => {
                refused += 1;
                continue;
            }
            // These errors report constants that overflow and unreachable code.
            Err(errors) if errors.iter().any(|error| error.starts_with("T02")) => continue,
            Err(errors) => panic!("{attribute} {item}\n{}", errors.concat()),
        };
        accepted += 1;
        with_claims += u32::from(!claims.is_empty());
        for _ in 0..12 {
            let most = program.grid.unwrap_or([40, 5]);
            let mut grid = most.map(|most| {
                let less = [0, random.below(usize::try_from(most).expect("few"))];
                most - u32::try_from(random.pick(&less)).expect("few")
            });
            if expansion.signature.single[1] {
                grid[1] = 1;
            }
            if expansion.signature.single[0] {
                grid[0] = 1;
            }
            let mut number = || {
                let near = [
                    0,
                    1,
                    2,
                    3,
                    4,
                    5,
                    7,
                    9,
                    16,
                    20,
                    50,
                    100,
                    126,
                    127,
                    128,
                    200,
                    255,
                    -1,
                    -2,
                    -3,
                    -100,
                    -128,
                    300,
                    4000,
                    32_767,
                    65_535,
                    -32_768,
                    1 << 20,
                    1 << 28,
                    1 << 30,
                    i128::from(i32::MAX),
                    i128::from(i32::MIN),
                ];
                let few = if random.below(3) == 0 { near.len() } else { 12 };
                wrap(near[random.below(few)], program.word)
            };
            let numbers = [number(), number()];
            let launch = Launch { grid, numbers };
            match (program.races(&launch), passes(&claims, &launch)) {
                (None, _) => untold += 1,
                (Some(true), true) => {
                    let _ = writeln!(wrong, "{launch:?} {attribute} {item} {claims:?}");
                }
                (Some(true), false) => stopped += 1,
                (Some(false), true) => right += 1,
                (Some(false), false) => {
                    needless += 1;
                    let _ = writeln!(examples, "{launch:?} {attribute} {item} {claims:?}");
                }
            }
        }
    }
    if std::env::var_os("TILE_RACE_EXAMPLES").is_some() {
        println!("{examples}");
    }
    println!(
        "{accepted} kernels, {with_claims} of them with something to check, {refused} refused; launches: {right} right, {stopped} with a race stopped, {needless} stopped without need, {untold} too long to tell"
    );
    assert_eq!(wrong, "", "launched, though two blocks store to one place");
    assert!(
        with_claims > count / 10 && stopped > count / 20,
        "{with_claims} {stopped}"
    );
    assert!(
        needless * 5 < right,
        "{needless} beside {right}:\n{examples}"
    );
}
