// Replays what the reference recorded of its matchers and rulers:
//
//   conformance_matcher FOLDER
//   conformance_matcher FILE
//
// A file is called after its kind: matcher.jsonl, phrase.jsonl, dependency.jsonl or rulers.jsonl;
// of a folder all that it has are replayed. Prints what differs and last `N passed, N failed`;
// exits 0 only if no record failed and there was one. The format of the records:
// tests/conformance/data/README.md.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tests/conformance/conformance_matcher/replay.h"
#include "tests/conformance/counting/record_tally.h"

namespace weft::conformance {
namespace {

namespace fs = std::filesystem;

bool is_equal(const Json& record, const Json& got) {
  return got == record.at("expect");
}

struct Kind {
  const char* stem;
  ReplayRecord* replay;
  IsRight* is_right = is_equal;
};
constexpr Kind kKinds[] = {{"matcher", replay_matcher},
                           {"phrase", replay_phrase, is_right_phrase},
                           {"dependency", replay_dependency},
                           {"rulers", replay_rulers, is_right_ruler}};

// The difference to the record; "" if there is none.
std::string difference(const Kind& kind, const Json& record, Setting& setting) {
  const Json& wanted = record.at("expect");
  Json got;
  try {
    got = kind.replay(record, setting);
  } catch (const std::exception& error) {
    const bool may_fail = wanted.contains("error") || record.value("lenient", false);
    return may_fail ? "" : std::string("stopped: ") + error.what();
  }
  if (wanted.contains("error")) {
    const bool may_pass = record.value("lenient", false);
    return may_pass ? "" : "no error, where the reference has " + wanted.dump();
  }
  return kind.is_right(record, got) ? "" : "got " + got.dump() + " wanted " + wanted.dump();
}

void replay_file(const fs::path& file, Setting& setting, RecordTally& tally) {
  const auto* const kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                        [&](const Kind& one) { return file.stem() == one.stem; });
  const std::string name = file.filename();
  if (kind == std::end(kKinds)) {
    std::cout << name << ": no kind of records is called so\n";
    return tally.add(name, Verdict::failed);
  }
  if (!tally.has_file(file)) return;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const Json record = Json::parse(line);
    const std::string fault = difference(*kind, record, setting);
    if (!fault.empty()) std::cout << record.at("id").get<std::string>() << ": " << fault << '\n';
    tally.add(name, fault.empty() ? Verdict::passed : Verdict::failed);
  }
}

int replay_all(const fs::path& path) {
  Setting setting;
  RecordTally tally;
  if (!fs::is_directory(path)) {
    replay_file(path, setting, tally);
    return tally.finish();
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) replay_file(file, setting, tally);
  tally.compare_with_list(path);
  return tally.finish();
}

}  // namespace
}  // namespace weft::conformance

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: conformance_matcher FOLDER|FILE\n";
    return 2;
  }
  try {
    return weft::conformance::replay_all(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
