// Pruned vectors: rows that are equally near, rows of zeros, and the attribute that words are
// looked up by.
#include "framework/pipeline/prune_vectors.h"

#include <gtest/gtest.h>

#include "framework/text/symbols.h"

namespace weft {
namespace {

TEST(PruneVectors, OfRowsThatAreEquallyNearTheLastIsTaken) {
  const Tensor table = Tensor::from<float>({3, 2}, {1, 0, 3, 0, 2, 0});
  const Vectors pruned = prune_vectors(Vectors(table, {{1, 0}, {2, 1}, {3, 2}}), 2);
  EXPECT_EQ(pruned.row_of(3), 1);
}

TEST(PruneVectors, RowsOfZerosAreNearToNone) {
  const Tensor table = Tensor::from<float>({4, 2}, {0, 0, 1, 0, 2, 0, 0, 0});
  const Vectors pruned = prune_vectors(Vectors(table, {{1, 0}, {2, 1}, {3, 2}, {4, 3}}), 2);
  EXPECT_EQ(pruned.row_of(3), 1) << "and take no word from another";
  EXPECT_EQ(pruned.row_of(4), 1) << "all are as near: the last";
}

TEST(PruneVectors, TheAttributeStays) {
  const Tensor table = Tensor::from<float>({2, 1}, {1, 2});
  EXPECT_EQ(prune_vectors(Vectors(table, {{1, 0}, {2, 1}}, Attr::lower), 1).attr(), Attr::lower);
}

}  // namespace
}  // namespace weft
