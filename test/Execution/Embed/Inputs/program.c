/* A C program that links a compiled library: opens it, loads weights and says what it found. */
#include "gcn.h"
#include <stdio.h>

static int fail(void) {
  fprintf(stderr, "%s\n", gnn_last_error());
  return 1;
}

int main(int argc, char **argv) {
  gnn_model_t *model = NULL;
  int64_t in = 0, classes = 0;
  if (argc != 2 || gcn_open(NULL, &model) != GNN_OK || gnn_model_load(model, argv[1]) != GNN_OK)
    return fail();
  if (gnn_model_dim(model, "in", &in) != GNN_OK || gnn_model_dim(model, "classes", &classes) != GNN_OK)
    return fail();
  printf("%s: in = %d, classes = %d, %u output: %s\n", gnn_model_name(model), (int)in, (int)classes, gnn_model_num_outputs(model),
         gnn_model_output_name(model, 0));
  gnn_model_destroy(model);
  return 0;
}
