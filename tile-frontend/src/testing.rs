//! Helpers for the tests of this crate: kernels from text, and diagnostics and IR as text.

use crate::build::Variant;
use crate::collect::bundle::{Health, Unit};
use crate::collect::members::Members;
use crate::collect::task::Kind;
use crate::expand::{Backend, ExpandError, Expansion, Job, Source, stages};
use crate::hir::claims::Claimed;
use crate::report::SpanTable;
use proc_macro2::TokenStream;
use quote::quote;
use std::fmt::Write;
use tile_backend::session::Times;
use tile_core::Diagnostics;
use tile_core::Reported;
use tile_core::diag::Diagnostic;
use tile_core::ir::{BlockId, Module, OpId, ValueId};

/// A backend that stops after the IR: the artifact is the module.
#[derive(Default)]
struct StopAtIr {
    times: Times,
    /// The claims of the last instance that a launch checks.
    claims: Vec<Claimed>,
}

impl Backend for StopAtIr {
    type Artifact = Module;

    fn clock(&mut self) -> &mut Times {
        &mut self.times
    }

    fn compile(&mut self, job: Job<'_>, _: &mut Diagnostics) -> Result<Module, Reported> {
        self.claims.clone_from(&job.kernel.claims);
        Ok(job.module)
    }
}

/// Runs the front end; `Err` contains the diagnostics as text.
pub(crate) fn front(attribute: &str, item: &str) -> Result<Expansion<Module>, Vec<String>> {
    let attribute = attribute.parse().expect("the test's attribute is tokens");
    let item: TokenStream = item.parse().expect("the test's item is tokens");
    front_tokens(attribute, &item)
}

/// Runs [`front`] and also returns the claims that a launch checks.
pub(crate) fn front_and_claims(
    attribute: &str,
    item: &str,
) -> Result<(Expansion<Module>, Vec<Claimed>), Vec<String>> {
    let attribute = attribute.parse().expect("the test's attribute is tokens");
    let item: TokenStream = item.parse().expect("the test's item is tokens");
    let source = Source::from_kernel(attribute, unused(&item));
    let mut backend = StopAtIr::default();
    let mut spans = SpanTable::default();
    let mut expansions = run_with(&mut backend, source, &mut spans, &mut Diagnostics::new())?;
    let expansion = expansions.pop().expect("one kernel went in");
    Ok((expansion, backend.claims))
}

/// Returns the diagnostics of a kernel as written, with errors for unused names.
pub(crate) fn errors_as_written(attribute: &str, item: &str) -> String {
    let attribute = attribute.parse().expect("the test's attribute is tokens");
    let item = item.parse().expect("the test's item is tokens");
    match front_of(Source::from_kernel(attribute, item)) {
        Ok(_) => "no diagnostics\n".to_owned(),
        Err(list) => list.concat(),
    }
}

/// Runs [`front`] on tokens that text cannot express.
pub(crate) fn front_tokens(
    attribute: TokenStream,
    item: &TokenStream,
) -> Result<Expansion<Module>, Vec<String>> {
    front_of(Source::from_kernel(attribute, unused(item)))
}

