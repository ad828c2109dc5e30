//! Parses and runs test files.

use std::fs;
use std::path::Path;

use tile_backend::target::{Arch, Feature};
use tile_core::interp::encode_float;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;
use tile_core::{Diagnostics, text};

use super::compare::Expected;
use super::input::{Input, Values};
use super::machine::{
    compile, compile_as_chosen, compile_with_maps, parameters, parsed, several_warps, simulate,
    verified,
};

/// The parsed head of a file.
#[derive(Default)]
struct Head {
    grid: [u32; 3],
    args: Vec<(Scalar, Argument)>,
    warps: Option<u32>,
    tolerance: f64,
    only: Option<Vec<Arch>>,
    /// Texts that the PTX must contain, on one architecture or on all.
    has: Vec<(Option<Arch>, String)>,
    /// Texts, each with its number of occurrences in the PTX.
    counts: Vec<(usize, String)>,
    /// Maximum number of bank conflicts.
    conflicts: Option<u64>,
    /// Number of stores to global memory per warp.
    stores: Option<u64>,
    /// Number of tensor maps, if the host passes them.
    maps: Option<usize>,
    /// Texts that the PTX must contain if the host passes tensor maps.
    has_with_maps: Vec<String>,
    /// Texts that error messages must contain, with the architecture on which they are expected.
    errors: Vec<(Arch, String)>,
}

/// The values of `small`.
const SMALL: Values = Values::Whole {
    first: -4,
    count: 9,
    scale: 1.0,
};

/// Folders of files that must have no bank conflicts, unless a file sets another maximum.
const PRODUCTS: [&str; 2] = ["mma", "matmul"];

fn scalar(name: &str) -> Result<Scalar, String> {
    let actual = Scalar::ALL.iter().find(|scalar| scalar.name() == name);
    actual
        .copied()
        .ok_or_else(|| format!("no element type `{name}`"))
}

fn number(scalar: Scalar, text: &str) -> Result<u64, String> {
    if scalar.is_float() {
        let value: f64 = text.parse().map_err(|_| format!("no number `{text}`"))?;
        return Ok(encode_float(scalar, value));
    }
    let value: i128 = text.parse().map_err(|_| format!("no number `{text}`"))?;
    let bits = scalar.bits();
    #[expect(
        clippy::cast_sign_loss,
        clippy::cast_possible_truncation,
        reason = "cut to its width"
    )]
    Ok((value as u128 & (u128::MAX >> (128 - bits))) as u64)
}

/// Returns the distribution that a buffer's kind, such as `random`, names for a type.
fn values(scalar: Scalar, kind: &str) -> Result<Values, String> {
    Ok(match kind {
        "zeros" => Values::Fill(0),
        "ones" => Values::Whole {
            first: 1,
            count: 1,
            scale: 1.0,
        },
        "iota" => Values::Iota,
        "small" => SMALL,
        "random" if scalar.is_float() => Values::Sizes,
        "random" => Values::Bits,
        "random01" => Values::Unit,
        other => return Err(format!("no buffer is `{other}`")),
    })
}

/// Draws a buffer of `count` elements.
fn buffer(
    scalar: Scalar,
    count: usize,
    kind: &str,
    random: &mut Random<'_>,
) -> Result<Vec<u8>, String> {
    let input = Input {
        scalar,
        count,
        values: values(scalar, kind)?,
        state: 0,
    };
    Ok(input.drawn(random))
}

fn argument(text: &str, random: &mut Random<'_>) -> Result<(Scalar, Argument), String> {
    if let Some((ty, value)) = text.split_once(" = ") {
        let scalar = scalar(ty.trim())?;
        return Ok((scalar, Argument::Number(number(scalar, value.trim())?)));
    }
    let parts = text.split_once(']').and_then(|(ty, kind)| {
        let (element, count) = ty.split_once('[')?;
        Some((element, count, kind.trim()))
    });
    let (element, count, kind) = parts.ok_or_else(|| format!("no argument is `{text}`"))?;
    let (scalar, count) = (
        scalar(element)?,
        count.parse().map_err(|_| format!("no count `{count}`"))?,
    );
    Ok((
        scalar,
        Argument::Buffer(buffer(scalar, count, kind, random)?),
    ))
}

