//! Tests of directives, declarations, calls and debug information.

use std::fmt::Write as _;

use tile_sim::{Arg, Fault, FaultKind, Launch, Memory, Module, Options, ParseError};

/// Returns a module for `target` with a kernel `k` that has the parameter `out`; `before` precedes
/// the kernel.
fn text(version: &str, target: &str, before: &str, body: &str) -> String {
    format!(
        ".version {version}\n.target {target}\n.address_size 64\n{before}\n\
         .visible .entry k(.param .u64 out) {{\n\
         .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %d<8>;\n{body}\n}}\n"
    )
}

fn parse(before: &str, body: &str) -> Result<Module, ParseError> {
    Module::parse(&text("8.8", "sm_90a", before, body))
}

/// Runs 32 threads, each of which leaves a word in `%r0`.
fn launch(module: &Module, memory: &mut Memory) -> Result<Vec<u32>, Fault> {
    let out = memory.alloc(128, 16);
    let launch = Launch::new("k").threads(32).args([Arg::from(out)]);
    crate::support::launch(module, &launch, memory, &Options::default())?;
    let words = memory.bytes(out).unwrap().chunks(4);
    Ok(words
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect())
}

const STORE: &str = "ld.param.u64 %d0, [out]; mov.u32 %r15, %laneid; mul.wide.u32 %d1, %r15, 4;
                     add.u64 %d0, %d0, %d1; st.global.u32 [%d0], %r0;";

/// Returns the word of the first lane.
fn value(before: &str, body: &str) -> u32 {
    let body = format!("{body}\n{STORE}");
    let module = parse(before, &body).unwrap_or_else(|error| panic!("{body}\n{error}"));
    let words = launch(&module, &mut Memory::new());
    words.unwrap_or_else(|fault| panic!("{body}\n{fault}"))[0]
}

fn refused(before: &str, body: &str) -> String {
    parse(before, body).unwrap_err().to_string()
}

/// `llc -mcpu=sm_90 -mattr=+ptx80` of `ptx/calls.ll`.
#[test]
fn functions_of_llvm_with_structures_and_printf_run() {
    let module = Module::parse(include_str!("ptx/calls.ptx")).unwrap();
    let mut memory = Memory::new();
    let out = memory.alloc(32 * 4, 16);
    let launch = Launch::new("k")
        .threads(32)
        .args([Arg::from(out), Arg::from(4i32)]);
    crate::support::launch(&module, &launch, &mut memory, &Options::default()).unwrap();
    let mut printed = String::new();
    for (lane, word) in memory.bytes(out).unwrap().chunks(4).enumerate() {
        let sum = lane as u32 + 4;
        let result = if sum < 10 { sum } else { 3 * sum };
        // The first member of the structure, 9, and 5, which the function stored to its copy.
        let total = result + 9 + 5;
        assert_eq!(u32::from_le_bytes(word.try_into().unwrap()), 1 + total);
        writeln!(printed, "x={total} y=2.50%").unwrap();
    }
    assert_eq!(memory.take_printed(), printed);
    assert_eq!(memory.take_printed(), "");
}

#[test]
fn parameters_in_registers_and_constants_are_passed() {
    let f =
        ".func (.reg .b32 r) f (.reg .b32 x, .param .b32 y) { .reg .b32 %t; ld.param.b32 %t, [y];
             mad.lo.u32 x, x, 10, %t; mov.b32 r, x; ret; }";
    assert_eq!(value(f, "mov.u32 %r1, 4; call (%r0), f, (%r1, 2);"), 42);
    // The function has its own registers.
    let body = "mov.u32 %r1, 4; call (%r2), f, (%r1, %r1); add.u32 %r0, %r1, %r2;";
    assert_eq!(value(f, body), 48);
    let g = ".func (.param .b32 r) g (.param .b32 x) { .reg .b32 %t; ld.param.b32 %t, [x];
             add.u32 %t, %t, 1; st.param.b32 [r], %t; ret; }";
    assert_eq!(value(g, "call.uni (%r0), g, (41);"), 42);
    let twice = "{ .param .b32 a; .param .b32 b; st.param.b32 [a], 5; call (b), g, (a);
                 call (b), g, (b); ld.param.b32 %r0, [b]; }";
    assert_eq!(value(g, twice), 7);
}