/// Allows unused names, since the kernels of most tests do not use all parameters.
fn unused(item: &TokenStream) -> TokenStream {
    quote!(#[allow(unused)] #item)
}

fn front_of(source: Source) -> Result<Expansion<Module>, Vec<String>> {
    let mut spans = SpanTable::default();
    let mut diagnostics = Diagnostics::new();
    let mut expansions = run(source, &mut spans, &mut diagnostics)?;
    Ok(expansions.pop().expect("one kernel went in"))
}

/// Runs the front end on the items of a `#[tile_kernel] mod`.
pub(crate) fn module(items: &str) -> Result<Vec<Expansion<Module>>, Vec<String>> {
    let file = syn::parse_file(items).expect("the test's items are Rust");
    let members = Members::new(file.items);
    if let Err(error) = members.check(Kind::Kernel) {
        return Err(error
            .into_iter()
            .map(|error| format!("{error}\n"))
            .collect());
    }
    let kernels = members.kernels().into_iter();
    let source = Source {
        kernels: kernels
            .map(|(attribute, item)| (attribute, unused(&item)))
            .collect(),
        units: vec![Unit {
            id: String::new(),
            health: Health::Sound,
            items: members.unit_tokens(),
            links: Vec::new(),
        }],
        root: None,
    };
    let mut spans = SpanTable::default();
    let mut diagnostics = Diagnostics::new();
    run(source, &mut spans, &mut diagnostics)
}

/// Returns the diagnostics of a module that must not compile.
pub(crate) fn module_errors(items: &str) -> String {
    match module(items) {
        Ok(_) => "no diagnostics\n".to_owned(),
        Err(list) => list.concat(),
    }
}

fn run(
    source: Source,
    spans: &mut SpanTable,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Expansion<Module>>, Vec<String>> {
    run_with(&mut StopAtIr::default(), source, spans, diagnostics)
}

fn run_with(
    backend: &mut StopAtIr,
    source: Source,
    spans: &mut SpanTable,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Expansion<Module>>, Vec<String>> {
    match stages(source, backend, spans, diagnostics) {
        Ok(expansions) => Ok(expansions),
        Err(ExpandError::Syntax(error)) => Err(vec![error.to_string()]),
        Err(ExpandError::Elsewhere) => Err(Vec::new()),
        Err(ExpandError::Reported) => Err(diagnostics
            .take()
            .iter()
            .map(|diagnostic| render(diagnostic, spans))
            .collect()),
    }
}

fn render(diagnostic: &Diagnostic, spans: &SpanTable) -> String {
    let mut text = format!(
        "{} at `{}`: {}\n",
        diagnostic.code.as_str(),
        spans.text(diagnostic.primary.loc),
        diagnostic.message
    );
    for label in &diagnostic.labels {
        let _ = writeln!(text, "  `{}`: {}", spans.text(label.loc), label.text);
    }
    for note in &diagnostic.notes {
        let _ = writeln!(text, "  note: {note}");
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(text, "  help: {help}");
    }
    text
}

/// Returns the diagnostics of a kernel that must not compile.
pub(crate) fn errors(attribute: &str, item: &str) -> String {
    match front(attribute, item) {
        Ok(_) => "no diagnostics\n".to_owned(),
        Err(list) => list.concat(),
    }
}

/// Returns the diagnostics of a kernel with this body and the usual parameters.
pub(crate) fn body_errors(body: &str) -> String {
    errors("", &usual(body))
}

fn usual(body: &str) -> String {
    format!(
        "fn k(a: &Tensor<f32, 1>, m: &Tensor<f32, 2>, ids: &Tensor<i32, 1>, c: &mut Tensor<f32, 1>, d: &mut Tensor<f32, 2>, n: i32, u: u32, x: f32, flag: bool) {{ {body} }}"
    )
}

/// Returns the IR of a kernel's only instance.
pub(crate) fn ir(attribute: &str, item: &str, variant: Variant) -> String {
    match front(attribute, item) {
        Ok(expansion) => {
            let (_, module) = &expansion.artifacts[0][variant as usize];
            print(module)
        }
        Err(list) => list.concat(),
    }
}

/// Returns the IR of a kernel with this body and the usual parameters, without the prologue.
pub(crate) fn body_ir(body: &str) -> String {
    let text = ir("", &usual(body), Variant::Fast);
    let mut lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().rposition(|line| {
        [
            "make_tensor_view",
            "make_partition_view",
            "get_tile_block_id",
        ]
        .iter()
        .any(|op| line.contains(op))
    });
    if let Some(first) = first {
        lines.drain(..=first);
    }
    lines.join("\n") + "\n"
}

/// Prints a plain listing: results, mnemonic, operands, attributes, types.
pub(crate) fn print(module: &Module) -> String {
    let mut text = String::new();
    block(module, module.body(), 0, &mut text);
    text
}

fn names(values: &[ValueId]) -> String {
    let names: Vec<String> = values
        .iter()
        .map(|value| format!("%{}", value.index()))
        .collect();
    names.join(", ")
}

fn block(module: &Module, id: BlockId, depth: usize, text: &mut String) {
    for &op in &module.block(id).ops {
        print_op(module, op, depth, text);
    }
}

fn print_op(module: &Module, id: OpId, depth: usize, text: &mut String) {
    let op = module.op(id);
    let def = op.def();
    text.push_str(&"  ".repeat(depth));
    if !op.results.is_empty() {
        let _ = write!(text, "{} = ", names(&op.results));
    }
    text.push_str(def.mnemonic);
    if !op.operands.is_empty() {
        let _ = write!(text, " {}", names(&op.operands));
    }
    for (slot, attr) in def.attrs.iter().zip(&op.attrs) {
        let plain = [
            "overflow",
            "rounding_mode",
            "rounding",
            "memory_ordering_semantics",
        ];
        if let Some(attr) = attr
            && !plain.contains(&slot.name)
        {
            let _ = write!(text, " {}={attr:?}", slot.name);
        }
    }
    let types: Vec<String> = op
        .results
        .iter()
        .map(|&value| module.ty(value).to_string())
        .collect();
    if !types.is_empty() {
        let _ = write!(text, " : {}", types.join(", "));
    }
    text.push('\n');
    for &region in &op.regions {
        for &inner in &module.region(region).blocks {
            let args: Vec<String> = module
                .block(inner)
                .args
                .iter()
                .map(|&arg| format!("%{}: {}", arg.index(), module.ty(arg)))
                .collect();
            let _ = writeln!(text, "{}({}) {{", "  ".repeat(depth), args.join(", "));
            block(module, inner, depth + 1, text);
            let _ = writeln!(text, "{}}}", "  ".repeat(depth));
        }
    }
}
