// Replays what the reference recorded of components:
//
//   conformance_components FOLDER
//
// FOLDER has a manifest.json that says what it is: a pipeline with predictions and updates, or
// records of single operations; one without is looked through for such folders. Prints what
// differs and last `N passed, N failed`; exits 0 only if no check failed and there was one. The
// format of the records: tests/conformance/data/README.md.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "components/builtin.h"
#include "registry/functions/catalogue.h"
#include "tests/conformance/conformance_components/checks.h"
#include "tests/conformance/conformance_components/records.h"

namespace weft::conformance {
namespace {

namespace fs = std::filesystem;

// Records of a file of this name whose first line has this key (empty: that is no list of lines).
struct RecordFile {
  const char* name;
  const char* key;
  ReplayRecords* replay;
};
constexpr RecordFile kRecordFiles[] = {
    {"scores_tokens.jsonl", "docs", replay_token_scores},
    {"scores_cats.jsonl", "docs", replay_category_scores},
    {"ngrams.jsonl", "keys", replay_ngrams},
    {"labels.jsonl", "min_tree_freq", replay_labels},
    {"edit_trees.json", "", replay_edit_trees},
    {"sentencizer.jsonl", "punct_chars", replay_sentencizer},
    {"attribute_ruler.jsonl", "stored_patterns", replay_attribute_ruler},
    {"lemmatizer.jsonl", "tables", replay_lemmatizer},
    {"retokenize.jsonl", "component", replay_retokenize},
    {"filters.jsonl", "spans", replay_span_filters},
    {"scores.jsonl", "pairs", replay_pair_scores},
    {"projective.jsonl", "heads", replay_projective},
    {"labels.jsonl", "learn_tokens", replay_arc_labels},
    {"oracle.jsonl", "labels", replay_arc_oracles},
    {"suggesters.jsonl", "suggester", replay_suggesters},
    {"span_groups.jsonl", "kind", replay_span_groups},
};

bool is_of(const fs::path& file, const RecordFile& kind) {
  if (file.filename() != kind.name) return false;
  if (*kind.key == '\0') return true;
  std::ifstream lines(file);
  std::string line;
  std::getline(lines, line);
  return Json::parse(line).contains(kind.key);
}

void replay_records(const fs::path& folder, const Json& manifest, const Catalogue& catalogue,
                    Checks& checks) {
  const Json& files = manifest.contains("files") ? manifest.at("files") : manifest.at("counts");
  for (const auto& [name, count] : files.items()) {
    if (!checks.open(folder / name)) continue;
    const auto* known =
        std::find_if(std::begin(kRecordFiles), std::end(kRecordFiles),
                     [&, &name = name](const auto& one) { return is_of(folder / name, one); });
    if (known == std::end(kRecordFiles)) {
      checks.failed(name, "no function replays this file");
      continue;
    }
    known->replay(folder / name, catalogue, checks);
    checks.expect_at_least(count);
  }
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  if (fs::exists(folder / "manifest.json")) return {folder};
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (fs::exists(entry.path() / "manifest.json")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

void replay(const fs::path& folder, const Catalogue& catalogue, Checks& checks) {
  checks.open(folder / "manifest.json");
  const Json manifest = Json::parse(std::ifstream(folder / "manifest.json"));
  const std::string kind = manifest.at("kind");
  if (kind == "pipeline") return replay_pipeline(folder, manifest, catalogue, checks);
  if (kind == "records") return replay_records(folder, manifest, catalogue, checks);
  checks.failed("kind", "nothing replays \"" + kind + "\"");
}

int run_all(const fs::path& folder) {
  Catalogue catalogue;
  add_builtin(catalogue);
  Checks checks;
  for (const fs::path& one : folders_in(folder)) {
    try {
      replay(one, catalogue, checks);
    } catch (const std::exception& error) {
      checks.failed("stopped", error.what());
    }
  }
  return checks.finish();
}

}  // namespace
}  // namespace weft::conformance

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: conformance_components FOLDER\n";
    return 2;
  }
  try {
    return weft::conformance::run_all(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
