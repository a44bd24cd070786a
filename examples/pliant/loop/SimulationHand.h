// SPDX-License-Identifier: Zlib
#pragma once

#include "loop/Simulation.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/Hand.h"

namespace pliant::program {

/// The hand of a simulation's world, which is another one after every reset.
class SimulationHand : public osgPliant::Hand {
public:
    explicit SimulationHand(Simulation& simulation) : m_simulation(simulation) {}

    bool take(const osg::Vec3d& eye, const osg::Vec3d& end) override {
        return m_simulation.hand().take(osgPliant::fromOsg(eye), osgPliant::fromOsg(end));
    }
    void move(const osg::Vec3d& eye, const osg::Vec3d& end) override {
        m_simulation.hand().move(osgPliant::fromOsg(eye), osgPliant::fromOsg(end));
    }
    void release() override { m_simulation.hand().release(); }

protected:
    ~SimulationHand() override = default;

private:
    Simulation& m_simulation;
};

}  // namespace pliant::program
