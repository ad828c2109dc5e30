//! The environment variables that the driver reads, each once.

use std::sync::LazyLock;

use tile_sim::{Checks, Options};

/// The variables with their meaning, for the documentation.
pub const VARIABLES: &[(&str, &str)] = &[
    (
        "TILE_SIM_DEVICES",
        "the devices, such as `h100*2,a100`: `a100`, `h100`, `h200`, `b200` and `rtx5090`; `none` for none. Default: `h100`",
    ),
    (
        "TILE_SIM_RACES",
        "`0` does not look for races between operations",
    ),
    (
        "TILE_SIM_UNINITIALIZED",
        "`0` lets launches read device memory that nothing has written",
    ),
    (
        "TILE_SIM_CHECKS",
        "`cheap` checks bounds, alignment and deadlocks only, which is faster, and finds no races",
    ),
    (
        "TILE_SEED",
        "a number that selects the order of warps and blocks. Default: 0, which runs blocks on all cores",
    ),
    (
        "TILE_SIM_CLOCK",
        "`host` gives events the times of the host, instead of those that the work is estimated to take on the device",
    ),
    (
        "TILE_SIM_FAIL",
        "`NAME=RESULT@N`, separated by commas: the Nth call of a function fails with a result, such as `cuMemAlloc_v2=CUDA_ERROR_OUT_OF_MEMORY@3`",
    ),
    (
        "TILE_SIM_HIDE",
        "functions, separated by commas, that neither `dlsym` nor `cuGetProcAddress` finds, as in an older driver",
    ),
];

fn value(name: &str) -> Option<String> {
    assert!(
        VARIABLES.iter().any(|(known, _)| *known == name),
        "`{name}` is documented"
    );
    let value = std::env::var_os(name)?;
    (!value.is_empty()).then(|| value.to_string_lossy().into_owned())
}

/// Returns the value of `TILE_SIM_DEVICES`.
pub(crate) fn devices() -> Option<String> {
    value("TILE_SIM_DEVICES")
}

/// Returns the value of `TILE_SIM_FAIL`.
pub(crate) fn failures() -> Option<String> {
    value("TILE_SIM_FAIL")
}

/// Returns the value of `TILE_SIM_HIDE`.
pub(crate) fn hidden() -> Option<&'static str> {
    static HIDDEN: LazyLock<Option<String>> = LazyLock::new(|| value("TILE_SIM_HIDE"));
    HIDDEN.as_deref()
}

/// Returns `true` if races between operations are looked for.
pub(crate) fn finds_races() -> bool {
    static FINDS: LazyLock<bool> =
        LazyLock::new(|| value("TILE_SIM_RACES").as_deref() != Some("0"));
    *FINDS
}

/// Returns `true` if launches may not read memory that nothing has written.
pub(crate) fn finds_uninitialized() -> bool {
    static FINDS: LazyLock<bool> =
        LazyLock::new(|| value("TILE_SIM_UNINITIALIZED").as_deref() != Some("0"));
    *FINDS && finds_races()
}

/// Returns `true` if events have the times of the host.
pub(crate) fn has_host_clock() -> bool {
    static HOST: LazyLock<bool> =
        LazyLock::new(|| value("TILE_SIM_CLOCK").as_deref() == Some("host"));
    *HOST
}

/// Returns `true` if accesses of the host to memory that operations use are looked for.
pub(crate) fn watches_host() -> bool {
    finds_races() && matches!(options().checks, Checks::All)
}

/// Returns the options of every launch.
pub(crate) fn options() -> &'static Options {
    static OPTIONS: LazyLock<Options> = LazyLock::new(|| {
        let seed = value("TILE_SEED").and_then(|text| text.parse().ok());
        let is_cheap = value("TILE_SIM_CHECKS").as_deref() == Some("cheap");
        Options {
            seed: seed.unwrap_or(0),
            checks: if is_cheap { Checks::Cheap } else { Checks::All },
            ..Options::default()
        }
    });
    &OPTIONS
}
