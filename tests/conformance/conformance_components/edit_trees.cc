// Records of edit trees: `pairs` in the order in which they are added, `apply`, and all `trees`.
#include "framework/tagging/edit_trees.h"

#include <fstream>
#include <string>

#include <fmt/format.h>

#include "framework/text/string_store.h"
#include "framework/unicode/code_points.h"
#include "tests/conformance/conformance_components/records.h"

namespace weft::conformance {
namespace {

// As the records have it: ids of texts as decimal text.
Json json_of(const EditTree& tree) {
  if (tree.is_match) {
    return {{"prefix_len", tree.prefix_length},
            {"suffix_len", tree.suffix_length},
            {"prefix_tree", tree.prefix_tree},
            {"suffix_tree", tree.suffix_tree}};
  }
  return {{"orig", std::to_string(string_id(utf8_of(tree.original)))},
          {"subst", std::to_string(string_id(utf8_of(tree.substitute)))}};
}

void check_application(const EditTrees& trees, const Json& apply, Checks& checks) {
  const TreeNumber tree = apply.at(0);
  const auto form = apply.at(1).get<std::string>();
  const auto found = trees.apply(tree, form);
  checks.equal(fmt::format("tree {}", tree), form, found ? Json(*found) : Json(), apply.at(2));
}

}  // namespace

void replay_edit_trees(const std::filesystem::path& file, const Catalogue&, Checks& checks) {
  const Json record = Json::parse(std::ifstream(file));
  EditTrees trees;
  for (const Json& pair : record.at("pairs")) {
    const auto form = pair.at("form").get<std::string>();
    const TreeNumber tree = trees.add(form, pair.at("lemma").get<std::string>());
    checks.equal(form, "tree", {tree, trees.str(tree)}, {pair.at("id"), pair.at("tree")});
  }
  Json all = Json::array();
  for (std::size_t i = 0; i < trees.size(); ++i) {
    all.push_back(json_of(trees.at(static_cast<TreeNumber>(i))));
  }
  checks.equal("trees", "all", all, record.at("trees"));
  const auto texts = [&] {
    StringTable known;
    trees.for_each_text([&](std::string_view text) { known.add(text); });
    return known;
  }();
  const auto text_of = [&](StringId id) { return texts.find(id); };
  const EditTrees again = EditTrees::from_bytes(trees.to_bytes(), "trees", text_of);
  for (const Json& apply : record.at("apply")) check_application(again, apply, checks);
}

}  // namespace weft::conformance