#[test]
fn calls_under_a_predicate_are_made_by_its_lanes() {
    let f = ".func (.param .b32 r) f (.param .b32 x) { .reg .b32 %t; .reg .pred %q;
             ld.param.b32 %t, [x]; setp.lt.u32 %q, %t, 8; @%q bra SMALL;
             st.param.b32 [r], 100; ret; SMALL: st.param.b32 [r], %t; ret; }";
    let body = format!(
        "mov.u32 %r1, %laneid; mov.u32 %r0, 7; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;
         @%p1 call (%r0), f, (%r1); {STORE}"
    );
    let module = parse(f, &body).unwrap();
    let words = launch(&module, &mut Memory::new()).unwrap();
    for (lane, &word) in words.iter().enumerate() {
        let expected = match lane {
            _ if lane % 2 == 1 => 7,
            0..8 => lane as u32,
            _ => 100,
        };
        assert_eq!(word, expected, "lane {lane}");
    }
}

#[test]
fn shared_variables_of_a_function_are_the_same_in_all_calls() {
    let f = ".func (.param .b32 r) f () { .shared .b32 s; .reg .b32 %t;
             atom.shared.add.u32 %t, [s], 1; st.param.b32 [r], %t; ret; }";
    // The variable keeps its value: the second call sees that of the first.
    let body =
        "mov.u32 %r2, %laneid; setp.eq.u32 %p1, %r2, 0; call (%r1), f, (); call (%r0), f, ();
                setp.gt.u32 %p2, %r0, %r1; selp.u32 %r0, 1, 0, %p2;";
    let module = parse(f, &format!("{body}{STORE}")).unwrap();
    let out = 16;
    let mut memory = Memory::new();
    memory.alloc(out, 16);
    let options = Options {
        checks: tile_sim::Checks::Cheap,
        ..Options::default()
    };
    let out = memory.alloc(128, 16);
    let launch = Launch::new("k").threads(1).args([Arg::from(out)]);
    crate::support::launch(&module, &launch, &mut memory, &options).unwrap();
    assert_eq!(memory.bytes(out).unwrap()[0], 1);
}

#[test]
fn calls_that_cannot_be_put_in_place_are_refused() {
    let f = ".func f () { call f, (); ret; }";
    assert_eq!(
        refused(f, "call f, ();"),
        "line 4: `call`: `f` calls itself: recursion is not supported"
    );
    let pair = ".func g (); .func f () { call g, (); ret; } .func g () { call f, (); ret; }";
    assert!(refused(pair, "call f, ();").contains("`f` calls itself"));
    assert_eq!(
        refused("", "proto: .callprototype _ ();\ncall %d1, (), proto;"),
        "line 8: `call`: calls through a register (`%d1`) are not supported: call a function by its name"
    );
    assert_eq!(
        refused("", "call nowhere;"),
        "line 7: `call`: function `nowhere` is not declared"
    );
    assert_eq!(
        refused(
            ".extern .func malloc (.param .b64 n);",
            "call malloc, (%d1);"
        ),
        "line 7: `call`: `malloc` is external: its definition must be in this text"
    );
    assert_eq!(
        refused(".func f (.reg .b32 x) { ret; }", "call f, (%r1, %r2);"),
        "line 7: `call`: `f` has 1 parameters and 0 results, found 2 and 0"
    );
    // Each function calls the next twice: 2^40 instructions.
    let mut doubling = String::from(".func f0 () { ret; }\n");
    for level in 1..40 {
        let below = level - 1;
        writeln!(
            doubling,
            ".func f{level} () {{ call f{below}, (); call f{below}, (); ret; }}"
        )
        .unwrap();
    }
    let error = refused(&doubling, "call f39, ();");
    assert!(error.contains("more than 262144 calls"), "{error}");
}

#[test]
fn external_functions_that_are_never_called_are_no_fault() {
    assert_eq!(
        value(".extern .func nothing (.param .b64 n);", "mov.u32 %r0, 3;"),
        3
    );
}

#[test]
fn assertions_name_message_file_and_line() {
    let strings =
        ".global .b8 message[6] = {120, 32, 62, 32, 48, 0}; .global .b8 file[5] = \"k.cu\";";
    let strings = strings.replace("\"k.cu\"", "{107, 46, 99, 117, 0}");
    let before = format!(
        "{strings} .global .b8 name[2] = {{107}};
         .extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) .noreturn;"
    );
    let body = "{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;
        st.param.b64 [p0], message; st.param.b64 [p1], file; st.param.b32 [p2], 17;
        st.param.b64 [p3], name; st.param.b64 [p4], 1;
        call.uni __assertfail, (p0, p1, p2, p3, p4); }";
    let module = parse(&before, body).unwrap();
    let fault = launch(&module, &mut Memory::new()).unwrap_err();
    let expected = FaultKind::Assertion {
        message: "x > 0".into(),
        file: "k.cu".into(),
        line: 17,
        function: "k".into(),
    };
    assert_eq!(fault.kind, expected);
    assert!(
        fault
            .to_string()
            .contains("k.cu:17: k: assertion `x > 0` failed")
    );
}

