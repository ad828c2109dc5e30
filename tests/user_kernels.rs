//! Six kernels as a user would write them with the documentation alone: a chained scan over blocks, a
//! stencil, top-k, a matmul with 4-bit weights, a paged gather and an FFT. Each is compared with plain Rust.
//!
//! Each kernel runs on the CPU device and on the simulated GPU, in ragged shapes.
#![expect(
    clippy::many_single_char_names,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "numbers of tests are small, and formulas have the letters of their sources"
)]

use tile_kernel::prelude::*;

fn devices() -> Vec<Device> {
    vec![Device::cpu(), Device::sim()]
}

/// Returns pseudorandom numbers from -1 to 1, which are the same in every run.
fn noise(count: usize, seed: u64) -> Vec<f32> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| rng.f32() * 2.0 - 1.0).collect()
}

/// Computes inclusive prefix sums over many blocks. A block draws a ticket that selects its tile,
/// so that it waits only for blocks that have started.
#[tile_kernel(grid = x.tiles([64]))]
fn chained_scan(
    x: &Tensor<i32, 1>,
    y: &mut Tensor<i32, 1>,
    ticket: &mut Tensor<i32, 1>,
    prefix: &mut Tensor<i32, 1>,
    flag: &mut Tensor<i32, 1>,
) {
    let i = ticket
        .atomic_add([full([1], 0)], 1, Ordering::Relaxed, Scope::Device)
        .item();
    let t = x.load([i], [64]);
    let local = t.cumsum(0);
    let mut before = 0;
    if i > 0 {
        loop {
            let ready = flag
                .atomic_cas([full([1], i - 1)], 1, 1, Ordering::Acquire, Scope::Device)
                .item();
            if ready == 1 {
                break;
            }
        }
        before = prefix.at([i - 1]);
    }
    // SAFETY: each block has a unique ticket.
    unsafe {
        prefix.store([i], full([1], before + t.sum(0)));
        y.store([i], local + before);
    }
    flag.atomic_xchg([full([1], i)], 1, Ordering::Release, Scope::Device);
}

#[test]
fn a_chained_scan_gives_prefix_sums() {
    let host: Vec<i32> = (0..1000).map(|i| i * 7 % 31 - 11).collect();
    let expected: Vec<i32> = host
        .iter()
        .scan(0, |sum, &x| {
            *sum += x;
            Some(*sum)
        })
        .collect();
    for device in devices() {
        let x = Tensor::from_slice(&device, &host, [1000]).expect("uploads");
        let blocks = 1000_usize.div_ceil(64);
        let mut y = Tensor::zeros(&device, [1000]).expect("allocates");
        let mut ticket = Tensor::zeros(&device, [1]).expect("allocates");
        let mut prefix = Tensor::zeros(&device, [blocks]).expect("allocates");
        let mut flag = Tensor::zeros(&device, [blocks]).expect("allocates");
        chained_scan(&x, &mut y, &mut ticket, &mut prefix, &mut flag)
            .launch()
            .expect("runs");
        assert_eq!(y.to_vec().expect("downloads"), expected, "{device:?}");
    }
}

/// Computes one Jacobi step: each point becomes the mean of its four neighbours, which are 0 beyond the edge.
#[tile_kernel(grid = y.tiles([16, 32]))]
fn jacobi(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    let row = (i * 16 + iota::<i32>(16)).unsqueeze(1);
    let column = (j * 32 + iota::<i32>(32)).unsqueeze(0);
    let around = x.gather([row - 1, column])
        + x.gather([row + 1, column])
        + x.gather([row, column - 1])
        + x.gather([row, column + 1]);
    y.store([i, j], around * 0.25);
}

#[test]
fn a_stencil_reads_its_neighbours() {
    let (rows, columns) = (37, 50);
    let host = noise(rows * columns, 1);
    let element = |i: isize, j: isize| {
        let inside = (0..rows as isize).contains(&i) && (0..columns as isize).contains(&j);
        if inside {
            host[i as usize * columns + j as usize]
        } else {
            0.0
        }
    };
    let expected: Vec<f32> = (0..rows as isize)
        .flat_map(|i| (0..columns as isize).map(move |j| (i, j)))
        .map(|(i, j)| {
            (element(i - 1, j) + element(i + 1, j) + element(i, j - 1) + element(i, j + 1)) * 0.25
        })
        .collect();
    for device in devices() {
        let x = Tensor::from_slice(&device, &host, [rows, columns]).expect("uploads");
        let mut y = Tensor::zeros(&device, [rows, columns]).expect("allocates");
        jacobi(&x, &mut y).launch().expect("runs");
        assert_eq!(y.to_vec().expect("downloads"), expected, "{device:?}");
    }
}

