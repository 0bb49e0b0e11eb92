#include "framework/text/iob_line_reader.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "framework/io/file_limits.h"
#include "framework/text/records/entity_tag.h"
#include "framework/text/spacing.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// Calls `take` with each part between white space of any kind, U+3000 and U+2028 included. The line
// is valid UTF-8.
template <typename Take>
void for_each_token(std::string_view line, Take take) {
  std::size_t start = 0;
  for (std::size_t pos = 0; pos < line.size();) {
    const std::size_t here = pos;
    if (!is_space(next_code_point(line, pos))) continue;
    if (here > start) take(line.substr(start, here - start));
    start = pos;
  }
  if (start < line.size()) take(line.substr(start));
}

// For a file of another format, which users of spaCy's name of the converter meet.
std::string hint_for(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t gap = line.find_last_of(kBlanks);
  if (gap == line.npos || !is_entity_tag(line.substr(gap + 1))) return "";
  return "; a word and its tag on each line are read by --converter conll";
}

}  // namespace

IobLineReader::IobLineReader(std::string path, std::shared_ptr<const Vocab> vocab,
                             IobLineOptions options)
    : path_(std::move(path)),
      vocab_(std::move(vocab)),
      options_(options),
      file_(path_, kLongestTokenLine),
      budget_(path_) {}

void IobLineReader::fail(const std::string& message) const {
  throw Error(ErrorKind::data, message,
              Origin::file(std::make_shared<const std::string>(path_), line_, 0));
}

// The word may hold a '|' itself: the parts are counted from the end.
void IobLineReader::take_token(std::string_view token) {
  const std::size_t last = token.rfind('|');
  if (last == token.npos || last == 0) {
    fail("\"" + std::string(token) + "\" has no tag" + hint_for(buffer_));
  }
  const std::size_t middle = token.rfind('|', last - 1);
  const std::size_t parts = middle == token.npos || middle == 0 ? 2 : 3;
  if (parts_ != 0 && parts != parts_) {
    fail("\"" + std::string(token) + "\" has " + std::to_string(parts) +
         " parts behind tokens of its line with " + std::to_string(parts_));
  }
  parts_ = parts;
  budget_.charge(ReadBudget::kToken + token.size(), "the tokens of a document");
  columns_.iobs.emplace_back(token.substr(last + 1));
  columns_.words.emplace_back(token.substr(0, parts == 2 ? last : middle));
  columns_.tags.emplace_back(parts == 2 ? std::string_view()
                                        : token.substr(middle + 1, last - middle - 1));
}

void IobLineReader::take_ents(int first) {
  DecodedTags decoded;
  const std::span<const std::string> tags = columns_.iobs;
  if (const auto fault = decode_tags(tags.subspan(first), options_.scheme, decoded)) {
    fail(fault->message);
  }
  for (const TagSpan& span : decoded.spans) {
    const StringId label = vocab_->strings().add(span.label);
    columns_.ents.push_back({first + span.start, first + span.end, label});
  }
  for (const int token : decoded.missing) {
    columns_.missing.push_back({first + token, first + token + 1});
  }
}

bool IobLineReader::read_sentence() {
  kept_bytes_ = budget_.used();
  while (file_.next(buffer_)) {
    ++line_;
    if (find_invalid_utf8(buffer_)) fail("text that is not valid UTF-8");
    if (buffer_.ends_with('\r')) buffer_.pop_back();
    if (buffer_.find('\r') != buffer_.npos) fail(kCarriageReturn);
    if (buffer_.empty() || is_space(buffer_)) continue;
    const auto before = static_cast<int>(columns_.sent_starts.size());
    parts_ = 0;
    for_each_token(buffer_, [&](std::string_view token) { take_token(token); });
    take_ents(before);
    columns_.sent_starts.push_back(1);
    columns_.sent_starts.resize(columns_.words.size(), -1);
    if (before == 0) first_line_ = line_;
    return true;
  }
  return false;
}

// `sent_starts` is set once a sentence is complete, so that it says where the last one ended.
bool IobLineReader::skip_row() {
  budget_.release_to(kept_bytes_);
  const std::size_t kept = columns_.sent_starts.size();
  columns_.words.resize(kept);
  columns_.tags.resize(kept);
  columns_.iobs.resize(kept);
  return !file_.is_cut();
}

Doc IobLineReader::made_of(const Columns& columns) const {
  Doc doc = doc_of_words(vocab_, columns.words, {});
  doc.set_sent_starts(columns.sent_starts);
  doc.set_ents(columns.ents, EntsDefault::outside, {}, columns.missing);
  const auto has_text = [](const std::string& tag) { return !tag.empty(); };
  if (std::any_of(columns.tags.begin(), columns.tags.end(), has_text)) {
    std::vector<StringId> tags;
    for (const std::string& tag : columns.tags) tags.push_back(vocab_->strings().add(tag));
    doc.set_column(Attr::tag, std::move(tags));
  }
  return doc;
}

std::optional<Doc> IobLineReader::next() {
  while (sentences_ < options_.sents_per_doc && read_sentence()) ++sentences_;
  sentences_ = 0;
  budget_.release_to(0);
  const Columns columns = std::exchange(columns_, {});
  if (columns.words.empty()) return std::nullopt;
  return made_of(columns);
}

bool looks_like_tag_lines(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  InputLines file(path, kLongestTokenLine);
  for (std::string line; file.next(line);) {
    if (line.find_first_not_of(kBlanks) != line.npos) return !hint_for(line).empty();
  }
  return false;
}

bool looks_like_iob_lines(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  InputLines file(path, kLongestTokenLine);
  for (std::string line; file.next(line);) {
    if (find_invalid_utf8(line)) return false;
    bool any = false;
    bool all = true;
    for_each_token(line, [&](std::string_view token) {
      any = true;
      all = all && token.find('|', 1) != token.npos;
    });
    if (any) return all;
  }
  return false;
}

}  // namespace weft
