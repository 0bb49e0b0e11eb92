#include "framework/text/iob_line_reader.h"

#include <algorithm>
#include <filesystem>

#include "framework/io/file_limits.h"
#include "framework/text/spacing.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// Calls `take` with each part between blanks.
template <typename Take>
void for_each_token(std::string_view line, Take take) {
  while (true) {
    const std::size_t start = line.find_first_not_of(kBlanks);
    if (start == line.npos) return;
    line.remove_prefix(start);
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    take(line.substr(0, end));
    line.remove_prefix(end);
  }
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
void IobLineReader::take_token(std::string_view token, Columns& columns) {
  const std::size_t last = token.rfind('|');
  if (last == token.npos || last == 0) fail("\"" + std::string(token) + "\" has no tag");
  const std::size_t middle = token.rfind('|', last - 1);
  const std::size_t parts = middle == token.npos || middle == 0 ? 2 : 3;
  if (parts_ != 0 && parts != parts_) {
    fail("\"" + std::string(token) + "\" has " + std::to_string(parts) +
         " parts after tokens with " + std::to_string(parts_));
  }
  parts_ = parts;
  budget_.charge(ReadBudget::kToken + token.size(), "the tokens of a document");
  columns.iobs.emplace_back(token.substr(last + 1));
  columns.words.emplace_back(token.substr(0, parts == 2 ? last : middle));
  columns.tags.emplace_back(parts == 2 ? std::string_view()
                                       : token.substr(middle + 1, last - middle - 1));
}

void IobLineReader::take_ents(int first, Columns& columns) {
  DecodedTags decoded;
  const std::span<const std::string> tags = columns.iobs;
  if (const auto fault = decode_tags(tags.subspan(first), options_.scheme, decoded)) {
    fail(fault->message);
  }
  for (const TagSpan& span : decoded.spans) {
    const StringId label = vocab_->strings().add(span.label);
    columns.ents.push_back({first + span.start, first + span.end, label});
  }
  for (const int token : decoded.missing) {
    columns.missing.push_back({first + token, first + token + 1});
  }
}

bool IobLineReader::read_sentence(Columns& columns) {
  while (file_.next(buffer_)) {
    ++line_;
    if (line_ == 1 && buffer_.starts_with("\xEF\xBB\xBF")) buffer_.erase(0, 3);
    if (buffer_.find_first_not_of(kBlanks) == buffer_.npos) continue;
    if (find_invalid_utf8(buffer_)) fail("text that is not valid UTF-8");
    const auto before = static_cast<int>(columns.words.size());
    for_each_token(buffer_, [&](std::string_view token) { take_token(token, columns); });
    take_ents(before, columns);
    columns.sent_starts.push_back(1);
    columns.sent_starts.resize(columns.words.size(), -1);
    if (before == 0) first_line_ = line_;
    return true;
  }
  return false;
}

Doc IobLineReader::made_of(const Columns& columns) const {
  Doc doc = doc_of_words(vocab_, columns.words, {});
  doc.set_sent_starts(columns.sent_starts);
  doc.set_ents(columns.ents, EntsDefault::outside, {}, columns.missing);
  if (parts_ == 3) {
    std::vector<StringId> tags;
    for (const std::string& tag : columns.tags) tags.push_back(vocab_->strings().add(tag));
    doc.set_column(Attr::tag, std::move(tags));
  }
  return doc;
}

std::optional<Doc> IobLineReader::next() {
  Columns columns;
  budget_.release_to(0);
  for (int sentences = 0; sentences < options_.sents_per_doc; ++sentences) {
    if (!read_sentence(columns)) break;
  }
  if (columns.words.empty()) return std::nullopt;
  return made_of(columns);
}

bool looks_like_iob_lines(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  InputLines file(path, kLongestTokenLine);
  for (std::string line; file.next(line);) {
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
