/* What candle needs of cuBLAS and cuRAND to make a device, where they are not installed: handles without a meaning.
 * Products return an error. `cargo xtask interop --cuda` links the tests with it. */

enum { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_SUPPORTED = 15, CURAND_STATUS_SUCCESS = 0 };

static int object;

int cublasCreate_v2(void **handle) { *handle = &object; return CUBLAS_STATUS_SUCCESS; }
int cublasDestroy_v2(void *handle) { (void)handle; return CUBLAS_STATUS_SUCCESS; }
int cublasSetStream_v2(void *handle, void *stream) { (void)handle; (void)stream; return CUBLAS_STATUS_SUCCESS; }
int cublasDgemmStridedBatched(void) { return CUBLAS_STATUS_NOT_SUPPORTED; }
int cublasGemmStridedBatchedEx(void) { return CUBLAS_STATUS_NOT_SUPPORTED; }

int curandCreateGenerator(void **generator, int kind) { (void)kind; *generator = &object; return CURAND_STATUS_SUCCESS; }
int curandDestroyGenerator(void *generator) { (void)generator; return CURAND_STATUS_SUCCESS; }
int curandSetStream(void *generator, void *stream) { (void)generator; (void)stream; return CURAND_STATUS_SUCCESS; }
int curandSetPseudoRandomGeneratorSeed(void *generator, unsigned long long seed) {
    (void)generator;
    (void)seed;
    return CURAND_STATUS_SUCCESS;
}