/// Finds the `K` largest elements of each row, in descending order, and their columns.
#[tile_kernel(grid = values.shape()[0].div_ceil(4), instances((N = 128, K = 4)))]
fn top_k<const N: usize, const K: usize>(
    x: &Tensor<f32, 2>,
    values: &mut Tensor<f32, 2>,
    places: &mut Tensor<i32, 2>,
) {
    let row = block_id(0);
    let mut t = x.load_padded([row, 0], [4, N], Padding::NegInf);
    let column = iota::<i32>(N).unsqueeze(0);
    let slot = iota::<i32>(K).unsqueeze(0);
    let mut best = full([4, K], f32::NEG_INFINITY);
    let mut place = full([4, K], -1);
    for k in 0..K as i32 {
        let index = t.argmax(1).unsqueeze(1);
        let value = t.reduce_max(1).unsqueeze(1);
        best = select(slot == k, value, best);
        place = select(slot == k, index, place);
        t = select(column == index, f32::NEG_INFINITY, t);
    }
    values.store([row, 0], best);
    places.store([row, 0], place);
}

#[test]
fn top_k_finds_the_largest() {
    let (rows, columns) = (10, 100);
    let host = noise(rows * columns, 2);
    let mut expected = Vec::new();
    for row in host.chunks(columns) {
        let mut order: Vec<usize> = (0..columns).collect();
        order.sort_by(|&a, &b| row[b].total_cmp(&row[a]));
        expected.extend(order[..4].iter().map(|&place| (row[place], place as i32)));
    }
    for device in devices() {
        let x = Tensor::from_slice(&device, &host, [rows, columns]).expect("uploads");
        let mut values = Tensor::zeros(&device, [rows, 4]).expect("allocates");
        let mut places = Tensor::zeros(&device, [rows, 4]).expect("allocates");
        top_k::<128, 4>(&x, &mut values, &mut places)
            .launch()
            .expect("runs");
        let values = values.to_vec().expect("downloads").into_iter();
        let actual: Vec<(f32, i32)> = values.zip(places.to_vec().expect("downloads")).collect();
        assert_eq!(actual, expected, "{device:?}");
    }
}

/// Computes `y = x · (scale * (q - 8))`. Each word of `q` holds eight 4-bit weights, the lowest bits first;
/// 32 rows share a scale.
#[tile_kernel(grid = y.tiles([16, 32]))]
fn dequantizing_matmul(
    x: &Tensor<f16, 2>,
    q: &Tensor<u32, 2>,
    scale: &Tensor<f16, 2>,
    y: &mut Tensor<f32, 2>,
) {
    let (i, j) = (block_id(0), block_id(1));
    let x = x.partition([16, 32]);
    let q = q.partition([4, 32]);
    let scale = scale.partition([1, 32]);
    let shift = (iota::<u32>(8) * 4).reshape([1, 8, 1]);
    let mut acc = zeros::<f32>([16, 32]);
    for k in 0..x.num_tiles(1) {
        let words = q.load([k, j]).unsqueeze(1); // [4, 1, 32]
        let nibbles = (words >> shift) & 15; // [4, 8, 32]
        let weights = nibbles.cast::<f16>().reshape([32, 32]) - 8.0;
        acc = mma(x.load([i, k]), weights * scale.load([k, j]), acc);
    }
    y.store([i, j], acc);
}

#[test]
fn a_matmul_with_weights_of_four_bits() {
    let (m, k, n) = (20, 96, 40);
    let x: Vec<f16> = noise(m * k, 3).into_iter().map(f16::from_f32).collect();
    let scale: Vec<f16> = noise(k / 32 * n, 4)
        .into_iter()
        .map(f16::from_f32)
        .collect();
    let mut rng = fastrand::Rng::with_seed(5);
    let q: Vec<u32> = (0..k / 8 * n).map(|_| rng.u32(..)).collect();
    let mut expected = vec![0.0; m * n];
    for row in 0..m {
        for column in 0..n {
            for depth in 0..k {
                let nibble = q[depth / 8 * n + column] >> (depth % 8 * 4) & 15;
                let weight =
                    f16::from_f32((nibble as f32 - 8.0) * scale[depth / 32 * n + column].to_f32());
                expected[row * n + column] += x[row * k + depth].to_f32() * weight.to_f32();
            }
        }
    }
    for device in devices() {
        let x = Tensor::from_slice(&device, &x, [m, k]).expect("uploads");
        let q = Tensor::from_slice(&device, &q, [k / 8, n]).expect("uploads");
        let scale = Tensor::from_slice(&device, &scale, [k / 32, n]).expect("uploads");
        let mut y = Tensor::zeros(&device, [m, n]).expect("allocates");
        dequantizing_matmul(&x, &q, &scale, &mut y)
            .launch()
            .expect("runs");
        for (actual, expected) in y.to_vec().expect("downloads").iter().zip(&expected) {
            assert!(
                (actual - expected).abs() < 1e-3,
                "{actual} {expected} {device:?}"
            );
        }
    }
}

/// Gathers rows of a cache with pages of 16 rows: `page[s, p]` is the page that holds the 16 rows of sequence
/// `s` from row `16 * p` on.
#[tile_kernel(grid = (out.shape()[0], out.shape()[1].div_ceil(16)))]
fn paged_gather(
    cache: &Tensor<f32, 2>,
    page: &Tensor<i32, 2>,
    length: &Tensor<i32, 1>,
    out: &mut Tensor<f32, 3>,
) {
    let (sequence, p) = (block_id(0), block_id(1));
    let row = iota::<i32>(16);
    let exists = p * 16 + row < length.at([sequence]);
    // A row out of bounds reads as zeros.
    let place = select(exists, page.at([sequence, p]) * 16 + row, -1);
    let view = cache.gather_view(0, [16, 64]);
    out.store([sequence, p, 0], view.load([place, 0]).unsqueeze(0));
}

