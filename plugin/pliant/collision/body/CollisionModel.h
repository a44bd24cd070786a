// SPDX-License-Identifier: Zlib
// What all bodies of one model share for collision: the skeleton, both BD-Trees and the surface, laid out for fast
// evaluation of single spheres and points under deformation. Made once per ReducedModel, immutable.
#pragma once

#include <memory>
#include <vector>

#include "pliant/collision/body/MotionBoundSpheres.h"
#include "pliant/collision/body/SphereTiles.h"
#include "pliant/collision/body/SurfaceExcess.h"
#include "pliant/collision/body/SurfacePlaces.h"
#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Centre and radius in single precision, body frame, metres.
struct SphereF {
    float x = 0.0f, y = 0.0f, z = 0.0f, radius = 0.0f;
};

inline Vector3 centreOf(const SphereF& s) {
    return {static_cast<double>(s.x), static_cast<double>(s.y), static_cast<double>(s.z)};
}

/// Spheres that are affine in q and |q|: (x, y, z, radius)(q) = rest + sum_j coefficient_j * (q_j, q_j, q_j, |q_j|).
/// One sphere is one run of memory: 4 rest values, then 4 coefficients for each j, r rounded up to a multiple of 4.
class AffineSpheres {
public:
    AffineSpheres() = default;
    /// @param centres 3 x n  @param radii n  @param basis 3n x r, of the centres  @param growth r x n or empty (zero)
    AffineSpheres(const PointsF& centres, const VectorXf& radii, const MatrixXf& basis, const MatrixXf& growth);

    int count() const { return m_count; }
    /// (rest x, y, z, radius), then r times (U_x, U_y, U_z, growth), then zeros.
    const float* entry(int i) const { return m_data.data() + static_cast<std::size_t>(i) * m_stride; }
    /// @param packedCoordinates CollisionModel::packedCoordinateCount() floats, see there
    SphereF evaluate(int i, const float* packedCoordinates) const;
    /// The same by the first coordinates alone, those of a body of less detail. @param count of the floats: whole
    /// groups of 16, as packedCoordinateCount() of that body's own model tells, zero beyond its coordinates; the rest
    /// of the coordinates here counts as zero
    SphereF evaluate(int i, const float* packedCoordinates, std::size_t count) const;

private:
    int m_count = 0;
    std::size_t m_stride = 4;
    std::vector<float> m_data;
};

class PLIANT_INTERNAL_API CollisionModel {
public:
    static constexpr int maximumTreeDepth = 64;  ///< Greatest depth of a tree, which traversal stacks are sized for.

    /// @throws Error when the trees or the skeleton of the model are malformed (numbers out of range, cycles).
    explicit CollisionModel(std::shared_ptr<const ReducedModel> model);

    const ReducedModel& reduced() const { return *m_model; }
    const ContactSkeleton& skeleton() const { return m_model->skeleton; }
    const BDTree& skeletonTree() const { return m_model->skeletonTree; }
    const BDTree& triangleTree() const { return m_model->triangleTree; }
    int dimension() const { return m_dimension; }  ///< Number r of reduced coordinates.
    /// Floats of (q_j, q_j, q_j, |q_j|) for every j, padded with zeros to whole groups of four j.
    std::size_t packedCoordinateCount() const { return 16 * ((static_cast<std::size_t>(m_dimension) + 3) / 4); }

    const AffineSpheres& spheres() const { return m_spheres; }  ///< Spheres of the skeleton.
    const SphereTiles& sphereTiles() const { return m_sphereTiles; }
    const SurfacePlaces& surfacePlaces() const { return m_surfacePlaces; }
    const MotionBoundSpheres& motionBoundSpheres() const { return m_motionBoundSpheres; }
    /// Metres that a sphere comes at most where q changes by 1 in norm: the largest |U_i|_2.
    double largestGain() const { return m_largestGain; }
    const AffineSpheres& skeletonNodes() const { return m_skeletonNodes; }  ///< Spheres of skeletonTree().
    const AffineSpheres& triangleNodes() const { return m_triangleNodes; }  ///< Spheres of triangleTree().
    const AffineSpheres& vertices() const { return m_vertices; }            ///< Surface vertices, radius 0.

    /// The lowest segment that ends in the sphere: point contacts of spheres are reported once, with this segment.
    int ownerSegment(int sphere) const { return m_ownerSegment[static_cast<std::size_t>(sphere)]; }
    /// Spheres of the segments under a leaf of skeletonTree(), each once: spheresUnder(k)[0 .. sphereCountUnder(k)).
    const int* spheresUnder(int leaf) const {
        return m_leafSpheres.data() + m_firstLeafSphere[static_cast<std::size_t>(leaf)];
    }
    int sphereCountUnder(int leaf) const {
        return m_firstLeafSphere[static_cast<std::size_t>(leaf) + 1] -
               m_firstLeafSphere[static_cast<std::size_t>(leaf)];
    }
    /// How far the drawn surface may stand out of the union of the spheres, metres. @param q r x 1
    double surfaceExcess(const double* q) const;

    /// Whether two segments are the same or share a sphere.
    bool adjacent(int segmentA, int segmentB) const;
    /// The segments that end in a sphere, ascending, each once: segmentsAt(k)[0 .. segmentCountAt(k)).
    const int* segmentsAt(int sphere) const {
        return m_endingSegments.data() + m_firstEndingSegment[static_cast<std::size_t>(sphere)];
    }
    int segmentCountAt(int sphere) const {
        return m_firstEndingSegment[static_cast<std::size_t>(sphere) + 1] -
               m_firstEndingSegment[static_cast<std::size_t>(sphere)];
    }

private:
    std::shared_ptr<const ReducedModel> m_model;
    int m_dimension = 0;
    void listLeafSpheres();
    void listEndingSegments();

    AffineSpheres m_spheres, m_skeletonNodes, m_triangleNodes, m_vertices;
    SphereTiles m_sphereTiles;
    SurfacePlaces m_surfacePlaces;
    MotionBoundSpheres m_motionBoundSpheres;
    double m_largestGain = 0.0;
    std::vector<int> m_ownerSegment;
    std::vector<int> m_leafSpheres, m_firstLeafSphere;
    std::vector<int> m_endingSegments, m_firstEndingSegment;
    SurfaceExcess m_excess;
};

// Jacobian of the point at `parameter` in [0, 1] along the axis of a skeleton segment, or of a place beside the surface
// point that the segment is (SurfacePlaces.h); no allocation.

/// Writes rows[3 j + k] = component k (body frame) of the displacement per unit q_j; 3 x r column-major.
PLIANT_INTERNAL_API void skeletonPointBasis(const CollisionModel& model, int segment, float parameter, double* rows);
/// Writes modal[j] = U_s,j . direction (body frame): the modal part of a contact row, r x 1.
PLIANT_INTERNAL_API void skeletonPointProject(const CollisionModel& model, int segment, float parameter,
                                              const Vector3& direction, double* modal);

}  // namespace pliant
