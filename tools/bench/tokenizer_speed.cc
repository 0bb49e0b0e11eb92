// tokenizer_speed (LANG | FILE.tokenizer) TEXTS [ROUNDS]: tokenizes a file of texts, one per line,
// into documents, in ROUNDS passes (2 where not given), and prints as one JSON object how long it
// took to build the tokenizer and each pass, in seconds of processor time. A new process for each
// measurement makes the first pass a cold one.
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "components/languages/language_data.h"
#include "framework/text/make_doc.h"
#include "framework/text/tokenizer_file.h"

namespace {

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void measure(const std::string& tokenizer_name, const std::string& texts_path, int rounds) {
  const std::vector<std::string> texts = read_lines(texts_path);
  const std::clock_t load_start = std::clock();
  const bool built_in = weft::has_language(tokenizer_name);
  const weft::Tokenizer tokenizer(built_in ? weft::language_tokenizer_rules(tokenizer_name)
                                           : weft::read_tokenizer_rules(read_file(tokenizer_name)));
  const auto vocab = std::make_shared<weft::Vocab>(built_in ? tokenizer_name : "xx");
  const double load = seconds_since(load_start);
  long tokens = 0;
  std::string passes;
  for (int round = 0; round < rounds; ++round) {
    tokens = 0;
    const std::clock_t start = std::clock();
    for (const std::string& text : texts) tokens += weft::make_doc(tokenizer, vocab, text).size();
    passes += fmt::format("{}{:.6f}", round == 0 ? "" : ", ", seconds_since(start));
  }
  fmt::print("{{\"tokens\": {}, \"load\": {:.6f}, \"passes\": [{}]}}\n", tokens, load, passes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    fmt::print(stderr, "usage: tokenizer_speed (LANG | FILE.tokenizer) TEXTS [ROUNDS]\n");
    return 2;
  }
  try {
    measure(argv[1], argv[2], argc == 4 ? std::stoi(argv[3]) : 2);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
