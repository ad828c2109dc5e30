//! Tests of `tilec build`.

use std::process::Command;

use tile_backend::internals::Tool;

use crate::support::{MODULE, Tilec, text_of};

#[test]
fn early_products_need_no_tools() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let build = |emit: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args(["build", "a.mlir", "--arch=sm_90a,sm_80", emit])
            .current_dir(tilec.folder.path())
            .env("TILE_PTXAS", "/nowhere")
            .output()
            .expect("the command starts");
        (
            output.status.code(),
            text_of(&output.stdout),
            text_of(&output.stderr),
        )
    };
    let canonical = tilec.prints(&["opt", "a.mlir", "--passes=canonicalize"], b"");
    assert_eq!(build("--emit=ir"), (Some(0), canonical, String::new()));
    let (status, gpu, stderr) = build("--emit=gpu");
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert_eq!(gpu.matches("kernel @add").count(), 2, "{gpu}");
    // A missing tool is an error that is located at the kernel.
    let (status, _, stderr) = build("--emit=ptx");
    assert_eq!(status, Some(1));
    assert!(
        stderr.starts_with("a.mlir:2:3: error: `ptxas` is missing: `TILE_PTXAS` names `/nowhere`, which is no file\n"),
        "{stderr}"
    );
}

/// Without ptxas a fatbin has the PTX of every architecture, a cubin is refused, and nothing is known of registers.
#[test]
fn without_ptxas_the_driver_gets_ptx() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let build = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args(["build", "a.mlir"])
            .args(arguments)
            .current_dir(tilec.folder.path())
            .env("TILE_KERNEL_CACHE", tilec.path("no-tools"))
            .env("PATH", sysroot_programs())
            .output()
            .expect("the command starts");
        (output.status.code(), text_of(&output.stderr))
    };
    let archs = "--arch=sm_90a,sm_80";
    assert_eq!(build(&[archs, "--emit=fatbin"]), (Some(0), String::new()));
    let fatbin = tilec.read("a.fatbin");
    assert!(fatbin.starts_with(&0xba55_ed50_u32.to_le_bytes()));
    let text = String::from_utf8_lossy(&fatbin);
    for target in [".target sm_80", ".target sm_90a"] {
        assert_eq!(text.matches(target).count(), 1, "{target}");
    }
    assert!(!text.contains("\x7fELF"));
    let (status, stderr) = build(&["--arch=sm_80", "--emit=cubin"]);
    assert_eq!(status, Some(1));
    assert!(stderr.contains("`ptxas` is missing"), "{stderr}");
}

/// Returns the folder of `rustc`, by which LLVM is found, in place of all of `PATH`.
fn sysroot_programs() -> std::path::PathBuf {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output();
    let sysroot = text_of(&sysroot.expect("rustc starts").stdout);
    std::path::Path::new(sysroot.trim()).join("bin")
}

#[test]
fn a_module_becomes_llvm_ir_and_ptx_and_a_fatbin() {
    if !tools_are_there() {
        return;
    }
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let build = |emit: &str, archs: &str| tilec.prints(&["build", "a.mlir", archs, emit], b"");
    let llvm = build("--emit=llvm", "--arch=sm_80");
    assert!(llvm.contains("define ptx_kernel void @add("), "{llvm}");
    let ptx = build("--emit=ptx", "--arch=sm_90a,sm_80");
    let targets: Vec<&str> = ptx
        .lines()
        .filter(|line| line.starts_with(".target"))
        .collect();
    assert_eq!(targets, [".target sm_80", ".target sm_90a"]);

    let several = ["build", "a.mlir", "--gpu-name=sm_80,sm_89"];
    assert_eq!(tilec.prints(&several, b""), "");
    let fatbin = tilec.read("a.fatbin");
    assert!(fatbin.starts_with(&0xba55_ed50_u32.to_le_bytes()));
    assert_eq!(
        tilec.prints(&["build", "a.mlir", "--gpu-name=sm_80"], b""),
        ""
    );
    assert!(tilec.read("a.cubin").starts_with(b"\x7fELF"));
    // Compiles bytecode from standard input to a given file, with the arguments that `tileiras` takes.
    let bytes = tilec.stdout(&["as", "a.mlir", "-o", "-"], b"");
    let arguments = "build - --gpu-name sm_80 --host-arch x86_64 --host-os linux --opt-level 2 --output-file b.cubin";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    tilec.stdout(&arguments, &bytes);
    assert!(tilec.read("b.cubin").starts_with(b"\x7fELF"));
    let stderr = tilec.fails(&["build", "-", "--arch=sm_80"], MODULE.as_bytes());
    assert!(stderr.contains("give one with `-o`"), "{stderr}");
}

