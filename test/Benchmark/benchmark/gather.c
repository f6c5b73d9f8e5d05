// What the memory system gives a walk over edges: rows of `width` floats of a table, read in the order of `indices` and added up in registers,
// each thread its own stretch; and a plain sum over an array. Nothing is written but one number a thread.
#include <omp.h>
#include <stdint.h>

typedef float vector __attribute__((vector_size(64), aligned(4)));
enum { LANES = 16 };

// As many rows as it takes; returns seconds of one pass over all indices.
double gather(const float *table, int64_t stride, int64_t width, const int32_t *indices, int64_t count, int threads, float *sums) {
  double start = omp_get_wtime();
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    int64_t begin = count * me / threads, end = count * (me + 1) / threads;
    vector sum[8] = {{0}};
    for (int64_t i = begin; i < end; ++i) {
      const float *row = table + (int64_t)indices[i] * stride;
      if (i + 16 < end) {
        const float *ahead = table + (int64_t)indices[i + 16] * stride;
        for (int64_t c = 0; c < width; c += LANES)
          __builtin_prefetch(ahead + c);
      }
      for (int64_t c = 0; c < width; c += LANES)
        sum[c / LANES % 8] += *(const vector *)(row + c);
    }
    for (int k = 1; k < 8; ++k)
      sum[0] += sum[k];
    sums[me] = sum[0][0] + sum[0][LANES - 1];
  }
  return omp_get_wtime() - start;
}

double stream(const float *data, int64_t count, int threads, float *sums) {
  double start = omp_get_wtime();
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    int64_t begin = count / LANES * me / threads, end = count / LANES * (me + 1) / threads;
    vector sum[4] = {{0}};
    for (int64_t i = begin; i + 4 <= end; i += 4)
      for (int k = 0; k < 4; ++k)
        sum[k] += ((const vector *)data)[i + k];
    sum[0] += sum[1] + sum[2] + sum[3];
    sums[me] = sum[0][0];
  }
  return omp_get_wtime() - start;
}
