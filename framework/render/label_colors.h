// The colours of labels in drawings: those that spaCy's readers know, and others for labels that
// they do not.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Labels are compared in capitals. Black text can be read on all of the colours.
class WEFT_API LabelColors {
 public:
  LabelColors();

  // "#7aecec". A label that is new gets the next colour of a fixed list, so that the same documents
  // have the same colours each time; when the list is used up it starts again.
  const std::string& of(std::string_view label);

  // Throws Error(usage) unless the colour is # and three or six hexadecimal digits.
  void set(std::string_view label, const std::string& color);

 private:
  std::map<std::string, std::string, std::less<>> colors_;
  std::size_t given_ = 0;  // of the list
};

}  // namespace weft
