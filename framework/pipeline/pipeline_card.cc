#include "framework/pipeline/pipeline_card.h"

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/pipeline/score_weights.h"
#include "framework/text/replaced.h"
#include "registry/base/letter_case.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// One line of a table's cell.
std::string cell(std::string_view text) {
  return replaced(replaced(replaced(text, "\r", ""), "\n", " "), "|", "\\|");
}

std::string code(const std::string& text) {
  return fmt::format("`{}`", cell(text));
}

std::string text_of(const Node* node) {
  return node == nullptr || !node->is_string() ? std::string() : node->as_string();
}

std::string or_none(const std::string& text) {
  return text.empty() ? "n/a" : text;
}

std::string names_of(const Node* node) {
  std::vector<std::string> names;
  if (node != nullptr && node->is_list()) {
    for (const Node& name : node->as_list()) {
      if (name.is_string()) names.push_back(code(name.as_string()));
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::int64_t count_of(const Object& object, std::string_view key) {
  const Node* node = object.find(key);
  const auto* number = node == nullptr ? nullptr : std::get_if<std::int64_t>(&node->value());
  return number == nullptr ? 0 : *number;
}

std::string vectors_of(const Object& meta) {
  const Node* vectors = meta.find("vectors");
  const Object entries =
      vectors != nullptr && vectors->is_object() ? vectors->as_object() : Object();
  return fmt::format("{} keys, {} unique vectors ({} dimensions)",
                     std::max<std::int64_t>(count_of(entries, "keys"), 0),
                     count_of(entries, "vectors"), count_of(entries, "width"));
}

// A source is a name, or an object with name, url and author.
std::string sources_of(const Node* node) {
  std::vector<std::string> sources;
  if (node != nullptr && node->is_list()) {
    for (const Node& source : node->as_list()) {
      const bool is_object = source.is_object();
      const std::string name =
          is_object ? text_of(source.as_object().find("name")) : text_of(&source);
      if (name.empty()) continue;
      const std::string url = is_object ? text_of(source.as_object().find("url")) : "";
      const std::string author = is_object ? text_of(source.as_object().find("author")) : "";
      std::string text = url.empty() ? cell(name) : fmt::format("[{}]({})", cell(name), cell(url));
      if (!author.empty()) text += fmt::format(" ({})", cell(author));
      sources.push_back(text);
    }
  }
  return fmt::format("{}", fmt::join(sources, "<br>"));
}

std::string features(const Object& meta) {
  const std::string url = text_of(meta.find("url"));
  const std::string author = or_none(cell(text_of(meta.find("author"))));
  const std::string license = text_of(meta.find("license"));
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"Name", code(text_of(meta.find("lang")) + "_" + text_of(meta.find("name")))},
      {"Version", code(text_of(meta.find("version")))},
      {"spaCy", code(text_of(meta.find("spacy_version")))},
      {"Default Pipeline", names_of(meta.find("pipeline"))},
      {"Components", names_of(meta.find("components"))},
      {"Vectors", vectors_of(meta)},
      {"Sources", or_none(sources_of(meta.find("sources")))},
      {"License", license.empty() ? "n/a" : code(license)},
      {"Author", url.empty() ? author : fmt::format("[{}]({})", author, cell(url))}};
  std::string table = "| Feature | Description |\n| --- | --- |\n";
  for (const auto& [name, value] : rows) table += fmt::format("| **{}** | {} |\n", name, value);
  return table;
}

std::string label_scheme(const Node* labels) {
  if (labels == nullptr || !labels->is_object()) return {};
  std::string rows;
  std::size_t all = 0, components = 0;
  for (const auto& [name, list] : labels->as_object()) {
    if (!list.is_list() || list.as_list().empty()) continue;
    rows += fmt::format("| **{}** | {} |\n", code(name), names_of(&list));
    all += list.as_list().size();
    ++components;
  }
  if (rows.empty()) return {};
  return fmt::format(
      "\n### Label Scheme\n\n<details>\n\n<summary>View label scheme ({} labels for {} components)"
      "</summary>\n\n| Component | Labels |\n| --- | --- |\n{}\n</details>\n",
      all, components, rows);
}

std::string accuracy(const Node* performance) {
  if (performance == nullptr || !performance->is_object()) return {};
  std::string rows;
  for (const auto& [name, score] : performance->as_object()) {
    if (!is_fraction(name) || !(score.is_integer() || score.is_float())) continue;
    rows += fmt::format("| {} | {:.2f} |\n", code(upper_case(name)), 100 * number_or_zero(score));
  }
  if (rows.empty()) return {};
  return "\n### Accuracy\n\n| Type | Score |\n| --- | --- |\n" + rows;
}

}  // namespace

std::string pipeline_card(const Object& meta) {
  const std::string description = text_of(meta.find("description"));
  const std::string notes = text_of(meta.find("notes"));
  return (description.empty() ? "" : description + "\n\n") + features(meta) +
         label_scheme(meta.find("labels")) + accuracy(meta.find("performance")) +
         (notes.empty() ? "" : "\n" + notes + "\n");
}

std::string entries_as_markdown(const Object& entries, const std::string& title) {
  std::string text = fmt::format("## {}\n\n", title);
  for (const auto& [key, value] : entries) {
    std::string name = replaced(key, "_", " ");
    if (!name.empty()) name[0] = upper_case(name[0]);
    const std::string shown = value.is_string() ? value.as_string() : to_json(value);
    text += fmt::format("* **{}:** {}\n", name, replaced(shown, "\n", " "));
  }
  return text;
}

}  // namespace weft
