// test: run
// arg: f16 = 1.5
// arg: bf16 = -2.25
// arg: f32 = 3.14159274
// arg: f64 = -2.718281828459045
// arg: f32 = inf
// arg: f32 = nan
// Floats of four types in every conversion, and what is no number.
cuda_tile.module @kernels {
  entry @test(%a0: tile<f16>, %a1: tile<bf16>, %a2: tile<f32>, %a3: tile<f64>, %inf: tile<f32>, %nan: tile<f32>) {
    %p0 = print_tko "f %f | %f | %f | %f | %f | %f\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p1 = print_tko "e %e | %e | %e | %e | %e | %e\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p2 = print_tko "g %g | %g | %g | %g | %g | %g\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p3 = print_tko "a %a | %a | %a | %a | %a | %a\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p4 = print_tko ".3f %.3f | %.3f | %.3f | %.3f | %.3f | %.3f\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p5 = print_tko "+.2e %+.2e | %+.2e | %+.2e | %+.2e | %+.2e | %+.2e\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p6 = print_tko "10.4g %10.4g | %10.4g | %10.4g | %10.4g | %10.4g | %10.4g\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p7 = print_tko "-10.1f %-10.1f | %-10.1f | %-10.1f | %-10.1f | %-10.1f | %-10.1f\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p8 = print_tko "010.3f %010.3f | %010.3f | %010.3f | %010.3f | %010.3f | %010.3f\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p9 = print_tko "E %E | %E | %E | %E | %E | %E\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p10 = print_tko "G %G | %G | %G | %G | %G | %G\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p11 = print_tko "A %A | %A | %A | %A | %A | %A\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    %p12 = print_tko "#.0f %#.0f | %#.0f | %#.0f | %#.0f | %#.0f | %#.0f\0A", %a0, %a1, %a2, %a3, %inf, %nan : tile<f16>, tile<bf16>, tile<f32>, tile<f64>, tile<f32>, tile<f32> -> token
    return
  }
}
