// SPDX-License-Identifier: Zlib
// What a run measures, frame by frame, and the summary that proves it went well. docs/scene.md names every field.
#pragma once

#include <string>
#include <vector>

#include "world/SceneWorld.h"

namespace pliant::program {

/// Wall-clock seconds by stage.
struct StageSeconds {
    double deformation = 0.0;
    double collision = 0.0;
    double contactSolve = 0.0;
    /// Rigid integration and everything else that Bullet does: broadphase, islands, rigid contacts.
    double rigidIntegration = 0.0;
    double drawing = 0.0;

    double total() const { return deformation + collision + contactSolve + rigidIntegration + drawing; }
    StageSeconds& operator+=(const StageSeconds& other);
};

struct FrameRecord {
    double time = 0.0;     ///< Simulated time at the end of the frame, s.
    double kinetic = 0.0;  ///< Kinetic energy at the end of the frame, J.
    double elastic = 0.0;  ///< Elastic energy at the end of the frame, J.
    /// Potential energy at the end of the frame, J, zero at the ground (or at the origin where there is none).
    double potential = 0.0;
    double largestStepGain = 0.0;     ///< Largest growth of the total energy in one step of the frame, J.
    double largestDepth = 0.0;        ///< Largest penetration over the frame's steps, m.
    double largestPenetration = 0.0;  ///< The same in contact radii (docs/scene.md).
    double penetration99 = 0.0;       ///< Largest 99th percentile of penetration in a step, in contact radii.
    int contacts = 0;                 ///< Contacts in the last step.
    int awake = 0;                    ///< Bodies awake in the last step.
    int restored = 0;                 ///< Bodies put back to their last good state, summed over the frame's steps.
    int limited = 0;                  ///< Bodies slowed because their step had gained energy, summed over the steps.
    int brokenJoints = 0;             ///< Joints broken at the end of the frame.
    int workers = 0;                  ///< Distinct threads that have worked so far.
    StageSeconds seconds;

    double total() const { return kinetic + elastic + potential; }
};

struct RunSummary {
    int bodies = 0;
    int lost = 0;       ///< Bodies whose centre of mass is below the ground, or not a number.
    int notFinite = 0;  ///< Bodies whose state is not a number.
    std::vector<std::string> lostNames;
    std::vector<std::string> warnings;  ///< Warnings of the start (world/SceneWarnings.h).
    int restored = 0;
    int limited = 0;
    bool settled = false;       ///< Whether the kinetic energy is below 1e-3 J per kg of what moves.
    double kineticPerKg = 0.0;  ///< Kinetic energy of the last frame, J/kg.
    double startEnergy = 0.0;   ///< Total energy at the start, J.
    double largestGain = 0.0;   ///< Largest growth of the total energy in one step, as a share of that at the start.
    double largestDepth = 0.0;  ///< Largest penetration over the frames, m.
    double lastDepth = 0.0;     ///< The same of the last frame, m.
    double largestPenetration = 0.0;  ///< Largest penetration over the frames, in contact radii.
    /// Largest 99th percentile of penetration over the frames, in contact radii.
    double penetration99 = 0.0;
    /// Penetration of the last frame, largest and 99th percentile, in contact radii.
    double lastPenetration = 0.0, lastPenetration99 = 0.0;
    int workers = 0;   ///< Distinct threads that worked.
    std::string hash;  ///< Hash of the final state.
    StageSeconds seconds;
};

class RunStatistics {
public:
    /// Records the energy at the start, and what of the scene is probably not meant.
    /// @param end of the run, s, which warnings go by
    RunStatistics(const SceneWorld& world, double end);

    /// After every step. @param stepSeconds wall-clock time of it
    void addStep(const SceneWorld& world, double stepSeconds);
    /// After a frame's steps and its picture.
    void endFrame(const SceneWorld& world, double drawingSeconds);

    const std::vector<std::string>& warnings() const { return m_warnings; }
    const std::vector<FrameRecord>& frames() const { return m_frames; }
    RunSummary summary(const SceneWorld& world) const;

private:
    void noteGain(int actions);

    int m_actions = 0;            ///< of the scene's events so far
    bool m_hasActed = false;      ///< in the last step
    double m_groundEnergy = 0.0;  ///< J, potential of everything at the ground's height
    double m_startEnergy = 0.0;
    double m_lastEnergy = 0.0;
    std::vector<std::string> m_warnings;
    FrameRecord m_frame;
    std::vector<FrameRecord> m_frames;
};

/// @throws Error; nothing is left half-written
void writeStatistics(const std::string& path, const SceneWorld& world, const RunStatistics& statistics);

}  // namespace pliant::program