#[test]
fn code_says_which_line_it_comes_from() {
    if !tools_are_there() {
        return;
    }
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let ptx = |option: &str| {
        let arguments = ["build", "a.mlir", "--gpu-name=sm_80", "--emit=ptx", option];
        tilec.prints(&arguments, b"")
    };
    let plain = ptx("-O3");
    assert!(
        !plain.contains(".loc") && !plain.contains(".file"),
        "{plain}"
    );
    let lines = ptx("--lineinfo");
    // The PTX has the lines of the entry and of an operation in it, but no sections for a debugger.
    assert!(lines.contains(".file\t1 \"a.mlir\""), "{lines}");
    for line in ["\t.loc\t1 2 ", "\t.loc\t1 8 "] {
        assert!(lines.contains(line), "{line}: {lines}");
    }
    assert!(
        lines.contains(".target sm_80\n") && !lines.contains(".debug_info"),
        "{lines}"
    );
    let debug = ptx("-g");
    assert!(debug.contains(".target sm_80, debug\n"), "{debug}");
    assert!(debug.contains(".section\t.debug_info"), "{debug}");
    // Code without optimization is longer.
    assert!(ptx("-O0").len() * 2 > plain.len() * 3);
}

/// A kernel that loads a tile from a pointer that is aligned to an element.
const NARROW: &str = "cuda_tile.module @m {
  entry @copy(%a: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %t = make_tensor_view %a, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %v = make_partition_view %t : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %x, %u = load_view_tko weak %v[%zero] : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %y = addf %x, %x rounding<nearest_even> : tile<1024xf32>
    %w = store_view_tko weak %y, %v[%zero] token = %u : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
";

#[test]
fn remarks_are_lines_or_objects_and_only_where_asked_for() {
    let tilec = Tilec::new().with("a.mlir", NARROW);
    let said = |option: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args(["build", "a.mlir", "--arch=sm_80,sm_90a", "--emit=gpu"])
            .args(option)
            .current_dir(tilec.folder.path())
            .output()
            .expect("the command starts");
        assert_eq!(output.status.code(), Some(0));
        text_of(&output.stderr)
    };
    assert_eq!(said(&[]), "");
    let text = said(&["--remarks"]);
    let message = "each lane accesses 4 bytes at a time, where 16 would do";
    let line = format!("a.mlir:6:14: remark[R0101]: {message}\n");
    assert!(text.contains(&line), "{text}");
    let json = said(&["--remarks=json"]);
    let objects: Vec<serde_json::Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object per line"))
        .collect();
    let narrow = objects.iter().find(|object| object["line"] == 6);
    let narrow = narrow.expect("the load has a remark");
    assert_eq!(narrow["code"], "R0101");
    assert_eq!(
        (&narrow["file"], &narrow["entry"]),
        (&"a.mlir".into(), &"copy".into())
    );
    assert_eq!(narrow["message"], message);
    let stages = said(&["--remarks", "--stages=4"]);
    assert!(
        stages.contains("remark[R0002]: 4 stages were requested"),
        "{stages}"
    );
    assert_eq!(
        tilec
            .prints(
                &[
                    "build",
                    "a.mlir",
                    "--arch=sm_80",
                    "--emit=gpu",
                    "--occupancy=3"
                ],
                b""
            )
            .matches(" occupancy=3")
            .count(),
        1
    );
}

