// A corpus too large for one `.spacy` file: several of them in a folder, which readers take as one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "framework/io/atomic_file.h"
#include "framework/text/doc_bin.h"
#include "framework/text/doc_writer.h"
#include "registry/base/export.h"

namespace weft {

// part-00001.spacy, part-00002.spacy and so on, each with `most_docs` documents, fewer where a file
// is full. The folder appears whole or not at all.
class WEFT_API DocShards : public DocWriter {
 public:
  // Throws Error(usage) where something but an empty folder has that name, Error(system).
  DocShards(std::filesystem::path folder, std::int64_t most_docs);

  void add(const Doc& doc) override;
  void finish() override;
  std::int64_t files() const { return files_; }

 private:
  void write_shard();

  AtomicFolder folder_;
  std::int64_t most_docs_;
  DocBinWriter writer_;
  std::int64_t files_ = 0;
};

}  // namespace weft
