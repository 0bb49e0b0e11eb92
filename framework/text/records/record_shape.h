// A shape of records: what one annotation tool exports. Each shape is a file of this folder and
// stands in the table of shapes.cc.
#pragma once

#include <span>
#include <string_view>

#include "framework/text/records/annotated_record.h"
#include "registry/value/config.h"

namespace weft {

// Const functions may be called by several threads at once.
class RecordShape {
 public:
  RecordShape() = default;
  virtual ~RecordShape() = default;
  RecordShape(const RecordShape&) = delete;
  RecordShape& operator=(const RecordShape&) = delete;

  virtual std::string_view name() const = 0;  // for messages: "Prodigy"

  // Whether a record is of this shape, of which it may still have faults.
  virtual bool recognises(const Node& record) const = 0;

  // Text, words and spaces of a record that is recognised. Throws Error(data), without a place, for
  // what is no such record.
  virtual void read_text(const Node& record, AnnotatedRecord& into) const = 0;

  // All else. Throws in the same way.
  virtual void read_annotation(const Node& record, const RecordOptions& options,
                               AnnotatedRecord& into) const = 0;

  // The keys that may hold annotation or text, and those that the tool writes beside them. Where a
  // record is searched for mistyped keys, these are not suspected.
  virtual std::span<const std::string_view> keys() const = 0;

  // Whether annotation of this form is read under every key, as its tool lets projects name it.
  virtual bool reads_under_any_key(const Node& value) const {
    static_cast<void>(value);
    return false;
  }
};

}  // namespace weft
