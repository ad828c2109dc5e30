//! Forms of instructions: what ptxas takes is taken, what it refuses is refused.

use tile_sim::Module;

/// An entry for one target, with registers of every width, around one instruction.
fn text(version: &str, target: &str, form: &str) -> String {
    let wide = if form.contains("%q") {
        ".reg .b128 %q<9>;"
    } else {
        ""
    };
    format!(
        ".version {version}\n.target {target}\n.address_size 64\n\
         .visible .entry k(.param .u64 o) {{\n\
         .reg .pred %p<9>; .reg .b8 %c<9>; .reg .b16 %h<19>; .reg .b32 %r<39>; .reg .b64 %d<9>;\n\
         {wide}\n{form}\nret;\n}}\n"
    )
}

#[test]
fn forms_on_registers_are_those_of_ptxas() {
    let corpus = include_str!("forms/arithmetic.tsv");
    let mut wrong = Vec::new();
    for line in corpus.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [target, version, form] = fields[..] else {
            panic!("`{line}` does not have three fields");
        };
        let parse = |version, target| Module::parse(&text(version, target, form));
        if target == "-" {
            if parse("9.0", "sm_100a").is_ok() {
                wrong.push(format!("{form}: taken, though ptxas refuses it"));
            }
            continue;
        }
        if let Err(error) = parse(version, target) {
            wrong.push(format!("{form} for {target}: {error}"));
        }
        if target != "sm_70" && parse("9.0", "sm_70").is_ok() {
            wrong.push(format!("{form}: taken for sm_70, though it needs {target}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} forms:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
