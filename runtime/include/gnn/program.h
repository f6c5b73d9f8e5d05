/* The layout of a compiled library: what `gnnc` writes into model.so and what the runtime walks.
 *
 * This is the one header that the compiler and the runtime share. It is plain C11, fixed-width, pointer-and-integer only.
 * Programs link a `gnn_library_t` by a symbol named after its library, `gcn_library`; shared ones have it as `gnn_library_v1` too.
 * The runtime checks `magic`, `abi_version` and `size`s first. Fields up to `manifest_bytes` stay where they are in every version.
 *
 * Words: a *block* is a bipartite piece of a relation: `num_rows` group vertices, each with a run of edges to neighbours ("cols").
 * A sweep that aggregates to destinations runs over CSR-by-destination (rows = destinations, cols = sources);
 * one that aggregates to sources runs over the reverse CSR (rows = sources, cols = destinations). Kernels see only rows and cols.
 */
#ifndef GNN_PROGRAM_H
#define GNN_PROGRAM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GNN_LIBRARY_MAGIC 0x4c4e4e47u /* "GNNL" */
#define GNN_ABI_VERSION 13u
#define GNN_LIBRARY_SYMBOL "gnn_library_v1"
/* Rows are folded in segments of this many edges by position in the row, then left to right, in every mode of execution. */
#define GNN_SEGMENT_LENGTH 1024
/* Totals over vertices are folded in slots of this many rows, then in slot order; over no vertices they are 0. */
#define GNN_SLOT_ROWS 512
/* A pass of a sweep begins at a multiple of this many elements of the last dimension, and ends at one or with the row. */
#define GNN_PASS_ELEMENTS 32

/* ---- What a kernel is called with ---------------------------------------------------------------------------------------- */

/* Keys of the counter-based random numbers; lives in memory so that a captured step can be replayed. See
 * docs/dev/abi.md. */
typedef struct gnn_random_t {
  uint64_t step_key; /* mix of the user's seed and the step number */
} gnn_random_t;

typedef struct gnn_block_t {
  uint32_t size;
  uint32_t reserved;
  int64_t num_rows;
  int64_t num_cols;
  const int64_t *offsets;   /* [num_rows] first edge of each row; of a whole graph, [num_rows + 1] */
  const int64_t *ends;      /* [num_rows] one past its last edge: offsets + 1 where the rows lie one after the other */
  const uint32_t *cols;     /* [edges] local index of the neighbour */
  const int64_t *row_id;    /* [num_rows] original vertex id, or NULL: the row index itself */
  const int64_t *col_id;    /* [num_cols] original vertex id, or NULL: the col index itself */
  const int64_t *edge_id;   /* [edges] original edge id, or NULL: in edge_id32 */
  const uint32_t *edge_id32; /* [edges] the same where ids fit, or NULL; if both are: the position itself */
  const int32_t *edge_type; /* [edges] in [0, types of the relation), which executors check, -1 of added loops; or NULL */
  const int64_t *row_pos;   /* [num_rows] position in the whole row of this block's first edge, or NULL: 0 */
} gnn_block_t;

enum {
  GNN_SWEEP_FIRST = 1, /* start from the identity; otherwise from the spilled state */
  GNN_SWEEP_LAST = 2,  /* run the epilogue and write the outputs; otherwise spill the state */
  GNN_SWEEP_PREFETCH = 4, /* cols outgrow the caches: ask for their rows ahead */
  GNN_SWEEP_IN_ORDER = 8, /* spilled states are those of the edges before row_pos, never merged: where it is less than
                             GNN_SEGMENT_LENGTH there is no total yet, and none is read or written */
  GNN_SWEEP_ROWS_APART = 16 /* edges of other blocks lie between those of one row and the next */
};

/* One call handles rows [begin, end) of a block (sweep), of a vertex table (map), and touches no other row's outputs.
 * `tensors[i]` is the base of the i-th operand of the kernel, in the order of `gnn_kernel_t::operands`: row 0 of the block's row table
 * (GNN_ACCESS_ROW), of its col table (GNN_ACCESS_COL), edge id 0 (GNN_ACCESS_EDGE), or the whole tensor (GNN_ACCESS_WHOLE). */
