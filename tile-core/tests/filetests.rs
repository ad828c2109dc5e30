//! One test per file in `filetests/`.
//!
//! A file starts with `// test: parse`, `verify`, `opt` or `flatten` and options, followed by prose
//! in comments and IR. An expected error is written as `// error[T0301]: message` at the end of the
//! line that it points at; further errors of that line follow on comment lines. All errors and all
//! warnings must be listed.
//!
//! - `parse`: printing the parsed IR gives the input, or the text after the line `// output:`; or
//!   the IR has the listed errors.
//! - `verify`: the IR parses, and verification reports exactly the listed errors.
//! - `opt --passes=PIPELINE`: the text after `// output:` is the result, which verifies. The line
//!   `// rewrites:` follows, and then the rewrites: for each, the line of the input that it applied
//!   to and its name. A second run of the pipeline must not change the result, unless the option
//!   `--once` allows it.
//! - `flatten`: the text after `// output:` is the result, which verifies, with launch instructions
//!   in comments; or the IR has the listed errors. `--sequential` and `--atomic` apply to outermost
//!   loops and their results.
//!
//! The options are those of `tilec opt`: `--allow-testing`, `--allow-unregistered-dialect`,
//! `--print-generic`, `--print-debuginfo`, `-Wunsupported-hints`, `-Werr-hints`; and `--modules`
//! for a file with any number of modules. All kinds but `parse` accept test functions and
//! operations of other dialects by default.
//!
//! `TILE_BLESS=1` rewrites the expectations.

use libtest_mimic::{Arguments, Failed, Trial};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tile_core::diag::{Severity, render};
use tile_core::flatten::{FlattenOptions, Outermost, Reduction, flatten};
use tile_core::pass::{Pipeline, Rewrite};
use tile_core::text::{ParseOptions, PrintOptions};
use tile_core::verify::{HintCheck, VerifyOptions, verify, verify_with};
use tile_core::{Diagnostic, Diagnostics, Module, text};

const FOLDERS: [&str; 7] = [
    "parse",
    "verify",
    "canonicalize",
    "fold",
    "simplify",
    "transform",
    "flatten",
];
const OUTPUT: &str = "// output:\n";
const REWRITES: &str = "// rewrites:\n";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut files = Vec::new();
    for folder in FOLDERS {
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
    let (kind, options) = options(&content)?;
    let actual = match kind {
        "parse" => parse(&content, &options),
        "verify" => check(&content, &options)?,
        "opt" => opt(&content, &options)?,
        "flatten" => flattened(&content, &options)?,
        _ => return Err(format!("unknown kind of test `{kind}`")),
    };
    compare(path, &content, &actual)
}

#[derive(Clone, Default)]
struct Options {
    parse: ParseOptions,
    print: PrintOptions,
    hints: HintCheck,
    modules: bool,
    passes: Pipeline,
    once: bool,
    flatten: FlattenOptions,
}

/// Returns the kind of test and its options.
fn options(content: &str) -> Result<(&str, Options), String> {
    let line = content.lines().next().unwrap_or_default();
    let mut words = line
        .strip_prefix("// test: ")
        .ok_or("the first line must be `// test: KIND`")?
        .split_whitespace();
    let kind = words.next().unwrap_or_default();
    let mut options = Options::default();
    options.parse.allow_testing = kind != "parse";
    options.parse.allow_unregistered = kind != "parse";
    for word in words {
        match word {
            "--allow-testing" => options.parse.allow_testing = true,
            "--allow-unregistered-dialect" => options.parse.allow_unregistered = true,
            "--print-generic" => options.print.generic = true,
            "--print-debuginfo" => options.print.debug_info = true,
            "-Wunsupported-hints" => options.hints = HintCheck::Warn,
            "-Werr-hints" => options.hints = HintCheck::Refuse,
            "--modules" => options.modules = true,
            "--sequential" => options.flatten.outermost = Outermost::Sequential,
            "--atomic" => options.flatten.reduction = Reduction::Atomic,
            "--once" => options.once = true,
            _ => match word.strip_prefix("--passes=") {
                Some(passes) => {
                    options.passes = passes
                        .parse()
                        .map_err(|error| format!("in `{passes}`: {error}"))?;
                }
                None => return Err(format!("unknown option `{word}`")),
            },
        }
    }
    Ok((kind, options))
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

/// Reads the modules in `input`, or returns the errors.
fn read_all(input: &str, options: &Options) -> Result<Vec<Module>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let result = if options.modules || options.parse != ParseOptions::default() {
        text::parse_file(input, "input", options.parse, &mut diagnostics)
    } else {
        text::parse(input, "input", &mut diagnostics).map(|module| vec![module])
    };
    result.map_err(|_| diagnostics)
}

/// Reads the module in `input`, or returns its errors.
fn read(input: &str, options: &Options) -> Result<Module, Diagnostics> {
    let mut modules = read_all(input, options)?;
    assert_eq!(modules.len(), 1, "expected one module");
    Ok(modules.remove(0))
}

