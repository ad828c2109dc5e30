//! Tests the frame of the text form: both forms read back as printed, including locations, and
//! hostile text takes linear time.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tile_core::ir::{DebugLoc, DiscardableAttr, Loc};
use tile_core::text::{ParseOptions, PrintOptions};
use tile_core::{Diagnostics, Module, text};

const ALL: ParseOptions = ParseOptions {
    allow_testing: true,
    allow_unregistered: true,
};

/// Returns the input of every file test.
fn corpus() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut files = Vec::new();
    for folder in ["parse", "verify", "canonicalize"] {
        for entry in fs::read_dir(root.join(folder)).expect("the folder of tests exists") {
            let path = entry.expect("a readable folder").path();
            let text = fs::read_to_string(&path).expect("a readable file");
            let input = text.split("// output:\n").next().unwrap_or_default();
            files.push((path.display().to_string(), input.to_owned()));
        }
    }
    files.sort();
    files
}

fn parse(source: &str) -> Option<Vec<Module>> {
    let mut diagnostics = Diagnostics::new();
    let modules = text::parse_file(source, "input", ALL, &mut diagnostics);
    assert_eq!(modules.is_err(), diagnostics.has_errors());
    diagnostics.take();
    modules.ok()
}

/// Returns the errors in `source` as `line:column: message`.
fn errors(source: &str) -> Vec<String> {
    let mut diagnostics = Diagnostics::new();
    let _ = text::parse_file(source, "input", ParseOptions::default(), &mut diagnostics);
    let errors = diagnostics.take();
    errors
        .iter()
        .map(|error| {
            let loc = error.primary.loc;
            format!("{}:{}: {}", loc.line(), loc.column(), error.message)
        })
        .collect()
}

/// Renders everything in a module, including the names of values, discardable attributes and, if
/// `debug`, the debug locations. Values are numbered in order of definition.
fn structure(module: &Module, debug: bool) -> String {
    let stated = |loc: Loc| -> Option<DebugLoc> { loc.debug().filter(|_| debug) };
    let mut numbers = vec![None; module.num_values()];
    let mut next = 0;
    let mut out = format!(
        "{} {:?} {:?} {:?}\n",
        module.name,
        module.producer,
        module.discardable,
        stated(module.loc)
    );
    let ids = module.walk(module.body());
    for &id in &ids {
        let op = module.op(id);
        let blocks = op
            .regions
            .iter()
            .flat_map(|&region| &module.region(region).blocks);
        let arguments = blocks.flat_map(|&block| &module.block(block).args);
        for value in op.results.iter().chain(arguments) {
            numbers[value.index()] = Some(next);
            next += 1;
        }
    }
    for &id in &ids {
        let op = module.op(id);
        let operands: Vec<_> = op.operands.iter().map(|v| numbers[v.index()]).collect();
        let results: Vec<_> = op
            .results
            .iter()
            .map(|&value| (module.ty(value), &module.value(value).name))
            .collect();
        write!(
            out,
            "{:?} {operands:?} {:?} {:?} {:?} {results:?} {:?}",
            op.opcode,
            op.segments,
            op.attrs,
            op.discardable,
            stated(op.loc)
        )
        .expect("strings do not fail");
        for &region in &op.regions {
            for &block in &module.region(region).blocks {
                let block = module.block(block);
                write!(out, " ^{}", block.ops.len()).expect("strings do not fail");
                for &argument in &block.args {
                    let value = module.value(argument);
                    write!(
                        out,
                        " {:?} {:?} {:?}",
                        value.ty,
                        value.name,
                        stated(value.loc)
                    )
                    .expect("strings do not fail");
                }
            }
            out.push('|');
        }
        out.push('\n');
    }
    out
}

#[test]
fn both_forms_read_back_with_and_without_locations() {
    let mut read = 0;
    for (name, source) in corpus() {
        let Some(modules) = parse(&source) else {
            continue;
        };
        read += 1;
        for (generic, debug_info) in [(false, false), (false, true), (true, false), (true, true)] {
            let options = PrintOptions {
                generic,
                debug_info,
            };
            for module in &modules {
                let printed = text::print_with(module, options);
                let again = parse(&printed).unwrap_or_else(|| panic!("{name}:\n{printed}"));
                assert_eq!(again.len(), 1, "{name}:\n{printed}");
                let expected = structure(module, debug_info);
                let actual = structure(&again[0], debug_info);
                assert_eq!(expected, actual, "{name}:\n{printed}");
                assert_eq!(printed, text::print_with(&again[0], options), "{name}");
            }
        }
    }
    assert!(read > 100, "only {read} files parse");
}

