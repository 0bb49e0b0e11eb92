#include "framework/training/data_check.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "framework/text/token_table.h"

namespace weft {
namespace {

constexpr std::size_t kExcerpt = 60;  // bytes of a text

std::uint64_t hash_of(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}

std::uint64_t hash_of_ents(const Doc& doc) {
  std::string all;
  for (const Span& ent : doc.ents()) {
    all += fmt::format("{} {} {}\n", ent.start, ent.end, doc.string(ent.label));
  }
  return hash_of(all);
}

std::string excerpt(std::string_view text) {
  std::size_t end = std::min(text.size(), kExcerpt);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  return std::string(text.substr(0, end));
}

// Characters that steer a terminal or the direction of text; tabs and line breaks are none.
bool steers(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F) return true;
    // U+0080 to U+009F
    const auto at = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0;
    };
    if (byte == 0xC2 && at(1) < 0xA0) return true;
    // U+200E, U+200F, U+202A to U+202E; U+2066 to U+2069
    if (byte == 0xE2 && at(1) == 0x80 && (at(2) == 0x8E || at(2) == 0x8F)) return true;
    if (byte == 0xE2 && at(1) == 0x80 && at(2) >= 0xAA && at(2) <= 0xAE) return true;
    if (byte == 0xE2 && at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9) return true;
  }
  return false;
}

