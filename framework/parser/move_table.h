// How often each move of a transition system was seen with each label, from which the order of the
// output classes follows, and the file that keeps it (spaCy 3.8, `moves`; docs/spacy-formats.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

// By the number of the move. A frequency below 0 marks a label that was added by hand.
using MoveFrequencies = std::vector<std::map<std::string, std::int64_t>>;

struct MoveClass {
  std::size_t move = 0;
  std::string label;
  bool operator==(const MoveClass&) const = default;
};

// Move by move the labels with a frequency of at least 0, most frequent first, ties by name
// descending; then those below 0, each with all its moves together.
WEFT_API std::vector<MoveClass> classes_of(const MoveFrequencies& frequencies);

// {"0":{},"1":{"PER":7},…}; also what a label file holds. Throws Error(data) for other text than of
// moves 0 to `moves` - 1 with whole numbers within 2^53, and for more labels than a component may
// have (LabelCount); `source` names it in messages.
WEFT_API std::string moves_to_json(const MoveFrequencies& frequencies);
WEFT_API MoveFrequencies moves_from_json(std::string_view json, std::size_t moves,
                                         std::string_view source);

// The bytes of a `moves` file: the same, and the group of spans that are known to be wrong.
struct MovesFile {
  MoveFrequencies frequencies;
  std::optional<std::string> negative_key;
};
WEFT_API std::string moves_to_bytes(const MovesFile& file);
WEFT_API MovesFile moves_from_bytes(std::string_view bytes, std::size_t moves,
                                    std::string_view source);

}  // namespace weft
