#include "framework/text/conll.h"

#include <filesystem>
#include <optional>
#include <utility>

#include "framework/io/file_limits.h"
#include "framework/io/input_lines.h"
#include "framework/text/tag_columns.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::string_view kDocStart = "-DOCSTART-";

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == line.npos;
}

// Whether the words of a sentence are 1, 2, 3 … (or from 0 on) beside others in the next column: a
// column that counts the tokens, as CoNLL-U has it, stands where the words are expected.
bool counts(const std::vector<std::string>& words, const std::vector<std::string>& next) {
  if (words.size() < 2 || next.size() != words.size()) return false;
  for (const int first : {0, 1}) {
    std::size_t i = 0;
    while (i < words.size() && words[i] == std::to_string(first + static_cast<int>(i)) &&
           next[i] != words[i]) {
      ++i;
    }
    if (i == words.size()) return true;
  }
  return false;
}

}  // namespace

struct ConllReader::Input {
  explicit Input(const std::string& path) : file(path, kLongestTokenLine) {}
  InputLines file;
  std::string line;
  bool is_put_back = false;           // the line was not taken yet
  std::string sentence;               // the number of the last one, where a column has them
  std::optional<TagColumns> columns;  // once a line was seen
};

// A sentence waits until it is complete: whether its tags fit shows only then.
struct ConllReader::Sentence {
  std::vector<std::string> words;
  std::vector<std::string> tags;
  std::vector<std::string> pos;
  std::vector<int> lines;
};

ConllReader::ConllReader(std::string path, std::shared_ptr<const Vocab> vocab, ConllOptions options)
    : path_(std::move(path)),
      shared_path_(std::make_shared<const std::string>(path_)),
      vocab_(std::move(vocab)),
      options_(options),
      input_(std::make_unique<Input>(path_)),
      budget_(path_) {}

ConllReader::~ConllReader() = default;

void ConllReader::fail(int line, int column, const std::string& message) const {
  throw Error(ErrorKind::data, message, Origin::file(shared_path_, line, column));
}

bool ConllReader::take_line(std::string_view line, Sentence& sentence) {
  if (const auto bad = find_invalid_utf8(line)) {
    fail(line_, static_cast<int>(count_code_points(line.substr(0, *bad))) + 1,
         "text that is not valid UTF-8");
  }
  try {
    if (!input_->columns) {
      input_->columns.emplace(line, path_);
      if (input_->columns->has_header()) return false;
    }
    const TagRow row = input_->columns->row(line);
    if (!row.sentence.empty() && row.sentence != input_->sentence) {
      if (!sentence.tags.empty()) return true;
      input_->sentence = row.sentence;
    }
    // Labels are copied out of the tags, so that a line may be there twice.
    budget_.charge(ReadBudget::kToken + 2 * line.size(), "the tokens of a document");
    sentence.words.emplace_back(row.word);
    sentence.tags.emplace_back(row.tag);
    sentence.lines.push_back(line_);
    if (row.pos) sentence.pos.emplace_back(*row.pos);
  } catch (const Error& error) {
    if (error.place().source != Origin::Source::none) throw;
    fail(line_, 1, error.message());
  }
  return false;
}

bool ConllReader::next_line() {
  if (std::exchange(input_->is_put_back, false)) return true;
  std::string& line = input_->line;
  if (!input_->file.next(line)) return false;
  ++line_;
  if (line.ends_with('\r')) line.pop_back();
  return true;
}

ConllReader::Stop ConllReader::read_sentence(Sentence& sentence) {
  const std::string& line = input_->line;
  while (next_line()) {
    // The line ends of old Macs would make one line of the whole file.
    if (line.find('\r') != line.npos && !is_blank(line)) fail(line_, 0, kCarriageReturn);
    if (line.starts_with(kDocStart)) {
      // The first line with anything on it.
      const bool is_first = doc_line_ == 0 && first_line_ == 0 && sentence.tags.empty();
      if (is_first && options_.prefer_docstart) options_.sents_per_doc = 0;
      return Stop::docstart;
    }
    const bool is_empty = input_->columns ? input_->columns->is_blank(line) : is_blank(line);
    if (is_empty && !sentence.tags.empty()) return Stop::blank;
    if (is_empty) continue;
    if (take_line(line, sentence)) {
      input_->is_put_back = true;
      return Stop::blank;
    }
  }
  return Stop::end;
}

