//! Tests every element-wise operation, in every form and for every type that it has.
//!
//! Each operation is a test on each architecture. The module of a test has one kernel, in which each form
//! (types and attributes) reads its own tiles and writes one tile. The table of forms below is transcribed
//! from the dialect's specification. Elements are special values, their neighbours, and random patterns, all
//! in the domain of the operation.

use std::fmt::Write as _;

use libtest_mimic::Trial;
use tile_backend::target::Arch;
use tile_core::interp::{decode_float, encode_float};
use tile_core::ir::RoundingMode;
use tile_core::testing::{Argument, Function, Random, Runnable};
use tile_core::types::Scalar;
use tile_core::verify::ftof_modes;

use super::ARCHS;
use super::compare::Expected;
use super::machine::{compile, verified};
use super::support;
use super::trial;

/// Elements of every tile.
const COUNT: usize = 256;

const FLOATS: [Scalar; 4] = [Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64];
const INTEGERS: [Scalar; 5] = [
    Scalar::I1,
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
];
const ROUNDINGS: [&str; 4] = ["nearest_even", "zero", "negative_inf", "positive_inf"];

/// Functions, their number of operands, and their tolerances in f32 and in f64, in units of the last place:
/// upper bounds of the errors of `device-math` and of instructions (PTX ISA). Results in half
/// precision are rounded from f32 and may round to the other neighbour of a tie.
const ERRORS: [(&str, usize, u32, u32); 13] = [
    ("exp", 1, 2, 1),
    ("exp2", 1, 2, 1),
    ("log", 1, 1, 1),
    ("log2", 1, 1, 1),
    ("rsqrt", 1, 2, 1),
    ("sin", 1, 2, 2),
    ("cos", 1, 2, 2),
    ("tan", 1, 4, 2),
    ("sinh", 1, 3, 2),
    ("cosh", 1, 2, 2),
    ("tanh", 1, 2, 1),
    ("pow", 2, 4, 2),
    ("atan2", 2, 3, 2),
];

/// Tolerance of `divf` and `sqrt`, if approximate or `full`.
const APPROXIMATE_DIVISION: u32 = 3;
/// Tolerance of approximate `tanh`: 2^-11 of the result.
const APPROXIMATE_TANH: u32 = 1 << 13;
/// Tolerance of approximate `exp`: 2 plus 1.173 times the argument, as for `__expf`. The magnitude of the
/// argument is at most 104.
const APPROXIMATE_EXP: u32 = 124;

/// Returns the tolerance of `fpowi`.
fn error_of_power(scalar: Scalar) -> u32 {
    if scalar == Scalar::F64 { 2 } else { 4 }
}

/// Returns the tolerance of a function.
pub(crate) fn error_of(function: Function) -> u32 {
    let name = function.opcode.def().mnemonic;
    let is_approximate = function.rounding == Some(RoundingMode::Approx);
    match name {
        "divf" | "sqrt" => return APPROXIMATE_DIVISION,
        "fpowi" => return error_of_power(function.scalar),
        "tanh" if is_approximate => return APPROXIMATE_TANH,
        "exp" if is_approximate => return APPROXIMATE_EXP,
        _ => {}
    }
    let row = ERRORS.iter().find(|row| row.0 == name);
    let &(_, _, single, double) = row.expect("every function has a row");
    match function.scalar {
        Scalar::F64 => double,
        Scalar::F32 => single,
        _ => 1,
    }
}

/// One use of an operation.
#[derive(Clone, Debug)]
struct Form {
    operands: Vec<Scalar>,
    result: Scalar,
    /// The operation, with `{0}` for the first operand and so on; types are spelt out.
    text: String,
    values: Values,
    /// Tolerance of the result, in units of its last place; 0 if it must be exact.
    ulps: u32,
}

/// The domain of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// Any values.
    Any,
    /// The divisor, which is the last operand, is not zero. A signed dividend is not the least number if the
    /// divisor is -1.
    Divisor,
    /// The last operand is less than the width of the type.
    Distance,
    /// Sums and products do not overflow, neither signed nor unsigned.
    Small,
    /// Floats whose integer part is representable in the target type.
    In { target: Scalar, signed: bool },
    /// Small exponents.
    Exponent,
}

