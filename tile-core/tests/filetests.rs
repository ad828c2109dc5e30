//! One test per file in `filetests/`.
//!
//! A file starts with `// test: parse`, `verify` or `canonicalize`, followed by
//! prose in comments and IR. An error that is expected stands as
//! `// error[T0301]: message` at the end of the line that it points at, further
//! ones on comment lines below; all errors, and all warnings, are listed.
//! Functions of tests and operations of other dialects are accepted.
//!
//! - `parse`: the IR reads back as it is written, or as what follows the line
//!   `// output:`; or it has the listed errors.
//! - `verify`: parses, and has the listed errors, or none. After the kind may
//!   stand `-Wunsupported-hints` and `-Werr-hints`.
//! - `canonicalize`: what follows `// output:` is the result, which verifies and
//!   does not change when it is canonicalized again.
//!
//! `TILE_BLESS=1` rewrites the expectations.

use libtest_mimic::{Arguments, Failed, Trial};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tile_core::canonicalize::canonicalize;
use tile_core::diag::{Severity, render};
use tile_core::text::ParseOptions;
use tile_core::verify::{HintCheck, VerifyOptions, verify, verify_with};
use tile_core::{Diagnostic, Diagnostics, Module, text};

const OUTPUT: &str = "// output:\n";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut files = Vec::new();
    for folder in ["parse", "verify", "canonicalize"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let trials = files.into_iter().map(|path| {
        let name = path
            .strip_prefix(&root)
            .unwrap_or(&path)
            .display()
            .to_string();
        Trial::test(name, move || run(&path).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder of tests exists") {
        let path = entry.expect("a readable folder").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "mlir")
        {
            files.push(path);
        }
    }
}

fn run(path: &Path) -> Result<(), String> {
    let content = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let kind = content
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("// test: "))
        .ok_or("the first line must be `// test: KIND`")?;
    let actual = match kind {
        "parse" => parse(&content),
        "verify" => check(&content, HintCheck::Silent)?,
        "verify -Wunsupported-hints" => check(&content, HintCheck::Warn)?,
        "verify -Wunsupported-hints -Werr-hints" => check(&content, HintCheck::Refuse)?,
        "canonicalize" => canonical(&content)?,
        _ => return Err(format!("unknown kind of test `{kind}`")),
    };
    compare(path, &content, &actual)
}

fn compare(path: &Path, expected: &str, actual: &str) -> Result<(), String> {
    if expected == actual {
        return Ok(());
    }
    if std::env::var_os("TILE_BLESS").is_some() {
        return fs::write(path, actual).map_err(|error| error.to_string());
    }
    let diff = similar::TextDiff::from_lines(expected, actual);
    Err(format!(
        "TILE_BLESS=1 accepts the new text\n{}",
        diff.unified_diff().header("expected", "found")
    ))
}

/// The module in `input`, or its errors.
fn read(input: &str) -> Result<Module, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let options = ParseOptions {
        allow_testing: true,
        allow_unregistered: true,
    };
    match text::parse_file(input, "input", options, &mut diagnostics).as_deref() {
        Ok([module]) => Ok(module.clone()),
        Ok(modules) => panic!("expected one module, found {}", modules.len()),
        Err(_) => Err(diagnostics),
    }
}

/// What the file of a parse test should be.
fn parse(content: &str) -> String {
    let (input, output) = match content.split_once(OUTPUT) {
        Some((input, output)) => (input, Some(output)),
        None => (content, None),
    };
    let module = match read(input) {
        Ok(module) => module,
        Err(diagnostics) => return annotate(input, diagnostics),
    };
    let printed = text::print(&module);
    if output.is_some() {
        return format!("{}{OUTPUT}{printed}", without_errors(input));
    }
    let is_prose = |line: &&str| line.starts_with("//") || line.is_empty();
    let prose: String = input
        .split_inclusive('\n')
        .take_while(|line| is_prose(&line.trim_end()))
        .collect();
    let ir = without_errors(&input[prose.len()..]);
    if ir == printed {
        return content.to_owned();
    }
    format!("{input}{OUTPUT}{printed}")
}

