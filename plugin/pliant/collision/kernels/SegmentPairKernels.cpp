// SPDX-License-Identifier: Zlib
#include "pliant/collision/kernels/SegmentPairKernels.h"

#include <cstddef>

#include "pliant/math/Lanes.h"

namespace pliant {

namespace {

using Pair = std::pair<int, int>;

/// `lanes` points.
template <int lanes>
struct Points {
    Floats<lanes> x, y, z;
};

template <int lanes>
PLIANT_INLINE void subtract(const Points<lanes>& a, const Points<lanes>& b, Points<lanes>& result) {
    result.x = a.x - b.x;
    result.y = a.y - b.y;
    result.z = a.z - b.z;
}

template <int lanes>
PLIANT_INLINE void dot(const Points<lanes>& a, const Points<lanes>& b, Floats<lanes>& result) {
    result = a.x * b.x + a.y * b.y + a.z * b.z;
}

template <typename Vector>
PLIANT_INLINE void clamp01(Vector& v) {
    const Vector zero{}, one = zero + 1.0f;
    v = v < zero ? zero : v;
    v = v > one ? one : v;
}

/// Ends of one segment of each of `lanes` pairs.
template <int lanes>
struct Ends {
    Points<lanes> point[2];
    Floats<lanes> radius[2];

    /// @param segments of the lanes
    PLIANT_INLINE void gather(const int* ends, const float* spheres, const int* segments) {
        float rows[2][4][lanes];
        for (int i = 0; i < lanes; ++i) {
            const int* own = ends + 2 * static_cast<std::size_t>(segments[i]);
            for (int end = 0; end < 2; ++end) {
                const float* sphere = spheres + 4 * static_cast<std::size_t>(own[end]);
                for (int k = 0; k < 4; ++k) rows[end][k][i] = sphere[k];
            }
        }
        for (int end = 0; end < 2; ++end) {
            loadLanes(point[end].x, rows[end][0]);
            loadLanes(point[end].y, rows[end][1]);
            loadLanes(point[end].z, rows[end][2]);
            loadLanes(radius[end], rows[end][3]);
        }
    }
    PLIANT_INLINE void add(const float* shift) {
        for (Points<lanes>& p : point) {
            p.x += shift[0];
            p.y += shift[1];
            p.z += shift[2];
        }
    }
};

/// From the nearest point of B's axis to that of A's, as well as single precision tells: any direction proves what it
/// proves, and only how much that is depends on it.
template <int lanes>
PLIANT_INLINE void lineBetween(const Ends<lanes>& a, const Ends<lanes>& b, Points<lanes>& line) {
    using Vector = Floats<lanes>;
    const Vector tiny = Vector{} + 1e-30f, one = Vector{} + 1.0f;
    Points<lanes> u, v, w;
    subtract(a.point[1], a.point[0], u);
    subtract(b.point[1], b.point[0], v);
    subtract(a.point[0], b.point[0], w);
    Vector uu, vv, uv, uw, vw;
    dot(u, u, uu);
    dot(v, v, vv);
    dot(u, v, uv);
    dot(u, w, uw);
    dot(v, w, vw);
    uu = uu > tiny ? uu : one;
    vv = vv > tiny ? vv : one;
    const Vector product = uu * vv, determinant = product - uv * uv;
    const auto isAcross = determinant > 1e-6f * product;
    Vector s = (uv * vw - vv * uw) / (isAcross ? determinant : one);
    s = isAcross ? s : Vector{};
    clamp01(s);
    Vector t = (uv * s + vw) / vv;
    clamp01(t);
    s = (uv * t - uw) / uu;
    clamp01(s);
    line.x = w.x + s * u.x - t * v.x;
    line.y = w.y + s * u.y - t * v.y;
    line.z = w.z + s * u.z - t * v.z;
}

/// Adds to `apart`, which is all ones or zero in each lane, whether both ends of A are above those of B along the line
/// by radii and reach.
template <int lanes, typename Mask>
PLIANT_INLINE void partAlong(const Points<lanes>& line, const Floats<lanes>& squaredLength, const Ends<lanes>& a,
                             const Ends<lanes>& b, float reach, Mask& apart) {
    using Vector = Floats<lanes>;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            Points<lanes> way;
            subtract(a.point[i], b.point[j], way);
            Vector along;
            dot(line, way, along);
            const Vector radii = a.radius[i] + b.radius[j] + reach;
            apart &= (along > Vector{}) & (along * along > radii * radii * squaredLength);
        }
}

/// The segments of both bodies at one end of the way.
template <int lanes>
struct Moment {
    Ends<lanes> a, b;
    Points<lanes> line;
    Floats<lanes> squaredLength;

