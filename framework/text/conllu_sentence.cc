#include "framework/text/conllu_sentence.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "framework/text/part_of_speech.h"
#include "framework/text/printable.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

enum Column : std::size_t { id, form, lemma, upos, xpos, feats, head, deprel, deps, misc };
using Columns = std::array<std::string_view, kConlluColumns>;

constexpr std::string_view kNoSpace = "SpaceAfter=No";

[[noreturn]] void fail(int line, std::string message) {
  throw ConlluFault{line, std::move(message)};
}

std::string quoted(std::string_view text) {
  return fmt::format("\"{}\"", printable_brief(text));
}

// A number of digits alone.
std::optional<int> number_of(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool read = error == std::errc() && end == text.data() + text.size();
  return read && text[0] != '-' ? std::optional(number) : std::nullopt;
}

class Parser {
 public:
  explicit Parser(ConlluSentence& sentence) : sentence_(sentence) {}

  void take(const ConlluLine& line) {
    line_ = line.number;
    if (line.text.starts_with('#')) return take_comment(line.text);
    if (find_invalid_utf8(line.text)) fail(line_, "text that is not valid UTF-8");
    const Columns columns = conllu_columns(line);
    const std::string_view number = columns[id];
    if (number.find('.') != number.npos) return check_empty_node(number);
    if (number.find('-') != number.npos) return take_range(columns);
    take_word(columns);
  }

  // Checks that need the whole sentence: a head may stand behind its dependent. Words inside of a
  // multi-word token have no space between them; the last one has the token's.
  void finish() {
    const int words = static_cast<int>(sentence_.words.size());
    if (!sentence_.ranges.empty() && sentence_.ranges.back().end > words) {
      fail(sentence_.ranges.back().line,
           fmt::format("the multi-word token ends with word {}, but the sentence has {}",
                       sentence_.ranges.back().end, words));
    }
    for (int i = 0; i < words; ++i) check_head(i, words);
    for (const ConlluRange& range : sentence_.ranges) {
      for (int i = range.start; i < range.end; ++i) {
        sentence_.words[i].space = i + 1 == range.end && range.space;
      }
    }
  }

 private:
  void take_comment(std::string_view text) {
    if (!sentence_.words.empty() || !sentence_.ranges.empty()) {
      fail(line_, "a comment inside of a sentence; comments stand before its first word");
    }
    text.remove_prefix(std::min(text.find_first_not_of("# "), text.size()));
    sentence_.comments.emplace_back(text);
  }

  [[noreturn]] void refuse_id(std::string_view number) const {
    fail(line_, fmt::format("the id {} is none: words have 1, 2, 3 and so on, multi-word tokens "
                            "1-2, words that are not in the text 1.1",
                            quoted(number)));
  }

  void check_empty_node(std::string_view number) const {
    const std::size_t point = number.find('.');
    if (!number_of(number.substr(0, point)) || !number_of(number.substr(point + 1))) {
      refuse_id(number);
    }
  }

  int next_id() const { return static_cast<int>(sentence_.words.size()) + 1; }

  void take_range(const Columns& columns) {
    const std::size_t dash = columns[id].find('-');
    const auto first = number_of(columns[id].substr(0, dash));
    const auto last = number_of(columns[id].substr(dash + 1));
    if (!first || !last) refuse_id(columns[id]);
    const int end = sentence_.ranges.empty() ? 0 : sentence_.ranges.back().end;
    if (*first != next_id() || *last < *first || *first <= end) {
      fail(line_, fmt::format("the multi-word token {} does not stand before its words, the next "
                              "of which is {}",
                              columns[id], next_id()));
    }
    if (columns[form].empty()) fail(line_, "a multi-word token without a form");
    sentence_.ranges.push_back({*first - 1, *last, std::string(columns[form]),
                                columns[misc].find(kNoSpace) == std::string_view::npos, line_});
  }

  void take_word(const Columns& columns) {
    const auto number = number_of(columns[id]);
    if (!number) refuse_id(columns[id]);
    if (*number != next_id()) {
      fail(line_, fmt::format("the id is {} where {} was expected; words are numbered from 1",
                              *number, next_id()));
    }
    if (columns[form].empty()) fail(line_, "a word without a form");
    if (columns[upos] != kConlluUnset && !is_part_of_speech(columns[upos])) {
      fail(line_, no_part_of_speech(columns[upos]));
    }
    sentence_.words.push_back({std::string(columns[form]), std::string(columns[lemma]),
                               std::string(columns[upos]), std::string(columns[xpos]),
                               std::string(columns[feats]), std::string(columns[deprel]),
                               std::string(columns[misc]), head_of(columns[head], *number - 1),
                               columns[misc].find(kNoSpace) == std::string_view::npos, line_});
  }

  std::optional<int> head_of(std::string_view text, int word) const {
    if (text == kConlluUnset) return std::nullopt;
    const auto number = number_of(text);
    if (!number) {
      fail(line_, fmt::format("the head {} is none: it is the id of a word, 0 for the root, or _",
                              quoted(text)));
    }
    return *number == 0 ? word : *number - 1;
  }

  void check_head(int i, int words) const {
    const ConlluWord& word = sentence_.words[i];
    if (!word.head || *word.head < words) return;
    fail(word.line, fmt::format("the head {} lies outside of the sentence, which has {} words",
                                *word.head + 1, words));
  }

  ConlluSentence& sentence_;
  int line_ = 0;
};

}  // namespace

// All tabs are counted, also those beyond the tenth column, so that the message can tell how many
// columns there are.
Columns conllu_columns(const ConlluLine& line) {
  Columns columns;
  std::size_t count = 0;
  for (std::size_t start = 0;;) {
    const std::size_t end = line.text.find('\t', start);
    if (count < kConlluColumns) {
      columns[count] = std::string_view(line.text).substr(start, end - start);
    }
    ++count;
    if (end == line.text.npos) break;
    start = end + 1;
  }
  if (count != kConlluColumns) {
    const bool spaces = count == 1 && line.text.find(' ') != line.text.npos;
    fail(line.number, fmt::format("a line with {} column{}; CoNLL-U has 10, parted by tabs{}",
                                  count, count == 1 ? "" : "s", spaces ? ", not by spaces" : ""));
  }
  return columns;
}

ConlluSentence parse_conllu(std::span<const ConlluLine> lines) {
  ConlluSentence sentence;
  Parser parser(sentence);
  for (const ConlluLine& line : lines) parser.take(line);
  parser.finish();
  return sentence;
}

}  // namespace weft
