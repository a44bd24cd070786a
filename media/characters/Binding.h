// SPDX-License-Identifier: Zlib
// What all characters are made with: bones at places, looks, weights that are smooth over the surface, clips of
// swinging bones.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pliant/rig/Rig.h"

namespace characters {

/// Appends a bone whose frame has the axes of the world. @param head m, world  @return its number
int addBone(pliant::Skeleton& skeleton, const std::string& name, int parent, const pliant::Vector3& head);

/// A surface of one colour, hardly shiny. @param shininess specular exponent
pliant::SurfaceMaterial matt(const std::string& name, const pliant::Vector3& diffuse, double shininess);

/// A straight piece of a bone that skin near it belongs to.
struct Region {
    int bone = 0;
    pliant::Vector3 from, to;  ///< m
    double radius = 1.0;       ///< m, how thick the body is there: distances are told in it
};

/// Each vertex belongs to the nearest region; then weights flow over the edges of the surface, `rounds` times half way
/// to the mean of the neighbours, so that limbs that are near each other in space alone share none.
void bindToRegions(pliant::Rig& rig, const std::vector<Region>& regions, int rounds);

/// How a bone swings: about an axis of the world, by angle(t) rad, t in periods.
struct Swing {
    std::string bone;
    pliant::Vector3 axis;
    std::function<double(double)> angle;
};

/// A clip of swinging bones, and of the first bone's rise(t) m along z (none: it keeps its place), with `keys`
/// intervals between its keys.
/// @param period s; angles are to repeat with it
pliant::Clip makeClip(const pliant::Rig& rig, const std::string& name, double period, int keys,
                      const std::vector<Swing>& swings, const std::function<double(double)>& rise);

}  // namespace characters
