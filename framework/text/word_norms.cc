#include "framework/text/word_norms.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "framework/text/lexeme.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/base/unicode.h"

namespace weft {
namespace {

std::string_view without_last(std::string_view word, std::size_t code_points) {
  std::size_t end = word.size();
  for (std::size_t i = 0; i < code_points; ++i) previous_code_point(word, end);
  return word.substr(0, end);
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
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

WordNorms parse_word_norms(std::string_view text, const std::string& name) {
  WordNorms norms;
  enum class Part { comments, words, endings } part = Part::comments;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::vector<std::string> found = words_of(line);
    if (line == "[norms]") {
      part = Part::words;
    } else if (line == "[endings]" || line == "[endings, short words stay]") {
      part = Part::endings;
      norms.short_words_stay = line != "[endings]";
    } else if (found.empty() || (part == Part::comments && line.front() == '#')) {
      continue;
    } else if (part == Part::endings) {
      norms.endings.push_back(std::move(found));
    } else if (part == Part::words && found.size() == 2) {
      norms.words.emplace(std::move(found[0]), std::move(found[1]));
    } else {
      throw Error(ErrorKind::internal, fmt::format("{}: '{}' is no line of norms", name, line));
    }
  }
  return norms;
}

}  // namespace weft
