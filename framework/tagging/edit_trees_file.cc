// Edit trees as the `trees` file of a pipeline and as JSON of labels. docs/tagging.md, "Files".
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "framework/io/read_budget.h"
#include "framework/tagging/edit_trees.h"
#include "framework/unicode/code_points.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Each node takes a character of form and lemma, so that words of this length give no deeper tree.
constexpr int kDeepest = 4096;
// Trees share their parts, and applying one walks each part as often as it is there. Of a form and
// a lemma whose lengths multiplied are below kMostCells, a tree has some 2,000 at most.
constexpr std::uint64_t kMostParts = 8192;
// Memory for a byte of a text: a code point in the list of trees, and one in their numbers.
constexpr std::uint64_t kTextCopies = 2 * sizeof(char32_t);

[[noreturn]] void fail(const std::string& source, std::size_t tree, const std::string& what) {
  throw Error(ErrorKind::data, fmt::format("{}: edit tree {}: {}", source, tree, what));
}

// The numbers and texts of one tree as they are read, in any order.
struct Parts {
  std::optional<std::int64_t> prefix_length, suffix_length, prefix_tree, suffix_tree;
  std::optional<std::u32string> original, substitute;

  std::optional<std::int64_t>* number(std::string_view key) {
    if (key == "prefix_len") return &prefix_length;
    if (key == "suffix_len") return &suffix_length;
    if (key == "prefix_tree") return &prefix_tree;
    return key == "suffix_tree" ? &suffix_tree : nullptr;
  }
  std::optional<std::u32string>* text(std::string_view key) {
    if (key == "orig") return &original;
    return key == "subst" ? &substitute : nullptr;
  }

  EditTree tree(const std::string& source, std::size_t place) const {
    EditTree tree;
    tree.is_match = prefix_length && suffix_length && prefix_tree && suffix_tree;
    if (!tree.is_match && (!original || !substitute)) {
      fail(source, place,
           "it has neither prefix_len, suffix_len, prefix_tree and suffix_tree nor orig and subst");
    }
    if (tree.is_match) {
      const auto narrow = [&](std::int64_t value) {
        if (value >= 0 && value <= std::numeric_limits<std::uint32_t>::max()) {
          return static_cast<std::uint32_t>(value);
        }
        fail(source, place, fmt::format("{} is no number of 32 bits", value));
      };
      tree.prefix_length = narrow(*prefix_length);
      tree.suffix_length = narrow(*suffix_length);
      tree.prefix_tree = narrow(*prefix_tree);
      tree.suffix_tree = narrow(*suffix_tree);
    } else {
      tree.original = *original;
      tree.substitute = *substitute;
    }
    return tree;
  }
};

}  // namespace

// A walk with a stack of its own, since the file may describe a chain as long as it likes: each
// tree is visited once its parts are done, and one met again on the way is a cycle.
void EditTrees::check(const std::string& source) const {
  // Depths of finished trees; 0: not yet looked at, -1: under way.
  std::vector<int> depths(trees_.size(), 0);
  std::vector<std::uint64_t> parts(trees_.size(), 1);  // of the tree written out
  const auto children = [&](std::size_t i) {
    return std::pair(trees_[i].prefix_tree, trees_[i].suffix_tree);
  };
  std::vector<std::size_t> path;
  for (std::size_t root = 0; root < trees_.size(); ++root) {
    if (depths[root] == 0) path.push_back(root);
    while (!path.empty()) {
      const std::size_t at = path.back();
      depths[at] = -1;
      int deepest = 0;
      bool waits = false;
      const auto [prefix, suffix] = children(at);
      for (const TreeNumber child : {prefix, suffix}) {
        if (child == kNoTree) continue;
        if (child >= trees_.size()) fail(source, at, fmt::format("there is no tree {}", child));
        if (depths[child] == -1) fail(source, at, "it contains itself");
        if (depths[child] == 0 && !waits) path.push_back(child), waits = true;
        deepest = std::max(deepest, depths[child]);
      }
      if (waits) continue;
      if (deepest >= kDeepest) fail(source, at, fmt::format("deeper than {}", kDeepest));
      depths[at] = deepest + 1;
      for (const TreeNumber child : {prefix, suffix}) {
        if (child != kNoTree) parts[at] += parts[child];
      }
      if (parts[at] > kMostParts) fail(source, at, fmt::format("more than {} parts", kMostParts));
      path.pop_back();
    }
  }
}

