//! The functions of LLVM's C interface that the back end may call, each as a jump through a table.
//!
//! `inkwell` and `llvm-sys` refer to these functions by name. A library that the linker finds would have to
//! be there whenever the macro is loaded, by rust-analyzer as well. Here every name is a symbol of
//! our own instead: one instruction that jumps to the address in a slot of a table. [`bind`] fills the table with
//! the addresses of a library that was opened at run time. Registers and stack stay as they are, so a jump serves
//! every signature.
//!
//! The symbols are hidden. So they are not visible to other libraries of the process, and in rustc's process our
//! calls do not bind to rustc's own LLVM, which has the same names.
//!
//! Until a slot is filled, it leads to a function that ends the process with the name of the missing function.
//!
//! On systems for which no jump is written, each function only ends the process, and [`check_target`] refuses to
//! look for a library.
//!
//! The list holds every function that `inkwell` names, apart from the initialization of other targets. If a new
//! call needs another one, the linker reports an undefined symbol, and its name goes into the list. A library may lack
//! the functions that initialize the targets of [`HOSTS`]; without them it compiles for GPUs only.

#[cfg(tile_llvm_jumps)]
pub(super) use self::jumps::{bind, first_absent};
#[cfg(not(tile_llvm_jumps))]
pub(super) use self::none::{bind, first_absent};

use super::Rejected;

/// Refuses a target for which there are no jumps.
pub(super) fn check_target() -> Result<(), Vec<Rejected>> {
    if cfg!(tile_llvm_jumps) {
        return Ok(());
    }
    Err(vec![Rejected {
        place: std::env::consts::OS.into(),
        reason: "can use LLVM only with the feature `static-llvm`".to_owned(),
    }])
}

/// LLVM's names of the targets of the host side.
pub(super) const HOSTS: [&str; 2] = ["X86", "AArch64"];

/// Returns `true` for a function that a library may lack.
#[cfg(tile_llvm_jumps)]
fn is_optional(name: &std::ffi::CStr) -> bool {
    let target = name.to_bytes().strip_prefix(b"LLVMInitialize");
    target.is_some_and(|rest| HOSTS.iter().any(|host| rest.starts_with(host.as_bytes())))
}

/// The symbol of one function, its row of the table, its name, and the jump if it is missing.
#[cfg(all(tile_llvm_jumps, target_arch = "x86_64"))]
macro_rules! symbol {
    ($name:ident) => {
        concat!(
            ".section .data.rel.tile_llvm,\"aw\",@progbits\n",
            "77: .quad 78f, 79f\n",
            ".section .rodata.tile_llvm,\"a\",@progbits\n",
            "79: .asciz \"",
            stringify!($name),
            "\"\n",
            ".section .text.tile_llvm,\"ax\",@progbits\n",
            ".hidden ",
            stringify!($name),
            "\n",
            ".globl ",
            stringify!($name),
            "\n",
            ".type ",
            stringify!($name),
            ", @function\n",
            stringify!($name),
            ": jmp qword ptr [rip + 77b]\n",
            ".size ",
            stringify!($name),
            ", . - ",
            stringify!($name),
            "\n",
            "78: lea rdi, [rip + 79b]\n",
            "jmp {missing}\n",
        )
    };
}

#[cfg(all(tile_llvm_jumps, target_arch = "aarch64"))]
macro_rules! symbol {
    ($name:ident) => {
        concat!(
            ".section .data.rel.tile_llvm,\"aw\",@progbits\n",
            "77: .quad 78f, 79f\n",
            ".section .rodata.tile_llvm,\"a\",@progbits\n",
            "79: .asciz \"",
            stringify!($name),
            "\"\n",
            ".section .text.tile_llvm,\"ax\",@progbits\n",
            ".balign 4\n",
            ".hidden ",
            stringify!($name),
            "\n",
            ".globl ",
            stringify!($name),
            "\n",
            ".type ",
            stringify!($name),
            ", @function\n",
            stringify!($name),
            ": adrp x16, 77b\n",
            "ldr x16, [x16, :lo12:77b]\n",
            "br x16\n",
            ".size ",
            stringify!($name),
            ", . - ",
            stringify!($name),
            "\n",
            "78: adrp x0, 79b\n",
            "add x0, x0, :lo12:79b\n",
            "b {missing}\n",
        )
    };
}