typedef struct gnn_kernel_args_t {
  uint32_t size;
  uint32_t flags;
  const int64_t *extents;     /* values of the library's extent table */
  const gnn_random_t *random; /* NULL if the kernel draws nothing */
  const gnn_block_t *block;   /* NULL for maps without ids; a map with GNN_KERNEL_ROW_ID reads row_id from it */
  void *const *tensors;
  void *scratch;              /* kernel's scratch_bytes, private to the caller's thread, 64-byte aligned */
  void *state;                /* sweep: [num_rows] rows of state_bytes; kernel with totals: one slot of state_bytes, which holds
                                 the identities of the totals' folds or what they are so far, and into which the kernel folds */
  const void *state_in;       /* merge: the right-hand state, same layout */
  int64_t pass_begin, pass_end; /* kernels with `passes`: the elements of the last dimension to compute. A row of `state` is
                                   then (pass_end - pass_begin) * state_bytes long */
  int64_t col_stride;         /* the same: elements from a row to the next of the operands by GNN_ACCESS_COL that have that dimension
                                 alone. The dimension's size or, in a pass that is shorter, also less: element pass_begin of a row of
                                 copies which have the pass alone is where it would be in the whole */
} gnn_kernel_args_t;

typedef void (*gnn_kernel_fn)(const gnn_kernel_args_t *args, int64_t begin, int64_t end);

/* ---- Tables ---------------------------------------------------------------------------------------------------------------- */

enum { GNN_F32 = 0, GNN_F64 = 1, GNN_I32 = 2, GNN_I64 = 3, GNN_BOOL = 4 /* one byte */,
       /* Bools of vertices that steps keep for each other (GNN_ROLE_TEMP, rank at least 1), a bit each: every run of the last
        * dimension takes whole 16-bit units, with element i in byte i / 8, at its bit i % 8. Bits past the run's end say nothing. */
       GNN_BITS = 5,
       /* f32 without the lower half of its bits, rounded to the nearest and, of two, to the even one. What libraries of f32 keep of
        * vertices and edges (GNN_ROLE_TEMP, GNN_ROLE_INPUT; not GNN_DOMAIN_PARAM, rank at least 1). Inputs are rounded when they are
        * bound; kernels and products compute with f32. */
       GNN_BF16 = 6,
       /* The same, as half precision of IEEE 754: 11 bits of precision, subnormal below 2^-14, infinite from 65520 on. A library
        * has one of the two. */
       GNN_F16 = 7 };

enum { /* gnn_tensor_info_t::domain: what the leading extent counts */
  GNN_DOMAIN_VERTEX = 0, /* rows of vertex type `type` */
  GNN_DOMAIN_EDGE = 1,   /* edges of relation `type`, in original edge order */
  GNN_DOMAIN_PARAM = 2   /* no leading extent: parameters and scalars */
};

enum { /* gnn_tensor_info_t::role */
       GNN_ROLE_TEMP = 0,
       GNN_ROLE_PARAM = 1,  /* trained; initialised by `init` */
       GNN_ROLE_STATE = 2,  /* not trained, kept and saved beside parameters */
       GNN_ROLE_INPUT = 3,  /* bound by the caller by name */
       GNN_ROLE_TARGET = 4, /* bound by the caller by name, training and evaluation only */
       GNN_ROLE_MASK = 5,   /* f32 per vertex or edge, as its domain: the weight in the loss; bound by the executor */
       GNN_ROLE_SCALE = 6,  /* f32/f64 scalar: 1 / (sum of that mask over the whole graph); bound by the executor */
       GNN_ROLE_DEGREE_IN = 7, /* real per vertex: in-degree in the whole transformed graph of relation `source`; with
                                  the shape [types of the relation]: that of each edge type */
       GNN_ROLE_DEGREE_OUT = 8,
       GNN_ROLE_OUTPUT = 9,      /* named result of a program */
       GNN_ROLE_GRAD = 10,       /* gradient of parameter or input tensor `source` */
       GNN_ROLE_WEIGHTS = 11,    /* values of the sparse input of relation `source`, one per nonzero */
       GNN_ROLE_STATE_NEXT = 12, /* result of @train: what state tensor `source` becomes after the step */
       GNN_ROLE_COUNT_IN = 13,   /* number per vertex: how many edges of relation `source` a sweep to destinations folds
                                    for it, where   a step has its rows: the degree over the whole graph, the edges drawn
                                    over a sample; with a   shape by type, as DEGREE_IN */
       GNN_ROLE_COUNT_OUT = 14,  /* the same of a sweep to sources */
       GNN_ROLE_COTANGENT = 15 /* gradient of output tensor `source`, of VJP and VJP_TRAIN: given by the caller to their
                                  backward steps */
};

