target triple = "nvptx64-nvidia-cuda"
@fmt = private unnamed_addr constant [15 x i8] c"x=%d y=%.2f%%\0A\00"
@table = addrspace(1) global [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @a to ptr), ptr addrspacecast (ptr addrspace(1) @b to ptr)]
@a = addrspace(1) global i32 7
@b = addrspace(1) global [3 x i32] [i32 1, i32 2, i32 3]
declare i32 @vprintf(ptr, ptr)
%s = type { i32, i64 }
define internal i32 @add(i32 %x, i32 %y) noinline { %z = add i32 %x, %y
 %c = icmp slt i32 %z, 10
 br i1 %c, label %t, label %e
t:
 ret i32 %z
e:
 %w = mul i32 %z, 3
 ret i32 %w }
define internal i64 @sum(ptr byval(%s) align 8 %p, float %f, i16 %h) noinline { %a = load i32, ptr %p
 %q = getelementptr %s, ptr %p, i32 0, i32 1
 %b = load i64, ptr %q
 store i32 5, ptr %p
 %a2 = load volatile i32, ptr %p
 %a1 = sext i32 %a to i64
 %a3 = sext i32 %a2 to i64
 %r = add i64 %a1, %b
 %r2 = add i64 %r, %a3
 ret i64 %r2 }
define internal %s @make(i32 %x) noinline { %v = insertvalue %s undef, i32 %x, 0
 %v1 = insertvalue %s %v, i64 9, 1
 ret %s %v1 }
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
 %args = alloca { i32, double }
 %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
 %r = call i32 @add(i32 %tid, i32 %n)
 %st = alloca %s
 %m = call %s @make(i32 %r)
 store %s %m, ptr %st
 %q = call i64 @sum(ptr byval(%s) align 8 %st, float 1.0, i16 3)
 %q32 = trunc i64 %q to i32
 store i32 %q32, ptr %args
 %d = getelementptr { i32, double }, ptr %args, i32 0, i32 1
 store double 2.5, ptr %d
 %pr = call i32 @vprintf(ptr @fmt, ptr %args)
 %tp = load ptr, ptr addrspacecast (ptr addrspace(1) getelementptr ([2 x ptr], ptr addrspace(1) @table, i32 0, i32 1) to ptr)
 %tv = load i32, ptr %tp
 %o = add i32 %tv, %q32
 %p = getelementptr i32, ptr addrspace(1) %out, i32 %tid
 store i32 %o, ptr addrspace(1) %p
 ret void }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
