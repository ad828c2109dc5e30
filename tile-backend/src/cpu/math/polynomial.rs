//! Coefficients of polynomials, that of the lowest power first. `polynomial.py` computes and writes them.

/// For f32.
pub(crate) mod single {
    /// `(cosh(r) - 1) / r^2` in `r^2`; the error is at most 2^-34.2 of the function.
    pub(crate) const COSH: [f32; 3] = [
        f32::from_bits(0x3f00_0000),
        f32::from_bits(0x3d2a_aa3b),
        f32::from_bits(0x3ab6_cf9f),
    ];

    /// `(sinh(r) - r) / r^3` in `r^2`; the error is at most 2^-29.3 of the function.
    pub(crate) const SINH: [f32; 3] = [
        f32::from_bits(0x3e2a_aaaf),
        f32::from_bits(0x3c08_8554),
        f32::from_bits(0x3952_d476),
    ];

    /// `(e^r - 1 - r) / r^2`; the error is at most 2^-28.2 of the function.
    pub(crate) const EXP: [f32; 5] = [
        f32::from_bits(0x3eff_fffe),
        f32::from_bits(0x3e2a_aa45),
        f32::from_bits(0x3d2a_ac8c),
        f32::from_bits(0x3c09_1fe0),
        f32::from_bits(0x3ab5_0cd3),
    ];

    /// `(2^t - 1 - t ln 2) / t^2`; the error is at most 2^-34.1 of the function.
    pub(crate) const EXP2: [f32; 6] = [
        f32::from_bits(0x3e75_fdf0),
        f32::from_bits(0x3d63_5846),
        f32::from_bits(0x3c1d_94fc),
        f32::from_bits(0x3aae_c4e9),
        f32::from_bits(0x3922_2dd0),
        f32::from_bits(0x377f_3aa2),
    ];

    /// `(ln(1 + f) - f + f^2 / 2) / f^3`; the error is at most 2^-30.1 of the function.
    pub(crate) const LOG: [f32; 9] = [
        f32::from_bits(0x3eaa_aaab),
        f32::from_bits(0xbe7f_ff87),
        f32::from_bits(0x3e4c_cbbe),
        f32::from_bits(0xbe2a_cc9e),
        f32::from_bits(0x3e12_7a66),
        f32::from_bits(0xbdf9_c1a1),
        f32::from_bits(0x3ddc_3c23),
        f32::from_bits(0xbe03_90db),
        f32::from_bits(0x3df5_f4db),
    ];

    /// `(log2(1 + f) - f / ln 2) / f^2`; the error is at most 2^-30.5 of the function.
    pub(crate) const LOG2: [f32; 10] = [
        f32::from_bits(0xbf38_aa3c),
        f32::from_bits(0x3ef6_3851),
        f32::from_bits(0xbeb8_a991),
        f32::from_bits(0x3e93_ba46),
        f32::from_bits(0xbe76_7b3b),
        f32::from_bits(0x3e53_63bf),
        f32::from_bits(0xbe33_6759),
        f32::from_bits(0x3e1e_3465),
        f32::from_bits(0xbe40_9f6a),
        f32::from_bits(0x3e33_bc09),
    ];

    /// `(sin(r) - r) / r^3` in `r^2`; the error is at most 2^-27.9 of the function.
    pub(crate) const SIN: [f32; 3] = [
        f32::from_bits(0xbe2a_aaa2),
        f32::from_bits(0x3c08_8384),
        f32::from_bits(0xb94c_993d),
    ];

    /// `(cos(r) - 1 + r^2 / 2) / r^4` in `r^2`; the error is at most 2^-33.2 of the function.
    pub(crate) const COS: [f32; 3] = [
        f32::from_bits(0x3d2a_aaa5),
        f32::from_bits(0xbab6_062c),
        f32::from_bits(0x37cc_f97d),
    ];

    /// `(tan(r) - r) / r^3` in `r^2`; the error is at most 2^-29.4 of the function.
    pub(crate) const TAN: [f32; 7] = [
        f32::from_bits(0x3eaa_aab1),
        f32::from_bits(0x3e08_86a5),
        f32::from_bits(0x3d5d_740b),
        f32::from_bits(0x3cae_170c),
        f32::from_bits(0x3c32_e237),
        f32::from_bits(0xb792_749c),
        f32::from_bits(0x3b91_2bb9),
    ];

