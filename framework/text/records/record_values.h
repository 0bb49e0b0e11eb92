// Parts that records of several shapes have in common. All throw Error(data), without a place, for
// a value of another form.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/records/annotated_record.h"
#include "registry/value/config.h"

namespace weft {

// Throws the fault of a record; the reader of the file adds the place.
[[noreturn]] void fail_record(const std::string& message);

// The value under the first of the keys that is there and not null, else null; null for a record
// that is no object.
const Node* first_of(const Node& record, std::initializer_list<const char*> keys);

// `; its keys are "a", "b"`: the first ones of an object, for a fault of it.
std::string keys_of(const Node& record);

const std::string& text_in(const Node& value, const char* what);
// As text, whatever kind of name it is: tools number their options.
std::string name_in(const Node& value, const char* what);

// [start, end, label], or an object with start, start_char or start_offset, and so on.
RecordSpan span_in(const Node& value);
// Entities, which have a label.
void add_spans(const Node& list, std::vector<RecordSpan>& spans);
// Whether the list holds lists or objects, or nothing.
bool may_hold_spans(const Node& value);

// {"sc": [[0, 4, "PER"]]}: groups of spans, each under a key of its own.
void add_groups(const Node& groups, AnnotatedRecord& into);

// A list of texts.
bool holds_texts(const Node& value);
std::vector<std::string> texts_in(const Node& list, const char* what);

// `text`, and the words under `words` or `tokens` (text, or {"text", "ws"}), with `spaces`.
void read_text_and_words(const Node& record, AnnotatedRecord& into);

// `label` and `labels`: a list of entities, a list of classes or one class. Anything else is left
// alone where the record has other annotation.
void add_labels(const Node& record, AnnotatedRecord& into);

// Tags as text, or as numbers by the names that the options give; -100 is no annotation.
std::vector<std::string> tags_in(const Node& list, const char* key, const RecordOptions& options);

// {"sports": 1.0, "music": false}
void add_cats(const Node& cats, AnnotatedRecord& into);

}  // namespace weft
