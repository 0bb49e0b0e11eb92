// Records of W&B's offline files. The numbers of fields are those of wandb_internal.proto.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/io/proto_message.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The start of a file, before its first record.
WEFT_API std::string_view wandb_file_header();

// A part of a row or of a summary: a path and its value.
using WandbItem = std::pair<std::vector<std::string>, Node>;

struct WandbRun {
  std::string id, project;
  std::optional<std::string> entity, name;
  double started = 0;  // seconds since 1970
};

// Records number `number`, from 1.
WEFT_API ProtoMessage wandb_header_record(std::int64_t number);
WEFT_API ProtoMessage wandb_run_record(std::int64_t number, const WandbRun& run,
                                       const Object& config);
WEFT_API ProtoMessage wandb_history_record(std::int64_t number, std::int64_t step,
                                           std::span<const WandbItem> items);
WEFT_API ProtoMessage wandb_summary_record(std::int64_t number, std::span<const WandbItem> items);
WEFT_API ProtoMessage wandb_exit_record(std::int64_t number, int code, double seconds);

}  // namespace weft
