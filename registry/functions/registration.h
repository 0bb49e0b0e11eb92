// Gives a function a name that configs can use:
//
//   static const weft::Registration registered{"warmup_linear.v1", warmup_linear, "linear growth"};
//
// The object only links itself into a list private to its shared library and calls nothing, so the
// order in which libraries and objects are initialised never matters.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "registry/base/error.h"
#include "registry/functions/fields.h"
#include "registry/functions/function.h"

namespace weft {

class Catalogue;

// Hidden on purpose: a class with default visibility could be merged between libraries, and then
// two of them would share one list.
class __attribute__((visibility("hidden"))) Registration {
 public:
  using Describe = Signature (*)();
  using Result = Type (*)();
  using Erased = void (*)();
  using Call = Argument (*)(Erased, Arguments&);
  using Hook = void (*)(Catalogue&);

  // The kind follows from the product that the function returns.
  template <class R, class... A>
  Registration(const char* name, R (*function)(A...), const char* doc)
      : Registration(ProductTraits<R>::kind.data(), name, function, doc) {}
  // With the kind given, for products that several kinds make ("layers" and "architectures").
  template <class R>
  Registration(const char* kind, const char* name, R (*function)(), const char* doc)
      : Registration(
            kind, name, doc, [] { return Signature(); }, &result_of<R>,
            reinterpret_cast<Erased>(function), &call_plain<R>, nullptr) {}
  template <class R, class A>
  Registration(const char* kind, const char* name, R (*function)(A), const char* doc)
      : Registration(kind, name, doc, &signature_of<std::remove_cvref_t<A>>, &result_of<R>,
                     reinterpret_cast<Erased>(function), &call_with<R, A>, nullptr) {}
  // Calls `hook` with the catalogue when the library is added, for functions whose signatures are
  // made at run time.
  explicit Registration(Hook hook)
      : Registration("", "", "", nullptr, nullptr, nullptr, nullptr, hook) {}

  Registration(const Registration& other) { copy(other); }
  Registration& operator=(const Registration&) = delete;
  ~Registration();

  // Attaches facts, a JSON object: Registration{...}.meta(R"({"assigns": ["doc.ents"]})").
  Registration meta(const char* json) const {
    Registration result(*this);
    result.meta_ = json;
    return result;
  }

  const Registration* next() const { return next_; }
  Hook hook() const { return hook_; }
  // The catalogue's entry.
  Function function() const;

  // The newest registration of this shared library; the head of its list.
  static const Registration*& head() { return head_; }

 private:
  Registration(const char* kind, const char* name, const char* doc, Describe describe,
               Result result, Erased function, Call call, Hook hook)
      : kind_(kind),
        name_(name),
        doc_(doc),
        describe_(describe),
        result_(result),
        function_(function),
        call_(call),
        hook_(hook) {
    link();
  }
  void copy(const Registration& other);
  void link() {
    next_ = head_;
    head_ = this;
  }

  template <class R>
  static Type result_of();
  template <class R>
  static Argument to_argument(R result);
  template <class R>
  static bool is_nothing(const R& result);
  template <class R>
  static Argument call_plain(Erased function, Arguments&) {
    return to_argument<R>(reinterpret_cast<R (*)()>(function)());
  }
  template <class R, class A>
  static Argument call_with(Erased function, Arguments& arguments) {
    auto settings = read_fields<std::remove_cvref_t<A>>(arguments);
    return to_argument<R>(reinterpret_cast<R (*)(A)>(function)(static_cast<A&&>(settings)));
  }

  static inline constinit const Registration* head_ = nullptr;

  const char* kind_ = "";
  const char* name_ = "";
  const char* doc_ = "";
  const char* meta_ = "";
  Describe describe_ = nullptr;
  Result result_ = nullptr;
  Erased function_ = nullptr;
  Call call_ = nullptr;
  Hook hook_ = nullptr;
  const Registration* next_ = nullptr;
};

inline Registration::~Registration() {
  for (const Registration** link = &head_; *link != nullptr;
       link = const_cast<const Registration**>(&(*link)->next_)) {
    if (*link == this) {
      *link = next_;
      return;
    }
  }
}

inline void Registration::copy(const Registration& other) {
  kind_ = other.kind_;
  name_ = other.name_;
  doc_ = other.doc_;
  meta_ = other.meta_;
  describe_ = other.describe_;
  result_ = other.result_;
  function_ = other.function_;
  call_ = other.call_;
  hook_ = other.hook_;
  link();
}

template <class R>
Type Registration::result_of() {
  if constexpr (ProductField<R>) {
    return Type::product(ProductType::of<R>());
  } else {
    return FieldTraits<R>::type();
  }
}

// Whether there is nothing in the place of a product: a null pointer, an empty function, or what
// the product's traits call so.
template <class R>
bool Registration::is_nothing(const R& result) {
  if constexpr (requires { ProductTraits<R>::is_nothing(result); }) {
    return ProductTraits<R>::is_nothing(result);
  } else if constexpr (requires { result == nullptr; }) {
    return result == nullptr;
  }
  return false;
}

template <class R>
Argument Registration::to_argument(R result) {
  if constexpr (ProductField<R>) {
    if (is_nothing(result)) return Product();
    return Product::of<R>(std::move(result));
  } else if constexpr (std::is_same_v<R, Argument>) {
    return std::move(result);
  } else {
    return FieldTraits<R>::write(result);
  }
}

inline Function Registration::function() const {
  Function function(kind_, name_, doc_, Function::Describe(describe_), result_(),
                    [call = call_, called = function_, name = name_](Arguments& arguments) {
                      Argument made = call(called, arguments);
                      if (made.is_product() && made.product().empty()) {
                        throw Error(ErrorKind::config, std::string(name) +
                                                           " made nothing: a null pointer, or an "
                                                           "empty function");
                      }
                      return made;
                    });
  if (*meta_ != '\0') function.set_meta(meta_);
  return function;
}

}  // namespace weft