#[test]
fn attributes_without_meaning_have_a_place_in_every_custom_form() {
    let mut ops = BTreeSet::new();
    for (name, source) in corpus() {
        for mut module in parse(&source).unwrap_or_default() {
            let generic_before = text::print(&module).matches("\"cuda_tile.").count();
            for id in module.walk(module.body()) {
                let op = module.op_mut(id);
                ops.insert(op.opcode);
                let attr = |name: &str, value: Option<&str>| DiscardableAttr {
                    name: name.into(),
                    value: value.map(Into::into),
                };
                op.discardable = [attr("a.b", Some("[1, 2]")), attr("c", None)].into();
            }
            let printed = text::print(&module);
            let generic = printed.matches("\"cuda_tile.").count();
            assert_eq!(generic_before, generic, "{name}:\n{printed}");
            let again = parse(&printed).unwrap_or_else(|| panic!("{name}:\n{printed}"));
            assert_eq!(
                structure(&module, false),
                structure(&again[0], false),
                "{name}"
            );
        }
    }
    assert!(ops.len() > 100, "only {} operations are tested", ops.len());
}

#[test]
fn a_file_of_several_printed_modules_reads_back_as_them() {
    let mut modules = Vec::new();
    let mut printed = String::new();
    for (_, source) in corpus() {
        for module in parse(&source).unwrap_or_default() {
            printed.push_str(&text::print(&module));
            modules.push(structure(&module, false));
        }
    }
    let again = parse(&printed).expect("modules side by side");
    let again: Vec<String> = again.iter().map(|one| structure(one, false)).collect();
    assert_eq!(modules, again);
}

#[test]
fn a_module_that_does_not_fit_its_rows_prints_in_generic_form_and_reads_back() {
    let source = "\
cuda_tile.module @m {
  \"cuda_tile.addi\"() : () -> ()
}
";
    // The parser rejects operands that do not fit, so build the module by breaking a valid one.
    assert!(parse(source).is_none());
    let source = "entry @k(%n: tile<i32>) {\n  %a = addi %n, %n : tile<i32>\n}\n";
    let mut modules = parse(source).expect("a valid module");
    let module = &mut modules[0];
    let ops = module.walk(module.body());
    let addi = ops[1];
    module.op_mut(addi).attrs[0] = None;
    module.add_region(addi);
    let printed = text::print(module);
    assert!(printed.contains("\"cuda_tile.addi\""), "{printed}");
    let again = parse(&printed).expect("the generic form parses");
    let region = again[0].op(again[0].walk(again[0].body())[1]).regions.len();
    assert_eq!(region, 1);
}

#[test]
fn columns_count_characters() {
    let source = "entry @k(%n: tile<i32>) {\n\t%a = addi %n, %n {s = \"é—\"} : tile<i32>, x\n}\n";
    assert_eq!(
        errors(source),
        ["2:41: expected an operation, found `,`".to_owned()]
    );
    let source = "// é\nentry @k() {\n  \"é\" ü\n}\n";
    assert_eq!(
        errors(source)[0],
        "3:3: operation `é` of an unknown dialect"
    );
}

#[test]
fn errors_are_in_order_and_end_at_a_thousand() {
    let mut source = String::from("entry @k() {\n");
    for number in 0..5000 {
        writeln!(source, "  bad{number}").expect("strings do not fail");
    }
    source.push_str("}\n");
    // After the first error, the remaining words, which are not operations, are skipped.
    assert_eq!(errors(&source).len(), 1);
    let source = source.replace("bad", "addi %");
    let messages = errors(&source);
    assert_eq!(messages.len(), 1001);
    assert!(
        messages[1000].ends_with("the rest is not read"),
        "{}",
        messages[1000]
    );
    let lines: Vec<u32> = messages
        .iter()
        .map(|error| {
            error
                .split(':')
                .next()
                .expect("a line")
                .parse()
                .expect("a number")
        })
        .collect();
    assert!(lines.is_sorted());
}

/// Parses `source`, and checks that this takes no longer than in a linear parser.
fn in_time(name: &str, source: &str) {
    let start = Instant::now();
    parse(source);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(20), "{name} took {took:?}");
}

#[test]
fn hostile_text_costs_linear_time() {
    const SIZE: usize = 1 << 18;
    let repeat = |piece: &str| piece.repeat(SIZE / piece.len());
    let inside = |text: String| format!("entry @k(%n: tile<i32>) {{\n{text}\n}}\n");
    for piece in [
        "{",
        "}",
        "(",
        "[",
        "<",
        "\"",
        "\\",
        "%",
        "@",
        "#",
        "!",
        "^",
        "é",
        " ",
        "\n",
        "\t",
        "0",
        "-",
        "a ",
        "%a",
        "%a ",
        "%a, ",
        "%a\n",
        "@a ",
        "#a ",
        "#a = ",
        "#a = #a\n",
        "!a = !a\n",
        "\"a\"(",
        "\"a\"() ({\n",
        "\"a\"() <{",
        "{a = ",
        "{a}\n",
        "addi ",
        "addi {",
        "addi {\n",
        "addi %a, ",
        "addi %a {a = [\n",
        "%a = \n",
        "%a:2 = ",
        "module {",
        "module {\n",
        "//",
        "// \n",
        "loc(",
        "loc(fused[",
        "addi %a, %b : tile<",
        "\"cuda_tile.if\"() ({^bb0: ",
        "if %c {\n",
        "} {",
        "entry @k() {\n",
        "^bb0:\n",
        "0x",
        "1.0e",
        "tile<4x",
    ] {
        in_time(piece, &repeat(piece));
        in_time(piece, &inside(repeat(piece)));
        in_time(piece, &inside(format!("{}{}", repeat(piece), repeat("}"))));
    }
}

