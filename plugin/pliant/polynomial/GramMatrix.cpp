// SPDX-License-Identifier: Zlib
#include "pliant/polynomial/GramMatrix.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "pliant/polynomial/SymmetricProduct.h"

extern "C" {  // BLAS
void dgemm_(const char* transA, const char* transB, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
}

namespace pliant {
namespace {

constexpr Eigen::Index rowsPerBlock = 1536;  // bounds the memory of W; part of the result's bits

/// W = samples * mix' of one element: N x mix.rows() out of N x mix.cols(), columns `stride` apart.
void applyMix(const MatrixX& mix, Eigen::Index N, Eigen::Index stride, const double* samples, double* W) {
    const int m = static_cast<int>(N), n = static_cast<int>(mix.rows()), k = static_cast<int>(mix.cols());
    const int ld = static_cast<int>(stride);
    const double one = 1.0, zero = 0.0;
    dgemm_("N", "T", &m, &n, &k, &one, samples, &ld, mix.data(), &n, &zero, W, &ld);
}

/// G of the elements [begin, end) of the list.
std::vector<MatrixX> gramOfRange(const StrainSamples& samples, const std::vector<int>& elements, int begin, int end,
                                 const std::vector<MatrixX>& mixes, const BlockProgress& progress) {
    const Eigen::Index N = samples.monomials(), stride = samples.stride(), perElement = samples.rowsPerElement();
    const int perBlock = static_cast<int>(rowsPerBlock / perElement), width = std::min(perBlock, end - begin);
    std::vector<SymmetricProduct> products(mixes.size(), SymmetricProduct(N));
    MatrixX sampled(stride, perElement * width);
    std::vector<MatrixX> mixed;
    for (const MatrixX& mix : mixes) mixed.emplace_back(stride, mix.rows() * width);
    for (int first = begin; first < end; first += perBlock) {
        if (progress) progress(first);
        const int now = std::min(perBlock, end - first);
        tbb::parallel_for(0, now, [&](int e) {
            double* own = sampled.data() + e * perElement * stride;
            samples.fill(elements[static_cast<std::size_t>(first + e)], own);
            for (std::size_t g = 0; g < mixes.size(); ++g)
                if (mixes[g].size() > 0)
                    applyMix(mixes[g], N, stride, own, mixed[g].data() + e * mixes[g].rows() * stride);
        });
        for (std::size_t g = 0; g < mixes.size(); ++g) {
            const bool plain = mixes[g].size() == 0;
            products[g].add((plain ? sampled : mixed[g]).data(), stride, now * (plain ? perElement : mixes[g].rows()));
        }
    }
    std::vector<MatrixX> result;
    for (SymmetricProduct& product : products) result.push_back(std::move(product.lower()));
    return result;
}

}  // namespace

std::vector<MatrixX> gramMatrices(const StrainSamples& samples, const std::vector<int>& elements,
                                  const std::vector<MatrixX>& mixes, const BlockProgress& progress,
                                  const ElementShares& shares) {
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
