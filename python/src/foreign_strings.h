// Names that a pipeline gives to documents of another vocabulary.
#pragma once

#include "framework/text/doc.h"

namespace weft::python {

// The texts of the ids that annotate `doc`, from the vocabulary of the pipeline that set them. Does
// nothing where that is the document's own.
void take_strings(Doc& doc, const Vocab& from);

}  // namespace weft::python
