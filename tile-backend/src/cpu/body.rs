//! Assembly of a file to the body of a naked function, which any crate can contain.
//!
//! In: the assembly that LLVM writes for a module with one global function. Out: text for `naked_asm!`, in the same syntax.
//!
//! rustc gives a naked function its symbol and its section. So of the text
//! - the symbol of the global function and its properties are left out, and its code comes first;
//! - the content of other sections, such as constants, stands between `.pushsection` and `.popsection`;
//! - every label is a number. The assembler takes `7f` for the next label `7` and `7b` for the previous one, so the code of
//!   several kernels, or of one kernel in several crates, can be in one file, as it is after link-time optimization;
//! - directives for unwinding and debugging are left out: the code calls no code outside of it and does not unwind.

use std::collections::HashMap;
use std::fmt::Write as _;

/// Directives without a meaning in the body of a function.
const LEFT_OUT: [&str; 14] = [
    ".addrsig",
    ".addrsig_sym",
    ".file",
    ".globl",
    ".hidden",
    ".ident",
    ".internal",
    ".local",
    ".protected",
    ".size",
    ".type",
    ".weak",
    ".loc",
    ".text",
];

/// Directives of data and alignment.
const KEPT: [&str; 20] = [
    ".align", ".ascii", ".asciz", ".balign", ".byte", ".double", ".float", ".hword", ".int",
    ".long", ".octa", ".p2align", ".quad", ".short", ".skip", ".space", ".string", ".word",
    ".xword", ".zero",
];

/// Instructions that call a function. Native code calls none through a register.
const CALLS: [&str; 3] = ["bl", "call", "callq"];

/// The part of the text that a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section<'a> {
    Code,
    /// The operands of its directive.
    Data(&'a str),
    /// A section that only tools read.
    Note,
}

/// Returns the body.
///
/// # Errors
///
/// The error says what of the assembly a function cannot contain.
pub(crate) fn of_file(assembly: &str) -> Result<String, String> {
    let lines: Vec<(Section<'_>, &str)> = sectioned(assembly);
    let numbers = numbered(&lines, global(assembly)?)?;
    let mut body = String::with_capacity(assembly.len());
    let mut defined = vec![false; numbers.len()];
    let mut current = Section::Code;
    for (section, line) in lines {
        if section != current {
            if current != Section::Code {
                body.push_str("\t.popsection\n");
            }
            if let Section::Data(operands) = section {
                let _ = writeln!(body, "\t.pushsection\t{operands}");
            }
            current = section;
        }
        if let Some(name) = label(line) {
            // The global function has no number.
            if let Some(&index) = numbers.get(name) {
                defined[index] = true;
                let _ = writeln!(body, "{}:", number(index));
            }
        } else {
            write_line(line, &numbers, &defined, &mut body)?;
            body.push('\n');
        }
    }
    if current != Section::Code {
        body.push_str("\t.popsection\n");
    }
    Ok(body)
}

/// Returns the lines that are kept, with their sections. Those of the global function are the first of the code.
fn sectioned(assembly: &str) -> Vec<(Section<'_>, &str)> {
    let mut lines = Vec::new();
    let mut section = Section::Code;
    for line in assembly.lines() {
        let text = line.trim();
        let (directive, operands) = text
            .split_once(|c: char| c.is_ascii_whitespace())
            .map_or((text, ""), |(name, rest)| (name, rest.trim()));
        match directive {
            ".text" => section = Section::Code,
            ".section" => {
                section = if operands.starts_with(".text") {
                    Section::Code
                } else if operands.starts_with("\".note") || operands.starts_with(".note") {
                    Section::Note
                } else {
                    Section::Data(operands)
                };
            }
            _ if text.is_empty() || text.starts_with('#') || text.starts_with("//") => {}
            _ if LEFT_OUT.contains(&directive) || directive.starts_with(".cfi_") => {}
            _ if section == Section::Note => {}
            _ => lines.push((section, text)),
        }
    }
    lines
}

fn label(line: &str) -> Option<&str> {
    line.strip_suffix(':')
        .filter(|name| name.chars().all(is_symbol))
}

/// Returns the name of the global function.
fn global(assembly: &str) -> Result<&str, String> {
    let mut globals = assembly
        .lines()
        .filter_map(|line| line.trim().strip_prefix(".globl"));
    match (globals.next(), globals.next()) {
        (Some(name), None) => Ok(name.trim()),
        (Some(_), Some(_)) => Err("it has several global functions".to_owned()),
        (None, _) => Err("it has no global function".to_owned()),
    }
}

/// Gives every label an index, except for the global function, which must be the first of the code.
fn numbered<'a>(
    lines: &[(Section<'_>, &'a str)],
    function: &str,
) -> Result<HashMap<&'a str, usize>, String> {
    let mut code = lines
        .iter()
        .filter(|(section, _)| *section == Section::Code)
        .map(|(_, line)| *line);
    // Alignment may come before the label.
    let first = code
        .find(|line| !line.starts_with('.') || line.ends_with(':'))
        .and_then(label);
    if first != Some(function) {
        return Err(format!("its code does not begin with `{function}`"));
    }
    let mut numbers = HashMap::new();
    for name in lines.iter().filter_map(|(_, line)| label(line)) {
        let index = numbers.len();
        if name != function && numbers.insert(name, index).is_some() {
            return Err(format!("it has two labels `{name}`"));
        }
    }
    Ok(numbers)
}

