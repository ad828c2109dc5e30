//! Tests the tokens as text. `tests/expansion.rs` of the facade compiles the same files.

use expect_test::{ExpectFile, expect_file};
use syn::parse_quote;
use tile_backend::cpu::{Level, Native, NotNative};
use tile_backend::manifest::Resources;
use tile_backend::manifest::{Launch, Manifest};
use tile_backend::target::Arch;
use tile_core::Loc;

use super::{Artifact, VariantArtifact, VariantKind, emit};
use crate::cpu_code::{CpuCode, CpuMode};
use crate::hir::signature::{
    ConstParam, ElementRef, HostScalar, Instance, Param, ParamKind, Signature, TypeParam,
};

/// Placeholders for a fatbin and for bytecode.
const FATBIN: &[u8] = b"\x50\xed\x55\xba\0fatbin";
const BYTECODE: &[u8] = b"\x7fTileIR\0";

fn check(signature: &Signature, expected: &ExpectFile) {
    let artifacts = vec![artifact(&signature.ident.to_string()); signature.instances.len()];
    let file = syn::parse2(emit(signature, &artifacts)).expect("the tokens are items");
    expected.assert_eq(&prettyplease::unparse(&file));
}

fn launch(arch: Arch, [threads, shared_bytes, cluster]: [u32; 3]) -> Launch {
    Launch {
        arch,
        entry: "k".to_owned(),
        threads,
        shared_bytes,
        cluster,
        blocks_per_tile: 1,
        maps: Vec::new(),
        persistent_blocks_per_sm: None,
        programmatic: false,
        resources: Some(Resources::default()),
        instead_of: None,
    }
}

fn artifact(kernel: &str) -> Artifact {
    let variant = |kind: VariantKind| VariantArtifact {
        kind,
        entry: format!("{kernel}__{kind:?}").to_lowercase(),
        fatbin: FATBIN.to_vec(),
        manifest: Manifest::new(vec![
            launch(Arch::SM_80, [128, 0, 1]),
            launch(Arch::SM_90A, [256, 65_536, 2]),
        ]),
    };
    Artifact {
        facts: Vec::new(),
        claims: Vec::new(),
        units: Vec::new(),
        strides_read: Vec::new(),
        grid: Vec::new(),
        variants: vec![variant(VariantKind::Fast), variant(VariantKind::General)],
        bytecode: BYTECODE.to_vec(),
        gpu_only: None,
        cpu: CpuCode::default(),
        plan: None,
        programmatic: false,
        code: String::new(),
        work: Vec::new(),
    }
}

fn tensor(ident: syn::Ident, element: ElementRef, rank: usize, mutable: bool) -> Param {
    Param {
        ident,
        kind: ParamKind::Tensor {
            element,
            rank,
            mutable,
        },
    }
}

fn concrete(scalar: HostScalar) -> ElementRef {
    ElementRef::Concrete(scalar)
}

