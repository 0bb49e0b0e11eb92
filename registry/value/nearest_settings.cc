#include "registry/value/nearest_settings.h"

#include <algorithm>

#include "registry/base/suggest.h"
#include "registry/value/section_path.h"

namespace weft {
namespace {

constexpr std::size_t kMost = 2;
constexpr std::size_t kMostNames = 20'000;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == '.' || c == '_' || c == '-') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase(words, "");
  return words;
}

std::string_view top_of(std::string_view name) {
  return name.substr(0, name.find('.'));
}

// Two words are alike if one begins with the other: batch and batcher.
bool alike(std::string_view a, std::string_view b) {
  return a.size() > 2 && b.size() > 2 && (a.starts_with(b) || b.starts_with(a));
}

// True if `candidate` ends with the last word of `wanted` and has all its other words.
bool same_words(const std::vector<std::string>& wanted, std::string_view candidate) {
  const std::vector<std::string> words = words_of(candidate);
  if (words.empty() || wanted.empty() || words.back() != wanted.back()) return false;
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& other) { return alike(word, other); });
  });
}

class Search {
 public:
  Search(std::string_view name, const std::vector<std::string>& names)
      : path_(split_last(name)), name_(name), names_(names) {}

  std::vector<std::string> run() {
    if (knows(path_.section)) {
      for (const std::string& key : nearest(path_.key, keys_of(path_.section), kMost)) {
        add(join_path(path_.section, key));
      }
      if (!found_.empty()) return found_;
    } else {
      search_section();
    }
    const std::vector<std::string> wanted = words_of(path_.key);
    for (const std::string& other : names_) {
      if (top_of(other) == top_of(name_) && same_words(wanted, other)) add(other);
    }
    for (const std::string& other : names_) {
      if (split_last(other).key == path_.key) add(other);
    }
    return found_;
  }

 private:
  bool knows(std::string_view name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }

  std::vector<std::string> keys_of(std::string_view section) const {
    std::vector<std::string> keys;
    for (const std::string& other : names_) {
      const SplitPath path = split_last(other);
      if (path.section == section) keys.emplace_back(path.key);
    }
    return keys;
  }

  // The section itself is misspelt: the key, or the nearest one, in the nearest sections.
  void search_section() {
    std::vector<std::string> sections;
    for (const std::string& other : names_) {
      const std::string section(split_last(other).section);
      if (std::find(sections.begin(), sections.end(), section) == sections.end()) {
        sections.push_back(section);
      }
    }
    for (const std::string& section : nearest(path_.section, sections, kMost)) {
      const std::string same = join_path(section, path_.key);
      if (knows(same)) {
        add(same);
        continue;
      }
      for (const std::string& key : nearest(path_.key, keys_of(section), 1)) {
        add(join_path(section, key));
      }
    }
  }

  void add(const std::string& name) {
    if (name == name_) return;  // a refused name is no help
    const bool known = std::find(found_.begin(), found_.end(), name) != found_.end();
    if (!known && found_.size() < kMost) found_.push_back(name);
  }

  SplitPath path_;
  std::string_view name_;
  const std::vector<std::string>& names_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> nearest_settings(std::string_view name,
                                          const std::vector<std::string>& names) {
  if (names.size() > kMostNames) return {};
  return Search(name, names).run();
}

}  // namespace weft
