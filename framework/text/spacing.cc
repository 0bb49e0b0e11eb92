#include "framework/text/spacing.h"

#include <cstring>
#include <string>
#include <unordered_set>

#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"

namespace weft {
namespace {

// Finds words of a text, each behind the one before it. A word that is not there is looked for up
// to the end of the text, so words that come again are remembered and the way is bounded: else n
// words that are missing would take n times as long as the text.
class WordFinder {
 public:
  explicit WordFinder(std::string_view text)
      : text_(text), most_(kAllowance + kForEachByte * text.size()) {}

  // Its place at `begin` or behind it, or npos.
  std::size_t find(std::string_view word, std::size_t begin) {
    if (word.empty()) return begin;
    if (missing_.contains(word)) return text_.npos;
    const std::string_view rest = text_.substr(begin);
    // Linear in the text for any word, which std::string_view::find is not.
    const void* const found = ::memmem(rest.data(), rest.size(), word.data(), word.size());
    if (found == nullptr) {
      note_missing(word);
      note_way(rest.size());
      return text_.npos;
    }
    const auto place = static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
    note_way(place - begin);
    return place;
  }

 private:
  static constexpr std::uint64_t kAllowance = std::uint64_t{64} << 20;  // bytes
  static constexpr std::uint64_t kForEachByte = 256;

  void note_missing(std::string_view word) {
    if (missing_.empty()) first_missing_ = word;
    missing_.insert(word);
  }

  void note_way(std::uint64_t bytes) {
    way_ += bytes;
    if (way_ <= most_) return;
    throw Error(ErrorKind::data,
                "too many words do not occur in the text; the first of them is \"" +
                    printable_brief(first_missing_) + "\"");
  }

  std::string_view text_;
  std::uint64_t most_;
  std::uint64_t way_ = 0;  // bytes that were looked through
  std::unordered_set<std::string_view, SeededHash> missing_;
  std::string_view first_missing_;
};

}  // namespace

std::vector<bool> spaces_of(std::string_view text, std::span<const std::string> words) {
  std::vector<bool> spaces;
  WordFinder finder(text);
  std::size_t end = 0;
  for (const std::string& word : words) {
    const std::size_t found = finder.find(word, end);
    if (found == text.npos) {
      spaces.push_back(true);
      continue;
    }
    end = found + word.size();
    spaces.push_back(end < text.size() && text[end] == ' ');
  }
  return spaces;
}

Doc doc_of_words(std::shared_ptr<const Vocab> vocab, std::span<const std::string> words,
                 const std::vector<bool>& spaces) {
  TokenTableBuilder builder;
  for (std::size_t i = 0; i < words.size(); ++i) {
    builder.append(words[i], vocab->lexeme(words[i]), spaces.empty() || spaces[i]);
  }
  Doc doc(std::move(vocab), builder.finish());
  doc.set_unknown_spaces(spaces.empty() && !words.empty());
  return doc;
}

}  // namespace weft
