// The one description of a struct of parameters, and what is made of it.
//
//   struct WarmupLinear { double initial_rate = 0; int warmup_steps = 0; };
//   template <class V> void fields(V& v, WarmupLinear& c) {
//     v.required("initial_rate", c.initial_rate, "rate reached after the warm-up");
//     v("warmup_steps", c.warmup_steps, "steps of linear growth from zero", weft::at_least(0));
//   }
//
// `fields` stands in the namespace of the struct. A visitor V has
//   v(name, member, doc, constraints...)           default = the member's initialiser
//   v.required(name, member, doc, constraints...)  no default
//   v.variadic(name, member, doc)                  the values of `*`; member is a std::vector
//   v.block(name, member, cfg, doc)                default = the section [name] of the text `cfg`
#pragma once

#include <string_view>
#include <utility>

#include "registry/functions/field_traits.h"
#include "registry/functions/signature.h"

namespace weft {

// Constraints. Each is a trailing argument of a visitor's call.
struct Strict {};
inline constexpr Strict strict;  // no conversions (except an integer for a float)
struct KeywordOnly {};
inline constexpr KeywordOnly keyword_only;  // not through `*`
struct NotFilled {};
inline constexpr NotFilled not_filled;  // left out of a filled config unless it is given
struct Written {};
inline constexpr Written written;  // a path that the function writes to
struct MayBeInfinite {};
inline constexpr MayBeInfinite may_be_infinite;  // behind a range: a limit that may be none
struct Ignored {
  std::string_view why;  // accepted, means nothing here: a note says why
};
constexpr Range at_least(double min) {
  return {.min = min};
}
constexpr Range at_most(double max) {
  return {.max = max};
}
constexpr Range more_than(double min) {
  return {.min = min, .min_open = true};
}
constexpr Range range(double min, double below) {  // min <= x < below
  return {.min = min, .max = below, .max_open = true};
}
constexpr Range closed_range(double min, double max) {
  return {.min = min, .max = max};
}
// The only strings that a string field takes.
template <class... Names>
Type one_of(const Names&... names) {
  return Type::choice({Node(std::string(names))...});
}

inline void constrain(FunctionParameter& parameter, Strict) {
  parameter.type = parameter.type.strict();
}
inline void constrain(FunctionParameter& parameter, KeywordOnly) {
  parameter.kind = FunctionParameter::Kind::keyword_only;
}
inline void constrain(FunctionParameter& parameter, NotFilled) {
  parameter.filled = false;
}
inline void constrain(FunctionParameter& parameter, Ignored ignored) {
  parameter.ignored = ignored.why;
}
inline void constrain(FunctionParameter& parameter, Written) {
  parameter.written = true;
}
inline void constrain(FunctionParameter& parameter, const Range& range) {
  parameter.range = range;
  parameter.range.finite = true;
}
inline void constrain(FunctionParameter& parameter, MayBeInfinite) {
  parameter.range.finite = false;
}
inline void constrain(FunctionParameter& parameter, const Type& type) {
  parameter.type = type;
}

// The section [name] of a `.cfg` text; throws Error(internal) if the text is wrong.
WEFT_API Node block_default(std::string_view name, std::string_view cfg);

// One more parameter of the signature, with finite numbers alone. Out of line, as is the default
// below: every field of every struct calls them, and their code would stand in as many places.
WEFT_API FunctionParameter& add_parameter(Signature& signature, std::string_view name,
                                          std::string_view doc, Type type);
WEFT_API void set_default(FunctionParameter& parameter, Node value);

// Makes a signature of a default-constructed struct.
class SignatureWriter {
 public:
  explicit SignatureWriter(Signature& signature) : signature_(signature) {}

  template <class T, class... Constraints>
  void operator()(std::string_view name, T& member, std::string_view doc,
                  const Constraints&... constraints) {
    FunctionParameter& parameter = add<T>(name, doc, constraints...);
    set_default(parameter, FieldTraits<T>::write(member));
  }
  template <class T, class... Constraints>
  void required(std::string_view name, T&, std::string_view doc,
                const Constraints&... constraints) {
    add<T>(name, doc, constraints...);
  }
  template <class T>
  void variadic(std::string_view name, std::vector<T>&, std::string_view doc) {
    add<T>(name, doc).kind = FunctionParameter::Kind::variadic;
  }
  template <class T, class... Constraints>
  void block(std::string_view name, T&, std::string_view cfg, std::string_view doc,
             const Constraints&... constraints) {
    FunctionParameter& parameter = add<T>(name, doc, constraints...);
    set_default(parameter, block_default(name, cfg));
  }

 private:
  template <class T, class... Constraints>
  FunctionParameter& add(std::string_view name, std::string_view doc,
                         const Constraints&... constraints) {
    FunctionParameter& parameter = add_parameter(signature_, name, doc, FieldTraits<T>::type());
    if constexpr (requires(const Node& data) { FieldTraits<T>::fault(data); }) {
      parameter.fault = FieldTraits<T>::fault;
    }
    (constrain(parameter, constraints), ...);
    return parameter;
  }

  Signature& signature_;
};

// Fills a struct from checked arguments.
class FieldReader {
 public:
  explicit FieldReader(Arguments& arguments) : arguments_(arguments) {}

  template <class T, class... Constraints>
  void operator()(std::string_view name, T& member, std::string_view, const Constraints&...) {
    if (Argument* value = arguments_.find(name)) member = FieldTraits<T>::read(std::move(*value));
  }
  template <class T, class... Constraints>
  void required(std::string_view name, T& member, std::string_view doc, const Constraints&...) {
    (*this)(name, member, doc);
  }
  template <class T>
  void variadic(std::string_view name, std::vector<T>& member, std::string_view doc) {
    (*this)(name, member, doc);
  }
  template <class T, class... Constraints>
  void block(std::string_view name, T& member, std::string_view, std::string_view doc,
             const Constraints&...) {
    (*this)(name, member, doc);
  }

 private:
  Arguments& arguments_;
};

// The signature of a struct with `fields`.
template <class Settings>
Signature signature_of() {
  Signature signature;
  SignatureWriter writer(signature);
  Settings settings{};
  fields(writer, settings);
  return signature;
}

// The struct that checked arguments make.
template <class Settings>
Settings read_fields(Arguments& arguments) {
  Settings settings{};
  FieldReader reader(arguments);
  fields(reader, settings);
  return settings;
}

}  // namespace weft
