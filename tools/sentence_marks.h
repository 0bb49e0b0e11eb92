// `convert --seg-sents`: sentences for data that marks none.
#pragma once

#include "framework/text/converter.h"
#include "registry/functions/catalogue.h"
#include "tools/command_line.h"

namespace weft::tools {

// --seg-sents and --base.
void accept_sentences(CommandLine& line);

// With --seg-sents, the converter with sentences put into its documents: by the pipeline of
// --base, else by their punctuation. A file with a word on each line and no blank line between
// them is cut into documents of `input.sents_per_doc` sentences, unless -DOCSTART- lines do so; of
// one with blank lines, and of formats that tell sentences, nothing is changed. Entities are not
// cut. Without --seg-sents the converter as it is, but for `sents_per_doc` 0 and a file that marks
// neither sentences nor documents: its sentences are found all the same (as spaCy does). The file
// is read twice. Throws Error(usage) for --base alone and for a pipeline that sets no sentences,
// and as load_pipeline.
Converter with_sentences(const CommandLine& line, Converter converter, int sents_per_doc,
                         const Catalogue& catalogue);

}  // namespace weft::tools
