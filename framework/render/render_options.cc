#include "framework/render/render_options.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "framework/render/escaped.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/letter_case.h"

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
  const std::string name = upper_case(label);
  return std::find(options.labels.begin(), options.labels.end(), name) != options.labels.end();
}

std::string address_of(const RenderOptions& options, std::string_view id) {
  if (options.link.empty() || id.size() > kLongestName) return "#";
  std::string address = options.link;
  return address.replace(address.find("{}"), 2, percent_encoded(id));
}

bool is_right_to_left(std::string_view lang) {
  return std::find(kRightToLeft.begin(), kRightToLeft.end(), lang) != kRightToLeft.end();
}

}  // namespace weft
