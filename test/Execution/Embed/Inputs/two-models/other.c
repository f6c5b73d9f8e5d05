/* The second model by its C header. */
#include SECOND_C_HEADER

gnn_model_t *openSecond(void);

gnn_model_t *openSecond(void) {
  gnn_model_t *model = NULL;
  return SECOND_OPEN(NULL, &model) == GNN_OK && gnn_model_initialize(model, 1) == GNN_OK ? model : NULL;
}
