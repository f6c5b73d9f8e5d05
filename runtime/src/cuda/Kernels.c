/*===- Kernels.c - What the runtime itself runs on a GPU ---------------------===//
 *
 * Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rounding, dense products, folds of slots, ends of training steps, rows and edges of batches. scripts/device-kernels
 * compiles them to Kernels.ptx, and that to machine code for some chips, which the runtime embeds. Every number is
 * computed by one thread in a fixed order, so results have the same bits in every run.
 *
 *===-------------------------------------------------------------------------===*/

typedef long long i64;
typedef int i32;
typedef unsigned u32;
typedef unsigned long long u64;

#define KERNEL __attribute__((nvptx_kernel))
#define SHARED __attribute__((address_space(3)))
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#define BLOCK __nvvm_read_ptx_sreg_ctaid_x()
#define BLOCKS __nvvm_read_ptx_sreg_nctaid_x()
#define BLOCK_THREADS 256

/* ---- Numbers of 16 bits: core/Narrow.h ---------------------------------------------------------------------------- */

/* How a matrix is stored: DeviceKernels.cpp. */
enum { F32 = 0, BF16 = 1, F16 = 2, STORAGE_BITS = 2, STORAGE = 3 };

typedef unsigned short narrow;
union bits {
  float number;
  u32 bits;
};

static inline float number_of(u32 bits) { return (union bits){.bits = bits}.number; }
static inline u32 bits_of(float number) { return (union bits){number}.bits; }

static inline float widened_f16(narrow number) {
  u32 magnitude = number & 0x7fff, sign = (u32)(number & 0x8000) << 16;
  u32 scaled = bits_of(number_of(magnitude << 13) * 0x1p112f);
  return number_of(sign | scaled | (magnitude >= 0x7c00 ? 0x7f800000 : 0));
}

static inline narrow rounded_f16(float number) {
  u32 wide = bits_of(number), magnitude = wide & 0x7fffffff;
  u32 subnormal = bits_of(number_of(magnitude) + 0.5f) - bits_of(0.5f);
  u32 normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  u32 finite = magnitude < 113u << 23 ? subnormal : normal;
  u32 other = magnitude > 0x7f800000 ? 0x7e00 | (magnitude >> 13 & 0x3ff) : 0x7c00;
  return (wide >> 16 & 0x8000) | (magnitude < 143u << 23 ? finite : other);
}

static inline float widened(u32 storage, narrow number) {
  return storage == F16 ? widened_f16(number) : number_of((u32)number << 16);
}

static inline narrow rounded(u32 storage, float number) {
  u32 bits = bits_of(number);
  if (storage == F16)
    return rounded_f16(number);
  return number == number ? (bits + 0x7fff + (bits >> 16 & 1)) >> 16 : bits >> 16 | 0x40;
}

KERNEL void gnn_round(const float *from, narrow *to, i64 count, u32 storage) {
  i64 i = (i64)BLOCK * BLOCK_THREADS + THREAD;
  if (i < count)
    to[i] = rounded(storage, from[i]);
}

/* ---- Products ----------------------------------------------------------------------------------------------------- */

enum { TILE = 64, DEPTH = 16, PER_THREAD = 4, SIDE = TILE / PER_THREAD };
typedef float tile_t[DEPTH][TILE + 1]; /* one more: neighbours in a column lie in different banks */

/* Rows [first, first + TILE) of a matrix with `rows` rows at depths [begin, begin + DEPTH) below `end`; 0 outside. */
static inline void load(SHARED tile_t *tile, const void *matrix, u32 storage, i64 row_stride, i64 depth_stride, i64 first,
                        i64 rows, i64 begin, i64 end) {
  for (u32 i = THREAD; i < TILE * DEPTH; i += BLOCK_THREADS) {
    /* Neighbouring threads read neighbouring numbers. */
    u32 row = depth_stride == 1 ? i / DEPTH : i % TILE, depth = depth_stride == 1 ? i % DEPTH : i / TILE;
    i64 at_row = first + row, at_depth = begin + depth;
    i64 at = at_row * row_stride + at_depth * depth_stride;
    (*tile)[depth][row] = at_row >= rows || at_depth >= end ? 0.0f
                          : storage == F32                  ? ((const float *)matrix)[at]
                                                            : widened(storage, ((const narrow *)matrix)[at]);
  }
}

/* c[s] = a b over the s-th `slot_depth` of `depth`, for a of m rows and b of n columns; c is [slots, m, n]. A block does
 * one tile of one slot, tiles row by row, slot after slot. `storages` has how a, b and c are stored, a in the lowest bits. */
