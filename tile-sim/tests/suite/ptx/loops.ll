target triple = "nvptx64-nvidia-cuda"
@tile_shared = external addrspace(3) global [0 x i8], align 1024
@table = internal addrspace(1) constant [4 x i32] [i32 10, i32 20, i32 30, i32 40], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32,float,i32,i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
; out[t] = sum over the block of in[...] ; local array; switch; half math
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, i8 %b, half %h, i1 %q) "nvvm.reqntid"="128" {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %loop, label %done
loop:
  %i = phi i32 [0,%entry],[%i2,%loop]
  %acc = phi float [0.0,%entry],[%acc2,%loop]
  %k0 = mul i32 %i, 512
  %k1 = shl i32 %t, 2
  %k = add i32 %k0, %k1
  %g = getelementptr float, ptr addrspace(1) %in, i32 %k
  %v = load <4 x float>, ptr addrspace(1) %g, align 16
  %e0 = extractelement <4 x float> %v, i32 0
  %e1 = extractelement <4 x float> %v, i32 1
  %e2 = extractelement <4 x float> %v, i32 2
  %e3 = extractelement <4 x float> %v, i32 3
  %a0 = fadd float %e0, %e1
  %a1 = fadd float %e2, %e3
  %a2 = fadd float %a0, %a1
  %acc2 = fadd float %acc, %a2
  %i2 = add i32 %i, 1
  %d = icmp eq i32 %i2, %n
  br i1 %d, label %done, label %loop
done:
  %r = phi float [0.0,%entry],[%acc2,%loop]
  %s16 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %r, i32 16, i32 31)
  %r16 = fadd float %r, %s16
  %s8 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %r16, i32 8, i32 31)
  %r8 = fadd float %r16, %s8
  %s4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %r8, i32 4, i32 31)
  %r4 = fadd float %r8, %s4
  %s2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %r4, i32 2, i32 31)
  %r2 = fadd float %r4, %s2
  %s1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %r2, i32 1, i32 31)
  %r1 = fadd float %r2, %s1
  %w = lshr i32 %t, 5
  %lane = and i32 %t, 31
  %sp = getelementptr float, ptr addrspace(3) @tile_shared, i32 %w
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %put, label %join
put:
  store float %r1, ptr addrspace(3) %sp
  br label %join
join:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %all = load <4 x float>, ptr addrspace(3) @tile_shared, align 16
  %x0 = extractelement <4 x float> %all, i32 0
  %x1 = extractelement <4 x float> %all, i32 1
  %x2 = extractelement <4 x float> %all, i32 2
  %x3 = extractelement <4 x float> %all, i32 3
  %y0 = fadd float %x0, %x1
  %y1 = fadd float %x2, %x3
  %sum = fadd float %y0, %y1
  %ex = sext i8 %b to i32
  %fx = sitofp i32 %ex to float
  %q1 = fdiv float %sum, %fx
  %hx = fpext half %h to float
  %q2 = fadd float %q1, %hx
  %q3 = select i1 %q, float %q2, float 2.0
  %m = and i32 %t, 3
  %ti = getelementptr [4 x i32], ptr addrspace(1) @table, i32 0, i32 %m
  %tv = load i32, ptr addrspace(1) %ti
  %al = alloca [4 x i32]
  %ap = getelementptr i32, ptr %al, i32 %m
  store volatile i32 1, ptr %al
  store volatile i32 %tv, ptr %ap
  %lv = load volatile i32, ptr %al
  %rr = call i32 asm "{ .reg .b16 %lo; mov.u16 %lo, 3; cvt.u32.u16 $0, %lo; }", "=r"()
  switch i32 %m, label %z [ i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 ]
c0:
  %v0 = mul i32 %tv, %rr
  br label %z
c1:
  %v1 = udiv i32 %tv, %n
  br label %z
c2:
  %v2 = xor i32 %tv, %lv
  br label %z
c3:
  %v3 = sub i32 %lv, %tv
  br label %z
z:
  %vz = phi i32 [0,%join],[%v0,%c0],[%v1,%c1],[%v2,%c2],[%v3,%c3]
  %vf = sitofp i32 %vz to float
  %res = fadd float %vf, %q3
  %hres = fptrunc float %res to half
  %hsq = fmul half %hres, %hres
  %hf = fpext half %hsq to float
  %o2 = insertelement <2 x float> undef, float %res, i32 0
  %o3 = insertelement <2 x float> %o2, float %hf, i32 1
  %go = getelementptr <2 x float>, ptr addrspace(1) %out, i32 %t
  store <2 x float> %o3, ptr addrspace(1) %go, align 8
  ret void
}
