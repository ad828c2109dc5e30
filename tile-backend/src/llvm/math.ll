; The mathematical functions of kernels. `cargo xtask math` generates this file from `tile-backend/device-math`.
;
; `tile-backend/src/llvm/math.rs` takes a function out of this file by its name, so each calls only intrinsics.

@two_by_pi_f64 = internal unnamed_addr constant [160 x i8] c"\00\00\00\00\00\00\00\00)\15DNn\83\F9\A2\C0\DD4\F5\D1W'\FCA\90C<\99\95b\DBa\C5\BB\DE\ABcQ\FE\E0\D2MB:n$\B7\1C\92\D1\09\EA.I\06>\A7)\B1\1C\EB\1D\FE\84D\BB.\F55\82\E8A~_\B4&p\9C\E9\F49S\839\D6\919;(\F9\BD\8B_\84\9C\0F\98\05\DE\FF\97\F8\1F\1Fm\0AZ\8B\11/\EF\B7\09\CB'\CF~6m-\EA_\9Ef?FO{\F1\E5\EB\C7\BA'u\EA\92R\8A\F79\07=\08]\8D\1F\B1_\FBk\ABk{\FCF0\03V", align 8
@two_by_pi_f32 = internal unnamed_addr constant [32 x i8] c"\00\00\00\00n\83\F9\A2)\15DN\D1W'\FC\C0\DD4\F5\99\95b\DBA\90C<\ABcQ\FE", align 4

declare double @llvm.fma.f64(double, double, double)
declare void @llvm.assume(i1 noundef)
declare i64 @llvm.ctlz.i64(i64, i1 immarg)
declare noundef double @llvm.nvvm.rcp.approx.ftz.d(double noundef)
declare float @llvm.fma.f32(float, float, float)
declare noundef float @llvm.nvvm.rcp.approx.ftz.f(float noundef)
declare float @llvm.fabs.f32(float)
declare float @llvm.copysign.f32(float, float)
declare double @llvm.fabs.f64(double)
declare double @llvm.copysign.f64(double, double)
declare i32 @llvm.ctlz.i32(i32, i1 immarg)
declare float @llvm.rint.f32(float)
declare double @llvm.rint.f64(double)
declare noundef double @llvm.nvvm.rsqrt.approx.ftz.d(double noundef)
declare noundef float @llvm.nvvm.ex2.approx.ftz.f(float noundef)
declare i1 @llvm.is.fpclass.f32(float, i32 immarg)
declare i1 @llvm.is.fpclass.f64(double, i32 immarg)
declare i128 @llvm.abs.i128(i128, i1 immarg)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1 immarg)

attributes #0 = { alwaysinline nounwind }

define noundef float @tile_atan2_f32(float noundef %y, float noundef %x) #0 {
start:
  %0 = tail call float @llvm.fabs.f32(float %y)
  %1 = tail call float @llvm.fabs.f32(float %x)
  %or.cond = fcmp uno float %y, %x
  br i1 %or.cond, label %bb20, label %bb21

bb20:
  %2 = fadd float %0, %1
  br label %bb22

bb21:
  %_7 = fcmp oeq float %1, %0
  %is_steep = fcmp ogt float %0, %1
  %.11 = select i1 %is_steep, float %1, float %0
  %_8 = fcmp oeq float %.11, 0.000000e+00
  %.12 = select i1 %_8, float 0.000000e+00, float 1.000000e+00
  %. = select i1 %is_steep, float %0, float %1
  %3 = fdiv float %.11, %.
  %quotient.sroa.0.0 = select i1 %_7, float %.12, float %3
  %z = fmul float %quotient.sroa.0.0, %quotient.sroa.0.0
  %4 = tail call float @llvm.fma.f32(float %z, float 0xBF5D636A20000000, float 0x3F865AA620000000)
  %5 = tail call float @llvm.fma.f32(float %4, float %z, float 0xBF9FED56E0000000)
  %6 = tail call float @llvm.fma.f32(float %5, float %z, float 0x3FADACC1A0000000)
  %7 = tail call float @llvm.fma.f32(float %6, float %z, float 0xBFB5835460000000)
  %8 = tail call float @llvm.fma.f32(float %7, float %z, float 0x3FBC09A420000000)
  %9 = tail call float @llvm.fma.f32(float %8, float %z, float 0xBFC2421BC0000000)
  %10 = tail call float @llvm.fma.f32(float %9, float %z, float 0x3FC9991FE0000000)
  %11 = tail call float @llvm.fma.f32(float %10, float %z, float 0xBFD55553E0000000)
  %_30 = bitcast float %x to i32
  %is_left = icmp slt i32 %_30, 0
  %is_subtracted = xor i1 %is_steep, %is_left
  %12 = fneg float %quotient.sroa.0.0
  %quotient1.sroa.0.0 = select i1 %is_subtracted, float %12, float %quotient.sroa.0.0
  %_14 = fmul float %z, %11
  %tail2 = fmul float %quotient.sroa.0.0, %_14
  %13 = fneg float %tail2
  %tail.sroa.0.0 = select i1 %is_subtracted, float %13, float %tail2
  %.14 = select i1 %is_left, float 0x400921FB60000000, float 0.000000e+00
  %base.sroa.0.0 = select i1 %is_steep, float 0x3FF921FB60000000, float %.14
  %.13 = select i1 %is_left, float 0xBE7777A5C0000000, float 0.000000e+00
  %base_rest.sroa.0.0 = select i1 %is_steep, float 0xBE6777A5C0000000, float %.13
  %sum = fadd float %base.sroa.0.0, %quotient1.sroa.0.0
  %_23 = fsub float %base.sroa.0.0, %sum
  %rest = fadd float %quotient1.sroa.0.0, %_23
  %_26 = fadd float %base_rest.sroa.0.0, %tail.sroa.0.0
  %_25 = fadd float %rest, %_26
  %angle = fadd float %sum, %_25
  %14 = tail call float @llvm.copysign.f32(float %angle, float %y)
  br label %bb22

bb22:
  %_0.sroa.0.0 = phi float [ %2, %bb20 ], [ %14, %bb21 ]
  ret float %_0.sroa.0.0
}

define noundef double @tile_atan2_f64(double noundef %y, double noundef %x) #0 {
start:
  %0 = tail call double @llvm.fabs.f64(double %y)
  %1 = tail call double @llvm.fabs.f64(double %x)
  %or.cond = fcmp uno double %y, %x
  br i1 %or.cond, label %bb20, label %bb21

bb20:
  %2 = fadd double %0, %1
  br label %bb22

bb21:
  %_7 = fcmp oeq double %1, %0
  %is_steep = fcmp ogt double %0, %1
  %.11 = select i1 %is_steep, double %1, double %0
  %_8 = fcmp oeq double %.11, 0.000000e+00
  %.12 = select i1 %_8, double 0.000000e+00, double 1.000000e+00
  %. = select i1 %is_steep, double %0, double %1
  %3 = fdiv double %.11, %.
  %quotient.sroa.0.0 = select i1 %_7, double %.12, double %3
  %z = fmul double %quotient.sroa.0.0, %quotient.sroa.0.0
  %4 = tail call double @llvm.fma.f64(double %z, double 0x3EEBBC126FB0CA80, double 0xBF23F19E39889D90)
  %5 = tail call double @llvm.fma.f64(double %4, double %z, double 0x3F4B3D92926D4A99)
  %6 = tail call double @llvm.fma.f64(double %5, double %z, double 0xBF67A21218583EC3)
  %7 = tail call double @llvm.fma.f64(double %6, double %z, double 0x3F7D7A0A92090E9E)
  %8 = tail call double @llvm.fma.f64(double %7, double %z, double 0xBF8C77DED554C0E1)
  %9 = tail call double @llvm.fma.f64(double %8, double %z, double 0x3F96832F2C48E21A)
  %10 = tail call double @llvm.fma.f64(double %9, double %z, double 0xBF9E9F1B78A83B54)
  %11 = tail call double @llvm.fma.f64(double %10, double %z, double 0x3FA2C2B9CF79F91F)
  %12 = tail call double @llvm.fma.f64(double %11, double %z, double 0xBFA59A293EE72774)
  %13 = tail call double @llvm.fma.f64(double %12, double %z, double 0x3FA82DA44FFB3B66)
  %14 = tail call double @llvm.fma.f64(double %13, double %z, double 0xBFAAE5E44B644B55)
  %15 = tail call double @llvm.fma.f64(double %14, double %z, double 0x3FAE1BB9B4A705AE)
  %16 = tail call double @llvm.fma.f64(double %15, double %z, double 0xBFB110E50222016F)
  %17 = tail call double @llvm.fma.f64(double %16, double %z, double 0x3FB3B136676DE5F2)
  %18 = tail call double @llvm.fma.f64(double %17, double %z, double 0xBFB745D11AB0CC38)
  %19 = tail call double @llvm.fma.f64(double %18, double %z, double 0x3FBC71C717F96859)
  %20 = tail call double @llvm.fma.f64(double %19, double %z, double 0xBFC249249237E2F8)
  %21 = tail call double @llvm.fma.f64(double %20, double %z, double 0x3FC999999999554C)
  %22 = tail call double @llvm.fma.f64(double %21, double %z, double 0xBFD5555555555526)
  %_30 = bitcast double %x to i64
  %is_left = icmp slt i64 %_30, 0
  %is_subtracted = xor i1 %is_steep, %is_left
  %23 = fneg double %quotient.sroa.0.0
  %quotient1.sroa.0.0 = select i1 %is_subtracted, double %23, double %quotient.sroa.0.0
  %_14 = fmul double %z, %22
  %tail2 = fmul double %quotient.sroa.0.0, %_14
  %24 = fneg double %tail2
  %tail.sroa.0.0 = select i1 %is_subtracted, double %24, double %tail2
  %.14 = select i1 %is_left, double 0x400921FB54442D18, double 0.000000e+00
  %base.sroa.0.0 = select i1 %is_steep, double 0x3FF921FB54442D18, double %.14
  %.13 = select i1 %is_left, double 0x3CA1A62633145C07, double 0.000000e+00
  %base_rest.sroa.0.0 = select i1 %is_steep, double 0x3C91A62633145C07, double %.13
  %sum = fadd double %base.sroa.0.0, %quotient1.sroa.0.0
  %_23 = fsub double %base.sroa.0.0, %sum
  %rest = fadd double %quotient1.sroa.0.0, %_23
  %_26 = fadd double %base_rest.sroa.0.0, %tail.sroa.0.0
  %_25 = fadd double %rest, %_26
  %angle = fadd double %sum, %_25
  %25 = tail call double @llvm.copysign.f64(double %angle, double %y)
  br label %bb22

bb22:
  %_0.sroa.0.0 = phi double [ %2, %bb20 ], [ %25, %bb21 ]
  ret double %_0.sroa.0.0
}

define noundef float @tile_cos_f32(float noundef %x) #0 {
start:
  %0 = tail call float @llvm.fabs.f32(float %x)
  %_8 = fcmp olt float %0, 7.147600e+04
  br i1 %_8, label %bb3, label %bb4

bb4:
  %_2.i = fcmp ueq float %0, 0x7FF0000000000000
  br i1 %_2.i, label %bb5, label %bb1.i

bb1.i:
  %bits.i = bitcast float %0 to i32
  %_6.i = and i32 %bits.i, 8388607
  %_5.i = or disjoint i32 %_6.i, 8388608
  %mantissa.i = zext nneg i32 %_5.i to i64
  %_10.i = lshr i32 %bits.i, 23
  %start1.i = add nsw i32 %_10.i, -120
  %_1427.i = lshr i32 %start1.i, 5
  %_13.i = zext nneg i32 %_1427.i to i64
  %_15.i = and i32 %start1.i, 31
  %_61.i = getelementptr inbounds nuw i32, ptr @two_by_pi_f32, i64 %_13.i
  %_59.i = load i32, ptr %_61.i, align 4
  %_56.i = zext i32 %_59.i to i64
  %_55.i = shl nuw i64 %_56.i, 32
  %_66.i = icmp ne i32 %_1427.i, 7
  tail call void @llvm.assume(i1 %_66.i)
  %_65.i = getelementptr inbounds nuw i8, ptr %_61.i, i64 4
  %_63.i = load i32, ptr %_65.i, align 4
  %_57.i = zext i32 %_63.i to i64
  %_54.i = or disjoint i64 %_55.i, %_57.i
  %1 = zext nneg i32 %_15.i to i64
  %_58.i = shl i64 %_54.i, %1
  %_24.i = and i64 %_58.i, -4294967296
  %_68.i = shl nuw i64 %_57.i, 32
  %_79.i = icmp ult i32 %start1.i, 192
  tail call void @llvm.assume(i1 %_79.i)
  %_78.i = getelementptr inbounds nuw i8, ptr %_61.i, i64 8
  %_76.i = load i32, ptr %_78.i, align 4
  %_70.i = zext i32 %_76.i to i64
  %_67.i = or disjoint i64 %_68.i, %_70.i
  %_71.i = shl i64 %_67.i, %1
  %_26.i = lshr i64 %_71.i, 32
  %_81.i = shl nuw i64 %_70.i, 32
  %_91.i = getelementptr inbounds nuw i8, ptr %_61.i, i64 12
  %_89.i = load i32, ptr %_91.i, align 4
  %_83.i = zext i32 %_89.i to i64
  %_80.i = or disjoint i64 %_81.i, %_83.i
  %_84.i = shl i64 %_80.i, %1
  %_29.i = lshr i64 %_84.i, 32
  %_28.i = mul nuw nsw i64 %_29.i, %mantissa.i
  %_27.i = lshr i64 %_28.i, 32
  %reass.add = or disjoint i64 %_26.i, %_24.i
  %reass.mul = mul i64 %reass.add, %mantissa.i
  %product.i = add i64 %_27.i, %reass.mul
  %_32.i = add i64 %product.i, 2305843009213693952
  %_31.i = lshr i64 %_32.i, 62
  %quadrant.i = trunc nuw nsw i64 %_31.i to i32
  %_34.i = shl i64 %product.i, 2
  %_94.i = icmp slt i64 %_34.i, 0
  br i1 %_94.i, label %bb5.i, label %bb6.i

bb6.i:
  %2 = tail call range(i64 1, 65) i64 @llvm.ctlz.i64(i64 %_34.i, i1 false)
  %3 = trunc nuw nsw i64 %2 to i32
  %4 = and i64 %2, 63
  %5 = shl i64 %_34.i, %4
  %6 = zext i64 %5 to i128
  %7 = mul nuw i128 %6, 14488038916154245684
  %8 = lshr i128 %7, 64
  %9 = trunc nuw i128 %8 to i64
  %10 = shl nuw nsw i32 %3, 23
  %11 = sub nuw nsw i32 536870912, %10
  %12 = uitofp i64 %9 to float
  %13 = fptoui float %12 to i64
  %14 = sub i64 %9, %13
  %15 = bitcast i32 %11 to float
  br label %bb3.i

bb5.i:
  %16 = sub i64 0, %_34.i
  %17 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %16, i1 true)
  %18 = trunc nuw nsw i64 %17 to i32
  %19 = shl i64 %16, %17
  %20 = zext i64 %19 to i128
  %21 = mul nuw i128 %20, 14488038916154245684
  %22 = lshr i128 %21, 64
  %23 = trunc nuw i128 %22 to i64
  %24 = shl nuw nsw i32 %18, 23
  %25 = sub nuw nsw i32 536870912, %24
  %26 = uitofp i64 %23 to float
  %27 = fptoui float %26 to i64
  %28 = sub i64 %23, %27
  %29 = bitcast i32 %25 to float
  %30 = fneg float %29
  br label %bb3.i

bb3.i:
  %sign.sroa.0.0.i = phi float [ %30, %bb5.i ], [ %15, %bb6.i ]
  %rest.sroa.0.0.in.i = phi i64 [ %28, %bb5.i ], [ %14, %bb6.i ]
  %r.sroa.0.0.i = phi float [ %26, %bb5.i ], [ %12, %bb6.i ]
  %rest.sroa.0.0.i = sitofp i64 %rest.sroa.0.0.in.i to float
  %_51.i = fmul float %sign.sroa.0.0.i, %r.sroa.0.0.i
  %_53.i = fmul float %sign.sroa.0.0.i, %rest.sroa.0.0.i
  br label %bb5

bb3:
  %31 = tail call float @llvm.fma.f32(float %0, float 0x3FE45F3060000000, float 0x4168000000000000)
  %_10 = fadd float %31, 0xC168000000000000
  %32 = tail call float @llvm.fma.f32(float %_10, float 0xBFF921FB60000000, float %0)
  %_12 = fmul float %_10, 0xBE6777A5C0000000
  %_15 = fneg float %_12
  %33 = tail call float @llvm.fma.f32(float %_10, float 0xBE6777A5C0000000, float %_15)
  %34 = tail call float @llvm.fma.f32(float %_10, float 0xBCDEE59DA0000000, float %33)
  %_16 = fsub float %32, %_12
  %_20 = fsub float %32, %_16
  %_19 = fsub float %_20, %_12
  %_18 = fsub float %_19, %34
  %35 = bitcast float %31 to i32
  br label %bb5

bb5:
  %_5.sroa.10.0 = phi float [ %_18, %bb3 ], [ %_53.i, %bb3.i ], [ 0.000000e+00, %bb4 ]
  %_5.sroa.6.0 = phi float [ %_16, %bb3 ], [ %_51.i, %bb3.i ], [ 0x7FF8000000000000, %bb4 ]
  %_5.sroa.0.0 = phi i32 [ %35, %bb3 ], [ %quadrant.i, %bb3.i ], [ 0, %bb4 ]
  %z.i = fmul float %_5.sroa.6.0, %_5.sroa.6.0
  %36 = and i32 %_5.sroa.0.0, 1
  %is_odd.i.not.not = icmp eq i32 %36, 0
  %37 = select i1 %is_odd.i.not.not, float 0x3EF99F2FA0000000, float 0xBF299327A0000000
  %38 = select i1 %is_odd.i.not.not, float 0xBF56C0C580000000, float 0x3F81107080000000
  %39 = tail call float @llvm.fma.f32(float %37, float %z.i, float %38)
  %40 = select i1 %is_odd.i.not.not, float 0x3FA55554A0000000, float 0xBFC5555440000000
  %41 = tail call float @llvm.fma.f32(float %39, float %z.i, float %40)
  %42 = tail call float @llvm.fma.f32(float %z.i, float -5.000000e-01, float 1.000000e+00)
  %43 = select i1 %is_odd.i.not.not, float %42, float %_5.sroa.6.0
  %_17.i = fsub float 1.000000e+00, %42
  %44 = tail call float @llvm.fma.f32(float %z.i, float -5.000000e-01, float %_17.i)
  %45 = select i1 %is_odd.i.not.not, float %44, float %_5.sroa.10.0
  %46 = select i1 %is_odd.i.not.not, float %z.i, float %_5.sroa.6.0
  %_20.i = fmul float %z.i, %46
  %47 = tail call float @llvm.fma.f32(float %_20.i, float %41, float %45)
  %result.i = fadd float %43, %47
  %_23.i8 = bitcast float %result.i to i32
  %_7 = shl i32 %_5.sroa.0.0, 30
  %_25.i9 = add i32 %_7, 1073741824
  %_24.i10 = and i32 %_25.i9, -2147483648
  %_22.i11 = xor i32 %_24.i10, %_23.i8
  %_0.i = bitcast i32 %_22.i11 to float
  ret float %_0.i
}

