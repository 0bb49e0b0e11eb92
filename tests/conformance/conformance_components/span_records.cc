// Records of suggesters, and of the spans that components for spans make of scores.
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "components/pipes/span_bounds.h"
#include "components/pipes/span_choice.h"
#include "framework/tensor/tensor.h"
#include "framework/text/vocab.h"
#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"
#include "tests/conformance/conformance_components/records.h"
#include "tests/conformance/conformance_components/spans.h"

namespace weft::conformance {
namespace {

constexpr double kScoreLimit = 1e-6;

Suggester suggester_of(const Json& record, const Catalogue& catalogue) {
  std::string block = "[suggester]\n@misc = " + record.at("suggester").dump() + "\n";
  for (const auto& [name, value] : record.at("args").items()) {
    block += name + " = " + value.dump() + "\n";
  }
  Problems problems;
  const Config config = read_cfg(block, "suggester", problems);
  auto result = resolve_at(config, "suggester", catalogue, {}, problems);
  Suggester* made = result && result->is_product() ? result->product().get<Suggester>() : nullptr;
  if (made == nullptr) throw std::runtime_error("the suggester cannot be made");
  return *made;
}

Doc doc_of(int tokens, const VocabPtr& vocab) {
  return words_of(Json{{"words", std::vector<std::string>(tokens, "word")}}, vocab);
}

// (rows, columns) f32.
Tensor matrix_of(const Json& rows) {
  const auto count = static_cast<std::int64_t>(rows.size());
  const auto columns = static_cast<std::int64_t>(rows.empty() ? 0 : rows.at(0).size());
  Tensor matrix = Tensor::zeros({count, columns});
  float* number = matrix.data<float>();
  for (const Json& row : rows) {
    for (const Json& value : row) *number++ = value.get<float>();
  }
  return matrix;
}

template <class Number>
std::optional<Number> number_in(const Json& config, const char* key) {
  const Json value = config.value(key, Json());
  return value.is_null() ? std::nullopt : std::optional(value.get<Number>());
}

SpanGroup found_spans(const Json& config, const Json& scores) {
  const SpanBounds bounds{config.at("threshold"), number_in<int>(config, "min_length"),
                          number_in<int>(config, "max_length")};
  SpanGroup group{"finder", {}, {}};
  for (const TokenRange& span : spans_between(matrix_of(scores).cview(), bounds)) {
    group.spans.push_back({span.start, span.end});
  }
  return group;
}

SpanGroup chosen_spans(const Json& record, StringStore& strings) {
  const Json& config = record.at("config");
  const SpanChoice choice{number_in<double>(config, "threshold"),
                          number_in<int>(config, "max_positive"), config.at("allow_overlap"),
                          config.at("add_negative_label")};
  const Tensor scores = matrix_of(record.at("scores"));
  std::vector<ScoredSpan> chosen;
  for (std::size_t i = 0; i < record.at("candidates").size(); ++i) {
    const Json& range = record.at("candidates").at(i);
    choose_labels(choice, {range.at(0), range.at(1)},
                  scores.cview().row<float>(static_cast<std::int64_t>(i)),
                  static_cast<int>(scores.dim(1)), chosen);
  }
  chosen = without_overlaps(choice, std::move(chosen));
  SpanGroup group{record.at("kind"), {}, {}};
  for (const ScoredSpan& span : chosen) {
    const auto label = config.at("labels").at(static_cast<std::size_t>(span.label));
    group.spans.push_back(
        {span.range.start, span.range.end, strings.add(label.get<std::string>())});
  }
  if (!record.at("candidates").empty()) group.attrs = score_attributes(choice, chosen);
  return group;
}

}  // namespace

void replay_suggesters(const std::filesystem::path& file, const Catalogue& catalogue,
                       Checks& checks) {
  const auto vocab = std::make_shared<Vocab>("en");
  for_each_line(file, [&](int, const Json& record) {
    const Suggester suggester = suggester_of(record, catalogue);
    Json got = Json::array();
    for (std::size_t d = 0; d < record.at("lengths").size(); ++d) {
      Doc doc = doc_of(record.at("lengths").at(d), vocab);
      if (record.contains("spans")) {
        SpanGroup group{"c", {}, {}};
        for (const Json& span : record.at("spans").at(d)) {
          group.spans.push_back({span.at(0), span.at(1)});
        }
        doc.set_span_group(record.at("args").at("spans_key"), std::move(group));
      }
      got.push_back(json_of(suggester.suggest(doc)));
    }
    checks.equal(record.at("id"), "suggested", got, record.at("expect"));
  });
}

void replay_span_groups(const std::filesystem::path& file, const Catalogue&, Checks& checks) {
  const auto vocab = std::make_shared<Vocab>("en");
  for_each_line(file, [&](int, const Json& record) {
    const Doc doc = doc_of(1, vocab);
    const SpanGroup group = record.at("kind") == "finder"
                                ? found_spans(record.at("config"), record.at("scores"))
                                : chosen_spans(record, vocab->strings());
    check_group(record.at("id"), group, doc, record.at("expect"), kScoreLimit, checks);
  });
}

}  // namespace weft::conformance
