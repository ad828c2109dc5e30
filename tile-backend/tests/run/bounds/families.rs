//! Draws the kernels of each family.

use tile_core::testing::Random;
use tile_core::types::Scalar;

use super::super::support::SCALARS;
use super::case::{Access, Case, Contents, Family, Kind, Product, Term, Trips, View, Work};

/// Draws a type for indices.
fn any_index(random: &mut Random<'_>, is_loop: bool) -> Scalar {
    if is_loop {
        return random.pick(&[Scalar::I32, Scalar::I32, Scalar::I64]);
    }
    random.pick(&[
        Scalar::I32,
        Scalar::I32,
        Scalar::I64,
        Scalar::I16,
        Scalar::I8,
    ])
}

/// Draws a kernel that stores tiles unchanged.
pub(super) fn moved(family: Family, round: u64, random: &mut Random<'_>) -> Case {
    let trips = match family {
        Family::Loop | Family::Ahead => Trips::Given,
        Family::Counted => Trips::Counted,
        Family::Rows => random.pick(&[Trips::Given, Trips::Counted]),
        Family::Copy
        | Family::Add
        | Family::Turned
        | Family::Bits
        | Family::Product
        | Family::Scaled => Trips::Once,
    };
    let scalar = match family {
        Family::Add => random.pick(&[Scalar::I32, Scalar::I64]),
        // Elements must be whole bytes for bulk copies.
        Family::Rows => random.pick(&SCALARS[1..SCALARS.len() - 1]),
        _ => random.pick(&SCALARS),
    };
    let is_loop = trips != Trips::Once;
    let index = any_index(random, is_loop);
    let tile = tile_of(family, (round, is_loop), scalar, random);
    let last = tile.len() - 1;
    let mut from = View::new(round, random, &tile, scalar);
    let to_round = random.bits();
    let mut to = View::new(to_round, random, &tile, scalar);
    if family == Family::Rows {
        along_rows(&mut from, &tile);
        along_rows(&mut to, &tile);
    }
    if trips == Trips::Counted && matches!(from.kind, Kind::Gather(..)) {
        // A gather view has no tiles to count.
        from = from.apart();
    }
    if is_loop || (family == Family::Add && matches!(to.kind, Kind::Gather(..))) {
        to = to.apart();
    }
    let term = match trips {
        Trips::Once => Term::Nothing,
        Trips::Given => Term::Counter,
        Trips::Counted => Term::CounterAlone,
    };
    let input = Access::new("a", scalar, &tile, from).along(last, term);
    let output = Access::new("b", scalar, &tile, to).along(last, term);
    Case {
        trips,
        is_ahead: family == Family::Ahead,
        is_added: family == Family::Add,
        num_warps: (family == Family::Rows).then_some(4),
        stages: (family == Family::Rows).then(|| random.pick(&[2, 3, 4])),
        ..Case::plain(family, index, input, output)
    }
}

/// Draws the shape of tiles of a family.
fn tile_of(
    family: Family,
    (round, is_loop): (u64, bool),
    scalar: Scalar,
    random: &mut Random<'_>,
) -> Vec<u64> {
    let is_permuted = round % 5 == 3;
    let bytes = scalar.bytes() as u64;
    if family == Family::Rows {
        // A tile has 16 KiB, except for tiles that are accessed element by element, which need a page of code
        // per element.
        let is_gathered = round % 5 == 2;
        let elements = if is_gathered {
            1024
        } else {
            (16 << 10) / bytes
        };
        let rows: &[u64] = if is_permuted {
            &[2, 2]
        } else {
            [&[][..], &[1], &[2], &[4]][random.below(4)]
        };
        let columns = elements / rows.iter().product::<u64>();
        return [rows, &[columns]].concat();
    }
    let rank = if is_permuted {
        2 + random.below(2)
    } else {
        1 + random.below(3)
    };
    let mut tile: Vec<u64> = (0..rank)
        .map(|_| random.pick(&[1, 1, 2, 4, 8, 16]))
        .collect();
    // Some rows are long enough for TMA loads or bulk copies.
    tile[rank - 1] = random.pick(&[2, 2, 4, 8, 16, 32, 64]);
    if is_loop && random.one_in(3) {
        tile = vec![random.pick(&[1, 32]), 128 / bytes];
    } else if scalar.bits() != 4 && random.one_in(6) {
        tile[rank - 1] = 1;
    }
    tile
}

