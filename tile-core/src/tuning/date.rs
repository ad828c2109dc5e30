//! Dates of records: RFC 3339 in UTC, to the second, as `2026-01-31T12:00:00Z`.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_PER_DAY: i64 = 86_400;
/// The last second of the year 9999, the last year with four digits.
const MAX_SECONDS: i64 = 253_402_300_799;

/// Returns the current time as text.
pub fn now() -> String {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = elapsed.map_or(0, |elapsed| elapsed.as_secs());
    format(i64::try_from(seconds).unwrap_or(MAX_SECONDS))
}

/// Returns as text the time that is `seconds` after the start of 1970. Times before 1970 and after
/// 9999 are those bounds.
pub fn format(seconds: i64) -> String {
    let seconds = seconds.clamp(0, MAX_SECONDS);
    let (year, month, day) = civil(seconds / SECONDS_PER_DAY);
    let second = seconds % SECONDS_PER_DAY;
    let (hour, minute) = (second / 3600, second / 60 % 60);
    let second = second % 60;
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Returns the seconds from the start of 1970 to the time that `text` states; `None` if it states
/// none in this form, or an earlier one.
pub fn parse(text: &str) -> Option<i64> {
    const FORM: &[u8] = b"0000-00-00T00:00:00Z";
    let has_form = |(byte, form): (u8, &u8)| match form {
        b'0' => byte.is_ascii_digit(),
        _ => byte == *form,
    };
    if text.len() != FORM.len() || !text.bytes().zip(FORM).all(has_form) {
        return None;
    }
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let days = days(number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let second = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
    let seconds = days * SECONDS_PER_DAY + second;
    // A month 13 or a second 60 is another date when it is written again.
    (format(seconds) == text).then_some(seconds)
}

/// Returns the days from the start of 1970 to a date of the Gregorian calendar
/// (Hinnant, chrono-Compatible Low-Level Date Algorithms, `days_from_civil`).
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years start in March, so that a leap day is the last of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year - era * 400;
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Returns the year, month and day that are `days` after the start of 1970 (`civil_from_days`).
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days - era * 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = (shifted_month + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (MAX_SECONDS, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(format(seconds), text);
            assert_eq!(parse(text), Some(seconds));
        }
        for day in 0..40_000 {
            let seconds = day * SECONDS_PER_DAY + 12_345;
            assert_eq!(parse(&format(seconds)), Some(seconds));
        }
        assert!(parse(&now()).is_some());
        assert_eq!(format(-1), format(0));
        assert_eq!(format(i64::MAX), format(MAX_SECONDS));
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "2026-01-31",
            "2026-01-31T12:00:00+01:00",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-01-31T24:00:00Z",
            "2026-01-31T00:00:60Z",
            "1969-12-31T23:59:59Z",
            "2026-01-31 12:00:00Z",
            "20é6-01-31T12:00:0Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
