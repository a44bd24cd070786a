// SPDX-License-Identifier: Zlib
/// @file
/// What cannot be seen of a simulation, as shapes for the eye: plain numbers in layers.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// What a shape tells about; users switch them on and off one by one.
enum class DebugLayer {
    Segments,  ///< The swept segments that bodies touch each other with.
    Contacts,  ///< Where bodies touch, the normals and the impulses.
    Joints,    ///< What holds bodies together, and its limits.
    Frames,    ///< Frames of bodies, and the boxes around them.
    Activity,  ///< Who sleeps, and at which level of detail bodies move.
    Energies,  ///< Energy of each elastic shape of a picked body.
    Spheres,   ///< Bounding spheres, of one level.
    Objects,   ///< What other engines draw of their own objects.
    Pressure   ///< Pressure of distributed contact, in colours on the surfaces that it acts on.
};
constexpr int debugLayerCount = 9;  ///< The number of layers.
/// The name of a layer, for people.
PLIANT_API const char* nameOf(DebugLayer layer);

/// A colour, linear.
struct DebugColour {
    float red = 1.0f;    ///< 0 to 1.
    float green = 1.0f;  ///< 0 to 1.
    float blue = 1.0f;   ///< 0 to 1.
    float alpha = 1.0f;  ///< 0: nothing is seen; 1: nothing is seen through it.
};

/// The colour of a share on a scale from dark blue over green to yellow, whose steps are even for the eye and which is
/// read without telling red from green (five colours of matplotlib's viridis, joined linearly).
/// @param share 0 to 1; others count as the nearer end
PLIANT_API DebugColour colourOnScale(double share);

/// Lines, swept spheres, discs and texts, in world coordinates; filled by who simulates, drawn by who draws.
struct PLIANT_API DebugShapes {
    /// A straight line.
    struct Line {
        DebugLayer layer = DebugLayer::Objects;  ///< What it tells about.
        Vector3 from = Vector3::Zero();          ///< One end, m.
        Vector3 to = Vector3::Zero();            ///< The other end, m.
        DebugColour colour;                      ///< Its colour.
    };
    /// What a sphere sweeps whose radius goes linearly from end to end; a sphere where both ends are one.
    struct Capsule {
        DebugLayer layer = DebugLayer::Objects;               ///< What it tells about.
        Vector3 end[2] = {Vector3::Zero(), Vector3::Zero()};  ///< Middles of the spheres, m.
        double radius[2] = {0.0, 0.0};                        ///< Their radii, m.
        DebugColour colour;                                   ///< Its colour.
    };
    /// A flat disc, seen from both sides.
    struct Disc {
        DebugLayer layer = DebugLayer::Objects;  ///< What it tells about.
        Vector3 centre = Vector3::Zero();        ///< Centre, m.
        Vector3 normal = Vector3::UnitZ();       ///< Unit length.
        double radius = 0.0;                     ///< Radius, m.
        DebugColour colour;                      ///< Its colour.
    };
    /// A text that faces the eye.
    struct Text {
        DebugLayer layer = DebugLayer::Objects;  ///< What it tells about.
        Vector3 at = Vector3::Zero();            ///< Where it begins, m.
        std::string text;                        ///< UTF-8; lines end with '\n'.
        DebugColour colour;                      ///< Its colour.
    };

    /// Bit i: somebody looks at layer i; others may be left out by who fills. clear() leaves it.
    unsigned int wanted = ~0u;

    std::vector<Line> lines;        ///< All lines.
    std::vector<Capsule> capsules;  ///< All spheres and swept spheres.
    std::vector<Disc> discs;        ///< All discs.
    std::vector<Text> texts;        ///< All texts.

    /// Whether somebody looks at a layer.
    bool wants(DebugLayer layer) const { return (wanted & (1u << static_cast<unsigned int>(layer))) != 0; }
    /// Forgets everything; memory is used again.
    void clear();
    /// Adds a line.
    void addLine(DebugLayer layer, const Vector3& from, const Vector3& to, const DebugColour& colour);
    /// Adds a sphere. @param radius m
    void addSphere(DebugLayer layer, const Vector3& centre, double radius, const DebugColour& colour);
    /// Adds a disc. @param normal of unit length @param radius m
    void addDisc(DebugLayer layer, const Vector3& centre, const Vector3& normal, double radius,
                 const DebugColour& colour);
    /// Adds the axes of a frame: x red, y green, z blue. @param length of each, m
    void addFrame(DebugLayer layer, const RigidTransform& worldFromFrame, double length);
    /// Adds the twelve edges of a box that lies along the axes of a frame.
    /// @param lower, upper opposite corners in the frame, m
    void addBox(DebugLayer layer, const RigidTransform& worldFromFrame, const Vector3& lower, const Vector3& upper,
                const DebugColour& colour);
    /// Adds a text. @param text UTF-8
    void addText(DebugLayer layer, const Vector3& at, std::string text, const DebugColour& colour);
};

}  // namespace pliant
