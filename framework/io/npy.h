// Matrices in the files of NumPy. Source: NumPy's description of the format `.npy`.
#pragma once

#include <filesystem>
#include <string>

#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

// A matrix of 32-bit floats, (rows, columns) on the host; either size may be 0. Throws
// Error(system) where the file cannot be read, and Error(data), naming it, where it is damaged,
// holds another kind of array, numbers that are not finite, or more rows or columns than word
// vectors can have (docs/limits.md).
WEFT_API Tensor read_npy_matrix(const std::filesystem::path& file);

// The first matrix in an archive of NumPy, `.npz`, or the only one of a plain `.npy` file, also of
// floats of 16 and 64 bits in either byte order, rounded to 32. Throws as read_npy_matrix, and
// where the archive is damaged, has no array, or one that takes more than a ReadBudget allows.
WEFT_API Tensor read_npz_matrix(const std::filesystem::path& file);

// Writes a host matrix of 32-bit floats, replacing the file in one step. Throws Error(system).
WEFT_API void write_npy_matrix(const std::filesystem::path& file, const Tensor& matrix);

// The bytes before the elements of such a matrix.
WEFT_API std::string npy_header(std::int64_t rows, std::int64_t columns);

}  // namespace weft
