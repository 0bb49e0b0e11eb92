// The settings in which two configs differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

struct WEFT_API SettingDifference {
  std::string path;              // "training.dropout"
  const Node* before = nullptr;  // null where it is absent
  const Node* after = nullptr;

  // "0.2", "a section", "absent".
  std::string before_text() const;
  std::string after_text() const;
};

// The settings below `path` that differ ("": of whole configs), in the order of `before`, then
// those of `after` alone; a section that one side lacks is one difference. Either may be null.
// Valid while both live.
WEFT_API std::vector<SettingDifference> setting_differences(const std::string& path,
                                                            const Node* before, const Node* after);

// Where a corpus lies: on another machine, or later, that may be another place.
WEFT_API bool is_path_of_corpus(std::string_view path);

}  // namespace weft
