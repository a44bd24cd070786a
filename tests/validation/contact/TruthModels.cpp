// SPDX-License-Identifier: Zlib
#include "TruthModels.h"

#include <map>
#include <string>

#include "ReducedOnce.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/skeleton/BuildBDTree.h"
#include "unit/reduce/InputMeshes.h"

namespace pliant::test {

VolumeMesh blockMesh(const BlockShape& shape) {
    VolumeMesh mesh = bricks(shape.a, shape.b, shape.c,
                             Vector3(shape.size.x() / shape.a, shape.size.y() / shape.b, shape.size.z() / shape.c),
                             [](int, int, int) { return true; });
    mesh.materials = {ElasticMaterial{"block", shape.density, shape.young, shape.poisson}};
    return mesh;
}

std::shared_ptr<ReducedModel> reduceMesh(const VolumeMesh& mesh, ReduceOptions options, const std::vector<int>& held) {
    const InputFolder folder;
    writeVeg(mesh, folder.file("body.veg"));
    if (!held.empty()) {
        std::string list;
        for (const int vertex : held) list += (list.empty() ? "" : ",") + std::to_string(vertex + 1);
        options.fixedVertices = folder.write("held.bou", list);
    }
    return std::make_shared<ReducedModel>(*reducedOnce(folder.file("body.veg"), options));
}

void setSkeleton(ReducedModel& model, const Points& centres, double radius,
                 const std::vector<std::array<int, 2>>& segments) {
    ContactSkeleton& skeleton = model.skeleton;
    skeleton = ContactSkeleton();
    model.contactSurface = ContactSurface();  // what was laid by hand collides alone
    skeleton.basis = interpolateBasis(embed(model.mesh, centres), model.basis).cast<float>();
    skeleton.restCentres.resize(3, centres.cols());
    for (Eigen::Index v = 0; v < centres.cols(); ++v)
        skeleton.restCentres.col(v) = model.meshFromBody.inversePoint(centres.col(v)).cast<float>();
    skeleton.radii = VectorXf::Constant(centres.cols(), static_cast<float>(radius));
    skeleton.segments.resize(2, static_cast<Eigen::Index>(segments.size()));
    for (std::size_t s = 0; s < segments.size(); ++s)
        skeleton.segments.col(static_cast<Eigen::Index>(s)) << segments[s][0], segments[s][1];
    model.skeletonTree = buildSkeletonTree(skeleton);
}

void setBlockSkeleton(ReducedModel& model, const BlockShape& shape, int nx, int ny, int nz, double radius) {
    std::map<std::array<int, 3>, int> number;
    std::vector<Vector3> centres;
    const std::array<int, 3> count = {nx, ny, nz};
    for (int i = 0; i <= nx; ++i)
        for (int j = 0; j <= ny; ++j)
            for (int k = 0; k <= nz; ++k) {
                if (i % nx && j % ny && k % nz) continue;
                number[{i, j, k}] = static_cast<int>(centres.size());
                const Vector3 share(static_cast<double>(i) / nx, static_cast<double>(j) / ny,
                                    static_cast<double>(k) / nz);
                centres.push_back(Vector3::Constant(radius) +
                                  share.cwiseProduct(shape.size - Vector3::Constant(2.0 * radius)));
            }
    std::vector<std::array<int, 2>> segments;
    for (const auto& [at, sphere] : number)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::array<int, 3> next = at;
            if (++next[axis] > count[axis]) continue;
            const auto other = number.find(next);
            if (other != number.end()) segments.push_back({sphere, other->second});
        }
    Points points(3, static_cast<Eigen::Index>(centres.size()));
    for (std::size_t v = 0; v < centres.size(); ++v) points.col(static_cast<Eigen::Index>(v)) = centres[v];
    setSkeleton(model, points, radius, segments);
}

}  // namespace pliant::test
