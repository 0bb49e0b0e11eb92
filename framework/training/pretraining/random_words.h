// The words that stand in for masked tokens: drawn from the raw text itself, so that they look like
// it, or from [initialize] vocab_data as in the reference. Source: spaCy 3.8,
// `spacy.ml.models.multi_task` (_RandomWords); docs/pretraining.md, "Masking".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/pipeline/component.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API RandomWords {
 public:
  static constexpr std::size_t kMost = 10'000;          // words that are kept
  static constexpr std::int64_t kMostRead = 1'000'000;  // tokens of the text that are looked at

  // A sample of the tokens of the reference documents, each as likely as any other.
  static RandomWords of_text(ExampleStream& text, std::uint64_t seed);
  // The first words of the file that have a "prob" other than 0, each with a chance in proportion
  // to e^prob. Throws Error(data) naming the line that is wrong, or where no word has a "prob".
  static RandomWords of_vocab_data(const std::filesystem::path& file);

  // The word for a number in [0, 1).
  const std::string& at(double number) const;
  std::size_t size() const { return words_.size(); }

 private:
  void add(std::string word, double weight);

  std::vector<std::string> words_;
  std::vector<double> sums_;  // of the weights up to each word
};

}  // namespace weft
