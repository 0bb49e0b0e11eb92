// A reader: texts with a label from a stream of comma-separated values, each followed by variants
// of itself in which one letter is a capital.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/io/csv_rows.h"
#include "framework/ops/random.h"
#include "framework/pipeline/language.h"
#include "framework/training/example_streams.h"
#include "framework/training/reader.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace guide {
namespace {

struct ReaderSettings {
  std::filesystem::path source;
  int variants = 2;
  int seed = 0;
};

template <class V>
void fields(V& v, ReaderSettings& c) {
  v.required("source", c.source, "a file or a pipe with a label and a text in each row");
  v("variants", c.variants, "variants of each text", weft::closed_range(0, 1000));
  v("seed", c.seed, "other variants for another number", weft::at_least(0));
}

// The draw depends on the place in the corpus alone: a run that is resumed sees the same variants.
std::string variant_of(std::string text, int seed, std::uint64_t row, std::uint64_t number) {
  if (text.empty()) return text;
  const weft::RandomStream random(static_cast<std::uint64_t>(seed), row,
                                  weft::site_hash("corpus_variants"));
  const auto place =
      static_cast<std::size_t>(random.uniform(number) * static_cast<float>(text.size()));
  char& letter = text[std::min(place, text.size() - 1)];
  if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return text;
}

weft::ExamplePtr example_of(const weft::Language& nlp, const std::string& text,
                            const std::string& label) {
  const weft::Doc doc = nlp.make_doc(text);
  weft::Doc gold = doc;
  gold.set_cat(label, 1.0);
  return std::make_shared<weft::Example>(doc, std::move(gold));
}

// A row is in memory at a time.
class Variants {
 public:
  Variants(const ReaderSettings& settings, const weft::Language& nlp)
      : settings_(settings), nlp_(nlp), rows_(settings.source.string(), {}) {}

  weft::ExamplePtr next() {
    if (left_ == 0) {
      if (!rows_.next(cells_)) return nullptr;
      if (cells_.size() != 2) rows_.fail("a row has a label and a text");
      ++row_;
      left_ = settings_.variants + 1;
      return made(cells_[1]);
    }
    const auto number = static_cast<std::uint64_t>(settings_.variants + 1 - left_);
    return made(variant_of(cells_[1], settings_.seed, row_, number));
  }

 private:
  weft::ExamplePtr made(const std::string& text) {
    --left_;
    return example_of(nlp_, text, cells_[0]);
  }

  ReaderSettings settings_;
  const weft::Language& nlp_;
  weft::CsvRows rows_;
  std::vector<std::string> cells_;
  std::uint64_t row_ = 0;
  int left_ = 0;
};

weft::Reader corpus_variants(const ReaderSettings& c) {
  return {[c](const weft::Language& nlp) {
    return weft::stream_of(
        [variants = std::make_shared<Variants>(c, nlp)] { return variants->next(); });
  }};
}

const weft::Registration registered{"corpus_variants.v1", corpus_variants,
                                    "labelled texts with variants in upper case"};

}  // namespace
}  // namespace guide
