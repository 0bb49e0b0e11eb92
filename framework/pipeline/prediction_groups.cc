#include "framework/pipeline/prediction_groups.h"

#include "framework/text/doc.h"

namespace weft {

std::vector<std::span<Doc* const>> prediction_groups(std::span<Doc* const> docs,
                                                     const Device& device,
                                                     const PredictedValues& values) {
  std::vector<std::span<Doc* const>> groups;
  PredictionGroups cut(device, values);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < docs.size(); ++i) {
    if (!cut.add(static_cast<std::size_t>(docs[i]->size())) && i + 1 < docs.size()) continue;
    groups.push_back(docs.subspan(begin, i + 1 - begin));
    begin = i + 1;
  }
  return groups;
}

}  // namespace weft
