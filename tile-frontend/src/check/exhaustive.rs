//! Finds values that the patterns of a `match` do not cover, and unreachable arms.
//!
//! In: rows of patterns without names, and the set of possible values. Out: a value that no row
//! matches. The algorithm follows L. Maranget, "Warnings for pattern matching" (2007); integers are
//! split where a pattern begins or ends, as in rustc.

use crate::hir::signature::HostScalar;

/// A pattern without names.
#[derive(Clone, Debug)]
pub(super) enum Simple {
    /// Matches everything.
    Any,
    /// Matches integers from the first to the second, inclusive; `bool`s are 0 and 1.
    Range(i128, i128),
    /// Matches a tuple by its parts.
    Parts(Vec<Simple>),
    /// Matches every value that at least one of the alternatives matches.
    Or(Vec<Simple>),
    /// Matches some values that cannot be enumerated: floats.
    Some,
}

/// The set of possible values of a type.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// Integers or `bool`s.
    Range(HostScalar, i128, i128),
    /// Tuples.
    Parts(Vec<Values>),
    /// Values that cannot be enumerated.
    Unlisted,
}

/// Returns a value, as a pattern, that the query matches but no row does; `None` if none exists.
pub(super) fn left_out(rows: &[Simple], query: &Simple, values: &Values) -> Option<String> {
    let rows = rows.iter().map(|row| vec![row.clone()]).collect();
    let missing = search(rows, vec![query.clone()], std::slice::from_ref(values))?;
    missing.into_iter().next()
}

/// Expands the alternatives of the first pattern of a row.
fn alternatives(row: Vec<Simple>) -> Vec<Vec<Simple>> {
    match row.first() {
        Some(Simple::Or(cases)) => cases
            .iter()
            .flat_map(|case| {
                let mut row = row.clone();
                row[0] = case.clone();
                alternatives(row)
            })
            .collect(),
        _ => vec![row],
    }
}

fn search(rows: Vec<Vec<Simple>>, query: Vec<Simple>, values: &[Values]) -> Option<Vec<String>> {
    let Some(first) = values.first().cloned() else {
        return rows.is_empty().then(Vec::new);
    };
    let rows: Vec<Vec<Simple>> = rows.into_iter().flat_map(alternatives).collect();
    let rest = values[1..].to_vec();
    for query in alternatives(query) {
        let missing = match &first {
            Values::Parts(parts) => tuples(&rows, &query, parts, &rest),
            Values::Range(scalar, least, greatest) => {
                numbers(&rows, &query, (*scalar, *least, *greatest), &rest)
            }
            Values::Unlisted => {
                let others = rows.iter().filter(|row| matches!(row[0], Simple::Any));
                let others = others.map(|row| row[1..].to_vec()).collect();
                search(others, query[1..].to_vec(), &rest).map(|mut missing| {
                    missing.insert(0, "_".to_owned());
                    missing
                })
            }
        };
        if missing.is_some() {
            return missing;
        }
    }
    None
}

fn tuples(
    rows: &[Vec<Simple>],
    query: &[Simple],
    parts: &[Values],
    rest: &[Values],
) -> Option<Vec<String>> {
    let open = |row: &[Simple]| -> Vec<Simple> {
        let mut opened = match &row[0] {
            Simple::Parts(inner) => inner.clone(),
            Simple::Any | Simple::Range(..) | Simple::Or(_) | Simple::Some => {
                vec![Simple::Any; parts.len()]
            }
        };
        opened.extend_from_slice(&row[1..]);
        opened
    };
    let mut values = parts.to_vec();
    values.extend_from_slice(rest);
    let opened = rows.iter().map(|row| open(row)).collect();
    let missing = search(opened, open(query), &values)?;
    let (inside, behind) = missing.split_at(parts.len());
    let mut missing_rows = vec![format!("({})", inside.join(", "))];
    missing_rows.extend_from_slice(behind);
    Some(missing_rows)
}

