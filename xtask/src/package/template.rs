//! Makes a crate from `templates/kernel-crate`, as `cargo generate` would.
//!
//! Only what the template uses: placeholders `{{name}}` in files, the ending `.liquid`, which is removed, and
//! `cargo-generate.toml`, which is not copied.

use std::path::Path;
use std::{fs, io};

/// The description of the template for `cargo generate`.
pub(crate) const DESCRIPTION: &str = "cargo-generate.toml";

/// Writes the crate to the folder `into`, with `values` in place of the placeholders. Those of the project's name are
/// `project-name` and `crate_name`.
///
/// # Errors
///
/// Returns an error if a placeholder has no value, or if a file cannot be read or written.
pub(crate) fn render(template: &Path, into: &Path, values: &[(&str, &str)]) -> io::Result<()> {
    fs::create_dir_all(into)?;
    for entry in fs::read_dir(template)? {
        let path = entry?.path();
        let name = path.file_name().expect("an entry has a name");
        if path.is_dir() {
            render(&path, &into.join(name), values)?;
            continue;
        }
        if name == DESCRIPTION {
            continue;
        }
        let name = Path::new(name);
        let is_liquid = name.extension().is_some_and(|it| it == "liquid");
        let name = if is_liquid {
            Path::new(name.file_stem().expect("it has a name"))
        } else {
            name
        };
        let text = fill(&fs::read_to_string(&path)?, values)
            .map_err(|error| io::Error::other(format!("`{}`: {error}", path.display())))?;
        fs::write(into.join(name), text)?;
    }
    Ok(())
}

/// Replaces the placeholders of a text.
fn fill(text: &str, values: &[(&str, &str)]) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").ok_or("`{{` without `}}`")?;
        let value = values.iter().find(|(key, _)| *key == name.trim());
        let (_, value) = value.ok_or_else(|| format!("`{name}` has no value"))?;
        filled.push_str(before);
        filled.push_str(value);
        rest = after;
    }
    filled.push_str(rest);
    if filled.contains("{%") {
        return Err("tags of Liquid are not supported".to_owned());
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_and_unknown_ones_named() {
        let values = [("project-name", "my-kernels"), ("crate_name", "my_kernels")];
        assert_eq!(
            fill("a {{project-name}}{{ crate_name }} b", &values),
            Ok("a my-kernelsmy_kernels b".to_owned())
        );
        assert_eq!(
            fill("{{other}}", &values),
            Err("`other` has no value".to_owned())
        );
        assert_eq!(
            fill("{{other", &values),
            Err("`{{` without `}}`".to_owned())
        );
        assert!(fill("{% if x %}", &values).is_err());
    }

    #[test]
    fn files_lose_the_ending_of_templates() {
        let folder = tempfile::tempdir().expect("a folder");
        let (template, into) = (folder.path().join("template"), folder.path().join("crate"));
        fs::create_dir_all(template.join("src")).expect("a folder");
        fs::write(template.join(DESCRIPTION), "").expect("a file");
        fs::write(template.join("Cargo.toml.liquid"), "{{project-name}}").expect("a file");
        fs::write(template.join("src/lib.rs"), "").expect("a file");
        render(&template, &into, &[("project-name", "x")]).expect("renders");
        assert_eq!(
            fs::read_to_string(into.join("Cargo.toml")).expect("a file"),
            "x"
        );
        assert!(into.join("src/lib.rs").is_file());
        assert_eq!(fs::read_dir(&into).expect("a folder").count(), 2);
    }
}