void ConllReader::keep(const Sentence& sentence) {
  const bool is_first = doc_line_ == 0;
  if (is_first && !input_->columns->has_header() && counts(sentence.words, sentence.pos)) {
    fail(sentence.lines.front(), 1,
         "the first column counts the tokens, and the word is taken from it; leave it out, or name "
         "the columns in a first line, as \"id word tag\"");
  }
  DecodedTags decoded;
  if (const auto fault = decode_tags(sentence.tags, options_.scheme, decoded)) {
    fail(sentence.lines[fault->token], 1, fault->message);
  }
  const int start = static_cast<int>(tokens_.size());
  if (start == 0) doc_line_ = sentence.lines.front();
  for (const std::string& word : sentence.words) {
    sent_starts_.push_back(static_cast<int>(tokens_.size()) == start ? 1 : -1);
    tokens_.append(word, vocab_->lexeme(word), true);
  }
  for (const std::string& tag : sentence.pos) tags_.push_back(vocab_->strings().add(tag));
  for (const TagSpan& span : decoded.spans) {
    ents_.push_back({start + span.start, start + span.end, vocab_->strings().add(span.label)});
  }
  for (const int token : decoded.missing) missing_.push_back({start + token, start + token + 1});
  ++sentences_;
}

bool ConllReader::begins_other_sentence(std::string_view line) {
  if (line.starts_with(kDocStart)) return true;
  if (!input_->columns) return false;
  try {
    const TagRow row = input_->columns->row(line);
    return !row.sentence.empty() && row.sentence != input_->sentence;
  } catch (const Error&) {
    return false;
  }
}

bool ConllReader::skip_row() {
  budget_.release_to(kept_bytes_);
  if (input_->file.is_cut()) return false;
  const std::string& line = input_->line;
  // A fault of the tags shows behind their sentence.
  if (line.starts_with(kDocStart)) input_->is_put_back = true;
  if (input_->is_put_back || is_blank(line)) return true;
  while (next_line() && !is_blank(line)) {
    input_->is_put_back = begins_other_sentence(line);
    if (input_->is_put_back) break;
  }
  return true;
}

// Faults of the file are left to the reader, which tells them with their places.
bool marks_documents(const std::string& path) try {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  InputLines file(path, kLongestTokenLine);
  for (std::string line; file.next(line);) {
    if (line.starts_with(kDocStart)) return true;
  }
  return false;
} catch (const Error&) {
  return false;
}

Doc ConllReader::finish() {
  Doc doc(vocab_, tokens_.finish());
  doc.set_unknown_spaces(true);
  doc.set_sent_starts(std::move(sent_starts_));
  doc.set_column(Attr::tag, std::move(tags_));
  doc.set_ents(ents_, EntsDefault::outside, {}, missing_);
  sent_starts_.clear();
  tags_.clear();
  ents_.clear();
  missing_.clear();
  sentences_ = 0;
  first_line_ = doc_line_;
  budget_.release_to(0);
  return doc;
}

std::optional<Doc> ConllReader::next() {
  while (true) {
    Sentence sentence;
    kept_bytes_ = budget_.used();
    const Stop stop = read_sentence(sentence);
    if (!sentence.tags.empty()) keep(sentence);
    const bool full = options_.sents_per_doc > 0 && sentences_ >= options_.sents_per_doc;
    if (tokens_.size() > 0 && (full || stop != Stop::blank)) return finish();
    if (stop == Stop::end) return std::nullopt;
  }
}

}  // namespace weft
