#include "framework/render/render_options.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "framework/render/escaped.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 4> kRightToLeft = {"ar", "fa", "he", "ur"};

}  // namespace

void check_link(const RenderOptions& options) {
  const std::string& link = options.link;
  const bool has_scheme = link.starts_with("https://") || link.starts_with("http://");
  if (link.empty() || (has_scheme && link.find("{}") != link.npos)) return;
  throw Error(ErrorKind::usage,
              fmt::format("the link '{}' is no address with {{}} in the place of the id, like "
                          "https://www.wikidata.org/wiki/{{}}",
                          printable_brief(link)));
}

bool shows_label(const RenderOptions& options, std::string_view label) {
  if (options.labels.empty()) return true;
  const auto is_it = [&](const std::string& name) {
    return std::equal(name.begin(), name.end(), label.begin(), label.end(),
                      [](unsigned char a, unsigned char b) { return a == std::toupper(b); });
  };
  return std::any_of(options.labels.begin(), options.labels.end(), is_it);
}

std::string address_of(const RenderOptions& options, std::string_view id) {
  if (options.link.empty()) return "#";
  std::string address = options.link;
  return address.replace(address.find("{}"), 2, percent_encoded(id));
}

bool is_right_to_left(std::string_view lang) {
  return std::find(kRightToLeft.begin(), kRightToLeft.end(), lang) != kRightToLeft.end();
}

}  // namespace weft
