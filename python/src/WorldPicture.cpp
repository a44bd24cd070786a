// SPDX-License-Identifier: Zlib
#include "WorldPicture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <osg/Math>

#include "osgPliant/Conversions.h"
#include "pliant/math/Error.h"

namespace pliant::python {
namespace {

osg::Matrixd matrixOf(const btTransform& transform) {
    btScalar numbers[16];
    transform.getOpenGLMatrix(numbers);
    return osg::Matrixd(numbers);
}

osg::Vec3f upOf(const btVector3& gravity) {
    if (gravity.fuzzyZero()) return osg::Vec3f(0, 0, 1);
    const btVector3 up = -gravity.normalized();
    return osg::Vec3f(static_cast<float>(up.x()), static_cast<float>(up.y()), static_cast<float>(up.z()));
}

/// How far from the middle of a box an eye in the direction `away` sees all of it.
/// @param slopeAcross, slopeUp tangents of half the angles of view
double distanceToSee(const osg::BoundingBoxd& box, const osg::Vec3d& away, const osg::Vec3d& up, double slopeAcross,
                     double slopeUp) {
    constexpr double kMargin = 1.08;
    osg::Vec3d across = up ^ away;
    across.normalize();
    const osg::Vec3d above = away ^ across;
    double distance = 0.0;
    for (unsigned int i = 0; i < 8; ++i) {
        const osg::Vec3d corner = (box.corner(i) - box.center()) * kMargin;
        distance = std::max(distance, corner * away + std::max(std::abs(corner * across) / slopeAcross,
                                                               std::abs(corner * above) / slopeUp));
    }
    return distance;
}

}  // namespace

void WorldPicture::build() {
    osgPliant::StageSettings settings;
    settings.up = upOf(m_world.bullet().getGravity());
    settings.towardsSun = settings.up * 0.8f + osg::Vec3f(0.45f, -0.35f, 0.3f);
    m_stage = new osgPliant::Stage(settings);
    m_groups.clear();
    m_rigids.clear();
    std::map<const ReducedModel*, osg::ref_ptr<osgPliant::ModelGeometry>> looks;
    for (const auto& arrays : m_world.arrays()) {
        auto& look = looks[arrays->model().get()];
        if (!look) look = new osgPliant::ModelGeometry(arrays->model());
        m_groups.push_back(new osgPliant::BodyGroup(look, static_cast<int>(arrays->count())));
        m_stage->addChild(m_groups.back());
    }
    for (const auto& [number, rigid] : m_world.rigids()) {
        osg::ref_ptr<osg::MatrixTransform> node = new osg::MatrixTransform;
        node->addChild(rigid->createLook());
        m_rigids.emplace_back(rigid.get(), node);
        m_stage->addChild(node);
    }
    m_revision = m_world.revision();
    if (m_viewer) m_viewer->setScene(m_stage);
}

void WorldPicture::follow() {
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        const BodyArrays& arrays = *m_world.arrays()[group];
        for (int i = 0; i < arrays.count(); ++i)
            m_groups[group]->setBodyFromMesh(i, matrixOf(arrays.body(i).getMeshTransform()), arrays.q.data(i, 0));
    }
    for (const auto& [rigid, node] : m_rigids) node->setMatrix(matrixOf(rigid->body().getWorldTransform()));
}

osg::BoundingBoxd WorldPicture::bound() const {
    osg::BoundingBoxd all;
    for (const auto& group : m_groups) all.expandBy(group->getBodiesBound());
    for (const auto& [rigid, node] : m_rigids) {
        if (rigid->isPlane()) continue;
        const osg::BoundingSphere& sphere = node->getBound();
        all.expandBy(osg::BoundingSphered(sphere.center(), sphere.radius()));
    }
    return all.valid() ? all : osg::BoundingBoxd(-1, -1, -1, 1, 1, 1);
}

void WorldPicture::aim(const PictureArguments& arguments) {
    const osg::Vec3d up = upOf(m_world.bullet().getGravity());
    if (!arguments.eye.is_none()) {
        const Vector3 eye = toVector3(toNumbers(arguments.eye, "eye"), "eye");
        const Vector3 target = toVector3(toNumbers(arguments.target, "target"), "target");
        if (!((eye - target).norm() > 0.0)) throw Error("picture", "eye and target are the same point");
        m_viewer->setCamera(osgPliant::toOsg(eye), osgPliant::toOsg(target), up, arguments.fieldOfView);
        return;
    }
    osg::Vec3d side = up ^ osg::Vec3d(std::abs(up.y()) > 0.9 ? osg::Vec3d(1, 0, 0) : osg::Vec3d(0, 1, 0));
    side.normalize();
    osg::Vec3d away = (side ^ up) * 0.9 + side * 0.4 + up * 0.45;
    away.normalize();
    const osg::BoundingBoxd box = bound();
    const double slope = std::tan(osg::DegreesToRadians(0.5 * arguments.fieldOfView));
    const double distance = distanceToSee(box, away, up, slope * arguments.width / arguments.height, slope);
    m_viewer->setCamera(box.center() + away * distance, box.center(), up, arguments.fieldOfView);
}

py::array_t<std::uint8_t> WorldPicture::take(const PictureArguments& arguments) {
    expectPicture(arguments);
    if (!m_viewer || m_viewer->getWidth() != arguments.width || m_viewer->getHeight() != arguments.height) {
        m_viewer.reset();
        osgPliant::HeadlessOptions options;
        options.width = arguments.width;
        options.height = arguments.height;
        m_viewer = std::make_unique<osgPliant::HeadlessViewer>(options);
        m_revision = -1;
    }
    expectValid(*m_viewer);
    if (m_revision != m_world.revision()) build();
    follow();
    aim(arguments);
    return finishPicture(m_viewer->render(m_world.time()), arguments.path);
}

}  // namespace pliant::python
