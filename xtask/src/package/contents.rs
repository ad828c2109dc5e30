//! Tests of what is packed, by `cargo package --list` and the sources, without a build.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::archive::LIMIT;
use super::published::{LICENSES, Package, packages};
use crate::docs::links;
use crate::workspace;

/// No file that a user needs is larger, in bytes.
const LARGEST_FILE: u64 = 1 << 20;

/// Files that cargo makes.
const MADE_BY_CARGO: [&str; 3] = [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml.orig"];

/// Returns the files that are packed, relative to the crate's folder.
fn packed(package: &Package) -> BTreeSet<PathBuf> {
    let output = workspace::cargo()
        .args(["package", "--list", "--allow-dirty", "--offline"])
        .args(["--package", &package.name])
        .output()
        .expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let files = String::from_utf8(output.stdout).expect("paths are UTF-8");
    files.lines().map(PathBuf::from).collect()
}

/// Collects the files that a source file names.
struct Named<'f> {
    file: &'f Path,
    /// The folder of the modules that it declares.
    folder: PathBuf,
    is_inline: bool,
    /// The files of modules, each with the folder of its own modules.
    modules: Vec<(PathBuf, PathBuf)>,
    included: Vec<PathBuf>,
}

impl Named<'_> {
    /// Collects the text files of `include_str!(..)` and its kin, also in the arguments of other macros.
    fn scan(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else {
                continue;
            };
            let before = index.checked_sub(2).map(|at| &tokens[at..index]);
            match before {
                Some([TokenTree::Ident(name), TokenTree::Punct(mark)])
                    if mark.as_char() == '!' && is_include(&name.to_string()) =>
                {
                    self.include(group.stream());
                }
                _ => self.scan(group.stream()),
            }
        }
    }

    fn include(&mut self, argument: TokenStream) {
        let text = argument.to_string();
        let literal: syn::LitStr = syn::parse2(argument)
            .unwrap_or_else(|_| panic!("{}: `{text}` is no literal", self.file.display()));
        let folder = self.file.parent().expect("a file is in a folder");
        self.included.push(folder.join(literal.value()));
    }
}

fn is_include(name: &str) -> bool {
    ["include", "include_str", "include_bytes"].contains(&name)
}

/// Returns `true` for `#[cfg(test)]` and `#[cfg(all(test, ..))]`.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return false;
        };
        let condition = list.tokens.to_string().replace(' ', "");
        list.path.is_ident("cfg") && (condition == "test" || condition.starts_with("all(test,"))
    })
}

impl<'ast> Visit<'ast> for Named<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if is_test(&module.attrs) {
            return;
        }
        let name = module.ident.to_string();
        if module.content.is_some() {
            let outer = self.folder.clone();
            let was_inline = std::mem::replace(&mut self.is_inline, true);
            self.folder.push(name);
            visit::visit_item_mod(self, module);
            self.folder = outer;
            self.is_inline = was_inline;
            return;
        }
        let path = module.attrs.iter().find_map(|attribute| {
            let syn::Meta::NameValue(value) = &attribute.meta else {
                return None;
            };
            match &value.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(path),
                    ..
                }) if value.path.is_ident("path") => Some(path.value()),
                _ => None,
            }
        });
        let parent = self.file.parent().expect("a file is in a folder");
        if let Some(path) = path {
            let folder = if self.is_inline { &self.folder } else { parent };
            let file = folder.join(path);
            // Such a file declares modules as `mod.rs` does.
            let folder = file.parent().expect("a file is in a folder").to_path_buf();
            self.modules.push((file, folder));
            return;
        }
        let folder = self.folder.join(&name);
        let file = self.folder.join(format!("{name}.rs"));
        let file = if file.is_file() {
            file
        } else {
            folder.join("mod.rs")
        };
        self.modules.push((file, folder));
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_item_const(&mut self, constant: &'ast syn::ItemConst) {
        if !is_test(&constant.attrs) {
            visit::visit_item_const(self, constant);
        }
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        let name = invocation.path.segments.last().expect("a name");
        if is_include(&name.ident.to_string()) {
            self.include(invocation.tokens.clone());
        } else {
            self.scan(invocation.tokens.clone());
        }
    }
}

/// Returns the files from which a target is built: its root, modules, and what they include, without those of unit tests.
fn sources(root: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let folder = root.parent().expect("a file is in a folder").to_path_buf();
    let mut waiting = vec![(root.to_path_buf(), folder)];
    while let Some((file, folder)) = waiting.pop() {
        let text = fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("`{}`: {error}", file.display()));
        let parsed = syn::parse_file(&text).expect("it compiles");
        let mut named = Named {
            file: &file,
            folder,
            is_inline: false,
            modules: Vec::new(),
            included: Vec::new(),
        };
        named.visit_file(&parsed);
        found.extend(named.included.iter().map(|path| plain(path)));
        waiting.extend(named.modules);
        found.insert(plain(&file));
    }
    found
}

