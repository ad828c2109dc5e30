#[doc(hidden)]
mod __matmul {
    const _: ::core::option::Option<&::core::primitive::str> = ::core::option_env!(
        "TILE_ARCH"
    );
    #[diagnostic::on_unimplemented(
        message = "`matmul` was not compiled for `T = {Self}, BM = {BM}, BN = {BN}, BK = {BK}`",
        label = "`matmul` does not list this instance",
        note = "kernels are compiled while the crate is built, so `#[tile_kernel]` has to list every instance; listed: `(T = f16, BM = 128, BN = 256, BK = 64)`, `(T = bf16, BM = 128, BN = 256, BK = 64)`",
        note = "add `(BM = {BM}, BN = {BN}, BK = {BK})` to `instances(...)` and `{Self}` to `T` in `types(...)` of `#[tile_kernel]` on `matmul`, whichever is missing"
    )]
    pub trait Instance<
        const BM: ::core::primitive::usize,
        const BN: ::core::primitive::usize,
        const BK: ::core::primitive::usize,
    > {
        fn image() -> &'static ::tile_kernel::__private::KernelImage;
    }
    #[diagnostic::do_not_recommend]
    impl Instance<128, 256, 64> for ::tile_kernel::__private::f16 {
        fn image() -> &'static ::tile_kernel::__private::KernelImage {
            #[cfg_attr(target_os = "linux", unsafe(link_section = ".nv_fatbin"))]
            static FAST: ::tile_kernel::__private::Aligned<
                [::core::primitive::u8; 11],
            > = ::tile_kernel::__private::Aligned(*b"P\xEDU\xBA\0fatbin");
            #[cfg_attr(target_os = "linux", unsafe(link_section = ".nv_fatbin"))]
            static GENERAL: ::tile_kernel::__private::Aligned<
                [::core::primitive::u8; 11],
            > = ::tile_kernel::__private::Aligned(*b"P\xEDU\xBA\0fatbin");
            static VARIANTS: [::tile_kernel::__private::VariantImage; 2] = [
                ::tile_kernel::__private::VariantImage::new(
                    ::tile_kernel::__private::VariantKind::Fast,
                    "matmul__fast",
                    &FAST.0,
                    &[
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_80",
                            capability: 80,
                            threads: 128,
                            shared_bytes: 0,
                            cluster: 1,
                        },
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_90a",
                            capability: 90,
                            threads: 256,
                            shared_bytes: 65536,
                            cluster: 2,
                        },
                    ],
                ),
                ::tile_kernel::__private::VariantImage::new(
                    ::tile_kernel::__private::VariantKind::General,
                    "matmul__general",
                    &GENERAL.0,
                    &[
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_80",
                            capability: 80,
                            threads: 128,
                            shared_bytes: 0,
                            cluster: 1,
                        },
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_90a",
                            capability: 90,
                            threads: 256,
                            shared_bytes: 65536,
                            cluster: 2,
                        },
                    ],
                ),
            ];
            static IMAGE: ::tile_kernel::__private::KernelImage = ::tile_kernel::__private::KernelImage::new(
                "matmul",
                (::core::file!(), ::core::line!()),
                &["a", "b", "c"],
                &VARIANTS,
                b"\x7FTileIR\0",
            );
            &IMAGE
        }
    }
    #[diagnostic::do_not_recommend]
    impl Instance<128, 256, 64> for ::tile_kernel::__private::bf16 {
        fn image() -> &'static ::tile_kernel::__private::KernelImage {
            #[cfg_attr(target_os = "linux", unsafe(link_section = ".nv_fatbin"))]
            static FAST: ::tile_kernel::__private::Aligned<
                [::core::primitive::u8; 11],
            > = ::tile_kernel::__private::Aligned(*b"P\xEDU\xBA\0fatbin");
            #[cfg_attr(target_os = "linux", unsafe(link_section = ".nv_fatbin"))]
            static GENERAL: ::tile_kernel::__private::Aligned<
                [::core::primitive::u8; 11],
            > = ::tile_kernel::__private::Aligned(*b"P\xEDU\xBA\0fatbin");
            static VARIANTS: [::tile_kernel::__private::VariantImage; 2] = [
                ::tile_kernel::__private::VariantImage::new(
                    ::tile_kernel::__private::VariantKind::Fast,
                    "matmul__fast",
                    &FAST.0,
                    &[
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_80",
                            capability: 80,
                            threads: 128,
                            shared_bytes: 0,
                            cluster: 1,
                        },
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_90a",
                            capability: 90,
                            threads: 256,
                            shared_bytes: 65536,
                            cluster: 2,
                        },
                    ],
                ),
                ::tile_kernel::__private::VariantImage::new(
                    ::tile_kernel::__private::VariantKind::General,
                    "matmul__general",
                    &GENERAL.0,
                    &[
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_80",
                            capability: 80,
                            threads: 128,
                            shared_bytes: 0,
                            cluster: 1,
                        },
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_90a",
                            capability: 90,
                            threads: 256,
                            shared_bytes: 65536,
                            cluster: 2,
                        },
                    ],
                ),
            ];
            static IMAGE: ::tile_kernel::__private::KernelImage = ::tile_kernel::__private::KernelImage::new(
                "matmul",
                (::core::file!(), ::core::line!()),
                &["a", "b", "c"],
                &VARIANTS,
                b"\x7FTileIR\0",
            );
            &IMAGE
        }
    }
}
/// Multiplies two matrices.
pub fn matmul<
    'launch,
    T: ::tile_kernel::__private::Element + __matmul::Instance<BM, BN, BK>,
    const BM: ::core::primitive::usize,
    const BN: ::core::primitive::usize,
    const BK: ::core::primitive::usize,
>(
    a: &'launch ::tile_kernel::__private::Tensor<T, 2>,
    b: &'launch ::tile_kernel::__private::Tensor<T, 2>,
    c: &'launch mut ::tile_kernel::__private::Tensor<::core::primitive::f32, 2>,
) -> ::tile_kernel::__private::Launch<'launch> {
    ::tile_kernel::__private::launch(
        <T as __matmul::Instance<BM, BN, BK>>::image(),
        ::tile_kernel::__private::grid(c.tiles([BM, BN])),
        [
            ::tile_kernel::__private::shared(a),
            ::tile_kernel::__private::shared(b),
            ::tile_kernel::__private::exclusive(c),
        ],
    )
}