define noundef double @tile_cos_f64(double noundef %x) #0 {
start:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %_2.i = fcmp olt double %0, 5.242880e+05
  br i1 %_2.i, label %bb1.i, label %bb2.i

bb2.i:
  %_2.i1 = fcmp ueq double %0, 0x7FF0000000000000
  br i1 %_2.i1, label %_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit, label %bb1.i2

bb1.i2:
  %bits.i = bitcast double %0 to i64
  %_6.i = and i64 %bits.i, 4503599627370495
  %_5.i = or disjoint i64 %_6.i, 4503599627370496
  %mantissa.i = zext nneg i64 %_5.i to i128
  %_11.i3 = lshr i64 %bits.i, 52
  %_10.i = trunc nuw nsw i64 %_11.i3 to i32
  %start1.i = add nsw i32 %_10.i, -1013
  %_154.i = lshr i32 %start1.i, 6
  %_14.i4 = zext nneg i32 %_154.i to i64
  %_16.i = and i32 %start1.i, 63
  %_67.i = getelementptr inbounds nuw i64, ptr @two_by_pi_f64, i64 %_14.i4
  %_60.i = load i64, ptr %_67.i, align 8
  %1 = zext nneg i32 %_16.i to i64
  %_59.i = shl i64 %_60.i, %1
  %_70.i = getelementptr inbounds nuw i8, ptr %_67.i, i64 8
  %_64.i = load i64, ptr %_70.i, align 8
  %_63.i = lshr i64 %_64.i, 1
  %_65.i = xor i32 %_16.i, 63
  %2 = zext nneg i32 %_65.i to i64
  %_62.i = lshr i64 %_63.i, %2
  %_61.i = or i64 %_62.i, %_59.i
  %_25.i = zext i64 %_61.i to i128
  %_23.i = shl nuw i128 %_25.i, 64
  %_72.i = shl i64 %_64.i, %1
  %_82.i = getelementptr inbounds nuw i8, ptr %_67.i, i64 16
  %_77.i = load i64, ptr %_82.i, align 8
  %_76.i = lshr i64 %_77.i, 1
  %_75.i = lshr i64 %_76.i, %2
  %_74.i = or i64 %_75.i, %_72.i
  %_27.i = zext i64 %_74.i to i128
  %_84.i = shl i64 %_77.i, %1
  %_94.i = getelementptr inbounds nuw i8, ptr %_67.i, i64 24
  %_89.i = load i64, ptr %_94.i, align 8
  %_88.i = lshr i64 %_89.i, 1
  %_87.i = lshr i64 %_88.i, %2
  %_86.i = or i64 %_87.i, %_84.i
  %_30.i = zext i64 %_86.i to i128
  %_29.i = mul nuw nsw i128 %_30.i, %mantissa.i
  %_28.i = lshr i128 %_29.i, 64
  %reass.add = or disjoint i128 %_23.i, %_27.i
  %reass.mul = mul i128 %reass.add, %mantissa.i
  %product.i = add i128 %_28.i, %reass.mul
  %_33.i = add i128 %product.i, 42535295865117307932921825928971026432
  %_32.i = lshr i128 %_33.i, 126
  %quadrant.i = trunc nuw nsw i128 %_32.i to i32
  %_35.i = shl i128 %product.i, 2
  %_97.i = icmp slt i128 %_35.i, 0
  %_96.sroa.0.0.i = tail call i128 @llvm.abs.i128(i128 %_35.i, i1 false)
  %_38.i = lshr i128 %_96.sroa.0.0.i, 64
  %high.i = trunc nuw i128 %_38.i to i64
  %3 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %high.i, i1 false)
  %4 = zext nneg i64 %3 to i128
  %_42.i = shl i128 %_96.sroa.0.0.i, %4
  %_41.i = lshr i128 %_42.i, 64
  %_45.i = mul nuw i128 %_41.i, 14488038916154245684
  %_44.i = lshr i128 %_45.i, 64
  %angle.i = trunc nuw i128 %_44.i to i64
  %5 = shl nuw nsw i64 %3, 52
  %_98.i = sub nuw nsw i64 4323455642275676160, %5
  %unit.i = bitcast i64 %_98.i to double
  %r.i5 = uitofp i64 %angle.i to double
  %6 = fptoui double %r.i5 to i64
  %_53.i = sub i64 %angle.i, %6
  %rest.i = sitofp i64 %_53.i to double
  %7 = fneg double %unit.i
  %sign.sroa.0.0.i = select i1 %_97.i, double %7, double %unit.i
  %_56.i = fmul double %sign.sroa.0.0.i, %r.i5
  %_58.i = fmul double %sign.sroa.0.0.i, %rest.i
  br label %_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit

bb1.i:
  %8 = tail call double @llvm.fma.f64(double %0, double 0x3FE45F306DC9C883, double 0x4338000000000000)
  %n.i = fadd double %8, 0xC338000000000000
  %9 = tail call double @llvm.fma.f64(double %n.i, double 0xBFF921FB54442D18, double %0)
  %low.i = fmul double %n.i, 0x3C91A62633145C07
  %_9.i = fneg double %low.i
  %10 = tail call double @llvm.fma.f64(double %n.i, double 0x3C91A62633145C07, double %_9.i)
  %11 = tail call double @llvm.fma.f64(double %n.i, double 0xB91F1976B7ED8FBC, double %10)
  %r.i = fsub double %9, %low.i
  %_12.i = bitcast double %8 to i64
  %_11.i = trunc i64 %_12.i to i32
  %_15.i = fsub double %9, %r.i
  %_14.i = fsub double %_15.i, %low.i
  %_13.i = fsub double %_14.i, %11
  br label %_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit

_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit:
  %_5.sroa.1019.0 = phi double [ %_13.i, %bb1.i ], [ %_58.i, %bb1.i2 ], [ 0.000000e+00, %bb2.i ]
  %_5.sroa.6.0 = phi i32 [ %_11.i, %bb1.i ], [ %quadrant.i, %bb1.i2 ], [ 0, %bb2.i ]
  %_5.sroa.0.0 = phi double [ %r.i, %bb1.i ], [ %_56.i, %bb1.i2 ], [ 0x7FF8000000000000, %bb2.i ]
  %_7 = add i32 %_5.sroa.6.0, 1
  %z.i = fmul double %_5.sroa.0.0, %_5.sroa.0.0
  %12 = and i32 %_5.sroa.6.0, 1
  %is_odd.i.not.not = icmp eq i32 %12, 0
  %13 = select i1 %is_odd.i.not.not, double 0xBDA8FA4DC8C4C88D, double 0x3DE5D86B33180C67
  %14 = select i1 %is_odd.i.not.not, double 0x3E21EE9D9A823360, double 0xBE5AE5E3BDEF007E
  %15 = tail call double @llvm.fma.f64(double %13, double %z.i, double %14)
  %16 = select i1 %is_odd.i.not.not, double 0xBE927E4F7EFFF1AD, double 0x3EC71DE3541A8795
  %17 = tail call double @llvm.fma.f64(double %15, double %z.i, double %16)
  %18 = select i1 %is_odd.i.not.not, double 0x3EFA01A019C8F318, double 0xBF2A01A019BD3371
  %19 = tail call double @llvm.fma.f64(double %17, double %z.i, double %18)
  %20 = select i1 %is_odd.i.not.not, double 0xBF56C16C16C1502B, double 0x3F8111111110F686
  %21 = tail call double @llvm.fma.f64(double %19, double %z.i, double %20)
  %22 = select i1 %is_odd.i.not.not, double 0x3FA555555555554B, double 0xBFC5555555555548
  %23 = tail call double @llvm.fma.f64(double %21, double %z.i, double %22)
  %half.i = fmul double %z.i, 5.000000e-01
  %cosine.i = fsub double 1.000000e+00, %half.i
  %24 = select i1 %is_odd.i.not.not, double %cosine.i, double %_5.sroa.0.0
  %_24.i12 = fneg double %_5.sroa.0.0
  %_26.i13 = fsub double 1.000000e+00, %cosine.i
  %_25.i14 = fsub double %_26.i13, %half.i
  %25 = tail call double @llvm.fma.f64(double %_24.i12, double %_5.sroa.1019.0, double %_25.i14)
  %_28.i15 = fneg double %half.i
  %26 = tail call double @llvm.fma.f64(double %_28.i15, double %_5.sroa.1019.0, double %_5.sroa.1019.0)
  %27 = select i1 %is_odd.i.not.not, double %25, double %26
  %28 = select i1 %is_odd.i.not.not, double %z.i, double %_5.sroa.0.0
  %_31.i = fmul double %z.i, %28
  %29 = tail call double @llvm.fma.f64(double %_31.i, double %23, double %27)
  %result.i = fadd double %24, %29
  %_34.i = bitcast double %result.i to i64
  %_37.i = and i32 %_7, 2
  %_36.i = zext nneg i32 %_37.i to i64
  %_35.i17 = shl nuw i64 %_36.i, 62
  %_33.i18 = xor i64 %_35.i17, %_34.i
  %_0.i = bitcast i64 %_33.i18 to double
  ret double %_0.i
}

define noundef float @tile_cosh_f32(float noundef %x) #0 {
start:
  %0 = tail call float @llvm.fabs.f32(float %x)
  %_3.i = fcmp ogt float %0, 8.950000e+01
  %x.sroa.0.0.i = select i1 %_3.i, float 8.950000e+01, float %0
  %1 = tail call float @llvm.fma.f32(float %x.sroa.0.0.i, float 0x3FF7154760000000, float 0x4168000000000000)
  %_33.i = fadd float %1, 0xC168000000000000
  %2 = tail call float @llvm.fma.f32(float %_33.i, float 0xBFE62E4300000000, float %x.sroa.0.0.i)
  %3 = tail call float @llvm.fma.f32(float %_33.i, float 0x3E205C6100000000, float %2)
  %z.i = fmul float %3, %3
  %4 = tail call float @llvm.fma.f32(float %z.i, float 0x3F2A5A8EC0000000, float 0x3F8110AA80000000)
  %5 = tail call float @llvm.fma.f32(float %4, float %z.i, float 0x3FC55555E0000000)
  %6 = tail call float @llvm.fma.f32(float %z.i, float 0x3F56D9F3E0000000, float 0x3FA5554760000000)
  %7 = tail call float @llvm.fma.f32(float %6, float %z.i, float 5.000000e-01)
  %_19.i = fmul float %3, %z.i
  %even.i = fmul float %z.i, %7
  %_12.i = bitcast float %1 to i32
  %_11.i = shl i32 %_12.i, 23
  %_14.i = sub i32 1082130432, %_11.i
  %inverse_power.i = bitcast i32 %_14.i to float
  %_10.i = add i32 %_11.i, 1048576000
  %odd.i = fmul float %_19.i, %5
  %large.i = fadd float %3, 1.000000e+00
  %_24.i = fsub float 1.000000e+00, %large.i
  %_23.i = fadd float %3, %_24.i
  %_25.i = fadd float %even.i, %odd.i
  %rest.i = fadd float %_23.i, %_25.i
  %_27.i = fsub float 1.000000e+00, %3
  %_28.i = fsub float %even.i, %odd.i
  %small.i = fadd float %_27.i, %_28.i
  %_30.i = fmul float %small.i, %inverse_power.i
  %_29.i = fmul float %_30.i, 6.250000e-02
  %8 = bitcast i32 %_10.i to float
  %9 = tail call float @llvm.fma.f32(float %8, float %rest.i, float %_29.i)
  %10 = tail call float @llvm.fma.f32(float %8, float %large.i, float %9)
  %_0 = fmul float %10, 2.000000e+00
  ret float %_0
}

define noundef double @tile_cosh_f64(double noundef %x) #0 {
start:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %_3.i = fcmp ogt double %0, 7.106000e+02
  %x.sroa.0.0.i = select i1 %_3.i, double 7.106000e+02, double %0
  %1 = tail call double @llvm.fma.f64(double %x.sroa.0.0.i, double 0x3FF71547652B82FE, double 0x4338000000000000)
  %_31.i = fadd double %1, 0xC338000000000000
  %2 = tail call double @llvm.fma.f64(double %_31.i, double 0xBFE62E42FEFA39EF, double %x.sroa.0.0.i)
  %3 = tail call double @llvm.fma.f64(double %_31.i, double 0xBC7ABC9E3B39803F, double 0.000000e+00)
  %r.i = fadd double %2, %3
  %z.i = fmul double %r.i, %r.i
  %4 = tail call double @llvm.fma.f64(double %z.i, double 0x3D6B1A27AF79904F, double 0x3DE6121DE08F71A5)
  %5 = tail call double @llvm.fma.f64(double %4, double %z.i, double 0x3E5AE64589496694)
  %6 = tail call double @llvm.fma.f64(double %5, double %z.i, double 0x3EC71DE3A5479B2A)
  %7 = tail call double @llvm.fma.f64(double %6, double %z.i, double 0x3F2A01A01A01A77B)
  %8 = tail call double @llvm.fma.f64(double %7, double %z.i, double 0x3F8111111111110F)
  %9 = tail call double @llvm.fma.f64(double %8, double %z.i, double 0x3FC5555555555555)
  %10 = tail call double @llvm.fma.f64(double %z.i, double 0x3E21F989F940F6DE, double 0x3E927E4C2CEC8F8B)
  %11 = tail call double @llvm.fma.f64(double %10, double %z.i, double 0x3EFA01A01B28F969)
  %12 = tail call double @llvm.fma.f64(double %11, double %z.i, double 0x3F56C16C16C13B72)
  %13 = tail call double @llvm.fma.f64(double %12, double %z.i, double 0x3FA555555555555D)
  %14 = tail call double @llvm.fma.f64(double %13, double %z.i, double 5.000000e-01)
  %_17.i = fmul double %r.i, %z.i
  %even.i = fmul double %z.i, %14
  %_36.i = bitcast double %1 to i64
  %15 = shl i64 %_36.i, 52
  %_12.i = sub i64 4616189618054758400, %15
  %inverse_power.i = bitcast i64 %_12.i to double
  %_39.i = add i64 %15, 4598175219545276416
  %_38.i = fsub double %2, %r.i
  %r_rest.i = fadd double %3, %_38.i
  %16 = tail call double @llvm.fma.f64(double %_17.i, double %9, double %r_rest.i)
  %large.i = fadd double %r.i, 1.000000e+00
  %_22.i = fsub double 1.000000e+00, %large.i
  %_21.i = fadd double %r.i, %_22.i
  %_23.i = fadd double %even.i, %16
  %rest.i = fadd double %_21.i, %_23.i
  %_25.i = fsub double 1.000000e+00, %r.i
  %_26.i = fsub double %even.i, %16
  %small.i = fadd double %_25.i, %_26.i
  %_28.i = fmul double %small.i, %inverse_power.i
  %_27.i = fmul double %_28.i, 6.250000e-02
  %17 = bitcast i64 %_39.i to double
  %18 = tail call double @llvm.fma.f64(double %17, double %rest.i, double %_27.i)
  %19 = tail call double @llvm.fma.f64(double %17, double %large.i, double %18)
  %_0 = fmul double %19, 2.000000e+00
  ret double %_0
}

define noundef double @tile_exp2_f64(double noundef %0) #0 {
start:
  %_2 = fcmp ogt double %0, 1.050000e+03
  %x.sroa.0.0 = select i1 %_2, double 1.050000e+03, double %0
  %_3 = fcmp olt double %x.sroa.0.0, -1.100000e+03
  %x.sroa.0.1 = select i1 %_3, double -1.100000e+03, double %x.sroa.0.0
  %shifted = fadd double %x.sroa.0.1, 0x4338000000000000
  %_8 = fadd double %shifted, 0xC338000000000000
  %f = fsub double %x.sroa.0.1, %_8
  %1 = tail call double @llvm.fma.f64(double %f, double 0x3DFE7C5ABF7E6D99, double 0x3E3E61E43A7A6566)
  %2 = tail call double @llvm.fma.f64(double %1, double %f, double 0x3E7B5265BD095731)
  %3 = tail call double @llvm.fma.f64(double %2, double %f, double 0x3EB62BFC667D1A3B)
  %4 = tail call double @llvm.fma.f64(double %3, double %f, double 0x3EEFFCBFBBFB48EA)
  %5 = tail call double @llvm.fma.f64(double %4, double %f, double 0x3F24309130F11AEB)
  %6 = tail call double @llvm.fma.f64(double %5, double %f, double 0x3F55D87FE78C5C5F)
  %7 = tail call double @llvm.fma.f64(double %6, double %f, double 0x3F83B2AB6FBA01CD)
  %8 = tail call double @llvm.fma.f64(double %7, double %f, double 0x3FAC6B08D704A039)
  %9 = tail call double @llvm.fma.f64(double %8, double %f, double 0x3FCEBFBDFF82C5A3)
  %_18 = fmul double %f, %f
  %u = fmul double %f, 0x3FE62E42FEFA39EF
  %sum = fadd double %u, 1.000000e+00
  %_16 = fsub double 1.000000e+00, %sum
  %_15 = fadd double %u, %_16
  %_12 = fneg double %u
  %10 = tail call double @llvm.fma.f64(double %f, double 0x3FE62E42FEFA39EF, double %_12)
  %11 = tail call double @llvm.fma.f64(double %f, double 0x3C7ABC9E3B39803F, double %10)
  %12 = tail call double @llvm.fma.f64(double %_18, double %9, double %11)
  %rest = fadd double %_15, %12
  %_20 = fadd double %sum, %rest
  %_22 = bitcast double %shifted to i64
  %_21 = trunc i64 %_22 to i32
  %_23 = ashr i32 %_21, 1
  %_30 = add nsw i32 %_23, 1023
  %_29 = zext i32 %_30 to i64
  %_28 = shl i64 %_29, 52
  %_25 = bitcast i64 %_28 to double
  %_24 = fmul double %_20, %_25
  %_27 = add i32 %_21, 1023
  %_33 = sub i32 %_27, %_23
  %_32 = zext i32 %_33 to i64
  %_31 = shl i64 %_32, 52
  %_26 = bitcast i64 %_31 to double
  %_0 = fmul double %_24, %_26
  ret double %_0
}

