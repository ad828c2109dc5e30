//! Tests of the options of the attribute, and of its instances.

use crate::instantiate::suffix;
use crate::testing::{errors, front};
use expect_test::expect;

/// Returns the instances that an attribute lists for a kernel, in order.
fn listed(attribute: &str, generics: &str) -> String {
    let item = format!("fn k<{generics}>(n: i32) {{ }}");
    match front(attribute, &item) {
        Ok(expansion) => {
            let signature = &expansion.signature;
            let instances = signature.instances.iter();
            let texts: Vec<String> = instances.map(|it| suffix(signature, it)).collect();
            texts.join(" ")
        }
        Err(list) => list.concat(),
    }
}

#[test]
fn tuples_pair_what_they_name() {
    let generics = "T: Element, A: Element, const BM: usize";
    expect!["<f16, f32, 64> <f16, f32, 128> <i8, i32, 64> <i8, i32, 128>"].assert_eq(&listed(
        "types((T = f16, A = f32), (T = i8, A = i32)), instances((BM = 64), (BM = 128))",
        generics,
    ));
    expect!["<f32, f32, 64> <f16, f32, 128> <bf16, f32, 128>"].assert_eq(&listed(
        "instances((T = f32, BM = 64), (T = f16 | bf16, BM = 128)), types(A = f32)",
        generics,
    ));
    // The options may give a number type by its path, and a value as a constant expression.
    expect!["<f16, f32, 192>"].assert_eq(&listed(
        "instances((T = half::f16, A = f32, BM = 64 | 128))",
        generics,
    ));
}

#[test]
fn lists_and_ranges_multiply() {
    let generics = "const BM: usize, const CAUSAL: bool, const K: i32";
    expect!["<64, false, 1> <64, true, 1> <128, false, 1> <128, true, 1>"].assert_eq(&listed(
        "instances((BM = 64), (BM = 128), CAUSAL = [false, true], K = 1)",
        generics,
    ));
    expect!["<64, true, -1> <64, true, 0> <64, true, 1> <32, false, 5> <32, false, 7>"].assert_eq(
        &listed(
            "instances((BM = 64, CAUSAL = true, K = -1..=1), (BM = 32, CAUSAL = false, K = [5, 7]))",
            generics,
        ),
    );
    // Ends of ranges may use parameters to the left; duplicate instances are merged.
    expect!["<2, false, 2> <2, false, 3> <4, false, 4> <4, false, 5> <4, false, 6> <4, false, 7>"]
        .assert_eq(&listed(
            "instances(BM = [2, 4, 2], K = BM as i32..2 * BM as i32), instances(CAUSAL = false)",
            generics,
        ));
    // Parameters that a tuple omits have their defaults.
    expect!["<f32, 16> <f16, 8>"].assert_eq(&listed(
        "instances((), (T = f16, N = 8))",
        "T: Element = f32, const N: usize = 16",
    ));
}