    /// `(atan(q) - q) / q^3` in `q^2`; the error is at most 2^-28.5 of the function.
    pub(crate) const ATAN: [f32; 9] = [
        f32::from_bits(0xbeaa_aa9f),
        f32::from_bits(0x3e4c_c8ff),
        f32::from_bits(0xbe12_10de),
        f32::from_bits(0x3de0_4d21),
        f32::from_bits(0xbdac_1aa3),
        f32::from_bits(0x3d6d_660d),
        f32::from_bits(0xbcff_6ab7),
        f32::from_bits(0x3c32_d531),
        f32::from_bits(0xbaeb_1b51),
    ];
}

/// For f64.
pub(crate) mod double {
    /// `(cosh(r) - 1) / r^2` in `r^2`; the error is at most 2^-70.4 of the function.
    pub(crate) const COSH: [f64; 6] = [
        f64::from_bits(0x3fe0_0000_0000_0000),
        f64::from_bits(0x3fa5_5555_5555_555d),
        f64::from_bits(0x3f56_c16c_16c1_3b72),
        f64::from_bits(0x3efa_01a0_1b28_f969),
        f64::from_bits(0x3e92_7e4c_2cec_8f8b),
        f64::from_bits(0x3e21_f989_f940_f6de),
    ];

    /// `(sinh(r) - r) / r^3` in `r^2`; the error is at most 2^-71.3 of the function.
    pub(crate) const SINH: [f64; 7] = [
        f64::from_bits(0x3fc5_5555_5555_5555),
        f64::from_bits(0x3f81_1111_1111_110f),
        f64::from_bits(0x3f2a_01a0_1a01_a77b),
        f64::from_bits(0x3ec7_1de3_a547_9b2a),
        f64::from_bits(0x3e5a_e645_8949_6694),
        f64::from_bits(0x3de6_121d_e08f_71a5),
        f64::from_bits(0x3d6b_1a27_af79_904f),
    ];

    /// `(e^r - 1 - r) / r^2`; the error is at most 2^-57.8 of the function.
    pub(crate) const EXP: [f64; 10] = [
        f64::from_bits(0x3fe0_0000_0000_000b),
        f64::from_bits(0x3fc5_5555_5555_54f0),
        f64::from_bits(0x3fa5_5555_5555_024e),
        f64::from_bits(0x3f81_1111_1112_989b),
        f64::from_bits(0x3f56_c16c_1859_cb70),
        f64::from_bits(0x3f2a_01a0_123d_7586),
        f64::from_bits(0x3efa_0199_5ec4_dcc8),
        f64::from_bits(0x3ec7_1df2_cd14_e6fa),
        f64::from_bits(0x3e92_8b16_9186_beea),
        f64::from_bits(0x3e5a_d7e6_d96f_15f8),
    ];

    /// `(2^t - 1 - t ln 2) / t^2`; the error is at most 2^-57.8 of the function.
    pub(crate) const EXP2: [f64; 10] = [
        f64::from_bits(0x3fce_bfbd_ff82_c5a3),
        f64::from_bits(0x3fac_6b08_d704_a039),
        f64::from_bits(0x3f83_b2ab_6fba_01cd),
        f64::from_bits(0x3f55_d87f_e78c_5c5f),
        f64::from_bits(0x3f24_3091_30f1_1aeb),
        f64::from_bits(0x3eef_fcbf_bbfb_48ea),
        f64::from_bits(0x3eb6_2bfc_667d_1a3b),
        f64::from_bits(0x3e7b_5265_bd09_5731),
        f64::from_bits(0x3e3e_61e4_3a7a_6566),
        f64::from_bits(0x3dfe_7c5a_bf7e_6d99),
    ];

    /// `(sin(r) - r) / r^3` in `r^2`; the error is at most 2^-57.8 of the function.
    pub(crate) const SIN: [f64; 6] = [
        f64::from_bits(0xbfc5_5555_5555_5548),
        f64::from_bits(0x3f81_1111_1110_f686),
        f64::from_bits(0xbf2a_01a0_19bd_3371),
        f64::from_bits(0x3ec7_1de3_541a_8795),
        f64::from_bits(0xbe5a_e5e3_bdef_007e),
        f64::from_bits(0x3de5_d86b_3318_0c67),
    ];

