// SPDX-License-Identifier: Zlib
#include "pliant/view/DebugShapes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pliant {

const char* nameOf(DebugLayer layer) {
    static constexpr const char* names[] = {"segments", "contacts", "joints",        "frames and boxes", "activity",
                                            "energies", "spheres",  "other objects", "pressure"};
    static_assert(std::size(names) == debugLayerCount, "a layer without a name");
    return names[static_cast<int>(layer)];
}

DebugColour colourOnScale(double share) {
    static constexpr float scale[5][3] = {{0.267f, 0.005f, 0.329f},
                                          {0.229f, 0.322f, 0.546f},
                                          {0.128f, 0.567f, 0.551f},
                                          {0.369f, 0.789f, 0.383f},
                                          {0.993f, 0.906f, 0.144f}};
    const double at = 4.0 * (share > 0.0 ? std::min(share, 1.0) : 0.0);
    const int below = std::min(static_cast<int>(at), 3);
    const float part = static_cast<float>(at - below);
    const auto mixed = [&](int i) { return (1.0f - part) * scale[below][i] + part * scale[below + 1][i]; };
    return {mixed(0), mixed(1), mixed(2), 1.0f};
}

void DebugShapes::clear() {
    lines.clear();
    capsules.clear();
    discs.clear();
    texts.clear();
}

void DebugShapes::addLine(DebugLayer layer, const Vector3& from, const Vector3& to, const DebugColour& colour) {
    lines.push_back({layer, from, to, colour});
}

void DebugShapes::addSphere(DebugLayer layer, const Vector3& centre, double radius, const DebugColour& colour) {
    capsules.push_back({layer, {centre, centre}, {radius, radius}, colour});
}

void DebugShapes::addDisc(DebugLayer layer, const Vector3& centre, const Vector3& normal, double radius,
                          const DebugColour& colour) {
    discs.push_back({layer, centre, normal, radius, colour});
}

void DebugShapes::addFrame(DebugLayer layer, const RigidTransform& worldFromFrame, double length) {
    const DebugColour axes[3] = {{0.9f, 0.15f, 0.15f, 1.0f}, {0.15f, 0.75f, 0.15f, 1.0f}, {0.2f, 0.35f, 1.0f, 1.0f}};
    for (int axis = 0; axis < 3; ++axis)
        addLine(layer, worldFromFrame.translation, worldFromFrame.point(length * Vector3::Unit(axis)), axes[axis]);
}

void DebugShapes::addBox(DebugLayer layer, const RigidTransform& worldFromFrame, const Vector3& lower,
                         const Vector3& upper, const DebugColour& colour) {
    const auto corner = [&](int bits) {
        Vector3 x = lower;
        for (int axis = 0; axis < 3; ++axis)
            if (bits & (1 << axis)) x[axis] = upper[axis];
        return worldFromFrame.point(x);
    };
    for (int bits = 0; bits < 8; ++bits)
        for (int axis = 0; axis < 3; ++axis)
            if (!(bits & (1 << axis))) addLine(layer, corner(bits), corner(bits | (1 << axis)), colour);
}

void DebugShapes::addText(DebugLayer layer, const Vector3& at, std::string text, const DebugColour& colour) {
    texts.push_back({layer, at, std::move(text), colour});
}

}  // namespace pliant
