#include "framework/text/conll.h"

#include "framework/io/file_limits.h"
#include "framework/io/input_lines.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::string_view kDocStart = "-DOCSTART-";

// The parts of a line between tabs, or between runs of spaces where it has no tab.
std::vector<std::string_view> columns_of(std::string_view line) {
  const bool tabs = line.find('\t') != line.npos;
  std::vector<std::string_view> columns;
  while (true) {
    const std::size_t end = line.find(tabs ? '\t' : ' ');
    const std::string_view part = line.substr(0, end);
    if (tabs || !part.empty()) columns.push_back(part);
    if (end == line.npos) return columns;
    line.remove_prefix(end + 1);
  }
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == line.npos;
}

}  // namespace

struct ConllReader::Input {
  explicit Input(const std::string& path) : file(path, kLongestTokenLine) {}
  InputLines file;
  std::string line;
};

// Tags wait until the sentence is complete: whether they fit shows only then.
struct ConllReader::Sentence {
  std::vector<std::string> tags;
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

void ConllReader::take_line(std::string_view line, Sentence& sentence) {
  if (const auto bad = find_invalid_utf8(line)) {
    fail(line_, static_cast<int>(count_code_points(line.substr(0, *bad))) + 1,
         "text that is not valid UTF-8");
  }
  const std::vector<std::string_view> columns = columns_of(line);
  if (columns.size() < 2 || columns.size() > 4) {
    fail(line_, 1,
         "a line with " + std::to_string(columns.size()) +
             (columns.size() == 1 ? " column" : " columns") +
             "; a word and its tag with at most two columns between them were expected");
  }
  if (columns_ != 0 && columns.size() != columns_) {
    fail(line_, 1,
         "a line with " + std::to_string(columns.size()) + " columns after lines with " +
             std::to_string(columns_));
  }
  if (columns.front().empty()) fail(line_, 1, "a line without a word");
  columns_ = columns.size();
  budget_.charge(ReadBudget::kToken + columns.front().size(), "the tokens of a document");
  if (tokens_.size() == 0) doc_line_ = line_;
  sent_starts_.push_back(sentence.tags.empty() ? 1 : -1);
  sentence.tags.emplace_back(columns.back());
  sentence.lines.push_back(line_);
  tokens_.append(columns.front(), vocab_->lexeme(columns.front()), true);
  if (columns.size() > 2) tags_.push_back(vocab_->strings().add(columns[1]));
}

ConllReader::Stop ConllReader::read_sentence(Sentence& sentence) {
  std::string& line = input_->line;
  while (input_->file.next(line)) {
    ++line_;
    if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (line.ends_with('\r')) line.pop_back();
    if (line.starts_with(kDocStart)) {
      if (line_ == 1 && options_.prefer_docstart) options_.sents_per_doc = 0;
      return Stop::docstart;
    }
    if (!is_blank(line)) {
      take_line(line, sentence);
    } else if (!sentence.tags.empty()) {
      return Stop::blank;
    }
  }
  return Stop::end;
}

void ConllReader::take_tags(const Sentence& sentence) {
  DecodedTags decoded;
  if (const auto fault = decode_tags(sentence.tags, options_.scheme, decoded)) {
    fail(sentence.lines[fault->token], 1, fault->message);
  }
  const int start = static_cast<int>(tokens_.size() - sentence.tags.size());
  for (const TagSpan& span : decoded.spans) {
    ents_.push_back({start + span.start, start + span.end, vocab_->strings().add(span.label)});
  }
  for (const int token : decoded.missing) missing_.push_back({start + token, start + token + 1});
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
  first_line_ = doc_line_;
  budget_.release_to(0);
  return doc;
}

std::optional<Doc> ConllReader::next() {
  int sentences = 0;
  while (true) {
    Sentence sentence;
    const Stop stop = read_sentence(sentence);
    if (!sentence.tags.empty()) {
      take_tags(sentence);
      ++sentences;
    }
    const bool full = options_.sents_per_doc > 0 && sentences >= options_.sents_per_doc;
    if (tokens_.size() > 0 && (full || stop != Stop::blank)) return finish();
    if (stop == Stop::end) return std::nullopt;
  }
}

}  // namespace weft