/// What the file of a verify test should be.
fn check(content: &str, hints: HintCheck) -> Result<String, String> {
    let module = read(content).map_err(|diagnostics| drawn(content, diagnostics))?;
    let mut diagnostics = Diagnostics::new();
    let verified = verify_with(module, VerifyOptions { hints }, &mut diagnostics);
    assert_eq!(verified.is_err(), diagnostics.has_errors());
    Ok(annotate(content, diagnostics))
}

/// What the file of a canonicalize test should be.
fn canonical(content: &str) -> Result<String, String> {
    let input = content
        .split_once(OUTPUT)
        .map_or(content, |(input, _)| input);
    let result = canonicalized(input)?;
    let again = canonicalized(&result)?;
    if result != again {
        return Err(format!("a second run changes the result to\n{again}"));
    }
    Ok(format!("{input}{OUTPUT}{result}"))
}

fn canonicalized(input: &str) -> Result<String, String> {
    let module = read(input).map_err(|diagnostics| drawn(input, diagnostics))?;
    let mut diagnostics = Diagnostics::new();
    let Ok(verified) = verify(module, &mut diagnostics) else {
        return Err(drawn(input, diagnostics));
    };
    let module = canonicalize(verified).into_inner();
    let printed = text::print(&module);
    if verify(module, &mut diagnostics).is_err() {
        return Err(format!(
            "the result\n{printed}{}",
            drawn(&printed, diagnostics)
        ));
    }
    Ok(printed)
}

fn drawn(source: &str, mut diagnostics: Diagnostics) -> String {
    render(&diagnostics.take(), &|_| Some(source.to_owned()))
}

/// Where the expectation of a line starts.
fn expectation(line: &str) -> Option<usize> {
    let keywords = ["// error[", "// warning["].iter();
    keywords.filter_map(|keyword| line.find(keyword)).min()
}

fn is_expectation(line: &str) -> bool {
    expectation(line.trim_start()) == Some(0)
}

/// The text without expectations.
fn without_errors(content: &str) -> String {
    let mut bare = String::new();
    for line in content.lines().filter(|line| !is_expectation(line)) {
        let code = expectation(line).map_or(line, |at| line[..at].trim_end());
        bare.push_str(code);
        bare.push('\n');
    }
    bare
}

fn keyword(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Remark => "remark",
    }
}

/// The text with exactly the errors that were found.
fn annotate(content: &str, mut diagnostics: Diagnostics) -> String {
    let found = diagnostics.take();
    let mut shown = 0;
    let mut annotated = String::new();
    for (number, line) in (1..).zip(content.lines()) {
        if is_expectation(line) {
            continue;
        }
        let code = expectation(line).map_or(line, |at| line[..at].trim_end());
        annotated.push_str(code);
        let here = found.iter().filter(|one| one.primary.loc.line() == number);
        for (index, one) in here.enumerate() {
            shown += 1;
            let separator = if index == 0 { " " } else { "\n" };
            write!(
                annotated,
                "{separator}// {}[{}]: {}",
                keyword(one),
                one.code.as_str(),
                one.message
            )
            .expect("strings do not fail");
        }
        annotated.push('\n');
    }
    // Errors without a place, or at the end of the file.
    let lines = content.lines().count();
    let beyond = |line: usize| line == 0 || line > lines;
    for one in found
        .iter()
        .filter(|one| beyond(one.primary.loc.line() as usize))
    {
        shown += 1;
        writeln!(
            annotated,
            "// {}[{}]: {}",
            keyword(one),
            one.code.as_str(),
            one.message
        )
        .expect("strings do not fail");
    }
    assert_eq!(shown, found.len(), "an error points at an expectation");
    annotated
}
