// The shapes of records that are known, and reading a record as what it is.
#pragma once

#include <memory>
#include <span>

#include "framework/text/records/record_shape.h"
#include "registry/base/export.h"

namespace weft {

// In the order in which they are asked; each is made by the function of its file.
WEFT_API std::span<const std::unique_ptr<const RecordShape>> record_shapes();

// The shape of a record. Throws Error(data), without a place, that names the record's keys and the
// nearest known ones.
WEFT_API const RecordShape& shape_of(const Node& record);

// The text and words of a record alone.
WEFT_API AnnotatedRecord read_text_of(const Node& record);

// The whole record. Throws Error(data), without a place, for what is no record of its shape, and
// for keys that look like annotation and belong to no shape.
WEFT_API AnnotatedRecord read_record(const Node& record, const RecordOptions& options);

// One for each file of this folder that holds a shape.
std::unique_ptr<const RecordShape> spacy_tuple_shape();
std::unique_ptr<const RecordShape> weft_shape();
std::unique_ptr<const RecordShape> label_studio_shape();
std::unique_ptr<const RecordShape> label_studio_min_shape();
std::unique_ptr<const RecordShape> prodigy_shape();
std::unique_ptr<const RecordShape> hugging_face_shape();
std::unique_ptr<const RecordShape> doccano_shape();
std::unique_ptr<const RecordShape> plain_shape();

}  // namespace weft