fn arch(name: &str) -> Result<Arch, String> {
    name.parse()
        .map_err(|_| format!("no architecture `{name}`"))
}

fn head(text: &str) -> Result<Head, String> {
    let mut head = Head {
        grid: [1; 3],
        ..Head::default()
    };
    let mut random = Random::new(1);
    let mut lines = text.lines();
    if lines.next() != Some("// test: run") {
        return Err("the first line is not `// test: run`".to_owned());
    }
    for line in lines {
        let Some((key, value)) = line
            .strip_prefix("// ")
            .and_then(|line| line.split_once(": "))
        else {
            continue;
        };
        match key {
            "grid" => {
                for (extent, word) in head.grid.iter_mut().zip(value.split_whitespace()) {
                    *extent = word.parse().map_err(|_| format!("no extent `{word}`"))?;
                }
            }
            "arg" => head.args.push(argument(value, &mut random)?),
            "warps" => {
                head.warps = Some(value.parse().map_err(|_| format!("no number `{value}`"))?);
            }
            "tolerance" => {
                head.tolerance = value.parse().map_err(|_| format!("no number `{value}`"))?;
            }
            "has" => head.has.push((None, value.to_owned())),
            "count" => {
                let parts = value.split_once(' ').and_then(|(count, text)| {
                    let count = count.parse().ok()?;
                    Some((count, text.to_owned()))
                });
                head.counts
                    .push(parts.ok_or_else(|| format!("no count and text `{value}`"))?);
            }
            "conflicts" => {
                head.conflicts = Some(value.parse().map_err(|_| format!("no number `{value}`"))?);
            }
            "stores" => {
                head.stores = Some(value.parse().map_err(|_| format!("no number `{value}`"))?);
            }
            "maps" => {
                head.maps = Some(value.parse().map_err(|_| format!("no number `{value}`"))?);
            }
            "has with maps" => head.has_with_maps.push(value.to_owned()),
            "only" => {
                head.only = Some(
                    value
                        .split_whitespace()
                        .map(arch)
                        .collect::<Result<_, _>>()?,
                );
            }
            _ => {
                if let Some(names) = key.strip_prefix("has ") {
                    for name in names.split_whitespace() {
                        head.has.push((Some(arch(name)?), value.to_owned()));
                    }
                }
                if let Some(name) = key.strip_prefix("error ") {
                    head.errors.push((arch(name)?, value.to_owned()));
                }
            }
        }
    }
    Ok(head)
}

/// A file with its parsed head.
struct File {
    head: Head,
    runnable: Runnable,
}

fn read(path: &Path) -> Result<File, String> {
    let source = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut head = head(&source)?;
    // Operands limit the speed of matmuls, so bank conflicts are not accepted there.
    if let Some(folder) = path.parent()
        && PRODUCTS.iter().any(|products| folder.ends_with(products))
    {
        head.conflicts.get_or_insert(0);
    }
    let mut diagnostics = Diagnostics::new();
    let name = path.display().to_string();
    let module = text::parse(&source, &name, &mut diagnostics)
        .map_err(|_| format!("{:#?}", diagnostics.take()))?;
    verified(&module)?;
    let given: Vec<(Scalar, bool)> = head
        .args
        .iter()
        .map(|(scalar, arg)| (*scalar, matches!(arg, Argument::Buffer(_))))
        .collect();
    let taken = parameters(&module);
    if given != taken {
        return Err(format!(
            "the entry takes {taken:?}, the file gives {given:?}"
        ));
    }
    let runnable = Runnable {
        module,
        grid: head.grid,
        args: std::mem::take(&mut head.args)
            .into_iter()
            .map(|(_, arg)| arg)
            .collect(),
    };
    Ok(File { head, runnable })
}

