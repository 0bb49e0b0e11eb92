// The declared ops: ours, and those that plugins add before a model is built.
// Source: docs/precision.md, "Op categories" and "Functions from plugins".
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "framework/precision/notice.h"
#include "framework/precision/op_policy.h"
#include "registry/base/export.h"

namespace weft {

// Our ops, by category.
WEFT_API std::span<const OpPolicy> own_ops();

class WEFT_API OpTable {
 public:
  OpTable();  // with our own ops

  // Adds an op under `name`. Returns an error if the table is closed (P011) or has the name
  // already.
  Notices declare(std::string_view name, OpPolicy op);
  // Called when the model is built: no op can be declared from here on.
  void close() { closed_ = true; }

  // The declaration of `name`; for an unknown name that of an undeclared op, with P010 in `notices`
  // the first time. The result's name lives as long as the table.
  OpPolicy find(std::string_view name, Notices& notices);
  // The same for an op that has kernels for the given formats alone: without the one that the run
  // wants it is treated as undeclared, with P012 the first time.
  OpPolicy find(std::string_view name, const PrecisionPolicy& policy,
                std::span<const NumberFormat> kernels, Notices& notices);

 private:
  std::map<std::string, OpPolicy, std::less<>> ops_;
  std::set<std::string, std::less<>> undeclared_;
  std::set<std::string, std::less<>> without_kernel_;
  bool closed_ = false;
};

}  // namespace weft
