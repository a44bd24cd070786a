// SPDX-License-Identifier: Zlib
// Baseline of x86-64: two doubles or four floats, no fused multiply-add.
#include <emmintrin.h>

#include "pliant/runtime/kernels/Kernels.h"

namespace pliant::kernels {
namespace {

struct Doubles {
    using Scalar = double;
    using Vector = __m128d;
    static constexpr int width = 2;
    static Vector load(const double* p) { return _mm_loadu_pd(p); }
    static Vector load(const float* p) {
        return _mm_cvtps_pd(_mm_loadl_pi(_mm_setzero_ps(), reinterpret_cast<const __m64*>(p)));
    }
    static void store(double* p, Vector v) { _mm_storeu_pd(p, v); }
    static void store(float* p, Vector v) { _mm_storel_pi(reinterpret_cast<__m64*>(p), _mm_cvtpd_ps(v)); }
    static Vector set(double s) { return _mm_set1_pd(s); }
    static Vector multiplyAdd(Vector a, Vector b, Vector c) { return _mm_add_pd(_mm_mul_pd(a, b), c); }
    static Vector squareRoot(Vector v) { return _mm_sqrt_pd(v); }
};

struct Floats {
    using Scalar = float;
    using Vector = __m128;
    static constexpr int width = 4;
    static Vector load(const float* p) { return _mm_loadu_ps(p); }
    static void store(float* p, Vector v) { _mm_storeu_ps(p, v); }
    static Vector set(float s) { return _mm_set1_ps(s); }
    static Vector multiplyAdd(Vector a, Vector b, Vector c) { return _mm_add_ps(_mm_mul_ps(a, b), c); }
};

using PanelFloats = Floats;  ///< a panel column is two vectors

constexpr int tileRows = 4;       // rows of a product tile
constexpr int tileVectors = 2;    // vectors of a product tile
constexpr int singleVectors = 2;  // the same in single precision
constexpr int factorTile = 2;     // rows and columns of a factorisation tile

#include "pliant/runtime/kernels/FactorKernels.inl"
#include "pliant/runtime/kernels/OneBodyKernels.inl"
#include "pliant/runtime/kernels/ProductKernels.inl"

}  // namespace

const Table& sse2Table() {
    static const Table table = makeTable(InstructionSet::Sse2);
    return table;
}

}  // namespace pliant::kernels