enum { GNN_INIT_ZEROS = 0, GNN_INIT_ONES = 1, GNN_INIT_GLOROT_UNIFORM = 2, GNN_INIT_GLOROT_NORMAL = 3, GNN_INIT_KAIMING_UNIFORM = 4,
       GNN_INIT_UNIFORM = 5 /* in [-init_arg, init_arg) */, GNN_INIT_NORMAL = 6 /* sd init_arg */, GNN_INIT_CONSTANT = 7 };

/* A named dimension. `fixed` >= 0: compiled in. Otherwise open: bound at load, `fallback` (-1: none) where nothing binds it. */
typedef struct gnn_dim_t {
  const char *name;
  int64_t fixed;
  int64_t fallback;
} gnn_dim_t;

/* One term of a polynomial over dimensions: coefficient * product of dims[factors[i]]. */
typedef struct gnn_term_t {
  int64_t coefficient;
  uint32_t num_factors;
  uint32_t reserved;
  const uint32_t *factors;
} gnn_term_t;

/* An extent is the sum of its terms; kernels read the values by index through gnn_kernel_args_t::extents. */
typedef struct gnn_extent_t {
  uint32_t num_terms;
  uint32_t reserved;
  const gnn_term_t *terms;
} gnn_extent_t;

/* Vertex types: 0.. are the schema's; `rows`, where it is not -1, is a dimension that is their number: the graph's of each
 * call or, if parameters have it, the model's. Tables come after: the columns of a sparse input, whose `rows` is an extent. */
typedef struct gnn_vertex_type_t {
  const char *name;
  int32_t rows; /* extent index, or -1 */
  uint32_t is_table;
} gnn_vertex_type_t;

enum {                           /* gnn_relation_t::kind */
  GNN_RELATION_EDGES = 0,        /* edges of the graph */
  GNN_RELATION_SPARSE_INPUT = 1, /* columns -> vertices, one edge per nonzero of the input that has the relation's name */
  GNN_RELATION_PAIRS = 2         /* pairs of vertices that are scored: bound by themselves, none where nothing binds them */
};

/* Relations are matched with those of the graph by name; the only one of a model is the only one of a graph, whatever
 * they are called. Likewise vertex types. */
typedef struct gnn_relation_t {
  const char *name;
  uint32_t source_type;
  uint32_t destination_type;
  uint32_t kind;
  uint32_t transforms; /* GNN_GRAPH_* that the model asks of the data */
  int32_t types;       /* extent index: how many edge types there are after the transforms; -1: the model reads none */
  uint32_t reserved;
} gnn_relation_t;

enum {
  GNN_GRAPH_SELF_LOOPS = 1,
  GNN_GRAPH_SYMMETRIC = 2,
  GNN_GRAPH_INVERSE_RELATIONS = 4,
  GNN_GRAPH_ONE_LOOP = 8,    /* of the loops of a vertex the last, or one that is added where there is none */
  GNN_GRAPH_MARK_LOOPS = 16, /* edges without types get the type 0, so that loops that are added differ, by -1 */
  GNN_GRAPH_NO_LOOPS = 32,   /* all loops are left out */
  GNN_GRAPH_LOOP_KINDS = 64  /* every vertex without a loop gets one, and the type of each edge is its GNN_EDGE_*,
                                whatever types the data have; replaces the other transforms about loops */
};
/* types of edges under GNN_GRAPH_LOOP_KINDS */
enum {
  GNN_EDGE_NO_LOOP = 0,
  GNN_EDGE_LAST_LOOP = 1,    /* of the loops of a vertex the one that one loop keeps */
  GNN_EDGE_EARLIER_LOOP = 2, /* and those that it leaves out */
  GNN_EDGE_ADDED_LOOP = 3,
  GNN_EDGE_KINDS = 4
};
enum { GNN_INPUT_ROW_NORMALIZED = 1 }; /* gnn_tensor_info_t::flags of inputs: rows are divided by their sum when bound (zero rows stay) */

