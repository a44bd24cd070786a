// SPDX-License-Identifier: Zlib
/// @file
/// A place on a body that moves with the material.
#pragma once

#include <memory>
#include <osg/Transform>
#include <osg/observer_ptr>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/Followers.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// Children ride on a material point of a body: a lamp, a label, a camera. The point moves with the deformation,
/// x = X + U q, and the children turn with the material around it: by the rotation of the polar decomposition of its
/// deformation gradient, as joints do.
///
///     const osgPliant::BodyHit hit = osgPliant::BodyGroup::getHit(intersection);
///     osg::ref_ptr<osgPliant::BodyPoint> place = new osgPliant::BodyPoint(group, hit.body, hit.restPoint);
///     place->addChild(lamp);
///     group->addChild(place);
///
/// Where children are is what the group draws, that is, what it has taken over in the last update traversal. Belongs
/// below the group or beside it: its coordinates are the group's.
class PLIANT_API BodyPoint : public osg::Transform, private Follower {
public:
    /// On nothing: children stay where they are; for OpenSceneGraph's object wrappers.
    BodyPoint();
    /// On a point of a body.
    /// @param group observed; when it is gone, children stay where they are
    /// @param body its number in the group
    /// @param restPoint the point at rest, m, in the mesh frame (BodyHit::restPoint). Outside of the mesh it is carried
    /// by the nearest element
    BodyPoint(BodyGroup* group, int body, const osg::Vec3d& restPoint);
    /// On the same point, with a place of its own.
    BodyPoint(const BodyPoint& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, BodyPoint)

        /// Moves to another point, or to another body. Not while it is drawn.
        void setPoint(BodyGroup* group, int body, const osg::Vec3d& restPoint);
    /// Whose body; null for none.
    BodyGroup* getBodyGroup() const { return _group.get(); }
    /// The number of the body in its group.
    int getBody() const { return _body; }
    /// The point at rest, m, in the mesh frame.
    const osg::Vec3d& getRestPoint() const { return _restPoint; }
    /// The point's frame at rest, as it is now in the group's coordinates.
    osg::Matrixd getMatrix() const;

    /// OpenSceneGraph's callback for where the children are.
    bool computeLocalToWorldMatrix(osg::Matrix& matrix, osg::NodeVisitor* visitor) const override;
    /// The inverse.
    bool computeWorldToLocalMatrix(osg::Matrix& matrix, osg::NodeVisitor* visitor) const override;

protected:
    ~BodyPoint() override;

private:
    struct Carrier;
    void followChange() override { dirtyBound(); }
    void leave();
    void followBones(const BodyGroup& group, const std::vector<pliant::AffineMap>& bones,
                     pliant::RigidTransform& local) const;

    osg::observer_ptr<BodyGroup> _group;
    int _body = -1;
    osg::Vec3d _restPoint;
    std::unique_ptr<Carrier> _carrier;
};

}  // namespace osgPliant
