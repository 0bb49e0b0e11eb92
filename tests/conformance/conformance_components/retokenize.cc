// Records of components that merge, split and clean.
#include <string>
#include <utility>
#include <vector>

#include "framework/text/parse_tree.h"
#include "tests/conformance/conformance_components/document.h"
#include "tests/conformance/conformance_components/records.h"
#include "tests/conformance/conformance_components/rule_component.h"

namespace weft::conformance {
namespace {

void set_parse(Doc& doc, const Json& record) {
  StringStore& strings = doc.vocab()->strings();
  if (record.contains("deps")) {
    std::vector<StringId> deps;
    for (const Json& dep : record.at("deps")) deps.push_back(strings.add(dep.get<std::string>()));
    doc.set_column(Attr::dep, std::move(deps));
  }
  if (!record.contains("heads")) return;
  auto heads = record.at("heads").get<std::vector<std::int32_t>>();
  for (std::size_t i = 0; i < heads.size(); ++i) heads[i] -= static_cast<std::int32_t>(i);
  doc.set_heads(heads);
  if (!doc.column(Attr::dep).empty()) {
    doc.set_sent_starts(sent_starts_of_heads(heads, doc.column(Attr::dep)));
  }
}

void set_ents(Doc& doc, const Json& record) {
  if (!record.contains("ents")) return;
  std::vector<Span> ents;
  for (const Json& ent : record.at("ents")) {
    ents.push_back(
        {ent.at(0), ent.at(1), doc.vocab()->strings().add(ent.at(2).get<std::string>())});
  }
  doc.set_ents(ents);
}

Json ents_of(const Doc& doc) {
  Json ents = Json::array();
  for (const Span& ent : doc.ents()) {
    ents.push_back({ent.start, ent.end, doc.string(ent.label)});
  }
  return ents;
}

Json of_tokens(const Doc& doc, const std::string& field) {
  Json values = Json::array();
  for (int i = 0; i < doc.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (field == "words") values.push_back(doc.word(i));
    if (field == "spaces") values.push_back(doc.space(i));
    if (field == "heads") values.push_back(i + (doc.heads().empty() ? 0 : doc.heads()[at]));
    if (field == "deps") values.push_back(doc.string(doc.value(Attr::dep, i)));
    if (field == "ent_iob") values.push_back(static_cast<int>(doc.ent_iob(i)));
    if (field == "ent_types") values.push_back(doc.string(doc.ent_type(i)));
  }
  return values;
}

bool is_of_tokens(const std::string& field) {
  for (const char* one : {"words", "spaces", "heads", "deps", "ent_iob", "ent_types"}) {
    if (field == one) return true;
  }
  return false;
}

// An empty analysis and none look the same in these records.
Json morphs_of(const Doc& doc) {
  Json morphs = field_of(doc, "morphs");
  for (Json& morph : morphs) {
    if (morph.is_null()) morph = "";
  }
  return morphs;
}

Json got_of(const Doc& doc, const std::string& field) {
  if (field == "ents") return ents_of(doc);
  if (field == "morphs") return morphs_of(doc);
  return is_of_tokens(field) ? of_tokens(doc, field) : field_of(doc, field);
}

}  // namespace

void replay_retokenize(const std::filesystem::path& file, const Catalogue& catalogue,
                       Checks& checks) {
  for_each_line(file, [&](int, const Json& record) {
    const RuleComponent pipe(record.at("component"), "en", catalogue,
                             record.value("config", Json::object()));
    Doc doc = document_of(record, pipe.vocab());
    set_parse(doc, record);
    set_ents(doc, record);
    pipe.run(doc);
    Json got = Json::object(), wanted = Json::object();
    for (const auto& [field, value] : record.at("expect").items()) {
      if (field == "tensor") continue;  // documents have none
      got[field] = got_of(doc, field);
      wanted[field] = value;
    }
    checks.equal(record.at("id"), "document", got, wanted);
  });
}

}  // namespace weft::conformance
