// Readers' second way through their files: every document as it is annotated, with its place,
// reading on behind what cannot be read. `debug data` checks corpora by it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/text/conll.h"
#include "framework/text/conllu.h"
#include "framework/text/csv_reader.h"
#include "framework/training/csv_settings.h"
#include "framework/training/reader.h"
#include "registry/base/export.h"

namespace weft {

// A file of the format, or a folder of such files; a corpus without one has nothing to read.
using CorpusPath = std::optional<std::filesystem::path>;
using ReadAnnotated = std::function<void(const Language&, const AnnotationTells&)>;  // of a Reader

// For each format. The files are opened when the corpus is read: Error(usage) where there is none,
// Error(config) for settings of a table that are none.
WEFT_API ReadAnnotated annotated_doc_bins(const CorpusPath& path);
WEFT_API ReadAnnotated annotated_jsonl(const CorpusPath& path, std::vector<std::string> tag_names);
WEFT_API ReadAnnotated annotated_conll(const CorpusPath& path, const ConllOptions& options);
WEFT_API ReadAnnotated annotated_conllu(const CorpusPath& path, const ConlluOptions& options);
WEFT_API ReadAnnotated annotated_csv(const CorpusPath& path, const CsvSettings& settings);

}  // namespace weft
