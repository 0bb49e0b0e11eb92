#include "tests/conformance/conformance_pipeline/record.h"

#include <nlohmann/json.hpp>

namespace weft::conformance {

namespace {

using Json = nlohmann::json;

template <class T>
std::vector<T> list(const Json& json, const char* key) {
  return json.contains(key) ? json.at(key).get<std::vector<T>>() : std::vector<T>{};
}

Trace trace_of(const Json& json) {
  return {list<float>(json, "tok2vec_row0"), list<float>(json, "tok2vec_norms"),
          list<float>(json, "scores0"), list<int>(json, "moves"),
          list<std::string>(json, "action_names")};
}

}  // namespace

Record Record::parse(const std::string& line) {
  const Json json = Json::parse(line);
  Record record;
  if (json.contains("text")) record.text = json.at("text").get<std::string>();
  record.words = list<std::string>(json, "words");
  record.spaces = list<bool>(json, "spaces");
  for (const Json& ent : json.at("ents")) {
    record.ents.push_back({ent.at(0), ent.at(1), ent.at(2)});
  }
  record.sent_start = list<int>(json, "sent_start");
  record.iob = list<int>(json, "iob");
  for (const Json& type : json.value("types", Json::array())) {
    record.types.push_back(type.is_string() ? type.get<std::string>() : std::string());
  }
  if (json.contains("trace")) record.trace = trace_of(json.at("trace"));
  return record;
}

Doc Record::input(const Language& nlp) const {
  if (text) return nlp.make_doc(*text);
  Doc doc = Doc::from_words(nlp.vocab(), words);
  if (!sent_start.empty()) {
    doc.set_sent_starts(std::vector<std::int8_t>(sent_start.begin(), sent_start.end()));
  } else {
    doc.set_sent_starts(std::vector<std::int8_t>(words.size(), 0));
  }
  if (!iob.empty()) {
    std::vector<Iob> iobs;
    std::vector<StringId> ids;
    for (std::size_t i = 0; i < iob.size(); ++i) {
      iobs.push_back(static_cast<Iob>(iob[i]));
      const bool typed = i < types.size() && !types[i].empty();
      ids.push_back(typed ? nlp.vocab()->strings().add(types[i]) : 0);
    }
    doc.set_ent_columns(std::move(iobs), std::move(ids));
  }
  return doc;
}

std::vector<Entity> Record::entities(const Doc& doc) {
  std::vector<Entity> entities;
  for (const Span& span : doc.ents()) {
    entities.push_back({span.start, span.end, std::string(doc.string(span.label))});
  }
  return entities;
}

}  // namespace weft::conformance
