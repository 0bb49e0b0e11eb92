// Hash embeddings, gathers and sums into rows of tables.
#include <cmath>
#include <string>

#include "framework/ops/dropout.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gather.h"
#include "framework/ops/hash_embed.h"
#include "framework/ops/hash_tables.h"
#include "framework/ops/random.h"
#include "tests/framework/backends/device_under_test.h"

namespace weft {
namespace {

using TableKernels = DeviceTest;
INSTANTIATE_TEST_SUITE_P(Devices, TableKernels, kDevices, device_name);

Tensor random_ids(Shape shape, std::uint64_t seed) {
  Tensor ids = Tensor::zeros(shape, DType::u64);
  const RandomStream random(seed, 0, 0);
  for (std::int64_t i = 0; i < ids.size(); ++i) {
    const auto words = random.block(static_cast<std::uint64_t>(i));
    ids.data<std::uint64_t>()[i] = std::uint64_t{words[0]} << 32 | words[1];
  }
  return ids;
}

TEST_P(TableKernels, RowsOfIdsAreThoseOfTheCpu) {
  for (const std::int64_t n : {0, 1, 2000}) {
    compare(
        [&](Bench& bench) {
          const View ids = bench.put(random_ids({n, 3}, 1));
          const View rows = bench.put(Tensor::zeros({n, 4}, DType::i32));
          bench.run<HashRows>(ids.columns(1, 1), 8U, std::int64_t{5000}, rows);
          return std::vector{bench.get(rows)};
        },
        0.0, "hash rows");
  }
}

TEST_P(TableKernels, SumsOfRowsEqualTheCpu) {
  for (const DType table_type : kFormats) {
    for (const DType type : kFormats) {
      for (const std::int64_t n : {0, 1, 333}) {
        compare(
            [&](Bench& bench) {
              const View table = bench.put(random_numbers({50, 96}, 1, table_type));
              const View rows = bench.put(random_rows({n, 4}, 2, 50));
              const View y = bench.put(random_numbers({n, 96}, 3, type));
              bench.run<GatherSum>(table, rows, y);
              return std::vector{bench.get(y, type)};
            },
            type == DType::f32 ? 0.0 : 1e-6, "gather sum");
      }
    }
  }
}

TEST_P(TableKernels, RowsByNumberEqualTheCpu) {
  for (const DType from : kFormats) {
    for (const DType to : kFormats) {
      compare(
          [&](Bench& bench) {
            Tensor numbers = random_rows({77}, 2, 50);
            numbers.data<std::int32_t>()[3] = -1;
            const View x = bench.put(random_numbers({50, 31}, 1, from));
            const View y = bench.put(random_numbers({77, 31}, 3, to));
            bench.run<GatherRows>(x, bench.put(numbers), y);
            return std::vector{bench.get(y, to)};
          },
          to == DType::f32 ? 0.0 : 1e-7, "gather rows");
    }
  }
}

struct Case {
  std::int64_t rows, width, table;
  const char* what;
};

TEST_P(TableKernels, SumsIntoRowsEqualTheCpu) {
  constexpr Case kCases[] = {{0, 8, 5, "none"},
                             {1, 1, 1, "one"},
                             {40, 33, 1000, "hardly any repeats"},
                             {500, 96, 7, "segments of many tiles"},
                             {700, 300, 1, "all into one row"},
                             {16, 96, 3, "exactly one tile"},
                             {333, 5, 40, "segments that end in tiles"}};
  for (const DType type : kFormats) {
    for (const Case& one : kCases) {
      compare(
          [&](Bench& bench) {
            const View dy = bench.put(random_numbers({one.rows, one.width}, 1, type));
            const View rows = bench.put(random_rows({one.rows, 4}, 2, one.table));
            const View table = bench.put(random_numbers({one.table, one.width}, 3));
            bench.run<ScatterAddSum>(dy, rows, table);
            const View single = bench.put(random_numbers({one.table, one.width}, 4));
            const View numbers = bench.put(random_rows({one.rows}, 5, one.table));
            bench.run<ScatterAddRows>(dy, numbers, single, 1.0F);
            const View written = bench.put(random_numbers({one.table, one.width}, 6));
            bench.run<ScatterAddRows>(dy, numbers, written, 0.0F);
            return std::vector{bench.get(table), bench.get(single), bench.get(written)};
          },
          std::ldexp(static_cast<double>(4 * one.rows + 4), -21), one.what);
    }
  }
}

// Small integers add up without rounding, so that any order gives one result: none is lost, none
// comes twice.
TEST_P(TableKernels, EveryEntryCountsOnce) {
  for (const std::int64_t n : {63, 64, 65, 129, 4000}) {
    compare(
        [&](Bench& bench) {
          Tensor ones = Tensor::zeros({n, 40});
          for (std::int64_t i = 0; i < ones.size(); ++i) {
            ones.data<float>()[i] = static_cast<float>(1 + i % 3);
          }
          Tensor rows = random_rows({n, 4}, 2, 60);
          for (std::int64_t i = 0; i < n; i += 2) rows.data<std::int32_t>()[4 * i] = 5;
          const View table = bench.put(Tensor::zeros({60, 40}));
          bench.run<ScatterAddSum>(bench.put(ones), bench.put(rows), table);
          return std::vector{bench.get(table)};
        },
        0.0, "counts of " + std::to_string(n));
  }
}

// Three tables, of which the first drops nothing, the second by a mask and the third by draws.
constexpr std::int64_t kTableRows[] = {40, 7, 300};
constexpr std::int64_t kTableWidth = 24;

std::vector<HashTable> hash_tables(Bench& bench) {
  std::vector<HashTable> tables;
  for (const std::int64_t rows : kTableRows) {
    const auto number = static_cast<std::uint32_t>(tables.size());
    tables.push_back({.rows = bench.put(random_numbers({rows, kTableWidth}, 20 + number)),
                      .seed = 8 + number,
                      .column = 2 - std::int64_t{number}});
  }
  const View mask = bench.put(random_numbers({1, kTableWidth}, 30));
  tables[1].mask = mask;
  const RandomStream random(4, 5, 6);
  if (bench.is_cpu()) {
    const View drawn = bench.put(random_numbers({1, kTableWidth}, 31));
    bench.run<DropoutMask>(random, 0U, 0.4, drawn);
    tables[2].mask = drawn;
  } else {
    tables[2].draws = DropoutDraws{random, 0, 0.4};
  }
  return tables;
}

// The same by the ops of single tables, on the CPU.
std::vector<Tensor> tables_one_by_one(Bench& bench, ConstView ids, ConstView dy,
                                      std::span<const View> gradients) {
  const std::int64_t n = ids.rows();
  const View y = bench.put(Tensor::zeros({n, 3 * kTableWidth}));
  const auto tables = hash_tables(bench);
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const HashTable& table = tables[t];
    const View rows = bench.put(Tensor::zeros({n, 4}, DType::i32));
    const View one = bench.put(Tensor::zeros({n, kTableWidth})),
               d_one = bench.put(Tensor::zeros({n, kTableWidth}));
    const auto column = static_cast<std::int64_t>(t) * kTableWidth;
    bench.run<HashRows>(ids.columns(table.column, 1), table.seed, table.rows.rows(), rows);
    bench.run<GatherSum>(table.rows, rows, one);
    bench.run<CopyRows>(dy.columns(column, kTableWidth), d_one);
    if (table.mask) {
      bench.run<MultiplyInPlace>(one, table.mask);
      bench.run<MultiplyInPlace>(d_one, table.mask);
    }
    bench.run<CopyRows>(one, y.columns(column, kTableWidth));
    bench.run<ScatterAddSum>(d_one, rows, gradients[t]);
  }
  return {bench.get(y), bench.get(gradients[0]), bench.get(gradients[1]), bench.get(gradients[2])};
}

std::vector<Tensor> tables_at_once(Bench& bench, ConstView ids, ConstView dy,
                                   std::span<const View> gradients, bool written) {
  const auto tables = hash_tables(bench);
  const View y = bench.put(Tensor::zeros({ids.rows(), 3 * kTableWidth})),
             factors = bench.put(random_numbers({3, kTableWidth}, 32));
  bench.run<HashTablesForward>(std::span<const HashTable>(tables), ids, y, factors);
  std::vector<HashTableGradient> to;
  for (const View& gradient : gradients) to.push_back({gradient, written});
  bench.run<HashTablesBackward>(std::span<const HashTable>(tables), ids, factors, dy,
                                std::span<const HashTableGradient>(to));
  return {bench.get(y), bench.get(gradients[0]), bench.get(gradients[1]), bench.get(gradients[2])};
}

TEST_P(TableKernels, TablesAtOnceAreThoseOneByOne) {
  for (const std::int64_t n : {0, 1, 210}) {
    for (const bool written : {false, true}) {
      compare(
          [&](Bench& bench) {
            Tensor numbers = random_ids({n, 3}, 1);
            // Words that come often.
            for (std::int64_t i = 3; i < numbers.size(); i += 2) {
              numbers.data<std::uint64_t>()[i] = static_cast<std::uint64_t>(i % 5);
            }
            const View ids = bench.put(numbers), dy = bench.put(random_numbers({n, 72}, 2));
            std::vector<View> gradients;
            for (const std::int64_t rows : kTableRows) {
              const bool zeros = written && bench.is_cpu();
              gradients.push_back(bench.put(zeros ? Tensor::zeros({rows, kTableWidth})
                                                  : random_numbers({rows, kTableWidth}, 3)));
            }
            return bench.is_cpu() ? tables_one_by_one(bench, ids, dy, gradients)
                                  : tables_at_once(bench, ids, dy, gradients, written);
          },
          2e-4, "hash tables of " + std::to_string(n));
    }
  }
}

// Lists that are short, and those that are sorted.
TEST_P(TableKernels, RowsOfShortAndLongListsEqualTheCpu) {
  for (const std::int64_t n : {4096, 4097}) {
    compare(
        [&](Bench& bench) {
          Tensor ones = Tensor::zeros({n, 5});
          for (std::int64_t i = 0; i < ones.size(); ++i) {
            ones.data<float>()[i] = static_cast<float>(1 + i % 3);
          }
          const View table = bench.put(random_numbers({60, 5}, 1));
          const View whole = bench.put(random_numbers({60, 5}, 3));
          const View rows = bench.put(random_rows({n}, 2, 50));
          bench.run<ScatterAddRows>(bench.put(ones), rows, whole, 0.0F);
          bench.run<ScatterAddRows>(bench.put(ones), rows, table, 1.0F);
          // Rows that nothing names become zeros there, and stay as they are here.
          return std::vector{bench.get(whole), bench.get(table.slice(50, 10))};
        },
        0.0, "rows of a list of " + std::to_string(n));
  }
}

}  // namespace
}  // namespace weft
