// docbin_speed FILE.spacy [ROUNDS]: reads every document of the file, in ROUNDS passes (2 where not
// given) that share a vocab, and prints as one JSON object what was in it and how long each pass
// took, in seconds of processor time. A new process for each measurement makes the first pass a
// cold one.
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "framework/text/doc_bin.h"

namespace {

struct Counts {
  std::size_t docs = 0, tokens = 0, ents = 0;
};

Counts read_all(const std::string& path, const std::shared_ptr<const weft::Vocab>& vocab) {
  Counts counts;
  weft::DocBinReader reader(path, vocab);
  while (const auto doc = reader.next()) {
    ++counts.docs;
    counts.tokens += static_cast<std::size_t>(doc->size());
    counts.ents += doc->ents().size();
  }
  return counts;
}

void measure(const std::string& path, int rounds) {
  const auto vocab = std::make_shared<weft::Vocab>("xx");
  Counts counts;
  std::string passes;
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t start = std::clock();
    counts = read_all(path, vocab);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    passes += fmt::format("{}{:.6f}", round == 0 ? "" : ", ", seconds);
  }
  fmt::print("{{\"docs\": {}, \"tokens\": {}, \"ents\": {}, \"passes\": [{}]}}\n", counts.docs,
             counts.tokens, counts.ents, passes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: docbin_speed FILE.spacy [ROUNDS]\n");
    return 2;
  }
  try {
    measure(argv[1], argc == 3 ? std::atoi(argv[2]) : 2);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
