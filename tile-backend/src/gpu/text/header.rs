//! The properties of a kernel in text: the only place that names its fields.

use super::codec::by_field;
use super::cursor::{Cursor, Parsed};
use super::{Codec, Field, Flag, Named, Optional, Runs, Value, record, separate, tagged};
use crate::gpu::{
    Aliasing, Arena, Buffer, Clusters, GroupedRaster, Kernel, LptOrder, ParamKind, RasterOrder,
    TokenPaths, Variable,
};
use crate::options::DisabledPasses;
use std::fmt::Write as _;

/// Defines the first line of a kernel: fields, each with its form.
macro_rules! properties {
    ($($($field:ident).+: $how:expr,)+) => {
        /// Appends the properties.
        pub(super) fn print(kernel: &Kernel, text: &mut String) {
            $($how.print(&kernel.$($field).+, text);)+
        }

        /// Takes the properties.
        pub(super) fn parse(kernel: &mut Kernel, cursor: &mut Cursor<'_>) -> Parsed<()> {
            $(kernel.$($field).+ = $how.parse(cursor)?;)+
            Ok(())
        }
    };
}

properties! {
    launch.num_warps: Named("warps"),
    launch.producer_warps: Optional("producers"),
    launch.blocks_per_multiprocessor: Named("occupancy"),
    launch.blocks_per_tile: Named("blocks_per_tile"),
    launch.clusters: Optional("clusters"),
    launch.raster_order: Named("raster"),
    launch.is_persistent: Flag("persistent"),
    launch.is_programmatic: Flag("programmatic"),
    shared.bytes: Optional("shared"),
    requests.options.num_warps: Optional("requested_warps"),
    requests.options.stages: Optional("stages"),
    requests.options.occupancy: Optional("requested_occupancy"),
    requests.options.cluster: Optional("cluster_hint"),
    requests.options.max_registers: Optional("max_registers"),
    requests.options.programmatic_launch: Optional("requested_programmatic"),
    requests.options.disabled: Optional("disabled"),
    order.paths: Optional("paths"),
    order.aliasing: Optional("aliased"),
    order.reused: Optional("reused"),
}

tagged! { Clusters { "single" [Self::Single], "pairs" [Self::Pairs], }}
tagged! { RasterOrder {
    "fixed" [Self::Fixed],
    "any" [Self::Any],
    "grouped" [Self::Grouped(GroupedRaster { log2_blocks })] {log2_blocks: Named("log2_blocks")},
    "lpt" [Self::Lpt(LptOrder { axis, rises })] {axis: Named("axis"), rises: Flag("rises")},
}}
tagged! { ParamKind {
    "ptr" [Self::Pointer { pointee, access, align_bytes, is_unique }]
        {pointee, access, align_bytes: Named("align"), is_unique: Flag("unique")},
    "scalar" [Self::Scalar(scalar)] {scalar},
}}
record! { Buffer {
    element, bytes: Named("bytes"), stages: Named("stages"), align_bytes: Named("align"),
    layout: Optional("layout"), is_dedicated: Flag("dedicated"), offset_bytes: Optional("at"),
}}
record! { Variable {
    name, data, elements: Named("elements"), align_bytes: Named("align"),
    is_constant: Flag("constant"), is_public: Flag("public"),
}}
record! { Arena {
    bytes: Named("bytes"), align_bytes: Named("align"), slots: Named("slots"),
    number: Named("number"),
}}

/// A symbol: `@name`, or `@"name"` with characters that words do not have.
impl Codec for String {
    fn print(&self, text: &mut String) {
        separate(text);
        text.push('@');
        if Cursor::new(self).peek_word() == self {
            text.push_str(self);
        } else {
            <Box<str>>::from(self.as_str()).print(text);
        }
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        cursor.expect("@")?;
        if cursor.peek_word().is_empty() {
            return <Box<str>>::parse(cursor).map(Into::into);
        }
        cursor.word("a symbol").map(Into::into)
    }
}

/// The names of the flags.
impl Codec for DisabledPasses {
    fn print(&self, text: &mut String) {
        let names: Vec<String> = self
            .iter_names()
            .map(|(name, _)| name.to_lowercase())
            .collect();
        let _ = write!(text, "[{}]", names.join(", "));
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let passes = cursor.list(("[", "]"), |cursor| {
            let mut start = cursor.clone();
            let pass = Self::from_name(&cursor.word("a pass")?.to_uppercase());
            pass.ok_or_else(|| start.expected("a pass"))
        })?;
        Ok(passes.into_iter().collect())
    }
}

/// For each operation of tile IR, those to which a path leads.
impl Codec for TokenPaths {
    fn print(&self, text: &mut String) {
        let runs = |row: &Vec<u64>| {
            let count = u32::try_from(row.len() * 64).expect("few operations");
            let is_set = |&bit: &u32| row[bit as usize / 64] >> (bit % 64) & 1 != 0;
            Runs((0..count).filter(is_set).collect())
        };
        self.rows().iter().map(runs).collect::<Vec<_>>().print(text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let mut start = cursor.clone();
        let lists = <Vec<Runs>>::parse(cursor)?;
        let words = lists.len().div_ceil(64);
        let rows = lists.iter().map(|Runs(list)| {
            let mut row = vec![0; words];
            for &bit in list {
                *row.get_mut(bit as usize / 64)? |= 1_u64 << (bit % 64);
            }
            Some(row)
        });
        let rows = rows.collect::<Option<_>>().map(Self::new);
        rows.ok_or_else(|| start.error("a path leads to an operation without a row"))
    }
}

impl Codec for Aliasing {
    fn print(&self, text: &mut String) {
        Runs(self.shared().into_iter().map(to_u32).collect()).print(text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let Runs(params) = Runs::parse(cursor)?;
        Ok(Self::new(
            params.into_iter().map(|param| param as usize).collect(),
        ))
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).expect("a kernel has few parameters")
}
