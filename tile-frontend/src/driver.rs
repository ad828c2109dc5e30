//! Expands an attribute by means of the macros of the items that it names.
//!
//! The input is the tokens of the attribute and the item, or the answer to a query for a name. The
//! output is a query for the next name, or the finished expansion.

use crate::collect::bundle::{Bundle, Health, Link, Target, Unit, merge};
use crate::collect::free::{self, FreePath};
use crate::collect::recover::{Readable, readable};
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
use tile_backend::session::Environment;

/// The number of items that this process has named. A compiler expands the macros of a crate in
/// source order, so the same source gives the same numbers.
static NAMED: AtomicUsize = AtomicUsize::new(0);

/// Starts the expansion of an attribute on an item.
pub(crate) fn begin(kind: Kind, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let Readable {
        item,
        compile_error,
    } = readable(item);
    let is_module = matches!(syn::parse2(item.clone()), Ok(syn::Item::Mod(_)));
    match (parsed(kind, &attribute, &item), compile_error) {
        (Ok(parsed), compile_error) if compile_error.is_none() || is_module => {
            let errors = compile_error.map(|compile_error| compile_error.to_compile_error());
            let tokens = parsed.start(kind, attribute, item);
            quote!(#errors #tokens)
        }
        (_, Some(error)) | (Err(error), None) => {
            let error = error.to_compile_error();
            let faulty = match kind {
                // An `impl` may contain a method but not the stand-in, which is a free function.
                Kind::Kernel if is_method(&item) => TokenStream::new(),
                Kind::Kernel => stand_in(attribute, item),
                Kind::Helper => faulty(item),
            };
            quote!(#faulty #error)
        }
        (Ok(_), None) => unreachable!("the first arm takes what has no fault"),
    }
}

/// Returns the stand-in for a kernel whose errors are reported, so that the host can still name it.
fn stand_in(attribute: TokenStream, item: TokenStream) -> TokenStream {
    backend::stand_ins(Source {
        kernels: vec![(attribute, item)],
        units: Vec::new(),
        root: None,
    })
}

fn is_method(item: &TokenStream) -> bool {
    matches!(syn::parse2::<syn::ItemFn>(item.clone()), Ok(function)
        if function.sig.receiver().is_some() || source::is_in_an_impl(&function.sig.ident))
}

/// Exports an item whose errors are reported here, so that its users do not report them again.
fn faulty(item: TokenStream) -> TokenStream {
    match syn::parse2::<syn::Item>(item) {
        Ok(item @ (syn::Item::Fn(_) | syn::Item::Const(_) | syn::Item::Type(_))) => {
            let members = Members::new(vec![item]);
            let unit = Unit {
                id: unit_id(&members.first_name(), &TokenStream::new()),
                health: Health::HasErrors,
                items: TokenStream::new(),
                links: Vec::new(),
            };
            macros(&members, &unit, std::slice::from_ref(&unit))
        }
        Ok(_) | Err(_) => TokenStream::new(),
    }
}

/// Returns the macros that export a unit with all units that it refers to.
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

/// Continues with the answer from a macro of a `#[tile_fn]`.
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

/// Queries the next name, or finishes.
fn go_on(task: Task) -> TokenStream {
    match task.ask() {
        Some(question) => question,
        None => finish(task),
    }
}

/// An item, parsed as far as possible from its own tokens.
struct Parsed {
    /// The paths to other items.
    paths: Vec<FreePath>,
    /// The contents, if it is a module.
    module: Option<Module>,
    /// Errors of some items of the module.
    compile_errors: Option<syn::Error>,
}

/// The contents of a module.
struct Module {
    attrs: Vec<syn::Attribute>,
    vis: syn::Visibility,
    ident: syn::Ident,
    /// The part that remains as written.
    host: TokenStream,
    /// The whole module, with marks on the items that have errors.
    marked: TokenStream,
}

fn refuse(span: Span, message: &str) -> syn::Error {
    syn::Error::new(span, message)
}

fn parsed(kind: Kind, attribute: &TokenStream, item: &TokenStream) -> syn::Result<Parsed> {
    let parsed: syn::Item = syn::parse2(item.clone())?;
    if kind == Kind::Helper && !attribute.is_empty() {
        return Err(refuse(
            syn::spanned::Spanned::span(attribute),
            "[T0102] `#[tile_fn]` has no options\n= help: write `#[tile_fn]`; options belong in `#[tile_kernel(..)]`",
        ));
    }
    match (kind, parsed) {
        (Kind::Kernel, syn::Item::Fn(function)) => parsed_kernel(attribute, &function),
        (_, syn::Item::Mod(module)) => parsed_module(kind, attribute, module),
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
            Ok(Parsed {
                paths,
                module: None,
                compile_errors: None,
            })
        }
        (Kind::Kernel, other) => Err(refuse(
            syn::spanned::Spanned::span(&other),
            "[T0101] `#[tile_kernel]` applies to a function or a module\n= help: move the attribute to a `fn` or a `mod`",
        )),
        (Kind::Helper, syn::Item::Struct(item)) => Err(refuse(
            item.ident.span(),
            "[T0101] `#[tile_fn]` on a struct would not see its methods\n= help: write `#[tile_fn] mod shapes { .. }` around the struct and its `impl`",
        )),
        (Kind::Helper, other) => Err(refuse(
            syn::spanned::Spanned::span(&other),
            "[T0101] `#[tile_fn]` applies to a function, a constant, a type alias or a module\n= help: move the attribute to one of these",
        )),
    }
}

/// Parses a kernel, and finds the paths that it names.
fn parsed_kernel(attribute: &TokenStream, function: &syn::ItemFn) -> syn::Result<Parsed> {
    let mut paths = free::function_paths(function);
    paths.extend(members::option_paths(attribute, &function.sig.generics));
    if source::is_in_an_impl(&function.sig.ident) {
        return Err(refuse(
            function.sig.ident.span(),
            "[T0101] a kernel cannot be in an `impl`\n= help: make the kernel a free function, beside the `impl`",
        ));
    }
    let own_name = function.sig.ident.unraw().to_string();
    let paths = free::unique(paths.into_iter().filter(|path| path.text != own_name));
    Ok(Parsed {
        paths: source::resolvable(paths, &function.sig.ident),
        module: None,
        compile_errors: None,
    })
}

/// Parses a module, and marks the items that have errors.
fn parsed_module(
    kind: Kind,
    attribute: &TokenStream,
    mut module: syn::ItemMod,
) -> syn::Result<Parsed> {
    let mut compile_errors: Vec<syn::Error> = Vec::new();
    if kind == Kind::Kernel && !attribute.is_empty() {
        compile_errors.push(refuse(
            syn::spanned::Spanned::span(attribute),
            "[T0102] options of a kernel cannot be on a module\n= help: write `#[tile_kernel(..)]` with the options on each kernel in it",
        ));
    }
    let Some((_, items)) = &mut module.content else {
        return Err(refuse(
            module.mod_token.span,
            "[T0101] a module in another file cannot be read\n= help: write the module in place, as in `mod kernels { .. }`",
        ));
    };
    let members = Members::new(items.clone());
    if let Err(error) = members.check(kind) {
        compile_errors.push(error);
        let refused = members.refused_names();
        for item in items.iter_mut() {
            if name_of(item).is_some_and(|name| refused.contains(&name.unraw().to_string())) {
                members::mark(item);
            }
        }
    }
    // Items that have errors are marked, so they are not members.
    let members = Members::new(items.clone());
    let marked = module.to_token_stream();
    Ok(Parsed {
        paths: source::resolvable_of_module(members.paths(), &module.ident),
        module: Some(Module {
            attrs: module.attrs,
            vis: module.vis,
            ident: module.ident,
            host: members.host_tokens(),
            marked,
        }),
        compile_errors: compile_errors
            .into_iter()
            .reduce(|mut combined, compile_error| {
                combined.combine(compile_error);
                combined
            }),
    })
}

impl Parsed {
    fn start(self, kind: Kind, attribute: TokenStream, item: TokenStream) -> TokenStream {
        let Parsed {
            paths,
            module,
            compile_errors,
        } = self;
        let Some(Module {
            attrs,
            vis,
            ident,
            host,
            marked,
        }) = module
        else {
            return go_on(Task::new(kind, attribute, item, &paths));
        };
        let errors = compile_errors.map(|compile_errors| compile_errors.to_compile_error());
        let tokens = go_on(Task::new(kind, attribute, marked, &paths));
        quote! {
            #errors
            #(#attrs)*
            #vis mod #ident {
                #host
                #tokens
            }
        }
    }
}