    /// `(cos(r) - 1 + r^2 / 2) / r^4` in `r^2`; the error is at most 2^-64.1 of the function.
    pub(crate) const COS: [f64; 6] = [
        f64::from_bits(0x3fa5_5555_5555_554b),
        f64::from_bits(0xbf56_c16c_16c1_502b),
        f64::from_bits(0x3efa_01a0_19c8_f318),
        f64::from_bits(0xbe92_7e4f_7eff_f1ad),
        f64::from_bits(0x3e21_ee9d_9a82_3360),
        f64::from_bits(0xbda8_fa4d_c8c4_c88d),
    ];

    /// `(tanh(r) - r) / r^3` in `r^2`; the error is at most 2^-59.6 of the function.
    pub(crate) const TANH: [f64; 12] = [
        f64::from_bits(0xbfd5_5555_5555_554b),
        f64::from_bits(0x3fc1_1111_1111_03d3),
        f64::from_bits(0xbfab_a1ba_1b96_3a0f),
        f64::from_bits(0x3f96_64f4_85a9_96eb),
        f64::from_bits(0xbf82_26e3_0381_8d2d),
        f64::from_bits(0x3f6d_6d2f_8cbe_7bea),
        f64::from_bits(0xbf57_d978_56d4_53ad),
        f64::from_bits(0x3f43_4e55_6fb3_d601),
        f64::from_bits(0xbf2e_f78e_545c_7b20),
        f64::from_bits(0x3f17_aa8d_0e9e_a264),
        f64::from_bits(0xbefe_58b9_e56b_cbe1),
        f64::from_bits(0x3ed7_1e72_c17f_39c6),
    ];

    /// `(atan(q) - q) / q^3` in `q^2`; the error is at most 2^-57.6 of the function.
    pub(crate) const ATAN: [f64; 20] = [
        f64::from_bits(0xbfd5_5555_5555_5526),
        f64::from_bits(0x3fc9_9999_9999_554c),
        f64::from_bits(0xbfc2_4924_9237_e2f8),
        f64::from_bits(0x3fbc_71c7_17f9_6859),
        f64::from_bits(0xbfb7_45d1_1ab0_cc38),
        f64::from_bits(0x3fb3_b136_676d_e5f2),
        f64::from_bits(0xbfb1_10e5_0222_016f),
        f64::from_bits(0x3fae_1bb9_b4a7_05ae),
        f64::from_bits(0xbfaa_e5e4_4b64_4b55),
        f64::from_bits(0x3fa8_2da4_4ffb_3b66),
        f64::from_bits(0xbfa5_9a29_3ee7_2774),
        f64::from_bits(0x3fa2_c2b9_cf79_f91f),
        f64::from_bits(0xbf9e_9f1b_78a8_3b54),
        f64::from_bits(0x3f96_832f_2c48_e21a),
        f64::from_bits(0xbf8c_77de_d554_c0e1),
        f64::from_bits(0x3f7d_7a0a_9209_0e9e),
        f64::from_bits(0xbf67_a212_1858_3ec3),
        f64::from_bits(0x3f4b_3d92_926d_4a99),
        f64::from_bits(0xbf23_f19e_3988_9d90),
        f64::from_bits(0x3eeb_bc12_6fb0_ca80),
    ];

    /// `(atanh(s) - s - s^3 / 3) / s^5` in `s^2`; the error is at most 2^-75.8 of the function.
    pub(crate) const ATANH: [f64; 9] = [
        f64::from_bits(0x3fc9_9999_9999_999a),
        f64::from_bits(0x3fc2_4924_9249_22cf),
        f64::from_bits(0x3fbc_71c7_1c75_4b98),
        f64::from_bits(0x3fb7_45d1_7284_33eb),
        f64::from_bits(0x3fb3_b13b_a6ca_a11f),
        f64::from_bits(0x3fb1_10f4_910d_b184),
        f64::from_bits(0x3fae_250f_662b_bad6),
        f64::from_bits(0x3faa_6eb4_515b_86a8),
        f64::from_bits(0x3fad_c1e8_1eb4_e08c),
    ];

