///The types and constants for which [`matmul`] is compiled: the bound of generic functions that launch it.
#[diagnostic::on_unimplemented(
    message = "`matmul` was not compiled for `T = {Self}, BM = {BM}, BN = {BN}, BK = {BK}`",
    label = "`matmul` does not list this instance",
    note = "kernels are compiled while the crate is built, so `#[tile_kernel]` has to list every instance; listed: `(T = f16, BM = 128, BN = 256, BK = 64)`, `(T = bf16, BM = 128, BN = 256, BK = 64)`",
    note = "add `(BM = {BM}, BN = {BN}, BK = {BK})` to `instances(...)` and `{Self}` to `T` in `types(...)` of `#[tile_kernel]` on `matmul`, whichever is missing",
    note = "in a function that is generic over it, write the bound `{Self}: MatmulInstance<{BM}, {BN}, {BK}>`, or call `matmul_dispatch`"
)]
#[allow(dead_code, non_camel_case_types, unreachable_pub)]
pub trait MatmulInstance<
    const BM: ::core::primitive::usize,
    const BN: ::core::primitive::usize,
    const BK: ::core::primitive::usize,
>: ::tile_kernel::__private::Element {
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
    impl MatmulInstance<128, 256, 64> for ::tile_kernel::__private::f16 {
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
                    "matmul__fast",
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
                    "matmul__general",
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
                    "matmul",
                    (::core::file!(), ::core::line!()),
                    &["a", "b", "c"],
                    &VARIANTS,
                    b"\x7FTileIR\0",
                ),
            );
            &INSTANCE
        }
    }
    #[diagnostic::do_not_recommend]
    impl MatmulInstance<128, 256, 64> for ::tile_kernel::__private::bf16 {
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
                    "matmul__fast",
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
                    "matmul__general",
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
                    "matmul",
                    (::core::file!(), ::core::line!()),
                    &["a", "b", "c"],
                    &VARIANTS,
                    b"\x7FTileIR\0",
                ),
            );
            &INSTANCE
        }
    }
};
/// Multiplies two matrices.
pub fn matmul<
    'launch,
    T: ::tile_kernel::__private::Element + MatmulInstance<BM, BN, BK>,
    const BM: ::core::primitive::usize,
    const BN: ::core::primitive::usize,
    const BK: ::core::primitive::usize,
>(
    a: &'launch ::tile_kernel::__private::Tensor<T, 2>,
    b: &'launch ::tile_kernel::__private::Tensor<T, 2>,
    c: &'launch mut ::tile_kernel::__private::Tensor<::core::primitive::f32, 2>,
) -> ::tile_kernel::__private::Launch<'launch> {
    ::tile_kernel::__private::launch(
        <T as MatmulInstance<BM, BN, BK>>::__instance(),
        ::tile_kernel::__private::grid(c.tiles([BM, BN])),
        [
            ::tile_kernel::__private::shared(a),
            ::tile_kernel::__private::shared(b),
            ::tile_kernel::__private::exclusive(c),
        ],
    )
}
/**[`matmul`], with the instance that `BM`, `BN`, `BK` and the types of the arguments name when the program runs.

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
pub fn matmul_dispatch<'launch, T: ::tile_kernel::__private::Element>(
    chosen: (
        ::core::primitive::usize,
        ::core::primitive::usize,
        ::core::primitive::usize,
    ),
    a: &'launch ::tile_kernel::__private::Tensor<T, 2>,
    b: &'launch ::tile_kernel::__private::Tensor<T, 2>,
    c: &'launch mut ::tile_kernel::__private::Tensor<::core::primitive::f32, 2>,
) -> ::core::result::Result<
    ::tile_kernel::__private::Launch<'launch>,
    ::tile_kernel::__private::Error,
> {
    if chosen == (128, 256, 64)
        && ::tile_kernel::__private::is::<T, ::tile_kernel::__private::f16>()
    {
        return ::core::result::Result::Ok(
            matmul::<
                ::tile_kernel::__private::f16,
                128,
                256,
                64,
            >(
                ::tile_kernel::__private::shared_as::<
                    _,
                    ::tile_kernel::__private::Tensor<::tile_kernel::__private::f16, 2>,
                >(a),
                ::tile_kernel::__private::shared_as::<
                    _,
                    ::tile_kernel::__private::Tensor<::tile_kernel::__private::f16, 2>,
                >(b),
                c,
            ),
        );
    }
    if chosen == (128, 256, 64)
        && ::tile_kernel::__private::is::<T, ::tile_kernel::__private::bf16>()
    {
        return ::core::result::Result::Ok(
            matmul::<
                ::tile_kernel::__private::bf16,
                128,
                256,
                64,
            >(
                ::tile_kernel::__private::shared_as::<
                    _,
                    ::tile_kernel::__private::Tensor<::tile_kernel::__private::bf16, 2>,
                >(a),
                ::tile_kernel::__private::shared_as::<
                    _,
                    ::tile_kernel::__private::Tensor<::tile_kernel::__private::bf16, 2>,
                >(b),
                c,
            ),
        );
    }
    ::core::result::Result::Err(
        ::tile_kernel::__private::not_compiled(
            "matmul",
            &[
                ("T", ::tile_kernel::__private::type_name::<T>()),
                ("BM", ::tile_kernel::__private::shown(chosen.0)),
                ("BN", ::tile_kernel::__private::shown(chosen.1)),
                ("BK", ::tile_kernel::__private::shown(chosen.2)),
            ],
            &[
                "(T = f16, BM = 128, BN = 256, BK = 64)",
                "(T = bf16, BM = 128, BN = 256, BK = 64)",
            ],
        ),
    )
}
