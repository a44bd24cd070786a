// SPDX-License-Identifier: Zlib
// What all bodies of one model with a contact surface share beside their CollisionModel. Made once, immutable.
#pragma once

#include <memory>
#include <vector>

#include "pliant/collision/body/CollisionModel.h"
#include "pliant/math/Api.h"
#include "pliant/model/LatticeCell.h"
#include "pliant/touch/PointClusters.h"
#include "pliant/touch/SurfaceEdges.h"

namespace pliant {

class PLIANT_INTERNAL_API SurfaceModel {
public:
    /// @param model of a body whose contactSurface exists()
    /// @throws Error when it has no surface points or no lattice
    explicit SurfaceModel(std::shared_ptr<const CollisionModel> model);

    const CollisionModel& collision() const { return *m_collision; }
    const ContactSurface& surface() const { return m_collision->reduced().contactSurface; }
    const RigidTransform& meshFromBody() const { return m_collision->reduced().meshFromBody; }

    /// The vertices of the lattice as spheres of radius 0 that rest at the origin: what moves them gives their
    /// displacements.
    const SphereTiles& latticeTiles() const { return m_latticeTiles; }
    const PointClusters& clusters() const { return m_clusters; }
    /// The surface point, a sphere of the skeleton, that is nearest at rest. @param rest mesh frame, m
    int nearestPoint(const Vector3& rest) const;
    /// Rest position of a sphere, mesh frame, m.
    Vector3 restPoint(int sphere) const { return m_restPoints.col(sphere); }
    /// Where the lattice has the rest position of a sphere.
    const LatticePlace& latticePlaceOf(int sphere) const { return m_latticePlaces[static_cast<std::size_t>(sphere)]; }
    bool isSurfacePoint(int sphere) const { return m_isSurfacePoint[static_cast<std::size_t>(sphere)] != 0; }
    /// Whether the skeleton has nothing but surface points.
    bool hasOnlySurfacePoints() const { return m_hasOnlySurfacePoints; }
    /// Whether the surface has an edge or a corner at the point, so that its normal is the mean of several faces'.
    bool isSharp(int sphere) const { return m_isSharp[static_cast<std::size_t>(sphere)] != 0; }
    /// Whether edges and corners have a share in how it lands: more than a tenth of its points are sharp. Balls,
    /// ellipsoids and tori roll.
    bool isAngular() const { return m_isAngular; }
    /// Whether the surface point is on faces and edges that are straight about it: without a cap, and no point beside
    /// it looks a little aside, as those of rims do.
    bool isOnFlat(int sphere) const { return m_isOnFlat[static_cast<std::size_t>(sphere)] != 0; }
    /// Metres that the cap of a sphere stands out over its point; 0 where it has none.
    double capHeight(int sphere) const { return m_capHeights[static_cast<std::size_t>(sphere)]; }
    /// Metres that the cap of any surface point stands out over the point itself, at most.
    double largestCapHeight() const { return m_largestCapHeight; }
    /// Distance between neighbouring surface points, m: root of the mean share of the area.
    double pointSpacing() const { return m_pointSpacing; }
    /// Area that a surface point stands for, as seen from where its normal has the cosine `facing`, m^2; 0 from behind.
    /// What stands for several faces shows each of them at its own angle: the length of the sum of their area vectors
    /// counts.
    double facingArea(int sphere, double facing) const {
        return facing > 0.0 ? facing * m_facingAreas[static_cast<std::size_t>(sphere)] : 0.0;
    }
    /// The sharp edges, as pieces between surface points.
    const std::vector<SharpEdge>& edges() const { return m_edges; }
    /// Whether the body is thinner than its points are apart, so that others may come between them.
    bool isThin() const { return surface().thickness < m_pointSpacing; }
    /// Largest area of the body's shadow along an axis of the mesh, m^2: of a convex one.
    double largestShadow() const { return m_largestShadow; }

private:
    void listNearPoints();
    void findSharpPoints();
    void measureFacingAreas();

    std::shared_ptr<const CollisionModel> m_collision;
    SphereTiles m_latticeTiles;
    PointClusters m_clusters;
    Points m_restPoints;  ///< 3 x b
    std::vector<LatticePlace> m_latticePlaces;
    std::vector<char> m_isSurfacePoint, m_isSharp, m_isOnFlat;
    bool m_hasOnlySurfacePoints = false, m_isAngular = false;
    std::vector<double> m_capHeights;
    std::vector<double> m_facingAreas;  ///< Of every sphere, seen along its normal, m^2.
    std::vector<SharpEdge> m_edges;
    double m_largestCapHeight = 0.0, m_pointSpacing = 0.0, m_largestShadow = 0.0;
    /// Of every lattice cell: the surface points that may be the nearest one of some point of the cell.
    std::vector<int> m_nearPoints, m_firstNearPoint;
};

}  // namespace pliant
