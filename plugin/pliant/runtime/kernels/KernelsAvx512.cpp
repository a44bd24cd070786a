// SPDX-License-Identifier: Zlib
// AVX-512: eight doubles or sixteen floats. Nothing but intrinsics and our own templates in an unnamed namespace may be
// compiled here: an inline function of a library would carry these instructions into others.
#include <immintrin.h>

#include "pliant/runtime/kernels/Kernels.h"

namespace pliant::kernels {
namespace {

struct Doubles {
    using Scalar = double;
    using Vector = __m512d;
    static constexpr int width = 8;
    static Vector load(const double* p) { return _mm512_loadu_pd(p); }
    static Vector load(const float* p) { return _mm512_cvtps_pd(_mm256_loadu_ps(p)); }
    static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
    static void store(float* p, Vector v) { _mm256_storeu_ps(p, _mm512_cvtpd_ps(v)); }
    static Vector set(double s) { return _mm512_set1_pd(s); }
    static Vector multiplyAdd(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
    static Vector squareRoot(Vector v) { return _mm512_sqrt_pd(v); }
};

struct Floats {
    using Scalar = float;
    using Vector = __m512;
    static constexpr int width = 16;
    static Vector load(const float* p) { return _mm512_loadu_ps(p); }
    static void store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
    static Vector set(float s) { return _mm512_set1_ps(s); }
    static Vector multiplyAdd(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
};

/// A panel column: eight floats.
struct PanelFloats {
    using Scalar = float;
    using Vector = __m256;
    static constexpr int width = 8;
    static Vector load(const float* p) { return _mm256_loadu_ps(p); }
    static void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
    static Vector set(float s) { return _mm256_set1_ps(s); }
    static Vector multiplyAdd(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
};

constexpr int tileRows = 8;       // rows of a product tile
constexpr int tileVectors = 2;    // vectors of a product tile
constexpr int singleVectors = 1;  // the same in single precision
constexpr int factorTile = 4;     // rows and columns of a factorisation tile

#include "pliant/runtime/kernels/FactorKernels.inl"
#include "pliant/runtime/kernels/OneBodyKernels.inl"
#include "pliant/runtime/kernels/ProductKernels.inl"

}  // namespace

const Table& avx512Table() {
    static const Table table = makeTable(InstructionSet::Avx512);
    return table;
}

}  // namespace pliant::kernels
