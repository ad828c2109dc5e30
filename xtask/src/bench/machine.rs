//! Describes the machine of a measurement.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::thread::available_parallelism;

/// Returns processor model, cores and caches, from Linux.
pub(super) fn description() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model(&info).unwrap_or("unknown processor");
    let cores = available_parallelism().map_or(1, usize::from);
    let plural = if cores == 1 { "" } else { "s" };
    let mut text = format!("{model}, {cores} core{plural}");
    for index in 0..8 {
        let read = |name| {
            let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
            fs::read_to_string(path).map(|text| text.trim().to_owned())
        };
        let (Ok(level), Ok(kind), Ok(size)) = (read("level"), read("type"), read("size")) else {
            break;
        };
        if kind != "Instruction" {
            let _ = write!(text, ", L{level} {size}");
        }
    }
    text
}

fn model(info: &str) -> Option<&str> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, model)| model.trim())
}

/// Returns the relevant vector extensions of the processor.
pub(super) fn vectors() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = info.lines().find(|line| line.starts_with("flags"));
    let flags: Vec<&str> = flags.unwrap_or_default().split_whitespace().collect();
    let relevant = [
        "avx2",
        "fma",
        "avx512f",
        "avx512_vnni",
        "avx512_bf16",
        "amx_int8",
        "amx_bf16",
    ];
    let extension = relevant.into_iter().filter(|flag| flags.contains(flag));
    extension.collect::<Vec<_>>().join(", ")
}

/// Returns `true` if the processor has AVX-512.
pub(super) fn has_avx512() -> bool {
    vectors().contains("avx512f")
}

/// Returns the first line that a command prints, or an empty string.
pub(super) fn first_line(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let text = text.unwrap_or_default();
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::model;

    #[test]
    fn the_model_is_found_among_other_lines() {
        let info = "processor\t: 0\nmodel\t\t: 2\nmodel name\t: Some CPU @ 3 GHz\n";
        assert_eq!(model(info), Some("Some CPU @ 3 GHz"));
        assert_eq!(model("processor\t: 0\n"), None);
    }
}