KERNEL void gnn_multiply(const void *a, i64 a_row, i64 a_depth, const void *b, i64 b_column, i64 b_depth, void *c, i64 m,
                         i64 n, i64 depth, i64 slot_depth, u32 storages) {
  static SHARED tile_t left, right;
  const i64 across = (n + TILE - 1) / TILE, tiles = (m + TILE - 1) / TILE * across;
  const i64 slot = BLOCK / tiles, tile = BLOCK % tiles;
  const i64 first_row = tile / across * TILE, first_column = tile % across * TILE;
  const i64 begin = slot * slot_depth, end = begin + slot_depth < depth ? begin + slot_depth : depth;
  const u32 x = THREAD % SIDE, y = THREAD / SIDE;
  const u32 of_a = storages & STORAGE, of_b = storages >> STORAGE_BITS & STORAGE, of_c = storages >> 2 * STORAGE_BITS;
  float sums[PER_THREAD][PER_THREAD] = {};
  for (i64 at = begin; at < end; at += DEPTH) {
    load(&left, a, of_a, a_row, a_depth, first_row, m, at, end);
    load(&right, b, of_b, b_column, b_depth, first_column, n, at, end);
    __syncthreads();
    for (u32 d = 0; d < DEPTH; ++d)
      for (u32 i = 0; i < PER_THREAD; ++i)
        for (u32 j = 0; j < PER_THREAD; ++j)
          sums[i][j] = __builtin_fmaf(left[d][y + i * SIDE], right[d][x + j * SIDE], sums[i][j]);
    __syncthreads();
  }
#pragma unroll /* or the sums are in memory */
  for (u32 i = 0; i < PER_THREAD; ++i)
#pragma unroll
    for (u32 j = 0; j < PER_THREAD; ++j) {
      i64 row = first_row + y + i * SIDE, column = first_column + x + j * SIDE;
      i64 at = (slot * m + row) * n + column;
      if (row >= m || column >= n)
        continue;
      if (of_c == F32)
        ((float *)c)[at] = sums[i][j];
      else
        ((narrow *)c)[at] = rounded(of_c, sums[i][j]);
    }
}

/* ---- Folds -------------------------------------------------------------------------------------------------------- */

/* program.h says which of two numbers is the larger where there are NaNs. */
#define SUM(a, b) (a) + (b)
#define MAX(a, b) (b) > (a) || ((a) == (a) && (b) != (b)) ? (b) : (a)
#define MIN(a, b) (b) < (a) || ((a) == (a) && (b) != (b)) ? (b) : (a)

/* result[i] = fold of the i-th number of every slot, in order. Slots are `stride` bytes apart. */
#define FOLD(name, T, OP)                                                                                              \
  KERNEL void name(T *result, const char *slots, i64 stride, i64 num_slots, i64 count) {                               \
    i64 i = (i64)BLOCK * BLOCK_THREADS + THREAD;                                                                       \
    if (i >= count)                                                                                                    \
      return;                                                                                                          \
    T total = ((const T *)slots)[i];                                                                                   \
    for (i64 s = 1; s < num_slots; ++s) {                                                                              \
      T next = ((const T *)(slots + s * stride))[i];                                                                   \
      total = OP(total, next);                                                                                         \
    }                                                                                                                  \
    result[i] = total;                                                                                                 \
  }

FOLD(gnn_fold_sum_f32, float, SUM)
FOLD(gnn_fold_max_f32, float, MAX)
FOLD(gnn_fold_min_f32, float, MIN)
FOLD(gnn_fold_sum_i32, i32, SUM)
FOLD(gnn_fold_max_i32, i32, MAX)
FOLD(gnn_fold_min_i32, i32, MIN)
FOLD(gnn_fold_sum_i64, i64, SUM)
FOLD(gnn_fold_max_i64, i64, MAX)
FOLD(gnn_fold_min_i64, i64, MIN)

/* ---- Optimizers: engine/Update.h ----------------------------------------------------------------------------------- */

/* DeviceKernels::StepNumbers. */
struct step_numbers {
  unsigned long long key;
  float rate, step_size, root_correction;
};

/* DeviceKernels::StepVerdict. What a step says that has a number that is infinite or none is not learnt. */
enum { NOTHING = 0x7fffffff };
struct step_verdict {
  float loss;
  i32 refused_by;
};
static inline int is_learnt(const struct step_verdict *verdict) { return verdict->refused_by == NOTHING; }

/* DeviceKernels::CheckedResult. */
struct checked_result {
  const u32 *words;
  i64 count;
  u32 stride, exponent;
};

/* Stores the least `first` of the threads of the block. */
static inline void store_least(SHARED i32 *least, i32 first, i32 *result) {
  least[THREAD] = first;
  for (u32 half = BLOCK_THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (THREAD < half && least[THREAD + half] < least[THREAD])
      least[THREAD] = least[THREAD + half];
  }
  if (THREAD == 0)
    *result = least[0];
}

