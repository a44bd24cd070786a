// SPDX-License-Identifier: Zlib
// The flesh of a bar while its bones move, against the full StVK model. Secondary motion is what is there beside the
// equilibrium of each pose: the share of it that reduced flesh misses.
#include <cstdio>
#include <memory>
#include <vector>

#include "FullPose.h"
#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/SkinForces.h"

namespace pliant::test {
namespace {

constexpr double damping = 0.002;  // s

Clip clipOf(const char* name, BoneMotion motion) {
    Clip clip;
    clip.name = name;
    clip.end = 1.0;
    clip.motions = {std::move(motion)};
    return clip;
}

/// 3 cm to both sides along z at 3 Hz, from rest.
Clip shaking() {
    const double omega = 2 * M_PI * 3.0, a = 0.03;
    const int keys = 96;
    std::vector<double> times;
    MatrixX places = MatrixX::Zero(3, keys + 1), rates = places;
    for (int k = 0; k <= keys; ++k) {
        times.push_back(k / static_cast<double>(keys));
        places(2, k) = a * (1.0 - std::cos(omega * times.back()));
        rates(2, k) = a * omega * std::sin(omega * times.back());
    }
    return clipOf("shaking", {0, splineTrack(times, places, rates, rates), {}, {}});
}

/// A clip that bends the joint to 45 degrees and back once a second.
Clip bending() {
    const int keys = 48;
    std::vector<double> times;
    MatrixX turns(4, keys + 1), rates(4, keys + 1);
    for (int k = 0; k <= keys; ++k) {
        const double t = k / static_cast<double>(keys), angle = 0.125 * M_PI * (1.0 - std::cos(2 * M_PI * t));
        const double rate = 0.25 * M_PI * M_PI * std::sin(2 * M_PI * t);
        times.push_back(t);
        turns.col(k) << 0, std::sin(0.5 * angle), 0, std::cos(0.5 * angle);
        rates.col(k) << 0, 0.5 * rate * std::cos(0.5 * angle), 0, -0.5 * rate * std::sin(0.5 * angle);
    }
    return clipOf("bending", {1, {}, splineTrack(times, turns, rates, rates), {}});
}

struct Missed {
    double secondary = 0.0;  ///< share of the secondary motion that is missed
    double distance = 0.0;   ///< rms, % of the half width
};

/// The reduced flesh of a character that follows its first clip from rest.
class ReducedFlesh {
public:
    ReducedFlesh(std::shared_ptr<const CharacterModel> character, double h)
        : m_character(std::move(character)),
          m_batch(m_character->flesh, settings()),
          m_body(m_batch.add()),
          m_skin(m_character, RestShape::Flesh),
          m_h(h),
          m_before(m_character->flesh->dimension()),
          m_force(m_before) {
        FrameMotion frame;
        frame.driven = true;
        m_batch.setFrame(m_body, frame);
        std::vector<MovingFrame> bones;
        motionAt(m_character->skeleton, m_character->clips[0], 0.0, bones);
        m_skin.evaluate({bones.data()}, Vector3::Zero(), m_before.data(), m_workers);
    }

    void step(const std::vector<MovingFrame>& bones) {
        m_skin.evaluate({bones.data()}, Vector3::Zero(), m_force.data(), m_workers);
        const VectorX mean = 0.5 * (m_before + m_force);  // the exact oscillators take it as constant over the step
        m_before = m_force;
        m_batch.addForce(m_body, mean.data());
        m_batch.step(m_h, {m_body}, m_workers);
    }

