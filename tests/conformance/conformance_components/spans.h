// Span groups as the records write them down: lists of [start, end, label].
#pragma once

#include <string>
#include <vector>

#include "framework/text/doc.h"
#include "framework/text/suggester.h"
#include "tests/conformance/conformance_components/document.h"

namespace weft::conformance {

void set_spans(Doc& doc, const std::string& key, const Json& spans);

// The groups of a reference: those that its fields `spans` and `ents` stand for.
void set_reference_spans(Doc& doc, const Json& reference);
// The group of candidates, which a document has before it is annotated.
void set_candidates(Doc& doc, const Json& line);

// [start, end] of each.
Json json_of(const std::vector<TokenRange>& spans);

// `wanted` has the spans of a group, and scores and their shape where it has some: a check for
// each.
void check_group(const std::string& record, const SpanGroup& group, const Doc& doc,
                 const Json& wanted, double limit, Checks& checks);

}  // namespace weft::conformance
