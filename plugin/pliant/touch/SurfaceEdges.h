// SPDX-License-Identifier: Zlib
// Where a thin solid has sharp edges, as pieces between neighbouring points of its surface: points alone do not hold
// edges that cross each other, since those of thin bodies lie farther apart than the other body is thick.
#pragma once

#include <vector>

#include "pliant/math/Types.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// A piece of a sharp, convex edge. The other body is below it where the way to there is between the two faces.
struct SharpEdge {
    int first = -1, second = -1;        ///< Spheres of the skeleton at both ends.
    Vector3 outward = Vector3::Zero();  ///< Unit vector half-way between the normals of both faces at rest, body frame.
    double halfTurn = 0.0;              ///< Angle from there to each of the normals, rad.
    bool isEnd[2] = {false, false};  ///< Whether no other piece goes on at `first` and at `second`, within 30 degrees.
    double room = 0.0;               ///< Distance of its middle from the body's other edges at rest, m: measureRoom().
};

/// The edges of the drawn surface along which a model has surface points, cut at each of these. None of an open
/// surface: what collides of it is not what is drawn; nor of one of more than 4,000 points, or that many times three
/// pieces.
/// @param isSurfacePoint of every sphere @param restPoints of the spheres, 3 x b, mesh frame, m
std::vector<SharpEdge> surfaceEdges(const ReducedModel& model, const std::vector<char>& isSurfacePoint,
                                    const Points& restPoints);
/// Sets SharpEdge::room of all, each of which is compared with every other.
void measureRoom(const Points& restPoints, std::vector<SharpEdge>& edges);

}  // namespace pliant
