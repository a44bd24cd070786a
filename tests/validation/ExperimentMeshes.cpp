// SPDX-License-Identifier: Zlib
#include "ExperimentMeshes.h"

#include <cmath>

#include "unit/reduce/InputMeshes.h"

namespace pliant::test {
namespace {

/// Distance from the middle of the bowl, 1 at its edge.
double inBowl(int i, int j) {
    return std::hypot((i + 0.5 - 21.0) / 5.0, (j + 0.5 - 4.0) / 4.0);
}

bool isSpoon(int i, int j, int k) {
    const bool handle = i < 18 && (j == 3 || j == 4) && k == 1;
    const bool bottom = k == 0 && inBowl(i, j) < 0.85;
    const bool rim = k == 1 && inBowl(i, j) < 1.05 && inBowl(i, j) > 0.5;
    return handle || bottom || rim;
}

bool isTower(int i, int j, int k) {
    const bool wall = i < 4 && (i == 0 || i == 3 || j == 0 || j == 3);
    const bool window = i == 1 && j == 0 && (k == 4 || k == 5);
    const bool balcony = i == 4 && j < 2 && k == 9;
    return (wall && !window) || balcony;
}

/// The sextic (x^2 + 9/4 y^2 + z^2 - 1)^3 < x^2 z^3 + 9/80 y^2 z^3.
bool isHeart(int i, int j, int k) {
    const double x = (i + 0.5) * 2.5 / 10.0 - 1.25, y = (j + 0.5) * 1.5 / 6.0 - 0.75, z = (k + 0.5) * 2.4 / 10.0 - 1.1;
    const double shell = x * x + 2.25 * y * y + z * z - 1.0;
    return shell * shell * shell < (x * x + 9.0 / 80.0 * y * y) * z * z * z;
}

}  // namespace

VolumeMesh spoonMesh() {
    VolumeMesh mesh = bricks(26, 8, 2, Vector3(0.01, 0.01, 0.01), isSpoon);
    mesh.materials = {ElasticMaterial{"spoon", 1000.0, 2e8, 0.35}};
    return mesh;
}

VolumeMesh towerMesh() {
    VolumeMesh mesh = bricks(5, 4, 12, Vector3(0.25, 0.25, 0.25), isTower);
    mesh.materials = {ElasticMaterial{"tower", 1000.0, 1e6, 0.3}};
    return mesh;
}

VolumeMesh heartMesh() {
    VolumeMesh mesh = bricks(10, 6, 10, Vector3(0.01, 0.01, 0.01), isHeart);
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

}  // namespace pliant::test
