/* The gnnc runtime: everything of its C interface. C++ programs include gnn/gnn.hpp instead.
 *
 * Errors. Every function that can fail returns a `gnn_status_t`; 0 is success. On failure nothing was changed, every
 * `out` parameter is left untouched, and `gnn_last_error()` gives one sentence that names the file, field, position or
 * argument at fault. The message belongs to the calling thread. No C++ exception leaves a function. Plain accessors
 * (`gnn_tensor_rank`, …) can't fail on a valid handle.
 *
 * Ownership. `create`, `load`, `from`, `share` and other functions with an `out` handle give the caller a handle, to be
 * ended with the `destroy` of its type (which accepts NULL). Handles count references: what an object needs of another
 * it keeps alive itself, so handles may be destroyed in any order. Pointers got from an accessor are borrowed and live
 * as long as the handle.
 *
 * Options. A struct that begins with `size` has its sizeof there. Programs and the runtime may have headers of
 * different versions: fields are only ever appended. What a shorter struct does not have has its default; a longer one
 * is a version error unless all that this runtime does not know of it is 0. Of a struct that the runtime fills in, it
 * writes what there is room for.
 *
 * Threads. Objects that cannot change (graphs, data sets, encoders) may be used from any number of threads at once; so
 * may any two handles of different objects. Growing graphs may be used from any number of threads, too. Any number of
 * threads may call `gnn_model_infer`, `gnn_model_infer_at`, `gnn_snapshot_infer`, `gnn_pullback_forward`,
 * `gnn_pullback_backward` and `gnn_model_dim` with one model at once. Each other call wants the model and its trainers
 * alone: one that comes while another is under way, on whatever thread, is an argument error and changes nothing. The
 * contents of a tensor need the caller's care. Inside, the library computes on oneTBB's threads: `tbb::global_control`
 * and task arenas of the application govern them. Calls may be made inside the application's own oneTBB tasks, and
 * nobody waits for a thread that has no part of the call: where the workers are taken, or in the child of a fork, the
 * calling thread computes alone. It installs no signal handler, changes no process-wide state and never exits.
 */
#ifndef GNN_GNN_H
#define GNN_GNN_H

#include "gnn/dataset.h"
#include "gnn/dlpack.h"
#include "gnn/encoder.h"
#include "gnn/graph.h"
#include "gnn/growing.h"
#include "gnn/model.h"
#include "gnn/npy.h"
#include "gnn/program.h"
#include "gnn/pullback.h"
#include "gnn/status.h"
#include "gnn/tensor.h"
#include "gnn/version.h"

#endif
