#include "registry/functions/function.h"

#include <mutex>

#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {

struct Function::State {
  std::string kind, name, doc, library;
  Type result;
  Call call;
  Node meta = Object();
  Describe describe;
  std::once_flag described;
  Signature signature;
};

Function::Function(std::string kind, std::string name, std::string doc, Describe describe,
                   Type result, Call call)
    : state_(std::make_unique<State>()) {
  state_->kind = std::move(kind);
  state_->name = std::move(name);
  state_->doc = std::move(doc);
  state_->describe = std::move(describe);
  state_->result = std::move(result);
  state_->call = std::move(call);
}

Function::Function(std::string kind, std::string name, std::string doc, Signature signature,
                   Type result, Call call)
    : Function(std::move(kind), std::move(name), std::move(doc), Describe(), std::move(result),
               std::move(call)) {
  state_->signature = std::move(signature);
}

Function::~Function() = default;
Function::Function(Function&&) noexcept = default;

const std::string& Function::kind() const {
  return state_->kind;
}
const std::string& Function::name() const {
  return state_->name;
}
const std::string& Function::doc() const {
  return state_->doc;
}
const std::string& Function::library() const {
  return state_->library;
}
const Type& Function::result() const {
  return state_->result;
}
const Node& Function::meta() const {
  return state_->meta;
}
bool Function::built() const {
  return static_cast<bool>(state_->call);
}

const Signature& Function::signature() const {
  std::call_once(state_->described, [&] {
    if (state_->describe) state_->signature = state_->describe();
  });
  return state_->signature;
}

Argument Function::call(Arguments& arguments) const {
  return state_->call(arguments);
}

Function& Function::set_library(std::string library) {
  state_->library = std::move(library);
  return *this;
}

Function& Function::set_meta(std::string json) {
  std::optional<Node> meta = parse_json(json);
  if (!meta || !meta->is_object()) {
    throw Error(ErrorKind::internal, "the facts attached to " + name() + " are no JSON object");
  }
  state_->meta = std::move(*meta);
  return *this;
}

}  // namespace weft
