//! The table of the language: every function, method and constant of kernels, with its usage, its declaration, its
//! documentation and its check.
//!
//! The checker finds the row of a call by the name and calls its check; names for suggestions come from the same
//! rows. The declarations that rust-analyzer sees (`src/shadow/language.rs`) and the reference tables of
//! `docs/language.md` are generated from them ([`documents`]). Elementwise functions have a table of their own with
//! further columns ([`crate::hir::math`]), to which [`elementwise_names`] adds the other methods of numbers.

mod constants;
#[cfg(test)]
mod documents;
mod enums;
mod functions;
mod numbers;
mod pointers;
mod tensors;
mod tiles;
mod views;

pub(crate) use constants::max_of;
pub(super) use constants::{MATHEMATICAL, Value, associated, associated_names};
pub(super) use enums::{Enum, ORDERINGS, PADDINGS, ROUNDINGS, SCOPES, TYPES};
pub(super) use functions::{ASSOCIATED, FUNCTIONS};
pub(super) use numbers::NUMBERS;
pub(super) use pointers::POINTERS;
pub(super) use tensors::TENSORS;
pub(super) use tiles::TILES;
pub(super) use views::{GATHER_VIEWS, PARTITIONS};

use super::Checker;
use super::calls::{Callee, FunctionCall};
use super::math::MethodCall;
use crate::hir::{AtomicMethod, AtomicOp, ExprId, MathOp, PartitionTy, PointerTy, TensorTy, Ty};
use crate::parse::ast::{self, Name};

/// A function or method.
pub(super) struct Row<Check: 'static> {
    /// Its name.
    pub(super) name: &'static str,
    /// A sample call, for messages.
    pub(super) usage: &'static str,
    /// `true` if it takes an element type between `::<` and `>`.
    pub(super) is_generic: bool,
    /// Its declaration in Rust, for rust-analyzer.
    #[cfg_attr(not(test), expect(dead_code, reason = "files are generated from it"))]
    declaration: Declaration,
    /// The lines of its documentation.
    #[cfg_attr(not(test), expect(dead_code, reason = "files are generated from it"))]
    doc: &'static [&'static str],
    /// The function that checks a call.
    pub(super) check: Check,
}

/// The declaration of functions and methods, without a name.
#[cfg_attr(not(test), expect(dead_code, reason = "files are generated from it"))]
pub(super) struct Declaration {
    /// `fn` or `unsafe fn`, generics, parameters, result and bounds. In methods `T` is the element type and `RANK` the
    /// rank of the receiver.
    text: &'static str,
    /// Lines that follow the documentation of every function with this declaration.
    notes: &'static [&'static str],
}

impl Declaration {
    const fn new(text: &'static str) -> Self {
        Declaration { text, notes: &[] }
    }
}

/// Checks a call of a free function; `None` after an error.
pub(super) type FunctionCheck = fn(&mut Checker<'_>, &FunctionCall<'_>) -> Option<ExprId>;
/// Checks a call of a function of a type; `None` after an error.
pub(super) type AssociatedCheck = fn(&mut Checker<'_>, &Name, &FunctionCall<'_>) -> Option<ExprId>;
/// Checks a method of a receiver of this type; `None` after an error.
type MethodCheck<Receiver> = fn(&mut Checker<'_>, &Receiver, &MethodCall<'_>) -> Option<ExprId>;
/// Checks a method of a number or tile of this type; `None` after an error.
pub(super) type NumberCheck = MethodCheck<Ty>;
/// Checks a method of a tensor; `None` after an error.
pub(super) type TensorCheck = MethodCheck<TensorTy>;
/// Checks a method of a partition, strided view or gather view; `None` after an error.
pub(super) type ViewCheck = fn(&mut Checker<'_>, &PartitionTy, &MethodCall<'_>) -> Option<ExprId>;
/// Checks a method of a pointer or a tile of pointers; `None` after an error.
pub(super) type PointerCheck = fn(&mut Checker<'_>, &PointerTy, &MethodCall<'_>) -> Option<ExprId>;

