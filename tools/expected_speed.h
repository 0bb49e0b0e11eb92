// `debug profile --threads`: the speed to expect of more threads than one.
#pragma once

#include <string>
#include <vector>

#include "framework/ops/work_record.h"
#include "registry/value/config.h"

namespace weft::tools {

// "4,8,16" as numbers from 1 to 1024, at most 64 of them. Throws Error(usage), which names what is
// no such number.
std::vector<int> thread_numbers(const std::string& list);

// A table of times and speed-ups by threads, one of the ops on the last number of threads, and two
// of ops and layers, of the time that more threads do not shorten.
std::string expected_speed_table(const std::vector<int>& threads, const WorkRecord& record);
Object expected_speed_facts(const std::vector<int>& threads, const WorkRecord& record);

}  // namespace weft::tools
