// SPDX-License-Identifier: Zlib
// Swept segments against triangles, one by one.
#include "btPliant/narrowphase/shapes/Triangles.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>

#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "btPliant/narrowphase/SegmentTriangle.h"
#include "btPliant/narrowphase/SortContacts.h"
#include "pliant/collision/pair/SegmentPath.h"
#include "pliant/collision/pair/SkeletonQueries.h"

namespace btPliantInternal {

using pliant::Aabb;
using pliant::CapsuleSegment;
using pliant::SkeletonContact;
using pliant::Vector3;

namespace {

/// Last substep's normal of any contact of the segment, in the world; null when it had none.
const Vector3* rememberedNormal(const pliant::ContactHistory& history, int segment, const pliant::Matrix3& rotation,
                                Vector3& storage) {
    const auto& entries = history.entries();
    const auto found = std::lower_bound(
        entries.begin(), entries.end(), pliant::contactFeature(segment, -1, 0),
        [](const pliant::ContactHistory::Entry& entry, std::uint64_t feature) { return entry.feature < feature; });
    if (found == entries.end() || found->segmentA != segment) return nullptr;
    storage = rotation * found->normal;
    return &storage;
}

/// Nearest points of segments and the triangles of one shape.
struct TriangleProbe {
    const pliant::DeformedBody& body;
    const pliant::ContactHistory& history;
    double triangleMargin;

    bool meet(const CapsuleSegment& segment, const Vector3 triangle[3], int index, SkeletonContact& contact) const {
        Vector3 storage;
        const Vector3* reference = rememberedNormal(history, segment.index, body.worldFromBody().rotation, storage);
        SegmentTriangleContact found;
        if (!nearestSegmentTriangle(segment.end, triangle, reference, body.worldFromBody().translation, found))
            return false;
        const Vector3 onOther = found.onTriangle + triangleMargin * found.normal;
        contact = pliant::makeShapeContact(segment, found.axisPoint, onOther, found.normal);
        contact.feature = pliant::contactFeature(segment.index, index, 0);
        return true;
    }
};

/// Calls visit(corners, bounds, index) for triangles of a shape, in the world.
template <typename Visit>
class TriangleVisitor : public btTriangleCallback {
public:
    TriangleVisitor(const btTransform& transform, const Visit& visit) : m_transform(transform), m_visit(visit) {}
    void processTriangle(btVector3* local, int part, int index) override {
        const Vector3 triangle[3] = {toEigen(m_transform * local[0]), toEigen(m_transform * local[1]),
                                     toEigen(m_transform * local[2])};
        Aabb box;
        box.lower = triangle[0].cwiseMin(triangle[1]).cwiseMin(triangle[2]);
        box.upper = triangle[0].cwiseMax(triangle[1]).cwiseMax(triangle[2]);
        // Triangles of several parts share index numbers: keep them apart.
        const int feature =
            static_cast<int>((static_cast<unsigned>(index) + 16777259u * static_cast<unsigned>(part)) % 0x3f000000u);
        m_visit(triangle, box, feature);
    }

private:
    const btTransform& m_transform;
    const Visit& m_visit;
};

/// Triangles that may lie in a box of the shape's own frame.
template <typename Visit>
void visitTriangles(const btConcaveShape& shape, const btTransform& transform, Aabb box, double margin,
                    const Visit& visit) {
    box.lower.array() -= margin;
    box.upper.array() += margin;
    TriangleVisitor<Visit> visitor(transform, visit);
    shape.processAllTriangles(&visitor, toBullet(box.lower), toBullet(box.upper));
}

}  // namespace

bool hasTriangles(const btCollisionObjectWrapper& other) {
    return other.getCollisionShape()->isConcave() && !btPliantShape::upcast(other.getCollisionShape());
}

void triangleDiscrete(ContactPair& pair, const PlacedShape& placed, double margin, SkeletonContacts& out) {
    const auto& concave = static_cast<const btConcaveShape&>(placed.shape);
    const btTransform& transform = placed.transform;
    const pliant::DeformedBody& body = *pair.a.data().deformed;
    const TriangleProbe probe{body, pair.history, static_cast<double>(concave.getMargin())};
    // Ours in the frame of the triangles.
    pliant::RigidTransform oursInTheirs = toEigen(transform.inverse());
    const pliant::RigidTransform& world = body.worldFromBody();
    oursInTheirs.translation += oursInTheirs.rotation * world.translation;
    oursInTheirs.rotation = oursInTheirs.rotation * world.rotation;
    const double reach = margin + probe.triangleMargin;
    SkeletonContact contact;
    visitTriangles(concave, transform, body.bounds(oursInTheirs), reach,
                   [&](const Vector3 triangle[3], const Aabb& box, int index) {
                       pliant::visitSegmentsNear(body, box, reach, [&](const CapsuleSegment& segment) {
                           if (probe.meet(segment, triangle, index, contact) && contact.distance <= margin)
                               out.push_back(contact);
                       });
                   });
    sortByFeature(out);
}

void triangleContinuous(ContactPair& pair, const PlacedShape& placed, double step, double margin,
                        SkeletonContacts& out) {
    const auto& concave = static_cast<const btConcaveShape&>(placed.shape);
    const btTransform& transform = placed.transform;
    const pliant::DeformedBody& body = *pair.a.data().deformed;
    const TriangleProbe probe{body, pair.history, static_cast<double>(concave.getMargin())};
    const double reach = margin + probe.triangleMargin;
    const std::vector<pliant::SegmentPath> paths = pliant::allPaths(body, wayBack(*pair.other, step));
    std::vector<Aabb> bounds;
    Aabb whole, local;
    for (const pliant::SegmentPath& path : paths) {
        bounds.push_back(path.bounds());
        whole.lower = bounds.size() == 1 ? bounds[0].lower : whole.lower.cwiseMin(bounds.back().lower).eval();
        whole.upper = bounds.size() == 1 ? bounds[0].upper : whole.upper.cwiseMax(bounds.back().upper).eval();
    }
    btVector3 lower, upper;
    btTransformAabb(toBullet(whole.lower), toBullet(whole.upper), 0, transform.inverse(), lower, upper);
    local = {toEigen(lower), toEigen(upper)};
    SkeletonContact contact;
    visitTriangles(concave, transform, local, reach, [&](const Vector3 triangle[3], const Aabb& box, int index) {
        for (std::size_t i = 0; i < paths.size(); ++i) {
            if (!pliant::nearBoxes(bounds[i], box, reach)) continue;
            const auto meet = [&](const CapsuleSegment& segment, SkeletonContact& nearest) {
                return probe.meet(segment, triangle, index, nearest);
            };
            if (paths[i].firstContact(margin, meet, contact)) out.push_back(contact);
        }
    });
    sortByFeature(out);
}

}  // namespace btPliantInternal
