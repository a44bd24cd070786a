// SPDX-License-Identifier: Zlib
#include "stats/RunStatistics.h"

#include <algorithm>
#include <cmath>

#include "stats/BodyCheck.h"
#include "stats/StateHash.h"
#include "world/SceneWarnings.h"

namespace pliant::program {
namespace {

constexpr double kSettled = 1.0e-3;  // J/kg: 4.5 cm/s, if everything moved alike

}  // namespace

StageSeconds& StageSeconds::operator+=(const StageSeconds& other) {
    deformation += other.deformation;
    collision += other.collision;
    contactSolve += other.contactSolve;
    rigidIntegration += other.rigidIntegration;
    drawing += other.drawing;
    return *this;
}

RunStatistics::RunStatistics(const SceneWorld& world, double end) : m_warnings(sceneWarnings(world, end)) {
    m_groundEnergy = groundEnergy(world);
    m_startEnergy = world.system().getStats().totalEnergy() - m_groundEnergy;
    m_lastEnergy = m_startEnergy;
}

/// What events of the scene bring in is no error of a step. It shows in the step of the event or in the next one: the
/// system measures energies when it is asked first.
void RunStatistics::noteGain(int actions) {
    const double gain = m_frame.total() - m_lastEnergy;
    const bool fromOutside = actions != m_actions || m_hasActed;
    m_hasActed = actions != m_actions;
    m_actions = actions;
    if (!fromOutside)
        m_frame.largestStepGain = std::max(m_frame.largestStepGain, gain);
    else if (gain > 0.0)
        m_startEnergy += gain;
}

void RunStatistics::addStep(const SceneWorld& world, double stepSeconds) {
    const btPliantStats& step = world.system().getStats();
    StageSeconds& seconds = m_frame.seconds;
    seconds.deformation += step.m_deformationSeconds;
    seconds.collision += step.m_collisionSeconds;
    seconds.contactSolve += step.m_contactSolveSeconds;
    seconds.rigidIntegration +=
        std::max(0.0, stepSeconds - step.m_deformationSeconds - step.m_collisionSeconds - step.m_contactSolveSeconds);
    m_frame.kinetic = step.m_kineticEnergy;
    m_frame.elastic = step.m_elasticEnergy;
    m_frame.potential = step.m_potentialEnergy - m_groundEnergy;
    noteGain(world.physics().getActionCount());
    m_lastEnergy = m_frame.total();
    m_frame.largestDepth = std::max(m_frame.largestDepth, step.m_largestDepth);
    m_frame.largestPenetration = std::max(m_frame.largestPenetration, step.m_largestPenetration);
    m_frame.penetration99 = std::max(m_frame.penetration99, step.m_penetration99);
    m_frame.contacts = step.m_contacts;
    m_frame.awake = step.m_awakeBodies;
    m_frame.restored += step.m_restoredBodies;
    m_frame.limited += step.m_limitedBodies;
}

void RunStatistics::endFrame(const SceneWorld& world, double drawingSeconds) {
    m_frame.time = world.time();
    m_frame.seconds.drawing = drawingSeconds;
    for (const auto& joint : world.joints()) m_frame.brokenJoints += joint->isEnabled() ? 0 : 1;
    m_frame.workers = world.system().getWorkersObserved();
    m_frames.push_back(m_frame);
    m_frame = FrameRecord();
}

RunSummary RunStatistics::summary(const SceneWorld& world) const {
    RunSummary summary;
    const BodyCheck check = checkBodies(world);
    summary.bodies = check.bodies;
    summary.notFinite = check.notFinite;
    summary.lost = check.lost;
    summary.lostNames = check.lostNames;
    summary.warnings = m_warnings;
    for (const FrameRecord& frame : m_frames) {
        summary.seconds += frame.seconds;
        summary.restored += frame.restored;
        summary.limited += frame.limited;
        summary.largestGain = std::max(summary.largestGain, frame.largestStepGain);
        summary.largestDepth = std::max(summary.largestDepth, frame.largestDepth);
        summary.largestPenetration = std::max(summary.largestPenetration, frame.largestPenetration);
        summary.penetration99 = std::max(summary.penetration99, frame.penetration99);
    }
    summary.startEnergy = m_startEnergy;
    summary.largestGain = m_startEnergy > 0.0 ? summary.largestGain / m_startEnergy : 0.0;
    if (!m_frames.empty()) {
        summary.lastDepth = m_frames.back().largestDepth;
        summary.lastPenetration = m_frames.back().largestPenetration;
        summary.lastPenetration99 = m_frames.back().penetration99;
    }
    if (!m_frames.empty() && world.movingMass() > 0.0)
        summary.kineticPerKg = m_frames.back().kinetic / world.movingMass();
    summary.settled = summary.kineticPerKg < kSettled;
    summary.workers = world.system().getWorkersObserved();
    summary.hash = stateHash(world);
    return summary;
}

}  // namespace pliant::program
