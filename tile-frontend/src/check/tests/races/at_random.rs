//! Random index functions, with their values.

use crate::testing::front;
use std::collections::BTreeMap;
use std::fmt::Write;
use tile_core::testing::Random;

type Word = (&'static str, u32, bool);

const WORDS: [Word; 8] = [
    ("i8", 8, true),
    ("i16", 16, true),
    ("i32", 32, true),
    ("i64", 64, true),
    ("u8", 8, false),
    ("u16", 16, false),
    ("u32", 32, false),
    ("u64", 64, false),
];
const I32: Word = WORDS[2];

fn wrap(value: i128, (_, bits, signed): Word) -> i128 {
    let low = value & ((1 << bits) - 1);
    if signed && low >> (bits - 1) == 1 {
        low - (1 << bits)
    } else {
        low
    }
}

/// Computes an index from the identifiers of a block and the loop variable; `None` if an operation
/// has no result.
type Value = Box<dyn Fn(&[i128; 3]) -> Option<i128>>;

/// An index expression: `block_id`, a loop variable, or an operation, with its type.
struct Index {
    text: String,
    word: Word,
    value: Value,
}

fn constant(random: &mut Random<'_>, word: Word) -> i128 {
    let (_, bits, _) = word;
    let shift = random.below(usize::try_from(bits).expect("at most 64"));
    let power = 1_i128 << shift;
    let near = [
        power,
        power - 1,
        power + 1,
        3,
        5,
        7,
        10,
        100,
        255,
        -1,
        -power,
    ];
    wrap(random.pick(&near), word)
}

fn leaf(random: &mut Random<'_>, axes: usize) -> Index {
    let axis = random.below(axes);
    Index {
        text: ["block_id(0)", "block_id(1)", "k"][axis].to_owned(),
        word: I32,
        value: Box::new(move |point| Some(point[axis])),
    }
}

fn cast(value: Index, word: Word) -> Index {
    let Index { text, value, .. } = value;
    Index {
        text: format!("({text} as {})", word.0),
        word,
        value: Box::new(move |point| Some(wrap(value(point)?, word))),
    }
}

fn index(random: &mut Random<'_>, depth: usize, axes: usize) -> Index {
    if depth == 0 {
        return leaf(random, axes);
    }
    let left = index(random, depth - 1, axes);
    let word = left.word;
    let Index { text, value, .. } = left;
    let op = random.pick(&[
        "+", "-", "*", "*", "<<", "<<", ">>", "/", "%", "&", "|", "^", "as", "two", "two",
    ]);
    match op {
        "as" => cast(Index { text, word, value }, random.pick(&WORDS)),
        "two" => {
            let op = random.pick(&["+", "+", "-", "^", "|"]);
            let right = index(random, depth - 1, axes);
            let right = cast(right, word);
            Index {
                text: format!("({text} {op} {})", right.text),
                word,
                value: Box::new(move |point| {
                    let (a, b) = (value(point)?, (right.value)(point)?);
                    let result = match op {
                        "+" => a + b,
                        "-" => a - b,
                        "^" => a ^ b,
                        _ => a | b,
                    };
                    Some(wrap(result, word))
                }),
            }
        }
        "<<" | ">>" => {
            let by = random.below(usize::try_from(word.1).expect("at most 64"));
            Index {
                text: format!("({text} {op} {by})"),
                word,
                value: Box::new(move |point| {
                    let a = value(point)?;
                    Some(if op == "<<" {
                        wrap(a << by, word)
                    } else {
                        a >> by
                    })
                }),
            }
        }
        _ => {
            let with = match (op, constant(random, word)) {
                ("/" | "%", with) => with.abs().max(2).min((1 << (word.1 - 1)) - 1),
                (_, with) => with,
            };
            Index {
                text: format!("({text} {op} ({with}_{}))", word.0),
                word,
                value: Box::new(move |point| {
                    let a = value(point)?;
                    let result = match op {
                        "+" => a + with,
                        "-" => a - with,
                        "*" => a.wrapping_mul(with),
                        "/" => a / with,
                        "%" => a % with,
                        "&" => a & with,
                        "|" => a | with,
                        _ => a ^ with,
                    };
                    Some(wrap(result, word))
                }),
            }
        }
    }
}

/// Returns `true` if two blocks store to the same element of a tensor that is indexed along one
/// axis.
fn races(stores: &[(&Index, i128)], grid: [i128; 2], trips: i128) -> bool {
    let mut owners: BTreeMap<i128, (i128, i128)> = BTreeMap::new();
    for x in 0..grid[0] {
        for y in 0..grid[1] {
            for k in 0..trips {
                for (index, len) in stores {
                    let Some(address) = (index.value)(&[x, y, k]) else {
                        return true;
                    };
                    if address < 0 {
                        continue;
                    }
                    // Elements in units of the shorter tile.
                    for part in 0..*len {
                        let owner = *owners.entry(address * len + part).or_insert((x, y));
                        if owner != (x, y) {
                            return true;
                        }
                    }
                }
            }
        }
    }
    false
}

/// Checks that no kernel with a race is accepted, and that only a small share of the kernels
/// without a race is refused.
///
/// `TILE_RACE_SEEDS` sets the number of kernels; each is compared with an enumeration of all
/// blocks.
#[test]
#[expect(clippy::print_stdout, reason = "the figures")]
fn indices_are_judged_as_every_block_computes_them() {
    let count = std::env::var("TILE_RACE_SEEDS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(400);
    let mut random = Random::new(0x5EED_0026);
    let (mut right, mut wrong, mut needless) = (0_u32, 0_u32, 0_u32);
    let mut accepted = String::new();
    let mut refused = String::new();
    for _ in 0..count {
        let grid: [usize; 2] = match random.below(8) {
            0..5 => [random.pick(&[2, 3, 7, 16, 40, 200, 257]), 1],
            5 | 6 => [random.pick(&[2, 3, 8, 16]), random.pick(&[2, 3, 5, 16])],
            // More blocks than the checker enumerates.
            _ => [random.pick(&[20_000, 70_000]), 1],
        };
        let trips = random.pick(&[1, 1, 1, 2, 4]);
        let axes = if grid[1] == 1 {
            1
        } else if trips == 1 {
            2
        } else {
            3
        };
        let depth = 1 + random.below(3);
        let first = index(&mut random, depth, axes);
        let second = (random.below(5) == 0).then(|| index(&mut random, depth, axes));
        let trips = if axes == 3 { trips } else { 1 };
        let mut stores = vec![(&first, 2)];
        let mut body = format!("y.store([{}], full([16], 1.0));", first.text);
        if let Some(second) = &second {
            let len = random.pick(&[1, 2]);
            let _ = write!(
                body,
                " y.store([{}], full([{}], 1.0));",
                second.text,
                8 * len
            );
            stores.push((second, i128::from(len)));
        }
        if axes == 3 {
            body = format!("for k in 0..{trips} {{ {body} }}");
        }
        let kernel = format!("fn k(y: &mut Tensor<f32, 1>) {{ {body} }}");
        let attribute = format!("grid = [{}, {}], arch(\"cpu\")", grid[0], grid[1]);
        let result = front(&attribute, &kernel);
        let blocks = grid.map(|blocks| i128::try_from(blocks).expect("few"));
        let race = races(&stores, blocks, i128::from(trips));
        match result {
            Ok(_) if race => {
                let _ = writeln!(accepted, "{attribute} {kernel}");
            }
            Ok(_) => right += 1,
            Err(errors) if errors.iter().all(|error| error.starts_with("T0222")) => {
                if race {
                    wrong += 1;
                } else {
                    needless += 1;
                    let _ = writeln!(refused, "{attribute} {kernel}");
                }
            }
            Err(errors) => panic!("{attribute} {kernel}\n{}", errors.concat()),
        }
    }
    println!("{right} right, {wrong} with a race, {needless} refused without need:\n{refused}");
    assert_eq!(
        accepted, "",
        "accepted, though two blocks store to one place"
    );
    assert!(
        right > count / 5 && wrong > count / 5,
        "{right} right, {wrong} wrong"
    );
    assert!(
        needless * 20 < right + needless,
        "{needless} beside {right} are refused without need:\n{refused}"
    );
}
