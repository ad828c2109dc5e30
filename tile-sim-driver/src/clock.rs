//! The clock of the devices, which is simulated: it goes on by what each operation is estimated to take.
//!
//! - An operation begins when the operations before it have ended: that on its stream, those that it waits for, and
//!   those of which the thread that submitted it knew, as it had waited for them. Otherwise no time of the host passes.
//! - The time of a launch is that of [`tile_sim::cost`]; copies and fills take their bytes by a bandwidth. Points in
//!   the work, such as records of events, and calls on the host take none.
//! - The same work submitted in the same order has the same times in every run.

use tile_sim::cost::{LAUNCH, Throughputs};

/// A time in picoseconds.
pub(crate) type Picoseconds = u64;

/// The bytes that a copy between the host and a device moves in a second, as over PCI Express 5.0 with 16 lanes.
const HOST_BYTES: u64 = 50_000_000_000;

/// The memory that a copy or a fill moves bytes of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// That of devices.
    Device,
    /// The connection with the host.
    Host,
}

/// Returns the time of a copy or a fill that moves this many bytes.
pub(crate) fn transfer(bytes: u64, over: Over, throughputs: &Throughputs) -> Picoseconds {
    let rate = match over {
        Over::Device => throughputs.memory_bytes,
        Over::Host => HOST_BYTES.min(throughputs.memory_bytes),
    };
    let time = u128::from(bytes) * 1_000_000_000_000 / u128::from(rate.max(1));
    let start = u64::try_from(LAUNCH.as_nanos() * 1000).unwrap_or(0);
    start.saturating_add(u64::try_from(time).unwrap_or(u64::MAX))
}

/// Returns the milliseconds from one time to another.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "the driver has times as `f32`"
)]
pub(crate) fn milliseconds(from: Picoseconds, to: Picoseconds) -> f32 {
    let distance = to.abs_diff(from) as f64 / 1e9;
    let signed = if to < from { -distance } else { distance };
    signed as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_take_their_bytes_by_the_bandwidth() {
        let h100 = Throughputs::H100;
        assert_eq!(transfer(0, Over::Device, &h100), 1_000_000);
        let second = transfer(h100.memory_bytes, Over::Device, &h100);
        assert_eq!(second, 1_000_000_000_000 + 1_000_000);
        let second = transfer(HOST_BYTES, Over::Host, &h100);
        assert_eq!(second, 1_000_000_000_000 + 1_000_000);
    }

    #[test]
    fn times_between_events_have_a_sign() {
        let (start, end) = (1_000_000_000, 3_500_000_000);
        assert!((milliseconds(start, end) - 2.5).abs() < 1e-6);
        assert!((milliseconds(end, start) + 2.5).abs() < 1e-6);
    }
}
