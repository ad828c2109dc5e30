//! Values in text: one declaration for printing and for parsing.

use super::cursor::{Cursor, ParseError, Parsed};
use crate::gpu::kernel::{BufferId, LayoutId};
use crate::layout::{Axis, Register};
use std::fmt::Write as _;
use std::sync::Arc;
use tile_core::Scalar;
use tile_core::interp::Prints;
use tile_core::ir::{AtomicRmwMode, MemoryOrdering, MemoryScope};

/// A type with a text form.
pub(in crate::gpu) trait Codec: Sized {
    /// Appends the text.
    fn print(&self, text: &mut String);

    /// Takes the text.
    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self>;

    /// Appends the text of a list.
    fn print_list(list: &[Self], text: &mut String) {
        text.push('[');
        for (index, item) in list.iter().enumerate() {
            text.push_str(if index == 0 { "" } else { ", " });
            item.print(text);
        }
        text.push(']');
    }

    /// Takes the text of a list.
    fn parse_list(cursor: &mut Cursor<'_>) -> Parsed<Vec<Self>> {
        cursor.list(("[", "]"), Self::parse)
    }
}

/// A form of an attribute in text.
pub(in crate::gpu) trait Field<T> {
    /// Appends a space and the attribute.
    fn print(&self, value: &T, text: &mut String);