// A label without what people write differently by mistake.
std::string folded(const std::string& label) {
  std::string result;
  for (const char c : label) {
    if (c == ' ' || c == '-' || c == '_' || c == '.') continue;
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

}  // namespace

DataCheck::DataCheck(const Language& nlp, Options options, DataSink tell)
    : nlp_(nlp), options_(options), tell_(std::move(tell)) {
  set_names("corpora.train", "corpora.dev");
}

void DataCheck::set_names(std::string train, std::string dev) {
  train_.name = std::move(train);
  dev_.name = std::move(dev);
}

DataProblem DataCheck::problem(DataFault fault, const PlacedDoc& placed,
                               const Corpus& corpus) const {
  DataProblem problem;
  problem.fault = fault;
  problem.corpus = corpus.name;
  problem.file = placed.file;
  problem.line = placed.line;
  problem.document = placed.document;
  problem.text = excerpt(placed.doc.text());
  return problem;
}

DataProblem DataCheck::problem(DataFault fault, const PlacedDoc& placed, const Span& ent,
                               const Corpus& corpus) const {
  DataProblem problem = this->problem(fault, placed, corpus);
  const TokenTable& tokens = *placed.doc.tokens();
  problem.start = static_cast<std::int64_t>(tokens.char_start(ent.start));
  problem.end = static_cast<std::int64_t>(tokens.char_end(ent.end - 1));
  problem.label = std::string(placed.doc.string(ent.label));
  problem.text = std::string(placed.doc.span_text(ent.start, ent.end));
  return problem;
}

void DataCheck::check(const PlacedDoc& placed, Corpus& corpus) {
  ++corpus.counts.documents;
  corpus.counts.tokens += placed.doc.size();
  check_document(placed, corpus);
  if (placed.doc.empty()) return;
  std::optional<Doc> tokenized;
  if (placed.own_tokens && !placed.doc.has_unknown_spaces()) {
    tokenized = nlp_.make_doc(placed.doc.text());
  }
  for (const Span& ent : placed.doc.ents()) {
    ++corpus.counts.entities;
    ++corpus.counts.labels[std::string(placed.doc.string(ent.label))];
    check_entity(placed, ent, tokenized ? &*tokenized : nullptr, corpus);
  }
  check_copies(placed, corpus);
}

void DataCheck::check_document(const PlacedDoc& placed, const Corpus& corpus) {
  const auto say = [&](DataFault fault, std::string message, std::string repair) {
    DataProblem found = problem(fault, placed, corpus);
    found.message = std::move(message);
    found.repair = std::move(repair);
    tell_(std::move(found));
  };
  const Doc& doc = placed.doc;
  if (doc.empty()) {
    return say(DataFault::empty_document, "the document has no tokens", "leave it out");
  }
  if (!doc.has_ents()) {
    say(DataFault::not_annotated, "no token says whether it is part of an entity",
        "give it an empty list of entities if it has none; else annotate it");
  }
  if (options_.max_length > 0 && doc.size() >= options_.max_length) {
    say(DataFault::too_long,
        fmt::format("{} tokens; documents of {} and more are {}", doc.size(), options_.max_length,
                    doc.has_sents() ? "cut into sentences" : "left out: it has no sentences"),
        "cut it into shorter documents, or raise max_length");
  }
  if (steers(doc.text())) {
    say(DataFault::control_characters, "the text holds control characters or bidirectional marks",
        "remove them");
  }
}

void DataCheck::check_entity(const PlacedDoc& placed, const Span& ent, const Doc* tokenized,
                             const Corpus& corpus) {
  const Doc& doc = placed.doc;
  if (tokenized != nullptr) {
    const auto start = doc.tokens()->char_start(ent.start);
    const auto end = doc.tokens()->char_end(ent.end - 1);
    if (tokenized->char_span(start, end).first < 0) {
      DataProblem found = problem(DataFault::misaligned, placed, ent, corpus);
      found.message = "the pipeline's tokens have other edges: the entity is not learnt from";
      found.repair = "annotate whole tokens, or change the tokenizer";
      tell_(std::move(found));
    }
  }
  const auto starts = doc.sent_starts();
  for (int i = ent.start + 1; i < ent.end && !starts.empty(); ++i) {
    if (starts[static_cast<std::size_t>(i)] != 1) continue;
    DataProblem found = problem(DataFault::crosses_sentence, placed, ent, corpus);
    found.message = "a sentence starts inside the entity";
    found.repair = fmt::format("end it before \"{}\", or correct the sentences", doc.word(i));
    tell_(std::move(found));
    break;
  }
  check_edges(placed, ent, corpus);
}

void DataCheck::check_edges(const PlacedDoc& placed, const Span& ent, const Corpus& corpus) {
  const Doc& doc = placed.doc;
  for (const auto& [fault, flag, what] :
       {std::tuple{DataFault::white_space, Attr::is_space, "white space"},
        std::tuple{DataFault::punctuation, Attr::is_punct, "punctuation"}}) {
    int start = ent.start;
    int end = ent.end;
    while (start < end && doc.has_flag(start, flag)) ++start;
    while (start < end && doc.has_flag(end - 1, flag)) --end;
    if (start == ent.start && end == ent.end) continue;
    DataProblem found = problem(fault, placed, ent, corpus);
    found.message = start == end ? fmt::format("the entity is nothing but {}", what)
                                 : fmt::format("the entity begins or ends with {}", what);
    found.repair =
        start == end ? "leave it out" : fmt::format("take \"{}\"", doc.span_text(start, end));
    tell_(std::move(found));
    return;
  }
}

void DataCheck::check_copies(const PlacedDoc& placed, Corpus& corpus) {
  const std::uint64_t text = hash_of(placed.doc.text());
  const std::uint64_t entities = hash_of_ents(placed.doc);
  const auto [place, is_new] =
      corpus.texts.try_emplace(text, Seen{placed.file, placed.document, entities});
  const auto trained = train_.texts.find(text);
  const bool in_both = &corpus == &dev_ && trained != train_.texts.end();
  if (is_new && !in_both) return;
  const Seen& first = in_both ? trained->second : place->second;
  const bool conflicts = !in_both && first.entities != entities;
  const DataFault fault = in_both     ? DataFault::train_dev_overlap
                          : conflicts ? DataFault::conflict
                                      : DataFault::duplicate;
  DataProblem found = problem(fault, placed, corpus);
  found.message = fmt::format("the same text as document {} of {}{}", first.document, first.file,
                              in_both ? ", which is trained on: scores look better than they are"
                              : conflicts ? ", with other entities"
                                          : "");
  found.repair = conflicts ? "decide for one annotation" : "leave one of them out";
  tell_(std::move(found));
}

void DataCheck::finish() {
  for (const auto& [label, count] : train_.counts.labels) {
    DataProblem found{.fault = DataFault::rare_label, .corpus = train_.name, .label = label};
    if (count < options_.rare_label) {
      found.message = fmt::format("{} entities to learn the label from", count);
      found.repair = "annotate more, or merge it with another label";
      tell_(found);
    }
    if (dev_.counts.documents == 0 || dev_.counts.labels.contains(label)) continue;
    found.fault = DataFault::one_sided_label;
    found.message = "the label is not in the development data: it is never evaluated";
    found.repair = "put some of its documents there";
    tell_(found);
  }
  for (const auto& [label, count] : dev_.counts.labels) {
    if (train_.counts.labels.contains(label)) continue;
    tell_({.fault = DataFault::one_sided_label,
           .corpus = dev_.name,
           .label = label,
           .message = fmt::format("the label is not in the training data: its {} entities are "
                                  "always missed",
                                  count),
           .repair = "put some of its documents there, or correct the label"});
  }
  check_label_names();
}

void DataCheck::check_label_names() {
  std::map<std::string, std::string> first;  // folded -> as it stands
  for (const auto* labels : {&train_.counts.labels, &dev_.counts.labels}) {
    for (const auto& [label, count] : *labels) {
      const auto [place, is_new] = first.try_emplace(folded(label), label);
      if (is_new || place->second == label) continue;
      tell_({.fault = DataFault::similar_labels,
             .corpus = labels == &train_.counts.labels ? train_.name : dev_.name,
             .label = label,
             .message = fmt::format("the label differs from '{}' in spelling only", place->second),
             .repair = fmt::format("write '{}' everywhere", place->second)});
    }
  }
}

}  // namespace weft
