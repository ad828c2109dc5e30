//! Names the constructs of Rust that a kernel cannot use, and suggests what to write instead.
//!
//! A syn node outside the subset becomes one `T0101` with a help.

use super::Cx;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Item, Pat, Token, Type};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// A refused construct and its help.
pub(crate) struct Refusal {
    /// The construct, as the subject of "cannot be used in a kernel".
    pub(crate) what: String,
    /// The help, as an instruction.
    pub(crate) help: String,
}

impl Refusal {
    /// Creates a refusal.
    pub(crate) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            help: help.into(),
        }
    }

    /// Returns the refusal as a diagnostic.
    pub(crate) fn at(self, loc: Loc) -> Diagnostic {
        Diagnostic::error(
            Code::UnsupportedSyntax,
            loc,
            format!("{} cannot be used in a kernel", self.what),
        )
        .help(self.help)
    }
}

/// Returns the refusal of an expression of a kind that is not accepted.
pub(super) fn expr(cx: &mut Cx<'_>, expr: &Expr) -> Refusal {
    let (construct, help) = match expr {
        Expr::Async(it) => {
            const RULE: &str = "a kernel runs from its first to its last statement";
            let value = match it.block.stmts.as_slice() {
                [syn::Stmt::Expr(value, None)] => cx.quoted(value),
                _ => None,
            };
            let help = match value {
                Some(value) => format!("write `{value}`: {RULE}"),
                None => format!("write plain statements: {RULE}"),
            };
            return Refusal::new("`async` code", help);
        }
        Expr::Await(_) => (
            "`async` code",
            "write plain statements: a kernel runs from its first to its last statement",
        ),
        Expr::Try(_) | Expr::TryBlock(_) => (
            "`?`",
            "remove the `?`: what a kernel calls cannot fail, and a launch gives its `Result` on the host",
        ),
        Expr::Reference(it) => return by_value(cx, "taking a reference", &it.expr),
        Expr::RawAddr(_) => (
            "taking a reference",
            "pass the value itself: tiles and scalars are values, and tensors are references already",
        ),
        Expr::Unary(it) => return by_value(cx, "dereferencing", &it.expr),
        Expr::Repeat(it) => {
            let help = match (cx.quoted(&it.len), cx.quoted(&it.expr)) {
                (Some(len), Some(value)) => {
                    format!("write `full([{len}], {value})` for a tile of one value")
                }
                _ => "write `full([n], value)` for a tile of one value".to_owned(),
            };
            return Refusal::new("an array `[value; n]`", help);
        }
        Expr::Array(_) => (
            "an array value",
            "write the list in the call that takes it, as in `zeros::<f32>([64, 64])`",
        ),
        Expr::Range(_) => (
            "a range value",
            "write the range in the head of a `for` loop",
        ),
        Expr::Struct(_) => ("a struct value", "use a tuple or separate variables"),
        Expr::Let(it) => return Refusal::new("`let` in a condition", binding_condition(cx, it)),
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
    Refusal::new(construct, help)
}

fn by_value(cx: &mut Cx<'_>, construct: &str, value: &Expr) -> Refusal {
    const RULE: &str = "tiles and scalars are values, and tensors are references already";
    let help = match cx.quoted(value) {
        Some(text) => format!("write `{text}`: {RULE}"),
        None => format!("use the value itself: {RULE}"),
    };
    Refusal::new(construct, help)
}

/// Returns the help for `let pattern = value` in a condition.
fn binding_condition(cx: &mut Cx<'_>, it: &syn::ExprLet) -> String {
    if let syn::Pat::TupleStruct(some) = &*it.pat
        && some.path.is_ident("Some")
        && let [syn::Pat::Ident(name)] = some.elems.iter().collect::<Vec<_>>().as_slice()
        && let Some(value) = cx.quoted(&it.expr)
    {
        return format!(
            "bind it without a condition: write `{{ let {} = {value}; .. }}`: a kernel has no `Option`, and the value is there",
            name.ident
        );
    }
    "write a `match`, or compare with `==`: a kernel has no enums, and so no `Option`".to_owned()
}

fn literal(lit: &syn::Lit) -> Refusal {
    let (construct, help) = match lit {
        syn::Lit::Str(_) | syn::Lit::ByteStr(_) | syn::Lit::CStr(_) => (
            "a string",
            "remove it: a kernel computes with numbers only".to_owned(),
        ),
        syn::Lit::Char(it) => (
            "a `char`",
            format!("write its number, `{}_u32`", u32::from(it.value())),
        ),
        syn::Lit::Byte(it) => (
            "a byte literal",
            format!("write its number, `{}_u8`", it.value()),
        ),
        _ => (
            "this literal",
            "write a number, `true` or `false`".to_owned(),
        ),
    };
    Refusal::new(construct, help)
}

/// Returns the arguments of a macro as written, including string literals, or `None` if an argument
/// is not an expression.
fn macro_arguments(cx: &mut Cx<'_>, mac: &syn::Macro) -> Option<Vec<String>> {
    let parsed = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
    let args = parsed.ok()?;
    args.iter()
        .map(|arg| match arg {
            Expr::Lit(syn::ExprLit {
                lit: lit @ syn::Lit::Str(_),
                ..
            }) => Some(lit.to_token_stream().to_string()),
            arg => cx.quoted(arg),
        })
        .collect()
}

/// Returns the refusal of a macro call.
pub(super) fn macro_call(cx: &mut Cx<'_>, mac: &syn::Macro) -> Refusal {
    let name = mac
        .path
        .segments
        .last()
        .map_or_else(String::new, |segment| segment.ident.to_string());
    let args = macro_arguments(cx, mac);
    let list = args.as_ref().map(|args| args.join(", "));
    let help = match name.as_str() {
        "vec" => {
            let repeated = mac.parse_body::<Repeated>().ok();
            let repeated =
                repeated.and_then(|it| Some((cx.quoted(&it.value)?, cx.quoted(&it.count)?)));
            match repeated {
                Some((value, count)) => format!("write `full([{count}], {value})` for a tile"),
                None => "write `full([64], 1.0)` or `zeros::<f32>([64])` for a tile".to_owned(),
            }
        }
        "println" | "eprintln" => format!(
            "write `tile_println!({})`, which prints numbers and tiles from the kernel",
            list.as_deref().unwrap_or("\"{}\", x")
        ),
        "print" | "eprint" => format!(
            "write `tile_print!({})`, which prints numbers and tiles from the kernel",
            list.as_deref().unwrap_or("\"{}\", x")
        ),
        "dbg" => format!(
            "write `tile_println!(\"{{}}\", {})`, which prints numbers and tiles from the kernel",
            list.as_deref().unwrap_or("x")
        ),
        "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => format!(
            "write `{}!({})`: a kernel is compiled once, for debug and release builds alike",
            name.trim_start_matches("debug_"),
            list.as_deref().unwrap_or("..")
        ),
        "panic" | "unreachable" | "todo" | "unimplemented" => {
            let message = match args.as_deref() {
                // A message with braces formats values at run time, which an assertion cannot do.
                Some([message]) if message.starts_with('"') && !message.contains(['{', '}']) => {
                    message.clone()
                }
                _ => match name.as_str() {
                    "panic" => "\"explicit panic\"".to_owned(),
                    "unreachable" => "\"entered unreachable code\"".to_owned(),
                    _ => "\"not yet implemented\"".to_owned(),
                },
            };
            format!(
                "write `assert!(false, {message});`, or assert the condition that must hold in its place"
            )
        }
        _ => "write out what the macro would expand to".to_owned(),
    };
    Refusal::new(format!("the macro `{name}!`"), help)
}