/// Removes `..` from a path.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(component);
        }
    }
    plain
}

#[test]
fn packages_hold_every_file_that_their_sources_name() {
    let mut total = 0;
    for package in packages().expect("cargo runs") {
        let packed = packed(&package);
        let relative = |path: &Path| match path.strip_prefix(&package.folder) {
            Ok(path) => path.to_path_buf(),
            Err(_) => path.to_path_buf(),
        };
        let mut count = 0;
        for root in package.roots() {
            let is_example = relative(&root).starts_with("examples");
            if is_example && !packed.contains(&relative(&root)) {
                continue;
            }
            for file in sources(&root) {
                let file = relative(&file);
                count += 1;
                assert!(
                    packed.contains(&file),
                    "`{}` does not pack `{}`: see `include` in its manifest",
                    package.name,
                    file.display()
                );
            }
        }
        total += count;
    }
    // Far fewer would mean that modules are not found.
    assert!(total >= 900, "{total} files");
}

#[test]
fn modules_and_included_files_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    };
    write(
        "src/lib.rs",
        "mod a; mod b; #[cfg(test)] mod tests; #[path = \"other.rs\"] mod c; mod inline { mod d; }\n\
         #[cfg(test)] const T: &str = include_str!(\"t.txt\");\n\
         #[doc = include_str!(\"../README.md\")] struct S;",
    );
    write(
        "src/a.rs",
        "mod x; const X: &str = include_str!(\"x.txt\");",
    );
    write(
        "src/a/x.rs",
        "fn f() { g(vec![(1, include_bytes!(\"y.bin\"))]); }",
    );
    write("src/b/mod.rs", "mod y;");
    write("src/b/y.rs", "");
    write("src/other.rs", "mod e;");
    write("src/e.rs", "");
    write("src/inline/d.rs", "");
    let root = plain(folder.path());
    let found: Vec<String> = sources(&root.join("src/lib.rs"))
        .iter()
        .map(|path| {
            path.strip_prefix(&root)
                .expect("within")
                .display()
                .to_string()
        })
        .collect();
    assert_eq!(
        found,
        [
            "README.md",
            "src/a/x.rs",
            "src/a/y.bin",
            "src/a.rs",
            "src/b/mod.rs",
            "src/b/y.rs",
            "src/e.rs",
            "src/inline/d.rs",
            "src/lib.rs",
            "src/other.rs",
            "src/x.txt",
        ]
    );
}

#[test]
fn packages_are_small() {
    for package in packages().expect("cargo runs") {
        let mut sum = 0;
        for file in packed(&package) {
            if MADE_BY_CARGO.iter().any(|made| file == Path::new(made)) {
                continue;
            }
            let size = fs::metadata(package.folder.join(&file))
                .expect("it is there")
                .len();
            let name = file.display();
            assert!(
                size <= LARGEST_FILE,
                "`{}`: `{name}` has {size} bytes",
                package.name
            );
            sum += size;
        }
        // Not compressed yet.
        assert!(sum <= LIMIT, "`{}` has {sum} bytes", package.name);
    }
}

#[test]
fn tests_and_benchmarks_are_not_packed() {
    for package in packages().expect("cargo runs") {
        for file in packed(&package) {
            let first = file.components().next().expect("a path");
            let others = ["tests", "benches", "templates", "xtask", ".ci", ".cargo"];
            let is_packed = others.iter().any(|name| first.as_os_str() == *name);
            assert!(!is_packed, "`{}` packs `{}`", package.name, file.display());
        }
    }
}

#[test]
fn packages_hold_the_licences() {
    for package in packages().expect("cargo runs") {
        let packed = packed(&package);
        for license in LICENSES {
            assert!(packed.contains(Path::new(license)), "{}", package.name);
            let copy = fs::read(package.folder.join(license)).expect("it is there");
            let original = fs::read(workspace::root().join(license)).expect("it is there");
            assert!(copy == original, "`{license}` of `{}`", package.name);
        }
    }
}

#[test]
fn links_of_a_packed_readme_lead_to_packed_files_or_web_pages() {
    let root = workspace::root();
    for package in packages().expect("cargo runs") {
        let packed = packed(&package);
        let page = fs::read_to_string(package.folder.join("README.md")).expect("it is there");
        for link in links::links(&page).expect("links without escapes") {
            let Some((target, _)) = links::target(Path::new("README.md"), &link.destination)
                .unwrap_or_else(|error| panic!("`{}`: {error}", package.name))
            else {
                continue;
            };
            let leads_to_file = match links::on_web_page(&link.destination) {
                Some(_) => root.join(&target).exists(),
                None => packed.iter().any(|file| file.starts_with(&target)),
            };
            assert!(leads_to_file, "`{}`: `{}`", package.name, link.destination);
        }
    }
}
