// Builds a filled and checked tree, inside out. The engine behind `resolve`.
#pragma once

#include <optional>
#include <string>

#include "registry/checking/section_check.h"
#include "registry/functions/argument.h"

namespace weft {

class Builder {
 public:
  Builder(const Catalogue& catalogue, Problems& problems)
      : catalogue_(catalogue), problems_(problems) {}

  // The value of a node; nothing if something in it failed, which is then in the problems.
  std::optional<Argument> build(const Node& node, const std::string& path);
  // The arguments that a checked section gives for its signature.
  std::optional<Arguments> build_arguments(const CheckedSection& section);

 private:
  std::optional<Argument> build_block(const Node& node, const std::string& path);
  // Calls the function; its exceptions become problems of `block`.
  std::optional<Argument> call(const Function& function, Arguments& arguments,
                               const std::string& path, const Node& block);
  std::optional<Argument> build_section(const Object& object, const std::string& path);
  std::optional<Argument> build_positional(const Object& object, const std::string& path);
  // Builds the value of a parameter and converts it to its type. `as_data`: not even a block in it
  // is built, as inside lists.
  std::optional<Argument> build_value(const CheckedSection& section,
                                      const FunctionParameter& parameter, const Node& node,
                                      const std::string& path, bool check, bool as_data = false);
  void report_failure(const Function& function, std::string message, const std::string& path,
                      const Origin& place);

  const Catalogue& catalogue_;
  Problems& problems_;
};

}  // namespace weft
