// Whether a component's network gives its output in the form that the component reads and hands
// gradients back in.
#pragma once

#include "framework/nn/value.h"
#include "registry/base/export.h"

namespace weft {

class Context;
class Model;

enum class OutputForm {
  row_of_document,    // one array, a row for each document
  row_of_token,       // one array, a row for each token
  rows_of_documents,  // for each document the rows of its tokens
};

// Runs the network, which has its parameters, on the documents. Throws Error(config) which says
// what it gives instead, and that `usual`, the name of an architecture, would do.
WEFT_API void require_output(Context& ctx, const Model& model, DocBatch docs, OutputForm form,
                             const char* usual);

}  // namespace weft