#[test]
fn addresses_in_initial_values_are_those_of_variables() {
    let before = ".global .u32 a[4] = {1, 2, 3, 4}; .const .u32 c[2] = {5, 6};
        .global .u64 t[3] = {a+8, generic(a)+4, generic(c)};
        .global .align 8 .b8 m[8] = {0xff(a), 0xff00(a), 0xff0000(a), 0xff000000(a),
            0xff00000000(a), 0xff0000000000(a), 0xff000000000000(a), 0xff00000000000000(a)};";
    let load = |from: &str| {
        let body = format!("ld.global.u64 %d1, [{from}]; ld.u32 %r0, [%d1];");
        value(before, &body)
    };
    assert_eq!(["t", "t+8", "t+16", "m"].map(load), [3, 2, 5, 1]);
    assert!(
        refused(".global .u64 t = nowhere;", "").contains("`nowhere` is not a variable"),
        "an unknown symbol"
    );
}

#[test]
fn declarations_of_every_kind_are_read() {
    let before = ".file 1 \"a.cu\", 1722, 87\n.pragma \"nounroll\";
        .global .attribute(.managed) .align 4 .b32 managed;
        .visible .const .align 8 .f64 half = 0d3FE0000000000000;
        .weak .global .v4 .f32 vectors[2];
        .common .global .u32 common;
        .extern .global .u32 elsewhere;
        .global .u32 matrix[][2] = {{1, 2}, {3, WARP_SZ*2 + 6}};
        .shared .align 1024 .b8 tile[64];
        .func unused (.param .b32 x) .noreturn { trap; }
        .alias other, unused;";
    let limits = ".maxnreg 64 .minnctapersm 2 .pragma \"nounroll\";";
    let body = format!("ld.global.u32 %r0, [matrix+12]; {STORE}");
    let text = text("8.8", "sm_90a", before, &body);
    let text = text.replace(
        "(.param .u64 out) {",
        &format!("(.param .u64 .ptr .global .align 16 out) {limits} {{"),
    );
    let module = Module::parse(&text).unwrap();
    assert_eq!(launch(&module, &mut Memory::new()).unwrap()[0], 70);
    assert_eq!(module.max_registers("k"), Some(64));
    assert_eq!(
        refused(
            ".extern .global .u32 elsewhere;",
            "ld.global.u32 %r0, [elsewhere];"
        ),
        "line 7: `ld.global.u32`: `elsewhere` is external: its definition must be in this text"
    );
}

#[test]
fn cluster_directives_are_kept() {
    let text = text("8.8", "sm_90a", "", "").replace(
        "(.param .u64 out) {",
        "(.param .u64 out) .reqnctapercluster 2, 1, 1 .explicitcluster .maxclusterrank 8 {",
    );
    let module = Module::parse(&text).unwrap();
    assert_eq!(module.required_cluster("k"), Some([2, 1, 1]));
    assert_eq!(module.max_cluster_rank("k"), Some(8));
    assert_eq!(module.target().to_string(), "sm_90a");
    assert_eq!(module.version().to_string(), "8.8");
}

#[test]
fn constant_expressions_have_the_values_of_the_ptx_isa() {
    for (expression, expected) in [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("-7 / 2", -3i32 as u32),
        ("-7 % 3", -1i32 as u32),
        ("1 << 4 | 3", 19),
        ("0xF0 & ~0x30", 0xc0),
        ("5 > 3 ? 10 : 20", 10),
        ("!5 + !0", 1),
        ("1 == 2 || 3 != 4 && 1", 1),
        ("-1 < 0", 1),
        ("-1 < 0U", 0),
        ("(.u64) -1 < 0", 0),
        ("WARP_SZ - 1", 31),
        ("0b101 ^ 017", 10),
        ("-1 >> 1", u32::MAX),
        ("- - 5", 5),
    ] {
        assert_eq!(
            value("", &format!("mov.u32 %r0, {expression};")),
            expected,
            "{expression}"
        );
    }
    assert!(refused("", "mov.u32 %r0, 1 / 0;").contains("division by zero"));
}

