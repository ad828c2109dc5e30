//! `atan2`, in about 75 bits.

use super::double::Double;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// `atan(k / 32)`.
const TABLE: [Double; 33] = [
    Double::new(0.0, 0.0),
    Double::new(0.031_239_833_430_268_277, -1.188_442_711_587_748e-18),
    Double::new(0.062_418_809_995_957_35, -1.549_075_630_829_504_6e-18),
    Double::new(0.093_476_781_158_589_47, -6.284_472_599_542_095_4e-18),
    Double::new(0.124_354_994_546_761_44, -3.125_324_142_453_938_3e-18),
    Double::new(0.154_996_741_923_940_97, 9.585_415_594_114_324e-18),
    Double::new(0.185_347_949_995_694_76, 4.180_692_268_843_079e-18),
    Double::new(0.215_357_699_697_738_05, 4.738_160_130_078_733e-19),
    Double::new(0.244_978_663_126_864_14, 1.069_875_561_873_445_1e-17),
    Double::new(0.274_167_451_119_658_8, 8.261_353_575_163_773e-18),
    Double::new(0.302_884_868_374_971_4, -1.101_082_790_300_136_9e-17),
    Double::new(0.331_096_076_704_132_1, -7.952_610_375_793_799e-18),
    Double::new(0.358_770_670_270_572_25, -2.462_381_558_263_863_5e-17),
    Double::new(0.385_882_669_398_073_75, 2.378_822_732_491_941e-17),
    Double::new(0.412_410_441_597_387_3, -1.587_652_227_770_689e-17),
    Double::new(0.438_336_559_857_957_83, -2.494_277_030_626_541e-17),
    Double::new(0.463_647_609_000_806_1, 2.269_877_745_296_168_7e-17),
    Double::new(0.488_333_951_056_405_54, -1.137_323_618_932_958_5e-17),
    Double::new(0.512_389_460_310_737_7, -2.546_278_147_285_580_4e-17),
    Double::new(0.535_811_237_960_463_7, -4.063_795_683_482_557_5e-18),
    Double::new(0.558_599_315_343_562_4, -5.455_630_548_591_626_4e-18),
    Double::new(0.580_756_353_567_670_4, -1.441_464_378_193_067e-17),
    Double::new(0.602_287_346_134_964_2, 2.950_430_737_228_402e-17),
    Double::new(0.623_199_329_934_065_9, 2.672_403_885_140_095e-17),
    Double::new(0.643_501_108_793_284_4, 1.583_478_505_144_428_6e-17),
    Double::new(0.663_202_992_706_093_3, -3.076_054_864_429_649e-17),
    Double::new(0.682_316_554_874_748_1, 6.943_223_671_560_008e-18),
    Double::new(0.700_854_407_884_450_2, -1.987_626_234_335_816e-17),
    Double::new(0.718_829_999_621_624_5, -2.147_838_844_445_698_3e-17),
    Double::new(0.736_257_428_981_428_1, 3.473_937_648_299_457e-17),
    Double::new(0.753_151_280_962_194_4, -2.425_693_465_918_206_8e-17),
    Double::new(0.769_526_480_405_658_3, -3.704_991_905_602_721e-17),
    Double::new(FRAC_PI_4, 3.061_616_997_868_383e-17),
];
/// A quarter turn, π/2. The low part of a half turn is twice its low part.
const QUARTER: Double = Double::new(FRAC_PI_2, 6.123_233_995_736_766e-17);
const THIRD: Double = Double::new(0.333_333_333_333_333_3, 1.850_371_707_708_594e-17);
/// The coefficients of `t^9`, `t^7` and `t^5` in the series of `atan(t)`.
const TAIL: [f64; 3] = [1.0 / 9.0, -1.0 / 7.0, 0.2];

/// Returns the angle of the point (`x`, `y`), with the conventions of C.
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    let (a, b) = (y.abs(), x.abs());
    // `is_near` also returns `false` for the ratios of zeros, infinities and NaN.
    let is_near = |ratio: f64| (3.8e-9..2.6e8).contains(&ratio);
    if !is_near(a / b) {
        // Near an axis, the rounding error of the quotient does not matter.
        return libm::atan2(y, x);
    }
    let exponent = libm::ilogb(a.max(b));
    let [a, b] = [a, b].map(|side| libm::scalbn(side, -exponent));
    let (least, greatest) = if a < b { (a, b) } else { (b, a) };
    let mut angle = atan_of_quotient(least, greatest);
    if a >= b {
        angle = QUARTER.add(angle.negate());
    }
    if x < 0.0 {
        angle = QUARTER.scale(2.0).add(angle.negate());
    }
    angle.hi.copysign(y)
}

/// Returns `atan(y / x)` for `x` from 1 to 2 and `y` positive and at most `x`.
fn atan_of_quotient(y: f64, x: f64) -> Double {
    // tan(a - b) = (tan a - tan b) / (1 + tan a tan b), where b is the nearest entry of the table.
    let nearest = libm::rint(32.0 * y / x);
    let tangent = nearest / 32.0;
    let over = Double::new(y, 0.0).add(Double::product(-tangent, x));
    let under = Double::new(x, 0.0).add(Double::product(tangent, y));
    let t = over.divide(under);
    let square = t.multiply(t);
    let tail = TAIL.iter().fold(0.0, |sum, term| sum * square.hi + term);
    let series = square
        .multiply(square)
        .scale(tail)
        .add(square.multiply(THIRD).negate());
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 32"
    )]
    let entry = TABLE[nearest as usize];
    entry.add(t).add(t.multiply(series))
}
