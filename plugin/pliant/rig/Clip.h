// SPDX-License-Identifier: Zlib
/// @file
/// Clips: what the bones do over time, as curves whose velocity is continuous.
///
/// Straight lines between keys jump in velocity at each of them: at 30 keys/s they ring a mode of 30 Hz ten times too
/// loud. So keys that a file joins by straight lines get the tangents of Catmull and Rom; splines keep the tangents of
/// the file, and steps stay jumps.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/rig/Skeleton.h"

namespace pliant {

/// A curve through keys: cubic Hermite pieces, or steps. Components: 3 of translations (m), 4 of rotations (x, y, z,
/// w), 1 of scales.
struct Track {
    std::vector<double> times;  ///< Times of the k keys, s, strictly growing; none: the bone keeps its stance.
    MatrixX values;             ///< Components x k.
    MatrixX arrivals;           ///< Derivatives, components x k, when a key is reached, 1/s; empty of steps.
    MatrixX departures;         ///< Derivatives, components x k, when a key is left, 1/s; empty of steps.
    bool steps = false;         ///< Each value holds until the next key.
};

/// What one bone does; tracks without keys leave it to its stance.
struct BoneMotion {
    int bone = 0;       ///< Number of the bone.
    Track translation;  ///< Position in the parent, m.
    Track rotation;     ///< Rotation in the parent.
    Track scale;        ///< Scale of the bone against its parent.
};

/// A motion with a name. Before its start and after its end it stands still.
struct Clip {
    std::string name;                 ///< Name, as in the file.
    double start = 0.0;               ///< Time of the first key of all tracks, s.
    double end = 0.0;                 ///< Time of the last key of all tracks, s.
    std::vector<BoneMotion> motions;  ///< Motions of bones, at most one a bone.
};

/// A curve through the keys with Catmull and Rom's tangents at uneven times: exact for parabolas inside, chords at the
/// ends. Where the first and the last value are equal the curve closes, and a clip that is repeated has no kink there.
/// @param rotations quaternions are first taken into one hemisphere, each to its predecessor
PLIANT_API Track smoothTrack(std::vector<double> times, MatrixX values, bool rotations);

/// Jumps at the keys.
PLIANT_API Track stepTrack(std::vector<double> times, MatrixX values);

/// A curve with tangents of its own.
PLIANT_API Track splineTrack(std::vector<double> times, MatrixX values, MatrixX arrivals, MatrixX departures);

/// The curve at a time; before the first key its value, after the last that one's. Does not normalise.
/// @param value filled with as many numbers as the track has components
PLIANT_API void evaluate(const Track& track, double time, double* value);

/// The pose at a time of the file's. Bones without tracks keep their stance. Never throws; allocates nothing where
/// `pose` has its size.
PLIANT_API void poseAt(const Skeleton& skeleton, const Clip& clip, double time, Pose& pose);

/// The time inside of the clip that many seconds after its start, over and over; below zero counts from the end.
PLIANT_API double repeated(const Clip& clip, double seconds);

/// @throws Error at `where`, naming clip and bone: times that do not grow, sizes that differ, values that are not
/// finite, rotations without length, scales that are not above zero at keys and between them
PLIANT_API void checkClip(const Skeleton& skeleton, const Clip& clip, const std::string& where);

}  // namespace pliant