/// Defines the table and the symbols.
#[cfg(tile_llvm_jumps)]
macro_rules! functions {
    ($($name:ident)*) => {
        mod jumps {
            use std::ffi::{CStr, c_char, c_void};
            use std::sync::atomic::{AtomicPtr, Ordering};

            /// A row of the table, in the form in which the assembly defines it.
            #[repr(C)]
            struct Function {
                /// The address that the jump reads.
                address: AtomicPtr<c_void>,
                name: *const c_char,
            }

            // SAFETY: the name is constant text, and the address is atomic.
            unsafe impl Sync for Function {}

            /// Fills the table. `address_of` returns the address of a function, or `None` if the library lacks it; the row
            /// of a lacking function is left as it is.
            ///
            /// # Safety
            ///
            /// Each address must be that of the function of LLVM 22 with this name, in a library that stays loaded.
            pub(in super::super) unsafe fn bind(address_of: impl Fn(&CStr) -> Option<*mut c_void>) {
                // SAFETY: the assembly defines the table, with this number of rows and this layout, in writable memory.
                for function in unsafe { &tile_llvm_functions } {
                    // SAFETY: the assembly ends each name with a zero byte.
                    let name = unsafe { CStr::from_ptr(function.name) };
                    if let Some(address) = address_of(name) {
                        function.address.store(address, Ordering::Release);
                    }
                }
            }

            /// Returns the first function for which `is_there` is `false`, apart from those that a library may lack.
            pub(in super::super) fn first_absent(is_there: impl Fn(&CStr) -> bool) -> Option<&'static CStr> {
                // SAFETY: as in `bind`.
                let functions = unsafe { &tile_llvm_functions };
                // SAFETY: as in `bind`.
                let mut names = functions.iter().map(|function| unsafe { CStr::from_ptr(function.name) });
                names.find(|name| !is_there(name) && !super::is_optional(name))
            }

            /// Ends the process, since a call of a function that does not exist has no result.
            extern "C" fn missing(name: *const c_char) -> ! {
                // SAFETY: the caller is our assembly, which passes one of the names.
                let name = unsafe { CStr::from_ptr(name) };
                crate::llvm::end_process(&format!(
                    "the library of LLVM has no function `{}`",
                    name.to_string_lossy()
                ))
            }

            const COUNT: usize = [$(stringify!($name)),*].len();

            unsafe extern "C" {
                static tile_llvm_functions: [Function; COUNT];
            }

            std::arch::global_asm!(
                ".section .data.rel.tile_llvm,\"aw\",@progbits",
                ".balign 8",
                ".hidden tile_llvm_functions",
                ".globl tile_llvm_functions",
                "tile_llvm_functions:",
                $(symbol!($name),)*
                ".text",
                missing = sym missing,
            );
        }
    };
}

/// Defines functions that only end the process.
#[cfg(not(tile_llvm_jumps))]
macro_rules! functions {
    ($($name:ident)*) => {
        mod none {
            use std::ffi::{CStr, c_void};

            /// Does nothing, since [`super::check_target`] refused.
            pub(in super::super) unsafe fn bind(_address_of: impl Fn(&CStr) -> Option<*mut c_void>) {}

            /// Returns nothing, since [`super::check_target`] refused.
            pub(in super::super) fn first_absent(_is_there: impl Fn(&CStr) -> bool) -> Option<&'static CStr> {
                None
            }

            $(
                // SAFETY: LLVM, which has a function of this name, is not linked.
                #[unsafe(no_mangle)]
                extern "C" fn $name() -> ! {
                    crate::llvm::end_process(concat!("no library has `", stringify!($name), "`"))
                }
            )*
        }
    };
}

