//! The Rust that a kernel cannot use: what it is called, and what to write
//! instead.
//!
//! In: a syn node that the subset does not have. Out: one `T0101` with a help.

use quote::ToTokens;
use syn::{Expr, Item, Pat, Type};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// What is refused, and the cure.
pub(crate) struct Refusal {
    /// The construct, as the subject of "cannot be used in a kernel".
    pub(crate) what: String,
    /// The cure, as an instruction.
    pub(crate) help: String,
}

impl Refusal {
    /// A refusal.
    pub(crate) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            help: help.into(),
        }
    }

    /// As a diagnostic.
    pub(crate) fn at(self, loc: Loc) -> Diagnostic {
        Diagnostic::error(
            Code::UnsupportedSyntax,
            loc,
            format!("{} cannot be used in a kernel", self.what),
        )
        .help(self.help)
    }
}

/// The refusal of an expression that is none of the accepted kinds.
pub(crate) fn expr(expr: &Expr) -> Refusal {
    let (what, help) = match expr {
        Expr::Async(_) | Expr::Await(_) => (
            "`async` code",
            "write plain statements: a kernel runs from its first to its last statement",
        ),
        Expr::Try(_) | Expr::TryBlock(_) => (
            "`?`",
            "remove the `?`: what a kernel calls cannot fail, and a launch gives its `Result` on the host",
        ),
        Expr::Reference(_) | Expr::RawAddr(_) => (
            "taking a reference",
            "pass the value itself: tiles and scalars are values, and tensors are references already",
        ),
        Expr::Unary(_) => (
            "dereferencing",
            "use the value itself: tiles and scalars are values, not references",
        ),
        Expr::Repeat(_) => (
            "an array `[value; n]`",
            "write `full([n], value)` for a tile of one value",
        ),
        Expr::Array(_) => (
            "an array value",
            "write the list in the call that takes it, as in `zeros::<f32>([64, 64])`",
        ),
        Expr::Range(_) => (
            "a range value",
            "write the range in the head of a `for` loop",
        ),
        Expr::Struct(_) => ("a struct value", "use a tuple or separate variables"),
        Expr::Let(_) => (
            "`let` in a condition",
            "write a `match`, or compare with `==`: a kernel has no enums, and so no `Option`",
        ),
        Expr::Lit(lit) => return literal(&lit.lit),
        Expr::Const(_) => ("a `const` block", "write the expression without `const`"),
        Expr::Infer(_) => ("`_` as a value", "write the value"),
        Expr::Call(_) => (
            "calling a computed function",
            "call a function of the kernel language by its name",
        ),
        Expr::Yield(_) => ("`yield`", "write plain statements"),
        _ => (
            "this expression",
            "use literals, variables, operators, calls, `if` and `for`",
        ),
    };
    Refusal::new(what, help)
}

fn literal(lit: &syn::Lit) -> Refusal {
    let (what, help) = match lit {
        syn::Lit::Str(_) | syn::Lit::ByteStr(_) | syn::Lit::CStr(_) => {
            ("a string", "remove it: a kernel computes with numbers only")
        }
        syn::Lit::Char(_) => ("a `char`", "write its number, such as `97_u32`"),
        syn::Lit::Byte(_) => ("a byte literal", "write its number, such as `97_u8`"),
        _ => ("this literal", "write a number, `true` or `false`"),
    };
    Refusal::new(what, help)
}

/// The refusal of a macro call.
pub(crate) fn macro_call(mac: &syn::Macro) -> Refusal {
    let name = mac
        .path
        .segments
        .last()
        .map_or_else(String::new, |segment| segment.ident.to_string());
    let help = match name.as_str() {
        "vec" => "write `full([n], value)` or `zeros::<f32>([n])` for a tile",
        "println" | "eprintln" => {
            "write `tile_println!(\"{}\", x)`, which prints numbers and tiles from the kernel"
        }
        "print" | "eprint" | "dbg" => {
            "write `tile_print!(\"{}\\n\", x)`, which prints numbers and tiles from the kernel"
        }
        "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => {
            "write `assert!(..)`: a kernel is compiled once, for debug and release builds alike"
        }
        "panic" | "unreachable" => {
            "write `assert!(condition, \"message\")` with the condition that must hold"
        }
        "todo" | "unimplemented" => "write the missing code",
        _ => "write out what the macro would expand to",
    };
    Refusal::new(format!("the macro `{name}!`"), help)
}

