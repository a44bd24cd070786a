// SPDX-License-Identifier: Zlib
// One body as intersectors see it: its deformed triangles, evaluated when a ray reaches its box. Never drawn.
#pragma once

#include <mutex>
#include <osg/Drawable>
#include <vector>

#include "osgPliant/BodyGroup.h"

namespace osgPliant {

/// A Drawable and not a Geometry: intersectors read a Geometry's (rest) arrays behind the functor's back.
class BodyPick : public osg::Drawable {
public:
    BodyPick() = default;
    BodyPick(const BodyGroup* owner, int body);
    BodyPick(const BodyPick& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, BodyPick)

        int getBody() const {
        return _body;
    }
    /// What was hit, from what an intersector tells. @param point in the group's coordinates
    BodyHit hitAt(unsigned int triangle, const osg::Vec3d& point) const;
    /// The body moved: forget what was evaluated.
    void invalidate();
    /// The owner is going away.
    void release() { _owner = nullptr; }

    osg::BoundingBox computeBoundingBox() const override;
    osg::BoundingSphere computeBound() const override { return osg::BoundingSphere(getBoundingBox()); }
    void drawImplementation(osg::RenderInfo&) const override {}
    bool supports(const osg::PrimitiveFunctor&) const override { return true; }
    bool supports(const osg::PrimitiveIndexFunctor&) const override { return true; }
    void accept(osg::PrimitiveFunctor& functor) const override;
    void accept(osg::PrimitiveIndexFunctor& functor) const override;

protected:
    ~BodyPick() override = default;

private:
    void evaluate() const;

    const BodyGroup* _owner = nullptr;
    int _body = -1;
    mutable std::mutex _mutex;
    mutable bool _evaluated = false;
    mutable std::vector<osg::Vec3f> _positions;  ///< in the group's coordinates
    mutable std::vector<unsigned int> _indices;
};

}  // namespace osgPliant