/// Returns the launch of a file, its warps, and its tolerance of floats.
pub(crate) fn runnable(path: &Path) -> Result<(Runnable, Option<u32>, f64), String> {
    let File { head, runnable } = read(path)?;
    Ok((runnable, head.warps, head.tolerance))
}

/// Returns the launch of a file, its warps, and the expected result.
pub(crate) fn expected(path: &Path) -> Result<(Runnable, Option<u32>, Expected), String> {
    let File { head, runnable } = read(path)?;
    let expected = Expected::new(&runnable, head.tolerance);
    Ok((runnable, head.warps, expected))
}

/// Runs a file again with tensor maps, if it uses any.
fn with_maps(
    head: &Head,
    runnable: &Runnable,
    arch: Arch,
    expected: &Expected,
) -> Result<(), String> {
    if !arch.has(Feature::Tma) {
        return Ok(());
    }
    let artifact = compile_with_maps(&runnable.module, arch, head.warps)?;
    let actual = artifact.manifest.launches[0].maps.len();
    if head.maps.is_some_and(|maps| maps != actual) {
        let (_, ptx) = &artifact.ptx[0];
        return Err(format!("it takes {actual} tensor maps; its code is\n{ptx}"));
    }
    let (_, ptx) = &artifact.ptx[0];
    if let Some(text) = head.has_with_maps.iter().find(|text| !ptx.contains(*text)) {
        return Err(format!("with tensor maps there is no `{text}` in\n{ptx}"));
    }
    if actual > 0 {
        expected
            .check(&artifact, runnable)
            .map_err(|fault| format!("with tensor maps: {fault}"))?;
    }
    Ok(())
}

/// Runs one file on one architecture.
pub(crate) fn run(path: &Path, arch: Arch) -> Result<(), String> {
    let File { head, runnable } = read(path)?;
    if head.only.as_ref().is_some_and(|only| !only.contains(&arch)) {
        return Ok(());
    }
    let artifact = compile(&runnable.module, arch, head.warps);
    let refusal = head.errors.iter().find(|(on, _)| *on == arch);
    match (artifact, refusal) {
        (Ok(artifact), None) => {
            let (_, ptx) = &artifact.ptx[0];
            let wanted = head
                .has
                .iter()
                .filter(|(on, _)| on.is_none_or(|on| on == arch));
            let mut missing = wanted
                .map(|(_, text)| text)
                .filter(|text| !ptx.contains(*text));
            if let Some(missing) = missing.next() {
                return Err(format!("there is no `{missing}` in\n{ptx}"));
            }
            for (count, text) in &head.counts {
                let actual = ptx.matches(text.as_str()).count();
                if actual != *count {
                    return Err(format!("{actual} of `{text}`, not {count}, in\n{ptx}"));
                }
            }
            let expected = Expected::new(&runnable, head.tolerance);
            let conflicts = expected.check(&artifact, &runnable)?;
            if head.warps.is_none() && several_warps(&runnable.module, arch)?.is_some() {
                let alone = compile_as_chosen(&runnable.module, arch)?;
                expected.check(&alone, &runnable)?;
            }
            if let Some(stores) = head.stores {
                let actual = simulate(&artifact, &parsed(&artifact), &runnable, 0);
                let actual = actual.counters.ok_or("it did not end")?.global.stores;
                if actual.requests != stores {
                    return Err(format!("not {stores} stores: {actual:?}"));
                }
            }
            with_maps(&head, &runnable, arch, &expected)?;
            match head.conflicts {
                Some(most) if conflicts > most => Err(format!("{conflicts} bank conflicts")),
                _ => Ok(()),
            }
        }
        (Err(actual), None) => Err(format!("it does not compile: {actual}")),
        (Ok(_), Some((_, expected))) => Err(format!("it compiles, instead of `{expected}`")),
        (Err(actual), Some((_, expected))) if actual.contains(expected) => Ok(()),
        (Err(actual), Some((_, expected))) => Err(format!("`{actual}` instead of `{expected}`")),
    }
}
