#include "tests/conformance/conformance_components/document.h"

#include <fstream>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "framework/text/morph_features.h"
#include "framework/text/parse_tree.h"
#include "framework/text/projective.h"

namespace weft::conformance {
namespace {

struct Column {
  const char* field;
  Attr attr;
};
constexpr Column kColumns[] = {{"tags", Attr::tag},     {"pos", Attr::pos},
                               {"lemmas", Attr::lemma}, {"morphs", Attr::morph},
                               {"deps", Attr::dep},     {"norms", Attr::norm}};

// Analyses are set as components set them: in their normal form.
StringId id_of(const Json& value, Attr attr, StringStore& strings) {
  if (value.is_null()) return 0;
  const auto text = value.get<std::string>();
  return strings.add(attr == Attr::morph ? normalised_features(text) : text);
}

Json text_of(const Doc& doc, Attr attr, int token) {
  if (attr == Attr::norm) return doc.norm(token);
  if (attr != Attr::morph) return doc.string(doc.value(attr, token));
  return has_morph(doc, token) ? Json(morph_text(doc, token)) : Json();
}

CategoryValue category_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return value.get<double>();
}

// Absolute in records, relative in documents. Tokens that `missing` lists are not annotated: they
// have no label and are their own heads. Sentences follow from the heads.
void set_heads(Doc& doc, const Json& json) {
  std::vector<std::int32_t> relative;
  for (const std::int32_t head : json.at("heads").get<std::vector<std::int32_t>>()) {
    relative.push_back(head - static_cast<std::int32_t>(relative.size()));
  }
  std::vector<StringId> labels = doc.attr_values(Attr::dep);
  for (const std::size_t token : json.value("missing", std::vector<std::size_t>())) {
    relative.at(token) = 0;
    labels.at(token) = 0;
  }
  doc.set_column(Attr::dep, std::move(labels));
  doc.set_sent_starts(sent_starts_of_heads(relative, doc.attr_values(Attr::dep)));
  doc.set_heads(std::move(relative));
}

}  // namespace

Doc words_of(const Json& json, const VocabPtr& vocab) {
  const auto words = json.at("words").get<std::vector<std::string>>();
  std::vector<char> spaces(words.size(), 1);
  if (json.contains("spaces")) {
    for (std::size_t i = 0; i < words.size(); ++i) spaces[i] = json.at("spaces").at(i) ? 1 : 0;
  }
  TokenTableBuilder builder;
  for (std::size_t i = 0; i < words.size(); ++i) {
    builder.append(words[i], vocab->lexeme(words[i]), spaces[i] != 0);
  }
  return Doc(vocab, builder.finish());
}

void annotate(Doc& doc, const Json& json) {
  for (const auto& [field, attr] : kColumns) {
    if (!json.contains(field)) continue;
    std::vector<StringId> ids;
    for (const Json& value : json.at(field)) {
      ids.push_back(id_of(value, attr, doc.vocab()->strings()));
    }
    doc.set_column(attr, std::move(ids));
  }
  if (json.contains("heads")) set_heads(doc, json);
  if (json.contains("sent_starts")) {
    doc.set_sent_starts(json.at("sent_starts").get<std::vector<std::int8_t>>());
  }
  if (json.contains("ents")) {
    std::vector<Span> ents;
    for (const Json& ent : json.at("ents")) {
      ents.push_back(
          {ent.at(0), ent.at(1), doc.vocab()->strings().add(ent.at(2).get<std::string>())});
    }
    doc.set_ents(ents);
  }
  if (!json.contains("cats")) return;
  for (const auto& [label, value] : json.at("cats").items()) {
    doc.set_cat(label, category_of(value));
  }
}

Doc document_of(const Json& json, const VocabPtr& vocab) {
  Doc doc = words_of(json, vocab);
  annotate(doc, json);
  return doc;
}

Json field_of(const Doc& doc, const std::string& field) {
  if (field == "sent_starts") {
    return std::vector<int>(doc.sent_starts().begin(), doc.sent_starts().end());
  }
  if (field == "ents") {
    Json ents = Json::array();
    for (const Span& ent : doc.ents()) {
      ents.push_back(Json::array({ent.start, ent.end, doc.string(ent.label)}));
    }
    return ents;
  }
  if (field == "cats") {
    Json cats = Json::object();
    for (const TextCategory& cat : doc.cats()) {
      std::visit([&](auto value) { cats[cat.label] = value; }, cat.value);
    }
    return cats;
  }
  if (field == "heads") return dependency_tree(doc).heads;
  for (const auto& [name, attr] : kColumns) {
    if (field != name) continue;
    Json texts = Json::array();
    for (int i = 0; i < doc.size(); ++i) texts.push_back(text_of(doc, attr, i));
    return texts;
  }
  throw std::runtime_error("a document has no field '" + field + "'");
}

void for_each_line(const std::filesystem::path& file,
                   const std::function<void(int, const Json&)>& each) {
  std::ifstream lines(file);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty()) each(number, Json::parse(line));
  }
}

}  // namespace weft::conformance
