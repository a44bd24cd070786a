// SPDX-License-Identifier: Zlib
// The distance field of one body as it is bent now: points of the world are taken back to the rest shape through the
// deformed cells of its lattice (in place of the proxies of [B07 3.16]), and the field at rest is read there.
//
// Queries are const and may run on several threads at once; update() must not run beside them. No allocation after
// construction.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/math/Api.h"
#include "pliant/touch/LatticeBounds.h"
#include "pliant/touch/SurfaceModel.h"

namespace pliant {

struct DeformationGradient;

/// What a field says of a point of the world.
struct FieldSample {
    double distance = 0.0;  ///< Distance to the deformed surface, m, < 0 inside.
    Vector3 normal =
        Vector3::Zero();  ///< Unit normal, world, away from the body; zero where there is none (in a middle).
    Vector3 rest = Vector3::Zero();     ///< Place of the point at rest, mesh frame, m.
    Vector3 outward = Vector3::Zero();  ///< Normal at rest, mesh frame.
};

class PLIANT_INTERNAL_API DeformedField {
public:
    /// What distances of a bent body are multiplied with at most, by stretch.
    static constexpr double kMostStretch = 1.5;

    explicit DeformedField(std::shared_ptr<const SurfaceModel> model);

    const SurfaceModel& model() const { return *m_model; }

    struct NewState {
        DeformedField* field = nullptr;
        const DeformedBody* body = nullptr;  ///< Body at this q.
        const double* q = nullptr;           ///< Reduced coordinates, r.
    };
    /// Brings the lattices and surface points of several bodies up to date, of any models; a field must not be named
    /// twice. Same bits as update().
    static void updateTogether(const NewState* states, int count);
    void update(const DeformedBody& body, const double* q);
    /// After update(): what clearance() knows of the lattice. Not needed for other queries.
    void updateBounds();
    /// Whether the last update() was with this q and the body turned as it is now.
    bool isCurrent(const DeformedBody& body, const double* q) const;
    /// Displacements x, y, z, 0 of every vertex of the lattice at the last update(), mesh frame, m; of a character
    /// those alone whose cells have been asked for since.
    const float* latticeDisplacements() const { return m_displacements.data(); }

    // Queries: `body` is the one of the last update(), as it was then but for its place.

