//! Tests of lines, and of sets of records.

use std::cell::Cell;

use super::{DATE, record};
use crate::testing::{Random, mutate_bytes, mutate_text};
use crate::tuning::{
    Candidate, FORMAT_VERSION, Inserted, LineFault, Merged, Outcome, Query, Record, Records, lines,
};

fn records(all: impl IntoIterator<Item = Record>) -> Records {
    all.into_iter().collect()
}

#[test]
fn a_record_is_one_line_with_its_fields_in_order() {
    let text = records([record("a::f", "n = 7", DATE)]).to_text();
    let expected = r#"{"v":1,"kernel":"a::f","hash":"00112233aabbccdd","fixed":"T = f32","key":"n = 7","extents":[1024,7],"device":"NVIDIA H100 80GB HBM3","arch":"sm_90a","driver":"12.8","version":"0.1.0","date":"2026-01-31T12:00:00Z","clock":"device","candidates":[{"name":"BM = 64, BN = 64","seconds":1.25e-5,"noise":0.012,"runs":40,"model":1.1e-5},{"name":"BM = 128, BN = 64","seconds":2.5e-5,"noise":0.012,"runs":40,"model":1.1e-5},{"name":"BM = 256, BN = 256","failed":"needs 400 KiB of shared memory"},{"name":"BM = 32, BN = 64","seconds":1e-6,"noise":0.012,"runs":40,"model":1.1e-5,"wrong":"element 3"}]}
"#;
    assert_eq!(text, expected);
    let (back, bad_lines) = Records::parse(&text);
    assert_eq!(bad_lines, []);
    assert_eq!(back.to_text(), text);
    assert_eq!(back.iter().next(), Some(&record("a::f", "n = 7", DATE)));
}

#[test]
fn names_and_numbers_come_back() {
    let mut random = Random::new(1);
    let mut odd = record("a::\"f\"\n\t\\ é 𝄞 \u{1}\0", "", DATE);
    odd.extents = vec![0, 1, u64::MAX];
    for _ in 0..1000 {
        let seconds = f64::from_bits(random.bits());
        odd.candidates = vec![Candidate {
            name: "a".to_owned(),
            seconds,
            noise: seconds / 3.0,
            runs: random.bits(),
            repeats: random.bits() >> 60,
            model: f64::from_bits(random.bits()),
            outcome: Outcome::Measured,
        }];
        let written = records([odd.clone()]);
        let (back, bad_lines) = Records::parse(&written.to_text());
        assert_eq!(bad_lines, []);
        assert_eq!(back, written);
    }
}

#[test]
fn the_text_does_not_depend_on_the_order_of_insertion() {
    let mut all: Vec<Record> = Vec::new();
    for kernel in ["b::g", "a::f"] {
        for key in ["n = 9", "n = 7", "n = 8"] {
            for date in ["2026-02-01T00:00:00Z", DATE, "no date"] {
                all.push(record(kernel, key, date));
                // The same date, with another time.
                let mut other = record(kernel, key, date);
                other.candidates[0].seconds *= 2.0;
                all.push(other);
            }
        }
    }
    let expected = records(all.clone());
    assert_eq!(expected.len(), 6);
    assert!(
        expected
            .iter()
            .all(|record| record.date == "2026-02-01T00:00:00Z")
    );
    let mut random = Random::new(5);
    for _ in 0..50 {
        for last in (1..all.len()).rev() {
            all.swap(last, random.below(last + 1));
        }
        let (first, second) = all.split_at(random.below(all.len()));
        let mut merged = records(first.to_vec());
        merged.merge(records(second.to_vec()));
        assert_eq!(merged.to_text(), expected.to_text());
    }
}

#[test]
fn of_two_records_the_newer_is_kept() {
    let mut records = Records::new();
    let (old, new) = (DATE, "2026-02-01T00:00:00Z");
    assert_eq!(records.insert(record("f", "n = 7", old)), Inserted::Added);
    assert_eq!(records.insert(record("f", "n = 7", old)), Inserted::Kept);
    assert_eq!(
        records.insert(record("f", "n = 7", new)),
        Inserted::Replaced
    );
    assert_eq!(records.insert(record("f", "n = 7", old)), Inserted::Kept);
    // What was cancelled has fewer candidates than what was finished in the same second.
    let mut cancelled = record("f", "n = 7", new);
    cancelled.candidates.truncate(1);
    assert_eq!(records.insert(cancelled), Inserted::Kept);
    // What was just measured counts, whatever the clock says.
    let (mut measured, mut again) = (records.clone(), record("f", "n = 7", old));
    again.candidates.truncate(1);
    measured.replace(again.clone());
    measured.replace(record("f", "n = 6", old));
    assert_eq!(measured.len(), 2);
    assert_eq!(measured.iter().last(), Some(&again));
    let mut more = Records::new();
    more.insert(record("f", "n = 7", old));
    more.insert(record("f", "n = 8", old));
    more.insert(record("g", "n = 8", old));
    let merged = records.merge(more);
    assert_eq!(
        merged,
        Merged {
            added: 2,
            replaced: 0,
            kept: 1
        }
    );
}