fn tile(scalar: Scalar) -> String {
    format!("tile<{COUNT}x{scalar}>")
}

/// Returns the form of an operation whose operands and result have one type.
fn same(name: &str, operands: usize, scalar: Scalar, attributes: &str) -> Form {
    let list: Vec<String> = (0..operands).map(|index| format!("{{{index}}}")).collect();
    Form {
        operands: vec![scalar; operands],
        result: scalar,
        text: format!("{name} {}{attributes} : {}", list.join(", "), tile(scalar)),
        values: Values::Any,
        ulps: 0,
    }
}

fn with(form: Form, values: Values) -> Form {
    Form { values, ..form }
}

/// Returns every operation with its forms.
fn table() -> Vec<(&'static str, Vec<Form>)> {
    let mut table = Vec::new();
    for (name, operands) in [
        ("addf", 2),
        ("subf", 2),
        ("mulf", 2),
        ("divf", 2),
        ("fma", 3),
        ("sqrt", 1),
    ] {
        let mut forms = Vec::new();
        for scalar in FLOATS {
            for rounding in ROUNDINGS {
                forms.push(same(
                    name,
                    operands,
                    scalar,
                    &format!(" rounding<{rounding}>"),
                ));
            }
        }
        for rounding in ROUNDINGS {
            let attributes = format!(" rounding<{rounding}> flush_to_zero");
            forms.push(same(name, operands, Scalar::F32, &attributes));
        }
        // Tolerances: CUDA C Programming Guide, "Mathematical Functions"; PTX ISA, `div` and `sqrt`.
        let inexact: &[&str] = match name {
            "divf" => &[
                "approx",
                "full",
                "approx> flush_to_zero",
                "full> flush_to_zero",
            ],
            "sqrt" => &["approx", "approx> flush_to_zero"],
            _ => &[],
        };
        for mode in inexact {
            let end = if mode.ends_with('o') && mode.contains('>') {
                ""
            } else {
                ">"
            };
            let form = same(
                name,
                operands,
                Scalar::F32,
                &format!(" rounding<{mode}{end}"),
            );
            forms.push(Form {
                ulps: APPROXIMATE_DIVISION,
                ..form
            });
        }
        table.push((name, forms));
    }
    for name in ["absf", "negf", "ceil", "floor"] {
        table.push((
            name,
            FLOATS.map(|scalar| same(name, 1, scalar, "")).to_vec(),
        ));
    }
    table.push((
        "remf",
        FLOATS.map(|scalar| same("remf", 2, scalar, "")).to_vec(),
    ));
    for name in ["maxf", "minf"] {
        let mut forms = Vec::new();
        for scalar in FLOATS {
            forms.push(same(name, 2, scalar, ""));
            forms.push(same(name, 2, scalar, " propagate_nan"));
        }
        forms.push(same(name, 2, Scalar::F32, " flush_to_zero"));
        forms.push(same(name, 2, Scalar::F32, " flush_to_zero propagate_nan"));
        table.push((name, forms));
    }
    functions(&mut table);
    comparisons(&mut table);
    integers(&mut table);
    conversions(&mut table);
    table
}

