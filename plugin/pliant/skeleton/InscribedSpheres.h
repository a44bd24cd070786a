// SPDX-License-Identifier: Zlib
// Largest spheres inside the surface that touch it at a sample: the shrinking-ball algorithm. Internal to
// buildSkeleton.
#pragma once

#include <vector>

#include "pliant/mesh/Embedding.h"
#include "pliant/skeleton/PointTree.h"
#include "pliant/skeleton/SampledSurface.h"
#include "pliant/skeleton/SurfaceDistance.h"

namespace pliant {

struct InscribedSphere {
    Vector3 centre = Vector3::Zero();
    double radius = 0.0;
    double worth = 0.0;  ///< Radius less twice the depth of what stands inside, m: the better ones are taken first.
    bool collapsed =
        false;  ///< Whether this is a sharp edge, where no sphere of a useful size touches without standing out.
};

class InscribedSpheres {
public:
    struct Limits {
        double closed = 0.0;   ///< Largest radius at closed parts of the surface, m.
        double open = 0.0;     ///< Largest radius at parts with borders, m.
        double element = 0.0;  ///< Size of an element of the simulation mesh, m.
    };

    /// Keeps references.
    InscribedSpheres(const SampledSurface& surface, const PointLocator& locator, const Limits& limits);

    /// Computed when first asked for.
    const InscribedSphere& at(int sample);
    /// The largest one that at() grows into on its way inside and that still all but touches the sample; without worth.
    InscribedSphere movedInside(int sample);
    const SurfaceDistance& distance() const { return m_distance; }

private:
    InscribedSphere shrink(int sample) const;
    double untouchedByVertices(const Vector3& p, const Vector3& inward, double radius) const;
    double untouchedBySurface(const Vector3& p, const Vector3& inward, double radius, double floor) const;

    const SampledSurface& m_surface;
    const PointLocator& m_locator;
    Limits m_limits;
    PointTree m_vertices;
    SurfaceDistance m_distance;
    std::vector<InscribedSphere> m_spheres;
    std::vector<char> m_known;
};

}  // namespace pliant
