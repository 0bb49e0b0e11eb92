#include "framework/pipeline/outside_links.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "framework/io/files_below.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {

namespace fs = std::filesystem;

void refuse_outside_links(const fs::path& folder) {
  std::error_code unknown;
  const fs::path real = fs::canonical(folder, unknown);
  if (unknown) return;  // reading it says why
  walk_below(real, [&](const fs::directory_entry& entry) {
    std::error_code nowhere;
    if (!entry.is_symlink(nowhere)) return true;
    const fs::path target = fs::canonical(entry.path(), nowhere);
    if (nowhere) return true;
    const auto [end, _] = std::mismatch(real.begin(), real.end(), target.begin(), target.end());
    if (end == real.end()) return true;
    throw Error(ErrorKind::data,
                fmt::format("{} is a link that leads out of the folder, to {}; put a copy in its "
                            "place, if you trust it (`cp -rL` copies a folder and what its links "
                            "lead to)",
                            (folder / entry.path().lexically_relative(real)).string(),
                            printable_brief(target.string())));
  });
}

}  // namespace weft
