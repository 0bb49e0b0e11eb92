// Any bytes as the file of words and norms that [initialize] vocab_data names, and as the words
// that pretraining draws from it.
#include "framework/pipeline/init_vocab.h"
#include "framework/training/pretraining/random_words.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/small_pipeline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto nlp = weft::fuzz::blank_pipeline();
  const weft::fuzz::FuzzFolder& folder = weft::fuzz::fuzz_folder();
  folder.write("words.jsonl", weft::as_text(data, size));
  weft::InitializeSettings settings;
  settings.lookups = weft::Lookups();
  settings.vocab_data = (folder.path() / "words.jsonl").string();
  try {
    weft::init_vocab(*nlp, settings);
  } catch (const weft::Error&) {
  }
  try {
    const auto words = weft::RandomWords::of_vocab_data(*settings.vocab_data);
    (void)words.at(0.5);
  } catch (const weft::Error&) {
  }
  return 0;
}
