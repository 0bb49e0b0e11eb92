#include "tests/conformance/conformance_pretrain/texts.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace weft::conformance {

std::vector<Doc> read_texts(const std::filesystem::path& file,
                            const std::shared_ptr<const Vocab>& vocab) {
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error("cannot read " + file.string());
  std::vector<Doc> docs;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const auto json = nlohmann::json::parse(line);
    const auto words = json.at("words").get<std::vector<std::string>>();
    const auto spaces = json.at("spaces").get<std::vector<bool>>();
    const auto flags = std::make_unique<bool[]>(spaces.size());
    std::copy(spaces.begin(), spaces.end(), flags.get());
    docs.push_back(Doc::from_words(vocab, words, std::span<const bool>(flags.get(), words.size())));
  }
  return docs;
}

std::shared_ptr<const Vectors> read_word_vectors(const std::filesystem::path& file,
                                                 const Vocab& vocab) {
  std::ifstream lines(file);
  std::int64_t rows = 0, width = 0;
  if (!(lines >> rows >> width)) throw std::runtime_error("cannot read " + file.string());
  std::vector<float> numbers;
  std::vector<Vectors::KeyRow> keys;
  for (std::int32_t row = 0; row < rows; ++row) {
    std::string word;
    lines >> word;
    keys.emplace_back(vocab.strings().add(word), row);
    for (std::int64_t i = 0; i < width; ++i) {
      double number = 0;
      lines >> number;
      numbers.push_back(static_cast<float>(number));
    }
  }
  if (!lines) throw std::runtime_error(file.string() + " is cut off");
  Tensor table = Tensor::zeros({rows, width});
  std::copy(numbers.begin(), numbers.end(), table.data<float>());
  return std::make_shared<const Vectors>(std::move(table), std::move(keys));
}

}  // namespace weft::conformance
