// The result of a registered function, without its type: the resolver passes these on without
// knowing a single one of them. Works across shared libraries built with hidden visibility.
#pragma once

#include <memory>
#include <utility>

#include "registry/functions/type.h"

namespace weft {

class Product {
 public:
  Product() = default;

  template <class T>
  static Product of(T value) {
    static const auto& type = *new auto(std::make_shared<const ProductType>(ProductType::of<T>()));
    return Product(std::make_shared<T>(std::move(value)), type);
  }
  // Of a type made by ProductType::named<T>.
  template <class T>
  static Product of(T value, ProductType type) {
    return Product(std::make_shared<T>(std::move(value)),
                   std::make_shared<const ProductType>(std::move(type)));
  }

  bool empty() const { return value_ == nullptr; }
  // The declared type; must not be empty.
  const ProductType& type() const { return *type_; }

  // The value if it is a T, else null.
  template <class T>
  T* get() const {
    const std::string_view own = typeid(T).name();
    if (!value_ || std::string_view(type_->cpp_name).substr(0, own.size()) != own) return nullptr;
    const bool exact = type_->cpp_name.size() == own.size() || type_->cpp_name[own.size()] == ':';
    return exact ? static_cast<T*>(value_.get()) : nullptr;
  }

 private:
  Product(std::shared_ptr<void> value, std::shared_ptr<const ProductType> type)
      : value_(std::move(value)), type_(std::move(type)) {}

  std::shared_ptr<void> value_;
  std::shared_ptr<const ProductType> type_;
};

}  // namespace weft
