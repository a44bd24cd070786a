// SPDX-License-Identifier: Zlib
// Places on the surface of a solid or a character between the points that its skeleton has there: where a contact found
// in its field acts. The lattice that carries the field moves them, so that what a row says of the gap's rate is what
// the distance does; bones turn them as they turn the point beside them (skinnedPointProject()).
#pragma once

#include <vector>

#include "pliant/math/Types.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

class SurfacePlaces {
public:
    /// None.
    SurfacePlaces() = default;
    /// @param model outlives this; one without a contact surface has none
    explicit SurfacePlaces(const ReducedModel& model);

    /// A place beside a surface point, as the `parameter` of its segment: 0 is the point itself and stands for all
    /// places where there are none; otherwise the offset at rest in the directions of the mesh frame, rounded to a
    /// hundredth of the distance between surface points, and cut along each axis where it is farther than 1.25 of
    /// these.
    /// @param sphere the surface point @param offset m, mesh frame
    /// @return in [0, 16), with 24 bits
    float encode(int sphere, const Vector3& offset) const;
    /// Whether a parameter is of such a place. @param sphere at both ends of the segment
    bool isPlace(int sphere, float parameter) const {
        return parameter > 0.0f && static_cast<std::size_t>(sphere) < m_isPoint.size() &&
               m_isPoint[static_cast<std::size_t>(sphere)] != 0;
    }

    // Of a place, for which isPlace() holds, as skeletonPointBasis() and skeletonPointProject() (CollisionModel.h).
    void basis(int sphere, float parameter, double* rows) const;
    void project(int sphere, float parameter, const Vector3& direction, double* modal) const;

private:
    struct Weights;
    Weights weightsAt(int sphere, float parameter) const;

    const ContactLattice* m_lattice = nullptr;  ///< of the model, which outlives this
    Points m_restPoints;                        ///< of the spheres, 3 x b, mesh frame, m
    std::vector<char> m_isPoint;                ///< of each sphere: whether it is a point of the surface
    std::vector<float> m_rows;                  ///< 3 r of each vertex of the lattice: U in the body frame
    int m_dimension = 0;
    double m_step = 0.0;  ///< m, of the offset's last bit
};

}  // namespace pliant
