// SPDX-License-Identifier: Zlib
#include "pliant/collision/SphereKernels.h"

#include <cstring>
#include <limits>

namespace pliant {

namespace {

typedef float Wide __attribute__((vector_size(64)));    // the compiler splits it into what the target has
typedef float Narrow __attribute__((vector_size(16)));  // one sphere

template <typename Vector>
inline __attribute__((always_inline)) void load(Vector& v, const float* from) {
    std::memcpy(&v, from, sizeof v);
}

inline __attribute__((always_inline)) void sumSpheresOn(const float* entries, std::size_t stride, int count,
                                                        const float* lanes, float* spheres) {
    const std::size_t groups = (stride - 4) / 16;
    for (int i = 0; i < count; ++i, entries += stride, spheres += 4) {
        Wide sum = {};
        for (std::size_t g = 0; g < groups; ++g) {
            Wide coefficient, lane;
            load(coefficient, entries + 4 + 16 * g);
            load(lane, lanes + 16 * g);
            sum += coefficient * lane;
        }
        float partial[16];
        std::memcpy(partial, &sum, sizeof partial);
        Narrow rest, s0, s1, s2, s3;
        load(rest, entries);
        load(s0, partial);
        load(s1, partial + 4);
        load(s2, partial + 8);
        load(s3, partial + 12);
        rest += (s0 + s1) + (s2 + s3);
        std::memcpy(spheres, &rest, sizeof rest);
    }
}

using SumSpheres = void (*)(const float*, std::size_t, int, const float*, float*);

void sumSpheresBaseline(const float* entries, std::size_t stride, int count, const float* lanes, float* spheres) {
    sumSpheresOn(entries, stride, count, lanes, spheres);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void sumSpheresAvx2(const float* entries, std::size_t stride, int count,
                                                    const float* lanes, float* spheres) {
    sumSpheresOn(entries, stride, count, lanes, spheres);
}

__attribute__((target("avx512f"))) void sumSpheresAvx512(const float* entries, std::size_t stride, int count,
                                                         const float* lanes, float* spheres) {
    sumSpheresOn(entries, stride, count, lanes, spheres);
}

SumSpheres chooseSumSpheres() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return sumSpheresAvx512;
    return __builtin_cpu_supports("avx2") ? sumSpheresAvx2 : sumSpheresBaseline;
}
#else
SumSpheres chooseSumSpheres() {
    return sumSpheresBaseline;
}
#endif

}  // namespace

void sumSpheres(const float* entries, std::size_t stride, int count, const float* lanes, float* spheres) {
    static const SumSpheres chosen = chooseSumSpheres();
    chosen(entries, stride, count, lanes, spheres);
}

void boxAround(const float* spheres, const int* list, int count, float* box) {
    constexpr float huge = std::numeric_limits<float>::max();
    Narrow lower = {huge, huge, huge, 0.0f}, negUpper = lower;
    for (int i = 0; i < count; ++i) {
        Narrow s;
        const float* from = spheres + 4 * static_cast<std::size_t>(list[i]);
        load(s, from);
        const Narrow low = s - from[3], high = -s - from[3];
        lower = low < lower ? low : lower;
        negUpper = high < negUpper ? high : negUpper;
    }
    lower[3] = negUpper[3] = 0.0f;
    std::memcpy(box, &lower, sizeof lower);
    std::memcpy(box + 4, &negUpper, sizeof negUpper);
}

void joinBoxes(const float* first, const float* second, float* box) {
    Narrow a, b, c, d;
    load(a, first);
    load(b, second);
    load(c, first + 4);
    load(d, second + 4);
    const Narrow lower = a < b ? a : b, negUpper = c < d ? c : d;
    std::memcpy(box, &lower, sizeof lower);
    std::memcpy(box + 4, &negUpper, sizeof negUpper);
}

}  // namespace pliant
