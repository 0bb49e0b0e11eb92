// The options of spaCy's converter for CoNLL-U.
#pragma once

#include "framework/text/conllu_options.h"
#include "tools/command_line.h"

namespace weft::tools {

// Adds --merge-subtokens, --morphology and --ner-map.
void accept_conllu(CommandLine& line);
// The options of the command line; `_` is read as spaCy reads it. Throws Error(usage) where the map
// cannot be read, Error(data) where it is no object of texts.
ConlluOptions conllu_options(const CommandLine& line);

}  // namespace weft::tools
