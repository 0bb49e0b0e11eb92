#include "tools/expected_speed.h"

#include <charconv>

#include <fmt/format.h>

#include "framework/ops/op_profile.h"
#include "framework/ops/profile_report.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "tools/name_list.h"

namespace weft::tools {
namespace {

constexpr int kMostThreads = 1024;
constexpr std::size_t kMostNumbers = 64;  // each of them is worked out for every round of tasks

using OpTime = WorkRecord::OpTime;

// By op or by layer, the longest first.
std::vector<OpShare> shares_of(const WorkRecord& record, double OpTime::*time,
                               std::vector<OpShare> (*sum)(const std::vector<OpShare>&)) {
  std::vector<OpShare> shares;
  for (const auto& [place, times] : record.ops()) {
    shares.push_back(
        {.layer = place.first, .op = place.second, .calls = 0, .seconds = times.*time});
  }
  return sum(shares);
}

List list_of(const std::vector<OpShare>& shares) {
  List list;
  for (const OpShare& share : shares) {
    Object one;
    one.set(share.op.empty() ? "layer" : "op", share.op.empty() ? share.layer : share.op);
    one.set("seconds", share.seconds);
    list.emplace_back(std::move(one));
  }
  return list;
}

std::string table_of(const std::string& title, const std::vector<OpShare>& shares, double seconds) {
  std::string table = fmt::format("\n{:>9}  {:>6}  {}\n", "ms", "time", title);
  for (const OpShare& share : shares) {
    const std::string& name = share.op.empty() ? share.layer : share.op;
    table +=
        fmt::format("{:>9.2f}  {:>5.1f}%  {}\n", 1e3 * share.seconds, 100 * share.seconds / seconds,
                    name.empty() ? "outside of layers" : printable_brief(name));
  }
  return table;
}

}  // namespace

std::vector<int> thread_numbers(const std::string& list) {
  std::vector<int> numbers;
  for (const std::string& word : split_names(list)) {
    int number = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || stop != end || number < 1 || number > kMostThreads) {
      throw Error(ErrorKind::usage, fmt::format("--threads takes numbers from 1 to {}, as in 4,16; "
                                                "'{}' is none",
                                                kMostThreads, printable_brief(word)));
    }
    numbers.push_back(number);
  }
  if (numbers.size() > kMostNumbers) {
    throw Error(ErrorKind::usage, fmt::format("--threads takes numbers, {} at most", kMostNumbers));
  }
  if (numbers.empty()) throw Error(ErrorKind::usage, "--threads takes numbers, as in 4,16");
  return numbers;
}

std::string expected_speed_table(const std::vector<int>& threads, const WorkRecord& record) {
  std::string table = fmt::format("{:<8}  {:>9}  {:>8}\n", "threads", "ms", "speed-up");
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const double expected = record.expected()[i];
    table += fmt::format("{:<8}  {:>9.2f}  {:>8.2f}\n", threads[i], 1e3 * expected,
                         record.seconds() / expected);
  }
  const double seconds = record.seconds();
  table +=
      fmt::format("\n{:.1f}% of the time only one thread can work, {:.1f}% outside of ops\n",
                  100 * record.single() / seconds, 100 * record.single_outside_of_ops() / seconds);
  table += table_of(fmt::format("op, on {} threads", threads.back()),
                    shares_of(record, &OpTime::with_most, by_op), seconds);
  table += table_of("op, on any number of threads", shares_of(record, &OpTime::undivided, by_op),
                    seconds);
  return table + table_of("layer, on any number of threads",
                          shares_of(record, &OpTime::undivided, by_layer), seconds);
}

Object expected_speed_facts(const std::vector<int>& threads, const WorkRecord& record) {
  Object facts;
  facts.set("seconds", record.seconds());
  facts.set("seconds_of_one_thread_alone", record.single());
  facts.set("outside_of_ops", record.single_outside_of_ops());
  List expected;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    Object one;
    one.set("threads", std::int64_t{threads[i]});
    one.set("seconds", record.expected()[i]);
    expected.emplace_back(std::move(one));
  }
  facts.set("expected", std::move(expected));
  facts.set("ops_with_most_threads", list_of(shares_of(record, &OpTime::with_most, by_op)));
  facts.set("undivided_ops", list_of(shares_of(record, &OpTime::undivided, by_op)));
  facts.set("undivided_layers", list_of(shares_of(record, &OpTime::undivided, by_layer)));
  return facts;
}

}  // namespace weft::tools