#[test]
fn names_and_aliases_cost_linear_time() {
    let lines = |line: &dyn Fn(usize) -> String| -> String { (0..30_000).map(line).collect() };
    // Uses that precede their definitions, in the same and in reverse order.
    let uses = lines(&|n| format!("  %a{n} = addi %b{n}, %b{n} : tile<i32>\n"));
    let definitions = lines(&|n| format!("  %b{} = iota : tile<i32>\n", 29_999 - n));
    in_time("names", &format!("entry @k() {{\n{uses}{definitions}}}\n"));
    // Many regions in which many names are visible.
    let regions = lines(&|n| format!("  %c{n} = iota : tile<i1>\n  if %c{n} {{\n  }}\n"));
    let source = format!("entry @k() {{\n{regions}}}\n");
    let start = Instant::now();
    let modules = parse(&source).expect("well-formed");
    text::print(&modules[0]);
    assert!(start.elapsed() < Duration::from_secs(20));
    // Aliases that each double the text of the previous alias.
    let mut doubling = String::from("#a0 = 1\n");
    for n in 1..64 {
        writeln!(doubling, "#a{n} = [#a{0}, #a{0}]", n - 1).expect("strings do not fail");
    }
    in_time("doubling", &doubling);
    // Locations that nest without bound and share their parts.
    let nested = lines(&|n| format!("#l{} = loc(callsite(#l{n} at #l{n}))\n", n + 1));
    let source = format!("#l0 = loc(unknown)\n{nested}entry @k() {{\n}} loc(#l30000)\n");
    let modules = parse(&source).expect("well-formed");
    let options = PrintOptions {
        debug_info: true,
        ..PrintOptions::default()
    };
    let printed = text::print_with(&modules[0], options);
    let again = parse(&printed).expect("aliases are in order");
    let entry = |module: &Module| {
        module
            .op(module.entries().next().expect("an entry"))
            .loc
            .debug()
    };
    assert_eq!(entry(&modules[0]), entry(&again[0]));
    // As text, these aliases would be too long.
    in_time(
        "text",
        &format!("#l0 = loc(unknown)\n{nested}#t = [#l30000]\n#u = [#l200]\n"),
    );
}

#[test]
fn nesting_is_bounded() {
    const DEPTH: usize = 100_000;
    let nest = |open: &str, close: &str| format!("{}1{}", open.repeat(DEPTH), close.repeat(DEPTH));
    let refused = |source: String| {
        let messages = errors(&source);
        assert!(
            messages
                .iter()
                .any(|error| error.contains("nested deeper than")),
            "{messages:#?}"
        );
    };
    let with_attribute =
        |value: String| format!("entry @k(%n: tile<i32>) {{\n}} {{a = {value}}}\n");
    for (open, close) in [("[", "]"), ("{a = ", "}"), ("#a.b<", ">")] {
        refused(with_attribute(nest(open, close)));
    }
    refused(with_attribute(format!("{} i32", "() -> ".repeat(DEPTH))));
    let with_location = |location: String| format!("entry @k() {{\n}} loc({location})\n");
    refused(with_location(nest("callsite(", " at unknown)")));
    refused(with_location(nest("\"a\"(", ")")));
    refused(with_location(nest("fused[", "]")));
    refused(with_location(nest("loc(", ")")));
    let block = "#cuda_tile.di_lexical_block<scope = ".repeat(DEPTH);
    refused(with_location(format!(
        "#cuda_tile.di_loc<\"a\":1:1 in {block}"
    )));
    let aliases: String = (0..200).fold(String::from("#a0 = 1 : i32\n"), |mut text, n| {
        writeln!(text, "#a{} = #a{n}", n + 1).expect("strings do not fail");
        text
    });
    refused(format!(
        "{aliases}entry @k() {{\n  %a = \"cuda_tile.cat\"() <{{dim = #a200}}> : () -> tile<i32>\n}}\n"
    ));
    refused("module {\n".repeat(DEPTH));
    refused(format!(
        "entry @k() {{\n{}",
        "\"cuda_tile.if\"() ({\n".repeat(DEPTH)
    ));
}
