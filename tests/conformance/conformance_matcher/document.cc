// Documents as the records write them down.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "framework/text/morph_features.h"
#include "framework/text/parse_tree.h"
#include "tests/conformance/conformance_matcher/replay.h"

namespace weft::conformance {
namespace {

constexpr std::pair<const char*, Attr> kColumns[] = {
    {"tags", Attr::tag}, {"pos", Attr::pos}, {"lemmas", Attr::lemma}, {"deps", Attr::dep}};

std::vector<StringId> ids_of(const Json& texts, StringStore& strings) {
  std::vector<StringId> ids;
  for (const Json& text : texts) ids.push_back(strings.add(text.get<std::string>()));
  return ids;
}

std::vector<StringId> analyses(const Json& texts, StringStore& strings) {
  std::vector<StringId> ids;
  for (const Json& text : texts) {
    ids.push_back(text.is_null() ? 0 : strings.add(normalised_features(text.get<std::string>())));
  }
  return ids;
}

void set_parse(Doc& doc, const Json& record) {
  if (!record.contains("heads")) return;
  std::vector<std::int32_t> heads = record.at("heads").get<std::vector<std::int32_t>>();
  for (std::size_t i = 0; i < heads.size(); ++i) heads[i] -= static_cast<std::int32_t>(i);
  doc.set_heads(heads);
  if (!doc.column(Attr::dep).empty()) {
    doc.set_sent_starts(sent_starts_of_heads(heads, doc.column(Attr::dep)));
  }
}

void set_ents(Doc& doc, const Json& record) {
  if (!record.contains("ents")) return;
  std::vector<Span> ents;
  std::vector<StringId> ids(static_cast<std::size_t>(doc.size()), 0);
  StringStore& strings = doc.vocab()->strings();
  for (const Json& ent : record.at("ents")) {
    Span span{ent.at(0), ent.at(1), strings.add(ent.at(2).get<std::string>())};
    if (ent.size() > 3) span.id = strings.add(ent.at(3).get<std::string>());
    for (int i = span.start; i < span.end; ++i) ids[static_cast<std::size_t>(i)] = span.id;
    ents.push_back(span);
  }
  doc.set_ents(ents);
  doc.set_column(Attr::ent_id, std::move(ids));
}

}  // namespace

Doc document_of(const Json& record, const Setting& setting) {
  const auto words = record.at("words").get<std::vector<std::string>>();
  const std::shared_ptr<const Vocab>& vocab = setting.english->vocab();
  TokenTableBuilder builder;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool space = !record.contains("spaces") || record.at("spaces").at(i).get<bool>();
    builder.append(words[i], vocab->lexeme(words[i]), space);
  }
  Doc doc(vocab, builder.finish());
  for (const auto& [field, attr] : kColumns) {
    if (record.contains(field)) doc.set_column(attr, ids_of(record.at(field), vocab->strings()));
  }
  if (record.contains("morphs")) {
    doc.set_column(Attr::morph, analyses(record.at("morphs"), vocab->strings()));
  }
  set_parse(doc, record);
  set_ents(doc, record);
  if (record.contains("sent_starts")) {
    doc.set_sent_starts(record.at("sent_starts").get<std::vector<std::int8_t>>());
  }
  return doc;
}

}  // namespace weft::conformance
