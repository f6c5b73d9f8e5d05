//===- TensorApi.cpp - The C interface of tensors --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles around gnn::rt::Tensor; the contracts are in gnn/tensor.h.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Tensor.h"
#include "runtime/src/exchange/DLPack.h"

using namespace gnn::rt;

namespace {

/// What libraries store reals as is none of the types of tensors that applications have.
uint32_t elementArgument(uint32_t element) {
  require(element <= GNN_BOOL, GNN_ERROR_ARGUMENT, "unknown element type ", element);
  return element;
}

std::vector<int64_t> shapeArgument(uint32_t rank, const int64_t *shape) {
  require(rank <= GNN_MAX_RANK, GNN_ERROR_ARGUMENT, "rank is ", rank, ", the largest is ", GNN_MAX_RANK);
  require(rank == 0 || shape, GNN_ERROR_ARGUMENT, "shape is NULL");
  return {shape, shape + rank};
}

} // namespace

gnn_status_t gnn_tensor_create(uint32_t element, uint32_t rank, const int64_t *shape, gnn_tensor_t **out) {
  return guard([&] {
    require(out, GNN_ERROR_ARGUMENT, "out is NULL");
    *out = new gnn_tensor_t{Tensor::zeros(elementArgument(element), shapeArgument(rank, shape))};
  });
}

gnn_status_t gnn_tensor_view(void *data, uint32_t element, uint32_t rank, const int64_t *shape, void (*release)(void *),
                             void *context, gnn_tensor_t **out) {
  return guard([&] {
    require(out, GNN_ERROR_ARGUMENT, "out is NULL");
    auto handle = std::make_unique<gnn_tensor_t>();
    // The owner is armed last, so that `release` runs only for a view that was handed out.
    struct Owner {
      void (*release)(void *) = nullptr;
      void *context = nullptr;
      ~Owner() {
        if (release)
          release(context);
      }
    };
    auto owner = std::make_shared<Owner>();
    handle->value = Tensor::view(owner, data, elementArgument(element), shapeArgument(rank, shape));
    // A view without elements may have NULL data and then does not keep the owner: its release runs now.
    owner->context = context;
    owner->release = release;
    *out = handle.release();
  });
}

gnn_status_t gnn_tensor_share(const gnn_tensor_t *tensor, gnn_tensor_t **out) {
  return guard([&] {
    require(tensor && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_tensor_t{tensor->value};
  });
}

void gnn_tensor_destroy(gnn_tensor_t *tensor) { delete tensor; }

uint32_t gnn_tensor_element(const gnn_tensor_t *tensor) { return tensor->value.element(); }
uint32_t gnn_tensor_rank(const gnn_tensor_t *tensor) { return uint32_t(tensor->value.rank()); }
const int64_t *gnn_tensor_shape(const gnn_tensor_t *tensor) { return tensor->value.shape().data(); }
int64_t gnn_tensor_count(const gnn_tensor_t *tensor) { return tensor->value.count(); }
const void *gnn_tensor_data(const gnn_tensor_t *tensor) { return tensor->value.lentData(); }

int32_t gnn_tensor_device(const gnn_tensor_t *tensor) { return tensor->value.device(); }

gnn_status_t gnn_tensor_to_host(const gnn_tensor_t *tensor, gnn_tensor_t **out) {
  return guard([&] {
    require(tensor && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_tensor_t{tensor->value.onHost()};
  });
}

gnn_status_t gnn_tensor_mutable_data(gnn_tensor_t *tensor, void **out) {
  return guard([&] {
    require(tensor && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = tensor->value.mutableData();
  });
}

gnn_status_t gnn_tensor_to_dlpack(const gnn_tensor_t *tensor, gnn_dl_managed_tensor_t **out) {
  return guard([&] {
    require(tensor && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = toDLPack(tensor->value);
  });
}

gnn_status_t gnn_tensor_from_dlpack(gnn_dl_managed_tensor_t *managed, gnn_tensor_t **out) {
  return guard([&] {
    require(managed && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    auto handle = std::make_unique<gnn_tensor_t>();
    handle->value = fromDLPack(managed);
    *out = handle.release();
  });
}