    /// Takes the attribute.
    fn parse(&self, cursor: &mut Cursor<'_>) -> Result<T, ParseError>;
}

/// The value alone.
pub(in crate::gpu) struct Value;

/// `name=value`.
pub(in crate::gpu) struct Named(pub(in crate::gpu) &'static str);

/// `name=value`, or nothing for the default.
pub(in crate::gpu) struct Optional(pub(in crate::gpu) &'static str);

/// `name`, or nothing for `false`.
pub(in crate::gpu) struct Flag(pub(in crate::gpu) &'static str);

/// `!0`, the index of a tensor map.
pub(in crate::gpu) struct Map;

/// A number in hexadecimal.
pub(in crate::gpu) struct Hex;

/// Returns the form of a field: [`Value`], unless another is given.
macro_rules! by_field {
    () => {
        Value
    };
    ($how:expr) => {
        $how
    };
}
pub(in crate::gpu) use by_field;

/// Defines the codec of a struct: its fields in order.
macro_rules! record {
    ($Type:ty { $($field:ident $(: $how:expr)?),+ $(,)? }) => {
        impl Codec for $Type {
            fn print(&self, text: &mut String) {
                let Self { $($field),+ } = self;
                $(by_field!($($how)?).print($field, text);)+
            }

            fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
                $(let $field = by_field!($($how)?).parse(cursor)?;)+
                Ok(Self { $($field),+ })
            }
        }
    };
}
pub(super) use record;

/// Defines the codec of an enum: a word for each variant, and the fields of the variant.
macro_rules! tagged {
    ($Type:ty { $($word:literal [$($shape:tt)+] $({$($field:ident $(: $how:expr)?),*})?,)+ }) => {
        impl Codec for $Type {
            fn print(&self, text: &mut String) {
                match self {
                    $($($shape)+ => {
                        separate(text);
                        text.push_str($word);
                        $($(by_field!($($how)?).print($field, text);)*)?
                    })+
                }
            }

            fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
                const WORDS: &[&str] = &[$($word),+];
                let mut start = cursor.clone();
                match cursor.word("a word")? {
                    $($word => {
                        $($(let $field = by_field!($($how)?).parse(cursor)?;)*)?
                        Ok($($shape)+)
                    })+
                    _ => Err(start.expected(&format!("one of `{}`", WORDS.join("`, `")))),
                }
            }
        }
    };
}
pub(super) use tagged;

/// Appends a space, unless a value may follow immediately.
pub(super) fn separate(text: &mut String) {
    if !text.is_empty() && !text.ends_with([' ', '[', '(', '=', '\n']) {
        text.push(' ');
    }
}

impl<T: Codec> Field<T> for Value {
    fn print(&self, value: &T, text: &mut String) {
        separate(text);
        value.print(text);
    }

    fn parse(&self, cursor: &mut Cursor<'_>) -> Parsed<T> {
        T::parse(cursor)
    }
}

impl<T: Codec> Field<T> for Named {
    fn print(&self, value: &T, text: &mut String) {
        separate(text);
        text.push_str(self.0);
        text.push('=');
        value.print(text);
    }

    fn parse(&self, cursor: &mut Cursor<'_>) -> Parsed<T> {
        if cursor.eat_key(self.0) {
            return T::parse(cursor);
        }
        Err(cursor.expected(&format!("attribute `{}`", self.0)))
    }
}

impl<T: Codec + Default> Field<T> for Optional {
    fn print(&self, value: &T, text: &mut String) {
        let [mut this, mut default] = [String::new(), String::new()];
        value.print(&mut this);
        T::default().print(&mut default);
        if this != default {
            Named(self.0).print(value, text);
        }
    }

    fn parse(&self, cursor: &mut Cursor<'_>) -> Parsed<T> {
        if cursor.eat_key(self.0) {
            T::parse(cursor)
        } else {
            Ok(T::default())
        }
    }
}

impl Field<bool> for Flag {
    fn print(&self, value: &bool, text: &mut String) {
        if *value {
            separate(text);
            text.push_str(self.0);
        }
    }

    fn parse(&self, cursor: &mut Cursor<'_>) -> Parsed<bool> {
        Ok(cursor.eat_word(self.0))
    }
}

impl Field<usize> for Map {
    fn print(&self, value: &usize, text: &mut String) {
        separate(text);
        let _ = write!(text, "!{value}");
    }

    fn parse(&self, cursor: &mut Cursor<'_>) -> Parsed<usize> {
        cursor.index("!", cursor.maps, "tensor map")
    }
}

impl Field<u64> for Hex {
    fn print(&self, value: &u64, text: &mut String) {
        separate(text);
        let _ = write!(text, "{value:#x}");
    }

    fn parse(&self, cursor: &mut Cursor<'_>) -> Parsed<u64> {
        cursor.number()
    }
}

/// A list of numbers, printed as runs: `[0..4, 7]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs(pub(super) Vec<u32>);

impl Codec for Runs {
    fn print(&self, text: &mut String) {
        let runs = self.0.chunk_by(|a, b| a.checked_add(1) == Some(*b));
        let runs = runs.map(|run| match run {
            [first, .., last] if *last < u32::MAX => format!("{first}..{}", last + 1),
            run => run
                .iter()
                .map(u32::to_string)
                .collect::<Vec<_>>()
                .join(", "),
        });
        let runs: Vec<String> = runs.collect();
        let _ = write!(text, "[{}]", runs.join(", "));
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let runs = cursor.list(("[", "]"), Cursor::run)?;
        Ok(Self(runs.into_iter().flatten().collect()))
    }
}

impl Codec for Register {
    fn print(&self, text: &mut String) {
        self.0.print(text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        cursor.number().map(Register)
    }

    fn print_list(list: &[Self], text: &mut String) {
        Runs(list.iter().map(|register| register.0).collect()).print(text);
    }

    fn parse_list(cursor: &mut Cursor<'_>) -> Parsed<Vec<Self>> {
        let runs = Runs::parse(cursor)?;
        Ok(runs.0.into_iter().map(Register).collect())
    }
}

macro_rules! numbers {
    ($($Number:ty)+) => {$(
        impl Codec for $Number {
            fn print(&self, text: &mut String) {
                let _ = write!(text, "{self}");
            }

            fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
                cursor.number()
            }
        }
    )+};
}
numbers!(u8 u32 u64 usize);

/// Enums of other modules, which know their own names.
macro_rules! named {
    ($($Name:ty: $all:expr, $what:literal;)+) => {$(
        impl Codec for $Name {
            fn print(&self, text: &mut String) {
                text.push_str(self.name());
            }

            fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
                let mut start = cursor.clone();
                let word = cursor.word($what)?;
                let value = $all.iter().copied().find(|value| value.name() == word);
                value.ok_or_else(|| start.expected($what))
            }
        }
    )+};
}
named! {
    Scalar: Scalar::ALL, "an element type";
    MemoryOrdering: MemoryOrdering::ALL, "a memory ordering";
    MemoryScope: MemoryScope::ALL, "a memory scope";
    AtomicRmwMode: AtomicRmwMode::ALL, "an atomic operation";
}

tagged! { Prints {
    "signed" [Self::Signed],
    "unsigned" [Self::Unsigned],
    "float" [Self::Float],
    "character" [Self::Character],
    "text" [Self::Text],
    "pointer" [Self::Pointer],
}}

tagged! { bool { "false" [false], "true" [true], }}

impl Codec for BufferId {
    fn print(&self, text: &mut String) {
        let _ = write!(text, "${}", self.index());
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let index = cursor.index("$", cursor.buffers, "buffer")?;
        Ok(Self::new(index))
    }
}

impl Codec for LayoutId {
    fn print(&self, text: &mut String) {
        let _ = write!(text, "#{}", self.index());
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let index = cursor.index("#", cursor.layouts, "layout")?;
        Ok(Self::new(index))
    }
}

impl Codec for Axis {
    fn print(&self, text: &mut String) {
        self.0.print(text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        cursor.number().map(Axis)
    }
}

impl Codec for Arc<str> {
    fn print(&self, text: &mut String) {
        let _ = write!(text, "\"{}\"", self.as_bytes().escape_ascii());
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        let mut start = cursor.clone();
        let bytes = cursor.string()?;
        let string = String::from_utf8(bytes);
        string
            .map(Into::into)
            .map_err(|_| start.error("the string is no UTF-8"))
    }
}

/// Only for fields that may be absent ([`Optional`]).
impl<T: Codec> Codec for Option<T> {
    fn print(&self, text: &mut String) {
        if let Some(value) = self {
            value.print(text);
        }
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        T::parse(cursor).map(Some)
    }
}

impl<T: Codec> Codec for Box<T> {
    fn print(&self, text: &mut String) {
        T::print(self, text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        T::parse(cursor).map(Box::new)
    }
}

impl<T: Codec> Codec for Vec<T> {
    fn print(&self, text: &mut String) {
        T::print_list(self, text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        T::parse_list(cursor)
    }
}

impl<T: Codec> Codec for Arc<[T]> {
    fn print(&self, text: &mut String) {
        T::print_list(self, text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        T::parse_list(cursor).map(Into::into)
    }
}

impl<A: Codec, B: Codec> Codec for (A, B) {
    fn print(&self, text: &mut String) {
        text.push('(');
        self.0.print(text);
        text.push_str(", ");
        self.1.print(text);
        text.push(')');
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        cursor.expect("(")?;
        let first = A::parse(cursor)?;
        cursor.expect(",")?;
        let second = B::parse(cursor)?;
        cursor.expect(")")?;
        Ok((first, second))
    }
}

impl<T: Codec + Copy> Codec for [T; 2] {
    fn print(&self, text: &mut String) {
        (self[0], self[1]).print(text);
    }

    fn parse(cursor: &mut Cursor<'_>) -> Parsed<Self> {
        <(T, T)>::parse(cursor).map(Self::from)
    }
}