/// Makes the rows of a view contiguous in memory, so that bulk copies apply.
fn along_rows(view: &mut View, tile: &[u64]) {
    let last = tile.len() - 1;
    if view.is_permuted() {
        view.order = (0..last).rev().chain([last]).collect();
    }
    if let Kind::Strided(steps) = &mut view.kind {
        steps[last] = steps[last].next_multiple_of(64);
    }
    if let Some(shape) = &mut view.shape {
        for (&dim, &size) in view.order.iter().zip(tile) {
            shape[dim] = size + 1;
        }
    }
}

/// Draws a kernel that permutes the axes of large tiles, once or in a loop.
pub(super) fn turned(round: u64, random: &mut Random<'_>) -> Case {
    let trips = random.pick(&[Trips::Once, Trips::Given]);
    let index = any_index(random, trips == Trips::Given);
    let scalar = random.pick(&[
        Scalar::I8,
        Scalar::F16,
        Scalar::BF16,
        Scalar::F32,
        Scalar::F32,
        Scalar::I64,
        Scalar::F8E4M3FN,
        Scalar::F4E2M1FN,
    ]);
    let rows = match scalar.bits() {
        5..=16 => 64,
        _ => 32,
    };
    let mut tile = vec![rows, rows];
    if random.one_in(3) {
        tile = vec![2, rows, rows];
    }
    let rank = tile.len();
    let mut axes: Vec<usize> = (0..rank).collect();
    axes.swap(rank - 1, rank - 2);
    if rank == 3 && random.one_in(2) {
        axes.swap(0, 1);
    }
    let turned: Vec<u64> = axes.iter().map(|&axis| tile[axis]).collect();
    let from_round = 2 * round;
    let mut from = View::new(from_round, random, &tile, scalar);
    if from.is_permuted() && from_round % 5 != 3 {
        from.order.sort_unstable();
        from.shape = None;
    }
    let mut to = View::new(round, random, &turned, scalar);
    if trips == Trips::Given {
        to = to.apart();
    }
    let (mut input, mut output) = (
        Access::new("a", scalar, &tile, from),
        Access::new("b", scalar, &turned, to),
    );
    if trips == Trips::Given {
        // The counter follows the same axis before and after the permutation.
        let last = rank - 1;
        let moved_axis = axes.iter().position(|&axis| axis == last);
        input = input.along(last, Term::Counter);
        output = output.along(moved_axis.expect("a permutation"), Term::Counter);
    }
    Case {
        trips,
        work: Work::Permuted(axes),
        num_warps: Some(4),
        ..Case::plain(Family::Turned, index, input, output)
    }
}

