/* Compiled models: opening a library that gnnc wrote, its dimensions and parameters, inference and training.
 *
 * A model begins with open dimensions and without parameters. Dimensions are bound by name, by the shapes of weights
 * that are loaded or by the data of a trainer; two sources that disagree are an error that names both. Numbers of
 * vertices are no dimensions: each call has its own graph. Only a model with parameters for each vertex is for graphs
 * with as many (docs/language.md, law 13). Any number of threads may infer with a model at once (`gnn_model_infer`,
 * `gnn_model_infer_at`, calls of gnn/pullback.h); all else, such as training, wants the model and its trainers alone,
 * and is an argument error while another call is under way. A call computes on as many threads as the model was opened
 * with, and its results don't depend on how many.
 */
#ifndef GNN_MODEL_H
#define GNN_MODEL_H

#include "gnn/graph.h"
#include "gnn/status.h"
#include "gnn/tensor.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gnn_model_t gnn_model_t;
struct gnn_library_t; /* gnn/program.h */

typedef struct gnn_model_options_t {
  uint32_t size;           /* sizeof(gnn_model_options_t) */
  uint32_t threads;        /* 0: as many as this process may use */
  const char *isa;         /* "x86-64-v2", "x86-64-v3", "x86-64-v4"; NULL: the environment's GNN_ISA, else the best */
  const char *device;      /* "cpu"; "cuda", "cuda:1": a GPU that the library has code for; "cuda:0-3", "cuda:0,2":
                              several, which train together; "auto": the first such GPU, else the processor. NULL: "cpu" */
  uint64_t device_bytes;   /* most memory of the GPU to take; 0: all that it has */
  uint64_t device_outputs; /* not 0: what gnn_model_infer gives stays in the memory of the GPU */
  const char *inputs;      /* how an input that nothing reads elementwise is kept: "dense", a table; "sparse", its
                              nonzeros; "auto", by how many the first data has that the model reads. NULL: "auto" */
  const char *plans;       /* on the processor, where several ways over the edges promise to be the fastest: "tried",
                              by the time of the first runs; "counted", by counts alone. The numbers are the same.
                              NULL: "tried" */
} gnn_model_options_t;

/* Opens a compiled library by its path, never by search path. `options` may be NULL. A library for another version of
 * the runtime is a version error; a GPU that is not there, or no driver for it, a device error. */
GNN_API gnn_status_t gnn_model_open(const char *path, const gnn_model_options_t *options, gnn_model_t **out);
/* The same for a table in this process, that of a library which the program is linked with. It must outlive the model.
 */
GNN_API gnn_status_t gnn_model_from_table(const struct gnn_library_t *table, const gnn_model_options_t *options,
                                          gnn_model_t **out);
/* The same for headers that gnnc wrote, which are of the model `name` with the digest of its manifest. A mismatch for
 * the table of any other model. */
GNN_API gnn_status_t gnn_model_from_linked(const struct gnn_library_t *table, const char *name, const char *digest,
                                           const gnn_model_options_t *options, gnn_model_t **out);
GNN_API void gnn_model_destroy(gnn_model_t *model);

GNN_API const char *gnn_model_name(const gnn_model_t *model);
GNN_API const char *gnn_model_manifest(const gnn_model_t *model); /* JSON: docs/manifest.schema.json */
GNN_API const char *gnn_model_isa(const gnn_model_t *model);      /* the instruction set picked, or "sm_90" */
GNN_API const char *gnn_model_device(const gnn_model_t *model);   /* "cpu", or "cuda:0 (NVIDIA H200)" */

/* Seconds that the GPU took for the last inference, or step or evaluation of a trainer of this model, by its own clock:
 * copies of inputs and outputs are not in it. An argument error if there was none, or on the processor. */
GNN_API gnn_status_t gnn_model_device_seconds(gnn_model_t *model, double *out);

GNN_API gnn_status_t gnn_model_bind_dim(gnn_model_t *model, const char *name, int64_t value);
/* The value of a dimension; a mismatch while it is open. */
GNN_API gnn_status_t gnn_model_dim(const gnn_model_t *model, const char *name, int64_t *out);

/* Parameters and states, by name (`conv1.W`). `initialize` needs all dimensions; the same seed gives the same values on
 * every machine. `load` reads a safetensors file with exactly the model's tensors (or a checkpoint) and binds open
 * dimensions by their shapes; on failure the model is as before. `save` replaces the file atomically. */
