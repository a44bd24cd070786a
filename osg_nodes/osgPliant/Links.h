// SPDX-License-Identifier: Zlib
/// @file
/// Rods and pins: how things hang together, for the eye.
#pragma once

#include <osg/Group>
#include <osg/MatrixTransform>
#include <vector>

#include "osgPliant/Primitives.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// Rods and pins that show what holds bodies: joints have no shape of their own, and what hangs on them seems to float.
///
///     osg::ref_ptr<osgPliant::Links> links = new osgPliant::Links;
///     stage->addChild(links);
///     // every frame, in the thread of the update traversal:
///     links->show({{hook, ring, 0.01}}, {{ring, 0.02}});
class PLIANT_API Links : public osg::Group {
public:
    /// A cylinder between two points, of the node's coordinates.
    struct Rod {
        osg::Vec3d from;      ///< One end, m.
        osg::Vec3d to;        ///< The other end, m.
        double radius = 0.0;  ///< Radius, m.
    };
    /// A ball.
    struct Pin {
        osg::Vec3d centre;    ///< Centre, m.
        double radius = 0.0;  ///< Radius, m.
    };

    /// Links of dark metal.
    Links();
    /// Links that look as told.
    explicit Links(const PrimitiveLook& look);
    /// A copy with transforms of its own.
    Links(const Links& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, Links)

        /// Shows these links and no others. Call it where the scene may be changed.
        void show(const std::vector<Rod>& rods, const std::vector<Pin>& pins);

protected:
    ~Links() override = default;

private:
    void keep(std::vector<osg::ref_ptr<osg::MatrixTransform>>& places, std::size_t count);
    osg::MatrixTransform& place(std::vector<osg::ref_ptr<osg::MatrixTransform>>& places, std::size_t i,
                                osg::Geometry* shape);

    osg::ref_ptr<osg::Geometry> _rod;  ///< of unit radius and height, along z
    osg::ref_ptr<osg::Geometry> _pin;  ///< of unit radius
    std::vector<osg::ref_ptr<osg::MatrixTransform>> _rods, _pins;
};

}  // namespace osgPliant