// Texts are written as their ids, which are hashes; the texts themselves are in the strings of the
// vocabulary (`keep_texts`), as in spaCy.
std::string EditTrees::to_bytes() const {
  MsgpackWriter out;
  out.map(1);
  out.str("trees");
  out.array(static_cast<std::uint32_t>(trees_.size()));
  for (const EditTree& tree : trees_) {
    out.map(tree.is_match ? 4 : 2);
    if (tree.is_match) {
      for (const auto& [key, value] :
           {std::pair("prefix_len", tree.prefix_length),
            std::pair("suffix_len", tree.suffix_length), std::pair("prefix_tree", tree.prefix_tree),
            std::pair("suffix_tree", tree.suffix_tree)}) {
        out.str(key);
        out.unsigned_integer(value);
      }
    } else {
      out.str("orig");
      out.unsigned_integer(string_id(utf8_of(tree.original)));
      out.str("subst");
      out.unsigned_integer(string_id(utf8_of(tree.substitute)));
    }
  }
  return out.take();
}

EditTrees EditTrees::from_bytes(
    std::string_view bytes, const std::string& source,
    const std::function<std::optional<std::string_view>(StringId)>& text_of) {
  EditTrees trees;
  MemoryCursor cursor(bytes, source);
  MsgpackReader in(cursor);
  ReadBudget budget(source, bytes.size());
  // Ids are hashes of texts; signed or unsigned, the bits are the same. A few bytes of the file
  // name a text of any length, as often as there are trees.
  const auto known_text = [&](std::int64_t id) {
    const auto text = text_of(static_cast<StringId>(id));
    if (!text) {
      fail(source, trees.size(),
           fmt::format("no text is known for the string id {}; vocab/strings.json has to hold it",
                       static_cast<StringId>(id)));
    }
    budget.charge(kTextCopies * text->size(), fmt::format("edit tree {}", trees.size()).c_str());
    return code_points_of(*text);
  };
  const auto read_tree = [&] {
    Parts parts;
    for (std::uint32_t left = in.read_map(); left > 0; --left) {
      const std::string key(in.read_str_or_bin());
      if (auto* number = parts.number(key)) {
        *number = in.read_integer();
      } else if (auto* text = parts.text(key)) {
        *text = known_text(in.read_integer());
      } else {
        in.skip_value();
      }
    }
    trees.append(parts.tree(source, trees.size()));
  };
  bool found = false;
  for (std::uint32_t left = in.read_map(); left > 0; --left) {
    if (in.read_str_or_bin() != "trees") {
      in.skip_value();
      continue;
    }
    if (std::exchange(found, true)) cursor.fail("'trees' is there twice");
    for (std::uint32_t count = in.read_array(); count > 0; --count) read_tree();
  }
  cursor.require_end();
  if (!found) cursor.fail("no list under 'trees'");
  trees.check(source);
  return trees;
}

List EditTrees::to_list() const {
  List list;
  for (const EditTree& tree : trees_) {
    Object object;
    if (tree.is_match) {
      object.set("prefix_len", std::int64_t{tree.prefix_length});
      object.set("suffix_len", std::int64_t{tree.suffix_length});
      object.set("prefix_tree", std::int64_t{tree.prefix_tree});
      object.set("suffix_tree", std::int64_t{tree.suffix_tree});
    } else {
      object.set("orig", utf8_of(tree.original));
      object.set("subst", utf8_of(tree.substitute));
    }
    list.emplace_back(std::move(object));
  }
  return list;
}

EditTrees EditTrees::from_list(const Node& list, const std::string& source) {
  EditTrees trees;
  if (!list.is_list()) throw Error(ErrorKind::data, source + ": no list of edit trees");
  for (const Node& item : list.as_list()) {
    if (!item.is_object()) fail(source, trees.size(), "not an object");
    Parts parts;
    for (const auto& [key, value] : item.as_object()) {
      const auto* integer = std::get_if<std::int64_t>(&value.value());
      if (auto* number = parts.number(key); number != nullptr && integer != nullptr) {
        *number = *integer;
      } else if (auto* text = parts.text(key); text != nullptr && value.is_string()) {
        if (find_invalid_utf8(value.as_string())) fail(source, trees.size(), "not UTF-8");
        *text = code_points_of(value.as_string());
      }
    }
    trees.append(parts.tree(source, trees.size()));
  }
  trees.check(source);
  return trees;
}

}  // namespace weft
