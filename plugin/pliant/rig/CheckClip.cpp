// SPDX-License-Identifier: Zlib
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/rig/TrackRange.h"

namespace pliant {

namespace {

void checkTangents(const Track& track, const std::string& where) {
    const auto fits = [&](const MatrixX& tangents) {
        return tangents.rows() == track.values.rows() && tangents.cols() == track.values.cols() && tangents.allFinite();
    };
    if (!track.steps && (!fits(track.arrivals) || !fits(track.departures)))
        throw Error(where, "needs a finite tangent on both sides of each key");
}

void checkTrack(const Track& track, Eigen::Index components, const std::string& where) {
    if (track.times.empty()) return;
    if (track.values.rows() != components || track.values.cols() != static_cast<Eigen::Index>(track.times.size()))
        throw Error(where, std::to_string(track.times.size()) + " times and " + std::to_string(track.values.cols()) +
                               " values of " + std::to_string(track.values.rows()) + " numbers");
    for (std::size_t k = 0; k < track.times.size(); ++k) {
        if (!std::isfinite(track.times[k])) throw Error(where, "a time that is not finite, key " + std::to_string(k));
        if (k > 0 && track.times[k] <= track.times[k - 1])
            throw Error(
                where, "times do not grow at key " + std::to_string(k) + " (" + std::to_string(track.times[k]) + " s)");
    }
    if (!track.values.allFinite()) throw Error(where, "a value that is not finite");
    checkTangents(track, where);
}

/// Between keys, too, where splines may go anywhere: below zero bones are mirrored.
void checkAboveZero(const Track& scale, const std::string& bone) {
    const TrackRange range = rangeOf(scale, 0);
    if (!(range.least > 0.0))
        throw Error(bone, "a scale of " + std::to_string(range.least) + " at " + std::to_string(range.leastTime) + " s",
                    "scales have to be above zero");
}

}  // namespace

void checkClip(const Skeleton& skeleton, const Clip& clip, const std::string& where) {
    const std::string here = where + ": clip \"" + clip.name + "\"";
    std::vector<bool> seen(skeleton.bones.size(), false);
    for (const BoneMotion& motion : clip.motions) {
        if (motion.bone < 0 || motion.bone >= skeleton.boneCount())
            throw Error(here,
                        "moves bone " + std::to_string(motion.bone) + " of " + std::to_string(skeleton.boneCount()));
        const auto b = static_cast<std::size_t>(motion.bone);
        const std::string bone = here + ", bone \"" + skeleton.bones[b].name + "\"";
        if (seen[b]) throw Error(bone, "is moved twice");
        seen[b] = true;
        checkTrack(motion.translation, 3, bone + ", translation");
        checkTrack(motion.rotation, 4, bone + ", rotation");
        checkTrack(motion.scale, 1, bone + ", scale");
        for (Eigen::Index k = 0; k < motion.rotation.values.cols(); ++k)
            if (std::abs(motion.rotation.values.col(k).norm() - 1.0) > 1e-2)
                throw Error(bone, "the rotation of key " + std::to_string(k) + " has the length " +
                                      std::to_string(motion.rotation.values.col(k).norm()) + " instead of 1");
        if (!motion.scale.times.empty()) checkAboveZero(motion.scale, bone);
    }
}

}  // namespace pliant
