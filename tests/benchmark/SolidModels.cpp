// SPDX-License-Identifier: Zlib
#include "SolidModels.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "Revolved.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/reduce/Reduce.h"

namespace pliant::benchmarks {
namespace {

namespace fs = std::filesystem;
using solids::Revolved;
using Point = Eigen::Vector2d;  // distance from the axis, z

constexpr double kPi = 3.14159265358979323846;
constexpr double kLowest = 19.0;  // Hz, of the ellipsoid
constexpr double kFirst = 1e6;    // Pa, of a first ellipsoid whose frequency tells the modulus of the second

/// @param from, to angles from the axis' normal plane, rad
void addArc(std::vector<Point>& profile, const Point& middle, const Point& radii, double from, double to, int pieces) {
    for (int i = 0; i <= pieces; ++i) {
        const double a = from + (to - from) * i / pieces;
        profile.emplace_back(middle.x() + radii.x() * std::cos(a), middle.y() + radii.y() * std::sin(a));
    }
}

Revolved revolved(std::vector<Point> profile, int segments) {
    Revolved shape;
    shape.profile = std::move(profile);
    shape.segments = segments;
    shape.materialAt = [](const Point&) { return 0; };
    shape.materials.emplace_back();
    return shape;
}

/// A surface of revolution whose curve begins and ends on the axis.
Revolved closed(std::vector<Point> profile, int segments) {
    profile.front().x() = profile.back().x() = 0;
    return revolved(std::move(profile), segments);
}

SurfaceMesh ellipsoid() {
    std::vector<Point> profile;
    addArc(profile, {0, 0}, {0.14, 0.19}, -kPi / 2, kPi / 2, 32);
    return surfaceOf(closed(std::move(profile), 48));
}

SurfaceMesh torus() {
    std::vector<Point> profile;
    addArc(profile, {0.1, 0}, {0.03, 0.03}, 0, 2 * kPi * 23 / 24, 23);
    return surfaceOf(revolved(std::move(profile), 64));
}

/// 10 cm high, 8 cm across, a wall of 4 mm with a round rim.
SurfaceMesh cup() {
    std::vector<Point> profile;
    for (int i = 0; i <= 8; ++i) profile.emplace_back(0.04 * i / 8, 0);
    for (int i = 1; i <= 16; ++i) profile.emplace_back(0.04, 0.098 * i / 16);
    addArc(profile, {0.038, 0.098}, {0.002, 0.002}, kPi / 6, 5 * kPi / 6, 4);
    for (int i = 16; i >= 0; --i) profile.emplace_back(0.036, 0.004 + 0.094 * i / 16);
    for (int i = 7; i >= 0; --i) profile.emplace_back(0.036 * i / 8, 0.004);
    return surfaceOf(closed(std::move(profile), 64));
}

SurfaceMesh cube() {
    SurfaceMesh mesh;
    mesh.positions.resize(3, 8);
    for (int i = 0; i < 8; ++i)
        mesh.positions.col(i) = 0.1 * Vector3(i & 1, i >> 1 & 1, i >> 2) * 2 - Vector3::Constant(0.1);
    mesh.triangles.resize(3, 12);
    mesh.triangles << 0, 0, 4, 4, 0, 0, 2, 2, 0, 0, 1, 1,  //
        2, 3, 5, 7, 1, 5, 7, 6, 4, 6, 3, 7,                //
        3, 1, 7, 6, 5, 4, 3, 7, 6, 2, 7, 5;
    return mesh;
}

/// What a scene would say under `reduce`. @param young Pa, density kg/m^3
ReduceOptions material(double young, double poisson, double density, int dimension = 30) {
    ReduceOptions options;
    options.dimension = dimension;
    options.youngsModulus = young;
    options.poissonRatio = poisson;
    options.density = density;
    return options;
}

std::shared_ptr<const ReducedModel> ofMesh(const SurfaceMesh& mesh, const ReduceOptions& options) {
    const fs::path file = fs::temp_directory_path() / ("pliant_solids_" + std::to_string(::getpid()) + ".obj");
    writeObj(mesh, file.string());
    auto model = reduceFile(file.string(), options);
    fs::remove(file);
    return model;
}

std::shared_ptr<const ReducedModel> ofMedia(const std::string& name, const ReduceOptions& options) {
    return reduceFile(PLIANT_MEDIA_DIR "/" + name, options);
}

/// Masses and squares of frequencies are linear in density and modulus.
std::shared_ptr<const ReducedModel> tunedEllipsoid() {
    const SurfaceMesh mesh = ellipsoid();
    const double volume = 4.0 / 3.0 * kPi * 0.14 * 0.14 * 0.19, density = 3.0 / volume;
    const auto first = ofMesh(mesh, material(kFirst, 0.45, density, 20));
    const double lowest = std::sqrt(first->elasticEigenvalues[0]) / (2 * kPi);
    return ofMesh(mesh, material(kFirst * kLowest * kLowest / (lowest * lowest), 0.45, density, 20));
}

std::shared_ptr<const ReducedModel> made(const std::string& name) {
    ReduceOptions usual;
    usual.dimension = 30;
    if (name == "basket") {
        ReduceOptions options = material(1e7, 0.3, 400);
        options.solid = false;
        return ofMedia("basket/basket.obj", options);
    }
    if (name == "cow") return ofMedia("solids/cow.obj", material(2e5, 0.4, 400));
    if (name == "apple") return ofMedia("solids/apple.obj", material(2e6, 0.4, 800));
    if (name == "tyre") return ofMedia("solids/tyre.obj", material(1.5e6, 0.45, 400));
    if (name == "plate") return ofMedia("solids/plate.obj", material(2e8, 0.3, 2000));
    if (name == "jelly") return ofMedia("solids/jelly.obj", material(5e4, 0.45, 1000));
    if (name == "cube") return ofMesh(cube(), usual);
    if (name == "torus") return ofMesh(torus(), usual);
    if (name == "cup") return ofMesh(cup(), usual);
    if (name == "ellipsoid") return tunedEllipsoid();
    throw std::invalid_argument("no body is called " + name);
}

}  // namespace

std::shared_ptr<const ReducedModel> SolidModels::get(const std::string& name) const {
    const fs::path file = fs::path(m_folder) / (name + ".pliant");
    if (!m_folder.empty() && fs::exists(file)) return loadModel(file.string());
    std::fprintf(stderr, "reducing: %s\n", name.c_str());
    auto model = made(name);
    if (!m_folder.empty()) saveModel(*model, file.string());
    return model;
}

const std::vector<std::string>& SolidModels::inTheBox() {
    static const std::vector<std::string> names{"basket", "cow",  "cube",  "jelly", "cup",
                                                "plate",  "tyre", "torus", "apple"};
    return names;
}

Vector3 extentOf(const ReducedModel& model) {
    const auto& positions = model.surface.positions;
    return positions.rowwise().maxCoeff() - positions.rowwise().minCoeff();
}

}  // namespace pliant::benchmarks