typedef struct gnn_tensor_info_t {
  uint32_t size;
  uint32_t role;
  const char *name; /* unique in the library; parameters are `layer.name`, gradients `grad.layer.name`, temporaries `%n` */
  uint32_t domain;
  uint32_t type; /* vertex type or relation, by domain */
  uint32_t element;
  uint32_t rank;             /* trailing dimensions, without the leading extent */
  const uint32_t *shape;     /* [rank] extent indices */
  int32_t source;            /* tensor (GRAD), relation (DEGREE_*, COUNT_*, WEIGHTS), else -1 */
  uint32_t init;             /* PARAM, STATE */
  double init_arg;
  uint32_t fan_in, fan_out;  /* extent indices for the glorot and kaiming families */
  uint32_t flags;
  uint32_t reserved;
} gnn_tensor_info_t;

enum { GNN_ACCESS_ROW = 0, GNN_ACCESS_COL = 1, GNN_ACCESS_EDGE = 2, GNN_ACCESS_WHOLE = 3 };

enum { /* gnn_kernel_t::needs */
  GNN_KERNEL_ROW_ID = 1, GNN_KERNEL_COL_ID = 2, GNN_KERNEL_EDGE_ID = 4, GNN_KERNEL_EDGE_TYPE = 8, GNN_KERNEL_RANDOM = 16
};

enum { GNN_KERNEL_SWEEP = 0, GNN_KERNEL_MAP = 1 };

/* How totals are folded. Identities: 0, the lowest and the highest number of the element (infinities of reals). The larger
 * of a and b is b if b > a or a is no NaN but b is, else a; the smaller alike. */
enum { GNN_FOLD_SUM = 0, GNN_FOLD_MAX = 1, GNN_FOLD_MIN = 2 };

/* How executors on processors are to go over the edges of a sweep; 0: as they find best. */
typedef struct gnn_knobs_t {
  uint32_t split;      /* rows of more edges, and of more than GNN_SEGMENT_LENGTH, are hubs: threads share them */
  uint16_t partition;  /* ranges of the cols to go over one after the other, where edges have no types */
  uint16_t pass;       /* of kernels with `passes`: elements to compute at a time, a multiple of GNN_PASS_ELEMENTS */
  uint16_t hilbert;    /* of kernels whose outputs are all of edges, where these have no types: ranges of the rows, and of the cols, whose
                          tiles to go over along a Hilbert curve, from 2 on, where it goes before `partition` */
  uint16_t reserved;
} gnn_knobs_t;

typedef struct gnn_kernel_t {
  uint32_t size;
  uint32_t kind;
  const char *name;
  uint32_t needs;
  uint32_t num_operands;
  const uint32_t *access;  /* [num_operands] GNN_ACCESS_*, inputs first, then outputs, then totals */
  uint32_t num_inputs;
  uint32_t num_totals;     /* the last `num_totals` operands are GNN_ACCESS_WHOLE and are folded by the executor from slots of rows. A
                              sweep with totals has no other outputs, no merge, and asks for no flags: it folds what it is given */
  const uint32_t *total_folds; /* [num_totals] GNN_FOLD_* */
  uint32_t scratch_bytes;  /* extent index */
  uint32_t state_bytes;    /* extent index: per row (sweep), per slot (totals one after the other, same element type each; in sweeps
                              each followed by a spare entry of its first dimension, which is part of no result) */
  int32_t passes;          /* extent index: the last dimension of a sweep that may be computed a part of it at a time, state_bytes being
                              those of one element; -1: always whole rows */
  gnn_knobs_t knobs;       /* sweeps */
} gnn_kernel_t;

/* What was found to be the fastest over one graph, for graphs like it. A kernel's own knobs prevail. */
typedef struct gnn_tuning_t {
  int64_t vertices, edges; /* of the graph, after the transforms */
  int64_t longest;         /* edges of the longest row by destination */
  uint32_t threads;        /* that it was measured with */
  uint32_t reserved;
  const gnn_knobs_t *knobs; /* [num_kernels] */
} gnn_tuning_t;

