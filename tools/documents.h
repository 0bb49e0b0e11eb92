// Files of documents that commands read, whatever their format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/text/converter.h"
#include "registry/functions/catalogue.h"

namespace weft::tools {

// The converter of that name, or for "" or "auto" the one that the ending of `file` asks for.
// Throws Error(usage) where there is none, or no such file.
Converter converter_of(const std::string& name, const std::string& file,
                       const Catalogue& catalogue);

// All documents of a file with their annotation, `nlp` cutting running text. Throws Error(usage) as
// converter_of, Error(data) if there is none or the file is damaged.
std::vector<Doc> read_documents(const std::string& file, const Language& nlp,
                                const Catalogue& catalogue, AlignmentPolicy on_misaligned);

// Whether documents written to `output` need -DOCSTART- lines: it is a CoNLL file, and one of the
// documents has several sentences.
bool needs_docstart(const Converter& converter, const ConverterInput& input,
                    const std::string& output);

// Throws Error(usage) where a file is to be written over what it is made from.
void refuse_output_on_input(const std::filesystem::path& output,
                            const std::filesystem::path& input);

}  // namespace weft::tools