define noundef double @tile_exp_f64(double noundef %0) #0 {
start:
  %_2 = fcmp ogt double %0, 7.200000e+02
  %x.sroa.0.0 = select i1 %_2, double 7.200000e+02, double %0
  %_3 = fcmp olt double %x.sroa.0.0, -7.600000e+02
  %x.sroa.0.1 = select i1 %_3, double -7.600000e+02, double %x.sroa.0.0
  %1 = tail call double @llvm.fma.f64(double %x.sroa.0.1, double 0x3FF71547652B82FE, double 0x4338000000000000)
  %_12.i = fadd double %1, 0xC338000000000000
  %2 = tail call double @llvm.fma.f64(double %_12.i, double 0xBFE62E42FEFA39EF, double %x.sroa.0.1)
  %3 = tail call double @llvm.fma.f64(double %_12.i, double 0xBC7ABC9E3B39803F, double 0.000000e+00)
  %r.i = fadd double %2, %3
  %4 = tail call double @llvm.fma.f64(double %r.i, double 0x3E5AD7E6D96F15F8, double 0x3E928B169186BEEA)
  %5 = tail call double @llvm.fma.f64(double %4, double %r.i, double 0x3EC71DF2CD14E6FA)
  %6 = tail call double @llvm.fma.f64(double %5, double %r.i, double 0x3EFA01995EC4DCC8)
  %7 = tail call double @llvm.fma.f64(double %6, double %r.i, double 0x3F2A01A0123D7586)
  %8 = tail call double @llvm.fma.f64(double %7, double %r.i, double 0x3F56C16C1859CB70)
  %9 = tail call double @llvm.fma.f64(double %8, double %r.i, double 0x3F8111111112989B)
  %10 = tail call double @llvm.fma.f64(double %9, double %r.i, double 0x3FA555555555024E)
  %11 = tail call double @llvm.fma.f64(double %10, double %r.i, double 0x3FC55555555554F0)
  %12 = tail call double @llvm.fma.f64(double %11, double %r.i, double 0x3FE000000000000B)
  %_4.i = fmul double %r.i, %r.i
  %_19.i = fsub double %2, %r.i
  %r_rest.i = fadd double %3, %_19.i
  %_17.i = bitcast double %1 to i64
  %n.i = trunc i64 %_17.i to i32
  %13 = tail call double @llvm.fma.f64(double %r.i, double %r_rest.i, double %r_rest.i)
  %14 = tail call double @llvm.fma.f64(double %_4.i, double %12, double %13)
  %high.i = fadd double %r.i, 1.000000e+00
  %_10.i = fsub double 1.000000e+00, %high.i
  %_9.i = fadd double %r.i, %_10.i
  %_8.i = fadd double %_9.i, %14
  %_9 = fadd double %high.i, %_8.i
  %_10 = ashr i32 %n.i, 1
  %_17 = add nsw i32 %_10, 1023
  %_16 = zext i32 %_17 to i64
  %_15 = shl i64 %_16, 52
  %_12 = bitcast i64 %_15 to double
  %_11 = fmul double %_9, %_12
  %_14 = add i32 %n.i, 1023
  %_20 = sub i32 %_14, %_10
  %_19 = zext i32 %_20 to i64
  %_18 = shl i64 %_19, 52
  %_13 = bitcast i64 %_18 to double
  %_0 = fmul double %_11, %_13
  ret double %_0
}

define noundef float @tile_fmod_f32(float noundef %x, float noundef %y) #0 {
start:
  %0 = tail call float @llvm.fabs.f32(float %x)
  %a = bitcast float %0 to i32
  %1 = tail call float @llvm.fabs.f32(float %y)
  %b = bitcast float %1 to i32
  %_8 = bitcast float %x to i32
  %sign = and i32 %_8, -2147483648
  %_9 = icmp samesign ugt i32 %a, 2139095039
  %2 = add nsw i32 %b, -2139095041
  %3 = icmp ult i32 %2, -2139095040
  %or.cond1 = or i1 %_9, %3
  br i1 %or.cond1, label %bb21, label %bb4

bb4:
  %_11 = icmp samesign ult i32 %a, %b
  br i1 %_11, label %bb21, label %bb6

bb6:
  %_39 = and i32 %b, 8388607
  %_41.inv = icmp samesign ult i32 %b, 8388608
  %. = select i1 %_41.inv, i32 0, i32 8388608
  %divisor = or disjoint i32 %., %_39
  %_13 = icmp ne i32 %divisor, 0
  tail call void @llvm.assume(i1 %_13)
  %_42 = and i32 %a, 8388607
  %_44 = icmp samesign ugt i32 %a, 8388607
  %4 = or disjoint i32 %_42, 8388608
  %5 = tail call i32 @llvm.umax.i32(i32 %a, i32 8388608)
  %_16.sroa.0.0 = lshr i32 %5, 23
  %rest.sroa.0.0 = select i1 %_44, i32 %4, i32 %_42
  %6 = tail call i32 @llvm.umax.i32(i32 %b, i32 8388608)
  %_17.sroa.0.0 = lshr i32 %6, 23
  %7 = sub nsw i32 %_16.sroa.0.0, %_17.sroa.0.0
  br label %bb7

bb7:
  %shift.sroa.0.0 = phi i32 [ %7, %bb6 ], [ %9, %bb7 ]
  %rest.sroa.0.1 = phi i32 [ %rest.sroa.0.0, %bb6 ], [ %8, %bb7 ]
  %shift.sroa.0.0. = tail call i32 @llvm.umin.i32(i32 %shift.sroa.0.0, i32 8)
  %_21 = shl nuw i32 %rest.sroa.0.1, %shift.sroa.0.0.
  %8 = urem i32 %_21, %divisor
  %9 = sub i32 %shift.sroa.0.0, %shift.sroa.0.0.
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %bb12, label %bb7

bb12:
  %11 = tail call range(i32 8, 33) i32 @llvm.ctlz.i32(i32 %8, i1 false)
  %zeros = add nsw i32 %11, -8
  %12 = icmp eq i32 %8, 0
  br i1 %12, label %bb19, label %bb15

bb15:
  %_31 = icmp samesign ult i32 %zeros, %_17.sroa.0.0
  br i1 %_31, label %bb16, label %bb17

bb19:
  %bits.sroa.0.0 = phi i32 [ %14, %bb17 ], [ %15, %bb16 ], [ 0, %bb12 ]
  %_38 = or i32 %bits.sroa.0.0, %sign
  %13 = bitcast i32 %_38 to float
  br label %bb21

bb17:
  %_37 = add nsw i32 %_17.sroa.0.0, -1
  %14 = shl i32 %8, %_37
  br label %bb19

bb16:
  %_34 = shl i32 %8, %zeros
  %_33 = add i32 %_34, -8388608
  %_36 = sub nuw nsw i32 %_17.sroa.0.0, %zeros
  %_35 = shl nuw nsw i32 %_36, 23
  %15 = add i32 %_33, %_35
  br label %bb19

bb21:
  %_0.sroa.0.0 = phi float [ %13, %bb19 ], [ 0x7FF8000000000000, %start ], [ %x, %bb4 ]
  ret float %_0.sroa.0.0
}

define noundef double @tile_fmod_f64(double noundef %x, double noundef %y) #0 {
start:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %a = bitcast double %0 to i64
  %1 = tail call double @llvm.fabs.f64(double %y)
  %b = bitcast double %1 to i64
  %_8 = bitcast double %x to i64
  %sign = and i64 %_8, -9223372036854775808
  %_9 = icmp samesign ugt i64 %a, 9218868437227405311
  %2 = add nsw i64 %b, -9218868437227405313
  %3 = icmp ult i64 %2, -9218868437227405312
  %or.cond1 = or i1 %_9, %3
  br i1 %or.cond1, label %bb21, label %bb4

bb4:
  %_11 = icmp samesign ult i64 %a, %b
  br i1 %_11, label %bb21, label %bb6

bb6:
  %_40 = and i64 %b, 4503599627370495
  %_42 = icmp samesign ugt i64 %b, 4503599627370495
  %. = select i1 %_42, i64 4503599627370496, i64 0
  %divisor = or disjoint i64 %., %_40
  %_13 = icmp ne i64 %divisor, 0
  tail call void @llvm.assume(i1 %_13)
  %_43 = and i64 %a, 4503599627370495
  %_45 = icmp samesign ugt i64 %a, 4503599627370495
  %4 = or disjoint i64 %_43, 4503599627370496
  %_46 = lshr i64 %a, 52
  %5 = trunc nuw nsw i64 %_46 to i32
  %_16.sroa.0.0 = select i1 %_45, i32 %5, i32 1
  %rest.sroa.0.0 = select i1 %_45, i64 %4, i64 %_43
  %_47 = lshr i64 %b, 52
  %6 = trunc nuw nsw i64 %_47 to i32
  %_17.sroa.0.0 = select i1 %_42, i32 %6, i32 1
  %7 = sub nsw i32 %_16.sroa.0.0, %_17.sroa.0.0
  br label %bb7

bb7:
  %shift.sroa.0.0 = phi i32 [ %7, %bb6 ], [ %10, %bb7 ]
  %rest.sroa.0.1 = phi i64 [ %rest.sroa.0.0, %bb6 ], [ %9, %bb7 ]
  %shift.sroa.0.0. = tail call i32 @llvm.umin.i32(i32 %shift.sroa.0.0, i32 11)
  %8 = zext nneg i32 %shift.sroa.0.0. to i64
  %_21 = shl nuw i64 %rest.sroa.0.1, %8
  %9 = urem i64 %_21, %divisor
  %10 = sub i32 %shift.sroa.0.0, %shift.sroa.0.0.
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %bb12, label %bb7

bb12:
  %12 = tail call range(i64 11, 65) i64 @llvm.ctlz.i64(i64 %9, i1 false)
  %13 = trunc nuw nsw i64 %12 to i32
  %zeros = add nsw i32 %13, -11
  %14 = icmp eq i64 %9, 0
  br i1 %14, label %bb19, label %bb15

bb15:
  %_31 = icmp samesign ult i32 %zeros, %_17.sroa.0.0
  br i1 %_31, label %bb16, label %bb17

bb19:
  %bits.sroa.0.0 = phi i64 [ %17, %bb17 ], [ %19, %bb16 ], [ 0, %bb12 ]
  %_39 = or i64 %bits.sroa.0.0, %sign
  %15 = bitcast i64 %_39 to double
  br label %bb21

bb17:
  %_38 = add nsw i32 %_17.sroa.0.0, -1
  %16 = zext nneg i32 %_38 to i64
  %17 = shl i64 %9, %16
  br label %bb19

bb16:
  %18 = zext nneg i32 %zeros to i64
  %_34 = shl i64 %9, %18
  %_33 = add i64 %_34, -4503599627370496
  %_37 = sub nuw nsw i32 %_17.sroa.0.0, %zeros
  %_36 = zext nneg i32 %_37 to i64
  %_35 = shl nuw nsw i64 %_36, 52
  %19 = add i64 %_33, %_35
  br label %bb19

bb21:
  %_0.sroa.0.0 = phi double [ %15, %bb19 ], [ 0x7FF8000000000000, %start ], [ %x, %bb4 ]
  ret double %_0.sroa.0.0
}

define noundef float @tile_log2_f32(float noundef %x) #0 {
start:
  %_14 = fcmp olt float %x, 0x3810000000000000
  %0 = fmul float %x, 0x4160000000000000
  %_15.sroa.0.0.in = select i1 %_14, float %0, float %x
  %_15.sroa.0.0 = bitcast float %_15.sroa.0.0.in to i32
  %_19 = add i32 %_15.sroa.0.0, -1059760811
  %_18 = and i32 %_19, -8388608
  %_22 = sub i32 %_15.sroa.0.0, %_18
  %_21 = bitcast i32 %_22 to float
  %f = fadd float %_21, -1.000000e+00
  %1 = tail call float @llvm.fma.f32(float %f, float 0x3FC6778120000000, float 0xBFC813ED40000000)
  %2 = tail call float @llvm.fma.f32(float %1, float %f, float 0x3FC3C68CA0000000)
  %3 = tail call float @llvm.fma.f32(float %2, float %f, float 0xBFC66CEB20000000)
  %4 = tail call float @llvm.fma.f32(float %3, float %f, float 0x3FCA6C77E0000000)
  %5 = tail call float @llvm.fma.f32(float %4, float %f, float 0xBFCECF6760000000)
  %6 = tail call float @llvm.fma.f32(float %5, float %f, float 0x3FD27748C0000000)
  %7 = tail call float @llvm.fma.f32(float %6, float %f, float 0xBFD7153220000000)
  %8 = tail call float @llvm.fma.f32(float %7, float %f, float 0x3FDEC70A20000000)
  %9 = tail call float @llvm.fma.f32(float %8, float %f, float 0xBFE7154780000000)
  %_24 = sitofp i32 %_18 to float
  %_17.sroa.0.0 = select i1 %_14, float -2.300000e+01, float 0.000000e+00
  %10 = tail call float @llvm.fma.f32(float %_24, float 0x3E80000000000000, float %_17.sroa.0.0)
  %product = fmul float %f, 0x3FF7154760000000
  %_5 = fneg float %product
  %11 = tail call float @llvm.fma.f32(float %f, float 0x3FF7154760000000, float %_5)
  %12 = tail call float @llvm.fma.f32(float %f, float 0x3E54AE0C00000000, float %11)
  %_8 = fmul float %f, %f
  %13 = tail call float @llvm.fma.f32(float %_8, float %9, float %12)
  %sum = fadd float %10, %product
  %_13 = fsub float %10, %sum
  %_12 = fadd float %product, %_13
  %_11 = fadd float %_12, %13
  %result = fadd float %sum, %_11
  %14 = tail call float @llvm.fma.f32(float %x, float 0x7FF0000000000000, float 0x7FF0000000000000)
  %_28 = fcmp oeq float %x, 0.000000e+00
  %15 = select i1 %_28, float 0xFFF0000000000000, float %14
  %_31 = bitcast float %x to i32
  %_30 = add i32 %_31, -1
  %_29 = icmp ult i32 %_30, 2139095039
  %16 = select i1 %_29, float %result, float %15
  ret float %16
}

define noundef double @tile_log2_f64(double noundef %x) #0 {
start:
  %_15 = fcmp olt double %x, 0x10000000000000
  %0 = fmul double %x, 0x4350000000000000
  %_16.sroa.0.0.in = select i1 %_15, double %0, double %x
  %_16.sroa.0.0 = bitcast double %_16.sroa.0.0.in to i64
  %_20 = add i64 %_16.sroa.0.0, -4604180019048437077
  %_19 = and i64 %_20, -4503599627370496
  %_23 = sub i64 %_16.sroa.0.0, %_19
  %_22 = bitcast i64 %_23 to double
  %u = fadd double %_22, -1.000000e+00
  %v.i = fadd double %u, 2.000000e+00
  %_37.i = tail call noundef double @llvm.nvvm.rcp.approx.ftz.d(double noundef %v.i)
  %_39.i = fneg double %v.i
  %1 = tail call double @llvm.fma.f64(double %_39.i, double %_37.i, double 1.000000e+00)
  %2 = tail call double @llvm.fma.f64(double %1, double %1, double %1)
  %3 = tail call double @llvm.fma.f64(double %_37.i, double %2, double %_37.i)
  %4 = tail call double @llvm.fma.f64(double %_39.i, double %3, double 1.000000e+00)
  %5 = tail call double @llvm.fma.f64(double %3, double %4, double %3)
  %s.i = fmul double %u, %5
  %z.i = fmul double %s.i, %s.i
  %6 = tail call double @llvm.fma.f64(double %z.i, double 0x3FADC1E81EB4E08C, double 0x3FAA6EB4515B86A8)
  %7 = tail call double @llvm.fma.f64(double %6, double %z.i, double 0x3FAE250F662BBAD6)
  %8 = tail call double @llvm.fma.f64(double %7, double %z.i, double 0x3FB110F4910DB184)
  %9 = tail call double @llvm.fma.f64(double %8, double %z.i, double 0x3FB3B13BA6CAA11F)
  %10 = tail call double @llvm.fma.f64(double %9, double %z.i, double 0x3FB745D1728433EB)
  %11 = tail call double @llvm.fma.f64(double %10, double %z.i, double 0x3FBC71C71C754B98)
  %12 = tail call double @llvm.fma.f64(double %11, double %z.i, double 0x3FC24924924922CF)
  %13 = tail call double @llvm.fma.f64(double %12, double %z.i, double 2.000000e-01)
  %_13.i = fmul double %s.i, 2.000000e+00
  %_9.i = fneg double %s.i
  %_4.i = fadd double %v.i, -2.000000e+00
  %v_rest.i = fsub double %u, %_4.i
  %14 = tail call double @llvm.fma.f64(double %_9.i, double %v.i, double %u)
  %15 = tail call double @llvm.fma.f64(double %_9.i, double %v_rest.i, double %14)
  %s_rest.i = fmul double %5, %15
  %_15.i = fneg double %z.i
  %16 = tail call double @llvm.fma.f64(double %s.i, double %s.i, double %_15.i)
  %17 = tail call double @llvm.fma.f64(double %_13.i, double %s_rest.i, double %16)
  %_27 = lshr i64 %_20, 32
  %_26 = trunc nuw i64 %_27 to i32
  %_24 = ashr i32 %_26, 20
  %_18.sroa.0.0 = select i1 %_15, i32 -54, i32 0
  %_29 = add nsw i32 %_24, %_18.sroa.0.0
  %e = sitofp i32 %_29 to double
  %tail.i = fmul double %z.i, %13
  %c.i = fadd double %tail.i, 0x3FD5555555555555
  %_21.i = fsub double 0x3FD5555555555555, %c.i
  %_20.i = fadd double %tail.i, %_21.i
  %c_rest.i = fadd double %_20.i, 0x3C75555555555555
  %k.i = fmul double %z.i, %c.i
  %_26.i = fneg double %k.i
  %18 = tail call double @llvm.fma.f64(double %z.i, double %c.i, double %_26.i)
  %19 = tail call double @llvm.fma.f64(double %z.i, double %c_rest.i, double %18)
  %20 = tail call double @llvm.fma.f64(double %17, double %c.i, double %19)
  %g.i = fmul double %s.i, %k.i
  %_31.i = fneg double %g.i
  %21 = tail call double @llvm.fma.f64(double %s.i, double %k.i, double %_31.i)
  %22 = tail call double @llvm.fma.f64(double %s.i, double %20, double %21)
  %23 = tail call double @llvm.fma.f64(double %s_rest.i, double %k.i, double %22)
  %l.i = fadd double %s.i, %g.i
  %_35.i = fsub double %s.i, %l.i
  %_34.i = fadd double %g.i, %_35.i
  %_36.i = fadd double %s_rest.i, %23
  %_33.i = fadd double %_34.i, %_36.i
  %p = fmul double %l.i, 0x40071547652B82FE
  %_9 = fneg double %p
  %24 = tail call double @llvm.fma.f64(double %l.i, double 0x40071547652B82FE, double %_9)
  %25 = tail call double @llvm.fma.f64(double %l.i, double 0x3C8777D0FFDA0D24, double %24)
  %26 = tail call double @llvm.fma.f64(double %_33.i, double 0x40071547652B82FE, double %25)
  %sum = fadd double %p, %e
  %_14 = fsub double %e, %sum
  %_13 = fadd double %p, %_14
  %_12 = fadd double %_13, %26
  %result = fadd double %sum, %_12
  %27 = tail call double @llvm.fma.f64(double %x, double 0x7FF0000000000000, double 0x7FF0000000000000)
  %_32 = fcmp oeq double %x, 0.000000e+00
  %28 = select i1 %_32, double 0xFFF0000000000000, double %27
  %_35 = bitcast double %x to i64
  %_34 = add i64 %_35, -1
  %_33 = icmp ult i64 %_34, 9218868437227405311
  %29 = select i1 %_33, double %result, double %28
  ret double %29
}

