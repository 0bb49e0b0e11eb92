#include "framework/text/conllu_entities.h"

#include <algorithm>
#include <optional>

#include "framework/io/file_limits.h"
#include "framework/io/input_lines.h"
#include "framework/text/conllu_sentence.h"

namespace weft {
namespace {

bool is_label_char(char c) {
  return (c >= 'A' && c <= 'Z') || c == '_';
}

// A part of MISC that says something about entities; `label` is empty for O.
struct MiscTag {
  char letter = 'O';
  std::string_view label;
};

std::optional<MiscTag> tag_of(std::string_view part) {
  if (part == "O") return MiscTag{};
  const bool own = part.starts_with(kOwnEntityKey);
  for (const std::string_view key :
       {kOwnEntityKey, std::string_view("name="), std::string_view("NE=")}) {
    if (!part.starts_with(key)) continue;
    part.remove_prefix(key.size());
    break;
  }
  const std::string_view letters = "BILU";
  if (part.size() < 3 || part[1] != '-' || letters.find(part[0]) == letters.npos) return {};
  const char letter = part[0];
  part.remove_prefix(2);
  // Anything behind the capital letters is left aside.
  const auto end = own ? part.end() : std::find_if_not(part.begin(), part.end(), is_label_char);
  const auto size = static_cast<std::size_t>(end - part.begin());
  if (size == 0) return {};
  return MiscTag{letter, part.substr(0, size)};
}

std::optional<MiscTag> first_tag(std::string_view misc) {
  while (true) {
    const std::size_t end = misc.find('|');
    if (const auto tag = tag_of(misc.substr(0, end))) return tag;
    if (end == misc.npos) return {};
    misc.remove_prefix(end + 1);
  }
}

}  // namespace

bool fits_misc(std::string_view label) {
  return !label.empty() && std::all_of(label.begin(), label.end(), is_label_char);
}

std::string misc_tag(std::string_view misc, const std::map<std::string, std::string>& ner_map) {
  const auto tag = first_tag(misc);
  if (!tag || tag->label.empty()) return "O";
  const auto mapped = ner_map.find(std::string(tag->label));
  const std::string label = mapped == ner_map.end() ? std::string(tag->label) : mapped->second;
  return label.empty() ? "O" : std::string(1, tag->letter) + "-" + label;
}

std::vector<TagSpan> misc_entities(const std::vector<std::string>& tags) {
  std::vector<TagSpan> spans;
  const int size = static_cast<int>(tags.size());
  for (int i = 0; i < size;) {
    const int start = i++;
    if (tags[start] == "O") continue;
    const std::string label = tags[start].substr(2);
    while (i < size && (tags[i][0] == 'I' || tags[i][0] == 'L') && tags[i].substr(2) == label) ++i;
    spans.push_back({start, i, label});
  }
  return spans;
}

bool has_misc_tags(const std::string& file) {
  InputLines lines(file, kLongestTokenLine);
  for (std::string line; lines.next(line);) {
    if (line.starts_with('#')) continue;
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t tab = line.rfind('\t');
    if (tab != line.npos && first_tag(std::string_view(line).substr(tab + 1))) return true;
  }
  return false;
}

}  // namespace weft
