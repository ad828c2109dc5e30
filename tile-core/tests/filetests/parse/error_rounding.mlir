// test: parse
// Rounding modes that the parser itself refuses; those of `divf`, `sqrt`, `exp` and `tanh` are left to the verifier.

cuda_tile.module @m {
  entry @k(%f: tile<f32>, %i: tile<i32>) {
    %a = addf %f, %f rounding<approx> : tile<f32> // error[T0103]: expected `nearest_even` or `zero` or `negative_inf` or `positive_inf`, found `approx`
    %b = subf %f, %f rounding<full> : tile<f32> // error[T0103]: expected `nearest_even` or `zero` or `negative_inf` or `positive_inf`, found `full`
    %c = mulf %f, %f rounding<nearest_int_to_zero> : tile<f32> // error[T0103]: expected `nearest_even` or `zero` or `negative_inf` or `positive_inf`, found `nearest_int_to_zero`
    %d = fma %f, %f, %f rounding<up> : tile<f32> // error[T0103]: expected `nearest_even` or `zero` or `negative_inf` or `positive_inf`, found `up`
    %e = ftof %f rounding<approx> : tile<f32> -> tile<f16> // error[T0103]: expected `nearest_even` or `zero` or `negative_inf` or `positive_inf` or `nearest_away`, found `approx`
    %g = ftoi %f signed rounding<zero> : tile<f32> -> tile<i32> // error[T0103]: expected `nearest_int_to_zero`, found `zero`
    %h = itof %i signed rounding<zero> : tile<i32> -> tile<f32> // error[T0103]: expected `nearest_even`, found `zero`
    %j = divf %f, %f rounding<up> : tile<f32> // error[T0103]: expected `nearest_even` or `zero` or `negative_inf` or `positive_inf` or `approx` or `full` or `nearest_int_to_zero` or `nearest_away`, found `up`
  }
}
