// SPDX-License-Identifier: Zlib
#include "pliant/polynomial/GramMatrix.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "pliant/fem/Blas.h"
#include "pliant/polynomial/SymmetricProduct.h"

namespace pliant {
namespace {

/// 8 bricks or 84 tetrahedra: what the second and third caches hold; part of the result's bits.
constexpr Eigen::Index rowsPerBlock = 504;

/// W = samples * mix' of one element: N x mix.rows() out of N x mix.cols(), columns `stride` apart.
void applyMix(const MatrixX& mix, Eigen::Index N, Eigen::Index stride, const double* samples, double* W) {
    const auto rows = static_cast<std::size_t>(mix.rows()), ld = static_cast<std::size_t>(stride);
    multiplyTransposed(static_cast<std::size_t>(N), rows, static_cast<std::size_t>(mix.cols()), samples, ld, mix.data(),
                       rows, 0.0, W, ld);
}

/// One G: rows are collected until there are enough for an efficient product.
class Collector {
public:
    Collector(const MatrixX& mix, const StrainSamples& samples, int width)
        : m_mix(mix), m_N(samples.monomials()), m_stride(samples.stride()), m_product(m_N) {
        if (plain()) return;
        const Eigen::Index perBlock = mix.rows() * width;
        m_rows.resize(m_stride, perBlock * std::max<Eigen::Index>(1, rowsPerBlock / perBlock));
    }

    bool plain() const { return m_mix.size() == 0; }
    /// Rows of element e of the block, out of its samples. Elements of one block may come from several threads.
    void mixElement(int e, const double* samples) {
        if (!plain()) applyMix(m_mix, m_N, m_stride, samples, m_rows.data() + (m_filled + e * m_mix.rows()) * m_stride);
    }
    /// After the elements of a block. @param sampled their samples, `count` rows  @param elements of the block
    void finishBlock(const MatrixX& sampled, Eigen::Index count, int elements, int width) {
        if (plain()) return m_product.add(sampled.data(), m_stride, count);
        m_filled += elements * m_mix.rows();
        if (m_filled + width * m_mix.rows() > m_rows.cols()) flush();
    }
    MatrixX take() {
        flush();
        return std::move(m_product.lower());
    }

private:
    void flush() {
        if (m_filled > 0) m_product.add(m_rows.data(), m_stride, m_filled);
        m_filled = 0;
    }

    const MatrixX& m_mix;
    Eigen::Index m_N, m_stride, m_filled = 0;
    SymmetricProduct m_product;
    MatrixX m_rows;
};

/// G of the elements [begin, end) of the list.
std::vector<MatrixX> gramOfRange(const StrainSamples& samples, const std::vector<int>& elements, int begin, int end,
                                 const std::vector<MatrixX>& mixes, const BlockProgress& progress) {
    const Eigen::Index stride = samples.stride(), perElement = samples.rowsPerElement();
    const int width = static_cast<int>(rowsPerBlock / perElement);
    MatrixX sampled(stride, perElement * width);
    std::vector<Collector> collectors;
    for (const MatrixX& mix : mixes) collectors.emplace_back(mix, samples, width);
    for (int first = begin; first < end; first += width) {
        if (progress) progress(first);
        const int now = std::min(width, end - first);
        tbb::parallel_for(0, now, [&](int e) {
            double* own = sampled.data() + e * perElement * stride;
            samples.fill(elements[static_cast<std::size_t>(first + e)], own);
            for (Collector& collector : collectors) collector.mixElement(e, own);
        });
        for (Collector& collector : collectors) collector.finishBlock(sampled, now * perElement, now, width);
    }
    std::vector<MatrixX> result;
    for (Collector& collector : collectors) result.push_back(collector.take());
    return result;
}

}  // namespace

std::vector<MatrixX> gramMatrices(const StrainSamples& samples, const std::vector<int>& elements,
                                  const std::vector<MatrixX>& mixes, const BlockProgress& progress,
                                  const WorkShares& shares) {
    const BlasSection section;
    const auto border = [&](int share) {
        return static_cast<int>(static_cast<std::int64_t>(elements.size()) * share / shares.count);
    };
    const int firstShare = std::max(shares.own, 0), lastShare = shares.own < 0 ? shares.count : shares.own + 1;
    std::vector<MatrixX> result;
    for (int share = firstShare; share < lastShare; ++share) {
        std::vector<MatrixX> sums = gramOfRange(samples, elements, border(share), border(share + 1), mixes, progress);
        if (result.empty())
            result = std::move(sums);
        else
            for (std::size_t g = 0; g < sums.size(); ++g) result[g] += sums[g];
    }
    if (shares.own >= 0)
        for (MatrixX& sum : result) shares.sumOfAll(sum);
    return result;
}

}  // namespace pliant