#[test]
fn passes_are_printed_and_timed_and_the_schedule_is_explained() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tile-core/tests/corpus");
    let observe = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args([
                "build",
                "matmul_128x256x64.13.3.tilebc",
                "--gpu-name=sm_90a",
            ])
            .args([
                "--tensor-maps=host",
                "--persistent=auto",
                "--emit=gpu",
                "-o-",
            ])
            .args(arguments)
            .current_dir(folder)
            .output()
            .expect("the command starts");
        assert_eq!(output.status.code(), Some(0), "{}", text_of(&output.stderr));
        (text_of(&output.stdout), text_of(&output.stderr))
    };
    let (kernel, nothing) = observe(&[]);
    assert_eq!(nothing, "");
    // What is observed does not change the kernel.
    let (same, printed) = observe(&["--print-after=lower,programmatic-launch"]);
    assert_eq!(same, kernel);
    let after: Vec<&str> = printed.split("// sm_90a, after ").skip(1).collect();
    let [lowered, finished] = after[..] else {
        panic!("two passes are named: {printed}");
    };
    assert!(lowered.starts_with("lower\n") && !lowered.contains("warp_specialize"));
    assert_eq!(finished, format!("programmatic-launch\n{kernel}"));

    let (_, times) = observe(&["--time-passes"]);
    for pass in ["schedule", "warp-specialization", "barriers"] {
        assert_eq!(
            times.matches(&format!(" ms  {pass}\n")).count(),
            1,
            "{times}"
        );
    }
    assert!(
        !times.contains("software-pipelining"),
        "no loop is left to it: {times}"
    );

    let (_, explained) = observe(&["--explain-schedule"]);
    let line = |part: &str| {
        let mut lines = explained.lines().filter(|line| line.contains(part));
        let line = lines
            .next()
            .unwrap_or_else(|| panic!("`{part}` in {explained}"));
        line.to_owned()
    };
    assert!(line("specialized with 6 stages").ends_with("needs too much shared memory"));
    assert!(line("fits: chosen").contains("epilogue in halves"));
    let mut lines = explained.lines();
    let chosen = lines.find(|line| line.starts_with("  chosen: "));
    let chosen = chosen.expect("a schedule is chosen");
    assert!(chosen.ends_with("4 stages, MMA in flight; epilogue in halves"));
    assert!(
        chosen.starts_with("  chosen: 8 warps; a TMA store; groups of 16; persistent; "),
        "{chosen}"
    );
    // Each decision is there, with its figures where there are several candidates, and the reason.
    for (decision, figures, verdict) in [
        (
            "1 block per work tile",
            "",
            "chosen: the target or the launch",
        ),
        ("  4 warps", "536 registers > 128", "refused: more warps"),
        ("  8 warps", "280 registers > 128", "chosen: no number fits"),
        (
            "in groups of 16",
            "B of operands",
            "chosen: the fewest bytes",
        ),
        (
            "in groups of 128",
            "B of operands",
            "refused: no fewer bytes",
        ),
        (
            "longest first",
            "",
            "refused: work tiles have an order already",
        ),
        (
            "TMA store in line",
            "passes over shared memory",
            "chosen: no thread",
        ),
        (
            "block-skipping",
            "",
            "refused: no loop consists of a branch",
        ),
        ("mask-elision", "", "refused: no loop has a mask"),
        ("lazy-rescaling", "", "refused: no loop multiplies"),
    ] {
        let line = line(decision);
        assert!(line.contains(figures) && line.contains(verdict), "{line}");
    }
    for (disabled, refused) in [
        (
            "warp-specialization",
            "refused: warp specialization is disabled",
        ),
        ("tma-stores", "refused: TMA stores are disabled"),
        (
            "grouped-raster",
            "refused: grouped rasterization is disabled",
        ),
        ("mask-elision", "refused: it is disabled"),
    ] {
        let (_, text) = observe(&["--explain-schedule", &format!("--disable={disabled}")]);
        assert!(text.contains(refused), "{text}");
    }
}

