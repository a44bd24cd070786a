// SPDX-License-Identifier: Zlib
#include "pliant/touch/NearestPointKernels.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "pliant/math/Lanes.h"

namespace pliant {

namespace {

constexpr int kSide = 16;                    ///< points of a cluster, clusters of a group
constexpr float kSquareRounding = 1.00001f;  ///< of distances that are compared with a bound

template <int lanes>
struct Integers;
template <>
struct Integers<4> {
    typedef std::int32_t Vector __attribute__((vector_size(16)));
};
template <>
struct Integers<8> {
    typedef std::int32_t Vector __attribute__((vector_size(32)));
};
template <>
struct Integers<16> {
    typedef std::int32_t Vector __attribute__((vector_size(64)));
};

/// Squared distances from x[16], y[16], z[16], `lanes` of them from `first` on.
template <int lanes>
PLIANT_INLINE void squaredDistances(const float* points, int first, const float* place, Floats<lanes>& squared) {
    Floats<lanes> x, y, z;
    loadLanes(x, points + first);
    loadLanes(y, points + kSide + first);
    loadLanes(z, points + 2 * kSide + first);
    x -= place[0];
    y -= place[1];
    z -= place[2];
    squared = x * x + y * y + z * z;
}

/// Squared distance of the nearest middle: a bound, as middles are points.
template <int lanes>
PLIANT_INLINE float nearestMiddle(const ClusterView& clusters, const float* place) {
    constexpr int registers = kSide / lanes;
    Floats<lanes> least[registers];
    for (int k = 0; k < registers; ++k) least[k] = Floats<lanes>{} + std::numeric_limits<float>::max();
    const float* group = clusters.middles;
    for (int first = 0; first < clusters.count; first += kSide, group += 4 * kSide) {
        for (int k = 0; k < registers; ++k) {
            Floats<lanes> squared;
            squaredDistances<lanes>(group, lanes * k, place, squared);
            least[k] = squared < least[k] ? squared : least[k];
        }
    }
    float all[kSide], result = std::numeric_limits<float>::max();
    for (int k = 0; k < registers; ++k) storeLanes(all + lanes * k, least[k]);
    for (const float squared : all) result = squared < result ? squared : result;
    return result;
}

/// The nearest points so far, one in each of sixteen places.
template <int lanes>
struct LaneMinima {
    static constexpr int registers = kSide / lanes;
    Floats<lanes> least[registers];
    typename Integers<lanes>::Vector cluster[registers];

    PLIANT_INLINE LaneMinima() {
        for (int k = 0; k < registers; ++k) {
            least[k] = Floats<lanes>{} + std::numeric_limits<float>::max();
            cluster[k] = typename Integers<lanes>::Vector{};
        }
    }
    PLIANT_INLINE void add(const float* points, int number, const float* place) {
        for (int k = 0; k < registers; ++k) {
            Floats<lanes> squared;
            squaredDistances<lanes>(points, lanes * k, place, squared);
            const auto nearer = squared < least[k];
            least[k] = nearer ? squared : least[k];
            cluster[k] = nearer ? typename Integers<lanes>::Vector{} + number : cluster[k];
        }
    }
    PLIANT_INLINE void write(ClusteredPoint& found) const {
        float distances[kSide];
        std::int32_t numbers[kSide];
        for (int k = 0; k < registers; ++k) {
            storeLanes(distances + lanes * k, least[k]);
            std::memcpy(numbers + lanes * k, &cluster[k], sizeof cluster[k]);
        }
        found.index = 0;
        found.squaredDistance = std::numeric_limits<float>::max();
        for (int i = 0; i < kSide; ++i) {
            const int index = kSide * numbers[i] + i;
            const bool isTied = distances[i] == found.squaredDistance && index < found.index;
            if (!(distances[i] < found.squaredDistance) && !isTied) continue;
            found.index = index;
            found.squaredDistance = distances[i];
        }
    }
};

/// A cluster holds nothing nearer than the bound where its middle is farther than that and its radius.
template <int lanes>
PLIANT_INLINE void nearestOn(const ClusterView& clusters, const float* place, ClusteredPoint& found) {
    constexpr int registers = kSide / lanes;
    const float bound = kSquareRounding * std::sqrt(nearestMiddle<lanes>(clusters, place));
    LaneMinima<lanes> minima;
    const float* group = clusters.middles;
    for (int first = 0; first < clusters.count; first += kSide, group += 4 * kSide) {
        std::int32_t isNear[kSide];
        for (int k = 0; k < registers; ++k) {
            Floats<lanes> squared, reach;
            squaredDistances<lanes>(group, lanes * k, place, squared);
            loadLanes(reach, group + 3 * kSide + lanes * k);
            reach += bound;
            const typename Integers<lanes>::Vector near = squared <= reach * reach;
            std::memcpy(isNear + lanes * k, &near, sizeof near);
        }
        const int inGroup = clusters.count - first < kSide ? clusters.count - first : kSide;
        for (int i = 0; i < inGroup; ++i)
            if (isNear[i]) minima.add(clusters.points + 3 * kSide * (first + i), first + i, place);
    }
    minima.write(found);
}

using Nearest = void (*)(const ClusterView&, const float*, ClusteredPoint&);

void nearestBaseline(const ClusterView& clusters, const float* place, ClusteredPoint& found) {
    nearestOn<kLanesBaseline>(clusters, place, found);
}
#if defined(__x86_64__)
PLIANT_TARGET_AVX2 void nearestAvx2(const ClusterView& clusters, const float* place, ClusteredPoint& found) {
    nearestOn<kLanesAvx2>(clusters, place, found);
}
PLIANT_TARGET_AVX512 void nearestAvx512(const ClusterView& clusters, const float* place, ClusteredPoint& found) {
    nearestOn<kLanesAvx512>(clusters, place, found);
}
#endif

/// Null where the processor has no registers of that width.
Nearest kernelOf(int lanes) {
    if (lanes == kLanesBaseline) return nearestBaseline;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (lanes == kLanesAvx512 && __builtin_cpu_supports("avx512f")) return nearestAvx512;
    if (lanes == kLanesAvx2 && __builtin_cpu_supports("avx2")) return nearestAvx2;
#endif
    return nullptr;
}

Nearest chooseKernel() {
    const Nearest kernel = kernelOf(lanesInUse());
    return kernel ? kernel : nearestBaseline;
}

}  // namespace

ClusteredPoint nearestClusteredPoint(const ClusterView& clusters, const float* place) {
    static const Nearest chosen = chooseKernel();
    ClusteredPoint found;
    chosen(clusters, place, found);
    return found;
}

bool nearestClusteredPointBy(int laneCount, const ClusterView& clusters, const float* place, ClusteredPoint& found) {
    const Nearest kernel = kernelOf(laneCount);
    if (kernel) kernel(clusters, place, found);
    return kernel != nullptr;
}

}  // namespace pliant
