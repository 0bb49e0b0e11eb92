#include "framework/parser/span_calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {

namespace {

// The logit of a probability whose logarithm is given; finite for probabilities of 0 and 1.
// expm1 keeps digits where the probability is close to 1: log p - log(1 - p) with p = exp(log p).
double logit(double log_probability) {
  const double most = -1e-12;
  const double log_p = std::clamp(log_probability, -1e6, most);
  return log_p - std::log(-std::expm1(log_p));
}

double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

// log(1 + exp(x))
double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

// Platt (1999), "Probabilistic outputs for support vector machines": a logistic curve through
// scores. The temperature comes on top of it: Guo et al. (2017), "On calibration of modern neural
// networks".
struct Line {
  double slope = 1, offset = 0;
  double loss = std::numeric_limits<double>::infinity();  // negative log-likelihood
};

double loss_of(std::span<const double> x, std::span<const double> y, double slope, double offset) {
  double loss = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double z = slope * x[i] + offset;
    loss += softplus(z) - y[i] * z;
  }
  return loss;
}

// Sums of a Newton step.
struct Curvature {
  double slope = 0, offset = 0;                    // gradient
  double slopes = 1e-6, both = 0, offsets = 1e-6;  // second derivatives
};

Curvature curvature(std::span<const double> x, std::span<const double> y, const Line& line) {
  Curvature sums;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double p = sigmoid(line.slope * x[i] + line.offset), weight = p * (1 - p);
    sums.slope += (p - y[i]) * x[i];
    sums.offset += p - y[i];
    sums.slopes += weight * x[i] * x[i];
    sums.both += weight * x[i];
    sums.offsets += weight;
  }
  return sums;
}

// Logistic regression by Newton's method, each step halved until it is one downwards.
Line fit_line(std::span<const double> x, std::span<const double> y) {
  Line line;
  line.loss = loss_of(x, y, line.slope, line.offset);
  for (int round = 0; round < 50; ++round) {
    const Curvature c = curvature(x, y, line);
    const double determinant = c.slopes * c.offsets - c.both * c.both;
    if (!(determinant > 0)) break;
    const double slope = (c.offsets * c.slope - c.both * c.offset) / determinant;
    const double offset = (c.slopes * c.offset - c.both * c.slope) / determinant;
    const double before = line.loss;
    for (double size = 1; size > 1e-4 && line.loss >= before; size /= 2) {
      const Line next{std::max(0.0, line.slope - size * slope), line.offset - size * offset, 0};
      const double loss = loss_of(x, y, next.slope, next.offset);
      if (loss < before) line = {next.slope, next.offset, loss};
    }
    if (line.loss > before - 1e-9 * (1 + before)) break;
  }
  return line;
}

// The best line at one temperature.
Line line_at(std::span<const JudgedEvidence> entities, double temperature) {
  std::vector<double> x, y;
  for (const JudgedEvidence& entity : entities) {
    x.push_back(logit(entity.actions.log_probability(temperature)));
    y.push_back(entity.is_right ? 1 : 0);
  }
  return fit_line(x, y);
}

}  // namespace

double SpanCalibration::confidence(const ActionScores& actions) const {
  const double value = sigmoid(slope * logit(actions.log_probability(temperature)) + offset);
  return value >= 0 ? value : 0;
}

SpanCalibration fit_calibration(std::span<const JudgedEvidence> entities) {
  if (entities.size() < kFewestJudged) {
    throw Error(ErrorKind::internal,
                fmt::format("confidences cannot be fitted to {} predicted entities; {} are needed",
                            entities.size(), kFewestJudged));
  }
  // The loss as a function of the logarithm of the temperature is smooth and changes slowly.
  double best_log = 0;
  Line best = line_at(entities, 1);
  for (int halvings = 0; halvings < 5; ++halvings) {
    const double step = std::ldexp(1.0, -halvings);
    for (const double log_temperature : {best_log - step, best_log + step}) {
      if (std::abs(log_temperature) > 4) continue;
      const Line line = line_at(entities, std::exp(log_temperature));
      if (line.loss >= best.loss) continue;
      best = line;
      best_log = log_temperature;
      break;
    }
  }
  SpanCalibration result;
  result.temperature = std::exp(best_log);
  result.slope = best.slope;
  result.offset = best.offset;
  result.entities = static_cast<std::int64_t>(entities.size());
  result.right = std::count_if(entities.begin(), entities.end(),
                               [](const JudgedEvidence& entity) { return entity.is_right; });
  return result;
}

}  // namespace weft