#[test]
fn a_retry_after_spills_is_explained() {
    if !tools_are_there() {
        return;
    }
    let file = "/../tile-backend/tests/remarks/files/r0502_many_columns.mlir";
    let explained = |options: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args(["build", &format!("{}{file}", env!("CARGO_MANIFEST_DIR"))])
            .args(["--arch=sm_80", "--emit=ptx", "-o-", "--explain-schedule"])
            .args(options)
            .output()
            .expect("the command starts");
        assert_eq!(output.status.code(), Some(0), "{}", text_of(&output.stderr));
        text_of(&output.stderr)
    };
    let retried = explained(&[]);
    let attempts: Vec<&str> = { retried.lines() }
        .filter(|line| line.starts_with("sm_80: `gives` with"))
        .collect();
    let [first, second] = attempts[..] else {
        panic!("there are two attempts: {retried}");
    };
    assert!(first.contains("with 4 warps: each thread spills ") && first.ends_with("are tried"));
    assert!(second.contains("with 8 warps: chosen: each thread spills "));
    // The number of warps that the author asks for is kept.
    let kept = explained(&["--num-warps=4"]);
    assert!(kept.contains("4 warps  "), "{kept}");
    assert!(kept.contains("but an option or a hint asks for this number of warps"));
}

#[test]
fn registers_are_limited_on_request() {
    if !tools_are_there() {
        return;
    }
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let ptx = |option: &str| {
        let arguments = ["build", "a.mlir", "--arch=sm_80", "--emit=ptx", option];
        tilec.prints(&arguments, b"")
    };
    assert!(ptx("--max-registers=64").contains(".maxnreg 64\n"));
    assert!(!ptx("--num-warps=4").contains(".maxnreg"));
}

#[test]
fn a_kernel_waits_for_the_previous_one_on_request() {
    if !tools_are_there() {
        return;
    }
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let waits = |arch: &str, option: &[&str]| {
        let mut arguments = vec!["build", "a.mlir", arch, "--emit=ptx", "--launches=a.json"];
        arguments.extend(option);
        let ptx = tilec.prints(&arguments, b"");
        let launches: serde_json::Value =
            serde_json::from_slice(&tilec.read("a.json")).expect("it is JSON");
        let programmatic = launches["launches"][0]["programmatic"].clone();
        (ptx.contains("griddepcontrol.wait"), programmatic)
    };
    let option = ["--programmatic-launch"];
    assert_eq!(waits("--arch=sm_90a", &option), (true, true.into()));
    assert_eq!(waits("--arch=sm_90a", &[]), (false, false.into()));
    assert_eq!(waits("--arch=sm_80", &option), (false, false.into()));
}

#[test]
fn a_compilation_that_takes_long_is_said_unasked() {
    let tilec = Tilec::new().with("a.mlir", NARROW);
    let build = |seconds: &str, options: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args([
                "build",
                "a.mlir",
                "--arch=sm_80",
                "--emit=ptx",
                "-o",
                "a.ptx",
            ])
            .args(options)
            .env("TILE_SLOW", seconds)
            .current_dir(tilec.folder.path())
            .output()
            .expect("the command starts")
    };
    assert_eq!(text_of(&build("1000", &[]).stderr), "");
    let text = text_of(&build("0.001", &[]).stderr);
    let start = "a.mlir:6:14: remark[R0801]: compiling took ";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("  = in: `copy`, for `sm_80`\n"), "{text}");
    assert!(text.contains("  = help: "), "{text}");
    let json = text_of(&build("0.001", &["--remarks=json"]).stderr);
    let is_slow = |line: &str| {
        let object: serde_json::Value = serde_json::from_str(line).expect("an object per line");
        object["code"] == "R0801" && object["archs"] == serde_json::json!(["sm_80"])
    };
    assert_eq!(
        json.lines().filter(|line| is_slow(line)).count(),
        1,
        "{json}"
    );
    let wrong = build("soon", &[]);
    assert_eq!(wrong.status.code(), Some(1));
    let text = text_of(&wrong.stderr);
    assert!(
        text.contains("TILE_SLOW") && text.contains("a number of seconds"),
        "{text}"
    );
}

