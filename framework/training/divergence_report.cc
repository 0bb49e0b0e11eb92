#include "framework/training/divergence_report.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "framework/text/example.h"
#include "registry/value/json.h"

namespace weft {
namespace {

constexpr std::size_t kExcerpt = 40;  // bytes of a text

bool is_finite(const Tensor& gradient) {
  const float* values = gradient.data<float>();
  return std::all_of(values, values + gradient.size(), [](float x) { return std::isfinite(x); });
}

std::string place_of(const NamedParameter& named) {
  if (named.layer_number < 0) return fmt::format("of {}", named.name);
  return fmt::format("of component '{}', layer {} '{}', parameter {}", named.component,
                     named.layer_number, named.layer, named.parameter->name);
}

// Of the parameter that the optimizer names.
std::string place_of(std::span<const NamedParameter> parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const NamedParameter& named) { return named.name == name; });
  return found == parameters.end() ? fmt::format("of {}", name) : place_of(*found);
}

std::string excerpt(std::string_view text) {
  if (text.size() <= kExcerpt) return to_json_string(text);
  std::size_t end = kExcerpt;
  // Cut at the beginning of a character: bytes 10xxxxxx go on with the one before.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return to_json_string(std::string(text.substr(0, end)) + " ...");
}

std::string message_of(const StepBatch& batch, const std::string& what) {
  return fmt::format(
      "training diverged in step {}: {}the batch holds the training documents {}; nothing of this "
      "step was applied; a lower learn_rate may help",
      batch.number, what, list_documents(batch.examples));
}

}  // namespace

BadGradients find_bad_gradients(std::span<const NamedParameter> parameters,
                                const Gradients& gradients) {
  if (gradients.on_device()) return find_bad_gradients(parameters, gradients.on_host());
  BadGradients bad;
  for (const NamedParameter& named : parameters) {
    const Tensor* gradient = gradients.find(*named.parameter);
    if (gradient == nullptr || is_finite(*gradient)) continue;
    if (bad.count++ == 0) bad.first = &named;
  }
  return bad;
}

std::string list_documents(std::span<Example* const> batch, std::size_t most) {
  std::string list;
  for (std::size_t i = 0; i < std::min(batch.size(), most); ++i) {
    list += fmt::format("{}{} ({})", i == 0 ? "" : ", ", batch[i]->number(),
                        excerpt(batch[i]->reference().text()));
  }
  if (batch.size() > most) list += fmt::format(" and {} more", batch.size() - most);
  return list;
}

std::string divergence_message(const StepBatch& batch, const std::string& bad_loss,
                               const BadGradients& bad) {
  std::string what = bad_loss.empty() ? "" : bad_loss + ", ";
  if (bad.count > 0) {
    what += fmt::format("the gradient {} holds a NaN or an infinity", place_of(*bad.first));
    if (bad.count > 1) what += fmt::format(" (and those of {} more parameters)", bad.count - 1);
    what += ", ";
  }
  return message_of(batch, what);
}

std::string divergence_message(const StepBatch& batch, const std::string& bad_loss,
                               std::span<const NamedParameter> parameters,
                               const Gradients& gradients) {
  return divergence_message(batch, bad_loss, find_bad_gradients(parameters, gradients));
}

std::string divergence_message(const StepBatch& batch, const StepError& error,
                               std::span<const NamedParameter> parameters,
                               const Gradients& gradients) {
  const BadGradients bad = find_bad_gradients(parameters, gradients);
  if (bad.count > 0) return divergence_message(batch, "", bad);
  const std::string place = place_of(parameters, error.parameter());
  const bool in_step = error.cause() == StepError::Cause::step;
  return message_of(
      batch,
      in_step
          ? fmt::format("the optimizer's step would leave a NaN or an infinity in the weights, the "
                        "moments or the average {}, ",
                        place)
          : fmt::format("the gradient {}, with its L2 term, holds a NaN or an infinity, ", place));
}

}  // namespace weft
