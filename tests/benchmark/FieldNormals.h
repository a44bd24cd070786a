// SPDX-License-Identifier: Zlib
// Normals that are gradients of a sampled distance field, as [B07 3.6.3] tries and rejects them: that of the linear
// interpolation (3.10), and that of central differences at the samples, interpolated (3.11). For comparison.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "pliant/touch/TouchField.h"

namespace pliant::benchmarks {

/// Central differences of the interpolated distance. Over a spacing to either side they are what central differences at
/// the samples are when they are interpolated, over a small part of it the gradient of the interpolation itself.
inline Vector3 fieldGradient(const TouchField& field, const Vector3& x, double way) {
    Vector3 gradient;
    for (int k = 0; k < 3; ++k)
        gradient[k] = field.distance(x + way * Vector3::Unit(k)) - field.distance(x - way * Vector3::Unit(k));
    return gradient;
}

inline double degreesBetween(const Vector3& a, const Vector3& b) {
    return 180 / M_PI * std::atan2(a.cross(b).norm(), a.dot(b));
}

struct NormalErrors {
    double mean = 0.0, largest = 0.0;  ///< Angles to the true normal, degrees.
    double jump = 0.0;                 ///< Largest change of the normal in a hundredth of a spacing, degrees.
    double flipped = 0.0;              ///< Share of the places with a normal more than 45 degrees off.
};

/// @param way of fieldGradient(), m  @param small a hundredth of a spacing, m
/// @param truth the surface's own normal for a place
inline NormalErrors normalErrors(const TouchField& field, const std::vector<Vector3>& places, double way, double small,
                                 const std::function<Vector3(const Vector3&)>& truth) {
    NormalErrors errors;
    const auto count = static_cast<double>(places.size());
    for (const Vector3& x : places) {
        const Vector3 normal = fieldGradient(field, x, way);
        const double off = degreesBetween(normal, truth(x));
        errors.mean += off / count;
        errors.largest = std::max(errors.largest, off);
        errors.flipped += (off > 45.0 ? 1.0 : 0.0) / count;
        for (int k = 0; k < 3; ++k)
            errors.jump =
                std::max(errors.jump, degreesBetween(normal, fieldGradient(field, x + small * Vector3::Unit(k), way)));
    }
    return errors;
}

}  // namespace pliant::benchmarks
