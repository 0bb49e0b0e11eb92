// Records of components without a network: sentencizer, attribute ruler, lemmatizer.
#include <string>

#include "registry/base/error.h"
#include "tests/conformance/conformance_components/document.h"
#include "tests/conformance/conformance_components/records.h"
#include "tests/conformance/conformance_components/rule_component.h"

namespace weft::conformance {
namespace {

// The fields of the document when the component has run; {"error": ...} where it fails.
Json outcome(const RuleComponent& pipe, const Json& document, const Json& wanted) {
  Doc doc = document_of(document, pipe.vocab());
  Json got = Json::object();
  try {
    pipe.run(doc);
  } catch (const Error&) {
    return {{"error", wanted.value("error", "none is expected")}};
  }
  for (const auto& [field, _] : wanted.items()) {
    got[field] = field == "error" ? Json() : field_of(doc, field);
  }
  return got;
}

}  // namespace

void replay_sentencizer(const std::filesystem::path& file, const Catalogue& catalogue,
                        Checks& checks) {
  for_each_line(file, [&](int, const Json& record) {
    const RuleComponent pipe(
        "sentencizer", "en", catalogue,
        {{"punct_chars", record.at("punct_chars")}, {"overwrite", record.at("overwrite")}});
    const Json wanted = {{"sent_starts", record.at("expect")}};
    const Json got = outcome(pipe, record.at("doc"), wanted);
    checks.equal(record.at("id"), "sent_starts", got, wanted);
  });
}

// A document's error stands in `expect`; it may have been annotated in part.
void replay_attribute_ruler(const std::filesystem::path& file, const Catalogue& catalogue,
                            Checks& checks) {
  for_each_line(file, [&](int, const Json& record) {
    RuleComponent pipe("attribute_ruler", "en", catalogue, Json::object());
    Json settings = Json::object();
    for (const char* key : {"patterns", "tag_map", "morph_rules"}) {
      if (record.contains(key)) settings[key] = record.at(key);
    }
    pipe.initialize(settings);
    const auto id = record.at("id").get<std::string>();
    checks.equal(id, "stored_patterns", pipe.saved("patterns"), record.at("stored_patterns"));
    for (const Json& entry : record.at("docs")) {
      const Json& wanted = entry.at("expect");
      checks.equal(id, "doc", outcome(pipe, entry.at("doc"), wanted), wanted);
    }
  });
}

void replay_lemmatizer(const std::filesystem::path& file, const Catalogue& catalogue,
                       Checks& checks) {
  for_each_line(file, [&](int, const Json& record) {
    RuleComponent pipe("lemmatizer", record.at("lang"), catalogue,
                       {{"mode", record.at("mode")}, {"overwrite", record.at("overwrite")}});
    pipe.load_tables(record.at("tables"));
    const Json wanted = {{"lemmas", record.at("expect")}};
    checks.equal(record.at("id"), "lemmas", outcome(pipe, record.at("doc"), wanted), wanted);
  });
}

}  // namespace weft::conformance