#[test]
fn vector_registers_have_elements() {
    let body = ".reg .v4 .b32 %v; .reg .v2 .b32 %w<3>;
        mov.b32 %v.x, 1; mov.b32 %v.y, 20; mov.b32 %v.b, 300; mov.b32 %v.a, 4000;
        .local .align 16 .b8 room[16]; st.local.v4.b32 [room], %v; ld.local.v2.b32 %w1, [room+8];
        add.u32 %r0, %w1.x, %w1.y; add.u32 %r0, %r0, %v.r; add.u32 %r0, %r0, %v.g;";
    assert_eq!(value("", body), 4321);
}

#[test]
fn special_registers_are_read() {
    for (register, expected) in [
        ("%nsmid", 1),
        ("%cluster_ctaid.x", 0),
        ("%cluster_nctaid.z", 1),
        ("%nclusterid.x", 1),
        ("%cluster_ctarank", 0),
        ("%cluster_nctarank", 1),
        ("%tid.w", 0),
        ("%envreg7", 0),
        ("%pm3", 0),
        ("%aggr_smem_size", 0),
        ("%lanemask_ge", u32::MAX),
    ] {
        assert_eq!(
            value("", &format!("mov.u32 %r0, {register};")),
            expected,
            "{register}"
        );
    }
    let body = "mov.u64 %d2, %clock64; mov.u64 %d3, %globaltimer; sub.u64 %d3, %d3, %d2; cvt.u32.u64 %r0, %d3;";
    assert!(value("", body) > 0);
    let body = "mov.pred %p1, %is_explicit_cluster; selp.u32 %r0, 1, 0, %p1;";
    assert_eq!(value("", body), 0);
}

#[test]
fn errors_of_one_text_are_told_together() {
    let error = parse(
        "",
        "add.fast.u32 %r1, %r2, %r3;\nmov.u32 %r1, 1;\nfrobnicate;",
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 7: `add.fast.u32`: unknown modifier `.fast`\nline 9: `frobnicate`: unknown instruction"
    );
    assert_eq!(error.others.len(), 1);
}

#[test]
fn targets_and_versions_are_compared() {
    let refused = |version, target| {
        let error = Module::parse(&text(version, target, "", "")).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        refused("7.8", "sm_90a"),
        "line 2: `sm_90a` needs `.version` 8.0 or later, found 7.8"
    );
    assert_eq!(
        refused("8.0", "sm_91"),
        "line 2: `sm_91` is not a supported target"
    );
}

#[test]
fn faults_name_the_source_and_the_calls_that_led_there() {
    let before = ".file 1 \"src/a.rs\"\n.file 2 \"src/b.rs\"
        .func g () {\n.loc 2 7 1\ntrap;\nret; }";
    let body = ".loc 1 10 5\nmov.u32 %r1, 1;
        .loc 2 20 3, function_name $name, inlined_at 1 10 5\ncall g, ();";
    let section = ".section .debug_str { $name: .b8 104 .b8 101,108,112\n.b8 0 $other: .b8 0 }\n
        .section .debug_loc { .b32 1 .b64 .debug_str, $L_x - $L_y }";
    let module = Module::parse(&(text("8.8", "sm_90a", before, body) + section)).unwrap();
    let fault = launch(&module, &mut Memory::new()).unwrap_err();
    assert_eq!(
        fault.source.unwrap().to_string(),
        "src/b.rs:7:1 in `g`, called at src/b.rs:20:3 in `help`, called at src/a.rs:10:5"
    );
    assert!(fault.kind == FaultKind::Trap && fault.line == 8);
}

/// A register hides the special register of its name, as in `ptxas`; in braces, only up to the
/// closing brace.
#[test]
fn a_register_hides_the_special_register_of_its_name() {
    for (name, special) in [
        ("%tid", "%tid.x"),
        ("%ctaid", "%ctaid.w"),
        ("%clusterid", "%clusterid.y"),
    ] {
        let error = refused(
            "",
            &format!(".reg .b32 {name}, %r9; mov.u32 %r9, {special};"),
        );
        let cure = format!("`{name}` is declared as a register, which hides the special one");
        assert!(error.contains(&cure), "{error}");
    }
    let there = "{ .reg .b32 %tid; mov.u32 %tid, 5; } mov.u32 %r0, %tid.x; add.u32 %r0, %r0, 3;";
    assert_eq!(value("", there), 3);
    let whole = "{ .reg .b32 %laneid; mov.u32 %laneid, 9; mov.u32 %r0, %laneid; }";
    assert_eq!(value("", whole), 9);
}
