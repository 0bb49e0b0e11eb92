#include "tests/conformance/conformance_components/predictions.h"

#include <cstdint>
#include <string>
#include <vector>

#include "tests/conformance/conformance_components/document.h"
#include "tests/conformance/conformance_components/parsers.h"
#include "tests/conformance/conformance_components/spans.h"

namespace weft::conformance {
namespace {

constexpr double kCategoryLimit = 1e-5;
constexpr double kSpanLimit = 1e-5;

// Of a text the tokens are checked too.
Doc input_of(const Language& nlp, const Json& line, const std::string& record, Checks& checks) {
  if (!line.contains("text")) {
    Doc doc = words_of(line, nlp.vocab());
    annotate(doc, line.value("preset", Json::object()));
    set_candidates(doc, line);
    if (line.contains("sent_start")) {
      doc.set_sent_starts(line.at("sent_start").get<std::vector<std::int8_t>>());
    }
    return doc;
  }
  Doc doc = nlp.make_doc(line.at("text").get<std::string>());
  Json words = Json::array(), spaces = Json::array();
  for (int i = 0; i < doc.size(); ++i) {
    words.push_back(doc.word(i));
    spaces.push_back(doc.space(i));
  }
  checks.equal(record, "words", words, line.at("words"));
  checks.equal(record, "spaces", spaces, line.at("spaces"));
  annotate(doc, line.value("preset", Json::object()));
  return doc;
}

}  // namespace

int check_predictions(const Language& nlp, const std::filesystem::path& file, Checks& checks) {
  int lines = 0;
  for_each_line(file, [&](int number, const Json& line) {
    ++lines;
    const std::string record = std::to_string(number);
    Doc doc = input_of(nlp, line, record, checks);
    if (parses_twice(nlp)) {
      check_parsers(nlp, line, doc, record, checks);
      return;
    }
    Doc* const docs[] = {&doc};
    nlp.annotate(docs);
    for (const auto& [field, wanted] : line.at("expect").items()) {
      const bool is_group = wanted.is_object() && wanted.contains("spans");
      if (is_group) {
        const SpanGroup* group = doc.span_group(field);
        check_group(record, group != nullptr ? *group : SpanGroup(), doc, wanted, kSpanLimit,
                    checks);
      } else if (field == "cats") {
        checks.near(record, field, field_of(doc, field), wanted, kCategoryLimit);
      } else {
        checks.equal(record, field, field_of(doc, field), wanted);
      }
    }
  });
  return lines;
}

}  // namespace weft::conformance