GNN_API gnn_status_t gnn_model_initialize(gnn_model_t *model, uint64_t seed);
GNN_API gnn_status_t gnn_model_load(gnn_model_t *model, const char *path);
GNN_API gnn_status_t gnn_model_save(const gnn_model_t *model, const char *path);
GNN_API uint32_t gnn_model_num_parameters(const gnn_model_t *model);
GNN_API const char *gnn_model_parameter_name(const gnn_model_t *model, uint32_t index); /* index < num_parameters */
/* A handle on the parameter's own storage: writing to it changes the model. Needs all dimensions. On a GPU the storage
   is a copy that calls bring up to date and send back while the handle lives: give it up where you are done. After a
   kernel of a GPU has failed, of whichever model there, parameters on it are lost, and this fails. */
GNN_API gnn_status_t gnn_model_parameter(gnn_model_t *model, const char *name, gnn_tensor_t **out);

/* A named table over vertices (or edges, in the order in which the graph was given): `dense`, or for vertices CSR with
 * `indptr` i64 [vertices + 1], `indices` i32 or i64 and `values` f32 or f64 [nonzeros], and `columns`. Tables of the
 * model's element type are used without a copy and must not change while a call or a trainer uses them. Dense ones may
 * be in the memory of the GPU that the model computes on. */
typedef struct gnn_input_t {
  const char *name;
  const gnn_tensor_t *dense; /* NULL: sparse */
  const gnn_tensor_t *indptr, *indices, *values;
  int64_t columns;
} gnn_input_t;

GNN_API uint32_t gnn_model_num_outputs(const gnn_model_t *model);
GNN_API const char *gnn_model_output_name(const gnn_model_t *model, uint32_t index); /* index < num_outputs */

/* Computes the outputs over a graph, to which the transforms are applied that the model asks for. `out` has room for
 * num_outputs handles, which become the caller's. What was prepared for a graph is kept for the next call with it; that
 * call reads all inputs anew, also where they lie in the same memory. It goes when the graph is destroyed. A sparse
 * input whose entries are in other places than those of the call before takes longer, as a graph does that is new.
 *
 * Calls on several threads at once have the bits of one after the other. They share parameters and graphs; each has
 * temporaries of its own, on a processor, and as many of these are kept as there were calls at once. So threads that
 * stay with a graph each find it prepared. Where a core serves each thread, open the model with `threads` 1. On a GPU
 * calls take turns. */
GNN_API gnn_status_t gnn_model_infer(gnn_model_t *model, const gnn_graph_t *graph, const gnn_input_t *inputs,
                                     uint32_t num_inputs, gnn_tensor_t **out);

/* The same for some vertices alone: `vertices` i64 [any] are ids of type `vertex_type`, NULL where the model has only
 * one. Each output of that type has a row for each of them, in their order; outputs of other types have no rows. They
 * are exact: all that a vertex reads, edge by edge, is followed back, and nothing else is computed, so that time and
 * memory are those of this neighbourhood and not of the graph. For a model whose answers depend on all vertices (it has
 * totals over them, or scores edges) the whole graph is computed, and the rows are taken from that. Dense inputs of the
 * model's element type are read where they are; others are converted as a whole in each call. Outputs are in the memory
 * of this process. An argument error for a vertex that the graph has not. */
GNN_API gnn_status_t gnn_model_infer_at(gnn_model_t *model, const gnn_graph_t *graph, const gnn_input_t *inputs,
                                        uint32_t num_inputs, const char *vertex_type, const gnn_tensor_t *vertices,
                                        gnn_tensor_t **out);

/* ---- Training ------------------------------------------------------------------------------------------------- */

/* A model in training over one graph. It keeps the model alive; steps change the model's parameters. */
typedef struct gnn_trainer_t gnn_trainer_t;

