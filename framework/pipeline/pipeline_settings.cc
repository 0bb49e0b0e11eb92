#include "framework/pipeline/pipeline_settings.h"

#include "framework/pipeline/check_config.h"
#include "registry/building/resolve.h"

namespace weft {

SystemSettings system_settings(const Config& values) {
  Object known;
  for (const std::string& name : signature_of<SystemSettings>().names()) {
    if (const Node* value = values.find("system." + name)) known.set(name, *value);
  }
  Config system;
  system.root().set("system", std::move(known));
  Problems problems;
  auto settings = resolve_section<SystemSettings>(system, "system", Catalogue(), problems);
  throw_errors(std::move(problems));
  return std::move(*settings);
}

}  // namespace weft