fn functions(table: &mut Vec<(&'static str, Vec<Form>)>) {
    for (name, operands, single, double) in ERRORS {
        let forms = FLOATS.map(|scalar| {
            let ulps = match scalar {
                Scalar::F64 => double,
                Scalar::F32 => single,
                _ => 1,
            };
            Form {
                ulps,
                ..same(name, operands, scalar, "")
            }
        });
        let mut forms = forms.to_vec();
        match name {
            "exp2" | "rsqrt" => {
                let form = same(name, 1, Scalar::F32, " flush_to_zero");
                forms.push(Form { ulps: 2, ..form });
            }
            "tanh" => {
                // The tolerance is 2^-11 of the result.
                let form = same(name, 1, Scalar::F32, " rounding<approx>");
                forms.push(Form {
                    ulps: APPROXIMATE_TANH,
                    ..form
                });
            }
            "exp" => {
                let form = same(name, 1, Scalar::F32, " rounding<approx>");
                forms.push(Form {
                    ulps: APPROXIMATE_EXP,
                    ..form
                });
            }
            _ => {}
        }
        table.push((name, forms));
    }
    let mut forms = Vec::new();
    for scalar in FLOATS {
        for exponent in [Scalar::I1, Scalar::I8, Scalar::I16, Scalar::I32] {
            forms.push(Form {
                operands: vec![scalar, exponent],
                result: scalar,
                text: format!("fpowi {{0}}, {{1}} : {}, {}", tile(scalar), tile(exponent)),
                values: Values::Exponent,
                ulps: error_of_power(scalar),
            });
        }
    }
    table.push(("fpowi", forms));
}

fn comparisons(table: &mut Vec<(&'static str, Vec<Form>)>) {
    const PREDICATES: [&str; 6] = [
        "equal",
        "not_equal",
        "less_than",
        "less_than_or_equal",
        "greater_than",
        "greater_than_or_equal",
    ];
    let mut floats = Vec::new();
    let mut integers = Vec::new();
    for predicate in PREDICATES {
        for (scalar, kind) in FLOATS
            .into_iter()
            .flat_map(|s| [(s, "ordered"), (s, "unordered")])
        {
            let result = tile(Scalar::I1);
            floats.push(Form {
                result: Scalar::I1,
                text: format!(
                    "cmpf {predicate} {kind} {{0}}, {{1}} : {} -> {result}",
                    tile(scalar)
                ),
                ..same("cmpf", 2, scalar, "")
            });
        }
        for (scalar, kind) in INTEGERS
            .into_iter()
            .flat_map(|s| [(s, "signed"), (s, "unsigned")])
        {
            let result = tile(Scalar::I1);
            integers.push(Form {
                result: Scalar::I1,
                text: format!(
                    "cmpi {predicate} {{0}}, {{1}}, {kind} : {} -> {result}",
                    tile(scalar)
                ),
                ..same("cmpi", 2, scalar, "")
            });
        }
    }
    table.push(("cmpf", floats));
    table.push(("cmpi", integers));
    let chosen = FLOATS
        .into_iter()
        .chain(INTEGERS)
        .chain([Scalar::F8E4M3FN, Scalar::F8E5M2]);
    let select = |scalar| Form {
        operands: vec![Scalar::I1, scalar, scalar],
        text: format!(
            "select {{0}}, {{1}}, {{2}} : {}, {}",
            tile(Scalar::I1),
            tile(scalar)
        ),
        ..same("select", 3, scalar, "")
    };
    table.push(("select", chosen.map(select).collect()));
}

fn integers(table: &mut Vec<(&'static str, Vec<Form>)>) {
    const OVERFLOWS: [&str; 3] = ["no_signed_wrap", "no_unsigned_wrap", "no_wrap"];
    for (name, operands) in [("addi", 2), ("subi", 2), ("muli", 2), ("negi", 1)] {
        let mut forms = Vec::new();
        for scalar in INTEGERS {
            forms.push(same(name, operands, scalar, ""));
            // Small non-negative numbers satisfy all no-wrap flags of `addi` and `muli`.
            let kept = OVERFLOWS
                .iter()
                .filter(|_| name == "addi" || name == "muli");
            for overflow in kept.filter(|_| scalar != Scalar::I1) {
                let form = same(name, operands, scalar, &format!(" overflow<{overflow}>"));
                forms.push(with(form, Values::Small));
            }
        }
        table.push((name, forms));
    }
    for name in ["andi", "ori", "xori", "mulhii"] {
        table.push((
            name,
            INTEGERS.map(|scalar| same(name, 2, scalar, "")).to_vec(),
        ));
    }
    table.push((
        "absi",
        INTEGERS.map(|scalar| same("absi", 1, scalar, "")).to_vec(),
    ));
    for name in ["maxi", "mini", "remi", "shri"] {
        let mut forms = Vec::new();
        for scalar in INTEGERS {
            for signedness in ["signed", "unsigned"] {
                let form = same(name, 2, scalar, &format!(" {signedness}"));
                let values = match name {
                    "remi" => Values::Divisor,
                    "shri" => Values::Distance,
                    _ => Values::Any,
                };
                forms.push(with(form, values));
            }
        }
        table.push((name, forms));
    }
    let shifts = INTEGERS.map(|scalar| with(same("shli", 2, scalar, ""), Values::Distance));
    table.push(("shli", shifts.to_vec()));
    let mut forms = Vec::new();
    for scalar in INTEGERS {
        for kind in [
            "unsigned",
            "unsigned rounding<positive_inf>",
            "signed",
            "signed rounding<negative_inf>",
            "signed rounding<positive_inf>",
        ] {
            let form = same("divi", 2, scalar, &format!(" {kind}"));
            forms.push(with(form, Values::Divisor));
        }
    }
    table.push(("divi", forms));
}

fn conversion(name: &str, from: Scalar, to: Scalar, attributes: &str) -> Form {
    Form {
        operands: vec![from],
        result: to,
        text: format!("{name} {{0}}{attributes} : {} -> {}", tile(from), tile(to)),
        values: Values::Any,
        ulps: 0,
    }
}

fn conversions(table: &mut Vec<(&'static str, Vec<Form>)>) {
    let floats: Vec<Scalar> = Scalar::ALL
        .into_iter()
        .filter(|scalar| scalar.is_float())
        .collect();
    let all_integers = [Scalar::I4].into_iter().chain(INTEGERS);
    let (mut ftof, mut bitcast) = (Vec::new(), Vec::new());
    for &from in &floats {
        for &to in floats.iter().filter(|&&to| to != from) {
            for mode in ftof_modes(from, to) {
                let rounding = format!(" rounding<{}>", mode.name());
                ftof.push(conversion("ftof", from, to, &rounding));
            }
        }
    }
    let numbers: Vec<Scalar> = floats.iter().copied().chain(INTEGERS).collect();
    for &from in &numbers {
        for &to in numbers
            .iter()
            .filter(|&&to| to != from && to.bits() == from.bits())
        {
            bitcast.push(conversion("bitcast", from, to, ""));
        }
    }
    table.push(("ftof", ftof));
    table.push(("bitcast", bitcast));
    let (mut ftoi, mut itof) = (Vec::new(), Vec::new());
    for &float in &floats {
        for integer in INTEGERS {
            for (signedness, signed) in [("signed", true), ("unsigned", false)] {
                let form = conversion("ftoi", float, integer, &format!(" {signedness}"));
                let values = Values::In {
                    target: integer,
                    signed,
                };
                ftoi.push(with(form, values));
                let attributes = format!(" {signedness} saturating");
                ftoi.push(conversion("ftoi", float, integer, &attributes));
                if float != Scalar::F8E8M0FNU {
                    itof.push(conversion(
                        "itof",
                        integer,
                        float,
                        &format!(" {signedness}"),
                    ));
                }
            }
        }
    }
    table.push(("ftoi", ftoi));
    table.push(("itof", itof));
    let (mut exti, mut trunci) = (Vec::new(), Vec::new());
    let integers: Vec<Scalar> = all_integers.collect();
    for &from in &integers {
        for &to in &integers {
            if from.bits() < to.bits() {
                exti.push(conversion("exti", from, to, " signed"));
                exti.push(conversion("exti", from, to, " unsigned"));
                trunci.push(conversion("trunci", to, from, ""));
            }
        }
    }
    table.push(("exti", exti));
    table.push(("trunci", trunci));
}

/// Returns the type that stores elements of `scalar` in memory, and the operations that convert from and to
/// the memory type.
pub(crate) fn stored(scalar: Scalar) -> Option<(Scalar, &'static str, &'static str)> {
    match scalar {
        Scalar::I1 | Scalar::I4 => Some((Scalar::I8, "trunci {} :", "exti {} unsigned :")),
        Scalar::F4E2M1FN => Some((Scalar::F32, "ftof {} :", "ftof {} :")),
        _ => None,
    }
}

/// Returns the kernel of some forms, with its arguments.
fn kernel(forms: &[Form]) -> Result<Runnable, String> {
    let (mut params, mut body, mut args) = (Vec::new(), String::new(), Vec::new());
    let mut random = Random::new(7);
    for (number, form) in forms.iter().enumerate() {
        let mut text = form.text.clone();
        let columns = values(form, &mut random);
        for (index, (&scalar, bits)) in form.operands.iter().zip(columns).enumerate() {
            let memory = stored(scalar).map_or(scalar, |(memory, _, _)| memory);
            let name = format!("a{number}_{index}");
            params.push(format!("%{name}: tile<ptr<{memory}>>"));
            args.push(Argument::Buffer(bytes(scalar, memory, &bits)));
            body += &view(&name, memory);
            let _ = writeln!(
                body,
                "    %l{name}, %t{name} = load_view_tko weak %p{name}[%zero] : {}, tile<i32> -> {}, token",
                view_type(memory),
                tile(memory)
            );
            let mut value = format!("%l{name}");
            if let Some((_, load, _)) = stored(scalar) {
                let load = load.replace("{}", &value);
                let _ = writeln!(
                    body,
                    "    %v{name} = {load} {} -> {}",
                    tile(memory),
                    tile(scalar)
                );
                value = format!("%v{name}");
            }
            text = text.replace(&format!("{{{index}}}"), &value);
        }
        let _ = writeln!(body, "    %r{number} = {text}");
        let mut value = format!("%r{number}");
        let memory = stored(form.result).map_or(form.result, |(memory, _, _)| memory);
        if let Some((_, _, store)) = stored(form.result) {
            let store = store.replace("{}", &value);
            let _ = writeln!(
                body,
                "    %s{number} = {store} {} -> {}",
                tile(form.result),
                tile(memory)
            );
            value = format!("%s{number}");
        }
        let name = format!("o{number}");
        params.push(format!("%{name}: tile<ptr<{memory}>>"));
        args.push(Argument::Buffer(vec![0xa5; COUNT * memory.bytes()]));
        body += &view(&name, memory);
        let _ = writeln!(
            body,
            "    %t{name} = store_view_tko weak {value}, %p{name}[%zero] : {}, {}, tile<i32> -> token",
            tile(memory),
            view_type(memory)
        );
    }
    let params = params.join(", ");
    let source = format!(
        "cuda_tile.module @kernels {{\n  entry @elements({params}) {{\n    %zero = constant <i32: 0> : tile<i32>\n{body}    return\n  }}\n}}\n"
    );
    let module = support::module(&source, "elements")?;
    verified(&module)?;
    Ok(Runnable {
        module,
        grid: [1; 3],
        args,
    })
}

fn tensor_type(scalar: Scalar) -> String {
    format!("tensor_view<{COUNT}x{scalar}, strides=[1]>")
}

fn view_type(scalar: Scalar) -> String {
    format!("partition_view<tile=({COUNT}), {}>", tensor_type(scalar))
}

fn view(name: &str, scalar: Scalar) -> String {
    format!(
        "    %w{name} = make_tensor_view %{name}, shape = [{COUNT}], strides = [1] : {}\n    %p{name} = make_partition_view %w{name} : {}\n",
        tensor_type(scalar),
        view_type(scalar)
    )
}

/// Encodes elements as they are stored in memory.
pub(crate) fn bytes(scalar: Scalar, memory: Scalar, elements: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &bits in elements {
        let bits = if scalar == Scalar::F4E2M1FN {
            encode_float(memory, decode_float(scalar, bits))
        } else if scalar == Scalar::TF32 {
            // The low bits of a tf32 are not read.
            bits << 13
        } else {
            bits
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..memory.bytes()]);
    }
    bytes
}

/// Draws the elements of every operand.
fn values(form: &Form, random: &mut Random<'_>) -> Vec<Vec<u64>> {
    let mut columns = vec![Vec::new(); form.operands.len()];
    for index in 0..COUNT {
        let mut row: Vec<u64> = form
            .operands
            .iter()
            .enumerate()
            .map(|(operand, &scalar)| element(scalar, index + operand * 37, random))
            .collect();
        let first = form.operands[0];
        let mask = |scalar: Scalar| u64::MAX >> (64 - scalar.bits());
        let last = row.len() - 1;
        match form.values {
            Values::Any => {}
            Values::Divisor => {
                if row[last] == 0 {
                    row[last] = 1;
                }
                let least = 1 << (first.bits() - 1);
                if row[0] == least && row[last] == mask(first) && first != Scalar::I1 {
                    row[0] = 0;
                }
                if first == Scalar::I1 {
                    row[0] = 0;
                }
            }
            Values::Distance => row[last] %= u64::from(first.bits()),
            Values::Small => {
                for bits in &mut row {
                    *bits &= mask(first) >> (first.bits() / 2 + 1);
                }
            }
            Values::In { target, signed } => row[0] = within(first, row[0], target, signed),
            Values::Exponent => {
                let exponent = form.operands[1];
                let small = random.below(33) as u64;
                row[1] = small.wrapping_sub(16) & mask(exponent);
            }
        }
        for (column, bits) in columns.iter_mut().zip(row) {
            column.push(bits);
        }
    }
    columns
}

/// Returns a float whose integer part is a number of `target`.
fn within(scalar: Scalar, bits: u64, target: Scalar, signed: bool) -> u64 {
    let value = decode_float(scalar, bits);
    let width = i32::try_from(target.bits()).expect("small");
    let (low, high) = if signed {
        (-f64::from(width - 1).exp2(), f64::from(width - 1).exp2())
    } else {
        (0.0, f64::from(width).exp2())
    };
    if value.trunc() >= low && value.trunc() < high {
        bits
    } else {
        encode_float(
            scalar,
            if scalar == Scalar::F8E8M0FNU {
                0.5
            } else {
                0.0
            },
        )
    }
}

/// Draws a special value, a neighbour of one, or a random pattern.
fn element(scalar: Scalar, index: usize, random: &mut Random<'_>) -> u64 {
    let mask = u64::MAX >> (64 - scalar.bits());
    let specials: Vec<u64> = if scalar.is_float() {
        [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1.5,
            2.5,
            -2.5,
            3.0,
            100.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            1e-40,
            -1e-40,
            1e-310,
            65504.0,
            6e-8,
            3.4e38,
            -128.0,
            127.5,
            255.0,
            0.1,
            -7.3,
        ]
        .map(|value| encode_float(scalar, value))
        .to_vec()
    } else {
        let least = 1u64 << (scalar.bits() - 1);
        [
            0,
            1,
            2,
            3,
            7,
            mask,
            mask - 1,
            least,
            least - 1,
            least + 1,
            10,
            100,
        ]
        .map(|bits| bits & mask)
        .to_vec()
    };
    let special = specials[index % specials.len()];
    match index / specials.len() {
        0 => special,
        1 => special.wrapping_add(1) & mask,
        2 => special.wrapping_sub(1) & mask,
        _ if scalar.is_float() && random.one_in(2) => {
            #[expect(clippy::cast_precision_loss, reason = "a number of a test")]
            let value = (random.below(2_000_001) as f64 - 1e6) / 1e5;
            encode_float(scalar, value)
        }
        _ => random.bits() & mask,
    }
}

/// Returns one test per operation and architecture.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (name, forms) in table() {
        for arch in ARCHS {
            let forms = forms.clone();
            let name = format!("elements/{name}::{arch}");
            trials.push(trial(name, move || run(&forms, arch)));
        }
    }
    trials
}

fn run(forms: &[Form], arch: Arch) -> Result<(), String> {
    let wrong: Vec<String> = forms
        .chunks(32)
        .flat_map(|forms| match check(forms, arch) {
            Ok(()) => Vec::new(),
            // Selects the forms of the operation.
            Err(_) => forms
                .iter()
                .filter_map(|form| {
                    let what = check(std::slice::from_ref(form), arch).err()?;
                    Some(format!("{}: {what}", form.text))
                })
                .collect(),
        })
        .collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n"))
    }
}

fn check(forms: &[Form], arch: Arch) -> Result<(), String> {
    let runnable = kernel(forms)?;
    let artifact = compile(&runnable.module, arch, None)?;
    let ulps = forms.iter().flat_map(|form| {
        let exact = form.operands.iter().map(|_| 0);
        exact.chain([form.ulps])
    });
    Expected::new(&runnable, 0.0)
        .within(ulps.collect())
        .check(&artifact, &runnable)
        .map(drop)
}