#[test]
fn options_that_contradict_each_other_are_refused_with_the_cure() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let fails = |arguments: &str| {
        let arguments = format!("build a.mlir {arguments}");
        let arguments: Vec<&str> = arguments.split(' ').collect();
        tilec.fails(&arguments, b"")
    };
    for (arguments, cure) in [
        (
            "--gpu-name=sm_80 -g -O2",
            "take `-O0`, or `--lineinfo` instead of `-g`",
        ),
        (
            "--gpu-name=sm_80,sm_90 --emit=cubin",
            "take `--emit=fatbin`",
        ),
        (
            "--gpu-name=sm_80 --sanitize=memcheck",
            "`tilec run --device=sim`",
        ),
        (
            "--gpu-name=sm_80 --num-warps=3",
            "a power of two from 1 to 32",
        ),
        (
            "--gpu-name=sm_80 --max-registers=60",
            "a multiple of 8 from 32 to 248",
        ),
        (
            "--gpu-name=sm_80 --print-after=barrier",
            "a similar value exists: 'barriers'",
        ),
        ("--gpu-name=sm_81", "known are"),
        ("-O3", "--gpu-name"),
        ("--gpu-name=sm_90a --tensor-maps=host", "`--launches=FILE`"),
        (
            "--gpu-name=sm_90a --cluster-split=auto",
            "`--launches=FILE`",
        ),
        (
            "--gpu-name=sm_90a --emit=ptx --persistent=auto",
            "take `--tensor-maps=host` with it",
        ),
        (
            "--gpu-name=sm_90a --emit=gpu --launches=a.json",
            "take `--emit=ptx`",
        ),
        (
            "--gpu-name=sm_90a --emit=ptx --launches=-",
            "give one of them a file",
        ),
    ] {
        let said = fails(arguments);
        assert!(said.contains(cure), "{arguments}: {said}");
    }
    let versions = tilec.prints(&["build", "--list-versions"], b"");
    assert!(versions.lines().any(|line| line == "13.3"), "{versions}");
}

