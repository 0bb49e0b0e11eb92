// Messages of TensorBoard's event files. The numbers of fields are those of its event.proto,
// summary.proto, tensor.proto and of the hparams plugin.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/io/proto_message.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// One entry of a summary.
WEFT_API ProtoMessage scalar_value(std::string_view tag, double value);
WEFT_API ProtoMessage text_value(std::string_view tag, std::string_view markdown);

struct HistogramBucket {
  double left = 0, right = 0, count = 0;
};
WEFT_API ProtoMessage histogram_value(std::string_view tag,
                                      std::span<const HistogramBucket> buckets);

// Hyperparameters at the start of a run: each leaf of `settings` by its dotted name.
WEFT_API ProtoMessage settings_value(const Object& settings, double start_seconds);

enum class SessionStatus : std::uint8_t { success = 1, failure = 2 };
WEFT_API ProtoMessage session_end_value(SessionStatus status, double end_seconds);

// The first event of a file.
WEFT_API ProtoMessage version_event(double seconds);
WEFT_API ProtoMessage summary_event(double seconds, std::int64_t step,
                                    std::span<const ProtoMessage> values);

}  // namespace weft