/// The arguments `value; count` of `vec!`.
struct Repeated {
    value: Expr,
    count: Expr,
}

impl Parse for Repeated {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok(Self {
            value,
            count: input.parse()?,
        })
    }
}

/// Returns the refusal of an item inside the body.
pub(super) fn item(cx: &mut Cx<'_>, item: &Item) -> Refusal {
    let (construct, help) = match item {
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
        Item::Macro(mac) => return macro_call(cx, &mac.mac),
        _ => ("an item inside the body", "move it out of the kernel"),
    };
    Refusal::new(construct, help)
}

/// Returns the refusal of a pattern.
pub(crate) fn pat(pat: &Pat) -> Refusal {
    let (construct, help) = match pat {
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
    Refusal::new(construct, help)
}

/// Returns the refusal of a type.
pub(crate) fn ty(ty: &Type) -> Refusal {
    let (construct, help) = match ty {
        Type::Reference(it) => {
            return Refusal::new(
                "a reference type",
                format!(
                    "write `{}`: tiles and scalars are values",
                    type_text(&it.elem)
                ),
            );
        }
        Type::Ptr(_) => (
            "a raw pointer",
            "leave the annotation out: what a pointer points to is known from its value",
        ),
        Type::Array(it) => {
            return Refusal::new(
                "an array type",
                format!(
                    "leave the annotation out, or write `Tile<{}, {{ [{}] }}>` for a tile",
                    type_text(&it.elem),
                    it.len.to_token_stream()
                ),
            );
        }
        Type::Slice(_) => (
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
    Refusal::new(construct, help)
}

/// Returns a type as written.
pub(super) fn type_text(ty: &impl ToTokens) -> String {
    let text = ty.to_token_stream().to_string();
    let tight = [
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        (" :: ", "::"),
    ];
    tight
        .iter()
        .fold(text, |text, (loose, tight)| text.replace(loose, tight))
}

/// Returns the refusal of a type by its name.
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
