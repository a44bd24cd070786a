// SPDX-License-Identifier: Zlib
// One body as collision sees it: its q and frame, the deformed spheres, and boxes around the nodes of the skeleton
// tree.
//
// A move evaluates every sphere (3 r multiply-adds each; four bodies of a model share a pass over the coefficients),
// turns it along the world's axes and notes how far the farthest one went. Where the body moves so little that a bound
// of that (MotionBoundSpheres.h) can be added to the outermost box instead, the spheres are left alone: who asks for
// one has it evaluated, which in a heap at rest is one in thirty. What is told and found does not depend on who has
// asked for what. Boxes around the nodes of the BD-Tree are refitted from below when something is going to descend the
// tree; they are exact whatever q is, and the boxes of two bodies compare without turning one. The bounding spheres of
// [JP04], which need no geometry but grow with the sum of all |q_j|, serve the drawn triangles: a query deforms only
// what it reaches.
//
// A character's body has a frame for each bone (CollisionSkin.h): its own frame only moves the origin, and everything
// that is told in the body frame lies along the world's axes about it. Its outermost box and the bounds of its motion
// come from its bones, so a move leaves all spheres alone.
//
// Queries are const, change nothing and may run on several threads at once; what changes a body must not run beside
// queries of the same body. No allocation after construction.
#pragma once

#include <memory>
#include <vector>

#include "pliant/collision/body/CapsuleSegment.h"
#include "pliant/collision/body/CollisionModel.h"
#include "pliant/collision/body/CollisionSkin.h"
#include "pliant/math/Api.h"

namespace pliant {

struct Aabb {
    Vector3 lower = Vector3::Zero();
    Vector3 upper = Vector3::Zero();
};

/// Lower corner and *negated* upper corner, so that both grow by taking the smaller number.
struct BoxF {
    float lower[4];     ///< Lower corner: x, y, z, 0.
    float negUpper[4];  ///< Negated upper corner: -x, -y, -z, 0.
};

/// A skeleton segment and where its ends will be at the end of the step, going straight.
struct MovingSegment {
    CapsuleSegment now;
    Vector3 end[2] = {Vector3::Zero(), Vector3::Zero()};  ///< Places of the ends at the end of the step, world, m.
};

class PLIANT_INTERNAL_API DeformedBody {
public:
    explicit DeformedBody(std::shared_ptr<const CollisionModel> model);
    /// @param skin of a character, else null; its bones are where they were bound
    DeformedBody(std::shared_ptr<const CollisionModel> model, std::shared_ptr<const CollisionSkin> skin);
    ~DeformedBody();
    DeformedBody(DeformedBody&&) noexcept;
    DeformedBody& operator=(DeformedBody&&) noexcept;

    const CollisionModel& model() const;
    /// Of a character, else null.
    const CollisionSkin* skin() const;
    /// Where the bones of a character are; null of other bodies. It tells two poses apart by poseNumber().
    const BonePlaces* bones() const;
    /// Grows with every move of the bones.
    unsigned poseNumber() const;

    struct NewState {
        DeformedBody* body = nullptr;
        const double* q = nullptr;     ///< New coordinates, r; null: as they are.
        RigidTransform worldFromBody;  ///< New body frame; of a character its translation counts alone.
        /// New maps T_b, body frame -> world, of a character's bones; null: as they are.
        const AffineMap* bones = nullptr;
    };
    /// New states of several bodies, of any models; a body must not be named twice. Only outerBox() and single spheres
    /// are up to date afterwards: refit() before anything that descends a tree of boxes. Same bits as update().
    static void moveTogether(const NewState* states, int count);
    /// Brings all spheres of several bodies up to date; a body must not be named twice.
    static void evaluateTogether(DeformedBody* const* bodies, int count);
    bool spheresAreCurrent() const;
    /// Brings all spheres and boxes up to date.
    void refit();
    bool boxesAreCurrent() const;

    /// New state and refit(). @param q r doubles (rounded to float: what collides is the body at that q) @param
    /// worldFromBody of the body frame (ReducedModel.h), not of the mesh frame.
    void update(const double* q, const RigidTransform& worldFromBody);
    /// A new frame for the same q, and refit().
    void setTransform(const RigidTransform& worldFromBody);
    const RigidTransform& worldFromBody() const;

