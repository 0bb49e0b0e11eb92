// Layers on spans of the tokens of documents. Arrays of spans are lists: the rows of all tokens
// (tokens, width), and for each span its first row and the one behind its last (spans, 2; i32).
// Sources: spaCy 3.8, `spacy.ml`; docs/spans.md, section 2.
#pragma once

#include <cstdint>
#include <vector>

#include "components/layers/layers.h"
#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft::layers {

// Runs a layer on one array of a list, and leaves the others alone. Documents that come alone go
// through the layer as they are.
WEFT_API ModelPtr with_getitem(int index, const ModelPtr& layer);

// Rows of tokens and spans to a ragged array: the rows of each span.
WEFT_API ModelPtr extract_spans();
// Whether it is that layer, whatever it is called.
WEFT_API bool extracts_spans(const Model& layer);

// A ragged array to (sequences, hidden): a maxout of three pieces with layer norm and dropout of
// the last row, the first, the mean and the largest number of each column. It takes spans that are
// not extracted as well (reduces_spans).
WEFT_API ModelPtr mean_max_reducer(std::int64_t hidden);

// Whether the layer may be given the rows of tokens and the spans themselves in the place of what
// extract_spans makes of them: with the same result in this pass, and in less memory.
WEFT_API bool reduces_spans(const Context& ctx, const Model& layer);

// A linear layer and the logistic function of its output.
WEFT_API ModelPtr linear_logistic(Size outputs = {}, Size inputs = {});

}  // namespace weft::layers
