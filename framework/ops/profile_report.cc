#include "framework/ops/profile_report.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "framework/text/printable.h"

namespace weft {
namespace {

// Adds up the shares that agree in the name at `name`; the other name is dropped.
std::vector<OpShare> sums(const std::vector<OpShare>& shares, std::string OpShare::*name) {
  std::vector<OpShare> all;
  for (const OpShare& share : shares) {
    auto found = std::find_if(all.begin(), all.end(),
                              [&](const OpShare& other) { return other.*name == share.*name; });
    if (found == all.end()) {
      found = all.emplace(all.end());
      (*found).*name = share.*name;
    }
    found->calls += share.calls;
    found->seconds += share.seconds;
    found->flops += share.flops;
    found->bytes += share.bytes;
  }
  std::stable_sort(all.begin(), all.end(), [](const OpShare& left, const OpShare& right) {
    return left.seconds > right.seconds;
  });
  return all;
}

std::string name_of(const OpShare& share) {
  if (!share.op.empty()) return share.op;
  return share.layer.empty() ? "outside of layers" : printable_brief(share.layer);
}

}  // namespace

std::vector<OpShare> by_op(const std::vector<OpShare>& shares) {
  return sums(shares, &OpShare::op);
}

std::vector<OpShare> by_layer(const std::vector<OpShare>& shares) {
  return sums(shares, &OpShare::layer);
}

double seconds_of(const std::vector<OpShare>& shares) {
  return std::accumulate(shares.begin(), shares.end(), 0.0,
                         [](double sum, const OpShare& share) { return sum + share.seconds; });
}

std::string time_table(std::string_view first, const std::vector<OpShare>& shares, double seconds) {
  std::size_t width = first.size();
  for (const OpShare& share : shares) width = std::max(width, name_of(share).size());
  std::string table =
      fmt::format("{:<{}}  {:>8}  {:>9}  {:>6}\n", first, width, "calls", "ms", "time");
  for (const OpShare& share : shares) {
    table += fmt::format("{:<{}}  {:>8}  {:>9.2f}  {:>5.1f}%\n", name_of(share), width, share.calls,
                         1e3 * share.seconds, 100 * share.seconds / seconds);
  }
  return table;
}

}  // namespace weft
