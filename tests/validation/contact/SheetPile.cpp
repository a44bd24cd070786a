// SPDX-License-Identifier: Zlib
#include "SheetPile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>

#include "SolidBodies.h"
#include "pliant/runtime/DefaultDamping.h"

namespace pliant::test {
namespace {

constexpr double kLine = 0.01;  // m

using Heights = std::map<std::pair<int, int>, double>;  // m, by the number of the line along x and z

bool isOnUpperFace(const ReducedModel& model, int vertex) {
    const Vector3 rest =
        model.meshFromBody.rotation * model.surface.positions.col(vertex) + model.meshFromBody.translation;
    return rest.y() > 0.49 * sheetThickness;
}

/// Where the lines meet a triangle, seen along y.
void addHeights(const Vector3& a, const Vector3& b, const Vector3& c, Heights& heights) {
    const Vector3 ab = b - a, ac = c - a;
    const double area = ab.x() * ac.z() - ac.x() * ab.z();
    if (std::fabs(area) < 1e-12) return;
    const Vector3 lower = a.cwiseMin(b).cwiseMin(c) / kLine, upper = a.cwiseMax(b).cwiseMax(c) / kLine;
    for (int i = static_cast<int>(std::ceil(lower.x())); i <= static_cast<int>(std::floor(upper.x())); ++i)
        for (int k = static_cast<int>(std::ceil(lower.z())); k <= static_cast<int>(std::floor(upper.z())); ++k) {
            const double x = i * kLine - a.x(), z = k * kLine - a.z();
            const double u = (x * ac.z() - ac.x() * z) / area, v = (ab.x() * z - x * ab.z()) / area;
            if (u >= 0 && v >= 0 && u + v <= 1) heights[{i, k}] = a.y() + u * ab.y() + v * ac.y();
        }
}

Heights heightsOf(const btPliantBody& body) {
    const ReducedModel& model = body.getModel();
    std::vector<Vector3> at;
    for (const MaterialPoint& vertex : model.surfaceEmbedding) {
        const btVector3 p = body.getPointPosition(vertex);
        at.emplace_back(p.x(), p.y(), p.z());
    }
    Heights heights;
    for (int t = 0; t < model.surface.triangleCount(); ++t) {
        const int a = model.surface.triangles(0, t), b = model.surface.triangles(1, t),
                  c = model.surface.triangles(2, t);
        if (isOnUpperFace(model, a) && isOnUpperFace(model, b) && isOnUpperFace(model, c))
            addHeights(at[static_cast<std::size_t>(a)], at[static_cast<std::size_t>(b)],
                       at[static_cast<std::size_t>(c)], heights);
    }
    return heights;
}

}  // namespace

std::shared_ptr<const ReducedModel> sheet() {
    static const auto model = [] {
        SolidMaterial material;
        material.young = 1e7;
        material.density = 1000;
        material.modes = 20;
        material.dimension = 30;
        return solidBox({0.4, sheetThickness, 0.3}, material);
    }();
    return model;
}

std::vector<btPliantBody*> dropSheets(TestWorld& scene, int count, unsigned seed) {
    std::mt19937 random(seed);
    const auto draw = [&random] { return static_cast<btScalar>(static_cast<double>(random()) / 2147483648.0 - 1.0); };
    btPliantBodyInfo info;
    info.m_damping = defaultDamping(*sheet());
    std::vector<btPliantBody*> sheets;
    for (int i = 0; i < count; ++i) {
        const btScalar x = draw(), z = draw(), height = btScalar(0.03 + 0.02 * i);
        const btQuaternion aboutX(btVector3(1, 0, 0), btScalar(0.05) * draw());
        const btQuaternion aboutZ(btVector3(0, 0, 1), btScalar(0.05) * draw());
        const btQuaternion aboutY(btVector3(0, 1, 0), btScalar(0.3) * draw());
        sheets.push_back(scene.addBar(sheet(), btVector3(btScalar(0.02) * x, height, btScalar(0.02) * z), info,
                                      aboutX * aboutZ * aboutY));
        sheets.back()->setActivationState(DISABLE_DEACTIVATION);
    }
    return sheets;
}

SheetDepths depthsOf(const std::vector<btPliantBody*>& sheets) {
    constexpr double clearly = 0.1 * sheetThickness;
    std::vector<Heights> heights;
    for (const btPliantBody* body : sheets) heights.push_back(heightsOf(*body));
    SheetDepths found;
    for (std::size_t i = 0; i < heights.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            bool isAbove = false, isBelow = false;
            for (const auto& [line, height] : heights[i]) {
                const auto other = heights[j].find(line);
                if (other == heights[j].end()) continue;
                const double apart = height - other->second;
                isAbove = isAbove || apart > clearly;
                isBelow = isBelow || apart < -clearly;
                found.depths.push_back(sheetThickness - std::fabs(apart));
            }
            found.crossing += isAbove && isBelow ? 1 : 0;
        }
    std::sort(found.depths.begin(), found.depths.end());
    return found;
}

}  // namespace pliant::test
