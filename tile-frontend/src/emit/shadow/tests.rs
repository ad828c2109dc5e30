//! Tests the code for rust-analyzer: it contains the author's tokens with their spans, even if a
//! kernel is half written. In `tests/rust_analyzer.rs` of the facade, rustc checks the types.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use proc_macro2::{TokenStream, TokenTree};

use crate::backend::for_rust_analyzer;
use crate::expand::Source;

const ATTENTION: &str = r"
/// One head of attention.
fn attention<T: Element, const BM: usize, const BN: usize, const D: usize, const CAUSAL: bool>(
    q: &Tensor<T, 3>,
    k: &Tensor<T, 3>,
    v: &Tensor<T, 3>,
    out: &mut Tensor<f32, 3>,
    scale: f32,
) {
    let (row, head) = (block_id(0), block_id(1));
    let query = q.load([head, row, 0], [1, BM, D]).reshape([BM, D]);
    let rows = row * BM as i32 + iota::<i32>(BM);
    let keys = k.dim(1);
    let mut max: Tile<f32, { [BM] }> = full([BM], f32::NEG_INFINITY);
    let mut sum = zeros::<f32>([BM]);
    let mut acc = zeros::<f32>([BM, D]);
    let tiles = if CAUSAL { ((row + 1) * BM as i32 + BN as i32 - 1) / BN as i32 } else { (keys + BN as i32 - 1) / BN as i32 };
    for at in 0..tiles {
        let key = k.load([head, at, 0], [1, BN, D]).reshape([BN, D]);
        let value = v.load([head, at, 0], [1, BN, D]).reshape([BN, D]);
        let columns = (at * BN as i32 + iota::<i32>(BN)).unsqueeze(0);
        let visible = columns < keys;
        let visible = if CAUSAL { (columns <= rows.unsqueeze(1)) & visible } else { visible };
        let scores = mma(query, key.t(), zeros([BM, BN])) * scale;
        let scores = select(visible, scores, f32::NEG_INFINITY);
        let higher = max.max(scores.reduce_max(1));
        let weights = (scores - higher.unsqueeze(1)).exp();
        let keep = (max - higher).exp();
        sum = sum * keep + weights.sum(1);
        acc = mma(weights.cast::<T>(), value, acc * keep.unsqueeze(1));
        max = higher;
    }
    out.store([head, row, 0], (acc / sum.unsqueeze(1)).unsqueeze(0));
}
";
const ATTENTION_OPTIONS: &str = "grid = [q.shape()[1].div_ceil(BM), q.shape()[0]], types(T = f16 | bf16), \
    instances((BM = 64, BN = 64, D = 64, CAUSAL = true), (BM = 64, BN = 64, D = 64, CAUSAL = false))";

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("the test's text is tokens")
}

/// Counts the occurrences of each token at each position: its text, line and column.
fn places(tokens: TokenStream, into: &mut BTreeMap<(String, usize, usize), usize>) {
    for token in tokens {
        if let TokenTree::Group(group) = token {
            places(group.stream(), into);
        } else {
            let start = token.span().start();
            *into
                .entry((token.to_string(), start.line, start.column))
                .or_default() += 1;
        }
    }
}

#[test]
fn tokens_of_the_body_keep_their_spans() {
    let item = tokens(ATTENTION);
    let body = item
        .clone()
        .into_iter()
        .last()
        .expect("a function has a body");
    let mut written = BTreeMap::new();
    places(body.into(), &mut written);
    let mut given = BTreeMap::new();
    places(
        for_rust_analyzer(Source::from_kernel(tokens(ATTENTION_OPTIONS), item)),
        &mut given,
    );
    let lost: Vec<_> = written
        .keys()
        .filter(|place| !given.contains_key(*place))
        .map(|(text, line, _)| (text.as_str(), *line))
        .collect();
    // Comparisons are calls with the operators' spans, and a shape in an annotation is a rank.
    assert_eq!(lost, [("<", 22), ("<", 23), ("=", 23), ("BM", 14)]);
    let at_operator = |(text, line, _): &&(String, usize, usize)| {
        (text == "less" && *line == 22) || (text == "less_or_equal" && *line == 23)
    };
    assert_eq!(given.keys().filter(at_operator).count(), 2);
}

/// Returns the items of an expansion, which must parse, as text.
fn items(attribute: &str, item: &str) -> Vec<String> {
    let tokens = for_rust_analyzer(Source::from_kernel(tokens(attribute), tokens(item)));
    let file: syn::File = syn::parse2(tokens).expect("the expansion is items");
    file.items
        .into_iter()
        .map(|item| {
            prettyplease::unparse(&syn::File {
                shebang: None,
                frontmatter: None,
                attrs: Vec::new(),
                items: vec![item],
            })
        })
        .collect()
}

#[test]
fn a_kernel_with_faults_has_a_stub_and_a_copy_beside_the_errors() {
    let items = items(
        "grid = c.tiles([64])",
        "fn k(c: &mut Tensor<f32, 1>, n: i32) { let t = c.load([0], [64]); c.store([0], t + missing); }",
    );
    let [module, stub, copy, error] = items.as_slice() else {
        panic!("{items:#?}");
    };
    assert!(module.contains("mod __k"), "{module}");
    assert!(
        stub.starts_with("fn k(") && stub.contains("n: ::core::primitive::i32"),
        "{stub}"
    );
    assert!(copy.contains("c.store((0,), t + missing)"), "{copy}");
    assert!(
        error.contains("compile_error") && error.contains("`missing`"),
        "{error}"
    );
}

#[test]
fn half_a_kernel_has_a_stub_and_a_copy_and_no_errors() {
    let items = items(
        "grid = c.tiles([64])",
        "fn k(c: &mut Tensor<f32, 1>) { let t = c.load([0], [64]); t.__ra_fixup; let u = missing; }",
    );
    let [_, stub, copy] = items.as_slice() else {
        panic!("{items:#?}");
    };
    assert!(stub.starts_with("fn k("), "{stub}");
    assert!(copy.contains("t.__ra_fixup"), "{copy}");
}

#[test]
fn a_kernel_without_the_instances_it_needs_keeps_its_generics() {
    let items = items(
        "",
        "fn k<T: Element, const N: usize>(c: &mut Tensor<T, 1>) { c.dim(0); }",
    );
    let copy = items.iter().find(|item| item.contains("shadow::"));
    let copy = copy.unwrap_or_else(|| panic!("{items:#?}"));
    assert!(copy.contains("fn k<T: Element, const N: usize>"), "{copy}");
}

#[test]
fn an_item_that_is_no_function_stays_with_the_error() {
    let items = items("", "struct K;");
    assert!(items[0].contains("compile_error"), "{items:#?}");
    assert_eq!(items[1].trim(), "struct K;");
}

#[test]
fn the_expansion_of_attention_takes_less_than_50_ms() {
    let (attribute, item) = (tokens(ATTENTION_OPTIONS), tokens(ATTENTION));
    let expansion = (0..5)
        .map(|_| {
            let start = Instant::now();
            let tokens = for_rust_analyzer(Source::from_kernel(attribute.clone(), item.clone()));
            let time = start.elapsed();
            assert!(!tokens.to_string().contains("compile_error"), "{tokens}");
            time
        })
        .min()
        .expect("it was expanded five times");
    assert!(expansion < Duration::from_millis(50), "{expansion:?}");
}