define noundef float @tile_log_f32(float noundef %x) #0 {
start:
  %_13 = fcmp olt float %x, 0x3810000000000000
  %0 = fmul float %x, 0x4160000000000000
  %_14.sroa.0.0.in = select i1 %_13, float %0, float %x
  %_14.sroa.0.0 = bitcast float %_14.sroa.0.0.in to i32
  %_18 = add i32 %_14.sroa.0.0, -1059760811
  %_17 = and i32 %_18, -8388608
  %_21 = sub i32 %_14.sroa.0.0, %_17
  %_20 = bitcast i32 %_21 to float
  %f = fadd float %_20, -1.000000e+00
  %1 = tail call float @llvm.fma.f32(float %f, float 0x3FBEBE9B60000000, float 0xBFC0721B60000000)
  %2 = tail call float @llvm.fma.f32(float %1, float %f, float 0x3FBB878460000000)
  %3 = tail call float @llvm.fma.f32(float %2, float %f, float 0xBFBF383420000000)
  %4 = tail call float @llvm.fma.f32(float %3, float %f, float 0x3FC24F4CC0000000)
  %5 = tail call float @llvm.fma.f32(float %4, float %f, float 0xBFC55993C0000000)
  %6 = tail call float @llvm.fma.f32(float %5, float %f, float 0x3FC99977C0000000)
  %7 = tail call float @llvm.fma.f32(float %6, float %f, float 0xBFCFFFF0E0000000)
  %8 = tail call float @llvm.fma.f32(float %7, float %f, float 0x3FD5555560000000)
  %_23 = sitofp i32 %_17 to float
  %_16.sroa.0.0 = select i1 %_13, float -2.300000e+01, float 0.000000e+00
  %9 = tail call float @llvm.fma.f32(float %_23, float 0x3E80000000000000, float %_16.sroa.0.0)
  %10 = tail call float @llvm.fma.f32(float %9, float 0x3FE62E4300000000, float %f)
  %_6 = fneg float %10
  %11 = tail call float @llvm.fma.f32(float %9, float 0x3FE62E4300000000, float %_6)
  %rest = fadd float %f, %11
  %square = fmul float %f, %f
  %_9 = fmul float %f, -5.000000e-01
  %12 = tail call float @llvm.fma.f32(float %_9, float %f, float %rest)
  %_12 = fmul float %f, %square
  %13 = tail call float @llvm.fma.f32(float %_12, float %8, float %12)
  %result = fadd float %10, %13
  %14 = tail call float @llvm.fma.f32(float %x, float 0x7FF0000000000000, float 0x7FF0000000000000)
  %_27 = fcmp oeq float %x, 0.000000e+00
  %15 = select i1 %_27, float 0xFFF0000000000000, float %14
  %_30 = bitcast float %x to i32
  %_29 = add i32 %_30, -1
  %_28 = icmp ult i32 %_29, 2139095039
  %16 = select i1 %_28, float %result, float %15
  ret float %16
}

define noundef double @tile_log_f64(double noundef %x) #0 {
start:
  %_16.i = fcmp olt double %x, 0x10000000000000
  %0 = fmul double %x, 0x4350000000000000
  %_17.sroa.0.0.in.i = select i1 %_16.i, double %0, double %x
  %_17.sroa.0.0.i = bitcast double %_17.sroa.0.0.in.i to i64
  %_21.i = add i64 %_17.sroa.0.0.i, -4604180019048437077
  %_20.i = and i64 %_21.i, -4503599627370496
  %_24.i = sub i64 %_17.sroa.0.0.i, %_20.i
  %_23.i = bitcast i64 %_24.i to double
  %u.i = fadd double %_23.i, -1.000000e+00
  %v.i.i = fadd double %u.i, 2.000000e+00
  %_37.i.i = tail call noundef double @llvm.nvvm.rcp.approx.ftz.d(double noundef %v.i.i)
  %_39.i.i = fneg double %v.i.i
  %1 = tail call double @llvm.fma.f64(double %_39.i.i, double %_37.i.i, double 1.000000e+00)
  %2 = tail call double @llvm.fma.f64(double %1, double %1, double %1)
  %3 = tail call double @llvm.fma.f64(double %_37.i.i, double %2, double %_37.i.i)
  %4 = tail call double @llvm.fma.f64(double %_39.i.i, double %3, double 1.000000e+00)
  %5 = tail call double @llvm.fma.f64(double %3, double %4, double %3)
  %s.i.i = fmul double %u.i, %5
  %z.i.i = fmul double %s.i.i, %s.i.i
  %6 = tail call double @llvm.fma.f64(double %z.i.i, double 0x3FADC1E81EB4E08C, double 0x3FAA6EB4515B86A8)
  %7 = tail call double @llvm.fma.f64(double %6, double %z.i.i, double 0x3FAE250F662BBAD6)
  %8 = tail call double @llvm.fma.f64(double %7, double %z.i.i, double 0x3FB110F4910DB184)
  %9 = tail call double @llvm.fma.f64(double %8, double %z.i.i, double 0x3FB3B13BA6CAA11F)
  %10 = tail call double @llvm.fma.f64(double %9, double %z.i.i, double 0x3FB745D1728433EB)
  %11 = tail call double @llvm.fma.f64(double %10, double %z.i.i, double 0x3FBC71C71C754B98)
  %12 = tail call double @llvm.fma.f64(double %11, double %z.i.i, double 0x3FC24924924922CF)
  %13 = tail call double @llvm.fma.f64(double %12, double %z.i.i, double 2.000000e-01)
  %_13.i.i = fmul double %s.i.i, 2.000000e+00
  %_9.i.i = fneg double %s.i.i
  %_4.i.i = fadd double %v.i.i, -2.000000e+00
  %v_rest.i.i = fsub double %u.i, %_4.i.i
  %14 = tail call double @llvm.fma.f64(double %_9.i.i, double %v.i.i, double %u.i)
  %15 = tail call double @llvm.fma.f64(double %_9.i.i, double %v_rest.i.i, double %14)
  %s_rest.i.i = fmul double %5, %15
  %_15.i.i = fneg double %z.i.i
  %16 = tail call double @llvm.fma.f64(double %s.i.i, double %s.i.i, double %_15.i.i)
  %17 = tail call double @llvm.fma.f64(double %_13.i.i, double %s_rest.i.i, double %16)
  %_28.i = lshr i64 %_21.i, 32
  %_27.i = trunc nuw i64 %_28.i to i32
  %_25.i = ashr i32 %_27.i, 20
  %_19.sroa.0.0.i = select i1 %_16.i, i32 -54, i32 0
  %_30.i = add nsw i32 %_25.i, %_19.sroa.0.0.i
  %e.i = sitofp i32 %_30.i to double
  %tail.i.i = fmul double %z.i.i, %13
  %c.i.i = fadd double %tail.i.i, 0x3FD5555555555555
  %_21.i.i = fsub double 0x3FD5555555555555, %c.i.i
  %_20.i.i = fadd double %tail.i.i, %_21.i.i
  %c_rest.i.i = fadd double %_20.i.i, 0x3C75555555555555
  %k.i.i = fmul double %z.i.i, %c.i.i
  %_26.i.i = fneg double %k.i.i
  %18 = tail call double @llvm.fma.f64(double %z.i.i, double %c.i.i, double %_26.i.i)
  %19 = tail call double @llvm.fma.f64(double %z.i.i, double %c_rest.i.i, double %18)
  %20 = tail call double @llvm.fma.f64(double %17, double %c.i.i, double %19)
  %g.i.i = fmul double %s.i.i, %k.i.i
  %_31.i.i = fneg double %g.i.i
  %21 = tail call double @llvm.fma.f64(double %s.i.i, double %k.i.i, double %_31.i.i)
  %22 = tail call double @llvm.fma.f64(double %s.i.i, double %20, double %21)
  %23 = tail call double @llvm.fma.f64(double %s_rest.i.i, double %k.i.i, double %22)
  %l.i.i = fadd double %s.i.i, %g.i.i
  %_35.i.i = fsub double %s.i.i, %l.i.i
  %_34.i.i = fadd double %g.i.i, %_35.i.i
  %_36.i.i = fadd double %s_rest.i.i, %23
  %_33.i.i = fadd double %_34.i.i, %_36.i.i
  %p.i = fmul double %l.i.i, 2.000000e+00
  %p_rest.i = fmul double %_33.i.i, 2.000000e+00
  %whole.i = fmul double %e.i, 0x3FE62E42FEFA3800
  %sum.i = fadd double %whole.i, %p.i
  %_11.i = fsub double %whole.i, %sum.i
  %_10.i = fadd double %p.i, %_11.i
  %24 = tail call double @llvm.fma.f64(double %e.i, double 0x3D2EF35793C76730, double %p_rest.i)
  %rest.i = fadd double %_10.i, %24
  %high.i = fadd double %sum.i, %rest.i
  %25 = tail call double @llvm.fma.f64(double %x, double 0x7FF0000000000000, double 0x7FF0000000000000)
  %_6 = fcmp oeq double %x, 0.000000e+00
  %26 = select i1 %_6, double 0xFFF0000000000000, double %25
  %_9 = bitcast double %x to i64
  %_8 = add i64 %_9, -1
  %_7 = icmp ult i64 %_8, 9218868437227405311
  %27 = select i1 %_7, double %high.i, double %26
  ret double %27
}

define noundef float @tile_pow_f32(float noundef %x, float noundef %y) #0 {
start:
  %_3 = fcmp oeq float %x, 1.000000e+00
  %_4 = fcmp oeq float %y, 0.000000e+00
  %or.cond = or i1 %_3, %_4
  br i1 %or.cond, label %bb42, label %bb3

bb3:
  %0 = tail call float @llvm.fabs.f32(float %x)
  %1 = tail call float @llvm.fabs.f32(float %y)
  %_7 = fcmp oge float %1, 0x4160000000000000
  %2 = tail call float @llvm.rint.f32(float %y)
  %3 = fcmp oeq float %y, %2
  %is_integer.sroa.0.0 = or i1 %_7, %3
  %_12 = fcmp olt float %1, 0x4170000000000000
  %or.cond20 = and i1 %_12, %is_integer.sroa.0.0
  br i1 %or.cond20, label %bb8, label %bb11

bb8:
  %4 = fptosi float %y to i32
  %5 = trunc i32 %4 to i1
  br label %bb11

bb11:
  %is_odd.sroa.0.0 = phi i1 [ %5, %bb8 ], [ false, %bb3 ]
  %_17 = fcmp oeq float %x, 0.000000e+00
  %_18 = fcmp oeq float %0, 0x7FF0000000000000
  %or.cond3 = or i1 %_17, %_18
  br i1 %or.cond3, label %bb13, label %bb17

bb13:
  %6 = fcmp uge float %y, 0.000000e+00
  %_19 = xor i1 %_17, %6
  %. = select i1 %_19, float 0x7FF0000000000000, float 0.000000e+00
  br label %bb26

bb17:
  %_21 = fcmp oeq float %0, 1.000000e+00
  br i1 %_21, label %bb26, label %bb19

bb19:
  %_49.i = fcmp olt float %0, 0x3810000000000000
  %7 = fmul float %0, 0x4160000000000000
  %_50.sroa.0.0.in.i = select i1 %_49.i, float %7, float %0
  %_50.sroa.0.0.i = bitcast float %_50.sroa.0.0.in.i to i32
  %_54.i = add i32 %_50.sroa.0.0.i, -1059760811
  %_53.i = and i32 %_54.i, -8388608
  %_57.i = sub i32 %_50.sroa.0.0.i, %_53.i
  %_56.i = bitcast i32 %_57.i to float
  %u.i = fadd float %_56.i, -1.000000e+00
  %v.i = fadd float %u.i, 2.000000e+00
  %inverse.i = tail call noundef float @llvm.nvvm.rcp.approx.ftz.f(float noundef %v.i)
  %s.i = fmul float %u.i, %inverse.i
  %z.i = fmul float %s.i, %s.i
  %8 = tail call float @llvm.fma.f32(float %z.i, float 0x3FB98F3B20000000, float 0x3FBC5A84A0000000)
  %9 = tail call float @llvm.fma.f32(float %8, float %z.i, float 0x3FC2495560000000)
  %10 = tail call float @llvm.fma.f32(float %9, float %z.i, float 0x3FC9999960000000)
  %_52.sroa.0.0.i = select i1 %_49.i, float -2.300000e+01, float 0.000000e+00
  %_59.i = sitofp i32 %_53.i to float
  %11 = tail call float @llvm.fma.f32(float %_59.i, float 0x3E80000000000000, float %_52.sroa.0.0.i)
  %_4.i = fadd float %v.i, -2.000000e+00
  %v_rest.i = fsub float %u.i, %_4.i
  %_9.i = fneg float %s.i
  %12 = tail call float @llvm.fma.f32(float %_9.i, float %v.i, float %u.i)
  %13 = tail call float @llvm.fma.f32(float %_9.i, float %v_rest.i, float %12)
  %s_rest.i = fmul float %inverse.i, %13
  %_13.i = fmul float %s.i, 2.000000e+00
  %_15.i = fneg float %z.i
  %14 = tail call float @llvm.fma.f32(float %s.i, float %s.i, float %_15.i)
  %15 = tail call float @llvm.fma.f32(float %_13.i, float %s_rest.i, float %14)
  %tail.i = fmul float %z.i, %10
  %c.i = fadd float %tail.i, 0x3FD5555560000000
  %_21.i = fsub float 0x3FD5555560000000, %c.i
  %_20.i = fadd float %tail.i, %_21.i
  %c_rest.i = fadd float %_20.i, 0xBE45555560000000
  %k.i = fmul float %z.i, %c.i
  %_26.i = fneg float %k.i
  %16 = tail call float @llvm.fma.f32(float %z.i, float %c.i, float %_26.i)
  %17 = tail call float @llvm.fma.f32(float %z.i, float %c_rest.i, float %16)
  %18 = tail call float @llvm.fma.f32(float %15, float %c.i, float %17)
  %g.i = fmul float %s.i, %k.i
  %_31.i = fneg float %g.i
  %19 = tail call float @llvm.fma.f32(float %s.i, float %k.i, float %_31.i)
  %20 = tail call float @llvm.fma.f32(float %s.i, float %18, float %19)
  %21 = tail call float @llvm.fma.f32(float %s_rest.i, float %k.i, float %20)
  %l.i = fadd float %s.i, %g.i
  %_35.i = fsub float %s.i, %l.i
  %_34.i = fadd float %g.i, %_35.i
  %_36.i = fadd float %s_rest.i, %21
  %l_rest.i = fadd float %_34.i, %_36.i
  %p.i = fmul float %l.i, 0x4007154760000000
  %_41.i = fneg float %p.i
  %22 = tail call float @llvm.fma.f32(float %l.i, float 0x4007154760000000, float %_41.i)
  %23 = tail call float @llvm.fma.f32(float %l.i, float 0x3E64AE0C00000000, float %22)
  %24 = tail call float @llvm.fma.f32(float %l_rest.i, float 0x4007154760000000, float %23)
  %sum.i = fadd float %11, %p.i
  %_45.i = fsub float %11, %sum.i
  %_44.i = fadd float %p.i, %_45.i
  %rest.i = fadd float %_44.i, %24
  %high.i = fadd float %sum.i, %rest.i
  %product1 = fmul float %y, %high.i
  %25 = tail call float @llvm.fabs.f32(float %product1)
  %is_large = fcmp ogt float %25, 2.000000e+02
  br i1 %is_large, label %bb21, label %bb22

bb22:
  %_48.i = fsub float %sum.i, %high.i
  %_47.i = fadd float %rest.i, %_48.i
  %_28 = fneg float %product1
  %26 = tail call float @llvm.fma.f32(float %y, float %high.i, float %_28)
  %27 = tail call float @llvm.fma.f32(float %y, float %_47.i, float %26)
  br label %bb23

bb21:
  %28 = tail call float @llvm.copysign.f32(float 2.000000e+02, float %product1)
  br label %bb23