functions! {
    LLVMABIAlignmentOfType LLVMABISizeOfType LLVMAddAnalysisPasses LLVMAddAttributeAtIndex
    LLVMAddCallSiteAttribute LLVMAddCase LLVMAddClause LLVMAddDestination LLVMAddFunction LLVMAddGlobal
    LLVMAddGlobalInAddressSpace LLVMAddGlobalMapping LLVMAddIncoming LLVMAddModule LLVMAddModuleFlag
    LLVMAddNamedMetadataOperand LLVMAlignOf LLVMAppendBasicBlockInContext LLVMAppendExistingBasicBlock
    LLVMArrayType LLVMBFloatTypeInContext LLVMBasicBlockAsValue LLVMBinaryCopyMemoryBuffer LLVMBinaryGetType
    LLVMBlockAddress LLVMBuildAShr LLVMBuildAdd LLVMBuildAddrSpaceCast LLVMBuildAggregateRet LLVMBuildAlloca
    LLVMBuildAnd LLVMBuildArrayAlloca LLVMBuildArrayMalloc LLVMBuildAtomicCmpXchg LLVMBuildAtomicRMW
    LLVMBuildBinOp LLVMBuildBitCast LLVMBuildBr LLVMBuildCall2 LLVMBuildCallWithOperandBundles
    LLVMBuildCast LLVMBuildCondBr LLVMBuildExactSDiv LLVMBuildExtractElement LLVMBuildExtractValue
    LLVMBuildFAdd LLVMBuildFCmp LLVMBuildFDiv LLVMBuildFMul LLVMBuildFNeg LLVMBuildFPCast LLVMBuildFPExt
    LLVMBuildFPToSI LLVMBuildFPToUI LLVMBuildFPTrunc LLVMBuildFRem LLVMBuildFSub LLVMBuildFence
    LLVMBuildFree LLVMBuildGEP2 LLVMBuildGlobalString LLVMBuildGlobalStringPtr LLVMBuildICmp
    LLVMBuildInBoundsGEP2 LLVMBuildIndirectBr LLVMBuildInsertElement LLVMBuildInsertValue LLVMBuildIntCast
    LLVMBuildIntCast2 LLVMBuildIntToPtr LLVMBuildInvoke2 LLVMBuildIsNotNull LLVMBuildIsNull LLVMBuildLShr
    LLVMBuildLandingPad LLVMBuildLoad2 LLVMBuildMalloc LLVMBuildMemCpy LLVMBuildMemMove LLVMBuildMemSet
    LLVMBuildMul LLVMBuildNSWAdd LLVMBuildNSWMul LLVMBuildNSWNeg LLVMBuildNSWSub LLVMBuildNUWAdd
    LLVMBuildNUWMul LLVMBuildNUWNeg LLVMBuildNUWSub LLVMBuildNeg LLVMBuildNot LLVMBuildOr LLVMBuildPhi
    LLVMBuildPointerCast LLVMBuildPtrDiff2 LLVMBuildPtrToInt LLVMBuildResume LLVMBuildRet LLVMBuildRetVoid
    LLVMBuildSDiv LLVMBuildSExt LLVMBuildSExtOrBitCast LLVMBuildSIToFP LLVMBuildSRem LLVMBuildSelect
    LLVMBuildShl LLVMBuildShuffleVector LLVMBuildStore LLVMBuildStructGEP2 LLVMBuildSub LLVMBuildSwitch
    LLVMBuildTrunc LLVMBuildTruncOrBitCast LLVMBuildUDiv LLVMBuildUIToFP LLVMBuildURem LLVMBuildUnreachable
    LLVMBuildVAArg LLVMBuildXor LLVMBuildZExt LLVMBuildZExtOrBitCast LLVMByteOrder LLVMCallFrameAlignmentOfType
    LLVMCanValueUseFastMathFlags LLVMClearInsertionPosition LLVMCloneModule LLVMConstAdd LLVMConstAddrSpaceCast
    LLVMConstAllOnes LLVMConstArray LLVMConstArray2 LLVMConstBitCast LLVMConstExtractElement
    LLVMConstGEP2 LLVMConstInBoundsGEP2 LLVMConstInsertElement LLVMConstInt LLVMConstIntGetSExtValue
    LLVMConstIntGetZExtValue LLVMConstIntOfArbitraryPrecision LLVMConstIntOfStringAndSize LLVMConstIntToPtr
    LLVMConstNSWAdd LLVMConstNSWNeg LLVMConstNSWSub LLVMConstNUWAdd LLVMConstNUWNeg LLVMConstNUWSub
    LLVMConstNamedStruct LLVMConstNeg LLVMConstNot LLVMConstNull LLVMConstPointerCast LLVMConstPointerNull
    LLVMConstPtrToInt LLVMConstReal LLVMConstRealGetDouble LLVMConstRealOfStringAndSize LLVMConstShuffleVector
    LLVMConstStringInContext LLVMConstStringInContext2 LLVMConstStructInContext LLVMConstSub LLVMConstTrunc
    LLVMConstTruncOrBitCast LLVMConstVector LLVMConstXor LLVMConsumeError LLVMContextCreate LLVMContextDispose
    LLVMContextGetDiagnosticHandler LLVMContextSetDiagnosticHandler LLVMCopyStringRepOfTargetData
    LLVMCountBasicBlocks LLVMCountIncoming LLVMCountParamTypes LLVMCountParams LLVMCountStructElementTypes
    LLVMCreateBinary LLVMCreateBuilderInContext LLVMCreateDIBuilder LLVMCreateDIBuilderDisallowUnresolved
    LLVMCreateEnumAttribute LLVMCreateExecutionEngineForModule LLVMCreateFunctionPassManagerForModule
    LLVMCreateGenericValueOfFloat LLVMCreateGenericValueOfInt LLVMCreateGenericValueOfPointer
    LLVMCreateInterpreterForModule LLVMCreateJITCompilerForModule LLVMCreateMCJITCompilerForModule
    LLVMCreateMemoryBufferWithContentsOfFile LLVMCreateMemoryBufferWithMemoryRange
    LLVMCreateMemoryBufferWithMemoryRangeCopy LLVMCreateMemoryBufferWithSTDIN LLVMCreateMessage
    LLVMCreateOperandBundle LLVMCreatePassBuilderOptions LLVMCreatePassManager LLVMCreateSimpleMCJITMemoryManager
    LLVMCreateStringAttribute LLVMCreateTargetData LLVMCreateTargetDataLayout LLVMCreateTargetMachine
    LLVMCreateTargetMachineOptions LLVMCreateTargetMachineWithOptions LLVMCreateTypeAttribute
    LLVMDIBuilderCreateArrayType LLVMDIBuilderCreateAutoVariable LLVMDIBuilderCreateBasicType
    LLVMDIBuilderCreateCompileUnit LLVMDIBuilderCreateConstantValueExpression LLVMDIBuilderCreateDebugLocation
    LLVMDIBuilderCreateEnumerationType LLVMDIBuilderCreateEnumerator LLVMDIBuilderCreateExpression
    LLVMDIBuilderCreateFile LLVMDIBuilderCreateFunction LLVMDIBuilderCreateGlobalVariableExpression
    LLVMDIBuilderCreateLexicalBlock LLVMDIBuilderCreateMemberType LLVMDIBuilderCreateNameSpace
    LLVMDIBuilderCreateParameterVariable LLVMDIBuilderCreatePointerType LLVMDIBuilderCreateReferenceType
    LLVMDIBuilderCreateStructType LLVMDIBuilderCreateSubroutineType LLVMDIBuilderCreateTypedef
    LLVMDIBuilderCreateUnionType LLVMDIBuilderFinalize LLVMDIBuilderGetOrCreateSubrange
    LLVMDIBuilderInsertDbgValueRecordBefore LLVMDIBuilderInsertDeclareRecordAtEnd
    LLVMDIBuilderInsertDeclareRecordBefore LLVMDILocationGetColumn LLVMDILocationGetLine LLVMDILocationGetScope
    LLVMDITypeGetAlignInBits LLVMDITypeGetOffsetInBits LLVMDITypeGetSizeInBits LLVMDebugMetadataVersion
    LLVMDeleteBasicBlock LLVMDeleteFunction LLVMDeleteGlobal LLVMDisposeBinary LLVMDisposeBuilder
    LLVMDisposeDIBuilder LLVMDisposeErrorMessage LLVMDisposeExecutionEngine LLVMDisposeGenericValue
    LLVMDisposeMemoryBuffer LLVMDisposeMessage LLVMDisposeModule LLVMDisposeOperandBundle
    LLVMDisposePassBuilderOptions LLVMDisposePassManager LLVMDisposeRelocationIterator LLVMDisposeSectionIterator
    LLVMDisposeSymbolIterator LLVMDisposeTargetData LLVMDisposeTargetMachine LLVMDisposeTargetMachineOptions
    LLVMDoubleTypeInContext LLVMDumpModule LLVMDumpValue LLVMElementAtOffset LLVMEnablePrettyStackTrace
    LLVMFP128TypeInContext LLVMFinalizeFunctionPassManager LLVMFindFunction LLVMFloatTypeInContext
    LLVMFreeMachineCodeForFunction LLVMFunctionType LLVMGenericValueIntWidth LLVMGenericValueToFloat
    LLVMGenericValueToInt LLVMGenericValueToPointer LLVMGetAlignment LLVMGetAllocatedType LLVMGetArrayLength
    LLVMGetAsString LLVMGetAtomicRMWBinOp LLVMGetAttributeCountAtIndex LLVMGetAttributesAtIndex
    LLVMGetBasicBlockName LLVMGetBasicBlockParent LLVMGetBasicBlockTerminator LLVMGetBasicBlocks
    LLVMGetBitcodeModuleInContext LLVMGetBitcodeModuleInContext2 LLVMGetBufferSize LLVMGetBufferStart
    LLVMGetCallSiteAttributeCount LLVMGetCallSiteAttributes LLVMGetCallSiteEnumAttribute
    LLVMGetCallSiteStringAttribute LLVMGetCalledFunctionType LLVMGetCalledValue LLVMGetComdat
    LLVMGetComdatSelectionKind LLVMGetConstOpcode LLVMGetCurrentDebugLocation2 LLVMGetDLLStorageClass
    LLVMGetDataLayoutStr LLVMGetDefaultTargetTriple LLVMGetDiagInfoDescription LLVMGetDiagInfoSeverity
    LLVMGetElementAsConstant LLVMGetElementType LLVMGetEnumAttributeAtIndex LLVMGetEnumAttributeKind
    LLVMGetEnumAttributeKindForName LLVMGetEnumAttributeValue LLVMGetErrorMessage LLVMGetErrorTypeId
    LLVMGetExact LLVMGetExecutionEngineTargetData LLVMGetExecutionEngineTargetMachine LLVMGetFCmpPredicate
    LLVMGetFastMathFlags LLVMGetFirstBasicBlock LLVMGetFirstFunction LLVMGetFirstGlobal LLVMGetFirstInstruction
    LLVMGetFirstParam LLVMGetFirstTarget LLVMGetFirstUse LLVMGetFunctionAddress LLVMGetFunctionCallConv
    LLVMGetGC LLVMGetGEPSourceElementType LLVMGetHostCPUFeatures LLVMGetHostCPUName LLVMGetICmpPredicate
    LLVMGetICmpSameSign LLVMGetIncomingBlock LLVMGetIncomingValue LLVMGetIndices LLVMGetInitializer
    LLVMGetInlineAsm LLVMGetInsertBlock LLVMGetInstructionCallConv LLVMGetInstructionOpcode
    LLVMGetInstructionParent LLVMGetIntTypeWidth LLVMGetIntrinsicDeclaration LLVMGetIntrinsicID
    LLVMGetIsDisjoint LLVMGetLastBasicBlock LLVMGetLastEnumAttributeKind LLVMGetLastFunction
    LLVMGetLastGlobal LLVMGetLastInstruction LLVMGetLastParam LLVMGetLinkage LLVMGetMDKindIDInContext
    LLVMGetMDNodeNumOperands LLVMGetMDNodeOperands LLVMGetMDString LLVMGetMaskValue LLVMGetMetadata
    LLVMGetModuleContext LLVMGetModuleDebugMetadataVersion LLVMGetModuleFlag LLVMGetModuleIdentifier
    LLVMGetNNeg LLVMGetNSW LLVMGetNUW LLVMGetNamedFunction LLVMGetNamedGlobal LLVMGetNamedMetadataNumOperands
    LLVMGetNamedMetadataOperands LLVMGetNextBasicBlock LLVMGetNextFunction LLVMGetNextGlobal
    LLVMGetNextInstruction LLVMGetNextParam LLVMGetNextTarget LLVMGetNextUse LLVMGetNumArgOperands
    LLVMGetNumIndices LLVMGetNumMaskElements LLVMGetNumOperandBundleArgs LLVMGetNumOperandBundles
    LLVMGetNumOperands LLVMGetOperand LLVMGetOperandBundleArgAtIndex LLVMGetOperandBundleAtIndex
    LLVMGetOperandBundleTag LLVMGetOperandUse LLVMGetOrInsertComdat LLVMGetOrdering LLVMGetParam
    LLVMGetParamTypes LLVMGetParams LLVMGetPersonalityFn LLVMGetPointerAddressSpace LLVMGetPoison
    LLVMGetPreviousBasicBlock LLVMGetPreviousFunction LLVMGetPreviousGlobal LLVMGetPreviousInstruction
    LLVMGetRelocationOffset LLVMGetRelocationSymbol LLVMGetRelocationType LLVMGetRelocationTypeName
    LLVMGetRelocationValueString LLVMGetRelocations LLVMGetReturnType LLVMGetSection LLVMGetSectionAddress
    LLVMGetSectionContainsSymbol LLVMGetSectionContents LLVMGetSectionName LLVMGetSectionSize
    LLVMGetSourceFileName LLVMGetStringAttributeAtIndex LLVMGetStringAttributeKind LLVMGetStringAttributeValue
    LLVMGetStructElementTypes LLVMGetStructName LLVMGetSubprogram LLVMGetSymbolAddress LLVMGetSymbolName
    LLVMGetSymbolSize LLVMGetTailCallKind LLVMGetTarget LLVMGetTargetDescription LLVMGetTargetFromName
    LLVMGetTargetFromTriple LLVMGetTargetMachineCPU LLVMGetTargetMachineFeatureString LLVMGetTargetMachineTarget
    LLVMGetTargetMachineTriple LLVMGetTargetName LLVMGetThreadLocalMode LLVMGetTypeAttributeValue
    LLVMGetTypeByName2 LLVMGetTypeContext LLVMGetTypeKind LLVMGetUndef LLVMGetUnnamedAddress LLVMGetUsedValue
    LLVMGetUser LLVMGetValueKind LLVMGetValueName2 LLVMGetVectorSize LLVMGetVersion LLVMGetVisibility
    LLVMGetVolatile LLVMGlobalGetValueType LLVMGlobalSetMetadata LLVMHalfTypeInContext LLVMHasMetadata
    LLVMHasPersonalityFn LLVMInitializeAArch64AsmPrinter LLVMInitializeAArch64Target
    LLVMInitializeAArch64TargetInfo LLVMInitializeAArch64TargetMC LLVMInitializeFunctionPassManager
    LLVMInitializeMCJITCompilerOptions LLVMInitializeNVPTXAsmPrinter LLVMInitializeNVPTXTarget
    LLVMInitializeNVPTXTargetInfo LLVMInitializeNVPTXTargetMC LLVMInitializeX86AsmPrinter
    LLVMInitializeX86Target LLVMInitializeX86TargetInfo LLVMInitializeX86TargetMC LLVMInsertBasicBlockInContext LLVMInsertIntoBuilder LLVMInsertIntoBuilderWithName
    LLVMInstallFatalErrorHandler LLVMInstructionClone LLVMInstructionEraseFromParent LLVMInstructionGetDebugLoc
    LLVMInstructionRemoveFromParent LLVMInstructionSetDebugLoc LLVMInt128TypeInContext LLVMInt16TypeInContext
    LLVMInt1TypeInContext LLVMInt32TypeInContext LLVMInt64TypeInContext LLVMInt8TypeInContext
    LLVMIntPtrTypeForASInContext LLVMIntPtrTypeInContext LLVMIntTypeInContext LLVMIntrinsicIsOverloaded
    LLVMIsABasicBlock LLVMIsAConstantArray LLVMIsAConstantDataArray LLVMIsAConstantDataVector LLVMIsAConstantInt
    LLVMIsAConstantVector LLVMIsAFunction LLVMIsAInstruction LLVMIsAMDNode LLVMIsAMDString LLVMIsATerminatorInst
    LLVMIsConditional LLVMIsConstant LLVMIsConstantString LLVMIsDeclaration LLVMIsEnumAttribute
    LLVMIsExternallyInitialized LLVMIsFunctionVarArg LLVMIsGlobalConstant LLVMIsInBounds LLVMIsMultithreaded
    LLVMIsNull LLVMIsOpaqueStruct LLVMIsPackedStruct LLVMIsPoison LLVMIsRelocationIteratorAtEnd
    LLVMIsStringAttribute LLVMIsTailCall LLVMIsThreadLocal LLVMIsTypeAttribute LLVMIsUndef LLVMLinkInInterpreter
    LLVMLinkInMCJIT LLVMLinkModules2 LLVMLoadLibraryPermanently LLVMLookupIntrinsicID LLVMMDNodeInContext2
    LLVMMDStringInContext2 LLVMMetadataAsValue LLVMMetadataReplaceAllUsesWith LLVMMetadataTypeInContext
    LLVMModuleCreateWithNameInContext LLVMMoveBasicBlockAfter LLVMMoveBasicBlockBefore
    LLVMMoveToContainingSection LLVMMoveToNextRelocation LLVMMoveToNextSection LLVMMoveToNextSymbol
    LLVMNormalizeTargetTriple LLVMObjectFileCopySectionIterator LLVMObjectFileCopySymbolIterator
    LLVMObjectFileIsSectionIteratorAtEnd LLVMObjectFileIsSymbolIteratorAtEnd LLVMOffsetOfElement
    LLVMPPCFP128TypeInContext LLVMParseBitcodeInContext LLVMParseCommandLineOptions LLVMParseIRInContext
    LLVMParseIRInContext2 LLVMPassBuilderOptionsSetCallGraphProfile LLVMPassBuilderOptionsSetDebugLogging
    LLVMPassBuilderOptionsSetForgetAllSCEVInLoopUnroll LLVMPassBuilderOptionsSetLicmMssaNoAccForPromotionCap
    LLVMPassBuilderOptionsSetLicmMssaOptCap LLVMPassBuilderOptionsSetLoopInterleaving
    LLVMPassBuilderOptionsSetLoopUnrolling LLVMPassBuilderOptionsSetLoopVectorization
    LLVMPassBuilderOptionsSetMergeFunctions LLVMPassBuilderOptionsSetSLPVectorization
    LLVMPassBuilderOptionsSetVerifyEach LLVMPointerSize LLVMPointerSizeForAS LLVMPointerType
    LLVMPointerTypeInContext LLVMPointerTypeIsOpaque LLVMPositionBuilder LLVMPositionBuilderAtEnd
    LLVMPositionBuilderBefore LLVMPreferredAlignmentOfGlobal LLVMPreferredAlignmentOfType LLVMPrintModuleToFile
    LLVMPrintModuleToString LLVMPrintTypeToString LLVMPrintValueToString LLVMRemoveBasicBlockFromParent
    LLVMRemoveCallSiteEnumAttribute LLVMRemoveCallSiteStringAttribute LLVMRemoveEnumAttributeAtIndex
    LLVMRemoveModule LLVMRemoveStringAttributeAtIndex LLVMReplaceAllUsesWith LLVMResetFatalErrorHandler
    LLVMRunFunction LLVMRunFunctionAsMain LLVMRunFunctionPassManager LLVMRunPassManager
    LLVMRunPasses LLVMRunPassesOnFunction LLVMRunStaticConstructors LLVMRunStaticDestructors
    LLVMScalableVectorType LLVMSearchForAddressOfSymbol LLVMSetAlignment LLVMSetCleanup LLVMSetComdat
    LLVMSetComdatSelectionKind LLVMSetCurrentDebugLocation2 LLVMSetDLLStorageClass LLVMSetDataLayout LLVMSetExact
    LLVMSetExternallyInitialized LLVMSetFastMathFlags LLVMSetFunctionCallConv LLVMSetGC LLVMSetGlobalConstant
    LLVMSetICmpSameSign LLVMSetInitializer LLVMSetInstrParamAlignment LLVMSetInstructionCallConv
    LLVMSetIsDisjoint LLVMSetIsInBounds LLVMSetLinkage LLVMSetMetadata LLVMSetModuleIdentifier
    LLVMSetModuleInlineAsm2 LLVMSetNNeg LLVMSetNSW LLVMSetNUW LLVMSetOperand LLVMSetOrdering
    LLVMSetParamAlignment LLVMSetPersonalityFn LLVMSetSection LLVMSetSourceFileName LLVMSetSubprogram
    LLVMSetTailCall LLVMSetTailCallKind LLVMSetTarget LLVMSetTargetMachineAsmVerbosity LLVMSetThreadLocal
    LLVMSetThreadLocalMode LLVMSetUnnamedAddress LLVMSetValueName2 LLVMSetVisibility LLVMSetVolatile LLVMShutdown
    LLVMSizeOf LLVMSizeOfTypeInBits LLVMStoreSizeOfType LLVMStripModuleDebugInfo LLVMStructCreateNamed
    LLVMStructGetTypeAtIndex LLVMStructSetBody LLVMStructTypeInContext LLVMTargetHasAsmBackend
    LLVMTargetHasJIT LLVMTargetHasTargetMachine LLVMTargetMachineEmitToFile LLVMTargetMachineEmitToMemoryBuffer
    LLVMTargetMachineOptionsSetABI LLVMTargetMachineOptionsSetCPU LLVMTargetMachineOptionsSetCodeGenOptLevel
    LLVMTargetMachineOptionsSetCodeModel LLVMTargetMachineOptionsSetFeatures LLVMTargetMachineOptionsSetRelocMode
    LLVMTemporaryMDNode LLVMTypeIsSized LLVMTypeOf LLVMValueAsBasicBlock LLVMValueAsMetadata
    LLVMValueIsBasicBlock LLVMVectorType LLVMVerifyFunction LLVMVerifyModule LLVMViewFunctionCFG
    LLVMViewFunctionCFGOnly LLVMVoidTypeInContext LLVMWriteBitcodeToFD LLVMWriteBitcodeToFile
    LLVMWriteBitcodeToMemoryBuffer LLVMX86FP80TypeInContext
}
