// Reads the `.cfg` dialect into a tree. Source: docs/config.md, "Lines" to "Variables".
#pragma once

#include <filesystem>
#include <string_view>

#include "registry/base/problem.h"
#include "registry/overrides/overrides.h"
#include "registry/value/config.h"

namespace weft {

struct ReadOptions {
  // Replace ${...} (the library's default). If false they stay in the values, so that the file can
  // be written again; `interpolate` expands them later.
  bool interpolate = true;
  // Applied on the tree before variables are expanded.
  Overrides overrides = {};
  // Where variables stay: `$$` of a `.cfg` file is read as one sign, which writing doubles again.
  // The reference does so only where variables are replaced, and doubles with every write.
  bool single_dollars = false;
};

// The tree of `text`; `name` stands in every origin. Problems are added to `problems`; after an
// error the returned tree holds what could be read. Never throws for bad input. A line longer than
// 64 MiB, more than 16 million lines or nesting beyond 512 levels is a `limit` problem.
WEFT_API Config read_cfg(std::string_view text, std::string_view name, Problems& problems,
                         const ReadOptions& options = {});

// The same for a file, by its ending: `.toml` through read_toml, anything else as `.cfg`. CR, CRLF
// and LF end a line here. Throws Error(usage) if the file cannot be read.
WEFT_API Config read_config_file(const std::filesystem::path& file, Problems& problems,
                                 const ReadOptions& options = {});

// The last steps for a tree that was read without errors, whatever the dialect: overrides, then
// variables.
void finish_reading(Config& config, const ReadOptions& options, Problems& problems);

}  // namespace weft