/* found[block] = the first of the results in which the block finds a number that is not finite. */
KERNEL void gnn_check_step(const struct checked_result *results, i64 count, i32 *found) {
  static SHARED i32 least[BLOCK_THREADS];
  i32 first = NOTHING;
  for (i32 r = (i32)count - 1; r >= 0; --r)
    for (i64 i = (i64)BLOCK * BLOCK_THREADS + THREAD; i < results[r].count; i += (i64)BLOCKS * BLOCK_THREADS)
      if ((results[r].words[i * results[r].stride] & results[r].exponent) == results[r].exponent)
        first = r;
  store_least(least, first, &found[BLOCK]);
}

/* By one block. */
KERNEL void gnn_step_verdict(const i32 *found, i64 count, const float *loss, struct step_verdict *verdict) {
  static SHARED i32 least[BLOCK_THREADS];
  i32 first = NOTHING;
  for (i64 i = THREAD; i < count; i += BLOCK_THREADS)
    first = found[i] < first ? found[i] : first;
  store_least(least, first, &verdict->refused_by);
  if (THREAD == 0)
    verdict->loss = *loss;
}

KERNEL void gnn_update_sgd(const struct step_numbers *now, const struct step_verdict *verdict, float *p, const float *g, i64 count,
                           float l2) {
  i64 i = (i64)BLOCK * BLOCK_THREADS + THREAD;
  if (i < count && is_learnt(verdict))
    p[i] -= now->rate * (g[i] + l2 * p[i]);
}

KERNEL void gnn_update_adam(const struct step_numbers *now, const struct step_verdict *verdict, float *p, const float *g, float *m,
                            float *v, i64 count, float l2, float shrink, float beta1, float rest1, float beta2,
                            float rest2, float epsilon) {
  i64 i = (i64)BLOCK * BLOCK_THREADS + THREAD;
  if (i >= count || !is_learnt(verdict))
    return;
  float gradient = g[i] + l2 * p[i];
  m[i] = beta1 * m[i] + rest1 * gradient;
  v[i] = beta2 * v[i] + rest2 * gradient * gradient;
  p[i] = shrink * p[i] - now->step_size * m[i] / (__builtin_sqrtf(v[i]) * now->root_correction + epsilon);
}

/* A state becomes its next value. */
KERNEL void gnn_update_state(const struct step_verdict *verdict, char *state, const char *next, i64 bytes) {
  i64 i = (i64)BLOCK * BLOCK_THREADS + THREAD;
  if (i < bytes && is_learnt(verdict))
    state[i] = next[i];
}

/* ---- Gradients of bounded size: cpu/ClipGradients.h ---------------------------------------------------------------- */

/* Stores the sum of what the threads of the block have, in an order that is always the same. */
static inline void store_sum(SHARED double *sums, double sum, double *result) {
  sums[THREAD] = sum;
  for (u32 half = BLOCK_THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (THREAD < half)
      sums[THREAD] += sums[THREAD + half];
  }
  if (THREAD == 0)
    *result = sums[0];
}

/* squares[block] = the squares of those numbers of the gradients that the block sees, added up. */
KERNEL void gnn_gradient_squares(const struct checked_result *gradients, i64 count, double *squares) {
  static SHARED double sums[BLOCK_THREADS];
  double sum = 0;
  for (i32 r = 0; r < (i32)count; ++r) {
    const float *g = (const float *)gradients[r].words;
    for (i64 i = (i64)BLOCK * BLOCK_THREADS + THREAD; i < gradients[r].count; i += (i64)BLOCKS * BLOCK_THREADS)
      sum += (double)g[i] * (double)g[i];
  }
  store_sum(sums, sum, &squares[BLOCK]);
}

/* squares[0] = the factor by which gradients become no larger than `most`, at most 1. By one block. */
KERNEL void gnn_gradient_factor(double *squares, i64 count, double most, double epsilon) {
  static SHARED double sums[BLOCK_THREADS];
  double sum = 0;
  for (i64 i = THREAD; i < count; i += BLOCK_THREADS)
    sum += squares[i];
  store_sum(sums, sum, &squares[0]);
  if (THREAD == 0) {
    double factor = most / (__builtin_sqrt(squares[0]) + epsilon);
    squares[0] = factor < 1 ? factor : 1;
  }
}

KERNEL void gnn_scale_gradients(const struct checked_result *gradients, i64 count, const double *factor) {
  if (*factor >= 1)
    return;
  for (i32 r = 0; r < (i32)count; ++r) {
    float *g = (float *)gradients[r].words;
    for (i64 i = (i64)BLOCK * BLOCK_THREADS + THREAD; i < gradients[r].count; i += (i64)BLOCKS * BLOCK_THREADS)
      g[i] *= (float)*factor;
  }
}

