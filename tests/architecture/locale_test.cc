// A program that weft is part of may have any locale: in a German one strtod reads "0.5" as 0, and
// in a Turkish one "i" has no capital letter.
#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/architecture/project_text.h"

namespace {

constexpr std::array<std::string_view, 8> kInstead = {"std::strtod(",  "std::strtof(", "std::stod(",
                                                      "std::stof(",    "atof(",        "sscanf(",
                                                      "std::tolower(", "std::toupper("};

bool is_source(std::string_view file) {
  for (const char* folder : {"registry/", "framework/", "components/", "tools/", "python/src/"}) {
    if (file.starts_with(folder)) {
      return file.ends_with(".cc") || file.ends_with(".h") || file.ends_with(".cu");
    }
  }
  return false;
}

TEST(Locale, OfTheProgramChangesNothing) {
  std::size_t seen = 0;
  for (const std::string& file : project_files()) {
    if (!is_source(file)) continue;
    ++seen;
    const std::string text = project_text(file);
    for (const std::string_view function : kInstead) {
      EXPECT_EQ(text.find(function), std::string::npos)
          << file << ": " << function << "...); see registry/value/number.h and letter_case.h";
    }
  }
  EXPECT_GT(seen, 500U);
}

}  // namespace