#[test]
fn candidates_are_sorted_and_those_without_a_time_failed() {
    let mut unsorted = record("f", "n = 7", DATE);
    unsorted.candidates.reverse();
    unsorted.candidates.push(Candidate {
        name: "BM = 8".to_owned(),
        seconds: f64::NAN,
        ..Candidate::default()
    });
    let records = records([unsorted]);
    let record = records.iter().next().expect("one record");
    let names: Vec<&str> = record
        .candidates
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    let expected = [
        "BM = 64, BN = 64",
        "BM = 128, BN = 64",
        "BM = 256, BN = 256",
        "BM = 8",
        "BM = 32, BN = 64",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        record.winner().map(|it| it.name.as_str()),
        Some("BM = 64, BN = 64")
    );
    assert_eq!(record.measured().count(), 2);
}

#[test]
fn a_bad_line_is_named_and_the_others_are_used() {
    let good = |kernel: &str| record(kernel, "n = 7", DATE).to_line();
    let cut = &good("b")[..50];
    let twice = good("b").replacen(",\"hash\"", ",\"kernel\":\"c\",\"hash\"", 1);
    let without = good("b").replacen("\"hash\"", "\"other\"", 1);
    let text = format!(
        "\u{feff}{}\r\n\n{cut}\n  \n{twice}\n{without}\n[]\n{}",
        good("a"),
        good("c")
    );
    let (records, bad_lines) = Records::parse(&text);
    let kernels: Vec<&str> = records.iter().map(|it| it.kernel.as_str()).collect();
    assert_eq!(kernels, ["a", "c"]);
    let shown: Vec<String> = bad_lines.iter().map(ToString::to_string).collect();
    let length = without.len() + 1;
    assert_eq!(
        shown,
        [
            "3:51: expected `\"`, found the end of the line".to_owned(),
            "5:30: field `kernel` is there twice".to_owned(),
            format!("6:{length}: field `hash` is missing"),
            "7:1: expected `{`, found `[`".to_owned(),
        ]
    );
    assert!(bad_lines.iter().all(|it| it.fault == LineFault::Malformed));
}

