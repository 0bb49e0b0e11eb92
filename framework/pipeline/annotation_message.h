// The annotation of a document as bytes for another rank that has the same document.
#pragma once

#include "framework/comm/message.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Everything but tokens and norms, with the texts of all ids.
WEFT_API void write_annotation(MessageWriter& message, const Doc& doc);

// Onto a document with the same tokens. Throws PeerLost for bytes that are cut short, Error(data)
// for annotation of a document of another length.
WEFT_API void read_annotation(MessageReader& message, Doc& doc);

}  // namespace weft