typedef struct gnn_trainer_options_t {
  uint32_t size;         /* sizeof(gnn_trainer_options_t) */
  const char *optimizer; /* "sgd", "adam", "adamw"; NULL: the default that the model states */
  double learning_rate;  /* negative: the model's default */
  double weight_decay;   /* negative: the model's default; it holds for the layers that the model names */
  uint64_t seed;         /* of dropout, samples, and of the parameters if the model has none yet */
  const char *fan_outs; /* NULL: steps are over the whole graph; "15,10", or "cites=15,10 writes=5,all": over batches of
                           vertices, each over a sample of what they read (docs/sampling.md) */
  int64_t batch;        /* vertices of a step, with fan_outs (0: 1024); true pairs of a step, of links (0: all) */
  const char *sampler;  /* with fan_outs: how edges are drawn, as gnn-train --sampler; NULL: "uniform" */
  uint64_t
      memory_bytes; /* 0: no limit; else the most memory for what the trainer takes: where the graph with its tables
                       takes more, it is streamed from a file (docs/streaming.md); with fan_outs splits are evaluated
                       so, and all else has to fit. On a GPU it needs device_memory_bytes. What the application keeps
                       is not counted: it may destroy it */
  const char *spill_folder; /* for that file, of which nothing stays; NULL: that of TMPDIR, or /var/tmp */
  int64_t intervals;        /* of vertices, to stream in whether it fits or not; 0: those that read and write least. Of
                               them depend the last digits of what is trained */
  const char *schedule; /* of the learning rate, as gnn-train --schedule: "cosine=200", "step=30,0.1"; NULL: it stays.
                           Epochs are passes over the training vertices: steps, where there are no fan_outs */
  int64_t warm_up;      /* epochs in which the rate rises to learning_rate, before the schedule begins */
  double most_norm;     /* above which the norm of all gradients together is scaled down to it; 0: never */
  const char *class_weights;    /* as gnn-train --class-weights: "balanced", "1,5"; NULL: all weigh the same */
  uint64_t device_memory_bytes; /* as memory_bytes, but of the memory of a GPU: there the graph is streamed from memory
                                   of this process and, beyond memory_bytes, from files */
  int64_t shares; /* of each batch, with fan_outs: it is sampled and computed in so many parts, one after the other,
                     with the bits of as many ranks of gnn-train (docs/sampling.md); 0: one, or one for each GPU */
  const char
      *rows; /* that steps over the whole graph compute, as gnn-train --rows: "all", "reached", "auto"; NULL: "auto" */
  uint64_t look_ahead_bytes; /* of memory_bytes, on a processor: for what is loaded ahead of what steps read, as far as
                                the limit goes; 0: what it leaves, up to 64 MB; 1: none, too few for anything */
  const char *draws; /* on a GPU, with fan_outs: who draws edges, the same ones: "device", "host" (the processor); NULL:
                        the GPU, where it can (docs/sampling.md) */
} gnn_trainer_options_t;

/* Each is NaN where there is nothing to measure, as of an empty split. Labels that are NaN are missing: nothing counts
 * them. */
typedef struct gnn_metrics_t {
  double loss;     /* mean over the split */
  double accuracy; /* in [0, 1]; NaN where the target is no class */
  double auc;      /* of pairs against a sampled one for each, in [0, 1]; NaN where no pairs are scored */
} gnn_metrics_t;

/* `inputs` are inputs and targets; `vertices` i64 [any] are those whose mean loss is minimised: ids of
 * edges where the loss is over edges, true pairs [any, 2 or 3] (docs/data-formats.md) where it is over pairs. `options`
 * may be NULL. */
GNN_API gnn_status_t gnn_trainer_create(gnn_model_t *model, const gnn_graph_t *graph, const gnn_input_t *inputs,
                                        uint32_t num_inputs, const gnn_tensor_t *vertices,
                                        const gnn_trainer_options_t *options, gnn_trainer_t **out);
GNN_API void gnn_trainer_destroy(gnn_trainer_t *trainer);
/* One step on the whole graph, or on the next batch; `out_loss` (may be NULL) is the loss before the update. A numeric
 * error if the loss, a gradient or the next value of a state is not finite: then parameters, states and the optimizer
 * are as they were, and the message says which inputs have numbers that are infinite or none. */
GNN_API gnn_status_t gnn_trainer_step(gnn_trainer_t *trainer, double *out_loss);
/* Loss and accuracy of the present parameters over `vertices`, without dropout. */
GNN_API gnn_status_t gnn_trainer_evaluate(gnn_trainer_t *trainer, const gnn_tensor_t *vertices, gnn_metrics_t *out);
/* A checkpoint: parameters, optimizer, steps done, rates. Training resumed from one, over the same data and with the
 * same options, gives the bits of training that was not interrupted; it may go on over other data. Learning rate and
 * weight decay are those of the checkpoint, but for the ones that the trainer's options say. A checkpoint of another
 * model or optimizer is a mismatch. */
GNN_API gnn_status_t gnn_trainer_save(const gnn_trainer_t *trainer, const char *path);
GNN_API gnn_status_t gnn_trainer_resume(gnn_trainer_t *trainer, const char *path);

#ifdef __cplusplus
}
#endif
#endif
