// SPDX-License-Identifier: Zlib
// A hand that pulls the picture of one body, and remembers the pulls.
#pragma once

#include <osg/ref_ptr>
#include <vector>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/Hand.h"
#include "sketch/LinearPull.h"

namespace pliant::program {

class SketchHand : public osgPliant::Hand {
public:
    /// @param picture of one body of the model, whose mesh frame is the world's
    SketchHand(const std::shared_ptr<const ReducedModel>& model, osgPliant::BodyGroup* picture);

    bool take(const osg::Vec3d& eye, const osg::Vec3d& end) override;
    void move(const osg::Vec3d& eye, const osg::Vec3d& end) override;
    /// Keeps the pull, and lets the body spring back.
    void release() override;

    const std::vector<DrawnForce>& forces() const { return m_forces; }
    /// Forgets the last pull.
    void forget() {
        if (!m_forces.empty()) m_forces.pop_back();
    }

protected:
    ~SketchHand() override = default;

private:
    void show();

    LinearPull m_pull;
    osg::ref_ptr<osgPliant::BodyGroup> m_picture;
    osg::Vec3d m_taken;  ///< where, world, m
    double m_distance = 0.0;
    bool m_holds = false;
    std::vector<DrawnForce> m_forces;
};

}  // namespace pliant::program
