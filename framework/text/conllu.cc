#include "framework/text/conllu.h"

#include <utility>

#include "framework/io/file_limits.h"
#include "framework/text/conllu_entities.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::string_view kNewDocument = "newdoc";

bool begins_document(const ConlluSentence& sentence) {
  for (const std::string& comment : sentence.comments) {
    if (comment.starts_with(kNewDocument)) return true;
  }
  return false;
}

}  // namespace

ConlluReader::ConlluReader(std::string path, std::shared_ptr<const Vocab> vocab,
                           ConlluOptions options)
    : path_(std::move(path)),
      shared_path_(std::make_shared<const std::string>(path_)),
      input_(path_),
      file_(input_.path(), kLongestTokenLine),
      budget_(input_.path()),
      options_(std::move(options)),
      maker_(std::move(vocab), options_, has_misc_tags(input_.path())) {}

void ConlluReader::fail(const ConlluFault& fault) const {
  throw Error(ErrorKind::data, fault.message, Origin::file(shared_path_, fault.line, 0));
}

bool ConlluReader::read_lines() {
  lines_.clear();
  while (file_.next(buffer_)) {
    const int number = static_cast<int>(file_.number());
    if (buffer_.ends_with('\r')) buffer_.pop_back();
    if (buffer_.find_first_not_of(" \t") == buffer_.npos) {
      if (!lines_.empty()) return true;
      continue;
    }
    if (buffer_.find('\r') != buffer_.npos) fail({number, kCarriageReturn});
    budget_.charge(ReadBudget::kToken + buffer_.size(), "the tokens of a document");
    lines_.push_back({buffer_, number});
  }
  return !lines_.empty();
}

bool ConlluReader::skip_row() {
  ahead_.reset();
  return !file_.is_cut();
}

std::optional<Doc> ConlluReader::next() {
  budget_.release_to(0);
  try {
    while (true) {
      if (!ahead_) {
        if (!read_lines()) break;
        ahead_ = parse_conllu(lines_);
      }
      const bool ends = options_.sents_per_doc == 0 && begins_document(*ahead_);
      if (ends && !maker_.empty()) break;
      ConlluSentence sentence = std::move(*ahead_);
      ahead_.reset();
      if (sentence.words.empty()) continue;  // comments alone
      if (maker_.empty()) first_line_ = sentence.words.front().line;
      maker_.add(std::move(sentence));
      if (maker_.sentences() == options_.sents_per_doc) break;
    }
  } catch (const ConlluFault& fault) {
    fail(fault);
  }
  if (maker_.empty()) return std::nullopt;
  return maker_.finish();
}

}  // namespace weft
