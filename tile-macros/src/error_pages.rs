//! The pages of the codes that kernels in Rust can cause: `docs/errors/*.md`.
//!
//! Each failing example has the code of its page and no other, the page shows what the macro says about it,
//! and the fixed example compiles as far as GPU IR. `TILE_BLESS=1` rewrites what the macro says.

use crate::expand::{Backend, Job, Source, expand};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use tile_backend::stages::lower_for;
use tile_backend::target::Arch;
use tile_backend::timing::Times;
use tile_core::canonicalize::canonicalize;
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Reported};

const FAILING: &str = "\n## Failing example\n\n```rust\n";
const FIXED: &str = "\n## Fixed example\n\n```rust\n";
const SAYS: &str = "```\n\n```text\n";

/// Ends after the GPU IR.
#[derive(Default)]
pub(crate) struct StopAtGpuIr(Times);

impl Backend for StopAtGpuIr {
    type Artifact = ();

    fn clock(&mut self) -> &mut Times {
        &mut self.0
    }

    fn compile(&mut self, job: Job<'_>, diagnostics: &mut Diagnostics) -> Result<(), Reported> {
        let verified = verify(job.module, diagnostics)?;
        let flat = flatten(verified, &FlattenOptions::default(), diagnostics)?;
        let canonical = canonicalize(flat.module);
        if job.targets.is_cpu_only() {
            return Ok(());
        }
        lower_for(
            canonical.module(),
            Arch::SM_80,
            job.targets.kernel_options,
            diagnostics,
        )?;
        Ok(())
    }
}

/// The tokens between the parentheses of the attribute, and the function without it.
fn kernel(source: &str) -> (TokenStream, TokenStream) {
    let file: syn::File = syn::parse_str(source).expect("an example is Rust");
    let is_kernel = |attr: &syn::Attribute| attr.path().is_ident("tile_kernel");
    let mut function = file
        .items
        .into_iter()
        .find_map(|item| match item {
            syn::Item::Fn(function) => function.attrs.iter().any(is_kernel).then_some(function),
            _ => None,
        })
        .expect("an example has a kernel");
    let index = function
        .attrs
        .iter()
        .position(is_kernel)
        .expect("an example has the attribute");
    let options = match function.attrs.remove(index).meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    (options, function.into_token_stream())
}

fn errors(source: &str) -> Vec<syn::Error> {
    let (options, function) = kernel(source);
    let source = Source::from_kernel(options, function);
    match expand(source, &mut StopAtGpuIr::default()) {
        Ok(_) | Err(None) => Vec::new(),
        Err(Some(error)) => error.into_iter().collect(),
    }
}

/// An error as rustc shows it.
fn shown(error: &syn::Error, source: &str) -> String {
    let mut text = String::new();
    for (index, line) in error.to_string().lines().enumerate() {
        let lead = if index == 0 { "error: " } else { "       " };
        let _ = writeln!(text, "{lead}{line}");
    }
    let (start, end) = (error.span().start(), error.span().end());
    let line = source.lines().nth(start.line - 1).unwrap_or_default();
    let number = start.line.to_string();
    let margin = " ".repeat(number.len());
    let width = if end.line == start.line {
        end.column - start.column
    } else {
        line.chars().count() - start.column
    };
    let _ = writeln!(text, "{margin} |\n{number} | {line}");
    let _ = writeln!(
        text,
        "{margin} | {}{}",
        " ".repeat(start.column),
        "^".repeat(width)
    );
    text
}

/// The text between `before` and the next line of three backquotes.
fn block<'p>(page: &'p str, before: &str) -> Option<&'p str> {
    let (_, rest) = page.split_once(before)?;
    let end = if rest.starts_with("```") {
        0
    } else {
        rest.find("\n```")? + 1
    };
    Some(&rest[..end])
}

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors");
    let entries = fs::read_dir(folder).expect("the folder of pages exists");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    paths
}

#[test]
fn failing_examples_have_the_code_of_their_page_and_fixed_ones_none() {
    let mut checked = 0;
    let mut wrong = String::new();
    for path in pages() {
        let code = path
            .file_stem()
            .expect("a page has a name")
            .to_string_lossy()
            .into_owned();
        let page = fs::read_to_string(&path).expect("a readable page");
        let Some(failing) = block(&page, FAILING) else {
            continue;
        };
        checked += 1;
        let actual = errors(failing);
        if actual.is_empty() {
            let _ = writeln!(wrong, "{code}: the failing example compiles");
        }
        for error in &actual {
            if !error.to_string().starts_with(&format!("[{code}] ")) {
                let _ = writeln!(wrong, "{code}: the failing example also has: {error}");
            }
        }
        let says: Vec<String> = actual.iter().map(|error| shown(error, failing)).collect();
        let says = says.join("\n");
        let stated = block(&page, SAYS).unwrap_or_default();
        if stated != says && std::env::var_os("TILE_BLESS").is_some() {
            let page = page.replacen(&format!("{SAYS}{stated}"), &format!("{SAYS}{says}"), 1);
            fs::write(&path, page).expect("a page can be written");
        } else if stated != says {
            let _ = writeln!(
                wrong,
                "{code}: the page does not show what the macro says:\n{says}"
            );
        }
        let Some(fixed) = block(&page, FIXED) else {
            let _ = writeln!(wrong, "{code}: there is no fixed example");
            continue;
        };
        for error in errors(fixed) {
            let _ = writeln!(wrong, "{code}: the fixed example fails: {error}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(
        checked >= 15,
        "only {checked} pages have an example in Rust"
    );
}

#[test]
fn what_differs_from_rust_fails_with_the_code_that_the_page_says() {
    const FENCE: &str = "\n```rust,compile_fail\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/differences.md");
    let page = fs::read_to_string(path).expect("a readable page");
    let mut wrong = String::new();
    let mut checked = 0;
    for example in page.split(FENCE).skip(1) {
        let (example, _) = example.split_once("\n```").expect("a block has an end");
        let code = example
            .strip_prefix("// ")
            .and_then(|rest| rest.split(':').next())
            .expect("the first line names the code");
        let actual = errors(example);
        let agrees = |error: &syn::Error| error.to_string().starts_with(&format!("[{code}] "));
        if actual.is_empty() || !actual.iter().all(agrees) {
            let _ = writeln!(wrong, "{example}\nsays: {actual:?}\n");
        }
        checked += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(checked >= 13, "only {checked} differences have an example");
}