bb23:
  %product.sroa.0.0 = phi float [ %28, %bb21 ], [ %product1, %bb22 ]
  %rest.sroa.0.0 = phi float [ 0.000000e+00, %bb21 ], [ %27, %bb22 ]
  %shifted = fadd float %product.sroa.0.0, 0x4168000000000000
  %_35 = fadd float %shifted, 0xC168000000000000
  %f = fsub float %product.sroa.0.0, %_35
  %t = fadd float %rest.sroa.0.0, %f
  %29 = tail call float @llvm.fma.f32(float %t, float 0x3EEFE75440000000, float 0x3F2445BA00000000)
  %30 = tail call float @llvm.fma.f32(float %29, float %t, float 0x3F55D89D20000000)
  %31 = tail call float @llvm.fma.f32(float %30, float %t, float 0x3F83B29F80000000)
  %32 = tail call float @llvm.fma.f32(float %31, float %t, float 0x3FAC6B08C0000000)
  %33 = tail call float @llvm.fma.f32(float %32, float %t, float 0x3FCEBFBE00000000)
  %_39 = fsub float %f, %t
  %t_rest = fadd float %rest.sroa.0.0, %_39
  %u = fmul float %t, 0x3FE62E4300000000
  %_43 = fneg float %u
  %34 = tail call float @llvm.fma.f32(float %t, float 0x3FE62E4300000000, float %_43)
  %35 = tail call float @llvm.fma.f32(float %t_rest, float 0x3FE62E4300000000, float %34)
  %sum = fadd float %u, 1.000000e+00
  %_47 = fsub float 1.000000e+00, %sum
  %_46 = fadd float %u, %_47
  %_49 = fmul float %t, %t
  %36 = tail call float @llvm.fma.f32(float %_49, float %33, float %35)
  %rest2 = fadd float %_46, %36
  %power = fadd float %sum, %rest2
  %_54 = bitcast float %shifted to i32
  %_53 = add i32 %_54, -1262485504
  %half = ashr i32 %_53, 1
  %_68 = shl i32 %half, 23
  %_66 = add i32 %_68, 1065353216
  %_57 = bitcast i32 %_66 to float
  %_56 = fmul float %power, %_57
  %_59 = sub i32 %_54, %half
  %_71 = shl i32 %_59, 23
  %_69 = add i32 %_71, 1065353216
  %_58 = bitcast i32 %_69 to float
  %37 = fmul float %_56, %_58
  br label %bb26

bb26:
  %magnitude.sroa.0.0 = phi float [ %37, %bb23 ], [ 1.000000e+00, %bb17 ], [ %., %bb13 ]
  %or.cond4 = fcmp uno float %x, %y
  br i1 %or.cond4, label %bb28, label %bb29

bb28:
  %38 = fadd float %x, %y
  br label %bb42

bb29:
  %_73 = bitcast float %x to i32
  %39 = icmp sgt i32 %_73, -1
  br i1 %39, label %bb42, label %bb30

bb30:
  %or.cond5 = tail call i1 @llvm.is.fpclass.f32(float %x, i32 36)
  %_64 = fcmp oeq float %1, 0x7FF0000000000000
  %40 = or i1 %or.cond5, %_64
  %or.cond21.not = or i1 %40, %is_integer.sroa.0.0
  br i1 %or.cond21.not, label %bb36, label %bb42

bb36:
  %41 = fneg float %magnitude.sroa.0.0
  %spec.select = select i1 %is_odd.sroa.0.0, float %41, float %magnitude.sroa.0.0
  br label %bb42

bb42:
  %_0.sroa.0.0 = phi float [ %magnitude.sroa.0.0, %bb29 ], [ %38, %bb28 ], [ 1.000000e+00, %start ], [ 0x7FF8000000000000, %bb30 ], [ %spec.select, %bb36 ]
  ret float %_0.sroa.0.0
}

define noundef double @tile_pow_f64(double noundef %x, double noundef %y) #0 {
start:
  %_3 = fcmp oeq double %x, 1.000000e+00
  %_4 = fcmp oeq double %y, 0.000000e+00
  %or.cond = or i1 %_3, %_4
  br i1 %or.cond, label %bb42, label %bb3

bb3:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %1 = tail call double @llvm.fabs.f64(double %y)
  %_7 = fcmp oge double %1, 0x4330000000000000
  %2 = tail call double @llvm.rint.f64(double %y)
  %3 = fcmp oeq double %y, %2
  %is_integer.sroa.0.0 = or i1 %_7, %3
  %_12 = fcmp olt double %1, 0x4340000000000000
  %or.cond16 = and i1 %_12, %is_integer.sroa.0.0
  br i1 %or.cond16, label %bb8, label %bb11

bb8:
  %4 = fptosi double %y to i64
  %5 = trunc i64 %4 to i1
  br label %bb11

bb11:
  %is_odd.sroa.0.0 = phi i1 [ %5, %bb8 ], [ false, %bb3 ]
  %_17 = fcmp oeq double %x, 0.000000e+00
  %_18 = fcmp oeq double %0, 0x7FF0000000000000
  %or.cond2 = or i1 %_17, %_18
  br i1 %or.cond2, label %bb13, label %bb17

bb13:
  %6 = fcmp uge double %y, 0.000000e+00
  %_19 = xor i1 %_17, %6
  %. = select i1 %_19, double 0x7FF0000000000000, double 0.000000e+00
  br label %bb26

bb17:
  %_21 = fcmp oeq double %0, 1.000000e+00
  br i1 %_21, label %bb26, label %bb19

bb19:
  %_16.i = fcmp olt double %0, 0x10000000000000
  %7 = fmul double %0, 0x4350000000000000
  %_17.sroa.0.0.in.i = select i1 %_16.i, double %7, double %0
  %_17.sroa.0.0.i = bitcast double %_17.sroa.0.0.in.i to i64
  %_21.i = add i64 %_17.sroa.0.0.i, -4604180019048437077
  %_20.i = and i64 %_21.i, -4503599627370496
  %_24.i = sub i64 %_17.sroa.0.0.i, %_20.i
  %_23.i = bitcast i64 %_24.i to double
  %u.i = fadd double %_23.i, -1.000000e+00
  %v.i.i = fadd double %u.i, 2.000000e+00
  %_37.i.i = tail call noundef double @llvm.nvvm.rcp.approx.ftz.d(double noundef %v.i.i)
  %_39.i.i = fneg double %v.i.i
  %8 = tail call double @llvm.fma.f64(double %_39.i.i, double %_37.i.i, double 1.000000e+00)
  %9 = tail call double @llvm.fma.f64(double %8, double %8, double %8)
  %10 = tail call double @llvm.fma.f64(double %_37.i.i, double %9, double %_37.i.i)
  %11 = tail call double @llvm.fma.f64(double %_39.i.i, double %10, double 1.000000e+00)
  %12 = tail call double @llvm.fma.f64(double %10, double %11, double %10)
  %s.i.i = fmul double %u.i, %12
  %z.i.i = fmul double %s.i.i, %s.i.i
  %13 = tail call double @llvm.fma.f64(double %z.i.i, double 0x3FADC1E81EB4E08C, double 0x3FAA6EB4515B86A8)
  %14 = tail call double @llvm.fma.f64(double %13, double %z.i.i, double 0x3FAE250F662BBAD6)
  %15 = tail call double @llvm.fma.f64(double %14, double %z.i.i, double 0x3FB110F4910DB184)
  %16 = tail call double @llvm.fma.f64(double %15, double %z.i.i, double 0x3FB3B13BA6CAA11F)
  %17 = tail call double @llvm.fma.f64(double %16, double %z.i.i, double 0x3FB745D1728433EB)
  %18 = tail call double @llvm.fma.f64(double %17, double %z.i.i, double 0x3FBC71C71C754B98)
  %19 = tail call double @llvm.fma.f64(double %18, double %z.i.i, double 0x3FC24924924922CF)
  %20 = tail call double @llvm.fma.f64(double %19, double %z.i.i, double 2.000000e-01)
  %_19.sroa.0.0.i = select i1 %_16.i, i32 -54, i32 0
  %_28.i = lshr i64 %_21.i, 32
  %_27.i = trunc nuw i64 %_28.i to i32
  %_25.i = ashr i32 %_27.i, 20
  %_30.i = add nsw i32 %_25.i, %_19.sroa.0.0.i
  %e.i = sitofp i32 %_30.i to double
  %_4.i.i = fadd double %v.i.i, -2.000000e+00
  %v_rest.i.i = fsub double %u.i, %_4.i.i
  %_9.i.i = fneg double %s.i.i
  %21 = tail call double @llvm.fma.f64(double %_9.i.i, double %v.i.i, double %u.i)
  %22 = tail call double @llvm.fma.f64(double %_9.i.i, double %v_rest.i.i, double %21)
  %s_rest.i.i = fmul double %12, %22
  %_13.i.i = fmul double %s.i.i, 2.000000e+00
  %_15.i.i = fneg double %z.i.i
  %23 = tail call double @llvm.fma.f64(double %s.i.i, double %s.i.i, double %_15.i.i)
  %24 = tail call double @llvm.fma.f64(double %_13.i.i, double %s_rest.i.i, double %23)
  %tail.i.i = fmul double %z.i.i, %20
  %c.i.i = fadd double %tail.i.i, 0x3FD5555555555555
  %_21.i.i = fsub double 0x3FD5555555555555, %c.i.i
  %_20.i.i = fadd double %tail.i.i, %_21.i.i
  %c_rest.i.i = fadd double %_20.i.i, 0x3C75555555555555
  %k.i.i = fmul double %z.i.i, %c.i.i
  %_26.i.i = fneg double %k.i.i
  %25 = tail call double @llvm.fma.f64(double %z.i.i, double %c.i.i, double %_26.i.i)
  %26 = tail call double @llvm.fma.f64(double %z.i.i, double %c_rest.i.i, double %25)
  %27 = tail call double @llvm.fma.f64(double %24, double %c.i.i, double %26)
  %g.i.i = fmul double %s.i.i, %k.i.i
  %_31.i.i = fneg double %g.i.i
  %28 = tail call double @llvm.fma.f64(double %s.i.i, double %k.i.i, double %_31.i.i)
  %29 = tail call double @llvm.fma.f64(double %s.i.i, double %27, double %28)
  %30 = tail call double @llvm.fma.f64(double %s_rest.i.i, double %k.i.i, double %29)
  %l.i.i = fadd double %s.i.i, %g.i.i
  %_35.i.i = fsub double %s.i.i, %l.i.i
  %_34.i.i = fadd double %g.i.i, %_35.i.i
  %_36.i.i = fadd double %s_rest.i.i, %30
  %_33.i.i = fadd double %_34.i.i, %_36.i.i
  %p.i = fmul double %l.i.i, 2.000000e+00
  %p_rest.i = fmul double %_33.i.i, 2.000000e+00
  %whole.i = fmul double %e.i, 0x3FE62E42FEFA3800
  %sum.i = fadd double %whole.i, %p.i
  %_11.i = fsub double %whole.i, %sum.i
  %_10.i27 = fadd double %p.i, %_11.i
  %31 = tail call double @llvm.fma.f64(double %e.i, double 0x3D2EF35793C76730, double %p_rest.i)
  %rest.i = fadd double %_10.i27, %31
  %high.i28 = fadd double %sum.i, %rest.i
  %product1 = fmul double %y, %high.i28
  %32 = tail call double @llvm.fabs.f64(double %product1)
  %is_large = fcmp ogt double %32, 8.000000e+02
  br i1 %is_large, label %bb21, label %bb22

bb22:
  %_15.i = fsub double %sum.i, %high.i28
  %_14.i = fadd double %rest.i, %_15.i
  %_28 = fneg double %product1
  %33 = tail call double @llvm.fma.f64(double %y, double %high.i28, double %_28)
  %34 = tail call double @llvm.fma.f64(double %y, double %_14.i, double %33)
  br label %bb23

bb21:
  %35 = tail call double @llvm.copysign.f64(double 8.000000e+02, double %product1)
  br label %bb23

bb23:
  %product.sroa.0.0 = phi double [ %35, %bb21 ], [ %product1, %bb22 ]
  %rest.sroa.0.0 = phi double [ 0.000000e+00, %bb21 ], [ %34, %bb22 ]
  %36 = tail call double @llvm.fma.f64(double %product.sroa.0.0, double 0x3FF71547652B82FE, double 0x4338000000000000)
  %_12.i = fadd double %36, 0xC338000000000000
  %37 = tail call double @llvm.fma.f64(double %_12.i, double 0xBFE62E42FEFA39EF, double %product.sroa.0.0)
  %38 = tail call double @llvm.fma.f64(double %_12.i, double 0xBC7ABC9E3B39803F, double %rest.sroa.0.0)
  %r.i = fadd double %37, %38
  %39 = tail call double @llvm.fma.f64(double %r.i, double 0x3E5AD7E6D96F15F8, double 0x3E928B169186BEEA)
  %40 = tail call double @llvm.fma.f64(double %39, double %r.i, double 0x3EC71DF2CD14E6FA)
  %41 = tail call double @llvm.fma.f64(double %40, double %r.i, double 0x3EFA01995EC4DCC8)
  %42 = tail call double @llvm.fma.f64(double %41, double %r.i, double 0x3F2A01A0123D7586)
  %43 = tail call double @llvm.fma.f64(double %42, double %r.i, double 0x3F56C16C1859CB70)
  %44 = tail call double @llvm.fma.f64(double %43, double %r.i, double 0x3F8111111112989B)
  %45 = tail call double @llvm.fma.f64(double %44, double %r.i, double 0x3FA555555555024E)
  %46 = tail call double @llvm.fma.f64(double %45, double %r.i, double 0x3FC55555555554F0)
  %47 = tail call double @llvm.fma.f64(double %46, double %r.i, double 0x3FE000000000000B)
  %_17.i = bitcast double %36 to i64
  %n.i = trunc i64 %_17.i to i32
  %_19.i = fsub double %37, %r.i
  %r_rest.i = fadd double %38, %_19.i
  %_4.i = fmul double %r.i, %r.i
  %48 = tail call double @llvm.fma.f64(double %r.i, double %r_rest.i, double %r_rest.i)
  %49 = tail call double @llvm.fma.f64(double %_4.i, double %47, double %48)
  %high.i = fadd double %r.i, 1.000000e+00
  %_10.i = fsub double 1.000000e+00, %high.i
  %_9.i = fadd double %r.i, %_10.i
  %_8.i = fadd double %_9.i, %49
  %_36 = fadd double %high.i, %_8.i
  %_43 = ashr i32 %n.i, 1
  %_50 = add nsw i32 %_43, 1023
  %_49 = zext i32 %_50 to i64
  %_48 = shl i64 %_49, 52
  %_45 = bitcast i64 %_48 to double
  %_44 = fmul double %_36, %_45
  %_47 = add i32 %n.i, 1023
  %_53 = sub i32 %_47, %_43
  %_52 = zext i32 %_53 to i64
  %_51 = shl i64 %_52, 52
  %_46 = bitcast i64 %_51 to double
  %50 = fmul double %_44, %_46
  br label %bb26

bb26:
  %magnitude.sroa.0.0 = phi double [ %50, %bb23 ], [ 1.000000e+00, %bb17 ], [ %., %bb13 ]
  %or.cond3 = fcmp uno double %x, %y
  br i1 %or.cond3, label %bb28, label %bb29

bb28:
  %51 = fadd double %x, %y
  br label %bb42

bb29:
  %_55 = bitcast double %x to i64
  %52 = icmp sgt i64 %_55, -1
  br i1 %52, label %bb42, label %bb30

bb30:
  %or.cond4 = tail call i1 @llvm.is.fpclass.f64(double %x, i32 36)
  %_41 = fcmp oeq double %1, 0x7FF0000000000000
  %53 = or i1 %or.cond4, %_41
  %or.cond17.not = or i1 %53, %is_integer.sroa.0.0
  br i1 %or.cond17.not, label %bb36, label %bb42

bb36:
  %54 = fneg double %magnitude.sroa.0.0
  %spec.select = select i1 %is_odd.sroa.0.0, double %54, double %magnitude.sroa.0.0
  br label %bb42

bb42:
  %_0.sroa.0.0 = phi double [ %magnitude.sroa.0.0, %bb29 ], [ %51, %bb28 ], [ 1.000000e+00, %start ], [ 0x7FF8000000000000, %bb30 ], [ %spec.select, %bb36 ]
  ret double %_0.sroa.0.0
}

define noundef float @tile_powi_f32(float noundef %0, i32 noundef %exponent) #0 {
start:
  %1 = icmp eq i32 %exponent, 0
  br i1 %1, label %bb6, label %bb2.preheader

bb2.preheader:
  %_10.sroa.0.0 = tail call i32 @llvm.abs.i32(i32 %exponent, i1 false)
  br label %bb2

bb6:
  %product.sroa.0.0.lcssa = phi float [ 1.000000e+00, %start ], [ %spec.select, %bb2 ]
  %_11 = icmp slt i32 %exponent, 0
  %2 = fdiv float 1.000000e+00, %product.sroa.0.0.lcssa
  %_0.sroa.0.0 = select i1 %_11, float %2, float %product.sroa.0.0.lcssa
  ret float %_0.sroa.0.0

bb2:
  %x.sroa.0.07 = phi float [ %5, %bb2 ], [ %0, %bb2.preheader ]
  %rest.sroa.0.06 = phi i32 [ %6, %bb2 ], [ %_10.sroa.0.0, %bb2.preheader ]
  %product.sroa.0.05 = phi float [ %spec.select, %bb2 ], [ 1.000000e+00, %bb2.preheader ]
  %_6 = and i32 %rest.sroa.0.06, 1
  %3 = icmp eq i32 %_6, 0
  %4 = fmul float %product.sroa.0.05, %x.sroa.0.07
  %spec.select = select i1 %3, float %product.sroa.0.05, float %4
  %5 = fmul float %x.sroa.0.07, %x.sroa.0.07
  %6 = lshr i32 %rest.sroa.0.06, 1
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %bb6, label %bb2
}

define noundef double @tile_powi_f64(double noundef %0, i32 noundef %exponent) #0 {
start:
  %1 = icmp eq i32 %exponent, 0
  br i1 %1, label %bb6, label %bb2.preheader

bb2.preheader:
  %_10.sroa.0.0 = tail call i32 @llvm.abs.i32(i32 %exponent, i1 false)
  br label %bb2

