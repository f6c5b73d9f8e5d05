/* Compiles as strict C11 without a warning: the public headers are C. */
#include "gnn/gnn.h"

int gnnPublicHeadersAreC(void) { return GNN_OK; }
