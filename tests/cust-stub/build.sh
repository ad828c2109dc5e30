#!/bin/sh
# Makes DIR/lib64/libcuda.so, a stand-in for the CUDA driver's library. With it the feature `cust` builds, links and
# starts without a CUDA installation:
#
#   sh tests/cust-stub/build.sh DIR
#   CUDA_LIBRARY_PATH=DIR LD_LIBRARY_PATH=DIR/lib64 cargo test --features cust
#
# `find_cuda_helper`, which both build scripts of `cust` call, takes each folder of CUDA_LIBRARY_PATH that has a `lib64`.
# Do not set LD_LIBRARY_PATH where there is a driver: the stand-in would hide it.
set -eu
dir=${1:?usage: build.sh DIR}
here=$(dirname "$0")
mkdir -p "$dir/lib64"
"${CC:-cc}" -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$dir/lib64/libcuda.so" "$here/libcuda.c"
ln -sf libcuda.so "$dir/lib64/libcuda.so.1"
