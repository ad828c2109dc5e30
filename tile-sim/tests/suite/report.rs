//! Tests of `run`, and of reports as a table and as JSON.

use serde_json::{Value, json};
use tile_sim::{Arg, Argument, Extents, Options, Resources, RunOptions, run};

/// Computes `y[i] = factor * x[i]` for all threads of the grid.
const SCALE: &str = ".version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 y, .param .f32 factor) {
  .reg .f32 %f<3>; .reg .b32 %r<4>; .reg .b64 %d<4>;
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r1, %r2, %r3, %r1;
  mul.wide.u32 %d1, %r1, 4;
  ld.param.u64 %d2, [x]; add.s64 %d2, %d2, %d1;
  ld.param.u64 %d3, [y]; add.s64 %d3, %d3, %d1;
  ld.param.f32 %f1, [factor];
  ld.global.f32 %f2, [%d2];
  mul.f32 %f2, %f2, %f1;
  st.global.f32 [%d3], %f2;
  ret;
}";

fn scale(y: &mut [f32], grid: u32, options: RunOptions) -> tile_sim::Report {
    let x: Vec<f32> = (0..64u8).map(f32::from).collect();
    let args = [
        Argument::input(&x),
        Argument::in_out(y),
        Argument::value(0.5f32),
    ];
    run(SCALE, "scale", grid, 32, args, options).expect("it is PTX")
}

#[test]
fn buffers_are_copied_in_and_out() {
    let mut y = vec![-1.0f32; 64];
    let report = scale(&mut y, 2, RunOptions::default());
    assert!(report.fault().is_none(), "{report}");
    let expected: Vec<f32> = (0..64u8).map(|i| 0.5 * f32::from(i)).collect();
    assert_eq!(y, expected);
    let counters = report.counters().expect("no fault");
    assert_eq!(counters.global.stores.requests, 2);
}

#[test]
fn what_was_stored_before_a_fault_is_seen() {
    // 3 blocks of 32 threads for 64 elements: the last block reads beyond `x`.
    let mut y = vec![-1.0f32; 96];
    let report = scale(&mut y, 3, RunOptions::default());
    let fault = report.fault().expect("it reads beyond the input");
    assert_eq!((fault.line, fault.block), (12, [2, 0, 0]));
    assert_eq!(y[63], 31.5);
    assert_eq!(y[64], -1.0);
    assert!(report.counters().is_none());
}

#[test]
fn a_parameter_can_be_made_of_an_address() {
    // A pointer and a number in one parameter of 16 bytes.
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .align 8 .b8 both[16]) {
        .reg .b64 %d<2>; .reg .b32 %r<2>;
        ld.param.u64 %d1, [both]; ld.param.u32 %r1, [both+8]; st.global.u32 [%d1], %r1; ret; }";
    let mut out = [0u32];
    let both = |address: u64| Arg::bytes(&[address.to_le_bytes(), 7u64.to_le_bytes()].concat());
    let args = [Argument::in_out(&mut out).with(both)];
    let report = run(text, "k", 1, 1, args, Options::default()).expect("it is PTX");
    assert!(report.fault().is_none(), "{report}");
    assert_eq!(out, [7]);
}

#[test]
fn an_alignment_is_kept_and_not_exceeded() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u64 y) {
        .reg .b64 %d<3>; ld.param.u64 %d1, [x]; ld.param.u64 %d2, [y]; st.global.u64 [%d1], %d2; ret; }";
    for align in [8u64, 16, 256, 1024] {
        let mut address = [0u64];
        let args = [
            Argument::in_out(&mut address),
            Argument::input(&[0u8]).aligned(align),
        ];
        let report = run(text, "k", 1, 1, args, Options::default()).expect("it is PTX");
        assert!(report.fault().is_none(), "{report}");
        assert_eq!(address[0] % (2 * align), align);
    }
}

