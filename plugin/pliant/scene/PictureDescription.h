// SPDX-License-Identifier: Zlib
/// @file
/// What a scene file says about its pictures: cameras, lamps, surroundings, and the files that a run writes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "pliant/math/Types.h"
#include "pliant/scene/LiveNumber.h"
#include "pliant/scene/TimelineDescription.h"
#include "pliant/view/DebugShapes.h"

namespace pliant::scene {

using Colour = std::array<double, 3>;  ///< linear RGB in [0, 1]

/// How a named camera moves.
enum class CameraKind {
    Still,   ///< it does not
    Follow,  ///< with a body
    Orbit,   ///< round a point
    Path     ///< from place to place
};

/// A place of a camera at a time.
struct CameraKey {
    double time = 0.0;               ///< s
    Vector3 from = Vector3::Zero();  ///< the eye, m
    Vector3 to = Vector3::Zero();    ///< what it looks at, m
};

/// A camera with a name.
struct NamedCamera {
    std::string name;                     ///< by which views, shots, events and files name it
    std::string where;                    ///< file:line:column
    CameraKind kind = CameraKind::Still;  ///< how it moves
    double fieldOfView = 35.0;            ///< vertical, degrees
    Vector3 from = Vector3::Zero();       ///< still: the eye, m
    Vector3 to = Vector3::Zero();         ///< still, orbit: what it looks at, m
    Reference of;                         ///< follow: one body
    Vector3 offset = Vector3::Zero();     ///< follow: from the centre of mass of the body to the eye, world axes, m
    double lag = 0.0;                     ///< follow: the time in which it makes up for all but a third, s
    double radius = 1.0;                  ///< orbit: of the circle, m
    double height = 0.0;                  ///< orbit: of the circle above `to`, m
    double period = 0.0;                  ///< orbit: of a turn, s; 0 = it stands
    double start = 0.0;                   ///< orbit: degrees from x (from z where x is up) at t = 0
    std::vector<CameraKey> keys;          ///< path: by time, at least one
};

/// A rectangle of the picture and the camera that it shows.
struct View {
    std::string camera;                                 ///< a name
    std::string where;                                  ///< file:line:column
    std::array<double, 4> area = {0.0, 0.0, 1.0, 1.0};  ///< left, bottom, width, height, shares of the picture
};

/// From a time on the first view shows another camera.
struct Shot {
    double from = 0.0;   ///< s
    std::string camera;  ///< a name
    std::string where;   ///< file:line:column
};

/// A lamp beside the sun. It casts no shadow.
struct Lamp {
    std::string name;                  ///< may be empty
    bool isSpot = false;               ///< shines within a cone
    std::array<LiveNumber, 3> at;      ///< where it stands, m
    Vector3 to = Vector3::Zero();      ///< spot: a point on the axis of its cone, m
    double cone = 40.0;                ///< spot: whole angle, degrees
    Colour colour = {1.0, 0.9, 0.75};  ///< of its light
    LiveNumber brightness{
        1.0};  ///< of what faces it at 1 m, against what the sun does; falls with the distance squared
};

/// What is around a scene. What is absent is as without the block.
struct Environment {
    std::optional<Colour> zenith;   ///< of the sky
    std::optional<Colour> horizon;  ///< of the sky, and of the haze
    std::string image;              ///< drawn in place of the sky, equirectangular; empty: none
    std::optional<Colour> above;    ///< light from the sky
    std::optional<Colour> below;    ///< light from the ground
    std::optional<double> haze;     ///< density, 1/m
    double exposure = 1.0;          ///< factor on all light before tones are mapped
};

/// What cannot be seen of a scene, and is drawn all the same.
struct DebugShow {
    std::array<bool, debugLayerCount> layers = {};  ///< by DebugLayer
    double largestPressure = 0.0;  ///< Pa that have the last colour of the scale; 0: the largest that act at the moment
    double impulseTime = 0.1;      ///< impulses are as long as the way that they alone take a body in this time, s
    double hidden = 0.25;          ///< how strongly what is behind other things is drawn, 0 to 1
};

/// The kinds of files that a run writes.
enum class OutputKind {
    Film,      ///< all frames
    Pictures,  ///< some frames, numbered
    Picture,   ///< one frame
    States,    ///< where everything is, for `pliant play`
    Gltf,      ///< the whole run for modellers, glTF 2.0
    Usd,       ///< the whole run, text of Universal Scene Description
    Vtu,       ///< the bent simulation meshes for ParaView, a list of .vtu files
    Trace      ///< the numbers of every frame, JSON
};

/// A file, or a numbered series of files, that a run writes.
struct OutputFile {
    OutputKind kind = OutputKind::Film;  ///< what
    std::string where;                   ///< file:line:column
    std::string file;                    ///< as seen from the output folder; of pictures with %05d or the like
    int width = 0;                       ///< of pictures, pixels; 0: that of the scene
    int height = 0;                      ///< likewise
    std::string camera;                  ///< a name; empty: what views and shots show
    double every = 0.0;                  ///< pictures, states, glTF, USD, VTU: s; 0 = every frame
    double at = -1.0;                    ///< picture: s; negative: the last frame
    double speed = 1.0;                  ///< film: simulated seconds shown in a second
};

}  // namespace pliant::scene
