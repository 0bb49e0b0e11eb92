// Adds defaults to a tree and checks it, in place. The engine behind `fill` and `resolve`.
#pragma once

#include <string>

#include "registry/checking/section_check.h"
#include "registry/filling/fill.h"

namespace weft {

class Filler {
 public:
  Filler(const Catalogue& catalogue, const Schemas& schemas, Problems& problems,
         const FillOptions& options)
      : catalogue_(catalogue), schemas_(schemas), problems_(problems), options_(options) {}

  // A section, block or value; anything but an object is left as it is.
  void fill_node(Node& node, const std::string& path);
  // A section against a signature that is not in the schemas.
  void fill_section(Node& node, const std::string& path, const Signature& signature,
                    UnknownKeys unknown);
  // A section that selects its function with the key `selector`.
  void fill_selected(Node& node, const std::string& path, std::string_view selector,
                     const Function& function);
  // Everything below an object.
  void fill_children(Node& node, const std::string& path);

 private:
  void fill_block(Node& node, const std::string& path);
  void fill_schema(Node& node, const std::string& path, const SectionSchema& schema);
  void check(const CheckedSection& section);
  void report_unknown(std::string_view kind, const Node& name, const std::string& path);
  void report_not_built(const Function& function, const Node& name, const std::string& path);

  const Catalogue& catalogue_;
  const Schemas& schemas_;
  Problems& problems_;
  const FillOptions& options_;
};

}  // namespace weft
