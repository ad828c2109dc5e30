//! Options whose values are the variants of an enum of the back end.
//!
//! `clap` derives names of values only for enums of this crate, so the enums of the back end have tables of
//! names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tile_backend::session::{ClusterSplit, HostMaps, Persistence};

/// Each value with its name and its help.
type Choices<T> = &'static [(&'static str, &'static str, T)];

const TENSOR_MAPS: Choices<HostMaps> = &[
    (
        "none",
        "No tensor maps: threads copy tiles with `cp.async`",
        HostMaps::None,
    ),
    (
        "host",
        "The host encodes tensor maps, and passes them after the arguments; without effect before sm_90",
        HostMaps::Encoded,
    ),
];

const PERSISTENCE: Choices<Persistence> = &[
    ("off", "One block for each work tile", Persistence::Off),
    (
        "auto",
        "One wave of blocks where that pays; the host passes the extents of the grid after the maps",
        Persistence::Auto,
    ),
];

const CLUSTER_SPLIT: Choices<ClusterSplit> = &[
    ("off", "One block for each work tile", ClusterSplit::Off),
    (
        "auto",
        "A cluster for a work tile that is too large for one block",
        ClusterSplit::Auto,
    ),
];

/// Parses the values of `--tensor-maps`.
pub(crate) fn tensor_maps() -> impl TypedValueParser<Value = HostMaps> {
    choice(TENSOR_MAPS)
}

/// Parses the values of `--persistent`.
pub(crate) fn persistence() -> impl TypedValueParser<Value = Persistence> {
    choice(PERSISTENCE)
}

/// Parses the values of `--cluster-split`.
pub(crate) fn cluster_split() -> impl TypedValueParser<Value = ClusterSplit> {
    choice(CLUSTER_SPLIT)
}

fn choice<T: Copy + Send + Sync + 'static>(
    choices: Choices<T>,
) -> impl TypedValueParser<Value = T> {
    let values = choices
        .iter()
        .map(|&(name, help, _)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).map(move |chosen| {
        let (_, _, value) = choices
            .iter()
            .find(|&&(name, _, _)| name == chosen)
            .expect("clap accepts the names of the table alone");
        *value
    })
}
