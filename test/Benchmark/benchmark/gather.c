// What the memory system gives a walk over edges: rows of `width` floats of a table, read in the order of `indices` and added up in registers,
// by threads that take one stretch after the other; and a plain sum over an array. Nothing is written but one number a thread.
#include <omp.h>
#include <stdint.h>

typedef float vector __attribute__((vector_size(64), aligned(4)));
enum { LANES = 16, STRETCH = 1 << 14 };

// Of a constant width, so that sums stay in registers.
static inline __attribute__((always_inline)) float walk(const float *table, const int64_t width, const int32_t *indices, int64_t begin, int64_t end,
                                                        int64_t distance) {
  vector sum[8] = {{0}};
  for (int64_t i = begin; i < end; ++i) {
    const float *row = table + indices[i] * width, *ahead = table + indices[i + distance < end ? i + distance : end - 1] * width;
    for (int64_t c = 0; c < width; c += LANES)
      __builtin_prefetch(ahead + c);
    for (int64_t c = 0; c < width; c += LANES)
      sum[c / LANES % 8] += *(const vector *)(row + c);
  }
  for (int k = 1; k < 8; ++k)
    sum[0] += sum[k];
  return sum[0][0] + sum[0][LANES - 1];
}

// Rows are asked for `distance` ahead. Returns seconds of one pass over all indices. Widths are those of bound.py's TILES.
double gather(const float *table, int64_t width, const int32_t *indices, int64_t count, int64_t distance, int threads, float *sums) {
  double start = omp_get_wtime();
#pragma omp parallel num_threads(threads)
  {
    float sum = 0;
#pragma omp for schedule(dynamic)
    for (int64_t begin = 0; begin < count; begin += STRETCH) {
      const int64_t end = begin + STRETCH < count ? begin + STRETCH : count;
      switch (width) {
#define WIDTH(w)                                                                                                                           \
  case w:                                                                                                                                  \
    sum += walk(table, w, indices, begin, end, distance);                                                                                  \
    break;
        WIDTH(16) WIDTH(32) WIDTH(64) WIDTH(128) WIDTH(256) WIDTH(512)
      }
    }
    sums[omp_get_thread_num()] = sum;
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
