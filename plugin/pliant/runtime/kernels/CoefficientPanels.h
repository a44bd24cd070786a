// SPDX-License-Identifier: Zlib
// A coefficient matrix in the order in which the kernels read it: panels of 8 rows, column after column. Private to
// runtime/.
#pragma once

#include <cstddef>

#include "pliant/math/CacheAligned.h"
#include "pliant/math/Types.h"
#include "pliant/runtime/kernels/Kernels.h"

namespace pliant::kernels {

/// Zeroed numbers in whole cache lines, so that no vector load straddles two.
template <class Scalar>
class AlignedArray {
public:
    AlignedArray() = default;
    explicit AlignedArray(std::size_t size) { resize(size); }
    ~AlignedArray() { release(); }
    AlignedArray(AlignedArray&& other) noexcept : m_data(other.m_data), m_size(other.m_size) {
        other.m_data = nullptr;
        other.m_size = 0;
    }
    AlignedArray& operator=(AlignedArray&& other) noexcept {
        if (this != &other) {
            release();
            m_data = other.m_data;
            m_size = other.m_size;
            other.m_data = nullptr;
            other.m_size = 0;
        }
        return *this;
    }

    /// Keeps the first numbers, zeroes the new ones.
    void resize(std::size_t size) {
        auto* data = static_cast<Scalar*>(allocateCacheAligned(size * sizeof(Scalar)));
        for (std::size_t i = 0; i < size; ++i) data[i] = i < m_size ? m_data[i] : Scalar(0);
        release();
        m_data = data;
        m_size = size;
    }
    Scalar* data() { return m_data; }
    const Scalar* data() const { return m_data; }
    std::size_t size() const { return m_size; }

private:
    void release() { freeCacheAligned(m_data, m_size * sizeof(Scalar)); }

    Scalar* m_data = nullptr;
    std::size_t m_size = 0;
};

template <class Scalar>
struct CoefficientPanels {
    int rows = 0;  ///< Rows of the matrix, rounded up to whole panels with zeros.
    int columns = 0;
    AlignedArray<Scalar> values;

    CoefficientPanels() = default;
    explicit CoefficientPanels(const MatrixX& matrix)
        : rows(roundUp(static_cast<int>(matrix.rows()), panelRows)),
          columns(static_cast<int>(matrix.cols())),
          values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {
        for (int row = 0; row < matrix.rows(); ++row)
            for (int column = 0; column < columns; ++column)
                values.data()[(row / panelRows * columns + column) * panelRows + row % panelRows] =
                    static_cast<Scalar>(matrix(row, column));
    }
};

/// A symmetric matrix by its upper 8 x 8 blocks, row of blocks after row of blocks; a block is stored row by row and
/// whole, also on the diagonal.
struct SymmetricBlocks {
    int rows = 0;  ///< Rows of the matrix, rounded up to whole blocks with zeros.
    AlignedArray<double> values;

    SymmetricBlocks() = default;
    template <class Entry>
    SymmetricBlocks(int size, const Entry& entry) : rows(roundUp(size, panelRows)) {
        const int count = rows / panelRows;
        values.resize(static_cast<std::size_t>(count * (count + 1) / 2 * panelRows * panelRows));
        double* next = values.data();
        for (int row = 0; row < rows; row += panelRows)
            for (int column = row; column < rows; column += panelRows)
                for (int i = row; i < row + panelRows; ++i)
                    for (int j = column; j < column + panelRows; ++j, ++next)
                        *next = i < size && j < size ? entry(i, j) : 0.0;
    }
};

}  // namespace pliant::kernels
