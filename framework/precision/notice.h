// Messages of the precision policy: one function per message code, so that each text stands in one
// place. Source: docs/precision.md, "Messages".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"
#include "registry/base/problem.h"

namespace weft {

struct WEFT_API Notice {
  std::string code;  // "P005"; "" where the list of codes has none
  Severity severity = Severity::error;
  std::string text;  // "precision: dynamic loss scaling is not needed with bf16"
  std::string key;   // the setting of [training.precision] at fault; "" if none is

  // The text with its code: "precision: ... [P005]".
  std::string str() const;
};

using Notices = std::vector<Notice>;

WEFT_API bool has_errors(const Notices& notices);

// As problems of the block at `path`, usually "training.precision".
WEFT_API Problems problems_of(const Notices& notices, std::string_view path);

namespace notices {

// The configuration. `key` is the setting as the user wrote it.
WEFT_API Notice unknown_level(std::string_view level);        // P001
WEFT_API Notice weights_are_not_cast();                       // P002
WEFT_API Notice no_meaning_at_o1(std::string_view key);       // P003
WEFT_API Notice patch_ops_belongs_to_o1();                    // P004
WEFT_API Notice scaling_not_needed(std::string_view format);  // P005
WEFT_API Notice fp16_without_scaling();                       // P006
WEFT_API Notice eps_raised(double from, double to);           // P007
WEFT_API Notice out_of_range(std::string_view key, std::string_view x,
                             std::string_view rule);  // P008

// Ops.
WEFT_API Notice undeclared_op(std::string_view op);                                  // P010
WEFT_API Notice late_op(std::string_view op);                                        // P011
WEFT_API Notice missing_kernel(std::string_view op, std::string_view format);        // P012
WEFT_API Notice padded(std::string_view layer, std::int64_t from, std::int64_t to);  // P041
WEFT_API Notice own_format(std::string_view layer, std::string_view format);         // P061
WEFT_API Notice stale_copy(std::string_view parameter);                              // P090

// The device.
WEFT_API Notice not_supported(std::string_view gpu, std::string_view capability,
                              std::string_view format, std::string_view level,
                              std::string_view least);                          // P020
WEFT_API Notice no_matrix_units(std::string_view gpu, std::string_view level);  // P021
WEFT_API Notice emulated_on_cpu(std::string_view format);                       // P023
WEFT_API Notice below_fp16(std::string_view key, double value);                 // P050
WEFT_API Notice beyond_fp16(std::string_view key, double value);                // P051
WEFT_API Notice little_to_gain(int percent, std::string_view level, std::string_view largest_op,
                               int largest_percent);  // P070

// Training. Levels and formats are names, `origin` and `layer` paths.
WEFT_API Notice no_gradients(std::int64_t step);  // P022
WEFT_API Notice bad_loss(double loss, std::int64_t step, std::string_view layer,
                         std::string_view batch);  // P024
WEFT_API Notice overflow(std::int64_t step, double from, double to, std::size_t tensors,
                         std::string_view first, std::string_view origin, int in_a_row);  // P025
WEFT_API Notice diverged(int in_a_row, std::string_view what_now);                        // P026
WEFT_API Notice scale_grew(double from, double to, int applied_steps);                    // P027
WEFT_API Notice resumed_at_other_level(std::string_view checkpoint, std::string_view run,
                                       std::string_view weights_from,
                                       std::string_view scale);  // P030
WEFT_API Notice beyond_saved_fp16(std::string_view parameter);   // P031
WEFT_API Notice read_scaled_gradients(std::string_view hook);    // P060
WEFT_API Notice ranks_disagree(std::string_view scales);         // P040

}  // namespace notices
}  // namespace weft
