//! The approximate instructions of a GPU, which are not in Rust.
//!
//! The generator of the IR replaces these declarations by LLVM intrinsics. On the CPU, where the functions are tested,
//! their results have errors as well.

#[cfg(device)]
mod instruction {
    unsafe extern "C" {
        pub safe fn tile_exp2_approx_f32(x: f32) -> f32;
        pub safe fn tile_reciprocal_approx_f32(x: f32) -> f32;
        pub safe fn tile_reciprocal_approx_f64(x: f64) -> f64;
        pub safe fn tile_rsqrt_approx_f64(x: f64) -> f64;
    }
}

#[cfg(not(device))]
mod instruction {
    /// An error of up to one unit in the last place.
    pub fn tile_exp2_approx_f32(x: f32) -> f32 {
        let result = x.exp2();
        if !result.is_normal() {
            return result;
        }
        let step = x.to_bits().wrapping_mul(0x9e37_79b9) >> 31;
        let down = f64::from(x).exp2() < f64::from(result);
        f32::from_bits(if down {
            result.to_bits() - step
        } else {
            result.to_bits() + step
        })
    }

    /// An error of up to one unit in the last place.
    pub fn tile_reciprocal_approx_f32(x: f32) -> f32 {
        let result = 1.0 / x;
        if !result.is_normal() {
            return result;
        }
        // Some function of the operand that takes the values 0 and 1 about equally often.
        let step = x.to_bits().wrapping_mul(0x9e37_79b9) >> 31;
        let down = (1.0 / f64::from(x)).abs() < f64::from(result.abs());
        f32::from_bits(if down {
            result.to_bits() - step
        } else {
            result.to_bits() + step
        })
    }

    /// The upper 32 bits.
    pub fn tile_reciprocal_approx_f64(x: f64) -> f64 {
        f64::from_bits((1.0 / x).to_bits() & 0xffff_ffff_0000_0000)
    }

    /// The upper 32 bits.
    pub fn tile_rsqrt_approx_f64(x: f64) -> f64 {
        f64::from_bits((1.0 / x.sqrt()).to_bits() & 0xffff_ffff_0000_0000)
    }
}

/// `ex2.approx.ftz.f32`.
#[inline(always)]
pub fn exp2_approx_f32(x: f32) -> f32 {
    instruction::tile_exp2_approx_f32(x)
}

/// `rcp.approx.ftz.f32`.
#[inline(always)]
pub fn reciprocal_approx_f32(x: f32) -> f32 {
    instruction::tile_reciprocal_approx_f32(x)
}

/// `rcp.approx.ftz.f64`.
#[inline(always)]
pub fn reciprocal_approx_f64(x: f64) -> f64 {
    instruction::tile_reciprocal_approx_f64(x)
}

/// `rsqrt.approx.ftz.f64`.
#[inline(always)]
pub fn rsqrt_approx_f64(x: f64) -> f64 {
    instruction::tile_rsqrt_approx_f64(x)
}
