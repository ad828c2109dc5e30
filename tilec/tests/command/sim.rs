//! Tests of `tilec run --device=sim`.

use crate::build::tools_are_there;
use crate::support::{MODULE, Tilec, faults};

/// A kernel that adds 1 to each of 32 numbers per block.
const PTX: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .entry increment(.param .u64 numbers, .param .u32 by)
{
    .reg .b32 %r<6>; .reg .b64 %d<3>;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mad.lo.u32 %r0, %r1, %r2, %r0;
    mul.wide.u32 %d0, %r0, 4;
    ld.param.u64 %d1, [numbers];
    add.u64 %d1, %d1, %d0;
    ld.param.u32 %r3, [by];
    ld.global.u32 %r4, [%d1];
    add.u32 %r4, %r4, %r3;
    st.global.u32 [%d1], %r4;
    ret;
}
";

fn words(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

#[test]
fn ptx_runs_over_a_grid() {
    let tilec = Tilec::new()
        .with("add.ptx", PTX)
        .with("in.bin", words(0..64));
    let run = [
        "run",
        "add.ptx",
        "--device=sim",
        "--grid=2",
        "--block=32",
        "--arg=buffer:in.bin",
        "--arg=i32:7",
    ];
    assert_eq!(tilec.prints(&run, b""), "");
    assert_eq!(tilec.read("in.bin"), words(7..71));

    let table = tilec.prints(&[&run[..], &["--counters"]].concat(), b"");
    let expected = "`increment`: 2 x 1 x 1 blocks of 32 x 1 x 1 threads\n";
    assert!(table.starts_with(expected), "{table}");
    for (name, count) in [
        ("global_loads.requests", "2"),
        ("global_loads.sectors", "8"),
        ("global_stores.bytes", "256"),
        ("global_loads.efficiency", "100.0%"),
    ] {
        let line = table.lines().find(|line| line.starts_with(name));
        let words: Vec<&str> = line
            .unwrap_or_else(|| panic!("{table}"))
            .split_whitespace()
            .collect();
        assert_eq!(words, [name, count]);
    }
    assert_eq!(tilec.read("in.bin"), words(14..78));

    let json = tilec.prints(
        &[&run[..], &["--json", "--checks=cheap", "--seed=3"]].concat(),
        b"",
    );
    assert!(json.contains("\"entry\": \"increment\""), "{json}");
    assert!(json.contains("\"fault\": null"), "{json}");
    assert_eq!(tilec.read("in.bin"), words(21..85));
}

#[test]
fn a_fault_of_ptx_points_at_its_line_and_leaves_the_files_alone() {
    let tilec = Tilec::new()
        .with("add.ptx", PTX)
        .with("in.bin", words(0..60));
    let run = [
        "run",
        "add.ptx",
        "--device=sim",
        "--grid=2",
        "--block=32",
        "--arg=buffer:in.bin",
        "--arg=i32:7",
    ];
    let stderr = tilec.fails(&run, b"");
    let lines = faults(&stderr);
    assert_eq!(lines.len(), 1, "{stderr}");
    assert!(
        lines[0].starts_with("add.ptx:15:1: error: access of 4 bytes"),
        "{stderr}"
    );
    for part in [
        "ld.global.u32 %r4, [%d1];",
        "kernel `increment`, block (1, 0, 0), warp 0, lane 28: thread 28",
    ] {
        assert!(stderr.contains(part), "{stderr}");
    }
    assert_eq!(tilec.read("in.bin"), words(0..60));
    // The JSON is printed nevertheless.
    let output = tilec.run(&[&run[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let json = String::from_utf8(output.stdout).expect("JSON is text");
    assert!(json.contains("\"counters\": null"), "{json}");
    assert!(json.contains("\"line\": 15"), "{json}");
    assert!(json.contains("\"lane\": 28"), "{json}");
}

#[test]
fn a_fault_says_what_the_line_was_made_of() {
    let text = PTX.replace("    ld.global", "    .loc 1 7 3\n    ld.global");
    let tilec = Tilec::new()
        .with("add.ptx", format!("{text}\n.file 1 \"add.cu\"\n"))
        .with("in.bin", words(0..8));
    let run = [
        "run",
        "add.ptx",
        "--device=sim",
        "--block=9",
        "--arg=buffer:in.bin",
        "--arg=i32:7",
    ];
    let stderr = tilec.fails(&run, b"");
    assert!(
        stderr.contains("the line was made of add.cu:7:3"),
        "{stderr}"
    );
}

#[test]
fn what_does_not_fit_is_refused_with_a_cure() {
    let two = PTX.replace("increment", "other");
    let two = format!("{PTX}{}", &two[two.find(".visible").expect("an entry")..]);
    let tilec = Tilec::new()
        .with("add.ptx", PTX)
        .with("two.ptx", two)
        .with("bad.ptx", PTX.replace("mul.wide.u32", "mul.tall.u32"))
        .with("add.mlir", MODULE)
        .with("in.bin", words(0..64));
    let args = ["--arg=buffer:in.bin", "--arg=i32:7"];
    for (given, message, cure) in [
        (
            &["add.ptx"][..],
            "PTX runs in the simulator alone",
            "add `--device=sim`",
        ),
        (
            &["add.ptx", "--device=sim"],
            "does not say how many threads",
            "`--block=X,Y,Z`",
        ),
        (
            &["two.ptx", "--device=sim", "--block=32"],
            "choose an entry",
            "`increment`, `other`",
        ),
        (
            &["add.ptx", "--device=sim", "--block=32", "--entry=none"],
            "there is no entry `none`",
            "entries of the text: `increment`",
        ),
        (
            &["bad.ptx", "--device=sim", "--block=32"],
            "bad.ptx:11:1: error: ",
            "mul.tall",
        ),
        (
            &["add.ptx", "--device=sim", "--block=32", "--arg=i32:1"],
            "takes 2 arguments, found 3",
            "give one `--arg` for each",
        ),
        (
            &["add.ptx", "--device=sim", "--block=32", "--arch=sm_80"],
            "--arch:0:0",
            "run Tile IR",
        ),
        (
            &["add.mlir", "--cluster-split=auto"],
            "--cluster-split:0:0",
            "`--device=sim`",
        ),
        (
            &["add.ptx", "--device=sim", "--block=32", "--check"],
            "--check:0:0",
            "`--checks`",
        ),
        (
            &["add.mlir", "--counters"],
            "--counters:0:0",
            "add `--device=sim`",
        ),
        (&["add.mlir", "--json"], "--json:0:0", "add `--device=sim`"),
        (
            &["add.mlir", "--device=sim", "--block=32"],
            "--block:0:0",
            "the compiler chooses it",
        ),
        (
            &["add.mlir", "--device=sim", "--arch=sm_1"],
            "sm_1",
            "known are: `sm_80`",
        ),
    ] {
        let command = [&["run"], given, &args[..]].concat();
        let stderr = tilec.fails(&command, b"");
        assert!(stderr.contains(message), "{given:?}: {stderr}");
        assert!(stderr.contains(cure), "{given:?}: {stderr}");
    }
    let wide = [
        "run",
        "add.ptx",
        "--device=sim",
        "--block=32",
        args[0],
        "--arg=i64:7",
    ];
    let stderr = tilec.fails(&wide, b"");
    assert!(stderr.contains("parameter 1 has 4 bytes"), "{stderr}");
    assert_eq!(tilec.read("in.bin"), words(0..64));
}

#[test]
fn a_module_is_compiled_and_gives_what_it_gives_on_the_cpu() {
    if !tools_are_there() {
        return;
    }
    let numbers: Vec<u8> = (0..512_u16)
        .flat_map(|x| f32::from(x).to_le_bytes())
        .collect();
    let tilec = Tilec::new()
        .with("add.mlir", MODULE)
        .with("a.bin", &numbers)
        .with("b.bin", &numbers);
    let cpu = [
        "run",
        "add.mlir",
        "--grid=2",
        "--arg=buffer:a.bin",
        "--arg=i32:300",
    ];
    assert_eq!(tilec.prints(&cpu, b""), "");
    for arch in ["sm_80", "sm_90a"] {
        let tilec = Tilec::new()
            .with("add.mlir", MODULE)
            .with("b.bin", &numbers);
        let arch = format!("--arch={arch}");
        let sim = [
            "run",
            "add.mlir",
            "--device=sim",
            &arch,
            "--grid=2",
            "--arg=buffer:b.bin",
            "--arg=i32:300",
            "--counters",
        ];
        let table = tilec.prints(&sim, b"");
        assert!(table.contains("resources.registers"), "{table}");
        assert!(table.contains("global_stores.requests"), "{table}");
        assert_eq!(tilec.read("b.bin"), tilec_cpu(&numbers));
    }
    assert_eq!(tilec.read("a.bin"), tilec_cpu(&numbers));
}

/// Returns the expected result: the first 300 numbers doubled.
fn tilec_cpu(numbers: &[u8]) -> Vec<u8> {
    let read = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("4 bytes"));
    let numbers = numbers.chunks(4).map(read).enumerate();
    numbers
        .flat_map(|(index, x)| if index < 300 { x + x } else { x }.to_le_bytes())
        .collect()
}

#[test]
fn a_fault_of_a_module_names_its_entry_and_the_line_of_the_ptx() {
    if !tools_are_there() {
        return;
    }
    let tilec = Tilec::new()
        .with("add.mlir", MODULE)
        .with("a.bin", words(0..100));
    let run = [
        "run",
        "add.mlir",
        "--device=sim",
        "--grid=2",
        "--arg=buffer:a.bin",
        "--arg=i32:300",
    ];
    let stderr = tilec.fails(&run, b"");
    for part in [
        "error: line ",
        " of the PTX: access of ",
        "kernel `add`, block (0, 0, 0)",
        "the line is `",
        "`tilec build --emit=ptx --arch=sm_80 add.mlir` prints the PTX",
    ] {
        assert!(stderr.contains(part), "{stderr}");
    }
    assert_eq!(tilec.read("a.bin"), words(0..100));
}

#[test]
fn what_is_assumed_wrongly_is_reported_where_it_is_asked_for() {
    if !tools_are_there() {
        return;
    }
    let module = "\
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %m = assume div_by<16>, %n : tile<i32>
    %t = store_ptr_tko weak %p, %m : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
";
    let tilec = Tilec::new().with("k.mlir", module);
    let with = |number: &str, more: &[&str]| {
        let number = format!("--arg=i32:{number}");
        let run = ["run", "k.mlir", "--arg=zeros:out.bin:4", &number];
        [&run[..], more]
            .concat()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<String>>()
    };
    let on_sim = ["--device=sim", "--assert-assumptions"];
    let right = with("48", &on_sim);
    assert_eq!(
        tilec.prints(&right.iter().map(String::as_str).collect::<Vec<_>>(), b""),
        ""
    );
    assert_eq!(tilec.read("out.bin"), words([48]));
    for more in [&on_sim[..], &[]] {
        let wrong = with("40", more);
        let stderr = tilec.fails(&wrong.iter().map(String::as_str).collect::<Vec<_>>(), b"");
        assert!(stderr.contains("assumed divisible by 16"), "{stderr}");
        // With the simulator, the message has only a line and no column.
        let place = if more.is_empty() {
            "k.mlir:3:10"
        } else {
            "k.mlir:3: k: "
        };
        assert!(stderr.contains(place), "{stderr}");
        assert_eq!(tilec.read("out.bin"), words([48]));
    }
}