/* ---- Rows of batches: engine/RowPicks.h ---------------------------------------------------------------------------- */

typedef u32 line __attribute__((vector_size(16)));

/* As KeptTable. */
struct kept_table {
  const void *rows;
  u32 first;
};

/* Rows of so many units, a thread each. */
#define PICK(name, T)                                                                                                  \
  KERNEL void name(T *to, const struct kept_table *kept, u32 num_tables, const T *others, const u32 *places,           \
                   u32 num_kept, i64 count, i64 units) {                                                               \
    i64 i = (i64)BLOCK * BLOCK_THREADS + THREAD;                                                                       \
    if (i >= count * units)                                                                                            \
      return;                                                                                                          \
    u32 place = places[i / units], first = num_kept, table = num_tables;                                               \
    const T *from = others;                                                                                            \
    if (place < num_kept) {                                                                                            \
      while (kept[--table].first > place)                                                                              \
        ;                                                                                                              \
      from = (const T *)kept[table].rows;                                                                              \
      first = kept[table].first;                                                                                       \
    }                                                                                                                  \
    to[i] = from[(place - first) * units + i % units];                                                                 \
  }

PICK(gnn_pick_lines, line)
PICK(gnn_pick_words, u32)
PICK(gnn_pick_bytes, char)

/* ---- Edges of batches: sample/Drawing.h -------------------------------------------------------------------------- */

/* core/Random.h */
#define GOLDEN_GAMMA 0x9e3779b97f4a7c15ull

static inline u64 mix(u64 z) {
  z ^= z >> 30;
  z *= 0xbf58476d1ce4e5b9ull;
  z ^= z >> 27;
  z *= 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

/* Rows of edges that a device keeps: those from `first` on of all that are kept, where the edges of each begin, one
 * more than rows, and their cols. */
struct kept_edges {
  const u32 *offsets, *cols;
  u32 first;
};

/* DeviceEdges. Each of `count` rows, a thread each, draws at most `most` of its edges: drawUniform, or drawRepeated, by
 * the row's id, which is its number where there are no ids. A row that is kept, the one at kept_places[i] of all that
 * are, is read where it is kept, others (UINT32_MAX; no kept_places: all) of memory of the host. What is drawn of row i
 * is at i, i + count, ...: numbers of edges in their row first, then their cols, and their places in the whole
 * relation, if these are wanted. seen[i]: how many. */
KERNEL void gnn_draw_edges(const i64 *offsets, const u32 *cols, const struct kept_edges *kept, u32 num_tables,
                           const u32 *rows, const u32 *kept_places, const i64 *ids, i64 count, u64 seed, u32 most,
                           u32 repeats, u32 *seen, u32 *drawn, i64 *places) {
  const i64 i = (i64)BLOCK * BLOCK_THREADS + THREAD;
  if (i >= count)
    return;
  const u32 row = rows[i], at = kept_places ? kept_places[i] : ~0u;
  const u32 is_kept = at != ~0u;
  const u32 *from = cols;
  i64 first, end;
  if (is_kept) {
    u32 table = num_tables;
    while (kept[--table].first > at)
      ;
    const u32 *begins = kept[table].offsets + (at - kept[table].first);
    from = kept[table].cols;
    first = begins[0];
    end = begins[1];
  } else {
    first = offsets[row];
    end = offsets[row + 1];
  }
  const i64 degree = end - first;
  const u32 number = degree == 0 ? 0 : repeats || degree > most ? most : (u32)degree;
  const u32 is_all = number == degree && !repeats;
  u64 state = mix(seed + mix((u64)(ids ? ids[i] : row) + GOLDEN_GAMMA));
  drawn += i;
  for (u32 k = 0; k < number; ++k) {
    const u64 last = degree - number + k;
    u32 next = k, slot = k;
    if (!is_all) {
      next = (u32)__nvvm_mulhi_ull(mix(state += GOLDEN_GAMMA), repeats ? (u64)degree : last + 1);
      while (slot > 0 && drawn[(slot - 1) * count] >= next)
        --slot;
      if (!repeats && slot < k && drawn[slot * count] == next) {
        next = (u32)last; /* larger than all before it */
        slot = k;
      }
    }
    for (u32 later = k; later > slot; --later)
      drawn[later * count] = drawn[(later - 1) * count];
    drawn[slot * count] = next;
  }
  seen[i] = number;
  const i64 place = !places ? 0 : is_kept ? offsets[row] : first;
  for (u32 k = 0; k < number; ++k) {
    const u32 edge = drawn[k * count];
    if (places)
      places[i + k * count] = place + edge;
    drawn[k * count] = from[first + edge];
  }
}