/* Code of every kernel for one instruction set; `merge[i]` folds state_in into state for rows [begin, end) (NULL for maps and sweeps
 * with totals). */
typedef struct gnn_isa_t {
  const char *name; /* "x86-64-v2", "x86-64-v3", "x86-64-v4" */
  const gnn_kernel_fn *run;   /* [num_kernels] */
  const gnn_kernel_fn *merge; /* [num_kernels] */
} gnn_isa_t;

/* ---- Code for devices -------------------------------------------------------------------------------------------------------
 * Device functions have the contract of gnn_kernel_fn, with these differences: each parameter is passed by itself; every pointer is one of
 * the device's global memory; the kernel's `passes` mean nothing to them, states are those of whole rows; tensors of GNN_BITS have a byte
 * for each bool, as GNN_BOOL. The threads of a block form groups, each of which computes rows by itself: groups of the grid, however many
 * there are, take the rows of the call in turn or, of kernels with totals, slots of rows from `begin` on: of GNN_SLOT_ROWS rows in maps, of
 * GNN_PARAMETER_SLOT_ROWS in sweeps. `state` of such a call has as many slots one after the other.
 *
 * Rows of a sweep's block come in any order, and a row of the table may be several of the block: GNN_BLOCK_ROWS says which it is. By
 * that are tensors and ids; what a block says of its rows, and states, are by row of the block. The first rows, as many as
 * GNN_PARAMETER_PIECES, spill their states whether or not GNN_SWEEP_LAST is set. A merge folds into the state of row r those of `state_in`
 * from offsets[r] up to ends[r], in this order. */

enum { /* what a parameter is: GNN_PARAMETER_* | index << 16. Pointers take 8 bytes; each parameter is aligned to its size */
  GNN_PARAMETER_BEGIN = 0,    /* i64 */
  GNN_PARAMETER_END = 1,      /* i64 */
  GNN_PARAMETER_FLAGS = 2,    /* u32 */
  GNN_PARAMETER_EXTENTS = 3,  /* this and the others up to BLOCK are pointers that gnn_kernel_args_t has */
  GNN_PARAMETER_RANDOM = 4,
  GNN_PARAMETER_SCRATCH = 5,  /* scratch_bytes for each group of the grid */
  GNN_PARAMETER_STATE = 6,
  GNN_PARAMETER_STATE_IN = 7,
  GNN_PARAMETER_TENSOR = 8,   /* index: operand */
  GNN_PARAMETER_BLOCK = 9,    /* index: GNN_BLOCK_* */
  GNN_PARAMETER_GIVEN = 10,   /* u32: whether that array of the block is there; index: GNN_BLOCK_* */
  GNN_PARAMETER_PIECES = 11,  /* i64: how many of the first rows spill their states */
  GNN_PARAMETER_HOT = 12,     /* i64: how many cols are hot */
  GNN_PARAMETER_SLOT_ROWS = 13 /* i64: of sweeps with totals, rows of a slot */
};

enum { GNN_BLOCK_OFFSETS = 0, GNN_BLOCK_COLS = 1, GNN_BLOCK_ROW_ID = 2, GNN_BLOCK_COL_ID = 3, GNN_BLOCK_EDGE_ID = 4,
       GNN_BLOCK_EDGE_ID32 = 5, GNN_BLOCK_EDGE_TYPE = 6, GNN_BLOCK_ROW_POS = 7, GNN_BLOCK_ENDS = 8,
       GNN_BLOCK_ROWS = 9 /* u32 [num_rows]; of devices alone, where it is never NULL */,
       /* Of devices only, for functions with `hot_cols`: u32 for each edge, its col as its place among the hot ones or, if it is none of
        * these, `hot_cols` + the col; and the hot cols, u32 each. */
       GNN_BLOCK_HOT_COLS = 10, GNN_BLOCK_HOT = 11 };

/* A code object with the functions of every kernel: machine code, which runs on the devices of its generation (90 and 9x for 90), or PTX,
 * from which drivers make code for it and any newer device. */
