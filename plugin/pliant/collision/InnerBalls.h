// SPDX-License-Identifier: Zlib
// Largest balls inside the surface that touch it at a sample: shrinking balls. Internal to buildSkeleton.
#pragma once

#include <vector>

#include "pliant/collision/PointTree.h"
#include "pliant/collision/SampledSurface.h"
#include "pliant/collision/SurfaceDistance.h"
#include "pliant/mesh/Embedding.h"

namespace pliant {

struct InnerBall {
    Vector3 centre = Vector3::Zero();
    double radius = 0.0;
    double worth = 0.0;      ///< radius less twice the depth of what stands inside: the better ones are taken first
    bool collapsed = false;  ///< at a sharp edge: no ball of a useful size touches here without standing out
};

class InnerBalls {
public:
    struct Limits {
        double closed = 0.0;   ///< largest radius at closed parts of the surface, metres
        double open = 0.0;     ///< and at parts with borders
        double element = 0.0;  ///< size of an element of the simulation mesh
    };

    /// Keeps references.
    InnerBalls(const SampledSurface& surface, const PointLocator& locator, const Limits& limits);

    /// Computed when first asked for.
    const InnerBall& at(int sample);
    const SurfaceDistance& distance() const { return m_distance; }

private:
    InnerBall shrink(int sample) const;
    double untouchedByVertices(const Vector3& p, const Vector3& inward, double radius) const;
    double untouchedBySurface(const Vector3& p, const Vector3& inward, double radius, double floor) const;

    const SampledSurface& m_surface;
    const PointLocator& m_locator;
    Limits m_limits;
    PointTree m_vertices;
    SurfaceDistance m_distance;
    std::vector<InnerBall> m_balls;
    std::vector<char> m_known;
};

}  // namespace pliant
