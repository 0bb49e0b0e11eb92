// conformance_tokenizer FOLDER: replays every record of FOLDER/*.jsonl(.gz) with the stored
// tokenizer file, FOLDER/tokenizers/NAME.tokenizer(.gz), and, for a language's own records, with
// the rules that are built in.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "components/languages/language_data.h"
#include "framework/text/make_doc.h"
#include "framework/text/tokenizer_file.h"
#include "tests/conformance/counting/record_tally.h"

namespace {

using nlohmann::json;
using weft::conformance::Verdict;
namespace fs = std::filesystem;

// Plain files are read as they are.
std::string read_gzip(const fs::path& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::string text;
  char buffer[1 << 16];
  int got = 0;
  while ((got = gzread(file, buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  gzclose(file);
  if (got < 0) throw std::runtime_error("damaged: " + path.string());
  return text;
}

// The expected fields of a record.
json annotate(const weft::Tokenizer& tokenizer, const std::shared_ptr<weft::Vocab>& vocab,
              const std::string& text) {
  const weft::Doc doc = weft::make_doc(tokenizer, vocab, text);
  json got;
  for (const char* key : {"tokens", "spaces", "norms", "prefixes", "suffixes", "shapes"}) {
    got[key] = json::array();
  }
  const auto same_id = [](weft::StringId id, const std::string& value) {
    return id == weft::string_id(value) ? value : value + " (with another id)";
  };
  for (int i = 0; i < doc.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto id = [&](weft::Attr attr) { return doc.attr_ids(attr)[at]; };
    const std::string word(doc.word(i));
    got["tokens"].push_back(same_id(id(weft::Attr::orth), word));
    got["spaces"].push_back(doc.space(i));
    got["norms"].push_back(same_id(id(weft::Attr::norm), doc.norm(i)));
    got["prefixes"].push_back(same_id(id(weft::Attr::prefix), std::string(weft::prefix_of(word))));
    got["suffixes"].push_back(same_id(id(weft::Attr::suffix), std::string(weft::suffix_of(word))));
    got["shapes"].push_back(same_id(id(weft::Attr::shape), weft::shape_of(word)));
  }
  return got;
}

class Runner {
 public:
  explicit Runner(fs::path folder) : folder_(std::move(folder)) {}

  void replay(const fs::path& file) {
    file_ = file.filename().string();
    std::istringstream lines(read_gzip(file));
    for (std::string line; std::getline(lines, line);) {
      const json record = json::parse(line);
      const std::string lang = record["lang"];
      const std::string name = record.value("tokenizer", lang);
      // Languages that are cut by character have no tokenizer file.
      if (name != lang || is_stored(name)) check(record, stored(name), "stored");
      if (name == lang) check(record, built_in(lang), "rules");
    }
  }

  int report() {
    tally_.compare_with_list(folder_);
    return tally_.finish();
  }

 private:
  fs::path file_of(const std::string& name) const {
    fs::path path = folder_ / "tokenizers" / (name + ".tokenizer");
    if (!fs::exists(path)) path += ".gz";
    return path;
  }
  bool is_stored(const std::string& name) const { return fs::exists(file_of(name)); }

  const weft::Tokenizer& stored(const std::string& name) {
    auto& slot = tokenizers_["stored " + name];
    if (slot) return *slot;
    const fs::path path = file_of(name);
    slot = std::make_unique<weft::Tokenizer>(weft::read_tokenizer_rules(read_gzip(path)));
    return *slot;
  }

  const weft::Tokenizer& built_in(const std::string& lang) {
    auto& slot = tokenizers_["rules " + lang];
    if (!slot) slot = std::make_unique<weft::Tokenizer>(weft::language_tokenizer_rules(lang));
    return *slot;
  }

  void check(const json& record, const weft::Tokenizer& tokenizer, std::string_view which) {
    auto& vocab = vocabs_[record["lang"]];
    if (!vocab) vocab = std::make_shared<weft::Vocab>(record["lang"].get<std::string>());
    const json got = annotate(tokenizer, vocab, record["text"]);
    bool same = true;
    for (const auto& [key, value] : got.items()) {
      if (record[key] == value) continue;
      same = false;
      fmt::print("{} ({}, {}): expected {} got {}\n", record["id"].get<std::string>(), which, key,
                 record[key].dump(), value.dump());
    }
    tally_.add(file_, same ? Verdict::passed : Verdict::failed);
  }

  fs::path folder_;
  std::map<std::string, std::unique_ptr<weft::Tokenizer>> tokenizers_;
  std::map<std::string, std::shared_ptr<weft::Vocab>> vocabs_;
  weft::conformance::RecordTally tally_;
  std::string file_;  // that the present records are from
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: conformance_tokenizer FOLDER\n");
    return 2;
  }
  try {
    Runner runner(argv[1]);
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(argv[1])) {
      const std::string name = entry.path().filename();
      if (name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) runner.replay(file);
    return runner.report();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