    /// Where the body is taken to be at the end of the coming step, until it moves: for what may pass something else on
    /// the way (ContinuousCollision.h). The first call allocates, unless prepareForPrediction() has: memory that one
    /// thread takes time and again is best taken by the same.
    /// @param bones of a character then, null: as they are
    void predictMotion(const double* q, const RigidTransform& worldFromBody, const AffineMap* bones = nullptr);
    void prepareForPrediction();
    bool hasPrediction() const;
    // After predictMotion():
    MovingSegment movingSegment(int index) const;
    const float* predictedSpheres() const;     ///< Spheres as rotatedSpheres(), about predictedOrigin().
    const BoxF& predictedBox(int node) const;  ///< Box as rotatedBox(), about predictedOrigin().
    const Vector3& predictedOrigin() const;    ///< Origin of the body at the end of the step, world, m.

    // Body frame, single precision.
    SphereF sphere(int i) const;
    SphereF skeletonNode(int i) const;  ///< The proven bound [JP04] of a node of skeletonTree(), evaluated on demand.
    SphereF triangleNode(int i) const;
    SphereF vertex(int i) const;  ///< Surface vertex as a sphere of radius 0.

    // Along the world's axes, origin at the body's: add worldFromBody().translation.
    SphereF rotatedSphere(int i) const;
    /// Both spheres of a segment: x, y, z, radius each.
    void rotatedEnds(int segment, float* eight) const;
    const BoxF& rotatedBox(int node) const;  ///< Box of every sphere under a node of skeletonTree(); after refit().
    const float* rotatedSpheres() const;     ///< All spheres, x, y, z and radius each; where spheresAreCurrent().
    /// The same always. @param room to evaluate them in where they are not current
    const float* rotatedSpheres(std::vector<float>& room) const;
    /// Holds all spheres; after many small moves it is larger by up to half of the thinnest radius.
    const BoxF& outerBox() const;

    /// What outerBox(), motionBound() and relativeMotionBound() of later moves depend on besides the state; belongs to
    /// a saved state.
    struct OuterReach {
        BoxF box{};
        double slack = 0.0;  ///< How much too large the box may be, m.
    };
    OuterReach outerReach() const;
    /// Of the present state; what no moves can have left behind is not taken: the box is made of all spheres instead.
    void setOuterReach(const OuterReach& reach);

    /// Metres, in the world: at least the sum over all moves of the largest distance that any sphere moved. Between two
    /// moments no sphere has come farther than the difference. How much more than that depends on the moves alone.
    double motionBound() const;
    /// The same about the origin of the body's frame: what turning and deforming add, and roundings.
    double relativeMotionBound() const;

    // World frame.
    CapsuleSegment segment(int index) const;
    /// Axis point of a segment, parameter in [0, 1].
    Vector3 segmentPoint(int index, double parameter) const;

    Aabb worldBounds() const;  ///< Bounds of all spheres in the world.
    /// Metres that drawn vertices may stand out of the spheres at this q, at most: bounds inflated by it hold the
    /// surface.
    double surfaceExcess() const;
    /// Bounds of all spheres in `frame` (x_frame = frame.point(x_body); Identity = body frame): outerBox() where the
    /// rotation is that of worldFromBody(), else looks at every sphere.
    Aabb bounds(const RigidTransform& frame) const;
    Aabb bodyBounds() const { return bounds(RigidTransform()); }

    /// Whether a sphere may reach into a box of the world; of what has no bones true. Asked before anything is
    /// evaluated.
    bool mayMeet(const Aabb& box) const;
    /// The coordinates as AffineSpheres read them.
    const float* packedCoordinates() const;

    /// Of a character, how a sphere moves with what it is bent by: dp / d(U q), sum_b w_b R_b.
    Matrix3 sphereTurn(int i) const;
    /// Of a character, where a sphere was bound and is bent to by q: U q + x, body frame of the flesh.
    Vector3 unskinned(int i) const;

private:
    struct PLIANT_HIDDEN Cache;
    template <typename Kind>
    class PLIANT_HIDDEN Passes;
    struct PLIANT_HIDDEN WholeMoves;
    struct PLIANT_HIDDEN Evaluations;
    struct PLIANT_HIDDEN BoundSphereMoves;
    std::unique_ptr<Cache> m_cache;
};

/// Of a character, the modal part of a contact row at a point of its skeleton, as skeletonPointProject() of other
/// bodies. @param direction world  @param modal r x 1, written
PLIANT_INTERNAL_API void skinnedPointProject(const DeformedBody& body, int segment, float parameter,
                                             const Vector3& direction, double* modal);

/// Of a character, how a place beside a point of its skeleton moves when the bones go elsewhere and q stays, m.
/// @param now world, rides on the skeleton's point as if stiff  @param bones T_b then
PLIANT_INTERNAL_API Vector3 skinnedPointMotion(const DeformedBody& body, int segment, float parameter,
                                               const Vector3& now, const AffineMap* bones);

}  // namespace pliant
