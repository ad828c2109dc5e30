//! Access of one GPU to the memory of another.

use std::ffi::c_int;

use super::sys;

use super::{Context, check};
use crate::{Error, Result};

impl Context {
    /// Returns `true` if kernels on this device can be given access to the memory of `peer`.
    pub(crate) fn can_access_peer(&'static self, peer: &'static Context) -> Result<bool> {
        if self == peer {
            return Ok(true);
        }
        let mut can_access = 0;
        // SAFETY: writes one int; both handles are devices.
        check("cuDeviceCanAccessPeer", unsafe {
            sys::cuDeviceCanAccessPeer(&raw mut can_access, self.handle, peer.handle)
        })?;
        Ok(can_access != 0)
    }

    /// Gives kernels on this device access to the memory of `peer`: to what it allocates with
    /// `cuMemAlloc`, and to its pool.
    pub(crate) fn enable_peer_access(&'static self, peer: &'static Context) -> Result<()> {
        if self == peer {
            return Ok(());
        }
        if !self.can_access_peer(peer)? {
            return Err(Error::NoPeerAccess {
                device: self.device(),
                peer: peer.device(),
            });
        }
        let _current = self.enter()?;
        // SAFETY: this device's context is current, and the other one is live.
        let result = unsafe { sys::cuCtxEnablePeerAccess(peer.raw, 0) };
        if result != sys::CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED {
            check("cuCtxEnablePeerAccess", result)?;
        }
        if peer.pools {
            peer.share_pool_with(self.handle)?;
        }
        self.lock_peers().insert(peer.ordinal());
        Ok(())
    }

    /// Returns `true` after [`Context::enable_peer_access`].
    pub(crate) fn has_peer_access(&self, peer: &Context) -> bool {
        self == peer || self.lock_peers().contains(&peer.ordinal())
    }

    fn share_pool_with(&self, device: c_int) -> Result<()> {
        let pool = self.pool()?;
        let access = sys::CUmemAccessDesc {
            location: sys::CUmemLocation {
                type_: sys::CU_MEM_LOCATION_TYPE_DEVICE,
                id: device,
            },
            flags: sys::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        // SAFETY: the driver reads one description.
        check("cuMemPoolSetAccess", unsafe {
            sys::cuMemPoolSetAccess(pool, &raw const access, 1)
        })
    }
}