bb6:
  %product.sroa.0.0.lcssa = phi double [ 1.000000e+00, %start ], [ %spec.select, %bb2 ]
  %_11 = icmp slt i32 %exponent, 0
  %2 = fdiv double 1.000000e+00, %product.sroa.0.0.lcssa
  %_0.sroa.0.0 = select i1 %_11, double %2, double %product.sroa.0.0.lcssa
  ret double %_0.sroa.0.0

bb2:
  %x.sroa.0.07 = phi double [ %5, %bb2 ], [ %0, %bb2.preheader ]
  %rest.sroa.0.06 = phi i32 [ %6, %bb2 ], [ %_10.sroa.0.0, %bb2.preheader ]
  %product.sroa.0.05 = phi double [ %spec.select, %bb2 ], [ 1.000000e+00, %bb2.preheader ]
  %_6 = and i32 %rest.sroa.0.06, 1
  %3 = icmp eq i32 %_6, 0
  %4 = fmul double %product.sroa.0.05, %x.sroa.0.07
  %spec.select = select i1 %3, double %product.sroa.0.05, double %4
  %5 = fmul double %x.sroa.0.07, %x.sroa.0.07
  %6 = lshr i32 %rest.sroa.0.06, 1
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %bb6, label %bb2
}

define noundef double @tile_rsqrt_f64(double noundef %x) #0 {
start:
  %is_subnormal = fcmp olt double %x, 0x10000000000000
  %0 = fmul double %x, 0x4350000000000000
  %a.sroa.0.0 = select i1 %is_subnormal, double %0, double %x
  %guess = tail call noundef double @llvm.nvvm.rsqrt.approx.ftz.d(double noundef %a.sroa.0.0)
  %_8 = fneg double %a.sroa.0.0
  %_7 = fmul double %guess, %_8
  %1 = tail call double @llvm.fma.f64(double %_7, double %guess, double 1.000000e+00)
  %_11 = fmul double %guess, %1
  %2 = tail call double @llvm.fma.f64(double %1, double 3.750000e-01, double 5.000000e-01)
  %3 = tail call double @llvm.fma.f64(double %_11, double %2, double %guess)
  %4 = fneg double %3
  %_16 = fmul double %a.sroa.0.0, %4
  %5 = tail call double @llvm.fma.f64(double %a.sroa.0.0, double %3, double %_16)
  %_18 = fneg double %5
  %6 = tail call double @llvm.fma.f64(double %_16, double %3, double 1.000000e+00)
  %7 = tail call double @llvm.fma.f64(double %_18, double %3, double %6)
  %_21 = fmul double %3, %7
  %8 = tail call double @llvm.fma.f64(double %_21, double 5.000000e-01, double %3)
  %9 = fmul double %8, 0x41A0000000000000
  %result.sroa.0.0 = select i1 %is_subnormal, double %9, double %8
  %_26 = bitcast double %x to i64
  %_25 = add i64 %_26, -1
  %_22 = icmp ult i64 %_25, 9218868437227405311
  br i1 %_22, label %bb15, label %bb8

bb8:
  %_23 = fcmp oeq double %x, 0.000000e+00
  br i1 %_23, label %bb9, label %bb10

bb10:
  %_24 = fcmp oeq double %x, 0x7FF0000000000000
  %. = select i1 %_24, double 0.000000e+00, double 0x7FF8000000000000
  br label %bb15

bb9:
  %10 = tail call double @llvm.copysign.f64(double 0x7FF0000000000000, double %x)
  br label %bb15

bb15:
  %result.sroa.0.1 = phi double [ %result.sroa.0.0, %start ], [ %10, %bb9 ], [ %., %bb10 ]
  ret double %result.sroa.0.1
}

define noundef float @tile_sin_f32(float noundef %x) #0 {
start:
  %0 = tail call float @llvm.fabs.f32(float %x)
  %_12 = fcmp olt float %0, 7.147600e+04
  br i1 %_12, label %bb3, label %bb4

bb4:
  %_2.i = fcmp ueq float %0, 0x7FF0000000000000
  br i1 %_2.i, label %bb5, label %bb1.i

bb1.i:
  %bits.i = bitcast float %0 to i32
  %_6.i = and i32 %bits.i, 8388607
  %_5.i = or disjoint i32 %_6.i, 8388608
  %mantissa.i = zext nneg i32 %_5.i to i64
  %_10.i = lshr i32 %bits.i, 23
  %start1.i = add nsw i32 %_10.i, -120
  %_1427.i = lshr i32 %start1.i, 5
  %_13.i = zext nneg i32 %_1427.i to i64
  %_15.i = and i32 %start1.i, 31
  %_61.i = getelementptr inbounds nuw i32, ptr @two_by_pi_f32, i64 %_13.i
  %_59.i = load i32, ptr %_61.i, align 4
  %_56.i = zext i32 %_59.i to i64
  %_55.i = shl nuw i64 %_56.i, 32
  %_66.i = icmp ne i32 %_1427.i, 7
  tail call void @llvm.assume(i1 %_66.i)
  %_65.i = getelementptr inbounds nuw i8, ptr %_61.i, i64 4
  %_63.i = load i32, ptr %_65.i, align 4
  %_57.i = zext i32 %_63.i to i64
  %_54.i = or disjoint i64 %_55.i, %_57.i
  %1 = zext nneg i32 %_15.i to i64
  %_58.i = shl i64 %_54.i, %1
  %_24.i = and i64 %_58.i, -4294967296
  %_68.i = shl nuw i64 %_57.i, 32
  %_79.i = icmp ult i32 %start1.i, 192
  tail call void @llvm.assume(i1 %_79.i)
  %_78.i = getelementptr inbounds nuw i8, ptr %_61.i, i64 8
  %_76.i = load i32, ptr %_78.i, align 4
  %_70.i = zext i32 %_76.i to i64
  %_67.i = or disjoint i64 %_68.i, %_70.i
  %_71.i = shl i64 %_67.i, %1
  %_26.i = lshr i64 %_71.i, 32
  %_81.i = shl nuw i64 %_70.i, 32
  %_91.i = getelementptr inbounds nuw i8, ptr %_61.i, i64 12
  %_89.i = load i32, ptr %_91.i, align 4
  %_83.i = zext i32 %_89.i to i64
  %_80.i = or disjoint i64 %_81.i, %_83.i
  %_84.i = shl i64 %_80.i, %1
  %_29.i = lshr i64 %_84.i, 32
  %_28.i = mul nuw nsw i64 %_29.i, %mantissa.i
  %_27.i = lshr i64 %_28.i, 32
  %reass.add = or disjoint i64 %_26.i, %_24.i
  %reass.mul = mul i64 %reass.add, %mantissa.i
  %product.i = add i64 %_27.i, %reass.mul
  %_32.i = add i64 %product.i, 2305843009213693952
  %_31.i = lshr i64 %_32.i, 62
  %quadrant.i = trunc nuw nsw i64 %_31.i to i32
  %_34.i = shl i64 %product.i, 2
  %_94.i = icmp slt i64 %_34.i, 0
  br i1 %_94.i, label %bb5.i, label %bb6.i

bb6.i:
  %2 = tail call range(i64 1, 65) i64 @llvm.ctlz.i64(i64 %_34.i, i1 false)
  %3 = trunc nuw nsw i64 %2 to i32
  %4 = and i64 %2, 63
  %5 = shl i64 %_34.i, %4
  %6 = zext i64 %5 to i128
  %7 = mul nuw i128 %6, 14488038916154245684
  %8 = lshr i128 %7, 64
  %9 = trunc nuw i128 %8 to i64
  %10 = shl nuw nsw i32 %3, 23
  %11 = sub nuw nsw i32 536870912, %10
  %12 = uitofp i64 %9 to float
  %13 = fptoui float %12 to i64
  %14 = sub i64 %9, %13
  %15 = bitcast i32 %11 to float
  br label %bb3.i

bb5.i:
  %16 = sub i64 0, %_34.i
  %17 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %16, i1 true)
  %18 = trunc nuw nsw i64 %17 to i32
  %19 = shl i64 %16, %17
  %20 = zext i64 %19 to i128
  %21 = mul nuw i128 %20, 14488038916154245684
  %22 = lshr i128 %21, 64
  %23 = trunc nuw i128 %22 to i64
  %24 = shl nuw nsw i32 %18, 23
  %25 = sub nuw nsw i32 536870912, %24
  %26 = uitofp i64 %23 to float
  %27 = fptoui float %26 to i64
  %28 = sub i64 %23, %27
  %29 = bitcast i32 %25 to float
  %30 = fneg float %29
  br label %bb3.i

bb3.i:
  %sign.sroa.0.0.i = phi float [ %30, %bb5.i ], [ %15, %bb6.i ]
  %rest.sroa.0.0.in.i = phi i64 [ %28, %bb5.i ], [ %14, %bb6.i ]
  %r.sroa.0.0.i = phi float [ %26, %bb5.i ], [ %12, %bb6.i ]
  %rest.sroa.0.0.i = sitofp i64 %rest.sroa.0.0.in.i to float
  %_51.i = fmul float %sign.sroa.0.0.i, %r.sroa.0.0.i
  %_53.i = fmul float %sign.sroa.0.0.i, %rest.sroa.0.0.i
  br label %bb5

bb3:
  %31 = tail call float @llvm.fma.f32(float %0, float 0x3FE45F3060000000, float 0x4168000000000000)
  %_14 = fadd float %31, 0xC168000000000000
  %32 = tail call float @llvm.fma.f32(float %_14, float 0xBFF921FB60000000, float %0)
  %_16 = fmul float %_14, 0xBE6777A5C0000000
  %_19 = fneg float %_16
  %33 = tail call float @llvm.fma.f32(float %_14, float 0xBE6777A5C0000000, float %_19)
  %34 = tail call float @llvm.fma.f32(float %_14, float 0xBCDEE59DA0000000, float %33)
  %_20 = fsub float %32, %_16
  %_24 = fsub float %32, %_20
  %_23 = fsub float %_24, %_16
  %_22 = fsub float %_23, %34
  %35 = bitcast float %31 to i32
  br label %bb5

bb5:
  %_5.sroa.10.0 = phi float [ %_22, %bb3 ], [ %_53.i, %bb3.i ], [ 0.000000e+00, %bb4 ]
  %_5.sroa.6.0 = phi float [ %_20, %bb3 ], [ %_51.i, %bb3.i ], [ 0x7FF8000000000000, %bb4 ]
  %_5.sroa.0.0 = phi i32 [ %35, %bb3 ], [ %quadrant.i, %bb3.i ], [ 0, %bb4 ]
  %_8 = bitcast float %x to i32
  %z.i = fmul float %_5.sroa.6.0, %_5.sroa.6.0
  %_6.i5 = and i32 %_5.sroa.0.0, 1
  %is_odd.i.not = icmp eq i32 %_6.i5, 0
  %36 = select i1 %is_odd.i.not, float 0xBF299327A0000000, float 0x3EF99F2FA0000000
  %37 = select i1 %is_odd.i.not, float 0x3F81107080000000, float 0xBF56C0C580000000
  %38 = tail call float @llvm.fma.f32(float %36, float %z.i, float %37)
  %39 = select i1 %is_odd.i.not, float 0xBFC5555440000000, float 0x3FA55554A0000000
  %40 = tail call float @llvm.fma.f32(float %38, float %z.i, float %39)
  %41 = tail call float @llvm.fma.f32(float %z.i, float -5.000000e-01, float 1.000000e+00)
  %42 = select i1 %is_odd.i.not, float %_5.sroa.6.0, float %41
  %_17.i = fsub float 1.000000e+00, %41
  %43 = tail call float @llvm.fma.f32(float %z.i, float -5.000000e-01, float %_17.i)
  %44 = select i1 %is_odd.i.not, float %_5.sroa.10.0, float %43
  %45 = select i1 %is_odd.i.not, float %_5.sroa.6.0, float %z.i
  %_20.i = fmul float %z.i, %45
  %46 = tail call float @llvm.fma.f32(float %_20.i, float %40, float %44)
  %result.i = fadd float %42, %46
  %_23.i8 = bitcast float %result.i to i32
  %_25.i9 = shl i32 %_5.sroa.0.0, 30
  %_24.i1012 = xor i32 %_25.i9, %_8
  %_22.i11 = and i32 %_24.i1012, -2147483648
  %_9 = xor i32 %_22.i11, %_23.i8
  %_0 = bitcast i32 %_9 to float
  ret float %_0
}

define noundef double @tile_sin_f64(double noundef %x) #0 {
start:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %_2.i = fcmp olt double %0, 5.242880e+05
  br i1 %_2.i, label %bb1.i, label %bb2.i

bb2.i:
  %_2.i1 = fcmp ueq double %0, 0x7FF0000000000000
  br i1 %_2.i1, label %_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit, label %bb1.i2

bb1.i2:
  %bits.i = bitcast double %0 to i64
  %_6.i = and i64 %bits.i, 4503599627370495
  %_5.i = or disjoint i64 %_6.i, 4503599627370496
  %mantissa.i = zext nneg i64 %_5.i to i128
  %_11.i3 = lshr i64 %bits.i, 52
  %_10.i = trunc nuw nsw i64 %_11.i3 to i32
  %start1.i = add nsw i32 %_10.i, -1013
  %_154.i = lshr i32 %start1.i, 6
  %_14.i4 = zext nneg i32 %_154.i to i64
  %_16.i = and i32 %start1.i, 63
  %_67.i = getelementptr inbounds nuw i64, ptr @two_by_pi_f64, i64 %_14.i4
  %_60.i = load i64, ptr %_67.i, align 8
  %1 = zext nneg i32 %_16.i to i64
  %_59.i = shl i64 %_60.i, %1
  %_70.i = getelementptr inbounds nuw i8, ptr %_67.i, i64 8
  %_64.i = load i64, ptr %_70.i, align 8
  %_63.i = lshr i64 %_64.i, 1
  %_65.i = xor i32 %_16.i, 63
  %2 = zext nneg i32 %_65.i to i64
  %_62.i = lshr i64 %_63.i, %2
  %_61.i = or i64 %_62.i, %_59.i
  %_25.i = zext i64 %_61.i to i128
  %_23.i = shl nuw i128 %_25.i, 64
  %_72.i = shl i64 %_64.i, %1
  %_82.i = getelementptr inbounds nuw i8, ptr %_67.i, i64 16
  %_77.i = load i64, ptr %_82.i, align 8
  %_76.i = lshr i64 %_77.i, 1
  %_75.i = lshr i64 %_76.i, %2
  %_74.i = or i64 %_75.i, %_72.i
  %_27.i = zext i64 %_74.i to i128
  %_84.i = shl i64 %_77.i, %1
  %_94.i = getelementptr inbounds nuw i8, ptr %_67.i, i64 24
  %_89.i = load i64, ptr %_94.i, align 8
  %_88.i = lshr i64 %_89.i, 1
  %_87.i = lshr i64 %_88.i, %2
  %_86.i = or i64 %_87.i, %_84.i
  %_30.i = zext i64 %_86.i to i128
  %_29.i = mul nuw nsw i128 %_30.i, %mantissa.i
  %_28.i = lshr i128 %_29.i, 64
  %reass.add = or disjoint i128 %_23.i, %_27.i
  %reass.mul = mul i128 %reass.add, %mantissa.i
  %product.i = add i128 %_28.i, %reass.mul
  %_33.i = add i128 %product.i, 42535295865117307932921825928971026432
  %_32.i = lshr i128 %_33.i, 126
  %quadrant.i = trunc nuw nsw i128 %_32.i to i32
  %_35.i = shl i128 %product.i, 2
  %_97.i = icmp slt i128 %_35.i, 0
  %_96.sroa.0.0.i = tail call i128 @llvm.abs.i128(i128 %_35.i, i1 false)
  %_38.i = lshr i128 %_96.sroa.0.0.i, 64
  %high.i = trunc nuw i128 %_38.i to i64
  %3 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %high.i, i1 false)
  %4 = zext nneg i64 %3 to i128
  %_42.i = shl i128 %_96.sroa.0.0.i, %4
  %_41.i = lshr i128 %_42.i, 64
  %_45.i = mul nuw i128 %_41.i, 14488038916154245684
  %_44.i = lshr i128 %_45.i, 64
  %angle.i = trunc nuw i128 %_44.i to i64
  %5 = shl nuw nsw i64 %3, 52
  %_98.i = sub nuw nsw i64 4323455642275676160, %5
  %unit.i = bitcast i64 %_98.i to double
  %r.i5 = uitofp i64 %angle.i to double
  %6 = fptoui double %r.i5 to i64
  %_53.i = sub i64 %angle.i, %6
  %rest.i = sitofp i64 %_53.i to double
  %7 = fneg double %unit.i
  %sign.sroa.0.0.i = select i1 %_97.i, double %7, double %unit.i
  %_56.i = fmul double %sign.sroa.0.0.i, %r.i5
  %_58.i = fmul double %sign.sroa.0.0.i, %rest.i
  br label %_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit

bb1.i:
  %8 = tail call double @llvm.fma.f64(double %0, double 0x3FE45F306DC9C883, double 0x4338000000000000)
  %n.i = fadd double %8, 0xC338000000000000
  %9 = tail call double @llvm.fma.f64(double %n.i, double 0xBFF921FB54442D18, double %0)
  %low.i = fmul double %n.i, 0x3C91A62633145C07
  %_9.i = fneg double %low.i
  %10 = tail call double @llvm.fma.f64(double %n.i, double 0x3C91A62633145C07, double %_9.i)
  %11 = tail call double @llvm.fma.f64(double %n.i, double 0xB91F1976B7ED8FBC, double %10)
  %r.i = fsub double %9, %low.i
  %_12.i = bitcast double %8 to i64
  %_11.i = trunc i64 %_12.i to i32
  %_15.i = fsub double %9, %r.i
  %_14.i = fsub double %_15.i, %low.i
  %_13.i = fsub double %_14.i, %11
  br label %_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit

