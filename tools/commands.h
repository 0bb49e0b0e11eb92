// The functions behind the commands; each stands in a file of its name.
#pragma once

#include "tools/command.h"

namespace weft::tools {

int run_train(const Words& words);
int run_ray_train(const Words& words);
int run_pretrain(const Words& words);
int run_evaluate(const Words& words);
int run_apply(const Words& words);
int run_render(const Words& words);
int run_calibrate(const Words& words);
int run_compare(const Words& words);
int run_tokenize(const Words& words);
int run_convert(const Words& words);
int run_assemble(const Words& words);
int run_benchmark_speed(const Words& words);
int run_init_config(const Words& words);
int run_init_fill_config(const Words& words);
int run_init_labels(const Words& words);
int run_init_vectors(const Words& words);
int run_init_nlp(const Words& words);
int run_package(const Words& words);
int run_find_threshold(const Words& words);
int run_debug_config(const Words& words);
int run_debug_diff_config(const Words& words);
int run_debug_model(const Words& words);
int run_debug_profile(const Words& words);
int run_debug_data(const Words& words);
int run_debug_step(const Words& words);
int run_precision_plan(const Words& words);
int run_registry(const Words& words);
int run_info(const Words& words);
int run_serve(const Words& words);  // where the build has it

}  // namespace weft::tools