/// The refusal of an item inside the body.
pub(crate) fn item(item: &Item) -> Refusal {
    let (what, help) = match item {
        Item::Fn(_) => (
            "a function inside the body",
            "move it out of the kernel, and put `#[tile_fn]` on it",
        ),
        Item::Const(it) => {
            let (name, ty, value) = (&it.ident, &it.ty, &it.expr);
            return Refusal::new(
                "a `const` inside the body",
                format!(
                    "write `let {name}: {} = {};`: a `let` of a constant is a constant",
                    ty.to_token_stream(),
                    value.to_token_stream()
                ),
            );
        }
        Item::Static(it) => {
            let (name, ty, value) = (&it.ident, &it.ty, &it.expr);
            return Refusal::new(
                "a `static`",
                format!(
                    "write `let {name}: {} = {};`, or pass a `&mut Tensor` for memory that outlives the launch",
                    ty.to_token_stream(),
                    value.to_token_stream()
                ),
            );
        }
        Item::Use(_) => (
            "`use` inside the body",
            "remove it: the functions of the kernel language are always in scope",
        ),
        Item::Type(_) => ("a type alias", "write the type in full"),
        Item::Macro(mac) => return macro_call(&mac.mac),
        _ => ("an item inside the body", "move it out of the kernel"),
    };
    Refusal::new(what, help)
}

/// The refusal of a pattern.
pub(crate) fn pat(pat: &Pat) -> Refusal {
    let (what, help) = match pat {
        Pat::Ident(ident) if ident.by_ref.is_some() => ("`ref`", "remove `ref`: values are copied"),
        Pat::Reference(_) => ("`&` in a pattern", "remove the `&`: values are copied"),
        Pat::Slice(_) => (
            "a slice pattern",
            "take tuples apart, and load from tensors",
        ),
        Pat::TupleStruct(_) | Pat::Struct(_) => (
            "an enum or struct in a pattern",
            "compare numbers and `bool`s, and take tuples apart",
        ),
        _ => ("this pattern", "use names, `_` and tuples of them"),
    };
    Refusal::new(what, help)
}

/// The refusal of a type.
pub(crate) fn ty(ty: &Type) -> Refusal {
    let (what, help) = match ty {
        Type::Reference(_) => (
            "a reference type",
            "write the type without `&`: tiles and scalars are values",
        ),
        Type::Ptr(_) => (
            "a raw pointer",
            "leave the annotation out: what a pointer points to is known from its value",
        ),
        Type::Array(_) | Type::Slice(_) => (
            "an array type",
            "leave the annotation out: the shape of a tile is known from its value",
        ),
        Type::Path(path) if path.qself.is_none() => {
            let name = path
                .path
                .segments
                .last()
                .map_or_else(String::new, |segment| segment.ident.to_string());
            return type_name(&name);
        }
        _ => (
            "this type",
            "use a number type, a type parameter or a tuple of them",
        ),
    };
    Refusal::new(what, help)
}

/// The refusal of a type with a name of its own.
pub(crate) fn type_name(name: &str) -> Refusal {
    let help = match name {
        "isize" => "write `i64`",
        "i128" | "u128" => "use a type of at most 64 bits, such as `i64`",
        "char" => "write `u32`",
        "str" | "String" => "remove it: a kernel computes with numbers only",
        "Vec" => "take a `&Tensor` parameter, or compute with tiles",
        "Option" | "Result" => "use a `bool` beside the value",
        "Box" | "Rc" | "Arc" => "use the value itself",
        "half" => "write `f16`",
        "Tile" => {
            "leave the annotation out, or write `Tile<f32, { [64, 64] }>` with the element type and the shape"
        }
        "Tensor" => "leave the annotation out: only parameters are tensors",
        _ => {
            "use a number type (`bool`, `i8` to `i64`, `u8` to `u64`, `usize`, `f16`, `bf16`, `f32`, `f64`) or a type parameter"
        }
    };
    Refusal::new(format!("the type `{name}`"), help)
}