/// Declares a list of rows: `"name" (generic) "usage" "declaration" => check;` after the documentation, where the
/// declaration may also be the name of a [`Declaration`], and the check is an expression over the parameters of the list.
macro_rules! rows {
    (
        $(#[$meta:meta])*
        $NAME:ident: $Check:ty = $params:tt;
        $($(#[doc = $doc:literal])+ $name:literal $(($generic:ident))? $usage:literal $declaration:tt => $check:expr;)+
    ) => {
        $(#[$meta])*
        pub(in crate::check) const $NAME: &[Row<$Check>] = &[$(
            Row {
                name: $name,
                usage: $usage,
                is_generic: rows!(@generic $($generic)?),
                declaration: rows!(@declaration $declaration),
                doc: &[$($doc),+],
                check: rows!(@closure $params $check),
            },
        )+];
    };
    (@closure ($($param:ident),+) $check:expr) => {
        |$($param),+| {
            // Not every check needs every parameter.
            $(let _ = &$param;)+
            $check
        }
    };
    (@declaration $text:literal) => { Declaration::new($text) };
    (@declaration $name:ident) => { $name };
    (@generic) => { false };
    (@generic generic) => { true };
}
use rows;

/// Returns the row with this name.
pub(super) fn find<Check>(rows: &'static [Row<Check>], name: &str) -> Option<&'static Row<Check>> {
    rows.iter().find(|row| row.name == name)
}

/// Returns the names of all rows.
pub(super) fn names<Check>(rows: &'static [Row<Check>]) -> impl Iterator<Item = &'static str> {
    rows.iter().map(|row| row.name)
}

/// Returns the names of the methods of numbers, which tiles have too.
pub(super) fn elementwise_names() -> impl Iterator<Item = &'static str> {
    let math = MathOp::TABLE.iter().map(|row| row.name);
    math.chain(names(NUMBERS))
}

/// Returns the names of the methods of tiles.
pub(super) fn tile_names() -> impl Iterator<Item = &'static str> {
    elementwise_names().chain(names(TILES))
}

/// Returns the atomic with this number of operands.
const fn atomic(op: AtomicOp, operands: usize) -> AtomicMethod {
    AtomicMethod {
        op,
        operands,
        masked: false,
    }
}

/// Returns the atomic with this number of operands, which a mask follows.
const fn masked(op: AtomicOp, operands: usize) -> AtomicMethod {
    AtomicMethod {
        op,
        operands,
        masked: true,
    }
}

impl Checker<'_> {
    /// Calls the check of a method's row.
    pub(super) fn check_row<Receiver>(
        &mut self,
        row: &'static Row<MethodCheck<Receiver>>,
        receiver: &Receiver,
        call: MethodCall<'_>,
    ) -> Option<ExprId> {
        let call = MethodCall {
            usage: row.usage,
            ..call
        };
        if !row.is_generic {
            self.no_generics(&call.callee(), call.generics);
        }
        (row.check)(self, receiver, &call)
    }

    /// Returns exactly `N` arguments of a method; `None` after an error.
    pub(super) fn method_arguments<'e, const N: usize>(
        &mut self,
        call: &MethodCall<'e>,
    ) -> Option<&'e [ast::Expr; N]> {
        self.arguments::<N>(&call.callee(), call.args, call.loc)
    }
}

impl<'e> FunctionCall<'e> {
    /// Returns the function, for messages.
    pub(super) fn callee(&self) -> Callee<'e> {
        Callee {
            name: self.name,
            usage: self.usage,
            receiver: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        ASSOCIATED, FUNCTIONS, GATHER_VIEWS, PARTITIONS, POINTERS, Row, TENSORS, elementwise_names,
        names, tile_names,
    };
    use std::collections::BTreeSet;

    fn are_unique<'n>(names: impl Iterator<Item = &'n str>) {
        let mut seen = BTreeSet::new();
        for name in names {
            assert!(seen.insert(name), "`{name}` has two rows");
        }
    }

    #[test]
    fn a_receiver_has_no_name_twice() {
        are_unique(names(FUNCTIONS));
        are_unique(elementwise_names());
        are_unique(tile_names());
        are_unique(names(TENSORS));
        are_unique(names(PARTITIONS));
        are_unique(names(GATHER_VIEWS));
        are_unique(names(POINTERS));
    }

    /// Checks that the usage of each row is a call of it.
    fn are_used<Check>(rows: &'static [Row<Check>], before: &str) {
        for row in rows {
            let call = if row.is_generic && !row.usage.contains("::<") {
                // An element type that can be inferred is left out.
                format!("{before}{}(", row.name)
            } else {
                let generics = if row.is_generic { "::<" } else { "(" };
                format!("{before}{}{generics}", row.name)
            };
            assert!(row.usage.contains(&call), "{}: `{}`", row.name, row.usage);
            syn::parse_str::<syn::Expr>(row.usage).expect("a usage is an expression");
        }
    }

    #[test]
    fn usages_are_calls_of_their_row() {
        are_used(FUNCTIONS, "");
        are_used(ASSOCIATED, "::");
        are_used(super::NUMBERS, ".");
        are_used(super::TILES, ".");
        are_used(TENSORS, ".");
        are_used(PARTITIONS, ".");
        are_used(GATHER_VIEWS, ".");
        are_used(POINTERS, ".");
    }
}