_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit:
  %_5.sroa.1019.0 = phi double [ %_13.i, %bb1.i ], [ %_58.i, %bb1.i2 ], [ 0.000000e+00, %bb2.i ]
  %_5.sroa.6.0 = phi i32 [ %_11.i, %bb1.i ], [ %quadrant.i, %bb1.i2 ], [ 0, %bb2.i ]
  %_5.sroa.0.0 = phi double [ %r.i, %bb1.i ], [ %_56.i, %bb1.i2 ], [ 0x7FF8000000000000, %bb2.i ]
  %z.i = fmul double %_5.sroa.0.0, %_5.sroa.0.0
  %_6.i7 = and i32 %_5.sroa.6.0, 1
  %is_odd.i.not = icmp eq i32 %_6.i7, 0
  %12 = select i1 %is_odd.i.not, double 0x3DE5D86B33180C67, double 0xBDA8FA4DC8C4C88D
  %13 = select i1 %is_odd.i.not, double 0xBE5AE5E3BDEF007E, double 0x3E21EE9D9A823360
  %14 = tail call double @llvm.fma.f64(double %12, double %z.i, double %13)
  %15 = select i1 %is_odd.i.not, double 0x3EC71DE3541A8795, double 0xBE927E4F7EFFF1AD
  %16 = tail call double @llvm.fma.f64(double %14, double %z.i, double %15)
  %17 = select i1 %is_odd.i.not, double 0xBF2A01A019BD3371, double 0x3EFA01A019C8F318
  %18 = tail call double @llvm.fma.f64(double %16, double %z.i, double %17)
  %19 = select i1 %is_odd.i.not, double 0x3F8111111110F686, double 0xBF56C16C16C1502B
  %20 = tail call double @llvm.fma.f64(double %18, double %z.i, double %19)
  %21 = select i1 %is_odd.i.not, double 0xBFC5555555555548, double 0x3FA555555555554B
  %22 = tail call double @llvm.fma.f64(double %20, double %z.i, double %21)
  %half.i = fmul double %z.i, 5.000000e-01
  %cosine.i = fsub double 1.000000e+00, %half.i
  %23 = select i1 %is_odd.i.not, double %_5.sroa.0.0, double %cosine.i
  %_24.i12 = fneg double %_5.sroa.0.0
  %_26.i13 = fsub double 1.000000e+00, %cosine.i
  %_25.i14 = fsub double %_26.i13, %half.i
  %24 = tail call double @llvm.fma.f64(double %_24.i12, double %_5.sroa.1019.0, double %_25.i14)
  %_28.i15 = fneg double %half.i
  %25 = tail call double @llvm.fma.f64(double %_28.i15, double %_5.sroa.1019.0, double %_5.sroa.1019.0)
  %26 = select i1 %is_odd.i.not, double %25, double %24
  %27 = select i1 %is_odd.i.not, double %_5.sroa.0.0, double %z.i
  %_31.i = fmul double %z.i, %27
  %28 = tail call double @llvm.fma.f64(double %_31.i, double %22, double %26)
  %result.i = fadd double %23, %28
  %_34.i = bitcast double %result.i to i64
  %_37.i = and i32 %_5.sroa.6.0, 2
  %_36.i = zext nneg i32 %_37.i to i64
  %_35.i17 = shl nuw i64 %_36.i, 62
  %_11 = bitcast double %x to i64
  %_10 = and i64 %_11, -9223372036854775808
  %_33.i18 = xor i64 %_35.i17, %_10
  %_8 = xor i64 %_33.i18, %_34.i
  %_0 = bitcast i64 %_8 to double
  ret double %_0
}

define noundef float @tile_sinh_f32(float noundef %x) #0 {
start:
  %0 = tail call float @llvm.fabs.f32(float %x)
  %_3.i = fcmp ogt float %0, 8.950000e+01
  %x.sroa.0.0.i = select i1 %_3.i, float 8.950000e+01, float %0
  %is_small.i = fcmp olt float %x.sroa.0.0.i, 0x3FE6666660000000
  %1 = select i1 %is_small.i, float 0.000000e+00, float %x.sroa.0.0.i
  %2 = tail call float @llvm.fma.f32(float %1, float 0x3FF7154760000000, float 0x4168000000000000)
  %_33.i = fadd float %2, 0xC168000000000000
  %3 = tail call float @llvm.fma.f32(float %_33.i, float 0xBFE62E4300000000, float %1)
  %4 = tail call float @llvm.fma.f32(float %_33.i, float 0x3E205C6100000000, float %3)
  %5 = select i1 %is_small.i, float %x.sroa.0.0.i, float %4
  %z.i = fmul float %5, %5
  %6 = tail call float @llvm.fma.f32(float %z.i, float 0x3F2A5A8EC0000000, float 0x3F8110AA80000000)
  %7 = tail call float @llvm.fma.f32(float %6, float %z.i, float 0x3FC55555E0000000)
  %8 = tail call float @llvm.fma.f32(float %z.i, float 0x3F56D9F3E0000000, float 0x3FA5554760000000)
  %9 = tail call float @llvm.fma.f32(float %8, float %z.i, float 5.000000e-01)
  %_19.i = fmul float %5, %z.i
  %even.i = fmul float %z.i, %9
  %_12.i = bitcast float %2 to i32
  %_11.i = shl i32 %_12.i, 23
  %_14.i = sub i32 1082130432, %_11.i
  %inverse_power.i = bitcast i32 %_14.i to float
  %_10.i = add i32 %_11.i, 1048576000
  %odd.i = fmul float %_19.i, %7
  %large.i = fadd float %5, 1.000000e+00
  %_24.i = fsub float 1.000000e+00, %large.i
  %_23.i = fadd float %5, %_24.i
  %_25.i = fadd float %even.i, %odd.i
  %rest.i = fadd float %_23.i, %_25.i
  %_27.i = fsub float 1.000000e+00, %5
  %_28.i = fsub float %even.i, %odd.i
  %small.i = fadd float %_27.i, %_28.i
  %_30.i = fmul float %small.i, %inverse_power.i
  %_31.i = fadd float %x.sroa.0.0.i, %odd.i
  %10 = bitcast i32 %_10.i to float
  %_7 = fmul float %_30.i, -6.250000e-02
  %11 = tail call float @llvm.fma.f32(float %10, float %rest.i, float %_7)
  %12 = tail call float @llvm.fma.f32(float %10, float %large.i, float %11)
  %usual = fmul float %12, 2.000000e+00
  %13 = select i1 %is_small.i, float %_31.i, float %usual
  %14 = tail call float @llvm.copysign.f32(float %13, float %x)
  ret float %14
}

define noundef double @tile_sinh_f64(double noundef %x) #0 {
start:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %_3.i = fcmp ogt double %0, 7.106000e+02
  %x.sroa.0.0.i = select i1 %_3.i, double 7.106000e+02, double %0
  %is_small.i = fcmp olt double %x.sroa.0.0.i, 0x3FE6666666666666
  %1 = select i1 %is_small.i, double 0.000000e+00, double %x.sroa.0.0.i
  %2 = tail call double @llvm.fma.f64(double %1, double 0x3FF71547652B82FE, double 0x4338000000000000)
  %_31.i = fadd double %2, 0xC338000000000000
  %3 = tail call double @llvm.fma.f64(double %_31.i, double 0xBFE62E42FEFA39EF, double %1)
  %4 = tail call double @llvm.fma.f64(double %_31.i, double 0xBC7ABC9E3B39803F, double 0.000000e+00)
  %r.i = fadd double %3, %4
  %5 = select i1 %is_small.i, double %x.sroa.0.0.i, double %r.i
  %z.i = fmul double %5, %5
  %6 = tail call double @llvm.fma.f64(double %z.i, double 0x3D6B1A27AF79904F, double 0x3DE6121DE08F71A5)
  %7 = tail call double @llvm.fma.f64(double %6, double %z.i, double 0x3E5AE64589496694)
  %8 = tail call double @llvm.fma.f64(double %7, double %z.i, double 0x3EC71DE3A5479B2A)
  %9 = tail call double @llvm.fma.f64(double %8, double %z.i, double 0x3F2A01A01A01A77B)
  %10 = tail call double @llvm.fma.f64(double %9, double %z.i, double 0x3F8111111111110F)
  %11 = tail call double @llvm.fma.f64(double %10, double %z.i, double 0x3FC5555555555555)
  %12 = tail call double @llvm.fma.f64(double %z.i, double 0x3E21F989F940F6DE, double 0x3E927E4C2CEC8F8B)
  %13 = tail call double @llvm.fma.f64(double %12, double %z.i, double 0x3EFA01A01B28F969)
  %14 = tail call double @llvm.fma.f64(double %13, double %z.i, double 0x3F56C16C16C13B72)
  %15 = tail call double @llvm.fma.f64(double %14, double %z.i, double 0x3FA555555555555D)
  %16 = tail call double @llvm.fma.f64(double %15, double %z.i, double 5.000000e-01)
  %_17.i = fmul double %5, %z.i
  %even.i = fmul double %z.i, %16
  %_36.i = bitcast double %2 to i64
  %17 = shl i64 %_36.i, 52
  %_12.i = sub i64 4616189618054758400, %17
  %inverse_power.i = bitcast i64 %_12.i to double
  %_39.i = add i64 %17, 4598175219545276416
  %_38.i = fsub double %3, %r.i
  %r_rest.i = fadd double %4, %_38.i
  %18 = tail call double @llvm.fma.f64(double %_17.i, double %11, double %r_rest.i)
  %large.i = fadd double %5, 1.000000e+00
  %_22.i = fsub double 1.000000e+00, %large.i
  %_21.i = fadd double %5, %_22.i
  %_23.i = fadd double %even.i, %18
  %rest.i = fadd double %_21.i, %_23.i
  %_25.i = fsub double 1.000000e+00, %5
  %_26.i = fsub double %even.i, %18
  %small.i = fadd double %_25.i, %_26.i
  %_28.i = fmul double %small.i, %inverse_power.i
  %_29.i = fadd double %x.sroa.0.0.i, %18
  %19 = bitcast i64 %_39.i to double
  %_7 = fmul double %_28.i, -6.250000e-02
  %20 = tail call double @llvm.fma.f64(double %19, double %rest.i, double %_7)
  %21 = tail call double @llvm.fma.f64(double %19, double %large.i, double %20)
  %usual = fmul double %21, 2.000000e+00
  %22 = select i1 %is_small.i, double %_29.i, double %usual
  %23 = tail call double @llvm.copysign.f64(double %22, double %x)
  ret double %23
}

define noundef float @tile_tan_f32(float noundef %x) #0 {
start:
  %0 = tail call float @llvm.fabs.f32(float %x)
  %_25 = fcmp olt float %0, 7.147600e+04
  br i1 %_25, label %bb6, label %bb7

bb7:
  %_2.i = fcmp ueq float %0, 0x7FF0000000000000
  br i1 %_2.i, label %bb8, label %bb1.i

bb1.i:
  %bits.i = bitcast float %0 to i32
  %_6.i = and i32 %bits.i, 8388607
  %_5.i = or disjoint i32 %_6.i, 8388608
  %mantissa.i = zext nneg i32 %_5.i to i64
  %_10.i = lshr i32 %bits.i, 23
  %start1.i = add nsw i32 %_10.i, -120
  %_1427.i = lshr i32 %start1.i, 5
  %_13.i = zext nneg i32 %_1427.i to i64
  %_15.i = and i32 %start1.i, 31
  %_61.i = getelementptr inbounds nuw i32, ptr @two_by_pi_f32, i64 %_13.i
  %_59.i = load i32, ptr %_61.i, align 4
  %_56.i = zext i32 %_59.i to i64
  %_55.i = shl nuw i64 %_56.i, 32
  %_66.i = icmp ne i32 %_1427.i, 7
  tail call void @llvm.assume(i1 %_66.i)
  %_65.i = getelementptr inbounds nuw i8, ptr %_61.i, i64 4
  %_63.i = load i32, ptr %_65.i, align 4
  %_57.i = zext i32 %_63.i to i64
  %_54.i = or disjoint i64 %_55.i, %_57.i
  %1 = zext nneg i32 %_15.i to i64
  %_58.i = shl i64 %_54.i, %1
  %_24.i = and i64 %_58.i, -4294967296
  %_68.i = shl nuw i64 %_57.i, 32
  %_79.i = icmp ult i32 %start1.i, 192
  tail call void @llvm.assume(i1 %_79.i)
  %_78.i = getelementptr inbounds nuw i8, ptr %_61.i, i64 8
  %_76.i = load i32, ptr %_78.i, align 4
  %_70.i = zext i32 %_76.i to i64
  %_67.i = or disjoint i64 %_68.i, %_70.i
  %_71.i = shl i64 %_67.i, %1
  %_26.i = lshr i64 %_71.i, 32
  %_81.i = shl nuw i64 %_70.i, 32
  %_91.i = getelementptr inbounds nuw i8, ptr %_61.i, i64 12
  %_89.i = load i32, ptr %_91.i, align 4
  %_83.i = zext i32 %_89.i to i64
  %_80.i = or disjoint i64 %_81.i, %_83.i
  %_84.i = shl i64 %_80.i, %1
  %_29.i = lshr i64 %_84.i, 32
  %_28.i = mul nuw nsw i64 %_29.i, %mantissa.i
  %_27.i = lshr i64 %_28.i, 32
  %reass.add = or disjoint i64 %_26.i, %_24.i
  %reass.mul = mul i64 %reass.add, %mantissa.i
  %product.i = add i64 %_27.i, %reass.mul
  %_32.i = add i64 %product.i, 2305843009213693952
  %_31.i = lshr i64 %_32.i, 62
  %quadrant.i = trunc nuw nsw i64 %_31.i to i32
  %_34.i = shl i64 %product.i, 2
  %_94.i = icmp slt i64 %_34.i, 0
  br i1 %_94.i, label %bb5.i, label %bb6.i

bb6.i:
  %2 = tail call range(i64 1, 65) i64 @llvm.ctlz.i64(i64 %_34.i, i1 false)
  %3 = trunc nuw nsw i64 %2 to i32
  %4 = and i64 %2, 63
  %5 = shl i64 %_34.i, %4
  %6 = zext i64 %5 to i128
  %7 = mul nuw i128 %6, 14488038916154245684
  %8 = lshr i128 %7, 64
  %9 = trunc nuw i128 %8 to i64
  %10 = shl nuw nsw i32 %3, 23
  %11 = sub nuw nsw i32 536870912, %10
  %12 = uitofp i64 %9 to float
  %13 = fptoui float %12 to i64
  %14 = sub i64 %9, %13
  %15 = bitcast i32 %11 to float
  br label %bb3.i

bb5.i:
  %16 = sub i64 0, %_34.i
  %17 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %16, i1 true)
  %18 = trunc nuw nsw i64 %17 to i32
  %19 = shl i64 %16, %17
  %20 = zext i64 %19 to i128
  %21 = mul nuw i128 %20, 14488038916154245684
  %22 = lshr i128 %21, 64
  %23 = trunc nuw i128 %22 to i64
  %24 = shl nuw nsw i32 %18, 23
  %25 = sub nuw nsw i32 536870912, %24
  %26 = uitofp i64 %23 to float
  %27 = fptoui float %26 to i64
  %28 = sub i64 %23, %27
  %29 = bitcast i32 %25 to float
  %30 = fneg float %29
  br label %bb3.i

bb3.i:
  %sign.sroa.0.0.i = phi float [ %30, %bb5.i ], [ %15, %bb6.i ]
  %rest.sroa.0.0.in.i = phi i64 [ %28, %bb5.i ], [ %14, %bb6.i ]
  %r.sroa.0.0.i = phi float [ %26, %bb5.i ], [ %12, %bb6.i ]
  %rest.sroa.0.0.i = sitofp i64 %rest.sroa.0.0.in.i to float
  %_51.i = fmul float %sign.sroa.0.0.i, %r.sroa.0.0.i
  %_53.i = fmul float %sign.sroa.0.0.i, %rest.sroa.0.0.i
  br label %bb8

bb6:
  %31 = tail call float @llvm.fma.f32(float %0, float 0x3FE45F3060000000, float 0x4168000000000000)
  %_27 = fadd float %31, 0xC168000000000000
  %32 = tail call float @llvm.fma.f32(float %_27, float 0xBFF921FB60000000, float %0)
  %_29 = fmul float %_27, 0xBE6777A5C0000000
  %_32 = fneg float %_29
  %33 = tail call float @llvm.fma.f32(float %_27, float 0xBE6777A5C0000000, float %_32)
  %34 = tail call float @llvm.fma.f32(float %_27, float 0xBCDEE59DA0000000, float %33)
  %_33 = fsub float %32, %_29
  %_37 = fsub float %32, %_33
  %_36 = fsub float %_37, %_29
  %_35 = fsub float %_36, %34
  %35 = bitcast float %31 to i32
  br label %bb8

bb8:
  %_5.sroa.10.0 = phi float [ %_35, %bb6 ], [ %_53.i, %bb3.i ], [ 0.000000e+00, %bb7 ]
  %_5.sroa.6.0 = phi float [ %_33, %bb6 ], [ %_51.i, %bb3.i ], [ 0x7FF8000000000000, %bb7 ]
  %_5.sroa.0.0 = phi i32 [ %35, %bb6 ], [ %quadrant.i, %bb3.i ], [ 0, %bb7 ]
  %z = fmul float %_5.sroa.6.0, %_5.sroa.6.0
  %36 = tail call float @llvm.fma.f32(float %z, float 0x3F72257720000000, float 0xBEF24E9380000000)
  %37 = tail call float @llvm.fma.f32(float %36, float %z, float 0x3F865C46E0000000)
  %38 = tail call float @llvm.fma.f32(float %37, float %z, float 0x3F95C2E180000000)
  %39 = tail call float @llvm.fma.f32(float %38, float %z, float 0x3FABAE8160000000)
  %40 = tail call float @llvm.fma.f32(float %39, float %z, float 0x3FC110D4A0000000)
  %41 = tail call float @llvm.fma.f32(float %40, float %z, float 0x3FD5555620000000)
  %_9 = fmul float %_5.sroa.6.0, %z
  %42 = tail call float @llvm.fma.f32(float %_9, float %41, float %_5.sroa.10.0)
  %43 = fadd float %_5.sroa.6.0, %42
  %_12 = and i32 %_5.sroa.0.0, 1
  %44 = icmp eq i32 %_12, 0
  br i1 %44, label %bb4, label %bb2

bb2:
  %_14 = fsub float %_5.sroa.6.0, %43
  %tan_rest = fadd float %42, %_14
  %inverse = tail call noundef float @llvm.nvvm.rcp.approx.ftz.f(float noundef %43)
  %_17 = fneg float %tan_rest
  %_19 = fneg float %43
  %45 = tail call float @llvm.fma.f32(float %_19, float %inverse, float 1.000000e+00)
  %46 = tail call float @llvm.fma.f32(float %_17, float %inverse, float %45)
  %47 = tail call float @llvm.fma.f32(float %inverse, float %46, float %inverse)
  %48 = fneg float %47
  br label %bb4