#[test]
fn a_newer_format_is_said_with_its_cure_and_unknown_fields_are_skipped() {
    let line = record("f", "n = 7", DATE).to_line();
    let newer = line.replacen("\"v\":1,", &format!("\"v\":{},", FORMAT_VERSION + 1), 1);
    let (records, bad_lines) = Records::parse(&newer);
    assert!(records.is_empty());
    assert_eq!(bad_lines[0].fault, LineFault::NewerFormat);
    let reason = &bad_lines[0].reason;
    assert!(
        reason.contains("update tile-kernel, or tune again"),
        "{reason}"
    );
    let more = line.replacen("\"v\":1,", r#""v":1,"future":{"a":[1,null]},"#, 1);
    let (records, bad_lines) = Records::parse(&more);
    assert_eq!(bad_lines, []);
    assert_eq!(records.to_text(), format!("{line}\n"));
}

#[test]
fn both_sides_of_a_conflict_are_used() {
    let line = |kernel: &str, date: &str| record(kernel, "n = 7", date).to_line();
    let newer = "2026-02-01T00:00:00Z";
    let text = format!(
        "{}\n<<<<<<< HEAD\n{}\n{}\n||||||| 1234567\n{}\n=======\n{}\n>>>>>>> branch\n{}\n",
        line("a", DATE),
        line("b", newer),
        line("c", DATE),
        line("b", DATE),
        line("d", DATE),
        line("e", DATE),
    );
    let (records, bad_lines) = Records::parse(&text);
    let kernels: Vec<&str> = records.iter().map(|it| it.kernel.as_str()).collect();
    assert_eq!(kernels, ["a", "b", "c", "d", "e"]);
    assert_eq!(
        records.iter().nth(1).map(|it| it.date.as_str()),
        Some(newer)
    );
    let numbers: Vec<usize> = bad_lines.iter().map(|it| it.line).collect();
    assert_eq!(numbers, [2, 5, 7, 9]);
    assert!(
        bad_lines
            .iter()
            .all(|it| it.fault == LineFault::ConflictMarker)
    );
}

#[test]
fn a_launch_finds_what_was_measured_for_it() {
    let of = |change: fn(&mut Record)| {
        let mut record = record("f", "n = 7", DATE);
        change(&mut record);
        record
    };
    let all = records([
        of(|_| {}),
        of(|it| it.driver = "12.9".to_owned()),
        of(|it| {
            it.driver = "13.0".to_owned();
            it.date = "2025-01-31T12:00:00Z".to_owned();
        }),
        of(|it| it.key = "n = 8".to_owned()),
        of(|it| {
            it.key = "n = 8".to_owned();
            it.driver = "12.9".to_owned();
        }),
        of(|it| {
            it.key = "n = 9".to_owned();
            it.driver = "12.9".to_owned();
        }),
        of(|it| it.device = "NVIDIA A100".to_owned()),
        of(|it| it.fixed = "T = f16".to_owned()),
        of(|it| it.clock = "host".to_owned()),
        of(|it| it.kernel = "g".to_owned()),
        of(|it| it.hash = "0000000000000000".to_owned()),
    ]);
    let query = Query {
        kernel: "f",
        hash: "00112233aabbccdd",
        fixed: "T = f32",
        key: "n = 7",
        device: "NVIDIA H100 80GB HBM3",
        driver: "12.8",
        clock: "device",
    };
    assert_eq!(Query::of(&of(|_| {})), query);
    let found = all.find(&query);
    assert_eq!(found.exact, Some(&of(|_| {})));
    assert_eq!(
        found.other_driver.map(|it| it.driver.as_str()),
        Some("12.9")
    );
    let near: Vec<(&str, &str)> = found
        .near
        .iter()
        .map(|it| (it.key.as_str(), it.driver.as_str()))
        .collect();
    assert_eq!(near, [("n = 8", "12.8"), ("n = 9", "12.9")]);
    assert!(found.stale);

    let updated = all.find(&Query {
        driver: "13.1",
        ..query
    });
    assert_eq!(updated.exact, None);
    assert_eq!(
        updated.other_driver.map(|it| it.driver.as_str()),
        Some("12.9")
    );
    let unknown = all.find(&Query {
        kernel: "e",
        ..query
    });
    assert!(unknown.exact.is_none() && unknown.near.is_empty() && !unknown.stale);
    let edited = all.find(&Query {
        hash: "1111111111111111",
        ..query
    });
    assert!(edited.exact.is_none() && edited.near.is_empty() && edited.stale);
}

#[test]
fn records_of_edited_kernels_are_stale() {
    let mut all = records(["a", "b", "c"].map(|kernel| record(kernel, "n = 7", DATE)));
    let current = |kernel: &str| match kernel {
        "a" => Some("00112233aabbccdd".to_owned()),
        "b" => Some("ffffffffffffffff".to_owned()),
        _ => None,
    };
    assert_eq!(all.stale(current).len(), 1);
    let removed = all.remove_stale(current);
    assert_eq!(
        removed
            .iter()
            .map(|it| it.kernel.as_str())
            .collect::<Vec<_>>(),
        ["b"]
    );
    assert_eq!(all.len(), 2);
    assert!(all.stale(current).is_empty());
}

/// Random changes of a valid file: nothing panics, and what is read can be written and read again.
#[test]
fn damaged_files_are_read_without_a_panic() {
    let all: Vec<Record> = ["a", "b", "c"].map(|it| record(it, "n = 7", DATE)).to_vec();
    let text = records(all).to_text();
    let mut random = Random::new(11);
    let (whole, damaged) = (Cell::new(0), Cell::new(0));
    let check = |bytes: &[u8]| {
        let numbered = lines(bytes);
        assert!(
            numbered
                .windows(2)
                .all(|pair| pair[0].number < pair[1].number)
        );
        let (records, bad_lines) = Records::from_bytes(bytes);
        let counter = if bad_lines.is_empty() {
            &whole
        } else {
            &damaged
        };
        counter.set(counter.get() + 1);
        let again = Records::parse(&records.to_text());
        assert_eq!(again, (records, Vec::new()));
    };
    for _ in 0..3000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(3) {
            bytes = mutate_bytes(&bytes, random.bits());
        }
        check(&bytes);
        check(mutate_text(&text, random.bits()).as_bytes());
        check(&bytes[..random.below(bytes.len() + 1)]);
    }
    assert!(
        whole.get() > 100 && damaged.get() > 1000,
        "{whole:?} {damaged:?}"
    );
}
