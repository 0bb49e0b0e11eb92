#include "framework/text/word_norms.h"

#include <algorithm>
#include <cstddef>

#include "framework/text/lexeme.h"
#include "framework/unicode/unicode.h"
#include "registry/base/unicode.h"

namespace weft {
namespace {

std::string_view without_last(std::string_view word, std::size_t code_points) {
  std::size_t end = word.size();
  for (std::size_t i = 0; i < code_points; ++i) previous_code_point(word, end);
  return word.substr(0, end);
}

}  // namespace

std::string WordNorms::norm_of(std::string_view word) const {
  if (const auto base = find_base_norm(word)) return std::string(*base);
  if (endings.empty()) {
    const auto found = words.find(std::string(word));
    return found == words.end() ? lower(word) : found->second;
  }
  const std::size_t length = count_code_points(word);
  for (const std::vector<std::string>& group : endings) {
    const std::size_t lost = count_code_points(group.front());
    if (length <= lost && short_words_stay) break;
    if (length <= lost) continue;
    const auto ends = [&](const std::string& ending) { return word.ends_with(ending); };
    if (std::any_of(group.begin(), group.end(), ends)) {
      return std::string(without_last(word, lost));
    }
  }
  return std::string(word);
}

}  // namespace weft
