#include "registry/overrides/overrides.h"

namespace weft {
namespace {

// A state machine over the characters; quotes may begin and end inside of a word, as in a shell.
class WordSplitter {
 public:
  explicit WordSplitter(std::string_view text) : text_(text) {}

  SplitWords run() {
    for (; at_ < text_.size(); ++at_) step();
    if (open_) words_.push_back(word_);
    // Quotes that are closed, and escapes, end at a character of the text.
    return {std::move(words_), at_ == text_.size()};
  }

 private:
  void step() {
    const char c = text_[at_];
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
      case '\n':
        if (open_) words_.push_back(word_);
        word_.clear();
        open_ = false;
        return;
      case '\'':
        single_quoted();
        break;
      case '"':
        double_quoted();
        break;
      case '\\':
        if (++at_ < text_.size()) word_ += text_[at_];  // beyond the end: nothing follows it
        break;
      default:
        word_ += c;
    }
    open_ = true;
  }

  void single_quoted() {
    for (++at_; at_ < text_.size() && text_[at_] != '\''; ++at_) word_ += text_[at_];
  }

  // A backslash counts only before a quote or another backslash.
  void double_quoted() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      const bool escape = text_[at_] == '\\' && at_ + 1 < text_.size() &&
                          (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
      if (escape) ++at_;
      word_ += text_[at_];
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  bool open_ = false;  // a word has begun, if only with quotes
  std::vector<std::string> words_;
};

}  // namespace

SplitWords split_words(std::string_view text) {
  return WordSplitter(text).run();
}

}  // namespace weft