bb4:
  %tan.sroa.0.0 = phi float [ %43, %bb8 ], [ %48, %bb2 ]
  %_22 = bitcast float %tan.sroa.0.0 to i32
  %_24 = bitcast float %x to i32
  %_23 = and i32 %_24, -2147483648
  %_21 = xor i32 %_23, %_22
  %_0 = bitcast i32 %_21 to float
  ret float %_0
}

define noundef double @tile_tan_f64(double noundef %x) #0 {
start:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %_2.i = fcmp olt double %0, 5.242880e+05
  br i1 %_2.i, label %bb1.i, label %bb2.i

bb2.i:
  %_2.i12 = fcmp ueq double %0, 0x7FF0000000000000
  br i1 %_2.i12, label %_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit, label %bb1.i13

bb1.i13:
  %bits.i = bitcast double %0 to i64
  %_6.i = and i64 %bits.i, 4503599627370495
  %_5.i = or disjoint i64 %_6.i, 4503599627370496
  %mantissa.i = zext nneg i64 %_5.i to i128
  %_11.i14 = lshr i64 %bits.i, 52
  %_10.i = trunc nuw nsw i64 %_11.i14 to i32
  %start1.i = add nsw i32 %_10.i, -1013
  %_154.i = lshr i32 %start1.i, 6
  %_14.i15 = zext nneg i32 %_154.i to i64
  %_16.i = and i32 %start1.i, 63
  %_67.i = getelementptr inbounds nuw i64, ptr @two_by_pi_f64, i64 %_14.i15
  %_60.i = load i64, ptr %_67.i, align 8
  %1 = zext nneg i32 %_16.i to i64
  %_59.i = shl i64 %_60.i, %1
  %_70.i = getelementptr inbounds nuw i8, ptr %_67.i, i64 8
  %_64.i = load i64, ptr %_70.i, align 8
  %_63.i = lshr i64 %_64.i, 1
  %_65.i = xor i32 %_16.i, 63
  %2 = zext nneg i32 %_65.i to i64
  %_62.i = lshr i64 %_63.i, %2
  %_61.i = or i64 %_62.i, %_59.i
  %_25.i = zext i64 %_61.i to i128
  %_23.i = shl nuw i128 %_25.i, 64
  %_72.i = shl i64 %_64.i, %1
  %_82.i = getelementptr inbounds nuw i8, ptr %_67.i, i64 16
  %_77.i = load i64, ptr %_82.i, align 8
  %_76.i = lshr i64 %_77.i, 1
  %_75.i = lshr i64 %_76.i, %2
  %_74.i = or i64 %_75.i, %_72.i
  %_27.i = zext i64 %_74.i to i128
  %_84.i = shl i64 %_77.i, %1
  %_94.i = getelementptr inbounds nuw i8, ptr %_67.i, i64 24
  %_89.i = load i64, ptr %_94.i, align 8
  %_88.i = lshr i64 %_89.i, 1
  %_87.i = lshr i64 %_88.i, %2
  %_86.i = or i64 %_87.i, %_84.i
  %_30.i = zext i64 %_86.i to i128
  %_29.i = mul nuw nsw i128 %_30.i, %mantissa.i
  %_28.i = lshr i128 %_29.i, 64
  %reass.add = or disjoint i128 %_23.i, %_27.i
  %reass.mul = mul i128 %reass.add, %mantissa.i
  %product.i = add i128 %_28.i, %reass.mul
  %_33.i = add i128 %product.i, 42535295865117307932921825928971026432
  %_32.i = lshr i128 %_33.i, 126
  %quadrant.i = trunc nuw nsw i128 %_32.i to i32
  %_35.i = shl i128 %product.i, 2
  %_97.i = icmp slt i128 %_35.i, 0
  %_96.sroa.0.0.i = tail call i128 @llvm.abs.i128(i128 %_35.i, i1 false)
  %_38.i = lshr i128 %_96.sroa.0.0.i, 64
  %high.i = trunc nuw i128 %_38.i to i64
  %3 = tail call range(i64 0, 65) i64 @llvm.ctlz.i64(i64 %high.i, i1 false)
  %4 = zext nneg i64 %3 to i128
  %_42.i = shl i128 %_96.sroa.0.0.i, %4
  %_41.i = lshr i128 %_42.i, 64
  %_45.i = mul nuw i128 %_41.i, 14488038916154245684
  %_44.i = lshr i128 %_45.i, 64
  %angle.i = trunc nuw i128 %_44.i to i64
  %5 = shl nuw nsw i64 %3, 52
  %_98.i = sub nuw nsw i64 4323455642275676160, %5
  %unit.i = bitcast i64 %_98.i to double
  %r.i16 = uitofp i64 %angle.i to double
  %6 = fptoui double %r.i16 to i64
  %_53.i = sub i64 %angle.i, %6
  %rest.i = sitofp i64 %_53.i to double
  %7 = fneg double %unit.i
  %sign.sroa.0.0.i = select i1 %_97.i, double %7, double %unit.i
  %_56.i = fmul double %sign.sroa.0.0.i, %r.i16
  %_58.i = fmul double %sign.sroa.0.0.i, %rest.i
  br label %_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit

bb1.i:
  %8 = tail call double @llvm.fma.f64(double %0, double 0x3FE45F306DC9C883, double 0x4338000000000000)
  %n.i = fadd double %8, 0xC338000000000000
  %9 = tail call double @llvm.fma.f64(double %n.i, double 0xBFF921FB54442D18, double %0)
  %low.i = fmul double %n.i, 0x3C91A62633145C07
  %_9.i = fneg double %low.i
  %10 = tail call double @llvm.fma.f64(double %n.i, double 0x3C91A62633145C07, double %_9.i)
  %11 = tail call double @llvm.fma.f64(double %n.i, double 0xB91F1976B7ED8FBC, double %10)
  %r.i = fsub double %9, %low.i
  %_12.i = bitcast double %8 to i64
  %_11.i = trunc i64 %_12.i to i32
  %_15.i = fsub double %9, %r.i
  %_14.i = fsub double %_15.i, %low.i
  %_13.i = fsub double %_14.i, %11
  br label %_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit

_ZN11device_math6double12reduce_angle17h65e0bc24e014f190E.exit:
  %_5.sroa.1030.0 = phi double [ %_13.i, %bb1.i ], [ %_58.i, %bb1.i13 ], [ 0.000000e+00, %bb2.i ]
  %_5.sroa.6.0 = phi i32 [ %_11.i, %bb1.i ], [ %quadrant.i, %bb1.i13 ], [ 0, %bb2.i ]
  %_5.sroa.0.0 = phi double [ %r.i, %bb1.i ], [ %_56.i, %bb1.i13 ], [ 0x7FF8000000000000, %bb2.i ]
  %_29 = fmul double %_5.sroa.0.0, %_5.sroa.0.0
  %12 = tail call double @llvm.fma.f64(double %_29, double 0xBDA8FA4DC8C4C88D, double 0x3E21EE9D9A823360)
  %13 = tail call double @llvm.fma.f64(double %12, double %_29, double 0xBE927E4F7EFFF1AD)
  %14 = tail call double @llvm.fma.f64(double %13, double %_29, double 0x3EFA01A019C8F318)
  %15 = tail call double @llvm.fma.f64(double %14, double %_29, double 0xBF56C16C16C1502B)
  %16 = tail call double @llvm.fma.f64(double %15, double %_29, double 0x3FA555555555554B)
  %17 = tail call double @llvm.fma.f64(double %_29, double 0x3DE5D86B33180C67, double 0xBE5AE5E3BDEF007E)
  %18 = tail call double @llvm.fma.f64(double %17, double %_29, double 0x3EC71DE3541A8795)
  %19 = tail call double @llvm.fma.f64(double %18, double %_29, double 0xBF2A01A019BD3371)
  %20 = tail call double @llvm.fma.f64(double %19, double %_29, double 0x3F8111111110F686)
  %21 = tail call double @llvm.fma.f64(double %20, double %_29, double 0xBFC5555555555548)
  %_41 = fmul double %_29, %_29
  %_35 = fmul double %_29, 5.000000e-01
  %c = fsub double 1.000000e+00, %_35
  %_39 = fsub double 1.000000e+00, %c
  %_38 = fsub double %_39, %_35
  %_31 = fmul double %_5.sroa.0.0, %_29
  %_34 = fmul double %_29, -5.000000e-01
  %22 = tail call double @llvm.fma.f64(double %_34, double %_5.sroa.1030.0, double %_5.sroa.1030.0)
  %23 = tail call double @llvm.fma.f64(double %_31, double %21, double %22)
  %sine = fadd double %_5.sroa.0.0, %23
  %_9 = fsub double %_5.sroa.0.0, %sine
  %sine_rest = fadd double %23, %_9
  %_44 = fneg double %_5.sroa.0.0
  %_43 = fmul double %_5.sroa.1030.0, %_44
  %24 = tail call double @llvm.fma.f64(double %_41, double %16, double %_43)
  %c_tail = fadd double %_38, %24
  %cosine = fadd double %c, %c_tail
  %_12 = fsub double %c, %cosine
  %cosine_rest = fadd double %c_tail, %_12
  %_14 = and i32 %_5.sroa.6.0, 1
  %is_odd.not = icmp eq i32 %_14, 0
  %_17 = fneg double %cosine
  %25 = select i1 %is_odd.not, double %sine, double %_17
  %_19 = fneg double %cosine_rest
  %26 = select i1 %is_odd.not, double %sine_rest, double %_19
  %27 = select i1 %is_odd.not, double %cosine, double %sine
  %28 = select i1 %is_odd.not, double %cosine_rest, double %sine_rest
  %_45 = tail call noundef double @llvm.nvvm.rcp.approx.ftz.d(double noundef %27)
  %_47 = fneg double %27
  %29 = tail call double @llvm.fma.f64(double %_47, double %_45, double 1.000000e+00)
  %30 = tail call double @llvm.fma.f64(double %29, double %29, double %29)
  %31 = tail call double @llvm.fma.f64(double %_45, double %30, double %_45)
  %32 = tail call double @llvm.fma.f64(double %_47, double %31, double 1.000000e+00)
  %33 = tail call double @llvm.fma.f64(double %31, double %32, double %31)
  %quotient = fmul double %25, %33
  %_25 = fneg double %quotient
  %34 = tail call double @llvm.fma.f64(double %_25, double %27, double %25)
  %_26 = fadd double %26, %34
  %35 = tail call double @llvm.fma.f64(double %_25, double %28, double %_26)
  %36 = tail call double @llvm.fma.f64(double %35, double %33, double %quotient)
  %_52 = bitcast double %36 to i64
  %_54 = bitcast double %x to i64
  %_53 = and i64 %_54, -9223372036854775808
  %_51 = xor i64 %_53, %_52
  %_0 = bitcast i64 %_51 to double
  ret double %_0
}

define noundef float @tile_tanh_f32(float noundef %x) #0 {
start:
  %0 = tail call float @llvm.fabs.f32(float %x)
  %_3 = fcmp olt float %0, 0x3FE4CCCCC0000000
  br i1 %_3, label %bb1, label %bb3

bb3:
  %_9 = fmul float %0, 0x4007154760000000
  %exp = tail call noundef float @llvm.nvvm.ex2.approx.ftz.f(float noundef %_9)
  %_12 = fadd float %exp, 1.000000e+00
  %_11 = tail call noundef float @llvm.nvvm.rcp.approx.ftz.f(float noundef %_12)
  %1 = tail call float @llvm.fma.f32(float %_11, float -2.000000e+00, float 1.000000e+00)
  br label %bb4

bb1:
  %z = fmul float %x, %x
  %2 = tail call float @llvm.fma.f32(float %z, float 0xBF76698060000000, float 0x3F94EB41E0000000)
  %3 = tail call float @llvm.fma.f32(float %2, float %z, float 0xBFAB7B4AA0000000)
  %4 = tail call float @llvm.fma.f32(float %3, float %z, float 0x3FC11031A0000000)
  %5 = tail call float @llvm.fma.f32(float %4, float %z, float 0xBFD5555200000000)
  %_6 = fmul float %0, %z
  %6 = tail call float @llvm.fma.f32(float %_6, float %5, float %0)
  br label %bb4

bb4:
  %.sink = phi float [ %6, %bb1 ], [ %1, %bb3 ]
  %7 = tail call float @llvm.copysign.f32(float %.sink, float %x)
  ret float %7
}

define noundef double @tile_tanh_f64(double noundef %x) #0 {
start:
  %0 = tail call double @llvm.fabs.f64(double %x)
  %_3 = fcmp olt double %0, 6.500000e-01
  br i1 %_3, label %bb1, label %bb3

bb3:
  %_8 = fcmp ogt double %0, 2.000000e+01
  %a.sroa.0.0 = select i1 %_8, double 2.000000e+01, double %0
  %_13 = fmul double %a.sroa.0.0, 2.000000e+00
  %1 = tail call double @llvm.fma.f64(double %_13, double 0x3FF71547652B82FE, double 0x4338000000000000)
  %_12.i = fadd double %1, 0xC338000000000000
  %2 = tail call double @llvm.fma.f64(double %_12.i, double 0xBFE62E42FEFA39EF, double %_13)
  %3 = tail call double @llvm.fma.f64(double %_12.i, double 0xBC7ABC9E3B39803F, double 0.000000e+00)
  %r.i = fadd double %2, %3
  %4 = tail call double @llvm.fma.f64(double %r.i, double 0x3E5AD7E6D96F15F8, double 0x3E928B169186BEEA)
  %5 = tail call double @llvm.fma.f64(double %4, double %r.i, double 0x3EC71DF2CD14E6FA)
  %6 = tail call double @llvm.fma.f64(double %5, double %r.i, double 0x3EFA01995EC4DCC8)
  %7 = tail call double @llvm.fma.f64(double %6, double %r.i, double 0x3F2A01A0123D7586)
  %8 = tail call double @llvm.fma.f64(double %7, double %r.i, double 0x3F56C16C1859CB70)
  %9 = tail call double @llvm.fma.f64(double %8, double %r.i, double 0x3F8111111112989B)
  %10 = tail call double @llvm.fma.f64(double %9, double %r.i, double 0x3FA555555555024E)
  %11 = tail call double @llvm.fma.f64(double %10, double %r.i, double 0x3FC55555555554F0)
  %12 = tail call double @llvm.fma.f64(double %11, double %r.i, double 0x3FE000000000000B)
  %_17.i = bitcast double %1 to i64
  %_19.i = fsub double %2, %r.i
  %r_rest.i = fadd double %3, %_19.i
  %_4.i = fmul double %r.i, %r.i
  %13 = tail call double @llvm.fma.f64(double %r.i, double %r_rest.i, double %r_rest.i)
  %14 = tail call double @llvm.fma.f64(double %_4.i, double %12, double %13)
  %high.i = fadd double %r.i, 1.000000e+00
  %_10.i18 = fsub double 1.000000e+00, %high.i
  %_9.i = fadd double %r.i, %_10.i18
  %_8.i19 = fadd double %_9.i, %14
  %_30 = shl i64 %_17.i, 52
  %_28 = add i64 %_30, 4607182418800017408
  %power = bitcast i64 %_28 to double
  %exp = fadd double %high.i, %_8.i19
  %_17 = fsub double %high.i, %exp
  %exp_rest = fadd double %_8.i19, %_17
  %15 = tail call double @llvm.fma.f64(double %exp, double %power, double 1.000000e+00)
  %_22 = fneg double %15
  %16 = tail call double @llvm.fma.f64(double %exp, double %power, double %_22)
  %_20 = fadd double %16, 1.000000e+00
  %17 = tail call double @llvm.fma.f64(double %exp_rest, double %power, double %_20)
  %_31 = tail call noundef double @llvm.nvvm.rcp.approx.ftz.d(double noundef %15)
  %18 = tail call double @llvm.fma.f64(double %_22, double %_31, double 1.000000e+00)
  %19 = tail call double @llvm.fma.f64(double %18, double %18, double %18)
  %20 = tail call double @llvm.fma.f64(double %_31, double %19, double %_31)
  %21 = tail call double @llvm.fma.f64(double %_22, double %20, double 1.000000e+00)
  %22 = tail call double @llvm.fma.f64(double %20, double %21, double %20)
  %_26 = fneg double %17
  %_25 = fmul double %22, %_26
  %23 = tail call double @llvm.fma.f64(double %_25, double %22, double %22)
  %24 = tail call double @llvm.fma.f64(double %23, double -2.000000e+00, double 1.000000e+00)
  br label %bb8

bb1:
  %z = fmul double %x, %x
  %25 = tail call double @llvm.fma.f64(double %z, double 0x3ED71E72C17F39C6, double 0xBEFE58B9E56BCBE1)
  %26 = tail call double @llvm.fma.f64(double %25, double %z, double 0x3F17AA8D0E9EA264)
  %27 = tail call double @llvm.fma.f64(double %26, double %z, double 0xBF2EF78E545C7B20)
  %28 = tail call double @llvm.fma.f64(double %27, double %z, double 0x3F434E556FB3D601)
  %29 = tail call double @llvm.fma.f64(double %28, double %z, double 0xBF57D97856D453AD)
  %30 = tail call double @llvm.fma.f64(double %29, double %z, double 0x3F6D6D2F8CBE7BEA)
  %31 = tail call double @llvm.fma.f64(double %30, double %z, double 0xBF8226E303818D2D)
  %32 = tail call double @llvm.fma.f64(double %31, double %z, double 0x3F9664F485A996EB)
  %33 = tail call double @llvm.fma.f64(double %32, double %z, double 0xBFABA1BA1B963A0F)
  %34 = tail call double @llvm.fma.f64(double %33, double %z, double 0x3FC11111111103D3)
  %35 = tail call double @llvm.fma.f64(double %34, double %z, double 0xBFD555555555554B)
  %_6 = fmul double %0, %z
  %36 = tail call double @llvm.fma.f64(double %_6, double %35, double %0)
  br label %bb8

bb8:
  %.sink = phi double [ %36, %bb1 ], [ %24, %bb3 ]
  %37 = tail call double @llvm.copysign.f64(double %.sink, double %x)
  ret double %37
}