#[test]
fn choices_that_do_not_fit() {
    let generics = "T: Element, A: Element, const BM: usize, const FAST: bool";
    expect![[r#"
        T0208 at `A`: the types of `A` are not listed
          note: a kernel is compiled while the crate is built, once for each choice that is listed
          help: write `#[tile_kernel(types(A = f16 | f32), ..)]` with the types that are used
    "#]]
    .assert_eq(&listed(
        "instances((T = f32, BM = 64, FAST = true))",
        generics,
    ));
    expect![[r#"
        T0208 at `FAST`: the instance gives no type for `T`
          help: add `T = f32` to it, or another type
    "#]]
    .assert_eq(&listed(
        "types((T = f16, A = f32), (A = i32)), instances(BM = 64, FAST = true)",
        generics,
    ));
    expect![[r#"
        T0208 at `FAST`: `FAST` is a const parameter
          help: write `instances(FAST = ..)`
        T0208 at `T`: `T` is listed in two places, whose choices multiply
          help: remove it here, or from the other list
        T0208 at `BM`: `BM` is listed in two places, whose choices multiply
          help: remove it here, or from the other list
        T0208 at `BM`: the instance gives no value for `FAST`
          help: add `FAST = true` to it, or another value
    "#]]
    .assert_eq(&listed(
        "types(T = f16, A = f32), instances((T = f32, BM = 64)), instances(BM = 32), types(FAST = true)",
        generics,
    ));
    expect![[r#"
        T0208 at `64`: `64` is no element type
          help: write number types, such as `f16 | bf16 | f32`
        T0208 at `f32`: `BM` is a `usize`, found the type `f32`
          help: write a constant of that type, as in `BM = 64`
        T0208 at `false..true`: `FAST` is a `bool`, of which there are no ranges
          help: write `FAST = [false, true]`
    "#]]
    .assert_eq(&listed(
        "types(A = f32), instances((T = 64), (T = f16)), instances((BM = f32, FAST = false..true))",
        generics,
    ));
    expect![[r#"
        T0208 at `4..4`: the range of `BM` is empty
          help: write the smaller number first
        T0208 at `1`: `FAST` is a `bool`, found `1`
          help: write a constant of that type, as in `FAST = true`
    "#]]
    .assert_eq(&listed(
        "types(T = f32 | f16, A = f32), instances((BM = 4..4, FAST = [false, 1]))",
        generics,
    ));
    expect![[r#"
        T0208 at `1..=100000`: the range of `N` has 100000 values
          help: list those that are launched, at most 4096
    "#]]
    .assert_eq(&listed("instances(N = 1..=100000)", "const N: usize"));
    expect![[r#"
        T0208 at `k`: the attribute lists 4100 instances of `k` or more
          help: list those that are launched, at most 4096
    "#]]
    .assert_eq(&listed(
        "instances(N = 1..=100, M = 1..=100)",
        "const N: usize, const M: usize",
    ));
}

#[test]
fn generics_must_be_listed() {
    let text = errors(
        "",
        "fn k<T: Element, const BM: usize, const FAST: bool>(a: &Tensor<T, 1>) { }",
    );
    expect![[r#"
        T0208 at `T`: the types of `T` are not listed
          note: a kernel is compiled while the crate is built, once for each choice that is listed
          help: write `#[tile_kernel(types(T = f16 | f32), ..)]` with the types that are used
        T0208 at `BM`: the values of `BM` are not listed
          note: a kernel is compiled while the crate is built, once for each choice that is listed
          help: write `#[tile_kernel(instances((BM = 64, FAST = true)), ..)]` with the values that are used
    "#]].assert_eq(&text);
}

#[test]
fn instances_must_fit() {
    let text = errors(
        "instances((BM = 64, BK = 2), (BM = 1, BM = 2), (BM = -1), (BM = x), (BM = true), ()), types(U = f32, T = f23 | f32)",
        "fn k<T: Element, const BM: usize>(a: &Tensor<T, 1>) { }",
    );
    expect![[r#"
        T0208 at `U`: the kernel has no type parameter `U`
          help: write a parameter of the kernel: `T`
        T0208 at `BK`: the kernel has no parameter `BK`
          help: write a parameter of the kernel: `T`, `BM`
        T0208 at `BM`: the instance gives `BM` twice
          help: remove one of them
        T0208 at `f23`: `f23` is no element type
          help: write number types, such as `f16 | bf16 | f32`
        T0208 at `-1`: `-1` does not fit into `BM`, which is a `usize`
          help: write a number in the range of the type, such as `BM = 64`
        T0201 at `x`: there is no variable `x` here
          note: constants and instances see the constants and functions under `#[tile_fn]`
          help: write the number
        T0208 at `true`: `BM` is a `usize`, found `true`
          help: write a constant of that type, as in `BM = 64`
        T0208 at `()`: the instance gives no value for `BM`
          help: add `BM = 64` to it, or another value
    "#]]
    .assert_eq(&text);
}

#[test]
fn instances_without_generics() {
    let text = errors(
        "instances((BM = 64)), types(T = f32)",
        "fn k(a: &Tensor<f32, 1>) { }",
    );
    expect![[r#"
        T0208 at `T`: the kernel has no type parameter `T`
          help: remove it, or declare `T: Element` in the generics
        T0208 at `(BM = 64)`: the kernel has no const parameters
          help: remove `instances(..)`, or declare `const N: usize` in the generics
    "#]]
    .assert_eq(&text);
}

#[test]
fn unknown_options_are_named() {
    let text = errors(
        r#"girds = 1, num_warps = 3, arch = "sm_80""#,
        "fn k(a: &Tensor<f32, 1>) { }",
    );
    expect![[r#"
        T0102 at `girds`: there is no option `girds`
          help: write `grid`
        T0102 at `3`: a block cannot have 3 warps
          note: `num_warps` is a power of two from 1 to 32
          help: write `num_warps = 4`
        T0102 at `arch = "sm_80"`: expected a list
          help: write `arch("sm_80", "sm_90a")`
    "#]]
    .assert_eq(&text);
}

#[test]
fn options_of_the_wrong_form() {
    let text = errors(
        r#"instances(BM = 64), types(T = ), arch(), num_warps = "x", grid"#,
        "fn k(a: &Tensor<f32, 1>) { }",
    );
    expect![[r#"
        T0102 at ``: unexpected end of input, expected an expression
          help: write `types(T = f16 | bf16)`
        T0102 at `arch()`: the list is empty
          help: write `arch("sm_80", "sm_90a")`
        T0102 at `"x"`: expected a number, found `"x"`
          help: write `num_warps = 4`
        T0102 at `grid`: the option `grid` has another form
          help: write `grid = c.tiles([64, 64])`
        T0208 at `BM`: the kernel has no const parameters
          help: remove `instances(..)`, or declare `const N: usize` in the generics
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_switch_has_no_value() {
    let kernel = "fn k(a: &Tensor<f32, 1>) { }";
    assert_eq!(front("programmatic_launch", kernel).err(), None);
    let text = errors("programmatic_launch = true, programmatic_launch(1)", kernel);
    expect![[r#"
        T0102 at `programmatic_launch = true`: the option `programmatic_launch` has another form
          help: write `programmatic_launch`
        T0102 at `programmatic_launch(1)`: the option `programmatic_launch` has another form
          help: write `programmatic_launch`
    "#]]
    .assert_eq(&text);
    let text = errors("programmatic_launch, programmatic_launch", kernel);
    expect![[r#"
        T0102 at `programmatic_launch`: the option `programmatic_launch` is given twice
          help: remove it: an option is given at most once
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_fault_of_one_instance_names_it() {
    let text = errors(
        "instances((BM = 64), (BM = 3))",
        "fn k<const BM: usize>(a: &Tensor<f32, 1>) { let t = a.load([0], [BM]); }",
    );
    expect![[r#"
        T0205 at `BM`: the tile dimension `BM`, which is 3, is not a power of two
          note: loads are padded and stores are clipped at the edge of a tensor, so a tile may be larger than what it covers
          note: in the instance BM = 3
          help: write `BM = 4` for `BM = 3`: it is the next power of two
    "#]].assert_eq(&text);
}

#[test]
fn a_fault_of_every_instance_is_reported_once() {
    let text = errors(
        "instances((BM = 64), (BM = 32)), types(T = f32 | f16)",
        "fn k<T: Element, const BM: usize>(a: &Tensor<T, 1>) { let t = a.load([0], [BM]) + nope; }",
    );
    expect![[r#"
        T0201 at `nope`: there is no variable `nope` here
          note: a kernel sees its parameters, its variables and the functions of the kernel language
          help: declare it with `let nope = ..;`, or pass it as a parameter of the kernel
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_fault_with_other_numbers_is_reported_once() {
    let text = errors(
        "instances((BM = 64), (BM = 32))",
        "fn k<const BM: usize>(a: &Tensor<f32, 1>) { let t = a.load([0], [BM]) + zeros([BM * 2]); let r = zeros::<f32>([BM - 100]); }",
    );
    expect![[r#"
        T0203 at `zeros([BM * 2])`: `+` needs tiles whose shapes match, found [64] and [128]
          `a.load([0], [BM])`: `a.load([0], [BM])` is `Tile<f32, [64]>`
          `zeros([BM * 2])`: `zeros([BM * 2])` is `Tile<f32, [128]>`
          note: axes of one extent match, and an axis of extent 1 stretches; scalars stretch to any shape
          note: in the instance BM = 64
          help: make axis 0 of both the same: write `zeros([BM])` for `zeros([BM * 2])`
        T0212 at `BM - 100`: `BM - 100` is -36, which is not a `usize`
          note: in the instance BM = 64
          help: write a value for which a tile dimension is not negative
    "#]].assert_eq(&text);
}

#[test]
fn options_are_given_once_and_in_range() {
    let text = errors("num_warps = 3", "fn k(a: &Tensor<f32, 1>) { }");
    expect![[r#"
        T0102 at `3`: a block cannot have 3 warps
          note: `num_warps` is a power of two from 1 to 32
          help: write `num_warps = 4`
    "#]]
    .assert_eq(&text);
    let text = errors("stages = 9, occupancy = 0", "fn k(a: &Tensor<f32, 1>) { }");
    expect![[r#"
        T0102 at `9`: a block cannot have 9 stages
          note: `stages` is a number from 1, which disables software pipelining, to 8
          help: write `stages = 3`
        T0102 at `0`: a block cannot have 0 resident blocks
          note: `occupancy` is the number of blocks that must fit on a multiprocessor, from 1 to 32
          help: write `occupancy = 2`
    "#]]
    .assert_eq(&text);
    let text = errors("grid = 1, grid = 2", "fn k(a: &Tensor<f32, 1>) { }");
    expect![[r#"
        T0102 at `grid = 2`: the option `grid` is given twice
          help: remove it: an option is given at most once
    "#]]
    .assert_eq(&text);
}

#[test]
fn the_code_for_the_cpu_device_is_one_of_three_words() {
    let kernel = "fn k(x: &mut Tensor<f32, 1>) { x.store([0], zeros([1])); }";
    for mode in ["native", "interpreted", "none"] {
        assert_eq!(front(&format!("cpu = \"{mode}\""), kernel).err(), None);
    }
    expect![[r#"
        T0102 at `"interpeted"`: there is no code `"interpeted"` for the CPU device
          note: `cpu` is one of `"native"`, `"interpreted"`, `"none"`
          help: write `cpu = "interpreted"`
    "#]]
    .assert_eq(&errors("cpu = \"interpeted\"", kernel));
    expect![[r#"
        T0102 at `1`: there is no code `1` for the CPU device
          note: `cpu` is one of `"native"`, `"interpreted"`, `"none"`
          help: write `cpu = "native"`
    "#]]
    .assert_eq(&errors("cpu = 1", kernel));
    expect![[r#"
        T0102 at `cpu("none")`: the option `cpu` has another form
          help: write `cpu = "native"`
        T0102 at `cpu = "none"`: the option `cpu` is given twice
          help: remove it: an option is given at most once
    "#]]
    .assert_eq(&errors(
        "cpu(\"none\"), cpu = \"native\", cpu = \"none\"",
        kernel,
    ));
    expect![[r#"
        T0102 at `"none"`: a kernel for the CPU device alone has code for it
          note: `arch("cpu")` compiles for the CPU device only
          help: leave out `cpu`, or `arch("cpu")`
    "#]]
    .assert_eq(&errors("arch(\"cpu\"), cpu = \"none\"", kernel));
}

#[test]
fn constraints_exclude_instances() {
    let generics = "const BM: usize, const BN: usize, const DOUBLE: bool";
    expect!["<16, 16, false> <16, 16, true> <16, 64, false> <16, 64, true> <32, 16, false> <64, 16, false>"].assert_eq(&listed(
        "instances(BM = [16, 32, 64], BN = [16, 64], DOUBLE = [false, true]), constraints(BM * BN <= 1024, !DOUBLE || BM <= BN)",
        generics,
    ));
    expect![[r#"
        T0208 at `BM > 100`: no instance fulfils this constraint
          help: weaken it, or list more values in `instances(..)`
    "#]]
    .assert_eq(&listed(
        "instances(BM = [16, 32], BN = 16, DOUBLE = false), constraints(BM > 100)",
        generics,
    ));
    expect![[r#"
        T0202 at `BM`: expected `bool`, found `usize`
          note: the value has the type of the parameter
          help: write a comparison, as in `BM != 0`
    "#]]
    .assert_eq(&listed(
        "instances(BM = [16, 32], BN = 16, DOUBLE = false), constraints(BM)",
        generics,
    ));
    expect![[r#"
        T0201 at `BK`: there is no variable `BK` here
          help: write `BM`
    "#]]
    .assert_eq(&listed(
        "instances(BM = [16, 32], BN = 16, DOUBLE = false), constraints(BK > 2)",
        generics,
    ));
    expect![[r#"
        T0102 at `constraints(BN > 2)`: the option `constraints` is given twice
          help: remove it: an option is given at most once
    "#]].assert_eq(&listed(
        "instances(BM = [16, 32], BN = 16, DOUBLE = false), constraints(BM > 2), constraints(BN > 2)",
        generics,
    ));
}

/// Returns the warps and stages of each instance.
fn schedules(attribute: &str, generics: &str) -> String {
    let item = format!("fn k<{generics}>(n: i32) {{ }}");
    match front(attribute, &item) {
        Ok(expansion) => {
            let instances = expansion.signature.instances.iter();
            let texts: Vec<String> = instances
                .map(|it| format!("{:?} {:?}", it.schedule.num_warps, it.schedule.stages))
                .collect();
            texts.join(", ")
        }
        Err(list) => list.concat(),
    }
}

#[test]
fn options_of_the_schedule_may_depend_on_the_instance() {
    let generics = "const WARPS: u32, const N: usize";
    expect![[r#"
        T0202 at `N + 1`: expected `u32`, found `usize`
          note: the value has the type of the parameter
          help: write `(N + 1) as u32`
    "#]]
    .assert_eq(&schedules(
        "instances(WARPS = [4, 8], N = [1, 2]), num_warps = WARPS, stages = N + 1",
        generics,
    ));
    expect![[r#"
        T0208 at `WARPS`: `num_warps` cannot be 6, as in `WARPS = 6, N = 1`
          help: list other values in `instances(..)`, or exclude it by a constraint; for example `num_warps = 4`
    "#]].assert_eq(&schedules(
        "instances(WARPS = [4, 6], N = 1), num_warps = WARPS",
        generics,
    ));
    expect![[r#"
        T0102 at `num_warps = 4`: the option `num_warps` is given twice
          help: remove it: an option is given at most once
    "#]]
    .assert_eq(&schedules(
        "instances(WARPS = 4, N = 1), num_warps = WARPS, num_warps = 4",
        generics,
    ));
    expect![[r#"
        T0102 at `[4, 8]`: expected a number, found `[4 , 8]`
          note: for several values, declare a const parameter: `const N: u32` with `instances(N = ..)` and `num_warps = N`
          help: write `num_warps = 4`
    "#]].assert_eq(&schedules(
        "instances(WARPS = 4, N = 1), num_warps = [4, 8]",
        generics,
    ));
    expect![[r#"
        T0201 at `MISSING`: there is no variable `MISSING` here
          note: constants and instances see the constants and functions under `#[tile_fn]`
          help: write `#[tile_fn]` above `const MISSING`, or write the number here
    "#]]
    .assert_eq(&schedules(
        "instances(WARPS = 4, N = 1), num_warps = MISSING",
        generics,
    ));
}

/// Returns what the tuner may choose in `k<BM, CAUSAL>(x: &Tensor<f32, 2>, n: i32, s: f32)`.
fn tuned(tune: &str) -> String {
    let item = "fn k<const BM: usize, const CAUSAL: bool>(x: &Tensor<f32, 2>, n: i32, s: f32) { }";
    let attribute = format!("instances(BM = [16, 32], CAUSAL = [false, true]), {tune}");
    match front(&attribute, item) {
        Ok(expansion) => {
            let tuning = expansion.signature.tuning.expect("the option");
            let key: Vec<String> = tuning
                .key
                .iter()
                .map(|it| format!("{}:{:?}:{:?}", it.param, it.axis, it.class))
                .collect();
            format!(
                "{:?} of {:?} by {}",
                tuning.params,
                tuning.candidates,
                key.join(" ")
            )
        }
        Err(list) => list.concat(),
    }
}

#[test]
fn the_tuner_chooses_what_the_option_names() {
    expect!["[0] of None by 0:Some(0):BucketAndDivisor 0:Some(1):BucketAndDivisor 1:None:BucketAndDivisor"].assert_eq(&tuned("tune(BM)"));
    expect!["[1, 0] of Some(3) by 0:Some(1):Bucket 1:None:Exact 0:Some(0):Divisor 1:None:BucketAndDivisor"].assert_eq(&tuned(
        "tune(CAUSAL, BM, candidates = 3, key(bucket(x.dim(1)), exact(n), divisor(x.dim(0)), n))",
    ));
    for wrong in [
        "tune",
        "tune()",
        "tune(candidates = 3)",
        "tune(BN)",
        "tune(BM, BM)",
        "tune(BM, candidates = 0)",
        "tune(BM, limit = 3)",
        "tune(BM, key(y.dim(0)))",
        "tune(BM, key(x.dim(2)))",
        "tune(BM, key(x))",
        "tune(BM, key(s))",
        "tune(BM, key(rounded(n)))",
        "tune(BM), tune(CAUSAL)",
    ] {
        let text = tuned(wrong);
        assert!(
            text.contains("T0102") && text.contains("help"),
            "{wrong}: {text}"
        );
    }
    expect![[r#"
        T0102 at `BN`: the kernel has no const parameter `BN`
          help: write `BM`
    "#]]
    .assert_eq(&tuned("tune(BN)"));
    expect![[r#"
        T0102 at `2`: `x` has 2 axes, so there is no axis 2
          help: write an axis from 0 to 1
    "#]]
    .assert_eq(&tuned("tune(BM, key(x.dim(2)))"));
}
