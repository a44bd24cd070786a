// SPDX-License-Identifier: Zlib
#include "pliant/rig/Clip.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {

namespace {

/// Each quaternion on the side of the one before it: q and -q turn alike, but the curve between them does not.
void intoOneHemisphere(MatrixX& values) {
    for (Eigen::Index k = 1; k < values.cols(); ++k)
        if (values.col(k).dot(values.col(k - 1)) < 0.0) values.col(k) *= -1.0;
}

/// Slope of the parabola through three values, at the middle one. @param before, after lengths of the two intervals, s
VectorX middleSlope(const VectorX& chordBefore, double before, const VectorX& chordAfter, double after) {
    return (chordBefore * after + chordAfter * before) / (before + after);
}

/// Whether the end meets the start. Half turns more or less of a quaternion are the same rotation, but another curve.
bool closes(const MatrixX& values) {
    const Eigen::Index last = values.cols() - 1;
    return last > 1 && (values.col(0) - values.col(last)).norm() <= 1e-5 * (1.0 + values.col(0).norm());
}

MatrixX slopes(const std::vector<double>& times, const MatrixX& values) {
    MatrixX slope = MatrixX::Zero(values.rows(), values.cols());
    const Eigen::Index last = values.cols() - 1;
    if (last < 1) return slope;
    const auto length = [&](Eigen::Index k) {
        return times[static_cast<std::size_t>(k) + 1] - times[static_cast<std::size_t>(k)];
    };
    const auto chord = [&](Eigen::Index k) -> VectorX { return (values.col(k + 1) - values.col(k)) / length(k); };
    for (Eigen::Index k = 1; k < last; ++k)
        slope.col(k) = middleSlope(chord(k - 1), length(k - 1), chord(k), length(k));
    slope.col(0) = chord(0);
    slope.col(last) = chord(last - 1);
    if (closes(values)) {
        slope.col(0) = middleSlope(chord(last - 1), length(last - 1), chord(0), length(0));
        slope.col(last) = slope.col(0);
    }
    return slope;
}

}  // namespace

Track smoothTrack(std::vector<double> times, MatrixX values, bool rotations) {
    if (rotations) intoOneHemisphere(values);
    Track track;
    track.departures = slopes(times, values);
    track.arrivals = track.departures;
    track.times = std::move(times);
    track.values = std::move(values);
    return track;
}

Track stepTrack(std::vector<double> times, MatrixX values) {
    Track track;
    track.times = std::move(times);
    track.values = std::move(values);
    track.steps = true;
    return track;
}

Track splineTrack(std::vector<double> times, MatrixX values, MatrixX arrivals, MatrixX departures) {
    Track track;
    track.times = std::move(times);
    track.values = std::move(values);
    track.arrivals = std::move(arrivals);
    track.departures = std::move(departures);
    return track;
}

void evaluate(const Track& track, double time, double* value) {
    const Eigen::Index components = track.values.rows();
    const auto next = std::upper_bound(track.times.begin(), track.times.end(), time);
    const auto after = static_cast<Eigen::Index>(next - track.times.begin());
    const Eigen::Index before = std::max<Eigen::Index>(0, after - 1);
    if (after == 0 || after == track.values.cols() || track.steps) {
        for (Eigen::Index c = 0; c < components; ++c) value[c] = track.values(c, before);
        return;
    }
    const double from = track.times[static_cast<std::size_t>(before)];
    const double length = track.times[static_cast<std::size_t>(after)] - from;
    const double s = (time - from) / length;
    const double ss = s * s, sss = ss * s;
    for (Eigen::Index c = 0; c < components; ++c)
        value[c] = (2 * sss - 3 * ss + 1) * track.values(c, before) +
                   length * (sss - 2 * ss + s) * track.departures(c, before) +
                   (3 * ss - 2 * sss) * track.values(c, after) + length * (sss - ss) * track.arrivals(c, after);
}

void poseAt(const Skeleton& skeleton, const Clip& clip, double time, Pose& pose) {
    pose.resize(skeleton.bones.size());
    for (std::size_t b = 0; b < pose.size(); ++b) pose[b] = skeleton.bones[b].stance;
    for (const BoneMotion& motion : clip.motions) {
        Similarity& frame = pose[static_cast<std::size_t>(motion.bone)];
        if (!motion.translation.times.empty()) evaluate(motion.translation, time, frame.translation.data());
        if (!motion.scale.times.empty()) evaluate(motion.scale, time, &frame.scale);
        if (motion.rotation.times.empty()) continue;
        std::array<double, 4> q{};
        evaluate(motion.rotation, time, q.data());
        const Rotation turn(q[3], q[0], q[1], q[2]);
        // A spline of the file's may pass through zero, which turns nowhere: the stance stays.
        if (turn.norm() > 1e-6) frame.rotation = turn.normalized();
    }
}

double repeated(const Clip& clip, double seconds) {
    const double length = clip.end - clip.start;
    if (!(length > 0.0)) return clip.start;
    return clip.start + (seconds - length * std::floor(seconds / length));
}

}  // namespace pliant
