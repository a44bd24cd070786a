// SPDX-License-Identifier: Zlib
#include "validate/CharacterValidation.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "pliant/character/FullFlesh.h"
#include "pliant/model/CharacterShape.h"
#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/DefaultDamping.h"
#include "pliant/runtime/SkinForces.h"
#include "validate/SvgPlot.h"

namespace pliant::program {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

const Clip& clipOf(const CharacterModel& character, const std::string& name) {
    std::string names;
    for (const Clip& clip : character.clips) {
        if (name.empty() || clip.name == name) return clip;
        names += (names.empty() ? "" : ", ") + clip.name;
    }
    throw Error(character.flesh->name, name.empty() ? "it has no clip to move by" : "it has no clip \"" + name + "\"",
                names.empty() ? "" : "its clips are " + names);
}

double distance(const Points& a, const Points& b) {
    return std::sqrt((a - b).squaredNorm() / static_cast<double>(a.cols()));
}

std::vector<MovingFrame> stopped(std::vector<MovingFrame> bones) {
    for (MovingFrame& bone : bones) {
        bone.velocity.setZero();
        bone.acceleration.setZero();
    }
    return bones;
}

/// Reduced flesh. It takes the full model's own steps, implicit Newmark under the force at their end, so that the time
/// integration does not tell them apart: exact oscillators, under the mean force of a step, are where that force's
/// middle says, which at 60 steps a second is farther from the full model than what bones stir in the flesh. What is
/// left is the basis, of linear flesh its law, and damping, which here acts on what flesh adds to the skin alone.
class ReducedFlesh {
public:
    ReducedFlesh(std::shared_ptr<const CharacterModel> character, double damping)
        : m_character(std::move(character)),
          m_batch(m_character->flesh, settings(Integrator::Newmark, damping)),
          m_resting(m_character->flesh, settings(Integrator::Static, 0.0)),
          m_skin(m_character, RestShape::Flesh),
          m_force(m_character->flesh->dimension()),
          m_body(m_batch.add()),
          m_restingBody(m_resting.add()) {
        FrameMotion frame;
        frame.driven = true;
        m_batch.setFrame(m_body, frame);
        m_resting.setFrame(m_restingBody, frame);
    }
    /// In equilibrium with the bones as if they stood still, with the acceleration that follows from their motion.
    void settle(const std::vector<MovingFrame>& bones) {
        m_batch.q(m_body) = restingAnswer(bones);
        m_batch.velocity(m_body).setZero();
        m_batch.resetAcceleration(m_body);  // without a force, and of a mass of one
        m_skin.evaluate({bones.data()}, Vector3::Zero(), m_force.data(), m_workers);
        m_batch.acceleration(m_body) += m_force;
    }
    void step(const std::vector<MovingFrame>& bones, double h) {
        m_skin.evaluate({bones.data()}, Vector3::Zero(), m_force.data(), m_workers);
        m_batch.addForce(m_body, m_force.data());
        m_batch.step(h, {m_body}, m_workers);
    }
    void points(const std::vector<MovingFrame>& bones, Points& points) const {
        fleshPoints(*m_character, bones, m_batch.q(m_body).data(), points);
    }
    /// Where it would come to rest in a pose.
    void restingPoints(const std::vector<MovingFrame>& bones, Points& points) {
        fleshPoints(*m_character, bones, restingAnswer(bones).data(), points);
    }

private:
    VectorX restingAnswer(const std::vector<MovingFrame>& bones) {
        m_skin.evaluate({stopped(bones).data()}, Vector3::Zero(), m_force.data(), m_workers);
        m_resting.addForce(m_restingBody, m_force.data());
        m_resting.step(1.0, {m_restingBody}, m_workers);
        return m_resting.q(m_restingBody);
    }
    /// Newton's method to convergence, as the full model has it, and no guard that would take motion away.
    static BatchSettings settings(Integrator integrator, double damping) {
        BatchSettings settings;
        settings.integrator = integrator;
        settings.newmark.iterations = 20;
        settings.coupling = Coupling::None;
        settings.damping.stiffness = damping;
        settings.damping.form = DampingForm::CurrentStiffness;
        settings.energyGuard = false;
        settings.blockSize = 1;  // in double precision
        return settings;
    }
    std::shared_ptr<const CharacterModel> m_character;
    BodyBatch m_batch, m_resting;
    SkinForces m_skin;
    VectorX m_force;
    int m_body, m_restingBody;
    Workers m_workers{1};
};

/// Mean of the way to the surface of the bones that carry skin; the cores are a share of it.
double halfWidthOf(const CharacterModel& character) {
    const Points& X = character.flesh->surface.positions;
    double sum = 0.0;
    int count = 0;
    for (int b = 0; b < character.skeleton.boneCount(); ++b) {
        const Bone& bone = character.skeleton.bones[static_cast<std::size_t>(b)];
        for (const Vector3& end : bone.ends) {
            const Vector3 middle = 0.5 * (bone.head() + end);
            sum += std::sqrt((X.colwise() - middle).colwise().squaredNorm().minCoeff());
            ++count;
        }
    }
    return count > 0 ? sum / count : 1.0;
}

}  // namespace

double CharacterValidation::overall(const std::vector<double>& distances) {
    double sum = 0.0;
    for (const double d : distances) sum += d * d;
    return distances.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(distances.size()));
}

CharacterValidation validateCharacter(const std::shared_ptr<const CharacterModel>& character,
                                      const CharacterRunOptions& options, const ProgressCallback& progress) {
    const Clip& clip = clipOf(*character, options.clip);
    CharacterValidation result;
    result.clip = clip.name;
    result.timeStep = 1.0 / options.stepsPerSecond;
    result.damping = defaultDamping(*character->flesh).stiffness;
    result.halfWidth = halfWidthOf(*character);
    const double seconds = options.seconds > 0.0 ? options.seconds : clip.end - clip.start;
    const int steps = std::max(1, static_cast<int>(std::lround(seconds * options.stepsPerSecond)));
    std::vector<MovingFrame> bones;
    motionOf(character->skeleton, bindPose(character->skeleton), bones);
    FullFlesh settled(character, bones, result.timeStep);
    motionAt(character->skeleton, clip, clip.start, bones);
    FullFlesh full(character, bones, result.timeStep, result.damping);
    full.settle(bones, Vector3::Zero());
    ReducedFlesh reduced(character, result.damping);
    reduced.settle(bones);
    Points bent, resting, skinned;
    double missed = 0.0, moved = 0.0;
    for (int i = 1; i <= steps; ++i) {
        reportProgress(progress, "full model", static_cast<double>(i) / steps);
        motionAt(character->skeleton, clip, repeated(clip, i * result.timeStep), bones);
        Clock::time_point start = Clock::now();
        full.step(bones, Vector3::Zero());
        result.fullSeconds += since(start);
        settled.settle(stopped(bones), Vector3::Zero());
        start = Clock::now();
        reduced.step(bones, result.timeStep);
        result.reducedSeconds += since(start);
        reduced.points(bones, bent);
        reduced.restingPoints(bones, resting);
        fleshPoints(*character, bones, nullptr, skinned);
        result.skin.push_back(distance(skinned, full.positions()));
        result.reduced.push_back(distance(bent, full.positions()));
        const Points known = full.positions() - settled.positions();
        result.secondary.push_back(distance(full.positions(), settled.positions()));
        missed += (bent - resting - known).squaredNorm();
        moved += known.squaredNorm();
    }
    result.missed = moved > 0.0 ? std::sqrt(missed / moved) : 0.0;
    return result;
}

}  // namespace pliant::program
