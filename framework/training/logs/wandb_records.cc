#include "framework/training/logs/wandb_records.h"

#include <cmath>

#include "framework/text/printable.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// Kinds of a Record, by the field that holds them.
constexpr int kNumber = 1, kHistory = 2, kSummary = 3, kRun = 17, kExit = 18, kHeader = 21;

ProtoMessage record(std::int64_t number, int kind, const ProtoMessage& content) {
  return ProtoMessage().integer(kNumber, number).message(kind, content);
}

ProtoMessage item(const WandbItem& item) {
  ProtoMessage message;
  for (const std::string& part : item.first) message.text(2, part);
  return message.text(16, to_json(item.second));
}

ProtoMessage timestamp(double seconds) {
  const double whole = std::floor(seconds);
  return ProtoMessage()
      .integer(1, static_cast<std::int64_t>(whole))
      .integer(2, static_cast<std::int64_t>((seconds - whole) * 1e9));
}

ProtoMessage config_of(const Object& config) {
  ProtoMessage message;
  for (const auto& [key, node] : config) {
    message.message(1, ProtoMessage().text(1, printable(key)).text(16, to_json(node)));
  }
  return message;
}

}  // namespace

std::string_view wandb_file_header() {
  // ":W&B", a magic number of two bytes, a version of the format.
  return {":W&B\xe1\xbe\0", 7};
}

ProtoMessage wandb_header_record(std::int64_t number) {
  // The oldest version of the package that understands the records, by its own account.
  const ProtoMessage version = ProtoMessage().text(1, "weft").text(2, "0.70.0");
  return record(number, kHeader, ProtoMessage().message(1, version));
}

ProtoMessage wandb_run_record(std::int64_t number, const WandbRun& run, const Object& config) {
  ProtoMessage message;
  message.text(1, run.id);
  if (run.entity) message.text(2, *run.entity);
  message.text(3, run.project).message(4, config_of(config));
  if (run.name) message.text(8, *run.name);
  message.message(17, timestamp(run.started));
  return record(number, kRun, message);
}

ProtoMessage wandb_history_record(std::int64_t number, std::int64_t step,
                                  std::span<const WandbItem> items) {
  ProtoMessage history;
  for (const WandbItem& one : items) history.message(1, item(one));
  history.message(2, ProtoMessage().integer(1, step));
  return record(number, kHistory, history);
}

ProtoMessage wandb_summary_record(std::int64_t number, std::span<const WandbItem> items) {
  ProtoMessage summary;
  for (const WandbItem& one : items) summary.message(1, item(one));
  return record(number, kSummary, summary);
}

ProtoMessage wandb_exit_record(std::int64_t number, int code, double seconds) {
  const ProtoMessage exit =
      ProtoMessage().integer(1, code).integer(2, static_cast<std::int64_t>(seconds));
  return record(number, kExit, exit);
}

}  // namespace weft
