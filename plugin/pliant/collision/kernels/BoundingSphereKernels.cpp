// SPDX-License-Identifier: Zlib
#include "pliant/collision/kernels/BoundingSphereKernels.h"

#include <limits>

#include "pliant/math/Lanes.h"

namespace pliant {

namespace {

using Sphere = Floats<4>;

/// Partial sums in 16 lanes whatever the registers are, so that every set gives the same bits.
template <int lanes>
PLIANT_INLINE void sumSpheresOn(const float* entries, std::size_t stride, int count, const float* q, float* spheres) {
    constexpr int registers = 16 / lanes;
    const std::size_t groups = (stride - 4) / 16;
    for (int i = 0; i < count; ++i, entries += stride, spheres += 4) {
        Floats<lanes> sum[registers] = {};
        for (std::size_t g = 0; g < groups; ++g) {
            for (int k = 0; k < registers; ++k) {
                Floats<lanes> coefficient, lane;
                loadLanes(coefficient, entries + 4 + 16 * g + lanes * k);
                loadLanes(lane, q + 16 * g + lanes * k);
                sum[k] += coefficient * lane;
            }
        }
        float partial[16];
        for (int k = 0; k < registers; ++k) storeLanes(partial + lanes * k, sum[k]);
        Sphere rest, s0, s1, s2, s3;
        loadLanes(rest, entries);
        loadLanes(s0, partial);
        loadLanes(s1, partial + 4);
        loadLanes(s2, partial + 8);
        loadLanes(s3, partial + 12);
        rest += (s0 + s1) + (s2 + s3);
        storeLanes(spheres, rest);
    }
}

using SumSpheres = void (*)(const float*, std::size_t, int, const float*, float*);

void sumSpheresBaseline(const float* entries, std::size_t stride, int count, const float* q, float* spheres) {
    sumSpheresOn<kLanesBaseline>(entries, stride, count, q, spheres);
}

#if defined(__x86_64__)
PLIANT_TARGET_AVX2 void sumSpheresAvx2(const float* entries, std::size_t stride, int count, const float* q,
                                       float* spheres) {
    sumSpheresOn<kLanesAvx2>(entries, stride, count, q, spheres);
}

PLIANT_TARGET_AVX512 void sumSpheresAvx512(const float* entries, std::size_t stride, int count, const float* q,
                                           float* spheres) {
    sumSpheresOn<kLanesAvx512>(entries, stride, count, q, spheres);
}

SumSpheres chooseSumSpheres() {
    if (lanesInUse() == kLanesAvx512) return sumSpheresAvx512;
    return lanesInUse() == kLanesAvx2 ? sumSpheresAvx2 : sumSpheresBaseline;
}
#else
SumSpheres chooseSumSpheres() {
    return sumSpheresBaseline;
}
#endif

}  // namespace

void sumSpheres(const float* entries, std::size_t stride, int count, const float* packedCoordinates, float* spheres) {
    static const SumSpheres chosen = chooseSumSpheres();
    chosen(entries, stride, count, packedCoordinates, spheres);
}

void boxAround(const float* spheres, const int* list, int count, float* box) {
    constexpr float huge = std::numeric_limits<float>::max();
    Sphere lower = {huge, huge, huge, 0.0f}, negUpper = lower;
    for (int i = 0; i < count; ++i) {
        Sphere s;
        const float* from = spheres + 4 * static_cast<std::size_t>(list[i]);
        loadLanes(s, from);
        const Sphere low = s - from[3], high = -s - from[3];
        lower = low < lower ? low : lower;
        negUpper = high < negUpper ? high : negUpper;
    }
    lower[3] = negUpper[3] = 0.0f;
    storeLanes(box, lower);
    storeLanes(box + 4, negUpper);
}

void joinBoxes(const float* first, const float* second, float* box) {
    Sphere a, b, c, d;
    loadLanes(a, first);
    loadLanes(b, second);
    loadLanes(c, first + 4);
    loadLanes(d, second + 4);
    const Sphere lower = a < b ? a : b, negUpper = c < d ? c : d;
    storeLanes(box, lower);
    storeLanes(box + 4, negUpper);
}

}  // namespace pliant
