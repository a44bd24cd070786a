// SPDX-License-Identifier: Zlib
#include "ExperimentMeshes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "unit/reduce/InputMeshes.h"

namespace pliant::test {
namespace {

/// A shape in base bricks: x, y and z count those from the corner of its box.
using Shape = bool (*)(double x, double y, double z);

/// Distance from the middle of the bowl, 1 at its edge.
double inBowl(double x, double y) {
    return std::hypot((x - 21.0) / 5.0, (y - 4.0) / 4.0);
}

bool isSpoon(double x, double y, double z) {
    const bool handle = x < 18.0 && y >= 3.0 && y < 5.0 && z >= 1.0;
    const bool bottom = z < 1.0 && inBowl(x, y) < 0.85;
    const bool rim = z >= 1.0 && inBowl(x, y) < 1.05 && inBowl(x, y) > 0.5;
    return handle || bottom || rim;
}

bool isTower(double x, double y, double z) {
    const bool wall = x < 4.0 && (x < 1.0 || x >= 3.0 || y < 1.0 || y >= 3.0);
    const bool window = x >= 1.0 && x < 2.0 && y < 1.0 && z >= 4.0 && z < 6.0;
    const bool balcony = x >= 4.0 && y < 2.0 && z >= 9.0 && z < 10.0;
    return (wall && !window) || balcony;
}

/// The sextic (x^2 + 9/4 y^2 + z^2 - 1)^3 < x^2 z^3 + 9/80 y^2 z^3.
bool isHeart(double i, double j, double k) {
    const double x = i * 2.5 / 10.0 - 1.25, y = j * 1.5 / 6.0 - 0.75, z = k * 2.4 / 10.0 - 1.1;
    const double shell = x * x + 2.25 * y * y + z * z - 1.0;
    return shell * shell * shell < (x * x + 9.0 / 80.0 * y * y) * z * z * z;
}

/// What of a box of a x b x c base bricks is in the shape, cut into `fineness` bricks along each edge of a base brick.
/// @param edge of a base brick, m
VolumeMesh cut(int a, int b, int c, double edge, double fineness, Shape shape) {
    const auto count = [=](int base) { return static_cast<int>(std::ceil(base * fineness - 1e-9)); };
    return bricks(count(a), count(b), count(c), Vector3::Constant(edge / fineness), [=](int i, int j, int k) {
        return shape((i + 0.5) / fineness, (j + 0.5) / fineness, (k + 0.5) / fineness);
    });
}

}  // namespace

bool isOfPapersSize() {
    return std::getenv("PLIANT_PAPERS_SIZES") != nullptr;
}

VolumeMesh spoonMesh(double fineness) {
    VolumeMesh mesh = cut(26, 8, 2, 0.01, fineness, isSpoon);
    mesh.materials = {ElasticMaterial{"spoon", 1000.0, 2e8, 0.35}};
    return mesh;
}

VolumeMesh towerMesh(double fineness) {
    VolumeMesh mesh = cut(5, 4, 12, 0.25, fineness, isTower);
    mesh.materials = {ElasticMaterial{"tower", 1000.0, 1e6, 0.3}};
    return mesh;
}

VolumeMesh heartMesh(double fineness) {
    VolumeMesh mesh = cut(10, 6, 10, 0.01, fineness, isHeart);
    mesh.materials = {ElasticMaterial{"heart", 1000.0, 1e5, 0.4}};
    return mesh;
}

std::vector<int> lowestVertices(const VolumeMesh& mesh, int axis) {
    std::vector<int> result;
    const double lowest = mesh.positions.row(axis).minCoeff();
    for (int v = 0; v < mesh.vertexCount(); ++v)
        if (mesh.positions(axis, v) < lowest + 1e-9) result.push_back(v);
    return result;
}

int nearestVertex(const VolumeMesh& mesh, const Vector3& point) {
    Eigen::Index nearest = 0;
    (mesh.positions.colwise() - point).colwise().squaredNorm().minCoeff(&nearest);
    return static_cast<int>(nearest);
}

VectorX loadAt(const VolumeMesh& mesh, int vertex, const Vector3& force) {
    VectorX load = VectorX::Zero(mesh.positions.size());
    load.segment<3>(3 * static_cast<Eigen::Index>(vertex)) = force;
    return load;
}

VectorX loadAround(const VolumeMesh& mesh, const Vector3& point, double radius, const Vector3& force) {
    VectorX load = VectorX::Zero(mesh.positions.size());
    int count = 0;
    for (int v = 0; v < mesh.vertexCount(); ++v)
        if ((mesh.positions.col(v) - point).norm() <= radius) {
            load.segment<3>(3 * static_cast<Eigen::Index>(v)) = force;
            ++count;
        }
    return load / std::max(count, 1);
}

}  // namespace pliant::test
