// test: opt --passes=canonicalize-full
// Reductions fold where the order of the combinations cannot matter.

cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    // Fires, to rank 0.
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %r0 = reduce %a dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%xr0: tile<i32>, %accr0: tile<i32>) {
      %br0 = addi %xr0, %accr0 : tile<i32>
      yield %br0 : tile<i32>
    }
    %t0 = print_tko "r0 %i", %r0 : tile<i32> -> token
    // Fires, from rank 2.
    %m = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
    %r1 = reduce %m dim=1 identities=[-2147483648 : i32] : tile<2x2xi32> -> tile<2xi32> (%xr1: tile<i32>, %accr1: tile<i32>) {
      %br1 = maxi %xr1, %accr1 signed : tile<i32>
      yield %br1 : tile<i32>
    }
    %t1 = print_tko "r1 %i", %r1 : tile<2xi32> -> token
    // Fires on a splat of any size.
    %s = constant <i32: 3> : tile<1024x1024xi32>
    %r2 = reduce %s dim=0 identities=[0 : i32] : tile<1024x1024xi32> -> tile<1024xi32> (%xr2: tile<i32>, %accr2: tile<i32>) {
      %br2 = addi %xr2, %accr2 : tile<i32>
      yield %br2 : tile<i32>
    }
    %t2 = print_tko "r2 %i", %r2 : tile<1024xi32> -> token
    // Fires: a sum of counts.
    %i = iota : tile<128xi32>
    %r3 = reduce %i dim=0 identities=[0 : i32] : tile<128xi32> -> tile<i32> (%xr3: tile<i32>, %accr3: tile<i32>) {
      %br3 = addi %xr3, %accr3 : tile<i32>
      yield %br3 : tile<i32>
    }
    %t3 = print_tko "r3 %i", %r3 : tile<i32> -> token
    // Does not fire: the order of the differences matters.
    %r4 = reduce %a dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%xr4: tile<i32>, %accr4: tile<i32>) {
      %br4 = subi %xr4, %accr4 : tile<i32>
      yield %br4 : tile<i32>
    }
    %t4 = print_tko "r4 %i", %r4 : tile<i32> -> token
    // Does not fire: the identity is none.
    %r5 = reduce %a dim=0 identities=[1 : i32] : tile<4xi32> -> tile<i32> (%xr5: tile<i32>, %accr5: tile<i32>) {
      %br5 = addi %xr5, %accr5 : tile<i32>
      yield %br5 : tile<i32>
    }
    %t5 = print_tko "r5 %i", %r5 : tile<i32> -> token
    // Does not fire: sums of floats round in every step.
    %f = constant <f32: [1.0, 2.0, 3.0, 4.0]> : tile<4xf32>
    %r6 = reduce %f dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%xr6: tile<f32>, %accr6: tile<f32>) {
      %br6 = addf %xr6, %accr6 : tile<f32>
      yield %br6 : tile<f32>
    }
    %t6 = print_tko "r6 %f", %r6 : tile<f32> -> token
    // Fires: a sum of zeros.
    %z = constant <f32: 0.0> : tile<4xf32>
    %r7 = reduce %z dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%xr7: tile<f32>, %accr7: tile<f32>) {
      %br7 = addf %xr7, %accr7 : tile<f32>
      yield %br7 : tile<f32>
    }
    %t7 = print_tko "r7 %f", %r7 : tile<f32> -> token
    // Fires: the greatest number.
    %r8 = reduce %f dim=0 identities=[0xFF800000 : f32] : tile<4xf32> -> tile<f32> (%xr8: tile<f32>, %accr8: tile<f32>) {
      %br8 = maxf %xr8, %accr8 : tile<f32>
      yield %br8 : tile<f32>
    }
    %t8 = print_tko "r8 %f", %r8 : tile<f32> -> token
    // Does not fire: zeros of different sign.
    %g = constant <f32: [0.0, -0.0, -1.0, -2.0]> : tile<4xf32>
    %r9 = reduce %g dim=0 identities=[0xFF800000 : f32] : tile<4xf32> -> tile<f32> (%xr9: tile<f32>, %accr9: tile<f32>) {
      %br9 = maxf %xr9, %accr9 : tile<f32>
      yield %br9 : tile<f32>
    }
    %t9 = print_tko "r9 %f", %r9 : tile<f32> -> token
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<i32>) {
    %g = constant <f32: [0.000000e+00, -0.000000e+00, -1.000000e+00, -2.000000e+00]> : tile<4xf32>
    %z = constant <f32: 0.000000e+00> : tile<4xf32>
    %f = constant <f32: [1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tile<4xf32>
    %s = constant <i32: 3> : tile<1024x1024xi32>
    %m = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %r0 = reduce %a dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%xr0: tile<i32>, %accr0: tile<i32>) {
      %br0 = addi %xr0, %accr0 : tile<i32>
      yield %br0 : tile<i32>
    }
    %t0 = print_tko "r0 %i", %r0 : tile<i32> -> token
    %r1 = reduce %m dim=1 identities=[-2147483648 : i32] : tile<2x2xi32> -> tile<2xi32> (%xr1: tile<i32>, %accr1: tile<i32>) {
      %br1 = maxi %xr1, %accr1 signed : tile<i32>
      yield %br1 : tile<i32>
    }
    %t1 = print_tko "r1 %i", %r1 : tile<2xi32> -> token
    %r2 = reduce %s dim=0 identities=[0 : i32] : tile<1024x1024xi32> -> tile<1024xi32> (%xr2: tile<i32>, %accr2: tile<i32>) {
      %br2 = addi %xr2, %accr2 : tile<i32>
      yield %br2 : tile<i32>
    }
    %t2 = print_tko "r2 %i", %r2 : tile<1024xi32> -> token
    %i = iota : tile<128xi32>
    %r3 = reduce %i dim=0 identities=[0 : i32] : tile<128xi32> -> tile<i32> (%xr3: tile<i32>, %accr3: tile<i32>) {
      %br3 = addi %xr3, %accr3 : tile<i32>
      yield %br3 : tile<i32>
    }
    %t3 = print_tko "r3 %i", %r3 : tile<i32> -> token
    %r4 = reduce %a dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%xr4: tile<i32>, %accr4: tile<i32>) {
      %br4 = subi %xr4, %accr4 : tile<i32>
      yield %br4 : tile<i32>
    }
    %t4 = print_tko "r4 %i", %r4 : tile<i32> -> token
    %r5 = reduce %a dim=0 identities=[1 : i32] : tile<4xi32> -> tile<i32> (%xr5: tile<i32>, %accr5: tile<i32>) {
      %br5 = addi %xr5, %accr5 : tile<i32>
      yield %br5 : tile<i32>
    }
    %t5 = print_tko "r5 %i", %r5 : tile<i32> -> token
    %r6 = reduce %f dim=0 identities=[0.000000e+00 : f32] : tile<4xf32> -> tile<f32> (%xr6: tile<f32>, %accr6: tile<f32>) {
      %br6 = addf %xr6, %accr6 : tile<f32>
      yield %br6 : tile<f32>
    }
    %t6 = print_tko "r6 %f", %r6 : tile<f32> -> token
    %r7 = reduce %z dim=0 identities=[0.000000e+00 : f32] : tile<4xf32> -> tile<f32> (%xr7: tile<f32>, %accr7: tile<f32>) {
      %br7 = addf %xr7, %accr7 : tile<f32>
      yield %br7 : tile<f32>
    }
    %t7 = print_tko "r7 %f", %r7 : tile<f32> -> token
    %r8 = reduce %f dim=0 identities=[0xFF800000 : f32] : tile<4xf32> -> tile<f32> (%xr8: tile<f32>, %accr8: tile<f32>) {
      %br8 = maxf %xr8, %accr8 : tile<f32>
      yield %br8 : tile<f32>
    }
    %t8 = print_tko "r8 %f", %r8 : tile<f32> -> token
    %r9 = reduce %g dim=0 identities=[0xFF800000 : f32] : tile<4xf32> -> tile<f32> (%xr9: tile<f32>, %accr9: tile<f32>) {
      %br9 = maxf %xr9, %accr9 : tile<f32>
      yield %br9 : tile<f32>
    }
    %t9 = print_tko "r9 %f", %r9 : tile<f32> -> token
    return
  }
}
// rewrites:
