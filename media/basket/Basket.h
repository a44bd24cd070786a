// SPDX-License-Identifier: Zlib
// A parametric wicker basket: upright stakes that grow out of a wooden hub, weavers that pass in front of and behind
// them in turn, a roped rim and a handle. Every strand is a closed tube of its own; strands touch nowhere (the
// clearance is kept), a simulation mesh whose bricks are larger than the clearance holds them together.
#pragma once

#include <string>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace basket {

constexpr double pi = 3.14159265358979323846;

/// Lengths in metres. z is up, the axis of the basket is the z axis, it stands on z = 0.
struct Options {
    int stakes = 18;            ///< even, so that a closed weaver can alternate around the basket
    int rows = 8;               ///< weavers of the wall
    int baseRings = 3;          ///< weavers of the floor
    int samplesPerStake = 3;    ///< sections of a weaver from one stake to the next
    int sides = 6;              ///< corners of a strand's cross-section
    double hubRadius = 0.050;   ///< wooden disc in the middle of the floor
    double baseRadius = 0.125;  ///< floor, where the stakes turn upwards
    double rimRadius = 0.175;
    double height = 0.150;      ///< from the floor's plane to the rim's
    double bendRadius = 0.030;  ///< of the stakes between floor and wall
    double stakeRadius = 0.0045;
    double weaverRadius = 0.0050;
    double rimStrandRadius = 0.0060;
    double handleRadius = 0.0075;
    double handleHeight = 0.130;  ///< above the rim
    double clearance = 0.0003;    ///< smallest gap between strands
};

enum class Part { Stake, Weaver, BaseRing, Rim, Handle };

/// A tube around a polyline.
struct Strand {
    Part part = Part::Stake;
    int number = 0;                           ///< within its part
    std::vector<pliant::Vector3> centreline;  ///< without a repeated last point
    double radius = 0.0;
    bool closed = false;        ///< a ring; otherwise both ends are capped
    pliant::Vector3 reference;  ///< never parallel to the tangent; fixes where the cross-section starts
};

/// Height and lean of the wall, shared by stakes and weavers.
struct Wall {
    double floorHeight = 0.0;   ///< z of the stakes' floor part
    double bottomRadius = 0.0;  ///< radius and height where the straight wall begins
    double bottomHeight = 0.0;
    double topRadius = 0.0;
    double topHeight = 0.0;

    double radiusAt(double z) const {
        return bottomRadius + (topRadius - bottomRadius) * (z - bottomHeight) / (topHeight - bottomHeight);
    }
};

struct Basket {
    Options options;
    Wall wall;
    std::vector<Strand> strands;
};

/// @throws pliant::Error when the options leave no room for the strands (too many stakes, rows too close).
Basket makeBasket(const Options& options);

/// Smallest distance between the surfaces of two strands, as swept polylines; negative where they overlap.
double clearance(const Strand& a, const Strand& b);

/// Tubes and hub as one drawn surface with normals, texture coordinates, colours and materials.
pliant::SurfaceMesh makeSurface(const Basket& basket);

}  // namespace basket