    /// `(e^r - 1 - r) / r^2`; the error is at most 2^-34.1 of the function.
    pub(crate) const EXP_NARROW: [f64; 6] = [
        f64::from_bits(0x3fe0_0000_03d8_8bae),
        f64::from_bits(0x3fc5_5555_432c_03f1),
        f64::from_bits(0x3fa5_5548_5f55_75d8),
        f64::from_bits(0x3f81_1127_e9a5_c4b8),
        f64::from_bits(0x3f56_d945_4ef0_ba95),
        f64::from_bits(0x3f29_f035_ee4c_698b),
    ];

    /// `(2 atanh(s) - 2 s) / s^3` in `s^2`; the error is at most 2^-48.0 of the function.
    pub(crate) const LOG_NARROW: [f64; 6] = [
        f64::from_bits(0x3fe5_5555_5554_9924),
        f64::from_bits(0x3fd9_9999_9c5c_cf0f),
        f64::from_bits(0x3fd2_4922_d846_d9bf),
        f64::from_bits(0x3fcc_72c4_9091_058a),
        f64::from_bits(0x3fc7_2141_bc9e_e19d),
        f64::from_bits(0x3fc6_412c_3cca_b234),
    ];
}

/// `tanh` of f32 in pieces: the centers, and then the coefficients of polynomials in the distance from the center. The
/// number of a piece is the low 5 bits of what precedes the low 21 bits of its numbers, from 1/16 to 16; that of 1/16
/// begins at 0. The error is at most 2^-26.2 of the function.
pub(crate) const TANH_PIECES: [[f32; 32]; 7] = [
    [
        f32::from_bits(0x4012_d400),
        f32::from_bits(0x402e_c200),
        f32::from_bits(0x404c_b600),
        f32::from_bits(0x4073_c800),
        f32::from_bits(0x408d_4e00),
        f32::from_bits(0x40ac_4e00),
        f32::from_bits(0x40d2_f800),
        f32::from_bits(0x40ed_8000),
        f32::from_bits(0x410c_0000),
        f32::from_bits(0x4134_0000),
        f32::from_bits(0x4154_0000),
        f32::from_bits(0x4174_0000),
        f32::from_bits(0x0000_0000),
        f32::from_bits(0x3db2_e600),
        f32::from_bits(0x3dd0_0200),
        f32::from_bits(0x3def_be00),
        f32::from_bits(0x3e0e_8800),
        f32::from_bits(0x3e2d_8000),
        f32::from_bits(0x3e50_ca00),
        f32::from_bits(0x3e6d_8a00),
        f32::from_bits(0x3e8d_4a00),
        f32::from_bits(0x3eac_de00),
        f32::from_bits(0x3ed3_ac00),
        f32::from_bits(0x3ef3_cc00),
        f32::from_bits(0x3f11_2600),
        f32::from_bits(0x3f32_6600),
        f32::from_bits(0x3f4c_7400),
        f32::from_bits(0x3f70_5c00),
        f32::from_bits(0x3f91_c400),
        f32::from_bits(0x3fb1_1600),
        f32::from_bits(0x3fcc_7c00),
        f32::from_bits(0x3ff1_5a00),
    ],
    [
        f32::from_bits(0x3f7a_d881),
        f32::from_bits(0x3f7d_d57e),
        f32::from_bits(0x3f7f_25f9),
        f32::from_bits(0x3f7f_bf9e),
        f32::from_bits(0x3f7f_ecdc),
        f32::from_bits(0x3f7f_fd3e),
        f32::from_bits(0x3f7f_ffc1),
        f32::from_bits(0x3f7f_fff4),
        f32::from_bits(0x3f7f_ffff),
        f32::from_bits(0x3f80_0000),
        f32::from_bits(0x3f80_0000),
        f32::from_bits(0x3f80_0000),
        f32::from_bits(0x0000_0000),
        f32::from_bits(0x3db2_71de),
        f32::from_bits(0x3dcf_4ba6),
        f32::from_bits(0x3dee_a72f),
        f32::from_bits(0x3e0d_9e2c),
        f32::from_bits(0x3e2b_dbcc),
        f32::from_bits(0x3e4d_f16a),
        f32::from_bits(0x3e69_5e3b),
        f32::from_bits(0x3e89_cf00),
        f32::from_bits(0x3ea6_95b8),
        f32::from_bits(0x3ec8_622f),
        f32::from_bits(0x3ee2_e6df),
        f32::from_bits(0x3f03_5d4d),
        f32::from_bits(0x3f1a_355a),
        f32::from_bits(0x3f29_cca0),
        f32::from_bits(0x3f3c_167e),
        f32::from_bits(0x3f50_62cd),
        f32::from_bits(0x3f61_b8fe),
        f32::from_bits(0x3f6b_da17),
        f32::from_bits(0x3f74_79d4),
    ],
    [
        f32::from_bits(0x3d23_46ea),
        f32::from_bits(0x3c8a_0a4c),
        f32::from_bits(0x3bd9_a9bc),
        f32::from_bits(0x3b00_b41a),
        f32::from_bits(0x3a19_147f),
        f32::from_bits(0x38b0_7681),
        f32::from_bits(0x36fc_125a),
        f32::from_bits(0x35bf_fbbf),
        f32::from_bits(0x33db_ff8e),
        f32::from_bits(0x304d_99c5),
        f32::from_bits(0x2d71_015a),
        f32::from_bits(0x2a8d_40d8),
        f32::from_bits(0x3f80_0000),
        f32::from_bits(0x3f7e_0e76),
        f32::from_bits(0x3f7d_6092),
        f32::from_bits(0x3f7c_8613),
        f32::from_bits(0x3f7b_1a86),
        f32::from_bits(0x3f78_ca0a),
        f32::from_bits(0x3f75_a538),
        f32::from_bits(0x3f72_b435),
        f32::from_bits(0x3f6d_7433),
        f32::from_bits(0x3f64_e65f),
        f32::from_bits(0x3f58_c99c),
        f32::from_bits(0x3f4d_b8e4),
        f32::from_bits(0x3f3c_9761),
        f32::from_bits(0x3f23_1bc5),
        f32::from_bits(0x3f0f_6031),
        f32::from_bits(0x3eeb_9dea),
        f32::from_bits(0x3eac_be98),
        f32::from_bits(0x3e63_e52e),
        f32::from_bits(0x3e1a_d782),
        f32::from_bits(0x3db4_3c4f),
    ],
    [
        f32::from_bits(0xbd1f_fc81),
        f32::from_bits(0xbc88_dd91),
        f32::from_bits(0xbbd8_ef55),
        f32::from_bits(0xbb00_930c),
        f32::from_bits(0xba18_f209),
        f32::from_bits(0xb8b0_6ba1),
        f32::from_bits(0xb6fb_da4d),
        f32::from_bits(0xb5bf_e394),
        f32::from_bits(0x3259_c09e),
        f32::from_bits(0xb1a1_4662),
        f32::from_bits(0xaebd_0bef),
        f32::from_bits(0xabdd_99c1),
        f32::from_bits(0x3337_bd33),
        f32::from_bits(0xbdb1_17cc),
        f32::from_bits(0xbdcd_2c70),
        f32::from_bits(0xbdeb_6972),
        f32::from_bits(0xbe0a_e8b7),
        f32::from_bits(0xbe27_0492),
        f32::from_bits(0xbe45_9cff),
        f32::from_bits(0xbe5d_3f74),
        f32::from_bits(0xbe7f_a671),
        f32::from_bits(0xbe94_f33c),
        f32::from_bits(0xbea9_b0a9),
        f32::from_bits(0xbeb6_56c1),
        f32::from_bits(0xbec1_8c5e),
        f32::from_bits(0xbec4_8163),
        f32::from_bits(0xbebe_3236),
        f32::from_bits(0xbead_1ca7),
        f32::from_bits(0xbe8c_9dbc),
        f32::from_bits(0xbe48_f163),
        f32::from_bits(0xbe0e_a7b4),
        f32::from_bits(0xbdac_1f45),
    ],
    [
        f32::from_bits(0x3ccc_9a14),
        f32::from_bits(0x3c33_744e),
        f32::from_bits(0x3b8f_ce59),
        f32::from_bits(0x3aaa_def6),
        f32::from_bits(0x39cd_1a14),
        f32::from_bits(0x386d_02f7),
        f32::from_bits(0x36a6_34e8),
        f32::from_bits(0x3580_a30e),
        f32::from_bits(0x32da_f06a),
        f32::from_bits(0xb094_050e),
        f32::from_bits(0xadad_8246),
        f32::from_bits(0xaacb_6324),
        f32::from_bits(0xbeaa_ab32),
        f32::from_bits(0xbea5_88e5),
        f32::from_bits(0xbea3_bb15),
        f32::from_bits(0xbea1_7db5),
        f32::from_bits(0xbe9d_cbd0),
        f32::from_bits(0xbe97_d819),
        f32::from_bits(0xbe8f_e472),
        f32::from_bits(0xbe88_9776),
        f32::from_bits(0xbe77_cb04),
        f32::from_bits(0xbe50_4649),
        f32::from_bits(0xbe1c_3a22),
        f32::from_bits(0xbde1_5e5d),
        f32::from_bits(0xbd53_4bb4),
        f32::from_bits(0x3c9a_138c),
        f32::from_bits(0x3d74_8b9d),
        f32::from_bits(0x3dc2_9974),
        f32::from_bits(0x3de3_91cf),
        f32::from_bits(0x3dca_7128),
        f32::from_bits(0x3d9f_9ad4),
        f32::from_bits(0x3d50_97ff),
    ],
    [
        f32::from_bits(0xbc3c_909f),
        f32::from_bits(0xbbae_c632),
        f32::from_bits(0xbb0e_a7aa),
        f32::from_bits(0xba2b_40b7),
        f32::from_bits(0xb952_cbe8),
        f32::from_bits(0xb7f1_362d),
        f32::from_bits(0xb62d_08ed),
        f32::from_bits(0xb504_62e3),
        f32::from_bits(0xb460_ec83),
        f32::from_bits(0x31ca_39f7),
        f32::from_bits(0x2eed_0ccd),
        f32::from_bits(0x2c0a_ef63),
        f32::from_bits(0x3904_8c88),
        f32::from_bits(0x3db1_db4b),
        f32::from_bits(0x3da5_1b6c),
        f32::from_bits(0x3d92_67af),
        f32::from_bits(0x3db2_8712),
        f32::from_bits(0x3dd5_a3a3),
        f32::from_bits(0x3df8_dae0),
        f32::from_bits(0x3e09_da36),
        f32::from_bits(0x3e18_2be1),
        f32::from_bits(0x3e26_d651),
        f32::from_bits(0x3e2e_4b8e),
        f32::from_bits(0x3e2b_7e59),
        f32::from_bits(0x3e1b_f29d),
        f32::from_bits(0x3dee_b784),
        f32::from_bits(0x3dac_857c),
        f32::from_bits(0x3d2f_d47c),
        f32::from_bits(0x3abf_9c36),
        f32::from_bits(0xbcb0_448a),
        f32::from_bits(0xbccf_9ae7),
        f32::from_bits(0xbca8_d329),
    ],
    [
        f32::from_bits(0x3b82_4e4b),
        f32::from_bits(0x3afb_2e61),
        f32::from_bits(0x3a48_e990),
        f32::from_bits(0x3999_a22c),
        f32::from_bits(0x388f_e044),
        f32::from_bits(0x371c_821f),
        f32::from_bits(0x35a9_9200),
        f32::from_bits(0x3437_3efe),
        f32::from_bits(0x33fe_7feb),
        f32::from_bits(0x3187_5189),
        f32::from_bits(0x2e9e_9ed7),
        f32::from_bits(0x2bb9_ef5f),
        f32::from_bits(0x3e07_208e),
        f32::from_bits(0x4006_c94a),
        f32::from_bits(0x3e88_d18b),
        f32::from_bits(0x3e03_fa27),
        f32::from_bits(0x3dee_d2ab),
        f32::from_bits(0x3dc9_b55e),
        f32::from_bits(0x3dcb_adfa),
        f32::from_bits(0x3d21_e98a),
        f32::from_bits(0x3d62_a96a),
        f32::from_bits(0x3d11_3dbd),
        f32::from_bits(0x3bd7_6367),
        f32::from_bits(0xbc8b_4240),
        f32::from_bits(0xbd31_8d89),
        f32::from_bits(0xbd7b_cb17),
        f32::from_bits(0xbd80_56d2),
        f32::from_bits(0xbd59_ac45),
        f32::from_bits(0xbd03_8839),
        f32::from_bits(0xbc1c_7d88),
        f32::from_bits(0x3ad2_65ec),
        f32::from_bits(0x3b96_b095),
    ],
];
