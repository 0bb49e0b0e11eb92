// Any bytes as the files of components by rules: patterns of rulers and attribute rulers, settings
// of sentencizer, splitter and cleaner, lemma tables. Refused, or what was read runs and is
// written.
#include <filesystem>
#include <fstream>
#include <string>

#include "framework/pipeline/component.h"
#include "registry/base/error.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/small_pipeline.h"

namespace {

namespace fs = std::filesystem;

// Where each component's file lies below its folder.
constexpr std::pair<const char*, const char*> kFiles[] = {{"entity_ruler", "patterns.jsonl"},
                                                          {"entity_ruler", "cfg"},
                                                          {"span_ruler", "patterns"},
                                                          {"attribute_ruler", "patterns"},
                                                          {"lemmatizer", "lookups/lookups.bin"},
                                                          {"token_splitter", "cfg"},
                                                          {"doc_cleaner", "cfg"},
                                                          {"sentencizer", "../sentencizer.json"}};

std::string config_of(const std::string& factory) {
  return "[nlp]\nlang = \"en\"\npipeline = [\"" + factory + "\"]\n\n[components]\n\n[components." +
         factory + "]\nfactory = \"" + factory + "\"\n";
}

void read(const std::string& factory, const std::string& file, std::string_view bytes) {
  const auto nlp = weft::fuzz::pipeline_of(config_of(factory));
  const fs::path folder = weft::fuzz::fuzz_folder().path() / factory;
  const fs::path path = folder / file;
  fs::create_directories(folder);
  fs::create_directories(path.parent_path());
  if (factory == "entity_ruler") std::ofstream(folder / "patterns.jsonl");
  std::ofstream(path, std::ios::binary) << bytes;
  try {
    weft::Component& component = *nlp->find(factory);
    component.from_disk(folder);
    (void)(*nlp)("The cats went to New York, 2024. A verylongwordthatissplithere ended.");
    component.to_disk(folder);
    component.from_disk(folder);
  } catch (const weft::Error&) {
  }
  fs::remove_all(folder);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto& [factory, file] = kFiles[data[0] % std::size(kFiles)];
  read(factory, file, weft::as_text(data, size).substr(1));
  return 0;
}
