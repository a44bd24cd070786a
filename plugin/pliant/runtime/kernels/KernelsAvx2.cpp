// SPDX-License-Identifier: Zlib
// AVX2 with fused multiply-add: four doubles or eight floats. Nothing but intrinsics and our own templates in an
// unnamed namespace may be compiled here: an inline function of a library would carry these instructions into others.
#include <immintrin.h>

#include "pliant/runtime/kernels/Kernels.h"

namespace pliant::kernels {
namespace {

struct Doubles {
    using Scalar = double;
    using Vector = __m256d;
    static constexpr int width = 4;
    static Vector load(const double* p) { return _mm256_loadu_pd(p); }
    static Vector load(const float* p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); }
    static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
    static void store(float* p, Vector v) { _mm_storeu_ps(p, _mm256_cvtpd_ps(v)); }
    static Vector set(double s) { return _mm256_set1_pd(s); }
    static Vector multiplyAdd(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
    static Vector squareRoot(Vector v) { return _mm256_sqrt_pd(v); }
};

struct Floats {
    using Scalar = float;
    using Vector = __m256;
    static constexpr int width = 8;
    static Vector load(const float* p) { return _mm256_loadu_ps(p); }
    static void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
    static Vector set(float s) { return _mm256_set1_ps(s); }
    static Vector multiplyAdd(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
};

using PanelFloats = Floats;  ///< a panel column is one vector

constexpr int tileRows = 4;       // rows of a product tile
constexpr int tileVectors = 2;    // vectors of a product tile
constexpr int singleVectors = 2;  // the same in single precision
constexpr int factorTile = 2;     // rows and columns of a factorisation tile

#include "pliant/runtime/kernels/FactorKernels.inl"
#include "pliant/runtime/kernels/OneBodyKernels.inl"
#include "pliant/runtime/kernels/ProductKernels.inl"

}  // namespace

const Table& avx2Table() {
    static const Table table = makeTable(InstructionSet::Avx2);
    return table;
}

}  // namespace pliant::kernels
