#include "tools/name_list.h"

#include <algorithm>
#include <utility>

namespace weft::tools {

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::size_t first = std::min(text.find_first_not_of(' ', start), end);
    const std::size_t last = text.find_last_not_of(' ', end - 1);
    if (first < end) names.push_back(text.substr(first, last + 1 - first));
    start = end + 1;
  }
  return names;
}

}  // namespace weft::tools
