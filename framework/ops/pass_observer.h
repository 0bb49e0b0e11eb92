// Watches what runs in a Context: the plan of number formats, and the search for the layer in which
// an overflow arises.
#pragma once

#include <span>
#include <string_view>

#include "framework/ops/kernel.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API PassObserver {
 public:
  virtual ~PassObserver() = default;
  // An op has run in the layer of that path: the types that its floating inputs were cast to, and
  // those in which its results are stored.
  virtual void op_ran(std::string_view layer, const OpTraits& op, std::span<const DType> inputs,
                      std::span<const DType> results);
  // A layer has asked for an array of a type that it chose itself (Context::result_in).
  virtual void chose_type(std::string_view layer, DType type);
  // A layer has run, inner ones before outer ones. Only asked for by `wants_layers`.
  virtual bool wants_layers() const { return false; }
  virtual void went_forward(std::string_view layer, bool finite);
  // `outgoing`: of the input and of the parameters.
  virtual void went_back(std::string_view layer, bool incoming_finite, bool outgoing_finite);
};

}  // namespace weft
