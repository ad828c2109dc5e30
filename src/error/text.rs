//! Parts of the texts of errors.

pub(super) fn last_element(last: Option<usize>) -> String {
    match last {
        Some(last) => format!("element {last}"),
        None => "beyond the address space".to_owned(),
    }
}

/// Formats `12040` as `12.4`.
pub(super) fn version(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

pub(super) fn other_device(count: usize) -> &'static str {
    match count {
        0 => "use `Device::cpu()`, or make a GPU visible in `CUDA_VISIBLE_DEVICES`",
        _ => "use a lower number, or `Device::best()`",
    }
}

#[expect(clippy::ref_option, reason = "`thiserror` passes fields by reference")]
pub(super) fn reaches(reach: &Option<i128>) -> String {
    match reach {
        Some(value) => format!("reaches {value}, beyond"),
        None => "may go beyond".to_owned(),
    }
}

#[expect(clippy::ref_option, reason = "`thiserror` passes fields by reference")]
pub(super) fn divisor(least: &Option<i128>) -> String {
    match least {
        Some(least) => least.to_string(),
        None => "what may be 0".to_owned(),
    }
}

/// Formats values like "`n` is 12, `m` is 3 and `x.dim(0)` is 100".
pub(super) fn list_values(values: &[(String, i128)]) -> String {
    let values = values.iter().map(|(name, value)| {
        if name.ends_with(".addr()") {
            format!("`{name}` is {value:#x}")
        } else {
            format!("`{name}` is {value}")
        }
    });
    let values: Vec<String> = values.collect();
    match values.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => values.concat(),
    }
}

pub(super) fn list_archs(archs: &[&str]) -> String {
    if archs.is_empty() {
        return "code for the CPU device".to_owned();
    }
    archs.join(", ")
}

/// Names the other reason why a program has no GPU code at all.
pub(super) fn if_incomplete(archs: &[&str]) -> &'static str {
    if archs.is_empty() {
        "if the build warned that a part is missing, install it; else "
    } else {
        ""
    }
}

pub(super) fn list_instances(listed: &[&str]) -> String {
    let listed = listed.iter().map(|text| match text.strip_prefix('(') {
        Some(_) => format!("`{text}`"),
        None => (*text).to_owned(),
    });
    listed.collect::<Vec<_>>().join(", ")
}
