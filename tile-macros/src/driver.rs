//! From an attribute to its expansion, over the macros of what it names.
//!
//! In: the tokens of the attribute and the item, or the answer to a question about a
//! name. Out: a question about the next name, or the finished expansion.

use crate::collect::bundle::{Bundle, Health, Target, Unit, merge};
use crate::collect::free::{self, FreePath};
use crate::collect::task::{Answer, Kind, Task};
use crate::collect::{members, source};
use crate::expand::Source;
use crate::parse::library::name_of;
use crate::{backend, emit, report};
use members::Members;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use std::sync::atomic::{AtomicUsize, Ordering};
use syn::ext::IdentExt;

/// How many items this process has given a name to. A compiler runs the macros of a
/// crate in the order of its text, so the same text gives the same numbers.
static NAMED: AtomicUsize = AtomicUsize::new(0);

/// An attribute on an item.
pub(crate) fn begin(kind: Kind, attribute: TokenStream, item: TokenStream) -> TokenStream {
    match parsed(kind, &attribute, &item) {
        Ok(Some(parsed)) => parsed.start(kind, attribute, item),
        Ok(None) => TokenStream::new(),
        Err(error) => {
            let error = error.to_compile_error();
            let faulty = match kind {
                Kind::Kernel => TokenStream::new(),
                Kind::Helper => faulty(item),
            };
            quote!(#faulty #error)
        }
    }
}

/// An item with faults that are reported here: who uses it has nothing to report.
fn faulty(item: TokenStream) -> TokenStream {
    match syn::parse2::<syn::Item>(item) {
        Ok(item @ (syn::Item::Fn(_) | syn::Item::Const(_) | syn::Item::Type(_))) => {
            let members = Members::new(vec![item]);
            let unit = Unit {
                id: unit_id(&members.first_name(), &TokenStream::new()),
                health: Health::Faulty,
                items: TokenStream::new(),
                links: Vec::new(),
            };
            macros(&members, &unit, std::slice::from_ref(&unit))
        }
        Ok(_) | Err(_) => TokenStream::new(),
    }
}

/// The macros that hand out a unit, with all that it leads to.
fn macros(members: &Members, unit: &Unit, units: &[Unit]) -> TokenStream {
    let exported = members.exported().into_iter();
    let hand_out = exported.map(|exported| {
        let bundle = Bundle {
            target: Target {
                unit: unit.id.clone(),
                name: exported.ident.unraw().to_string(),
            },
            units: units.to_vec(),
        };
        let number = NAMED.fetch_add(1, Ordering::Relaxed);
        emit::tile_fn::handing_out(&exported, number, &bundle)
    });
    hand_out.collect()
}

/// A macro of a `#[tile_fn]` has answered.
pub(crate) fn resume(input: TokenStream) -> TokenStream {
    match syn::parse2::<Answer>(input) {
        Ok(Answer { bundle, task }) => go_on(task.answered(bundle)),
        Err(error) => syn::Error::new(
            error.span(),
            "this macro is for kernels: `#[tile_kernel]` and `#[tile_fn]` call it\n= help: call the function by its name in a kernel",
        )
        .to_compile_error(),
    }
}

/// Asks for the next name, or finishes.
fn go_on(task: Task) -> TokenStream {
    match task.ask() {
        Some(question) => question,
        None => finish(task),
    }
}

/// An item, looked at as far as its tokens go.
struct Parsed {
    /// What leads out of it.
    paths: Vec<FreePath>,
    /// The module that it is, with what rustc sees of it besides.
    module: Option<Module>,
}

/// A module, taken apart.
struct Module {
    attrs: Vec<syn::Attribute>,
    vis: syn::Visibility,
    ident: syn::Ident,
    /// What stays as written.
    host: TokenStream,
}

fn refuse(span: Span, message: &str) -> syn::Error {
    syn::Error::new(span, message)
}

fn parsed(kind: Kind, attribute: &TokenStream, item: &TokenStream) -> syn::Result<Option<Parsed>> {
    let parsed: syn::Item = syn::parse2(item.clone())?;
    if kind == Kind::Helper && !attribute.is_empty() {
        return Err(refuse(
            syn::spanned::Spanned::span(attribute),
            "[T0102] `#[tile_fn]` has no options\n= help: write `#[tile_fn]`; options stand in `#[tile_kernel(..)]`",
        ));
    }
    match (kind, parsed) {
        (Kind::Kernel, syn::Item::Fn(function)) => {
            let mut paths = free::of_function(&function);
            paths.extend(members::of_options(attribute, &function.sig.generics));
            if source::is_in_an_impl(&function.sig.ident) {
                return Err(refuse(
                    function.sig.ident.span(),
                    "[T0101] a kernel cannot stand in an `impl`\n= help: make the kernel a free function, beside the `impl`",
                ));
            }
            let own = function.sig.ident.unraw().to_string();
            let paths = free::unique(paths.into_iter().filter(|path| path.text != own));
            Ok(Some(Parsed {
                paths: source::resolvable(paths, &function.sig.ident),
                module: None,
            }))
        }
        (_, syn::Item::Mod(module)) => {
            if kind == Kind::Kernel && !attribute.is_empty() {
                return Err(refuse(
                    syn::spanned::Spanned::span(attribute),
                    "[T0102] options of a kernel cannot stand on a module\n= help: write `#[tile_kernel(..)]` with the options on each kernel in it",
                ));
            }
            let Some((_, items)) = module.content else {
                return Err(refuse(
                    module.mod_token.span,
                    "[T0101] a module in another file cannot be read\n= help: write the module in place, as in `mod kernels { .. }`",
                ));
            };
            let members = Members::new(items);
            members.check(kind)?;
            Ok(Some(Parsed {
                paths: source::resolvable_of_module(members.paths(), &module.ident),
                module: Some(Module {
                    attrs: module.attrs,
                    vis: module.vis,
                    ident: module.ident,
                    host: members.host_tokens(),
                }),
            }))
        }
        (Kind::Helper, item @ (syn::Item::Fn(_) | syn::Item::Const(_) | syn::Item::Type(_))) => {
            let ident = name_of(&item).cloned();
            let members = Members::new(vec![item]);
            members.check(kind)?;
            let paths = members.paths();
            let paths = match ident {
                Some(ident) => {
                    source::refuse_cycle(&ident, &paths)?;
                    source::resolvable(paths, &ident)
                }
                None => paths,
            };
            Ok(Some(Parsed {
                paths,
                module: None,
            }))
        }
        (Kind::Kernel, other) => Err(refuse(
            syn::spanned::Spanned::span(&other),
            "[T0101] `#[tile_kernel]` goes on a function or a module\n= help: move the attribute to a `fn` or a `mod`",
        )),
        (Kind::Helper, syn::Item::Struct(item)) => Err(refuse(
            item.ident.span(),
            "[T0101] `#[tile_fn]` on a struct would not see its methods\n= help: write `#[tile_fn] mod shapes { .. }` around the struct and its `impl`",
        )),
        (Kind::Helper, other) => Err(refuse(
            syn::spanned::Spanned::span(&other),
            "[T0101] `#[tile_fn]` goes on a function, a constant, a type alias or a module\n= help: move the attribute to one of these",
        )),
    }
}

impl Parsed {
    fn start(self, kind: Kind, attribute: TokenStream, item: TokenStream) -> TokenStream {
        let Parsed { paths, module } = self;
        let tokens = go_on(Task::new(kind, attribute, item, &paths));
        match module {
            None => tokens,
            Some(Module {
                attrs,
                vis,
                ident,
                host,
            }) => quote! {
                #(#attrs)*
                #vis mod #ident {
                    #host
                    #tokens
                }
            },
        }
    }
}

