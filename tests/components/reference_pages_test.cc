// docs/reference holds one page per kind, made from what is registered. WEFT_UPDATE_REFERENCE=1
// writes the pages anew.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "components/builtin.h"
#include "registry/writing/reference_page.h"
#include "tests/folders.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = source_path("docs/reference");

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(ReferencePages, AreWhatIsRegistered) {
  Catalogue catalogue;
  add_builtin(catalogue);
  const bool update = std::getenv("WEFT_UPDATE_REFERENCE") != nullptr;
  std::set<std::string> pages;
  for (const std::string& kind : catalogue.kinds()) {
    const fs::path file = kFolder / (kind + ".md");
    pages.insert(file.filename());
    const std::string page = reference_page(catalogue, kind);
    if (update) std::ofstream(file) << page;
    EXPECT_TRUE(text_of(file) == page)
        << file << " is stale: run components_tests with WEFT_UPDATE_REFERENCE=1";
  }
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    EXPECT_TRUE(pages.contains(entry.path().filename())) << entry.path() << " has no kind";
  }
}

}  // namespace
}  // namespace weft
