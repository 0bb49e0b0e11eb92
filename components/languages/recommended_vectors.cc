#include "components/languages/recommended_vectors.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace weft {
namespace {

// Trained on texts of the web, all others on news.
constexpr std::array<std::string_view, 2> kOfTheWeb = {"en", "zh"};
constexpr std::array<std::string_view, 13> kOfNews = {"da", "de", "el", "es", "fr", "it", "ja",
                                                      "lt", "nb", "nl", "pl", "pt", "ro"};

template <std::size_t N>
bool has(const std::array<std::string_view, N>& codes, std::string_view lang) {
  return std::find(codes.begin(), codes.end(), lang) != codes.end();
}

}  // namespace

std::optional<std::string> recommended_vectors(std::string_view lang) {
  if (has(kOfTheWeb, lang)) return fmt::format("{}_core_web_lg", lang);
  if (has(kOfNews, lang)) return fmt::format("{}_core_news_lg", lang);
  return std::nullopt;
}

}  // namespace weft
