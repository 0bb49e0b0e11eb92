// The labels of documents and of the classifier.
#pragma once

#include <string>
#include <vector>

#include "framework/pipeline/component.h"
#include "framework/text/doc.h"

namespace topics {

// The label whose category is above a half; "" for a document that has none.
std::string label_of(const weft::Doc& doc);

// Those of the reference documents, sorted.
std::vector<std::string> labels_of(weft::ExampleStream& examples);

// A list of names, as label files and saved pipelines hold it. Throws Error(data), with `source` as
// what is wrong, for anything else.
std::vector<std::string> names_in(const weft::Node* list, const std::string& source);

}  // namespace topics
