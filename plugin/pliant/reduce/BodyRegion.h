// SPDX-License-Identifier: Zlib
/// @file
/// Parts of a body that users name by place or by name: to hold them, or to give them a material.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// What a BodyRegion is told by.
enum class RegionKind {
    Box,        ///< An axis-aligned box: x0, y0, z0, x1, y1, z1.
    Sphere,     ///< A ball: x, y, z of its centre, and its radius.
    HalfSpace,  ///< The points n . x <= d, as nx, ny, nz, d. The normal may have any length.
    Material,   ///< What has the material of that name in the input.
    Group       ///< What stands in the object or group of that name in a .obj.
};

/// A part of a body. Numbers are in the axes and the unit of the input's coordinates.
struct PLIANT_API BodyRegion {
    RegionKind kind = RegionKind::Box;  ///< What it is told by.
    std::array<double, 6> numbers{};    ///< As the kind says; the rest is zero.
    std::string name;                   ///< Of a material or a group.

    /// As parse() reads it: "box=0,0,0,1,1,1", "sphere=0,0,0,0.5", "halfspace=0,0,1,0", "material=NAME", "group=NAME".
    std::string text() const;
    /// The region that a text describes.
    /// @throws Error that names the text
    static BodyRegion parse(const std::string& text);
    /// Whether numbers and name are those of a region.
    /// @throws Error that names the region
    void check() const;
    /// Whether a box, sphere or half space holds x, or comes as close as `slack`.
    bool holds(const Vector3& x, double slack) const;
};

/// How many numbers a kind of region takes: 0 for those that are told by a name.
PLIANT_API int numberCount(RegionKind kind);

/// A part of a voxelised surface with a material of its own. Constants that are not given are those of the body.
struct PLIANT_API MaterialRegion {
    std::string name;                     ///< Of the material; regions of one name are of one material.
    BodyRegion where;                     ///< Bricks with their centre in it, or with surface of that name in them.
    std::optional<double> youngsModulus;  ///< Young's modulus, Pa.
    std::optional<double> poissonRatio;   ///< Poisson ratio.
    std::optional<double> density;        ///< Density, kg/m^3.

    /// As parse() reads it: "NAME:young=2e5,density=300:WHERE".
    std::string text() const;
    /// The region that a text describes.
    /// @throws Error that names the text
    static MaterialRegion parse(const std::string& text);
    /// Whether name, constants and place are possible.
    /// @throws Error that names the region
    void check() const;
};

}  // namespace pliant