/// The unit of a module or an item: unlike any other.
fn unit_id(name: &str, items: &TokenStream) -> String {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let number = NAMED.fetch_add(1, Ordering::Relaxed);
    // Of two crates of one name and version, the text differs.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in items.to_string().bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!(
        "{} {} {name} {number} {hash:016x}",
        variable("CARGO_CRATE_NAME"),
        variable("CARGO_PKG_VERSION"),
    )
}

/// Everything is known.
fn finish(task: Task) -> TokenStream {
    let Task {
        kind,
        attribute,
        item,
        pending: _,
        links,
        units: others,
    } = task;
    let parsed: syn::Item = match syn::parse2(item.clone()) {
        Ok(parsed) => parsed,
        Err(error) => return error.to_compile_error(),
    };
    let root = report::root_span(&parsed);
    let (members, kernels) = match parsed {
        syn::Item::Mod(module) => {
            let members = Members::new(module.content.map_or_else(Vec::new, |(_, items)| items));
            let kernels = members.kernels();
            (members, kernels)
        }
        _ if kind == Kind::Kernel => (Members::new(Vec::new()), vec![(attribute, item)]),
        other => (Members::new(vec![other]), Vec::new()),
    };
    let name = members.first_name();
    let items = members.unit_tokens();
    let mut unit = Unit {
        id: match kind {
            Kind::Kernel => String::new(),
            Kind::Helper => unit_id(&name, &items),
        },
        health: Health::Sound,
        items,
        links,
    };
    match kind {
        Kind::Kernel => {
            let mut units = vec![unit];
            merge(&mut units, others);
            let compiled = backend::compile(Source {
                kernels,
                units,
                root: Some(root),
            });
            match compiled {
                Ok(compiled) => {
                    let stubs = members.stubs();
                    quote!(#stubs #compiled)
                }
                // rustc would say of a constant what is said already.
                Err(errors) => errors,
            }
        }
        Kind::Helper => {
            let faults = crate::expand::faults_of(&unit, &others, root);
            if faults.is_some() {
                unit.health = Health::Faulty;
                unit.items = TokenStream::new();
            }
            let mut units = vec![unit.clone()];
            merge(&mut units, others);
            let macros = macros(&members, &unit, &units);
            let stubs = members.stubs();
            let faults = faults.map(|error| error.to_compile_error());
            [Some(macros), Some(stubs), faults]
                .into_iter()
                .flatten()
                .collect::<TokenStream>()
                .to_token_stream()
        }
    }
}
