// Records of projective transformation and of the classes that follow from trees.
#include "tests/conformance/conformance_components/trees.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "framework/parser/arc_table.h"
#include "framework/text/parse_tree.h"
#include "framework/text/vocab.h"
#include "registry/base/error.h"
#include "tests/conformance/conformance_components/records.h"

namespace weft::conformance {
namespace {

std::vector<std::int32_t> relative(const std::vector<std::int32_t>& heads) {
  std::vector<std::int32_t> result(heads);
  for (std::size_t i = 0; i < heads.size(); ++i) result[i] -= static_cast<std::int32_t>(i);
  return result;
}

std::vector<int> starts_of(const DependencyTree& tree) {
  std::vector<StringId> labels;
  for (const std::string& label : tree.labels) labels.push_back(string_id(label));
  const auto starts = sent_starts_of_heads(relative(tree.heads), labels);
  return {starts.begin(), starts.end()};
}

void check_back(const Json& record, const DependencyTree& lifted, const std::string& id,
                Checks& checks) {
  const Json& wanted = record.at("expect");
  std::vector<bool> is_space;
  for (const Json& word : record.at("words")) {
    const auto text = word.get<std::string>();
    is_space.push_back(text.find_first_not_of(" \t\n\r") == std::string::npos);
  }
  const DependencyTree back = deprojectivized(lifted, is_space);
  checks.equal(id, "back_heads", back.heads, wanted.at("back_heads"));
  checks.equal(id, "back_deps", back.labels, wanted.at("back_deps"));
  checks.equal(id, "sent_starts", starts_of(back), wanted.at("sent_starts"));
}

}  // namespace

DependencyTree tree_of(const Json& json) {
  return {json.at("heads").get<std::vector<std::int32_t>>(),
          json.at("deps").get<std::vector<std::string>>()};
}

void replay_projective(const std::filesystem::path& file, const Catalogue&, Checks& checks) {
  for_each_line(file, [&](int, const Json& record) {
    const auto id = record.at("id").get<std::string>();
    const Json& wanted = record.at("expect");
    const DependencyTree lifted = projectivized(tree_of(record));
    checks.equal(id, "projective_heads", lifted.heads, wanted.at("projective_heads"));
    checks.equal(id, "projective_deps", lifted.labels, wanted.at("projective_deps"));
    if (!wanted.value("cycle", false)) check_back(record, lifted, id, checks);
  });
}

void replay_arc_labels(const std::filesystem::path& file, const Catalogue&, Checks& checks) {
  for_each_line(file, [&](int, const Json& record) {
    const auto id = record.at("id").get<std::string>();
    ArcCounts counts;
    for (const Json& doc : record.at("docs")) counts.add(projectivized(tree_of(doc)));
    const ArcTable table =
        counts.table(record.at("min_action_freq"), record.at("learn_tokens").get<bool>());
    const auto unordered = [](const Json& json) { return nlohmann::json::parse(json.dump()); };
    const auto got = nlohmann::json::parse(table.to_json());
    checks.equal(id, "counts", Json(got == unordered(record.at("expect").at("counts"))),
                 Json(true));
    Json classes = Json::array();
    for (int k = 0; k < table.size(); ++k) classes.push_back(table.name(k));
    checks.equal(id, "classes", classes, record.at("expect").at("classes"));
  });
}

}  // namespace weft::conformance
