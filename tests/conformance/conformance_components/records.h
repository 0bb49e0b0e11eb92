// The kinds of records that the runner knows: one function each, in a file of its own.
#pragma once

#include <filesystem>

#include "registry/functions/catalogue.h"
#include "tests/conformance/conformance_components/checks.h"

namespace weft::conformance {

// Replays the records of `file`, which is there.
using ReplayRecords = void(const std::filesystem::path& file, const Catalogue& catalogue,
                           Checks& checks);

ReplayRecords replay_token_scores;
ReplayRecords replay_category_scores;
ReplayRecords replay_ngrams;
ReplayRecords replay_labels;
ReplayRecords replay_edit_trees;
ReplayRecords replay_sentencizer;
ReplayRecords replay_attribute_ruler;
ReplayRecords replay_lemmatizer;
ReplayRecords replay_retokenize;
ReplayRecords replay_span_filters;
ReplayRecords replay_pair_scores;
ReplayRecords replay_projective;
ReplayRecords replay_arc_labels;
ReplayRecords replay_arc_oracles;
ReplayRecords replay_suggesters;
ReplayRecords replay_span_groups;

// A folder with a saved pipeline: its predictions, parameters and recorded updates.
void replay_pipeline(const std::filesystem::path& folder, const Json& manifest,
                     const Catalogue& catalogue, Checks& checks);

}  // namespace weft::conformance
