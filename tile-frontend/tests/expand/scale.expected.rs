///The types and constants for which [`scale`] is compiled: the bound of generic functions that launch it.
#[diagnostic::on_unimplemented(
    message = "`scale` was not compiled for `SHIFT = {SHIFT}, ROUND = {ROUND}`",
    label = "`scale` does not list this instance",
    note = "kernels are compiled while the crate is built, so `#[tile_kernel]` has to list every instance; listed: `(SHIFT = -3, ROUND = true)`, `(SHIFT = 4, ROUND = false)`",
    note = "add `(SHIFT = {SHIFT}, ROUND = {ROUND})` to `instances(...)` of `#[tile_kernel]` on `scale`",
    note = "in a function that is generic over it, write the bound `Kernel: ScaleInstance<{SHIFT}, {ROUND}>`, or call `scale_dispatch`"
)]
#[allow(dead_code, non_camel_case_types, unreachable_pub)]
pub(crate) trait ScaleInstance<
    const SHIFT: ::core::primitive::i32,
    const ROUND: ::core::primitive::bool,
> {
    #[doc(hidden)]
    fn __instance() -> &'static ::tile_kernel::__private::Instance;
}
const _: () = {
    const _: ::core::option::Option<&::core::primitive::str> = ::core::option_env!(
        "TILE_ARCH"
    );
    const _: ::core::option::Option<&::core::primitive::str> = ::core::option_env!(
        "TILE_ARTIFACTS"
    );
    #[diagnostic::do_not_recommend]
    impl ScaleInstance<{ -3 }, true> for ::tile_kernel::__private::Kernel {
        fn __instance() -> &'static ::tile_kernel::__private::Instance {
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
                            blocks_per_tile: 1,
                            maps: &[],
                            persistent_blocks_per_sm: ::core::option::Option::None,
                            programmatic: false,
                        },
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_90a",
                            capability: 90,
                            threads: 256,
                            shared_bytes: 65536,
                            cluster: 2,
                            blocks_per_tile: 1,
                            maps: &[],
                            persistent_blocks_per_sm: ::core::option::Option::None,
                            programmatic: false,
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
                            blocks_per_tile: 1,
                            maps: &[],
                            persistent_blocks_per_sm: ::core::option::Option::None,
                            programmatic: false,
                        },
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_90a",
                            capability: 90,
                            threads: 256,
                            shared_bytes: 65536,
                            cluster: 2,
                            blocks_per_tile: 1,
                            maps: &[],
                            persistent_blocks_per_sm: ::core::option::Option::None,
                            programmatic: false,
                        },
                    ],
                ),
            ];
            static INSTANCE: ::tile_kernel::__private::Instance = ::tile_kernel::__private::Instance::new(
                ::tile_kernel::__private::KernelImage::new(
                    "scale",
                    (::core::file!(), ::core::line!()),
                    &["x", "factor", "grid"],
                    &VARIANTS,
                    b"\x7FTileIR\0",
                ),
            );
            &INSTANCE
        }
    }
    #[diagnostic::do_not_recommend]
    impl ScaleInstance<4, false> for ::tile_kernel::__private::Kernel {
        fn __instance() -> &'static ::tile_kernel::__private::Instance {
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
                            blocks_per_tile: 1,
                            maps: &[],
                            persistent_blocks_per_sm: ::core::option::Option::None,
                            programmatic: false,
                        },
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_90a",
                            capability: 90,
                            threads: 256,
                            shared_bytes: 65536,
                            cluster: 2,
                            blocks_per_tile: 1,
                            maps: &[],
                            persistent_blocks_per_sm: ::core::option::Option::None,
                            programmatic: false,
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
                            blocks_per_tile: 1,
                            maps: &[],
                            persistent_blocks_per_sm: ::core::option::Option::None,
                            programmatic: false,
                        },
                        ::tile_kernel::__private::ArchImage {
                            name: "sm_90a",
                            capability: 90,
                            threads: 256,
                            shared_bytes: 65536,
                            cluster: 2,
                            blocks_per_tile: 1,
                            maps: &[],
                            persistent_blocks_per_sm: ::core::option::Option::None,
                            programmatic: false,
                        },
                    ],
                ),
            ];
            static INSTANCE: ::tile_kernel::__private::Instance = ::tile_kernel::__private::Instance::new(
                ::tile_kernel::__private::KernelImage::new(
                    "scale",
                    (::core::file!(), ::core::line!()),
                    &["x", "factor", "grid"],
                    &VARIANTS,
                    b"\x7FTileIR\0",
                ),
            );
            &INSTANCE
        }
    }
};
pub(crate) fn scale<
    const SHIFT: ::core::primitive::i32,
    const ROUND: ::core::primitive::bool,
>(
    x: &mut ::tile_kernel::__private::Tensor<::tile_kernel::__private::bf16, 1>,
    factor: ::core::primitive::f32,
    grid: ::core::primitive::usize,
) -> ::tile_kernel::__private::Launch<'_>
where
    ::tile_kernel::__private::Kernel: ScaleInstance<SHIFT, ROUND>,
{
    ::tile_kernel::__private::launch(
        <::tile_kernel::__private::Kernel as ScaleInstance<SHIFT, ROUND>>::__instance(),
        ::core::option::Option::None,
        [
            ::tile_kernel::__private::exclusive(x),
            ::tile_kernel::__private::scalar(factor),
            ::tile_kernel::__private::scalar(grid),
        ],
    )
}
/**[`scale`], with the instance that `SHIFT`, `ROUND` and the types of the arguments name when the program runs.

# Errors
`Error::NotCompiled` where there is none.*/
#[allow(
    dead_code,
    unreachable_pub,
    non_snake_case,
    clippy::too_many_arguments,
    clippy::missing_safety_doc,
    clippy::bool_comparison
)]
#[inline]
pub(crate) fn scale_dispatch(
    chosen: (::core::primitive::i32, ::core::primitive::bool),
    x: &mut ::tile_kernel::__private::Tensor<::tile_kernel::__private::bf16, 1>,
    factor: ::core::primitive::f32,
    grid: ::core::primitive::usize,
) -> ::core::result::Result<
    ::tile_kernel::__private::Launch<'_>,
    ::tile_kernel::__private::Error,
> {
    if chosen == (-3, true) {
        return ::core::result::Result::Ok(scale::<{ -3 }, true>(x, factor, grid));
    }
    if chosen == (4, false) {
        return ::core::result::Result::Ok(scale::<4, false>(x, factor, grid));
    }
    ::core::result::Result::Err(
        ::tile_kernel::__private::not_compiled(
            "scale",
            &[
                ("SHIFT", ::tile_kernel::__private::shown(chosen.0)),
                ("ROUND", ::tile_kernel::__private::shown(chosen.1)),
            ],
            &["(SHIFT = -3, ROUND = true)", "(SHIFT = 4, ROUND = false)"],
        ),
    )
}
