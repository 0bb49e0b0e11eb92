// The kinds of records that conformance_matcher knows: one function each, in a file of its own.
#pragma once

#include <memory>

#include <nlohmann/json.hpp>

#include "framework/pipeline/language.h"

namespace weft::conformance {

using Json = nlohmann::ordered_json;

// The common ground of the records: an English pipeline without components.
struct Setting {
  Setting();
  std::shared_ptr<Language> english;
};

// The result of the record, in the form of its `expect`.
using ReplayRecord = Json(const Json& record, const Setting& setting);

ReplayRecord replay_matcher;
ReplayRecord replay_phrase;
ReplayRecord replay_dependency;
ReplayRecord replay_rulers;

// Whether it is what the record expects.
using IsRight = bool(const Json& record, const Json& got);

IsRight is_right_phrase;
IsRight is_right_ruler;

// The document of a record, with its annotation.
Doc document_of(const Json& record, const Setting& setting);

}  // namespace weft::conformance
