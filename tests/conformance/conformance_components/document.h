// Documents as the records write them down.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "framework/text/doc.h"
#include "framework/text/example.h"
#include "tests/conformance/conformance_components/checks.h"

namespace weft::conformance {

using VocabPtr = std::shared_ptr<const Vocab>;

// Words and spaces (true where not given) without annotation.
Doc words_of(const Json& json, const VocabPtr& vocab);

// Sets what `json` has of: tags, pos, lemmas ("" = unset), morphs (null = unset, "" = empty),
// heads (absolute) with deps but for those of `missing`, sent_starts, ents, cats.
void annotate(Doc& doc, const Json& json);

// Both.
Doc document_of(const Json& json, const VocabPtr& vocab);

// One of those fields of a document, in the form of the records.
Json field_of(const Doc& doc, const std::string& field);

// Calls `each` with the number (from 1) and the value of every line.
void for_each_line(const std::filesystem::path& file,
                   const std::function<void(int, const Json&)>& each);

}  // namespace weft::conformance
