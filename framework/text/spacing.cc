#include "framework/text/spacing.h"

#include "registry/error.h"

namespace weft {

std::vector<bool> spaces_of(std::string_view text, std::span<const std::string> words) {
  std::vector<bool> spaces;
  std::size_t end = 0;
  for (const std::string& word : words) {
    const std::size_t found = text.find(word, end);
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