fn vector_add() -> Signature {
    Signature {
        attrs: vec![parse_quote!(#[doc = " Adds two vectors."])],
        is_unsafe: false,
        single: [false; 3],
        max_blocks: [None; 3],
        tuning: None,
        vis: parse_quote!(pub),
        ident: parse_quote!(vector_add),
        type_params: vec![],
        const_params: vec![],
        params: vec![
            tensor(parse_quote!(a), concrete(HostScalar::F32), 1, false),
            tensor(parse_quote!(b), concrete(HostScalar::F32), 1, false),
            tensor(parse_quote!(c), concrete(HostScalar::F32), 1, true),
        ],
        grid: Some(parse_quote!(c.tiles([1024]))),
        instances: vec![Instance::default()],
    }
}

fn matmul() -> Signature {
    let instance = |ty, consts: [i128; 3]| Instance {
        types: vec![ty],
        consts: consts.to_vec(),
        ..Instance::default()
    };
    let size = |ident| ConstParam {
        ident,
        ty: HostScalar::Usize,
    };
    Signature {
        attrs: vec![parse_quote!(#[doc = " Multiplies two matrices."])],
        is_unsafe: false,
        single: [false; 3],
        max_blocks: [None; 3],
        tuning: None,
        vis: parse_quote!(pub),
        ident: parse_quote!(matmul),
        type_params: vec![TypeParam {
            ident: parse_quote!(T),
        }],
        const_params: vec![
            size(parse_quote!(BM)),
            size(parse_quote!(BN)),
            size(parse_quote!(BK)),
        ],
        params: vec![
            tensor(parse_quote!(a), ElementRef::Param(0), 2, false),
            tensor(parse_quote!(b), ElementRef::Param(0), 2, false),
            tensor(parse_quote!(c), concrete(HostScalar::F32), 2, true),
        ],
        grid: Some(parse_quote!(c.tiles([BM, BN]))),
        instances: vec![
            instance(HostScalar::F16, [128, 256, 64]),
            instance(HostScalar::Bf16, [128, 256, 64]),
        ],
    }
}

/// Returns a signature with one reference and scalars, with only const parameters, without a grid,
/// and not public.
fn scale() -> Signature {
    Signature {
        attrs: vec![],
        is_unsafe: false,
        single: [false; 3],
        max_blocks: [None; 3],
        tuning: None,
        vis: parse_quote!(pub(crate)),
        ident: parse_quote!(scale),
        type_params: vec![],
        const_params: vec![
            ConstParam {
                ident: parse_quote!(SHIFT),
                ty: HostScalar::I32,
            },
            ConstParam {
                ident: parse_quote!(ROUND),
                ty: HostScalar::Bool,
            },
        ],
        params: vec![
            tensor(parse_quote!(x), concrete(HostScalar::Bf16), 1, true),
            Param {
                ident: parse_quote!(factor),
                kind: ParamKind::Scalar(concrete(HostScalar::F32)),
            },
            Param {
                ident: parse_quote!(grid),
                kind: ParamKind::Scalar(concrete(HostScalar::Usize)),
            },
        ],
        grid: None,
        instances: vec![
            Instance {
                types: vec![],
                consts: vec![-3, 1],
                ..Instance::default()
            },
            Instance {
                types: vec![],
                consts: vec![4, 0],
                ..Instance::default()
            },
        ],
    }
}

#[test]
fn a_kernel_without_generics_is_a_function_and_one_image() {
    check(
        &vector_add(),
        &expect_file!["../../tests/expand/vector_add.expected.rs"],
    );
}

#[test]
fn a_generic_kernel_is_bound_to_its_listed_instances() {
    check(
        &matmul(),
        &expect_file!["../../tests/expand/matmul.expected.rs"],
    );
}

#[test]
fn const_parameters_alone_are_carried_by_a_type_of_their_own() {
    check(
        &scale(),
        &expect_file!["../../tests/expand/scale.expected.rs"],
    );
}

#[test]
fn without_artifacts_the_types_stay_and_no_static_is_in_the_fatbin_section() {
    let mut artifact = artifact("vector_add");
    for variant in &mut artifact.variants {
        variant.fatbin.clear();
        variant.manifest.launches.clear();
    }
    let tokens = emit(&vector_add(), &[artifact]).to_string();
    assert!(!tokens.contains("nv_fatbin"), "{tokens}");
    assert!(tokens.contains("pub fn vector_add"), "{tokens}");
    assert!(tokens.contains("vector_add__general"), "{tokens}");
}

#[test]
fn every_path_of_the_facade_is_absolute_and_private() {
    for signature in [vector_add(), matmul(), scale()] {
        let artifacts = vec![artifact("k"); signature.instances.len()];
        let text = emit(&signature, &artifacts)
            .to_string()
            .replace(":: tile_kernel :: __private ::", "");
        assert!(!text.contains("tile_kernel ::"), "{text}");
        assert!(!text.contains("std ::"), "{text}");
    }
}

#[test]
fn a_restricted_kernel_has_a_trait_that_exactly_its_callers_see() {
    let text = |vis: syn::Visibility| {
        let mut signature = scale();
        signature.vis = vis;
        let artifacts = vec![artifact("scale"); signature.instances.len()];
        emit(&signature, &artifacts).to_string()
    };
    let plain = text(parse_quote!());
    assert!(plain.contains("] trait ScaleInstance <"), "{plain}");
    assert!(plain.contains("] fn scale_dispatch"), "{plain}");
    let restricted = text(parse_quote!(pub(in super::a)));
    for item in ["trait ScaleInstance <", "fn scale_dispatch"] {
        let seen = format!("pub (in super :: a) {item}");
        assert!(restricted.contains(&seen), "{restricted}");
    }
}

#[test]
fn a_kernel_with_a_raw_name_has_a_module_with_a_plain_one() {
    let mut signature = vector_add();
    signature.ident = parse_quote!(r#loop);
    let text = emit(&signature, &[artifact("loop")]).to_string();
    assert!(text.contains("mod __loop"), "{text}");
    assert!(text.contains("fn r#loop"), "{text}");
    let mut signature = scale();
    signature.ident = parse_quote!(r#loop);
    let text = emit(&signature, &[artifact("loop"), artifact("loop")]).to_string();
    assert!(text.contains("trait LoopInstance"), "{text}");
    assert!(text.contains("fn loop_dispatch"), "{text}");
    assert!(text.contains("r#loop :: < { - 3 } , true > ("), "{text}");
}

#[test]
fn an_image_says_which_blocks_a_launch_starts() {
    let signature = vector_add();
    let text = |persistent_blocks_per_sm, blocks_per_tile| {
        let mut artifact = artifact("vector_add");
        let newest = &mut artifact.variants[0].manifest.launches[1];
        (newest.persistent_blocks_per_sm, newest.blocks_per_tile) =
            (persistent_blocks_per_sm, blocks_per_tile);
        emit(&signature, &[artifact]).to_string().replace(' ', "")
    };
    let plain = text(None, 1);
    assert!(!plain.contains("blocks_per_tile:4") && !plain.contains("Some("));
    let persistent = text(Some(2), 1);
    let expected = "persistent_blocks_per_sm:::core::option::Option::Some(2)";
    assert!(persistent.contains(expected), "{persistent}");
    let shared = text(None, 4);
    assert!(shared.contains("blocks_per_tile:4"), "{shared}");
    assert!(!shared.contains("programmatic:true"), "{shared}");
    let mut artifact = artifact("vector_add");
    artifact.variants[0].manifest.launches[1].programmatic = true;
    artifact.programmatic = true;
    let early = emit(&signature, &[artifact]).to_string().replace(' ', "");
    assert_eq!(early.matches("programmatic:true").count(), 2, "{early}");
    assert!(
        early.contains("KernelImage{programmatic:true,.."),
        "{early}"
    );
}

#[test]
fn native_code_is_a_naked_function_per_level_for_its_targets_alone() {
    let native = |level, assembly: &str| Native {
        level,
        assembly: assembly.to_owned(),
        scratch_bytes: 192,
        in_order: false,
    };
    let text = |cpu: CpuCode| {
        let artifact = Artifact {
            cpu,
            ..artifact("vector_add")
        };
        emit(&vector_add(), &[artifact])
            .to_string()
            .replace(' ', "")
    };
    let levels = vec![
        native(Level::Baseline, "\tmovq\t$-1, %rax\n\tretq\n"),
        native(Level::Avx2, "20:\n\tjmp\t20b\n"),
    ];
    let both = text(CpuCode {
        levels,
        ..CpuCode::default()
    });
    let target = "all(target_arch=\"x86_64\",target_os=\"linux\",target_pointer_width=\"64\")";
    for part in [
        format!("#[cfg({target})]constNATIVE"),
        format!("#[cfg(not({target}))]constNATIVE"),
        "#[unsafe(naked)]extern\"sysv64\"fnnative_baseline(".to_owned(),
        "naked_asm!(\"20:\\n\\tjmp\\t20b\\n\",options(att_syntax,raw))".to_owned(),
        "level:::tile_kernel::__private::NativeLevel::Avx2,run:native_avx2,scratch_bytes:192,in_order:false".to_owned(),
        "KernelImage{native:NATIVE,..".to_owned(),
    ] {
        assert!(both.contains(&part), "{part} is not in {both}");
    }
    let neon = text(CpuCode {
        levels: vec![native(Level::Neon, "\tret\n")],
        ..CpuCode::default()
    });
    assert!(
        neon.contains("target_arch=\"aarch64\"") && neon.contains("extern\"C\"fnnative_neon("),
        "{neon}"
    );
    assert!(
        neon.contains("naked_asm!(\"\\tret\\n\",options(raw))"),
        "{neon}"
    );
}

#[test]
fn an_image_says_why_there_is_no_native_code() {
    let text = |cpu: CpuCode| {
        let artifact = Artifact {
            cpu,
            ..artifact("vector_add")
        };
        emit(&vector_add(), &[artifact]).to_string()
    };
    let prints = text(CpuCode {
        not_native: Some(NotNative {
            reason: "it prints".to_owned(),
            loc: Loc::file("k.rs", 7, 5),
        }),
        ..CpuCode::default()
    });
    assert!(prints.contains("Some ((\"it prints\" , 7))"), "{prints}");
    let interpreted = text(CpuCode::without_native(CpuMode::Interpreted));
    assert!(
        interpreted.contains("interpreted\\\"`\" , 0))"),
        "{interpreted}"
    );
    let none = text(CpuCode::without_native(CpuMode::None));
    assert!(
        none.contains("no_cpu : true") && !none.contains("not_native"),
        "{none}"
    );
    assert!(!text(CpuCode::default()).contains("native"));
}