    /// Adds what is missed of the motion of the full model. @param known its secondary motion
    void compare(const std::vector<MovingFrame>& bones, const std::vector<MovingFrame>& stopped, const Points& full,
                 const Points& known) {
        fleshPoints(*m_character, bones, m_batch.q(m_body).data(), m_reduced);
        m_skin.evaluate({stopped.data()}, Vector3::Zero(), m_force.data(), m_workers);
        fleshPoints(*m_character, bones, VectorX(m_force.cwiseQuotient(m_character->flesh->restEigenvalues)).data(),
                    m_still);
        m_missed += (m_reduced - m_still - known).squaredNorm();
        m_secondary += known.squaredNorm();
        m_apart += (m_reduced - full).squaredNorm();
        m_vertices += static_cast<double>(full.cols());
    }
    Missed missed() const {
        return {std::sqrt(m_missed / m_secondary), 100.0 * std::sqrt(m_apart / m_vertices) / halfWidth};
    }

private:
    static BatchSettings settings() {
        BatchSettings settings;
        settings.integrator = Integrator::Analytic;
        settings.coupling = Coupling::None;
        settings.damping.stiffness = damping;
        return settings;
    }

    std::shared_ptr<const CharacterModel> m_character;
    BodyBatch m_batch;
    int m_body;
    SkinForces m_skin;
    Workers m_workers{1};
    double m_h;
    VectorX m_before, m_force;
    Points m_reduced, m_still;
    double m_missed = 0.0, m_secondary = 0.0, m_apart = 0.0, m_vertices = 0.0;
};

/// From rest, `steps` of h seconds. @param characters of one mesh, rig and clip, so that one full model is beside all
std::vector<Missed> compare(const std::vector<std::shared_ptr<const CharacterModel>>& characters, double h, int steps) {
    const auto& first = characters.front();
    const Clip& clip = first->clips[0];
    std::vector<std::unique_ptr<ReducedFlesh>> reduced;
    for (const auto& character : characters) reduced.push_back(std::make_unique<ReducedFlesh>(character, h));
    std::vector<MovingFrame> bones;
    motionAt(first->skeleton, clip, 0.0, bones);
    FullFlesh full(first, bones, h, damping), settled(first, bones, h);
    for (int i = 1; i <= steps; ++i) {
        motionAt(first->skeleton, clip, repeated(clip, i * h), bones);
        full.step(bones, Vector3::Zero());
        std::vector<MovingFrame> stopped = bones;
        for (MovingFrame& bone : stopped) bone.velocity.setZero(), bone.acceleration.setZero();
        settled.settle(stopped, Vector3::Zero());
        const Points known = full.positions() - settled.positions();
        for (const auto& flesh : reduced) {
            flesh->step(bones);
            flesh->compare(bones, stopped, full.positions(), known);
        }
    }
    std::vector<Missed> missed;
    for (const auto& flesh : reduced) missed.push_back(flesh->missed());
    return missed;
}

std::shared_ptr<const CharacterModel> characterOf(const Clip& clip, int dimension, bool modesAlone = false) {
    const VolumeMesh mesh = barMesh();
    Rig rig = barRig(mesh);
    rig.clips = {clip};
    CharacterOptions options = barOptions();
    options.modes = modesAlone ? dimension : 24;
    options.dimension = dimension;
    options.modesAlone = modesAlone;
    options.jointRange = 0.0;
    return makeCharacter(rig, mesh, options, "bar");
}

// From rest, so that what is heard is half free ringing: six coordinates miss 0.29 of it, 24 miss 0.23.
TEST(MovingBar, ShakesAsTheFullModel) {
    const Missed missed = compare({characterOf(shaking(), 48)}, 1.0 / 240.0, 80)[0];
    std::printf("shaken, r = 48: misses %.3f of the secondary motion, %.2f %% of the half width\n", missed.secondary,
                missed.distance);
    EXPECT_LT(missed.secondary, 0.12);
}

TEST(MovingBar, OnItsOwnClipSixCoordinatesAreAsManyModes) {
    const std::vector<Missed> missed =
        compare({characterOf(bending(), 6), characterOf(bending(), 96, true)}, 1.0 / 120.0, 120);
    const Missed six = missed[0], modes = missed[1];
    std::printf("bent at 1 Hz: r = 6 misses %.3f (%.2f %%), 96 modes %.3f (%.2f %%)\n", six.secondary, six.distance,
                modes.secondary, modes.distance);
    EXPECT_LT(six.distance, 1.1 * modes.distance);
}

}  // namespace
}  // namespace pliant::test
