// SPDX-License-Identifier: Zlib
#include "pliant/scene/LivePaths.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneParts.h"
#include "pliant/scene/SceneText.h"

namespace pliant::scene {
namespace {

/// The part of a row's path behind the name: ".friction" of "NAME.friction"; all of it where no name stands there.
std::string endOf(const LivePathRow& row) {
    const std::string path = row.path;
    return std::isupper(static_cast<unsigned char>(path[0])) ? path.substr(path.find('.')) : path;
}

/// The ends that a row stands for: one, or one a component.
std::vector<std::string> endsOf(const LivePathRow& row) {
    const std::string end = endOf(row);
    if (!row.isVector) return {end};
    return {end + ".x", end + ".y", end + ".z"};
}

bool hasName(const LivePathRow& row) {
    return endOf(row)[0] == '.';
}

}  // namespace

const std::vector<LivePathRow>& livePathRows() {
    using Kind = LivePath::Kind;
    static const std::vector<LivePathRow> rows = {
        {"gravity", true, Kind::Gravity, {-1.0e4, 1.0e4}, "m/s^2", true, "of everything that moves"},
        {"JOINT.motor.velocity",
         false,
         Kind::MotorVelocity,
         {-1.0e4, 1.0e4},
         "rad/s or m/s",
         false,
         "that the motor of these joints wants"},
        {"JOINT.motor.strength", false, Kind::MotorStrength, {0.0, 1.0e12}, "N m or N", false, "that it has at most"},
        {"NAME.friction", false, Kind::Friction, {0.0, 100.0}, "", false, "of these bodies"},
        {"NAME.restitution", false, Kind::Restitution, {0.0, 1.0}, "", false, "of these bodies"},
        {"NAME.damping.mass", false, Kind::MassDamping, {0.0, 1.0e6}, "1/s", false, "of these reduced bodies"},
        {"NAME.damping.stiffness", false, Kind::StiffnessDamping, {0.0, 1.0e3}, "s", false, "of these reduced bodies"},
        {"NAME.stiffness",
         false,
         Kind::Stiffness,
         {1.0e-6, 1.0e6},
         "",
         false,
         "factor on that of the materials of these reduced bodies; NAME.material.MATERIAL.stiffness: of one material"},
        {"GROUP.position", true, Kind::Position, kPosition, "m", true,
         "of this kinematic group, which follows its expression no longer"},
        {"GROUP.rotation", true, Kind::Rotation, {-1.0e6, 1.0e6}, "degrees", false, "likewise"},
        {"sun.brightness", false, Kind::SunBrightness, {0.0, 100.0}, "", false, "of the sun; led along keys alone"},
        {"LAMP.brightness", false, Kind::LampBrightness, {0.0, 1.0e6}, "", false, "of this lamp; along keys alone"},
        {"LAMP.at", true, Kind::LampPosition, kPosition, "m", true, "where this lamp stands; along keys alone"},
        {"CAMERA.from", true, Kind::CameraFrom, kPosition, "m", true,
         "the eye of this camera, which stands still else; along keys alone"},
        {"CAMERA.to", true, Kind::CameraTo, kPosition, "m", true, "what it looks at; along keys alone"},
        {"CAMERA.field_of_view",
         false,
         Kind::FieldOfView,
         {1.0, 150.0},
         "degrees",
         false,
         "of this camera; along keys alone"}};
    return rows;
}

LivePathMatch matchLivePath(const std::string& path) {
    for (const LivePathRow& row : livePathRows()) {
        const std::vector<std::string> ends = endsOf(row);
        for (std::size_t axis = 0; axis < ends.size(); ++axis) {
            const std::string& end = ends[axis];
            if (!hasName(row) && path == end) return {&row, {}, static_cast<int>(axis)};
            if (!hasName(row) || path.size() <= end.size()) continue;
            const std::size_t name = path.size() - end.size();
            if (path.compare(name, end.size(), end) == 0) return {&row, path.substr(0, name), static_cast<int>(axis)};
        }
    }
    return {};
}

const LivePathRow& livePathRow(LivePath::Kind kind) {
    const auto& rows = livePathRows();
    return *std::find_if(rows.begin(), rows.end(), [kind](const LivePathRow& row) { return row.kind == kind; });
}

std::string livePathCure(const std::string& path, const std::string& name, const std::vector<LivePath::Kind>& kinds) {
    const std::string owner = name.empty() ? path.substr(0, path.find('.')) : name;
    std::vector<std::string> known, own;  // what stands behind a name, and paths without one
    std::string all;
    for (const LivePathRow& row : livePathRows()) {
        if (!name.empty() && std::find(kinds.begin(), kinds.end(), row.kind) == kinds.end()) continue;
        for (const std::string& end : endsOf(row)) (hasName(row) ? known : own).push_back(end);
        const std::string shown = !name.empty() && hasName(row) ? endOf(row).substr(1) : row.path;
        all += (all.empty() ? "" : ", ") + shown + (row.isVector ? ".x" : "");
    }
    const std::string end = nearestWord(path.substr(owner.size()), known), whole = nearestWord(path, own);
    if (!end.empty()) return "did you mean \"" + owner + end + "\"?";
    if (!whole.empty()) return "did you mean \"" + whole + "\"?";
    return (name.empty() ? "there are " : owner + " has ") + all;
}

std::string livePathPattern() {
    std::string pattern;
    for (const LivePathRow& row : livePathRows()) {
        std::string escaped = hasName(row) ? ".+" : "";
        for (const char c : endOf(row)) escaped += c == '.' ? std::string("\\.") : std::string(1, c);
        pattern += (pattern.empty() ? "^(" : "|") + escaped + (row.isVector ? "\\.[xyz]" : "");
    }
    return pattern + ")$";
}

std::string livePathsAsMarkdown() {
    std::string text =
        "## live numbers\nWhat events and animations give values to: the word in capital letters is a name of the "
        "scene, and of a vector a component stands behind (`gravity.z`).\n\n"
        "| path | what it may be | unit | meaning |\n|---|---|---|---|\n";
    for (const LivePathRow& row : livePathRows())
        text += std::string("| `") + row.path + (row.isVector ? ".x`, `.y`, `.z` | " : "` | ") +
                printed(row.range.least) + " to " + printed(row.range.most) + " | " + row.unit + " | " + row.sentence +
                " |\n";
    return text + "\n";
}

}  // namespace pliant::scene
