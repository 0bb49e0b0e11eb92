// matcher_speed token|phrase PATTERNS FILE.spacy: finds patterns in all documents of the file and
// prints as one JSON object how many there were, the processor time of adding the patterns and of
// finding them, in seconds, and what adding them added to the memory of the process, in MB.
// PATTERNS has a token pattern in JSON on each line, or the words of a phrase with blanks between
// them. A thousand patterns share a key.
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "framework/matching/matcher.h"
#include "framework/matching/phrase_matcher.h"
#include "framework/text/doc_bin.h"
#include "registry/value/json.h"

namespace {

constexpr std::size_t kPatternsOfAKey = 1000;

double seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

class TokenPatterns {
 public:
  void add(std::size_t number, const std::string& line) {
    matcher_.add(fmt::format("K{}", number / kPatternsOfAKey), *weft::parse_json("[" + line + "]"));
  }
  std::size_t count(const weft::Doc& doc) const { return matcher_.find(doc).size(); }

 private:
  weft::Matcher matcher_;
};

class Phrases {
 public:
  explicit Phrases(std::shared_ptr<const weft::Vocab> vocab) : vocab_(std::move(vocab)) {}
  void add(std::size_t number, const std::string& line) {
    std::istringstream text(line);
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    matcher_.add(fmt::format("K{}", number / kPatternsOfAKey),
                 weft::Doc::from_words(vocab_, words));
  }
  std::size_t count(const weft::Doc& doc) const { return matcher_.find(doc).size(); }

 private:
  std::shared_ptr<const weft::Vocab> vocab_;
  weft::PhraseMatcher matcher_;
};

template <class Patterns>
void measure(Patterns& patterns, const char* file, const std::vector<weft::Doc>& docs) {
  const double memory = resident_megabytes(), start = seconds();
  std::ifstream lines(file);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) patterns.add(count, line);
  const double added = seconds(), grown = resident_megabytes() - memory;
  std::size_t tokens = 0, matches = 0;
  for (const weft::Doc& doc : docs) {
    tokens += static_cast<std::size_t>(doc.size());
    matches += patterns.count(doc);
  }
  fmt::print(
      "{{\"patterns\": {}, \"tokens\": {}, \"matches\": {}, \"add\": {:.4f}, \"find\": "
      "{:.4f}, \"mb\": {:.1f}}}\n",
      count, tokens, matches, added - start, seconds() - added, grown);
}

void run(const std::string& kind, const char* patterns, const char* file) {
  const auto vocab = std::make_shared<weft::Vocab>("xx");
  std::vector<weft::Doc> docs;
  weft::DocBinReader reader(file, vocab);
  while (auto doc = reader.next()) docs.push_back(std::move(*doc));
  if (kind == "token") {
    TokenPatterns of_tokens;
    measure(of_tokens, patterns, docs);
  } else {
    Phrases phrases(vocab);
    measure(phrases, patterns, docs);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc == 4 ? argv[1] : "";
  if (kind != "token" && kind != "phrase") {
    fmt::print(stderr, "usage: matcher_speed token|phrase PATTERNS FILE.spacy\n");
    return 2;
  }
  try {
    run(kind, argv[2], argv[3]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
