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

using Colour = std::array<double, 3>;  ///< Linear RGB in [0, 1].

/// How a named camera moves.
enum class CameraKind {
    Still,   ///< It stands still.
    Follow,  ///< It goes with a body.
    Orbit,   ///< It circles a point.
    Path     ///< From place to place.
};

/// A place of a camera at a time.
struct CameraKey {
    double time = 0.0;               ///< Time of the key, s.
    Vector3 from = Vector3::Zero();  ///< Place of the eye, m.
    Vector3 to = Vector3::Zero();    ///< What it looks at, m.
    Vector3 up = Vector3::Zero();    ///< What is up in the picture; zero: what is up in the scene.
};

/// A camera with a name.
struct NamedCamera {
    std::string name;                     ///< The name that views, shots, events and files know it by.
    std::string where;                    ///< Where it stands in the file: file:line:column.
    CameraKind kind = CameraKind::Still;  ///< How it moves.
    double fieldOfView = 35.0;            ///< Vertical field of view, degrees.
    Vector3 from = Vector3::Zero();       ///< Still: the eye, m.
    Vector3 to = Vector3::Zero();         ///< Still, orbit: what it looks at, m.
    Reference of;                         ///< Follow: one body.
    Vector3 offset = Vector3::Zero();     ///< Follow: from the centre of mass of the body to the eye, world axes, m.
    double lag = 0.0;                     ///< Follow: the time in which it makes up for all but a third, s.
    double radius = 1.0;                  ///< Orbit: of the circle, m.
    double height = 0.0;                  ///< Orbit: of the circle above `to`, m.
    double period = 0.0;                  ///< Orbit: of a turn, s; 0 = it stands.
    double start = 0.0;                   ///< Orbit: degrees from x (from z where x is up) at t = 0.
    std::vector<CameraKey> keys;          ///< Path: by time, at least one.
};

/// A rectangle of the picture and the camera that it shows.
struct View {
    std::string camera;                                 ///< Name of the camera.
    std::string where;                                  ///< Where it stands in the file: file:line:column.
    std::array<double, 4> area = {0.0, 0.0, 1.0, 1.0};  ///< Left, bottom, width, height, shares of the picture.
};

/// From a time on the first view shows another camera.
struct Shot {
    double from = 0.0;   ///< When the shot begins, s.
    std::string camera;  ///< Name of the camera.
    std::string where;   ///< Where it stands in the file: file:line:column.
};

/// A lamp beside the sun. It casts no shadow.
struct Lamp {
    std::string name;                  ///< Its name; may be empty.
    bool isSpot = false;               ///< Shines within a cone.
    std::array<LiveNumber, 3> at;      ///< Where it stands, m.
    Vector3 to = Vector3::Zero();      ///< Spot: a point on the axis of its cone, m.
    double cone = 40.0;                ///< Spot: whole angle, degrees.
    Colour colour = {1.0, 0.9, 0.75};  ///< Colour of its light.
    LiveNumber brightness{
        1.0};  ///< Brightness of what faces it at 1 m, against what the sun does; falls with the distance squared.
};

/// What is around a scene. What is absent is as without the block.
struct Environment {
    std::optional<Colour> zenith;      ///< Colour of the sky overhead.
    std::optional<Colour> horizon;     ///< Colour of the sky at the horizon, and of the haze.
    std::string image;                 ///< An equirectangular image that is drawn in place of the sky; empty: none.
    std::optional<Colour> background;  ///< Colour of everything where nothing is, in place of the sky, and of the haze.
    std::optional<Colour> above;       ///< Light from the sky.
    std::optional<Colour> below;       ///< Light from the ground.
    std::optional<double> haze;        ///< Density, 1/m.
    double exposure = 1.0;             ///< Factor on all light before tones are mapped.
};

/// What cannot be seen of a scene, and is drawn all the same.
struct DebugShow {
    std::array<bool, debugLayerCount> layers = {};  ///< Which layers are shown, by DebugLayer.
    double largestPressure =
        0.0;  ///< Pressure, Pa, that has the last colour of the scale; 0: the largest that act at the moment.
    double impulseTime = 0.1;  ///< Impulses are as long as the way that they alone take a body in this time, s.
    double hidden = 0.25;      ///< How strongly what is behind other things is drawn, 0 to 1.
};

/// The kinds of files that a run writes.
enum class OutputKind {
    Film,      ///< All frames, as a film.
    Pictures,  ///< Some frames, numbered.
    Picture,   ///< One frame.
    States,    ///< Where everything is, for `pliant play`.
    Gltf,      ///< The whole run for modellers, glTF 2.0.
    Usd,       ///< The whole run, text of Universal Scene Description.
    Vtu,       ///< The bent simulation meshes for ParaView, a list of .vtu files.
    Csv,       ///< Where every body is in every frame, a table of text.
    Trace      ///< The numbers of every frame, JSON.
};

/// A file, or a numbered series of files, that a run writes.
struct OutputFile {
    OutputKind kind = OutputKind::Film;  ///< What is written.
    std::string where;                   ///< Where it stands in the file: file:line:column.
    std::string file;                    ///< Path as seen from the output folder; of pictures with %05d or the like.
    int width = 0;                       ///< Width of pictures, pixels; 0: that of the scene.
    int height = 0;                      ///< Height of pictures, pixels; 0: that of the scene.
    std::string camera;                  ///< A name; empty: what views and shots show.
    double every = 0.0;                  ///< Pictures, states, glTF, USD, VTU, tables: s; 0 = every frame.
    double at = -1.0;                    ///< Picture: s; negative: the last frame.
    double speed = 1.0;                  ///< Film: simulated seconds shown in a second.
};

}  // namespace pliant::scene
