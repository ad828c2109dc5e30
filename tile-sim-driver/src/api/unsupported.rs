//! Functions that `cuda.h` has and this driver does not: they return `CUDA_ERROR_NOT_SUPPORTED`, and say their name
//! once on the standard error.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::Function;
use crate::result::CUresult;

/// Says once that a function is not there.
fn refuse(name: &'static str) -> CUresult {
    static SAID: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert(name) {
        crate::report(&format!("`{name}` is not supported"));
    }
    CUresult::CUDA_ERROR_NOT_SUPPORTED
}

/// Declares functions without their arguments, which they do not read. In the calling conventions of C on Linux, the
/// caller removes them.
macro_rules! unsupported {
    ($($name:ident)+) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of `cuda.h`, which is not supported.")]
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> CUresult {
                refuse(stringify!($name))
            }
        )+

        /// Returns the functions that are not supported.
        pub fn functions() -> Vec<Function> {
            vec![$(Function {
                name: stringify!($name),
                since: 0,
                address: || $name as *const () as usize,
                per_thread: None,
            }),+]
        }
    };
}

unsupported! {
    cuArray3DCreate_v2
    cuArray3DGetDescriptor_v2
    cuArrayCreate_v2
    cuArrayDestroy
    cuArrayGetDescriptor_v2
    cuArrayGetMemoryRequirements
    cuArrayGetPlane
    cuArrayGetSparseProperties
    cuCoredumpDeregisterCompleteCallback
    cuCoredumpDeregisterStartCallback
    cuCoredumpGetAttribute
    cuCoredumpGetAttributeGlobal
    cuCoredumpRegisterCompleteCallback
    cuCoredumpRegisterStartCallback
    cuCoredumpSetAttribute
    cuCoredumpSetAttributeGlobal
    cuCtxFromGreenCtx
    cuCtxGetDevResource
    cuCtxGetExecAffinity
    cuCtxRecordEvent
    cuCtxWaitEvent
    cuDestroyExternalMemory
    cuDestroyExternalSemaphore
    cuDevResourceGenerateDesc
    cuDevSmResourceSplit
    cuDevSmResourceSplitByCount
    cuDeviceGetCliqueCount
    cuDeviceGetCliqueInfo
    cuDeviceGetDevResource
    cuDeviceGetExecAffinitySupport
    cuDeviceGetFabricClusterUuid
    cuDeviceGetGraphMemAttribute
    cuDeviceGetHostAtomicCapabilities
    cuDeviceGetLuid
    cuDeviceGetP2PAtomicCapabilities
    cuDeviceGetTexture1DLinearMaxWidth
    cuDeviceRegisterAsyncNotification
    cuDeviceSetGraphMemAttribute
    cuDeviceUnregisterAsyncNotification
    cuExternalMemoryGetMappedBuffer
    cuExternalMemoryGetMappedMipmappedArray
    cuFlushGPUDirectRDMAWrites
    cuFuncSetBlockShape
    cuFuncSetSharedSize
    cuGraphAddBatchMemOpNode
    cuGraphAddExternalSemaphoresSignalNode
    cuGraphAddExternalSemaphoresWaitNode
    cuGraphAddKernelNode
    cuGraphAddNode_v3
    cuGraphBatchMemOpNodeGetParams
    cuGraphBatchMemOpNodeSetParams
    cuGraphConditionalHandleCreate
    cuGraphDebugDotPrint
    cuGraphExecBatchMemOpNodeSetParams
    cuGraphExecChildGraphNodeSetParams
    cuGraphExecExternalSemaphoresSignalNodeSetParams
    cuGraphExecExternalSemaphoresWaitNodeSetParams
    cuGraphExecGetId
    cuGraphExecKernelNodeSetParams
    cuGraphExternalSemaphoresSignalNodeGetParams
    cuGraphExternalSemaphoresSignalNodeSetParams
    cuGraphExternalSemaphoresWaitNodeGetParams
    cuGraphExternalSemaphoresWaitNodeSetParams
    cuGraphGetId
    cuGraphKernelNodeCopyAttributes
    cuGraphKernelNodeGetAttribute
    cuGraphKernelNodeGetParams
    cuGraphKernelNodeSetAttribute
    cuGraphKernelNodeSetParams
    cuGraphNodeGetContainingGraph
    cuGraphNodeGetLocalId
    cuGraphNodeGetParams
    cuGraphNodeGetToolsId
    cuGraphNodeSetParams_v2
    cuGraphReleaseUserObject
    cuGraphRetainUserObject
    cuGraphicsMapResources
    cuGraphicsResourceGetMappedMipmappedArray
    cuGraphicsResourceGetMappedPointer_v2
    cuGraphicsResourceSetMapFlags_v2
    cuGraphicsSubResourceGetMappedArray
    cuGraphicsUnmapResources
    cuGraphicsUnregisterResource
    cuGreenCtxCreate
    cuGreenCtxDestroy
    cuGreenCtxGetDevResource
    cuGreenCtxGetId
    cuGreenCtxRecordEvent
    cuGreenCtxStreamCreate
    cuGreenCtxWaitEvent
    cuImportExternalMemory
    cuImportExternalSemaphore
    cuIpcCloseMemHandle
    cuIpcGetEventHandle
    cuIpcGetMemHandle
    cuIpcOpenEventHandle
    cuIpcOpenMemHandle_v2
    cuLaunch
    cuLaunchCooperativeKernelMultiDevice
    cuLaunchGrid
    cuLaunchGridAsync
    cuLaunchHostFunc_v2
    cuLibraryGetUnifiedFunction
    cuLinkAddData_v2
    cuLinkAddFile_v2
    cuLinkComplete
    cuLinkCreate_v2
    cuLinkDestroy
    cuLogicalEndpointAddDevice
    cuLogicalEndpointBindAddr
    cuLogicalEndpointBindMem
    cuLogicalEndpointCreate
    cuLogicalEndpointDestroy
    cuLogicalEndpointExport
    cuLogicalEndpointGetLimits
    cuLogicalEndpointIdRelease
    cuLogicalEndpointIdReserve
    cuLogicalEndpointImport
    cuLogicalEndpointQuery
    cuLogicalEndpointUnbind
    cuLogsCurrent
    cuLogsDumpToFile
    cuLogsDumpToMemory
    cuLogsRegisterCallback
    cuLogsUnregisterCallback
    cuMemAddressFree
    cuMemAddressReserve
    cuMemBatchDecompressAsync
    cuMemCreate
    cuMemDiscardAndPrefetchBatchAsync
    cuMemDiscardBatchAsync
    cuMemExportToShareableHandle
    cuMemGetAccess
    cuMemGetAllocationGranularity
    cuMemGetAllocationPropertiesFromHandle
    cuMemGetHandleForAddressRange
    cuMemGetLocationInfo
    cuMemImportFromShareableHandle
    cuMemMap
    cuMemMapArrayAsync
    cuMemPoolExportPointer
    cuMemPoolExportToShareableHandle
    cuMemPoolImportFromShareableHandle
    cuMemPoolImportPointer
    cuMemPrefetchBatchAsync
    cuMemRangeGetAttribute
    cuMemRangeGetAttributes
    cuMemRelease
    cuMemRetainAllocationHandle
    cuMemSetAccess
    cuMemUnmap
    cuMemcpy3DBatchAsync
    cuMemcpy3DBatchAsync_v2
    cuMemcpy3DPeer
    cuMemcpy3DPeerAsync
    cuMemcpy3DWithAttributesAsync
    cuMemcpyAtoA_v2
    cuMemcpyAtoD_v2
    cuMemcpyAtoHAsync_v2
    cuMemcpyAtoH_v2
    cuMemcpyBatchAsync
    cuMemcpyBatchAsync_v2
    cuMemcpyDtoA_v2
    cuMemcpyHtoAAsync_v2
    cuMemcpyHtoA_v2
    cuMemcpyWithAttributesAsync
    cuMipmappedArrayCreate
    cuMipmappedArrayDestroy
    cuMipmappedArrayGetLevel
    cuMipmappedArrayGetMemoryRequirements
    cuMipmappedArrayGetSparseProperties
    cuModuleGetSurfRef
    cuModuleGetTexRef
    cuMulticastAddDevice
    cuMulticastBindAddr
    cuMulticastBindAddr_v2
    cuMulticastBindMem
    cuMulticastBindMem_v2
    cuMulticastCreate
    cuMulticastGetGranularity
    cuMulticastUnbind
    cuParamSetSize
    cuParamSetTexRef
    cuParamSetf
    cuParamSeti
    cuParamSetv
    cuProfilerInitialize
    cuSignalExternalSemaphoresAsync
    cuStreamBatchMemOp
    cuStreamBatchMemOp_v2
    cuStreamBeginCaptureToCig
    cuStreamBeginRecaptureToGraph
    cuStreamCopyAttributes
    cuStreamEndCaptureToCig
    cuStreamGetAttribute
    cuStreamGetCtx_v2
    cuStreamGetDevResource
    cuStreamGetGreenCtx
    cuStreamSetAttribute
    cuStreamWaitValue32
    cuStreamWaitValue32_v2
    cuStreamWaitValue64
    cuStreamWaitValue64_v2
    cuStreamWriteValue32
    cuStreamWriteValue32_v2
    cuStreamWriteValue64
    cuStreamWriteValue64_v2
    cuSurfObjectCreate
    cuSurfObjectDestroy
    cuSurfObjectGetResourceDesc
    cuSurfRefGetArray
    cuSurfRefSetArray
    cuTexObjectCreate
    cuTexObjectDestroy
    cuTexObjectGetResourceDesc
    cuTexObjectGetResourceViewDesc
    cuTexObjectGetTextureDesc
    cuTexRefCreate
    cuTexRefDestroy
    cuTexRefGetAddressMode
    cuTexRefGetAddress_v2
    cuTexRefGetArray
    cuTexRefGetBorderColor
    cuTexRefGetFilterMode
    cuTexRefGetFlags
    cuTexRefGetFormat
    cuTexRefGetMaxAnisotropy
    cuTexRefGetMipmapFilterMode
    cuTexRefGetMipmapLevelBias
    cuTexRefGetMipmapLevelClamp
    cuTexRefGetMipmappedArray
    cuTexRefSetAddress2D_v3
    cuTexRefSetAddressMode
    cuTexRefSetAddress_v2
    cuTexRefSetArray
    cuTexRefSetBorderColor
    cuTexRefSetFilterMode
    cuTexRefSetFlags
    cuTexRefSetFormat
    cuTexRefSetMaxAnisotropy
    cuTexRefSetMipmapFilterMode
    cuTexRefSetMipmapLevelBias
    cuTexRefSetMipmapLevelClamp
    cuTexRefSetMipmappedArray
    cuUserObjectCreate
    cuUserObjectRelease
    cuUserObjectRetain
    cuWaitExternalSemaphoresAsync
}