typedef struct gnn_device_image_t {
  uint32_t arch;   /* 90: sm_90 */
  uint32_t is_ptx; /* text that ends in NUL, which `bytes` counts */
  const void *data;
  uint64_t bytes;
} gnn_device_image_t;

typedef struct gnn_device_function_t {
  uint32_t size;
  uint32_t split;   /* of sweeps: rows of more edges are hubs, which may be split, into pieces of this many where there are no states; 0: as the executor
                       finds best */
  const char *name; /* of the entry */
  uint32_t group_threads, block_threads; /* threads that share a row, and those of a block, a multiple of a warp */
  uint32_t shared_bytes;                 /* extent index: of dynamic shared memory, of a block */
  uint32_t scratch_bytes, state_bytes;   /* extent indices: of a group; of a row (sweep) or slot (totals) */
  uint32_t hot_cols;                     /* at most so many cols are hot: executors choose those that most edges read */
  uint32_t num_parameters;
  const uint32_t *parameters;
} gnn_device_function_t;

typedef struct gnn_device_t {
  uint32_t num_images;
  uint32_t reserved;
  const gnn_device_image_t *images;   /* machine code first; each kind ascending */
  const gnn_device_function_t *run;   /* [num_kernels] */
  const gnn_device_function_t *merge; /* [num_kernels]; name NULL for maps and sweeps with totals */
} gnn_device_t;

/* ---- Programs --------------------------------------------------------------------------------------------------------------- */

enum {
  GNN_STEP_SWEEP = 0,    /* kernel over `relation` in `direction`; tensors as the kernel's operands */
  GNN_STEP_MAP = 1,      /* kernel over rows of vertex type `vertex_type` */
  GNN_STEP_MATMUL = 2,   /* tensors {A [rows, k], B [k, n], C [rows, n]}; C = A B, or A B^T with GNN_MATMUL_TRANSPOSE_B */
  GNN_STEP_MATMUL_TN = 3 /* tensors {A [rows, k], B [rows, n], C [k, n]}; C = A^T B, one partial per slot of rows, added in order.
                            What has rows may be of GNN_BF16 or GNN_F16, each by itself */
};
enum { GNN_TO_DESTINATION = 0, GNN_TO_SOURCE = 1 };
enum {
  GNN_MATMUL_TRANSPOSE_B = 1,
  GNN_MATMUL_BF16 = 2 /* MATMUL, MATMUL_TN: A and B are rounded to bf16 before, to the nearest, of two to the even one; sums are f32. Of
                         libraries of f32 without code for devices */
};
enum { /* gnn_step_t::phase */
  GNN_PHASE_FORWARD = 0, /* some result is made of it that is no gradient: the loss, a next state, an output */
  GNN_PHASE_BACKWARD = 1 /* gradients alone are */
};

/* A tensor of vertices that a step makes at one depth and another step reads at a greater one is 0 for the rows between: gradients are,
 * beyond those that the loss reaches. */
typedef struct gnn_step_t {
  uint32_t size;
  uint32_t kind;
  uint32_t kernel;      /* SWEEP, MAP */
  uint32_t relation;    /* SWEEP */
  uint32_t direction;   /* SWEEP */
  uint32_t vertex_type; /* MAP, MATMUL: whose rows */
  uint32_t flags;
  uint32_t phase;       /* GNN_PHASE_* */
  int32_t layer;        /* SWEEP over edges of the graph: which layer of edges it goes through, forward or back, from 0 on, the one
                           farthest from the seeds; -1 of others */
  int32_t row_depth;    /* the rows that this step must go over where only those of some vertices are asked for. Depth 0: these
                           vertices, the seeds (the program's outputs, the loss); d + 1: also who is read through edges at depth d;
                           -1: all rows of what is no table of vertices */
  int32_t col_depth;    /* SWEEP: the depth of the cols: one more than that of the rows or, where gradients flow back, one less; the same
                           where they flow both ways, and over pairs; -1: all columns of a sparse input */
  uint32_t num_tensors;
  uint32_t k, n;        /* MATMUL: extent indices */
  const uint32_t *tensors; /* library tensor indices */
} gnn_step_t;