/// Returns the expected file of a parse test.
fn parse(content: &str, options: &Options) -> String {
    let (input, output) = match content.split_once(OUTPUT) {
        Some((input, output)) => (input, Some(output)),
        None => (content, None),
    };
    let modules = match read_all(input, options) {
        Ok(modules) => modules,
        Err(diagnostics) => return annotate(input, diagnostics),
    };
    let printed: String = modules
        .iter()
        .map(|module| text::print_with(module, options.print))
        .collect();
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

/// Returns the expected file of a verify test.
fn check(content: &str, options: &Options) -> Result<String, String> {
    let module = read(content, options).map_err(|diagnostics| drawn(content, diagnostics))?;
    let mut diagnostics = Diagnostics::new();
    let hints = options.hints;
    let verified = verify_with(module, VerifyOptions { hints }, &mut diagnostics);
    assert_eq!(verified.is_err(), diagnostics.has_errors());
    Ok(annotate(content, diagnostics))
}

/// Returns the expected file of an opt test.
fn opt(content: &str, options: &Options) -> Result<String, String> {
    let input = content
        .split_once(OUTPUT)
        .map_or(content, |(input, _)| input);
    let (result, rewrites) = rewritten(input, options)?;
    let (again, _) = rewritten(&result, options)?;
    if result != again && !options.once {
        return Err(format!("a second run changes the result to\n{again}"));
    }
    let lines = rewrites.iter().map(|Rewrite { name, loc }| {
        let line = loc.line();
        format!("// {line:>4} {name}\n")
    });
    let lines: String = lines.collect();
    Ok(format!("{input}{OUTPUT}{result}{REWRITES}{lines}"))
}

/// Returns the text of the module after the passes, and the rewrites that they made.
fn rewritten(input: &str, options: &Options) -> Result<(String, Vec<Rewrite>), String> {
    let module = read(input, options).map_err(|diagnostics| drawn(input, diagnostics))?;
    let mut diagnostics = Diagnostics::new();
    let Ok(verified) = verify(module, &mut diagnostics) else {
        return Err(drawn(input, diagnostics));
    };
    let mut rewrites = Vec::new();
    let done = options
        .passes
        .run(verified, &mut diagnostics, |_, _, trace| {
            rewrites.extend_from_slice(trace.rewrites());
        });
    match done {
        Ok(module) => Ok((text::print_with(&module, options.print), rewrites)),
        Err(_) => Err(format!(
            "a pass makes a module that does not verify\n{}",
            drawn(input, diagnostics)
        )),
    }
}

/// Returns the expected file of a flatten test.
fn flattened(content: &str, options: &Options) -> Result<String, String> {
    let input = content
        .split_once(OUTPUT)
        .map_or(content, |(input, _)| input);
    let module = read(input, options).map_err(|diagnostics| drawn(input, diagnostics))?;
    let mut diagnostics = Diagnostics::new();
    let Ok(verified) = verify(module, &mut diagnostics) else {
        return Err(drawn(input, diagnostics));
    };
    let result = flatten(verified, &options.flatten, &mut diagnostics);
    let input = annotate(input, diagnostics);
    let Ok(flat) = result else {
        return Ok(input);
    };
    let mut output = format!("{input}{OUTPUT}{}", text::print(&flat.module));
    for entry in &flat.entries {
        writeln!(output, "// {entry:?}").expect("strings do not fail");
    }
    Ok(output)
}

fn drawn(source: &str, mut diagnostics: Diagnostics) -> String {
    render(&diagnostics.take(), &|_| Some(source.to_owned()))
}

/// Returns the position at which the expectation of a line starts.
fn expectation(line: &str) -> Option<usize> {
    let keywords = ["// error[", "// warning[", "// remark["].iter();
    keywords.filter_map(|keyword| line.find(keyword)).min()
}

fn is_expectation(line: &str) -> bool {
    expectation(line.trim_start()) == Some(0)
}

/// Returns the text without expectations.
fn without_errors(content: &str) -> String {
    let mut bare = String::new();
    for line in content.lines().filter(|line| !is_expectation(line)) {
        let code = expectation(line).map_or(line, |comment_start| line[..comment_start].trim_end());
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

/// Returns the text annotated with exactly the reported errors.
fn annotate(content: &str, mut diagnostics: Diagnostics) -> String {
    let reported = diagnostics.take();
    let mut shown = 0;
    let mut annotated = String::new();
    for (number, line) in (1..).zip(content.lines()) {
        if is_expectation(line) {
            continue;
        }
        let code = expectation(line).map_or(line, |comment_start| line[..comment_start].trim_end());
        annotated.push_str(code);
        let here = reported
            .iter()
            .filter(|one| one.primary.loc.line() == number);
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
    // Append errors that have no location or point at the end of the file.
    let lines = content.lines().count();
    let beyond = |line: usize| line == 0 || line > lines;
    for one in reported
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
    assert_eq!(shown, reported.len(), "an error points at an expectation");
    annotated
}
