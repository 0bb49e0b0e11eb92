#include "framework/text/jsonl_reader.h"

#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "framework/text/biluo.h"
#include "framework/text/bounded_doc.h"
#include "framework/text/printable.h"
#include "framework/text/quoted_ents.h"
#include "framework/text/records/parse_record.h"
#include "framework/text/records/record_values.h"
#include "framework/text/records/shapes.h"
#include "framework/text/spacing.h"
#include "registry/base/error.h"

namespace weft {
namespace {

void set_ents_by_token(Doc& doc, const std::vector<RecordSpan>& ents) {
  std::vector<Span> spans;
  StringStore& strings = doc.vocab()->strings();
  for (const RecordSpan& ent : ents) {
    if (ent.start >= ent.end || ent.end > static_cast<std::size_t>(doc.size())) {
      fail_record("an entity from token " + std::to_string(ent.start) + " to " +
                  std::to_string(ent.end) + " in a document of " + std::to_string(doc.size()));
    }
    spans.push_back({static_cast<int>(ent.start), static_cast<int>(ent.end), strings.add(ent.label),
                     strings.add(ent.kb_id), strings.add(ent.id)});
  }
  doc.set_ents(spans);
}

// Tokens of a span of a group; of a record with text by its characters. (-1, -1): they are cut.
std::pair<int, int> tokens_of(const Doc& doc, const RecordSpan& span, bool by_characters) {
  if (by_characters) return doc.char_span(span.start, span.end);
  const auto tokens = static_cast<std::size_t>(doc.size());
  if (span.start > span.end || span.end > tokens) return {-1, -1};
  return {static_cast<int>(span.start), static_cast<int>(span.end)};
}

// Spans that are no whole tokens are left out where the policy allows for misaligned ones.
void set_groups(Doc& doc, const AnnotatedRecord& record, AlignmentPolicy policy) {
  if (record.groups.empty()) return;
  StringStore& strings = doc.vocab()->strings();
  SpanGroups groups;
  for (const auto& [key, spans] : record.groups) {
    SpanGroup group{key, {}, {}};
    for (const RecordSpan& span : spans) {
      const auto [start, end] = tokens_of(doc, span, record.text.has_value());
      if (start >= 0) {
        group.spans.push_back(
            {start, end, strings.add(span.label), strings.add(span.kb_id), strings.add(span.id)});
      } else if (policy == AlignmentPolicy::error) {
        fail_record("a span of \"" + printable_brief(key) + "\" from " +
                    std::to_string(span.start) + " to " + std::to_string(span.end) +
                    " is no sequence of whole tokens");
      }
    }
    groups.emplace_back(key, std::move(group));
  }
  doc.set_span_groups(std::move(groups));
}

void set_cats(Doc& doc, const AnnotatedRecord& record, const std::vector<std::string>& classes) {
  std::vector<TextCategory> found;
  for (const auto& [label, value] : record.cats) {
    std::visit([&, &name = label](auto number) { found.push_back({name, number}); }, value);
  }
  if (record.classes) {
    const std::unordered_set<std::string, SeededHash> own(record.classes->begin(),
                                                          record.classes->end());
    for (const std::string& name : classes) found.push_back({name, own.contains(name) ? 1.0 : 0.0});
  }
  doc.set_cats(std::move(found));
}

}  // namespace

JsonlReader::JsonlReader(std::string path, std::shared_ptr<const Vocab> vocab, MakeDoc make_doc,
                         JsonlOptions options)
    : path_(std::move(path)),
      vocab_(std::move(vocab)),
      make_doc_(std::move(make_doc)),
      options_(std::move(options)),
      texts_(path_),
      budget_(path_) {}

Doc JsonlReader::doc_of(AnnotatedRecord record) {
  if (!record.words) return bounded_doc(budget_, make_doc_, record.text.value_or(""));
  if (record.text && record.spaces.empty()) record.spaces = spaces_of(*record.text, *record.words);
  Doc doc = doc_of_words(vocab_, *record.words, record.spaces);
  if (record.text && doc.text() != *record.text) fail_record("the words do not spell the text");
  budget_.release_to(0);
  budget_.charge(ReadBudget::kToken * doc.tokens()->size(), "the tokens of a document");
  return doc;
}

// Of a file that names classes the other classes are known once all of it was looked at.
void JsonlReader::settle_classes(AnnotatedRecord& record) {
  if (!record.classes) return;
  if (!classes_) classes_.emplace().read(path_);
  for (const std::string& name : *record.classes) classes_->add(name);  // those of a pipe
  if (!record.is_undecided) return;
  if (classes_->names().empty()) {
    record.classes.reset();
  } else {
    record.spans.reset();
  }
}

void JsonlReader::annotate(Doc& doc, const AnnotatedRecord& record) {
  if (record.tags) set_ents_from_tags(doc, *record.tags);
  if (record.spans && record.text) {
    const DocPlace place{path_, line(), documents_};
    const AlignmentPolicy policy = options_.on_misaligned;
    const auto ents = quoted_ents(doc, *record.spans, policy, place, options_.tell);
    set_ents_from_chars(doc, ents, policy, place, options_.tell);
  } else if (record.spans) {
    set_ents_by_token(doc, *record.spans);
  }
  set_groups(doc, record, options_.on_misaligned);
  if (record.classes || !record.cats.empty()) {
    set_cats(doc, record, classes_ ? classes_->names() : std::vector<std::string>());
  }
}

// Under the key that was named, or as the record's shape has it. Words beside a text are not looked
// at: a pipeline knows its own. Throws Error(data) where there is none.
Doc JsonlReader::doc_of_text() {
  const std::string& key = options_.records.text_key;
  const Node* text = first_of(*record_, {key.empty() ? "text" : key.c_str()});
  if (text != nullptr && text->is_string())
    return bounded_doc(budget_, make_doc_, text->as_string());
  if (key.empty()) return doc_of(read_text_of(*record_));
  fail_record(fmt::format("a line without a text \"{}\"", key));
}

// Nothing where the record is no gold.
std::optional<Doc> JsonlReader::read_record() {
  record_ = parse_record(buffer_, budget_);
  if (options_.text_only) return doc_of_text();
  AnnotatedRecord found = weft::read_record(*record_, options_.records);
  if (found.verdict != Verdict::gold) {
    if (options_.left_out) options_.left_out(found.verdict);
    return std::nullopt;
  }
  settle_classes(found);
  Doc doc = doc_of(found);
  annotate(doc, found);
  return doc;
}

std::optional<Doc> JsonlReader::next() {
  while (texts_.next(buffer_)) {
    try {
      record_.reset();
      std::optional<Doc> doc;
      if (buffer_.find_first_not_of(" \t\r") != buffer_.npos) {
        doc = read_record();
      } else if (options_.text_only) {
        doc = make_doc_("");
      }
      if (!doc) continue;
      ++documents_;
      return doc;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      ++documents_;
      throw Error(ErrorKind::data, error.message(),
                  Origin::file(std::make_shared<const std::string>(path_), line(), 0));
    }
  }
  return std::nullopt;
}

}  // namespace weft