/* What the steps of a program do with a tensor. */
typedef struct gnn_use_t {
  uint32_t tensor;
  uint32_t accesses; /* 1 << GNN_ACCESS_* of all steps that make or read it */
  int32_t depth;     /* the deepest of its rows that a step makes or reads, by GNN_ACCESS_ROW or COL; -1: it has no such rows, or all */
  int32_t first;     /* the step that makes it; -1: it is bound */
  int32_t last;      /* the last step that reads it; of results `num_steps`: they stay */
  uint32_t is_kept;  /* 1: a step of GNN_PHASE_FORWARD makes it, and one of GNN_PHASE_BACKWARD reads it */
} gnn_use_t;

enum {
  GNN_PROGRAM_INFER = 0,
  GNN_PROGRAM_TRAIN = 1,
  GNN_PROGRAM_EVALUATE = 2,
  GNN_PROGRAM_VJP = 3, /* outputs as of INFER, and gradients by parameters and inputs of the outputs times cotangents */
  GNN_PROGRAM_VJP_TRAIN = 4 /* the same as of TRAIN, with dropout and next states; none where it is as VJP */
};

/* Those of one kind differ in the order of sums over edges and products, and have the same results: the first stands
 * where nobody chooses. `results`: INFER the outputs; TRAIN the scalar loss, then every gradient, then every next value
 * of a state; EVALUATE the outputs, then the loss of each vertex (or edge, where the loss is in an edge body), then,
 * for classification, 1 where the prediction is right; VJP and VJP_TRAIN the outputs, then every gradient, then every
 * next value of a state. Their forward steps come first, and read no cotangent. */
typedef struct gnn_program_t {
  uint32_t size;
  uint32_t kind;
  const char *name;
  uint32_t num_steps;
  uint32_t num_results;
  const gnn_step_t *steps;
  const uint32_t *results;
  uint32_t num_uses;
  uint32_t reserved;
  const gnn_use_t *uses; /* of each tensor of the steps, in the order in which these name them */
} gnn_program_t;

typedef struct gnn_library_t {
  uint32_t size;
  uint32_t magic;
  uint32_t abi_version;
  uint32_t real; /* GNN_F32 or GNN_F64 */
  const char *name;
  const char *manifest; /* JSON text, docs/manifest.schema.json */
  uint64_t manifest_bytes;
  uint32_t num_dims, num_extents, num_vertex_types, num_relations, num_tensors, num_kernels, num_isas, num_programs;
  const gnn_dim_t *dims;
  const gnn_extent_t *extents;
  const gnn_vertex_type_t *vertex_types;
  const gnn_relation_t *relations;
  const gnn_tensor_info_t *tensors;
  const gnn_kernel_t *kernels;
  const gnn_isa_t *isas; /* best last */
  const gnn_program_t *programs;
  const gnn_device_t *device; /* NULL: code for CPUs only */
  uint32_t num_tunings;
  uint32_t reserved;
  const gnn_tuning_t *tunings;
} gnn_library_t;

#if defined(__cplusplus)
#define GNN_STATIC_ASSERT static_assert
#else
#define GNN_STATIC_ASSERT _Static_assert
#endif
GNN_STATIC_ASSERT(sizeof(void *) == 8, "compiled libraries are 64-bit");
GNN_STATIC_ASSERT(sizeof(gnn_block_t) == 96, "gnn_block_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_kernel_args_t) == 88, "gnn_kernel_args_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_vertex_type_t) == 16, "gnn_vertex_type_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_relation_t) == 32, "gnn_relation_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_tensor_info_t) == 72, "gnn_tensor_info_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_knobs_t) == 12, "gnn_knobs_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_tuning_t) == 40, "gnn_tuning_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_kernel_t) == 72, "gnn_kernel_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_device_image_t) == 24, "gnn_device_image_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_device_function_t) == 56, "gnn_device_function_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_device_t) == 32, "gnn_device_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_step_t) == 64, "gnn_step_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_use_t) == 24, "gnn_use_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_program_t) == 56, "gnn_program_t is part of the ABI");
GNN_STATIC_ASSERT(sizeof(gnn_library_t) == 160, "gnn_library_t is part of the ABI");

#ifdef __cplusplus
}
#endif
#endif
