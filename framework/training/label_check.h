// Looks for labels that a corpus has too little of, or that are written in two ways.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "framework/pipeline/data_problem.h"

namespace weft {

// The things of a kind of annotation ("entities") in the corpus of that name, by label.
struct LabelCounts {
  const std::string& corpus;
  const std::map<std::string, std::int64_t>& labels;
};

// Tells of labels with fewer than `rare` things, of those that one side alone has (of training
// data alone only if there is development data), and of those that differ in spelling only.
void check_labels(std::string_view things, const LabelCounts& train, const LabelCounts& dev,
                  bool has_dev, std::int64_t rare, const DataSink& tell);

}  // namespace weft
