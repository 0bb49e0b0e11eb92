#include "tools/evaluation_pages.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/made_folders.h"
#include "framework/render/arc_svg.h"
#include "framework/render/entity_html.h"
#include "framework/render/page.h"
#include "framework/render/span_html.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft::tools {
namespace {

constexpr int kLimit = 25;
constexpr const char* kEntities = "entities.html";
constexpr const char* kParses = "parses.html";
constexpr const char* kSpans = "spans.html";

}  // namespace

EvaluationPages::EvaluationPages(const CommandLine& line, std::string lang)
    : lang_(std::move(lang)) {
  const int limit = line.number_within("displacy-limit", kLimit, 1);
  if (line.has("spans-key")) spans_key_ = line.text("spans-key");
  if (!line.has("displacy-path")) return;
  folder_ = line.path("displacy-path");
  limit_ = static_cast<std::size_t>(limit);
  if (std::filesystem::exists(folder_) && !std::filesystem::is_directory(folder_)) {
    throw Error(ErrorKind::usage,
                fmt::format("--displacy-path: {} is no folder", folder_.string()));
  }
}

std::vector<std::filesystem::path> EvaluationPages::files(const CommandLine& line) {
  if (!line.has("displacy-path")) return {};
  const std::filesystem::path folder = line.path("displacy-path");
  return {folder / kEntities, folder / kParses, folder / kSpans};
}

void EvaluationPages::add(std::span<const Example> examples) {
  for (const Example& example : examples) {
    if (docs_.size() < limit_) docs_.push_back(example.predicted());
  }
}

void EvaluationPages::write() const {
  if (folder_.empty()) return;
  RenderOptions options;
  options.compact = true;  // as the reference draws parses of an evaluation
  options.spans_key = spans_key_;
  options.right_to_left = is_right_to_left(lang_);
  LabelColors colors;
  const MadeFolders made(folder_);
  int pages = 0;
  const auto write_page = [&](const char* name, const std::function<bool(const Doc&)>& has,
                              const std::function<std::string(const Doc&)>& drawing) {
    if (std::ranges::none_of(docs_, has)) return;
    std::string page = page_head({"displaCy", lang_, options.right_to_left});
    std::size_t looked_at = 0;
    for (; looked_at < docs_.size() && page.size() < kMostPageBytes; ++looked_at) {
      if (has(docs_[looked_at])) page += page_figure(drawing(docs_[looked_at]));
    }
    write_file(folder_ / name, page + page_end());
    ++pages;
    std::cerr << "wrote " << (folder_ / name).string() << '\n';
    if (looked_at < docs_.size()) {
      std::cerr << fmt::format("note: {} has {} of {} documents, as it has {} MiB\n", name,
                               looked_at, docs_.size(), kMostPageBytes >> 20);
    }
  };
  write_page(
      kEntities, [](const Doc& doc) { return doc.has_ents(); },
      [&](const Doc& doc) { return entity_html(doc, options, colors); });
  int number = 0;
  write_page(kParses, has_dependencies, [&](const Doc& doc) {
    return arc_svg(arc_drawing(doc, {0, doc.size()}, options), options, lang_,
                   fmt::format("weft-{}", number++));
  });
  write_page(
      kSpans,
      [&](const Doc& doc) {
        return std::ranges::any_of(doc.span_groups(),
                                   [&](const auto& group) { return group.first == spans_key_; });
      },
      [&](const Doc& doc) { return span_html(doc, options, colors); });
  if (pages == 0) tell_of_nothing();
}

void EvaluationPages::tell_of_nothing() const {
  std::set<std::string> keys;
  for (const Doc& doc : docs_) {
    for (const auto& [key, group] : doc.span_groups()) keys.insert(printable_brief(key));
  }
  const std::string others =
      keys.empty() ? "" : fmt::format("; --spans-key takes one of {}", fmt::join(keys, ", "));
  std::cerr << fmt::format(
      "note: nothing is drawn: the first documents have no entities, no parse and no spans "
      "'{}'{}\n",
      printable_brief(spans_key_), others);
}

}  // namespace weft::tools