/// Returns the label with an index. rustc refuses labels of the digits 0 and 1 alone, which are binary numbers in the syntax of
/// Intel.
fn number(index: usize) -> usize {
    2 * 10_usize.pow(index.max(1).ilog10() + 1) + index
}

/// Writes an instruction or a directive of data, in which numbers replace labels.
fn write_line(
    line: &str,
    numbers: &HashMap<&str, usize>,
    defined: &[bool],
    body: &mut String,
) -> Result<(), String> {
    let name = line.split(|c: char| c.is_ascii_whitespace()).next();
    let name = name.unwrap_or_default();
    if name.starts_with('.') && !KEPT.contains(&name) {
        return Err(format!("it has the directive `{name}`"));
    }
    if CALLS.contains(&name) {
        let called = line[name.len()..].trim();
        if !numbers.contains_key(called) {
            return Err(format!("it calls `{called}`, which it does not contain"));
        }
    }
    body.push('\t');
    let mut rest = line;
    let mut is_quoted = false;
    while let Some(c) = rest.chars().next() {
        if is_quoted || !is_symbol(c) {
            let length = if is_quoted && c == '\\' {
                2
            } else {
                c.len_utf8()
            };
            is_quoted ^= c == '"';
            let (text, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            body.push_str(text);
            rest = after;
            continue;
        }
        let end = rest.find(|c| !is_symbol(c)).unwrap_or(rest.len());
        let (symbol, after) = rest.split_at(end);
        rest = after;
        match numbers.get(symbol) {
            Some(&index) => {
                let direction = if defined[index] { 'b' } else { 'f' };
                let _ = write!(body, "{}{direction}", number(index));
            }
            None if symbol.starts_with(".L") => {
                return Err(format!("it uses the label `{symbol}` of another file"));
            }
            None => body.push_str(symbol),
        }
    }
    Ok(())
}

fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\t.file\t\"code\"
\t.section\t.rodata.cst16,\"aM\",@progbits,16
\t.p2align\t4, 0x0
.LCPI0_0:
\t.quad\t7
\t.quad\t7
\t.text
\t.globl\tkernel
\t.p2align\t4
\t.type\tkernel,@function
kernel:
\t.cfi_startproc
\tvmovaps\t.LCPI0_0(%rip), %xmm16
\tleaq\t.LJTI0_0(%rip), %rdi
\tcallq\tp_helper
\tjne\t.LBB0_2
.LBB0_1:
\tjmp\t.LBB0_1
.LBB0_2:
\tretq
.Lfunc_end0:
\t.size\tkernel, .Lfunc_end0-kernel
\t.cfi_endproc
\t.section\t.rodata,\"a\",@progbits
.LJTI0_0:
\t.long\t.LBB0_2-.LJTI0_0
\t.asciz\t\".LBB0_2 \\\" .LBB0_1\"
\t.text
p_helper:
\tretq
\t.section\t\".note.GNU-stack\",\"\",@progbits
";

    #[test]
    fn labels_become_numbers_and_constants_stand_in_their_sections() {
        let expected = "\t.pushsection\t.rodata.cst16,\"aM\",@progbits,16
\t.p2align\t4, 0x0
20:
\t.quad\t7
\t.quad\t7
\t.popsection
\t.p2align\t4
\tvmovaps\t20b(%rip), %xmm16
\tleaq\t24f(%rip), %rdi
\tcallq\t25f
\tjne\t22f
21:
\tjmp\t21b
22:
\tretq
23:
\t.pushsection\t.rodata,\"a\",@progbits
24:
\t.long\t22b-24b
\t.asciz\t\".LBB0_2 \\\" .LBB0_1\"
\t.popsection
25:
\tretq
";
        assert_eq!(of_file(FILE), Ok(expected.to_owned()));
    }

    #[test]
    fn no_label_has_only_the_digits_0_and_1() {
        let labels: Vec<usize> = [0, 1, 9, 10, 11, 99, 100, 1111].map(number).to_vec();
        assert_eq!(labels, [20, 21, 29, 210, 211, 299, 2100, 21111]);
    }

    #[test]
    fn what_a_function_cannot_contain_is_refused() {
        let refused = |from: &str, to: &str| of_file(&FILE.replace(from, to)).expect_err("refused");
        assert_eq!(
            refused("\tretq\n.Lfunc", "\t.set\ta, 1\n.Lfunc"),
            "it has the directive `.set`"
        );
        assert_eq!(
            refused("jmp\t.LBB0_1", "jmp\t.LBB9_1"),
            "it uses the label `.LBB9_1` of another file"
        );
        assert_eq!(
            refused("p_helper:", ".LBB0_1:"),
            "it has two labels `.LBB0_1`"
        );
        assert_eq!(
            refused("callq\tp_helper", "callq\tmemcpy"),
            "it calls `memcpy`, which it does not contain"
        );
        assert_eq!(
            refused("kernel:", "p_other:\n\tretq\nkernel:"),
            "its code does not begin with `kernel`"
        );
        assert_eq!(
            refused("\t.text\n\t.globl\tkernel\n", "\t.text\n"),
            "it has no global function"
        );
        assert_eq!(
            refused("p_helper:", "\t.globl\tp_helper\np_helper:"),
            "it has several global functions"
        );
    }
}