/// Returns `true` if the CUDA tools are installed. Prints the missing tool; with
/// `TILE_REQUIRE_TOOLS=1`, as in CI, a missing tool is a failure.
#[expect(clippy::print_stderr, reason = "the reason why a test is skipped")]
pub(crate) fn tools_are_there() -> bool {
    let missing = [Tool::Ptxas, Tool::Fatbinary]
        .into_iter()
        .find_map(|tool| tool.find().err());
    let Some(error) = missing else { return true };
    let required = std::env::var("TILE_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    assert!(!required, "{error}");
    eprintln!("skipped: {error} (run `cargo xtask setup`)");
    false
}

#[test]
fn launches_say_what_a_caller_passes() {
    if !tools_are_there() {
        return;
    }
    let tilec = Tilec::new().with("a.mlir", PARALLEL);
    let build = ["build", "a.mlir", "--arch=sm_80,sm_90a", "--launches=-"];
    let output = tilec.run(&build);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let launches = json["launches"].as_array().expect("launches");
    let archs: Vec<&serde_json::Value> = launches.iter().map(|launch| &launch["arch"]).collect();
    assert_eq!(archs, ["sm_80", "sm_90a"]);
    for launch in launches {
        assert_eq!(launch["entry"], "sum");
        let types = serde_json::json!([
            "tile<i32>",
            "tile<ptr<i32>>",
            "tile<ptr<i64>>",
            "tile<ptr<i32>>"
        ]);
        assert_eq!(launch["parameters"], types);
        let room = serde_json::json!([
            { "element": "i64", "elements": 1, "for_each": "launch", "zeroed": true },
            { "element": "i32", "elements": 1, "for_each": "block", "zeroed": false },
        ]);
        assert_eq!(launch["buffers"], room);
        assert_eq!(launch["maps"], serde_json::json!([]));
        assert!(
            launch["threads"]
                .as_u64()
                .is_some_and(|threads| threads >= 32)
        );
    }
    assert!(
        tilec
            .read("a.fatbin")
            .starts_with(&0xba55_ed50_u32.to_le_bytes())
    );
}

/// A sum over the iterations of a loop that becomes the grid.
const PARALLEL: &str = "\
cuda_tile.module @kernels {
  entry @sum(%n: tile<i32>, %p: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = loop.parallel (%i) = (%zero) to (%n) step (%one) init (%zero) -> (tile<i32>) : tile<i32> {
      loop.reduce(%i) {
      ^bb0(%a: tile<i32>, %b: tile<i32>):
        %c = addi %a, %b : tile<i32>
        loop.reduce.return %c : tile<i32>
      } : tile<i32>
    }
    %t = store_ptr_tko weak %p, %sum : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
";

#[test]
fn structured_loops_are_flattened_and_what_they_need_is_said() {
    let tilec = Tilec::new();
    let arguments = ["build", "-", "--arch=sm_90", "--emit=ir"];
    let output = tilec.run_on(&arguments, PARALLEL.as_bytes());
    let (stdout, stderr) = (text_of(&output.stdout), text_of(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(
        !stdout.contains("loop.") && stdout.contains("for "),
        "{stdout}"
    );
    for expected in [
        "<stdin>:2:3: note: `sum` takes 2 more pointers, after its arguments",
        "room for 1 of `i64`, 0 at the first launch",
        "room for 1 of `i32` for each block of the grid",
    ] {
        assert!(stderr.contains(expected), "{expected}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn tools_are_started_once_for_what_is_wanted_and_stages_are_timed() {
    use std::os::unix::fs::PermissionsExt as _;
    if !tools_are_there() {
        return;
    }
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let folder = tilec.folder.path();
    let counted = |tool: Tool| {
        let real = tool.find().expect("the tools are there");
        let script = folder.join(format!("counted-{tool}"));
        let text = format!(
            "#!/bin/sh\necho {tool} >> '{}/starts'\nexec '{}' \"$@\"\n",
            folder.display(),
            real.display()
        );
        std::fs::write(&script, text).expect("a file");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&script, mode).expect("ours");
        script
    };
    let (ptxas, fatbinary) = (counted(Tool::Ptxas), counted(Tool::Fatbinary));
    let starts = |archs: &str, emit: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args(["build", "a.mlir", archs, emit, "-o", "product"])
            .current_dir(folder)
            .env("TILE_PTXAS", &ptxas)
            .env("TILE_FATBINARY", &fatbinary)
            .env("TILE_TIME", "1")
            .output()
            .expect("the command starts");
        let said = text_of(&output.stderr);
        assert!(output.status.success(), "{said}");
        for stage in ["tilec: parse ", " select ", " ptxas ", " total "] {
            assert!(said.contains(stage), "{said}");
        }
        let mut starts: Vec<String> = std::fs::read_to_string(folder.join("starts"))
            .expect("a tool was started")
            .lines()
            .map(str::to_owned)
            .collect();
        std::fs::remove_file(folder.join("starts")).expect("it was read");
        starts.sort();
        starts.join(" ")
    };
    assert_eq!(starts("--arch=sm_80", "--emit=cubin"), "ptxas");
    assert_eq!(starts("--arch=sm_80,sm_90a", "--emit=ptx"), "ptxas ptxas");
    let bundled = starts("--arch=sm_80,sm_90a", "--emit=fatbin");
    assert_eq!(bundled, "fatbinary ptxas ptxas");
}