/// Draws a kernel with elements of four bits: in memory, or unpacked from bytes and packed again.
pub(super) fn bits(round: u64, random: &mut Random<'_>) -> Case {
    let four = Scalar::F4E2M1FN;
    let work = match round % 4 {
        0 => Work::Same,
        1 => Work::Unpacked(Scalar::I4),
        2 => Work::Unpacked(four),
        _ => Work::Packed,
    };
    let trips = match round % 3 {
        0 => Trips::Once,
        1 => Trips::Counted,
        _ => Trips::Given,
    };
    let index = any_index(random, trips != Trips::Once);
    let kind = match round % 5 {
        0 => 3,
        3 => 4,
        4 => 0,
        other => other,
    };
    let length = random.pick(&[2, 4, 16, 64, 256, 1024]);
    let (of, to) = match work {
        // `i4` is never in memory: it is stored as bytes.
        Work::Unpacked(Scalar::I4) => ((Scalar::I8, length), (Scalar::I8, 2 * length)),
        Work::Unpacked(_) => ((Scalar::I8, length), (four, 2 * length)),
        Work::Packed => ((four, 2 * length), (Scalar::I8, length)),
        Work::Same | Work::Permuted(_) | Work::Product(_) => ((four, length), (four, length)),
    };
    let tiles = if work == Work::Same && (kind == 3 || random.one_in(2)) {
        let rows = random.pick(&[1, 2, 8]);
        [vec![rows, of.1], vec![rows, to.1]]
    } else {
        [vec![of.1], vec![to.1]]
    };
    let last = tiles[0].len() - 1;
    let mut from = View::new(kind, random, &tiles[0], of.0);
    let mut into = View::new(random.bits(), random, &tiles[1], to.0);
    if trips == Trips::Counted && matches!(from.kind, Kind::Gather(..)) {
        from = from.apart();
    }
    if trips != Trips::Once {
        into = into.apart();
    }
    let term = match trips {
        Trips::Once => Term::Nothing,
        Trips::Given => Term::Counter,
        Trips::Counted => Term::CounterAlone,
    };
    let input = Access::new("a", of.0, &tiles[0], from).along(last, term);
    let output = Access::new("b", to.0, &tiles[1], into).along(last, term);
    Case {
        trips,
        work,
        is_ahead: trips == Trips::Given && round % 2 == 1,
        ..Case::plain(Family::Bits, index, input, output)
    }
}

/// Draws the loop of a matmul, and the role of its counter in an index.
fn of_product(round: u64) -> (Trips, bool, Term) {
    match round % 6 {
        2 => (Trips::Given, true, Term::Counter),
        4 => (Trips::Once, false, Term::Nothing),
        1 | 5 => (Trips::Given, false, Term::Counter),
        _ => (Trips::Counted, false, Term::CounterAlone),
    }
}

/// Draws a view for an operand of a matmul; half of the views are partitions.
fn of_operand(round: u64, random: &mut Random<'_>, tile: &[u64], scalar: Scalar) -> View {
    let mut view = View::new(round, random, tile, scalar);
    if random.one_in(2) {
        view.padding = Some("zero");
    }
    view
}

pub(super) fn product(round: u64, random: &mut Random<'_>) -> Case {
    // Every other matmul is large enough to use `wgmma` and a TMA store.
    let is_large = round.is_multiple_of(2);
    let kinds = [
        (Scalar::F16, Scalar::F32, Scalar::F32),
        (Scalar::F16, Scalar::F32, Scalar::F16),
        (Scalar::F16, Scalar::F16, Scalar::F16),
        (Scalar::BF16, Scalar::F32, Scalar::F32),
        (Scalar::BF16, Scalar::F32, Scalar::BF16),
        (Scalar::F8E4M3FN, Scalar::F32, Scalar::F32),
        (Scalar::F8E5M2, Scalar::F32, Scalar::F16),
        (Scalar::F8E5M2, Scalar::F16, Scalar::F16),
        (Scalar::TF32, Scalar::F32, Scalar::F32),
        (Scalar::F32, Scalar::F32, Scalar::F32),
        (Scalar::F64, Scalar::F64, Scalar::F64),
        (Scalar::I8, Scalar::I32, Scalar::I32),
    ];
    let (of, sum, result) = random.pick(if is_large { &kinds[..5] } else { &kinds });
    let (trips, is_ahead, term) = of_product(round);
    let index = any_index(random, trips != Trips::Once);
    let sizes: &[u64] = &[8, 16, 32, 32, 64];
    let [mut rows, mut columns, mut depth] = [(); 3].map(|()| random.pick(sizes));
    if is_large {
        (rows, columns) = (64, random.pick(&[32, 64]));
        depth = random.pick(&[32, 64]);
    }
    let batch: &[u64] = if random.one_in(6) { &[2] } else { &[] };
    let shape = |last: [u64; 2]| [batch, &last[..]].concat();
    let first = batch.len();
    let rounds = [round, random.bits()];
    let tile = shape([rows, depth]);
    let mut a = of_operand(rounds[0], random, &tile, of);
    if trips == Trips::Counted && matches!(a.kind, Kind::Gather(..)) {
        a = a.apart();
    }
    let mut a = Access::new("a", of, &tile, a).along(first + 1, term);
    let tile = shape([depth, columns]);
    let b = of_operand(rounds[1], random, &tile, of);
    let mut b = Access::new("b", of, &tile, b).along(first, term);
    let tile = shape([rows, columns]);
    let of_output = if is_large {
        [0, 3, 1, 4, 2][usize::try_from(round / 2 % 5).expect("few")]
    } else {
        random.bits() % 5
    };
    let c = View::new(of_output, random, &tile, result);
    let mut c = Access::new("c", result, &tile, c);
    let mut grid = [1; 3];
    if c.view.kind == Kind::Partition && random.one_in(3) {
        grid = [2, random.pick(&[1, 2]), 1];
        a = a.along(first, Term::Block(0));
        b = b.along(first + 1, Term::Block(1));
        c = c
            .along(first, Term::Block(0))
            .along(first + 1, Term::Block(1));
    }
    // Sums of products of these contents are exact.
    let contents = match (of, sum) {
        (Scalar::I8, _) => Contents::Bits,
        (_, Scalar::F16) => Contents::Integers(1),
        _ => Contents::Integers(4),
    };
    let product = Product {
        sum,
        signs: [random.one_in(2), random.one_in(2)],
        is_scaled: false,
    };
    let (a, b) = (a.with_contents(contents), b.with_contents(contents));
    let plain = Case::plain(Family::Product, index, a, c);
    Case {
        trips,
        is_ahead,
        work: Work::Product(product),
        num_warps: random.pick(&[None, Some(4), Some(8)]),
        grid,
        inputs: [plain.inputs.clone(), vec![b]].concat(),
        ..plain
    }
}