/// Returns a unique identifier for the unit of a module or an item.
fn unit_id(name: &str, items: &TokenStream) -> String {
    let environment = Environment::read();
    let [crate_name, version] = environment.crate_name();
    let number = NAMED.fetch_add(1, Ordering::Relaxed);
    // The hash distinguishes two crates with the same name and version.
    let hash = blake3::hash(items.to_string().as_bytes()).to_hex();
    format!("{crate_name} {version} {name} {number} {}", &hash[..16])
}

/// Finishes an expansion for which every name is resolved.
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
    let unit_with_errors = Unit {
        id: "faulty".to_owned(),
        health: Health::HasErrors,
        items: TokenStream::new(),
        links: Vec::new(),
    };
    let mut links = links;
    let mut others = others;
    let faulty = members.names_with_errors();
    if !faulty.is_empty() {
        merge(&mut others, vec![unit_with_errors.clone()]);
        links.extend(faulty.into_iter().map(|name| Link {
            path: name.clone(),
            target: Target {
                unit: unit_with_errors.id.clone(),
                name,
            },
        }));
    }
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
            compiled(&members, kernels, units, root)
        }
        Kind::Helper => {
            let compile_errors = crate::expand::errors_in(&unit, &others, root);
            if compile_errors.is_some() {
                unit.health = Health::HasErrors;
                unit.items = TokenStream::new();
            }
            let mut units = vec![unit.clone()];
            merge(&mut units, others);
            let mut macros = macros(&members, &unit, &units);
            let refused = members.members_with_errors();
            macros.extend(self::macros(
                &refused,
                &unit_with_errors,
                std::slice::from_ref(&unit_with_errors),
            ));
            macros.extend(refused.stubs());
            let stubs = members.stubs();
            let compile_errors = compile_errors.map(|error| error.to_compile_error());
            [Some(macros), Some(stubs), compile_errors]
                .into_iter()
                .flatten()
                .collect::<TokenStream>()
                .to_token_stream()
        }
    }
}

/// Returns what replaces kernels: their compiled form, or stand-ins with the errors.
fn compiled(
    members: &Members,
    kernels: Vec<(TokenStream, TokenStream)>,
    units: Vec<Unit>,
    root: Span,
) -> TokenStream {
    let stand_ins = backend::stand_ins(Source {
        kernels: members.kernels_with_errors(),
        units: units.clone(),
        root: Some(root),
    });
    let compiled = backend::compile(Source {
        kernels,
        units,
        root: Some(root),
    });
    match compiled {
        Ok(compiled) => {
            let stubs = members.stubs();
            quote!(#stubs #stand_ins #compiled)
        }
        Err(backend::FailedExpansion {
            errors,
            stand_ins: others,
        }) => {
            // Otherwise rustc would repeat errors in constants that are already reported.
            let stubs = members.stubs_without(errors.as_ref());
            let errors = errors.map(|errors| errors.to_compile_error());
            quote!(#stubs #stand_ins #others #errors)
        }
    }
}
