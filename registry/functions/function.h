// A registered function: its name, its signature, and how to call it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "registry/functions/argument.h"
#include "registry/functions/signature.h"

namespace weft {

// One entry of the catalogue. The signature is made when it is first asked for; safe to share
// between threads.
class WEFT_API Function {
 public:
  using Describe = std::function<Signature()>;
  using Call = std::function<Argument(Arguments&)>;

  // `result` is the declared type of what `call` returns (any() if unknown). An empty `call`
  // declares a name that is known but not built in this version.
  Function(std::string kind, std::string name, std::string doc, Describe describe, Type result,
           Call call);
  // With a signature made at run time.
  Function(std::string kind, std::string name, std::string doc, Signature signature, Type result,
           Call call);
  ~Function();
  Function(Function&&) noexcept;

  const std::string& kind() const;
  const std::string& name() const;
  const std::string& doc() const;
  const std::string& library() const;  // that registered it: "libweft", "acme 1.2.0"
  const Type& result() const;
  const Signature& signature() const;
  // Attached facts, an object; empty if there are none. Factories: default_score_weights, assigns
  // ...
  const Node& meta() const;

  bool built() const;
  // Calls it with checked arguments. Exceptions of the function pass through.
  Argument call(Arguments& arguments) const;

  Function& set_library(std::string library);
  Function& set_meta(std::string json);  // throws Error(internal) if it is no JSON object

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft
