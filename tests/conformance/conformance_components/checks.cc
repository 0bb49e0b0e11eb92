#include "tests/conformance/conformance_components/checks.h"

#include <cmath>
#include <iostream>

#include <fmt/format.h>

namespace weft::conformance {
namespace {

bool is_near(const Json& got, const Json& wanted, double limit) {
  if (wanted.is_number() && got.is_number()) {
    return std::abs(got.get<double>() - wanted.get<double>()) <= limit;
  }
  if (wanted.is_structured() && got.type() == wanted.type() && got.size() == wanted.size()) {
    for (const auto& [key, value] : wanted.items()) {
      const Json& other = wanted.is_object() ? got.value(key, Json()) : got.at(std::stoul(key));
      if (!is_near(other, value, limit)) return false;
    }
    return true;
  }
  return got == wanted;
}

// Long values are cut: the line says which record to look at.
std::string brief(const Json& value) {
  const std::string text = value.dump();
  return text.size() <= 400 ? text : text.substr(0, 400) + "…";
}

}  // namespace

bool Checks::open(const std::filesystem::path& file) {
  file_ = file;
  count_ = 0;
  return tally_.has_file(file);
}

void Checks::expect_at_least(int count) {
  if (count_ < count) {
    failed("manifest.json", fmt::format("only {} checks where {} are listed", count_, count));
  }
}

void Checks::passed() {
  ++count_;
  tally_.add(file_.filename().string(), Verdict::passed);
}

void Checks::failed(const std::string& record, const std::string& message) {
  ++count_;
  std::cout << fmt::format("{}: {}: {}\n", file_.string(), record, message);
  tally_.add(file_.filename().string(), Verdict::failed);
}

void Checks::check(bool good, const std::string& record, const std::string& field, const Json& got,
                   const Json& wanted) {
  if (good) return passed();
  failed(record, fmt::format("{}: got {}, wanted {}", field, brief(got), brief(wanted)));
}

void Checks::equal(const std::string& record, const std::string& field, const Json& got,
                   const Json& wanted) {
  check(got == wanted, record, field, got, wanted);
}

void Checks::near(const std::string& record, const std::string& field, const Json& got,
                  const Json& wanted, double limit) {
  check(is_near(got, wanted, limit), record, field, got, wanted);
}

}  // namespace weft::conformance
