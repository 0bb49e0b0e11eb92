// Short ways to read and judge configs in tests.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "registry/reading/cfg_reader.h"
#include "registry/reading/toml_reader.h"

namespace weft {

struct Reading {
  Config config;
  Problems problems;

  // The texts of all problems of that kind, with place and suggestion.
  std::vector<std::string> texts(ProblemKind kind) const {
    std::vector<std::string> found;
    for (const Problem& problem : problems) {
      if (problem.kind == kind) found.push_back(problem.str());
    }
    return found;
  }
  bool has(ProblemKind kind) const { return !texts(kind).empty(); }
};

inline Reading read(std::string_view text, bool interpolate = true, Overrides overrides = {}) {
  Reading reading;
  const ReadOptions options{interpolate, std::move(overrides)};
  reading.config = read_cfg(text, "x.cfg", reading.problems, options);
  return reading;
}

inline Reading read_kept(std::string_view text) {
  return read(text, false);
}

inline Reading read_toml_text(std::string_view text, bool interpolate = true) {
  Reading reading;
  reading.config = read_toml(text, "x.toml", reading.problems, {interpolate, {}});
  return reading;
}

// The value of key `x` in section [a] when read with `raw` as its text.
inline Node value_of(std::string_view raw) {
  const Reading reading = read("[a]\nx = " + std::string(raw) + "\n");
  const Node* node = reading.config.find("a.x");
  EXPECT_NE(node, nullptr) << raw;
  return node != nullptr ? *node : Node();
}

}  // namespace weft