    /// @param world m
    FieldSample sample(const DeformedBody& body, const Vector3& world) const;
    /// The same of several points, side by side. @param nearest nearestPoint() of each of them where that is known
    /// already, or null @param out `count` of them
    void sampleTogether(const DeformedBody& body, const Vector3* world, const NearestPoint* nearest, int count,
                        FieldSample* out) const;
    /// Metres: whatever lies nearer to a point than this is outside by more than what is left of it. Not above zero:
    /// nothing is known. After updateBounds(), or not knowing of the lattice.
    double clearance(const DeformedBody& body, const Vector3& world) const;
    /// The same where points beside them have been asked for: sooner done. @param beside of these, `count` of them
    /// @param ways from them to the points, world, m
    void sampleBeside(const DeformedBody& body, const Vector3* world, const FieldSample* beside, const Vector3* ways,
                      int count, FieldSample* out) const;
    /// Distances that sample() tells of several points; infinity may stand for what is above `most`, as soon as the way
    /// to where a point rests has come near enough to tell. @param clear receives what clearance() is at least, as far
    /// as that comes by the way; not above zero: nothing is known. After updateBounds(), or never
    void distancesUpTo(const DeformedBody& body, double most, const Vector3* world, int count, double* out,
                       double* clear) const;
    /// What is said of a point that has come into the body, or all through it, from one side: how far it is from there.
    /// Distance and normal are those of the plane across the surface that it meets first on its way back.
    /// @param at sample() of the point; taken over where the way back meets the body @param back at rest, mesh frame
    /// @return whether it does, within `most` metres
    bool sampleFromSide(const DeformedBody& body, const Vector3& world, const Vector3& back, double most,
                        FieldSample& at) const;
    /// The surface point that is nearest to a place as the body is bent now. @param world m
    NearestPoint nearestPoint(const DeformedBody& body, const Vector3& world) const;
    /// How far the spheres that its segments start with lie along a unit direction of the world, from the body's
    /// origin, m, at most.
    double reachAlong(const Vector3& direction) const { return static_cast<double>(m_points.farthestAlong(direction)); }
    /// What a contact found by a sample acts on: the segment of the surface point that is nearest at rest, with the
    /// place beside it that the sample is above (SurfacePlaces.h). @param parameter along the segment
    int segmentBelow(const DeformedBody& body, const FieldSample& sample, float& parameter) const;
    /// The place of the surface that is beside a surface point as the body is bent now, as the parameter of its
    /// segment. @param way from the point, world, m
    float placeBeside(const DeformedBody& body, int sphere, const Vector3& way) const;
    /// PlacedClusters::collect() of them along the world's axes about the body's origin.
    void collectPoints(const PlaneAndBox& space, FunctionRef<bool(const Vector3&, double)> mayMatter,
                       std::vector<int>& spheres) const {
        m_points.collect(space, mayMatter, spheres);
    }
    /// Whether the body is bent by so much that every look-up begins with the nearest surface point.
    bool asksForNearest() const;
    /// Outward normal of a surface point as the body is bent now, unit, world.
    Vector3 surfaceNormal(const DeformedBody& body, int sphere) const;
    /// The same of any direction across the surface at a surface point. @param atRest unit, body frame
    Vector3 carriedNormal(const DeformedBody& body, int sphere, const Vector3& atRest) const;

private:
    void moveLattice(const float* box);
    void beginSkinned(const double* q);
    void skinVertex(const DeformedBody& body, int vertex) const;
    void makeVertex(const DeformedBody& body, int vertex) const;
    /// Where the lattice carries a place at rest, less the place; F there.
    Vector3 carryAt(const DeformedBody& body, const Vector3& rest, DeformationGradient& F) const;
    /// F at the rest position of a sphere.
    DeformationGradient gradientAt(const DeformedBody& body, int sphere) const;
    void makeCell(const DeformedBody& body, int cell) const;
    void placePoints(const DeformedBody& body);
    bool isBent() const { return m_largest > 0.0; }
    double clearanceBySurface(const NearestPoint& nearest) const;
    double clearanceByLattice(const Vector3& rest) const;
    /// Where Newton's method begins for a point of the mesh frame.
    Vector3 startFor(const DeformedBody& body, const Vector3& world, const Vector3& mesh,
                     const NearestPoint* nearest) const;
    struct RestPlace;
    bool stepBack(const DeformedBody& body, const Vector3& mesh, RestPlace& place, double& squared) const;
    struct Approach;
    void approach(const DeformedBody& body, double most, Approach* points, int count) const;
    double distanceAt(const RestPlace& place, Vector3& gradient, Vector3& outward) const;
    void pullBack(const DeformedBody& body, const Vector3* mesh, int count, RestPlace* places) const;
    RestPlace restPlaceOf(const DeformedBody& body, const Vector3& world, const NearestPoint* nearest) const;
    void sampleFrom(const DeformedBody& body, const Vector3* mesh, int count, RestPlace* places,
                    FieldSample* out) const;
    FieldSample sampleAt(const DeformedBody& body, const RestPlace& place) const;
    Vector3 toMesh(const DeformedBody& body, const Vector3& world) const;

    std::shared_ptr<const SurfaceModel> m_model;
    VectorX m_q;                                 ///< r, of the displacements
    VectorXf m_roundedQ;                         ///< r
    mutable std::vector<float> m_displacements;  ///< x, y, z, 0 of every vertex of the lattice, mesh frame, m
    double m_largest = 0.0;                      ///< largest of their components, m
    LatticeBounds m_bounds;
    bool m_hasBounds = false;  ///< they are those of the last update()
    PlacedClusters m_points;   ///< along the world's axes, about the body's origin
    Matrix3 m_pointsRotation = Matrix3::Zero();
    unsigned m_pose = 0;  ///< of a character's bones
    /// Of a character: what touches it asks for a few cells of thousands, so that vertices are carried by the bones
    /// when a query first meets them. m_turn: some thread is about it; m_turn + 1: done; less: not since the last
    /// update(). Whoever does it, the bits are the same.
    mutable std::unique_ptr<std::atomic<unsigned>[]> m_vertexStates;
    unsigned m_turn = 0;
};

}  // namespace pliant