#[test]
fn a_paged_gather_follows_the_table() {
    let (pages, width, sequences, longest) = (9, 64, 3, 40);
    let cache = noise(pages * 16 * width, 6);
    let table = [4, 0, 7, 8, 2, -1, 1, 3, 5];
    let lengths = [40, 17, 33];
    let mut expected = vec![0.0; sequences * longest * width];
    for sequence in 0..sequences {
        for row in 0..lengths[sequence] as usize {
            let from = table[sequence * 3 + row / 16] as usize * 16 + row % 16;
            let to = (sequence * longest + row) * width;
            expected[to..to + width].copy_from_slice(&cache[from * width..][..width]);
        }
    }
    for device in devices() {
        let cache = Tensor::from_slice(&device, &cache, [pages * 16, width]).expect("uploads");
        let page = Tensor::from_slice(&device, &table, [sequences, 3]).expect("uploads");
        let length = Tensor::from_slice(&device, &lengths, [sequences]).expect("uploads");
        let mut out =
            Tensor::full(&device, [sequences, longest, width], f32::NAN).expect("allocates");
        paged_gather(&cache, &page, &length, &mut out)
            .launch()
            .expect("runs");
        assert_eq!(out.to_vec().expect("downloads"), expected, "{device:?}");
    }
}

/// Computes the discrete Fourier transform of each row of `N = 2^LOG` complex numbers, with the constant
/// geometry of Pease (1968). The results are in bit-reversed order, and a scatter restores the natural order.
#[tile_kernel(grid = re.shape()[0], instances((N = 64, LOG = 6)))]
fn fft<const N: usize, const LOG: i32>(
    re: &Tensor<f32, 2>,
    im: &Tensor<f32, 2>,
    re_out: &mut Tensor<f32, 2>,
    im_out: &mut Tensor<f32, 2>,
) {
    let row = block_id(0);
    let mut x = re.load([row, 0], [1, N]).reshape([N]);
    let mut y = im.load([row, 0], [1, N]).reshape([N]);
    let t = iota::<i32>(N / 2);
    for stage in 0..LOG {
        let angle = ((t >> stage) << stage).cast::<f32>() * (-std::f32::consts::TAU / N as f32);
        let (c, s) = (angle.cos(), angle.sin());
        let (a, b) = (x.extract([0], [N / 2]), x.extract([1], [N / 2]));
        let (d, e) = (y.extract([0], [N / 2]), y.extract([1], [N / 2]));
        let (u, v) = (a - b, d - e);
        x = cat((a + b).unsqueeze(1), (u * c - v * s).unsqueeze(1), 1).reshape([N]);
        y = cat((d + e).unsqueeze(1), (u * s + v * c).unsqueeze(1), 1).reshape([N]);
    }
    let mut reversed = zeros::<i32>([N]);
    let i = iota::<i32>(N);
    for bit in 0..LOG {
        reversed = reversed | (((i >> bit) & 1) << (LOG - 1 - bit));
    }
    // SAFETY: bit reversal is a permutation, and each block has its own row.
    unsafe {
        re_out.scatter([row, reversed], x);
        im_out.scatter([row, reversed], y);
    }
}

#[test]
fn an_fft_is_the_discrete_fourier_transform() {
    let (rows, n) = (3, 64);
    let (re, im) = (noise(rows * n, 7), noise(rows * n, 8));
    let mut expected = Vec::new();
    for row in 0..rows {
        for k in 0..n {
            let (mut x, mut y) = (0.0, 0.0);
            for j in 0..n {
                let angle = -std::f64::consts::TAU * (j * k % n) as f64 / n as f64;
                let (a, b) = (f64::from(re[row * n + j]), f64::from(im[row * n + j]));
                x += a * angle.cos() - b * angle.sin();
                y += a * angle.sin() + b * angle.cos();
            }
            expected.push((x, y));
        }
    }
    for device in devices() {
        let re = Tensor::from_slice(&device, &re, [rows, n]).expect("uploads");
        let im = Tensor::from_slice(&device, &im, [rows, n]).expect("uploads");
        let mut x = Tensor::zeros(&device, [rows, n]).expect("allocates");
        let mut y = Tensor::zeros(&device, [rows, n]).expect("allocates");
        fft::<64, 6>(&re, &im, &mut x, &mut y)
            .launch()
            .expect("runs");
        let actual = x.to_vec().expect("downloads").into_iter();
        for ((x, y), (a, b)) in actual.zip(y.to_vec().expect("downloads")).zip(&expected) {
            let error = (f64::from(x) - a).abs().max((f64::from(y) - b).abs());
            assert!(error < 1e-4, "{error} {device:?}");
        }
    }
}
