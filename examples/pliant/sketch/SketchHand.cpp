// SPDX-License-Identifier: Zlib
#include "sketch/SketchHand.h"

#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>

#include "osgPliant/Conversions.h"

namespace pliant::program {

SketchHand::SketchHand(const std::shared_ptr<const ReducedModel>& model, osgPliant::BodyGroup* picture)
    : m_pull(model), m_picture(picture) {
    show();
}

void SketchHand::show() {
    m_picture->setBodyFromMesh(0, osg::Matrixd(), m_pull.q().data());
}

bool SketchHand::take(const osg::Vec3d& eye, const osg::Vec3d& end) {
    const osg::ref_ptr<osgUtil::LineSegmentIntersector> ray = new osgUtil::LineSegmentIntersector(eye, end);
    osgUtil::IntersectionVisitor visitor(ray);
    m_picture->accept(visitor);
    if (!ray->containsIntersections()) return false;
    const osgPliant::BodyHit hit = osgPliant::BodyGroup::getHit(ray->getFirstIntersection());
    if (!hit.isValid()) return false;
    m_taken = hit.point;
    m_distance = (hit.point - eye).length();
    m_pull.take(osgPliant::fromOsg(hit.restPoint));
    m_holds = true;
    return true;
}

void SketchHand::move(const osg::Vec3d& eye, const osg::Vec3d& end) {
    if (!m_holds) return;
    osg::Vec3d along = end - eye;
    along.normalize();
    m_pull.moveBy(osgPliant::fromOsg(eye + along * m_distance - m_taken));
    show();
}

void SketchHand::release() {
    if (m_holds && m_pull.force().force.norm() > 0.0) m_forces.push_back(m_pull.force());
    m_holds = false;
    m_pull.release();
    show();
}

}  // namespace pliant::program
