#[doc(hidden)]
mod __scale {
    const _: ::core::option::Option<&::core::primitive::str> = ::core::option_env!(
        "TILE_ARCH"
    );
    pub(crate) struct Kernel;
    #[diagnostic::on_unimplemented(
        message = "`scale` was not compiled for `SHIFT = {SHIFT}, ROUND = {ROUND}`",
        label = "`scale` does not list this instance",
        note = "kernels are compiled while the crate is built, so `#[tile_kernel]` has to list every instance; listed: `(SHIFT = -3, ROUND = true)`, `(SHIFT = 4, ROUND = false)`",
        note = "add `(SHIFT = {SHIFT}, ROUND = {ROUND})` to `instances(...)` of `#[tile_kernel]` on `scale`"
    )]
    pub(crate) trait Instance<
        const SHIFT: ::core::primitive::i32,
        const ROUND: ::core::primitive::bool,
    > {
        fn image() -> &'static ::tile_kernel::__private::KernelImage;
    }
    #[diagnostic::do_not_recommend]
    impl Instance<{ -3 }, true> for Kernel {
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
                    "scale__fast",
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
                    "scale__general",
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
                "scale",
                (::core::file!(), ::core::line!()),
                &["x", "factor", "grid"],
                &VARIANTS,
                b"\x7FTileIR\0",
            );
            &IMAGE
        }
    }
    #[diagnostic::do_not_recommend]
    impl Instance<4, false> for Kernel {
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
                    "scale__fast",
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
                    "scale__general",
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
                "scale",
                (::core::file!(), ::core::line!()),
                &["x", "factor", "grid"],
                &VARIANTS,
                b"\x7FTileIR\0",
            );
            &IMAGE
        }
    }
}
pub(crate) fn scale<
    const SHIFT: ::core::primitive::i32,
    const ROUND: ::core::primitive::bool,
>(
    x: &mut ::tile_kernel::__private::Tensor<::tile_kernel::__private::bf16, 1>,
    factor: ::core::primitive::f32,
    grid: ::core::primitive::usize,
) -> ::tile_kernel::__private::Launch<'_>
where
    __scale::Kernel: __scale::Instance<SHIFT, ROUND>,
{
    ::tile_kernel::__private::launch(
        <__scale::Kernel as __scale::Instance<SHIFT, ROUND>>::image(),
        ::core::option::Option::None,
        [
            ::tile_kernel::__private::exclusive(x),
            ::tile_kernel::__private::scalar(factor),
            ::tile_kernel::__private::scalar(grid),
        ],
    )
}