fn numbers(
    rows: &[Vec<Simple>],
    query: &[Simple],
    (scalar, least, greatest): (HostScalar, i128, i128),
    rest: &[Values],
) -> Option<Vec<String>> {
    let span = |pattern: &Simple| match pattern {
        Simple::Range(low, high) => (*low.max(&least), *high.min(&greatest)),
        Simple::Any | Simple::Parts(_) | Simple::Or(_) | Simple::Some => (least, greatest),
    };
    // The range is split at the start of each pattern and after its end.
    let mut starts = vec![span(&query[0]).0];
    for row in rows {
        let (low, high) = span(&row[0]);
        starts.push(low);
        starts.push(high + 1);
    }
    let (low, high) = span(&query[0]);
    starts.retain(|start| (low..=high).contains(start));
    starts.sort_unstable();
    starts.dedup();
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(high, |next| next - 1);
        let inside = rows.iter().filter(|row| {
            let (low, high) = span(&row[0]);
            low <= start && end <= high
        });
        let inside = inside.map(|row| row[1..].to_vec()).collect();
        if let Some(mut missing) = search(inside, query[1..].to_vec(), rest) {
            missing.insert(0, text(scalar, start, end, (least, greatest)));
            return Some(missing);
        }
    }
    None
}

fn text(scalar: HostScalar, low: i128, high: i128, (least, greatest): (i128, i128)) -> String {
    let name = scalar.name();
    if scalar == HostScalar::Bool {
        return match (low, high) {
            (0, 0) => "false".to_owned(),
            (1, 1) => "true".to_owned(),
            _ => "_".to_owned(),
        };
    }
    if scalar == HostScalar::Usize && low == greatest {
        return "usize::MAX..".to_owned();
    }
    if scalar == HostScalar::Usize && high == greatest && low > least {
        return format!("{low}..");
    }
    let number = |value: i128| {
        if value == greatest {
            format!("{name}::MAX")
        } else if value == least && scalar.is_signed() {
            format!("{name}::MIN")
        } else {
            value.to_string()
        }
    };
    if (low, high) == (least, greatest) {
        "_".to_owned()
    } else if low == high {
        number(low)
    } else {
        format!("{}..={}", number(low), number(high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes() -> Values {
        Values::Range(HostScalar::U8, 0, 255)
    }

    fn bools() -> Values {
        Values::Range(HostScalar::Bool, 0, 1)
    }

    fn missing(rows: &[Simple], values: &Values) -> Option<String> {
        left_out(rows, &Simple::Any, values)
    }

    #[test]
    fn gaps_between_ranges_are_found() {
        let rows = [Simple::Range(0, 9), Simple::Range(11, 255)];
        assert_eq!(missing(&rows, &bytes()).as_deref(), Some("10"));
        let rows = [Simple::Range(0, 9)];
        assert_eq!(missing(&rows, &bytes()).as_deref(), Some("10..=u8::MAX"));
        let rows = [Simple::Range(128, 255), Simple::Range(0, 127)];
        assert_eq!(missing(&rows, &bytes()), None);
    }

    #[test]
    fn a_usize_may_be_greater_than_its_greatest_number_here() {
        let greatest = i128::from(u64::MAX);
        let values = Values::Range(HostScalar::Usize, 0, greatest + 1);
        let rows = [Simple::Range(0, greatest)];
        assert_eq!(missing(&rows, &values).as_deref(), Some("usize::MAX.."));
        let rows = [Simple::Range(0, 9)];
        assert_eq!(missing(&rows, &values).as_deref(), Some("10.."));
        let rows = [Simple::Range(0, 9), Simple::Range(10, i128::MAX)];
        assert_eq!(missing(&rows, &values), None);
    }

    #[test]
    fn tuples_are_searched_part_by_part() {
        let pair = Values::Parts(vec![bools(), bytes()]);
        let rows = [
            Simple::Parts(vec![Simple::Range(1, 1), Simple::Any]),
            Simple::Parts(vec![
                Simple::Any,
                Simple::Or(vec![Simple::Range(0, 3), Simple::Range(5, 255)]),
            ]),
        ];
        assert_eq!(missing(&rows, &pair).as_deref(), Some("(false, 4)"));
    }

    #[test]
    fn an_arm_behind_arms_that_take_everything_it_takes_is_found() {
        let rows = [Simple::Range(0, 9), Simple::Range(10, 20)];
        assert_eq!(left_out(&rows, &Simple::Range(5, 15), &bytes()), None);
        assert!(left_out(&rows, &Simple::Range(5, 21), &bytes()).is_some());
    }

    #[test]
    fn values_that_cannot_be_listed_need_a_wildcard() {
        assert!(missing(&[Simple::Some], &Values::Unlisted).is_some());
        assert!(missing(&[Simple::Some, Simple::Any], &Values::Unlisted).is_none());
    }
}
