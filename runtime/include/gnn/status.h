/* Status codes and error messages of the runtime's C interface. The rules that hold for every function are in
 * gnn/gnn.h. */
#ifndef GNN_STATUS_H
#define GNN_STATUS_H

#if defined(__GNUC__)
#define GNN_API __attribute__((visibility("default")))
#else
#define GNN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gnn_status_t {
  GNN_OK = 0,
  GNN_ERROR_ARGUMENT =
      1, /* the caller broke the documented contract of a function: a NULL, a negative size, an unknown name */
  GNN_ERROR_DATA = 2, /* a file or an array breaks the rules of its format, or holds an id or a label out of range */
  GNN_ERROR_MISMATCH =
      3, /* things that are well formed do not fit each other: a feature's width and a model's, a missing input */
  GNN_ERROR_IO = 4,       /* the operating system refused: no such file, no permission, disk full */
  GNN_ERROR_MEMORY = 5,   /* memory is exhausted, or a limit on it or on threads was reached */
  GNN_ERROR_VERSION = 6,  /* a compiled library, checkpoint or DLPack tensor speaks another version of its interface */
  GNN_ERROR_NUMERIC = 7,  /* a loss, a gradient or the next value of a state is not finite */
  GNN_ERROR_INTERNAL = 8, /* a defect of the runtime; please report it */
  GNN_ERROR_DEVICE = 9    /* a GPU or its driver is missing, too old or has failed */
} gnn_status_t;

/* The message of the last call that failed on this thread; "" if none has. Valid until the next failing call on this
 * thread. */
GNN_API const char *gnn_last_error(void);

/* A fixed name for `status`, such as "data error". */
GNN_API const char *gnn_status_name(gnn_status_t status);

#ifdef __cplusplus
}
#endif
#endif