    PLIANT_INLINE void find(const int* endsA, const float* spheresA, const int* segmentsA, const int* endsB,
                            const float* spheresB, const int* segmentsB, const float* shift) {
        a.gather(endsA, spheresA, segmentsA);
        b.gather(endsB, spheresB, segmentsB);
        b.add(shift);
        lineBetween(a, b, line);
        dot(line, line, squaredLength);
    }
};

template <int lanes>
PLIANT_INLINE void partLanes(const SegmentEnds& bodyA, const SegmentEnds& bodyB, const SegmentReach& reach,
                             const int* segmentsA, const int* segmentsB, int* apart) {
    Moment<lanes> now;
    now.find(bodyA.ends, bodyA.spheres, segmentsA, bodyB.ends, bodyB.spheres, segmentsB, reach.shift);
    auto isApart = now.squaredLength > Floats<lanes>{};
    partAlong(now.line, now.squaredLength, now.a, now.b, reach.reach, isApart);
    if (bodyA.moved) {  // between its ends an even motion stays between what it is at both
        Moment<lanes> then;
        then.find(bodyA.ends, bodyA.moved, segmentsA, bodyB.ends, bodyB.moved, segmentsB, reach.movedShift);
        partAlong(now.line, now.squaredLength, then.a, then.b, reach.reach, isApart);
        auto isApartAlongLast = then.squaredLength > Floats<lanes>{};
        partAlong(then.line, then.squaredLength, now.a, now.b, reach.reach, isApartAlongLast);
        partAlong(then.line, then.squaredLength, then.a, then.b, reach.reach, isApartAlongLast);
        isApart |= isApartAlongLast;
    }
    std::memcpy(apart, &isApart, sizeof isApart);
}

template <int lanes>
PLIANT_INLINE int keepOn(const SegmentEnds& a, const SegmentEnds& b, const SegmentReach& reach, Pair* pairs,
                         int count) {
    int left = 0;
    for (int first = 0; first < count; first += lanes) {
        int segmentsA[lanes], segmentsB[lanes], apart[lanes];
        const int here = count - first < lanes ? count - first : lanes;
        for (int i = 0; i < lanes; ++i) {
            const Pair& pair = pairs[first + (i < here ? i : 0)];
            segmentsA[i] = pair.first;
            segmentsB[i] = pair.second;
        }
        partLanes<lanes>(a, b, reach, segmentsA, segmentsB, apart);
        for (int i = 0; i < here; ++i)
            if (!apart[i]) pairs[left++] = {segmentsA[i], segmentsB[i]};
    }
    return left;
}

using Kernel = int (*)(const SegmentEnds&, const SegmentEnds&, const SegmentReach&, Pair*, int);

// The same function for an instruction set.
#define PLIANT_SEGMENT_PAIR_KERNEL(name, attribute)                                                                   \
    attribute int keep##name(const SegmentEnds& a, const SegmentEnds& b, const SegmentReach& reach, Pair* p, int n) { \
        return keepOn<kLanes##name>(a, b, reach, p, n);                                                               \
    }

PLIANT_SEGMENT_PAIR_KERNEL(Baseline, )
#if defined(__x86_64__)
PLIANT_SEGMENT_PAIR_KERNEL(Avx2, PLIANT_TARGET_AVX2)
PLIANT_SEGMENT_PAIR_KERNEL(Avx512, PLIANT_TARGET_AVX512)
#endif

/// Null where the processor has no registers of that width.
Kernel kernelOf(int lanes) {
    if (lanes == kLanesBaseline) return keepBaseline;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (lanes == kLanesAvx512 && __builtin_cpu_supports("avx512f")) return keepAvx512;
    if (lanes == kLanesAvx2 && __builtin_cpu_supports("avx2")) return keepAvx2;
#endif
    return nullptr;
}

Kernel chooseKernel() {
    const Kernel kernel = kernelOf(lanesInUse());
    return kernel ? kernel : keepBaseline;
}

}  // namespace

int keepMeeting(const SegmentEnds& a, const SegmentEnds& b, const SegmentReach& reach, Pair* pairs, int count) {
    static const Kernel chosen = chooseKernel();
    return chosen(a, b, reach, pairs, count);
}

int keepMeetingBy(int laneCount, const SegmentEnds& a, const SegmentEnds& b, const SegmentReach& reach, Pair* pairs,
                  int count) {
    const Kernel kernel = kernelOf(laneCount);
    return kernel ? kernel(a, b, reach, pairs, count) : -1;
}

}  // namespace pliant
