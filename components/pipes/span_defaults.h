// Defaults that the components for spans share. spaCy 3.8.
#pragma once

#include <string>

namespace weft {

// The section [model.tok2vec], with that version of MultiHashEmbed ("v2").
std::string span_tok2vec(const std::string& embed_version);

// The sections [model.reducer] and [model] of a span categorizer, and [suggester].
inline constexpr const char* kSpanModel = R"(
[model]
@architectures = "spacy.SpanCategorizer.v1"

[model.reducer]
@layers = "spacy.mean_max_reducer.v1"
hidden_size = 128
)";
inline constexpr const char* kDefaultSuggester = R"(
[suggester]
@misc = "spacy.ngram_suggester.v1"
sizes = [1, 2, 3]
)";

}  // namespace weft