#[test]
fn a_launch_that_does_not_fit_is_a_fault() {
    let args = [Argument::value(1u32)];
    let report = run(SCALE, "scale", 1, 1, args, Options::default()).expect("it is PTX");
    let fault = report.fault().expect("too few arguments").to_string();
    assert_eq!(fault, "launch: expected 3 arguments, found 1");
    let none: [Argument<'_>; 0] = [];
    let error = run("nonsense", "k", 1, 1, none, Options::default());
    assert!(error.is_err());
}

#[test]
fn extents_have_what_is_left_out_as_1() {
    assert_eq!(Extents::from(5), Extents([5, 1, 1]));
    assert_eq!(Extents::from([5, 6]), Extents([5, 6, 1]));
    assert_eq!(Extents::from([5, 6, 7]), Extents([5, 6, 7]));
}

fn resources() -> RunOptions {
    RunOptions {
        resources: Some(Resources {
            registers: 10,
            spill_stores_bytes: 4,
            spill_loads_bytes: 8,
            stack_bytes: 16,
        }),
        ..RunOptions::default()
    }
}

fn parsed(report: &tile_sim::Report) -> Value {
    serde_json::from_str(&report.to_json()).expect("it is JSON")
}

#[test]
fn the_json_has_every_count() {
    let report = scale(&mut [0.0; 64], 2, resources());
    let json = parsed(&report);
    assert_eq!(json["schema"], 1);
    assert_eq!(json["entry"], "scale");
    assert_eq!(json["grid"], json!([2, 1, 1]));
    assert_eq!(json["block"], json!([32, 1, 1]));
    assert_eq!(
        json["resources"],
        json!({"registers": 10, "spill_stores_bytes": 4, "spill_loads_bytes": 8, "stack_bytes": 16})
    );
    assert_eq!(json["fault"], Value::Null);
    assert_eq!(
        json["counters"]["global_loads"],
        json!({"requests": 2, "sectors": 8, "bytes": 256})
    );
    let counters = report.counters().expect("no fault");
    for group in counters.groups() {
        for (name, count) in group.counts {
            assert_eq!(
                json["counters"][group.name][name], count,
                "{}.{name}",
                group.name
            );
        }
    }
}

#[test]
fn the_json_of_a_fault_says_where_it_was() {
    let report = scale(&mut [0.0; 96], 3, RunOptions::default());
    let json = parsed(&report);
    assert_eq!(json["counters"], Value::Null);
    assert_eq!(json["resources"], Value::Null);
    let fault = &json["fault"];
    assert_eq!(fault["line"], 12);
    assert_eq!(fault["instruction"], "ld.global.f32");
    assert_eq!(fault["block"], json!([2, 0, 0]));
    assert_eq!((&fault["warp"], &fault["lane"]), (&json!(0), &json!(0)));
    let message = fault["message"].as_str().expect("a text");
    assert!(message.contains("outside of every allocation"), "{message}");
}

#[test]
fn the_json_of_a_fault_has_the_place_in_the_source() {
    let text = SCALE.replace("  ld.global.f32", "  .loc 1 7 3\n  ld.global.f32");
    let text = format!("{text}\n.file 1 \"scale.cu\"\n");
    let args = [
        Argument::input(&[0.0f32]),
        Argument::input(&[0.0f32]),
        Argument::value(0.5f32),
    ];
    let report = run(&text, "scale", 1, 2, args, Options::default()).expect("it is PTX");
    assert_eq!(
        parsed(&report)["fault"]["source"],
        json!({"file": "scale.cu", "line": 7, "column": 3})
    );
}

#[test]
fn the_table_has_what_is_not_0() {
    let text = scale(&mut [0.0; 64], 2, resources()).to_string();
    let line = |start: &str| {
        let row = text.lines().find(|line| line.starts_with(start));
        let words = row.map(|line| line.split_whitespace().collect::<Vec<_>>());
        words.unwrap_or_else(|| panic!("no `{start}` in\n{text}"))
    };
    assert!(text.starts_with("`scale`: 2 x 1 x 1 blocks of 32 x 1 x 1 threads\n"));
    assert_eq!(line("resources.registers"), ["resources.registers", "10"]);
    assert_eq!(line("global_loads.sectors"), ["global_loads.sectors", "8"]);
    assert_eq!(
        line("global_loads.efficiency"),
        ["global_loads.efficiency", "100.0%"]
    );
    assert!(!text.contains("shared"), "{text}");
}

#[test]
fn what_a_kernel_prints_is_in_the_report() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 values);
.global .align 1 .b8 format[11] = {116, 104, 114, 101, 97, 100, 32, 37, 117, 10, 0};
.visible .entry k() {
  .local .align 8 .b8 values[8]; .reg .b32 %r<2>; .reg .b64 %d<4>;
  mov.u32 %r1, %tid.x;
  mov.u64 %d1, values; cvta.local.u64 %d2, %d1; st.local.u32 [%d1], %r1;
  mov.u64 %d3, format; cvta.global.u64 %d3, %d3;
  { .param .b64 a; .param .b64 b; .param .b32 c;
    st.param.b64 [a], %d3; st.param.b64 [b], %d2;
    call.uni (c), vprintf, (a, b); }
  ret;
}";
    let report = run(text, "k", 1, 2, [], RunOptions::default()).expect("it is PTX");
    assert!(report.fault().is_none(), "{report}");
    assert_eq!(report.printed, "thread 0\nthread 1\n");
    assert!(report.to_string().contains("| thread 1\n"), "{report}");
    let json: Value = serde_json::from_str(&report.to_json()).expect("it is JSON");
    assert_eq!(json["printed"], "thread 0\nthread 1\n");
}