pub(super) fn scaled(round: u64, random: &mut Random<'_>) -> Case {
    let (of, scale, block) = random.pick(&[
        (Scalar::F4E2M1FN, Scalar::F8E4M3FN, 16),
        (Scalar::F4E2M1FN, Scalar::F8E8M0FNU, 16),
        (Scalar::F4E2M1FN, Scalar::F8E8M0FNU, 32),
        (Scalar::F8E4M3FN, Scalar::F8E8M0FNU, 32),
        (Scalar::F8E5M2, Scalar::F8E8M0FNU, 32),
    ]);
    let (trips, is_ahead, term) = of_product(round);
    let index = any_index(random, trips != Trips::Once);
    let [rows, columns, depth] = [
        random.pick(&[16, 32]),
        random.pick(&[8, 16, 32]),
        random.pick(&[32, 64]),
    ];
    let contents = if of == Scalar::F4E2M1FN {
        Contents::Bits
    } else {
        Contents::Integers(4)
    };
    let mut operand = |name: &'static str,
                       round: u64,
                       scalar: Scalar,
                       tile: [u64; 2],
                       along: usize,
                       contents: Contents| {
        let mut view = of_operand(round, random, &tile, scalar);
        let is_counted = name == "a" && trips == Trips::Counted;
        if is_counted && matches!(view.kind, Kind::Gather(..)) {
            view = view.apart();
        }
        if contents == Contents::Scales {
            // A negative scale is a fault.
            view.padding = Some("zero");
        }
        let access = Access::new(name, scalar, &tile, view);
        access.along(along, term).with_contents(contents)
    };
    let of_block = depth / block;
    let scales = Contents::Scales;
    let inputs = vec![
        operand("a", round, of, [rows, depth], 1, contents),
        operand("b", round + 1, of, [depth, columns], 0, contents),
        operand("d", round + 2, scale, [rows, of_block], 1, scales),
        operand("e", round + 4, scale, [of_block, columns], 0, scales),
    ];
    let tile = [rows, columns];
    let view = View::new(round + 3, random, &tile, Scalar::F32);
    let output = Access::new("c", Scalar::F32, &tile, view);
    let product = Product {
        sum: Scalar::F32,
        signs: [false; 2],
        is_scaled: true,
    };
    Case {
        trips,
        is_ahead,
        work: Work::Product(product),
        inputs: inputs.clone(),
        ..Case::plain(Family::Scaled, index, inputs[0].clone(), output)
    }
}
