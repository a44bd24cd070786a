// SPDX-License-Identifier: Zlib
#include "pliant/model/CheckModel.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/model/CheckContactSurface.h"
#include "pliant/model/CheckGroups.h"
#include "pliant/model/FieldSection.h"
#include "pliant/model/ModelChecks.h"

namespace pliant {
namespace {

void checkFrame(const ReducedModel& m, const std::string& where) {
    const ModelChecks about{where, "about"};
    about.require(m.dimension() >= 1 && m.basis.rows() % 3 == 0, "there is no basis");
    const Matrix3& R = m.meshFromBody.rotation;
    about.sized(R, 3, 3, "no rotation");
    about.sized(m.meshFromBody.translation, 3, 1, "no translation");
    about.require((R.transpose() * R - Matrix3::Identity()).norm() < 1e-9 && R.determinant() > 0.0,
                  "the frame's rotation is not a rotation");
}

void checkAnchor(const ReducedModel& m, const std::string& where) {
    const ModelChecks about{where, "about"};
    about.require(m.anchored == !m.fixedVertices.empty(), "anchored does not agree with the fixed vertices");
}

void checkMesh(const ReducedModel& m, const std::string& where) {
    const ModelChecks mesh{where, "mesh"};
    const VolumeMesh& v = m.mesh;
    mesh.sized(v.positions, 3, m.simulationVertexCount(), "the positions do not agree with the basis",
               ModelChecks::kLongest);
    mesh.require(v.elementCount() >= 1 && v.elements.rows() == v.cornersPerElement(), "there are no elements");
    mesh.indices(v.elements, v.vertexCount(), "a vertex number is out of range");
    mesh.require(v.elementMaterial.size() == static_cast<std::size_t>(v.elementCount()),
                 "not one material per element");
    mesh.indices(v.elementMaterial, static_cast<Eigen::Index>(v.materials.size()), "a material is out of range");
    if (const std::optional<MeshDefect> defect = findElementDefect(v))
        mesh.require(false, ("element " + std::to_string(defect->element) + ": " + defect->problem).c_str());
    for (const VectorX* share : {&v.elementShare, &v.elementBending}) {
        mesh.require(share->size() == 0 || share->size() == v.elementCount(), "not one share per element");
        mesh.require((share->array() > 0.0).all() && (share->array() <= 1.0).all(), "a share is outside 0..1");
    }
    mesh.require((v.bendingFill.array() > 0.0).all() && (v.bendingFill.array() <= 1.0).all(),
                 "a share of the bricks' sides is outside 0..1");
    mesh.require(
        v.filledBoxes.cols() == 0 || (v.kind == ElementKind::Brick && v.filledBoxes.cols() == v.elementCount()),
        "not one box per brick");
    mesh.require(possibleBoxes(v.filledBoxes), "a filled box is impossible");
    for (const ElasticMaterial& material : v.materials)
        mesh.require(possibleMaterial(material), "a material is impossible");
    mesh.indices(m.fixedVertices, v.vertexCount(), "a fixed vertex is out of range");
    mesh.require(std::adjacent_find(m.fixedVertices.begin(), m.fixedVertices.end(), std::greater_equal<int>()) ==
                     m.fixedVertices.end(),
                 "the fixed vertices are not ascending");
}

/// The stiffness of rest that the run time factors: symmetric, and no direction in which it lets go.
void checkStiffness(const MatrixX& K, const ModelChecks& energy) {
    constexpr double kRounding = 1e-8;  // of the largest entry
    const double scale = K.cwiseAbs().maxCoeff();
    energy.require((K - K.transpose()).cwiseAbs().maxCoeff() <= kRounding * scale, "K0 is not symmetric");
    const MatrixX lifted =
        K + (kRounding * scale + std::numeric_limits<double>::min()) * MatrixX::Identity(K.rows(), K.cols());
    energy.require(Eigen::LLT<MatrixX>(lifted).info() == Eigen::Success,
                   "K0 is indefinite: a direction pushes itself away from rest");
}

void checkDynamics(const ReducedModel& m, const std::string& where) {
    const Eigen::Index r = m.dimension();
    const auto count = static_cast<std::size_t>(r);
    const ModelChecks basis{where, "basis"};
    basis.sized(m.basis, 3 * m.simulationVertexCount(), r, "the basis has a wrong size", ModelChecks::kLongest);
    basis.sized(m.elasticEigenvalues, m.elasticEigenvalues.size(), 1, "the eigenvalues have a wrong size");
    basis.sized(m.restEigenvectors, r, r, "the rest eigenvectors have a wrong size");
    basis.sized(m.restEigenvalues, r, 1, "the rest eigenvalues have a wrong size");
    const ModelChecks energy{where, "energy"};
    energy.sized(m.energy.linearStiffness, r, r, "K0 has a wrong size");
    checkStiffness(m.energy.linearStiffness, energy);
    energy.sized(m.energy.cubic, static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(count)), 1,
                 "the cubic part has a wrong size", ModelChecks::kLargestTerm);
    energy.sized(m.energy.quartic, static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(count)), 1,
                 "the quartic part has a wrong size", ModelChecks::kLargestTerm);
    const ModelChecks inertia{where, "inertia"};
    const InertiaIntegrals& i = m.inertia;
    inertia.require(i.mass > 0.0 && i.mass <= ModelChecks::kLargest, "the mass is not positive, or no number");
    inertia.sized(i.principalInertia, 3, 1, "the principal inertia has a wrong size");
    inertia.require((i.principalInertia.array() > 0.0).all(), "a principal moment is not positive");
    // Columns of the basis have mass norm 1, so that by Cauchy and Schwarz no integral over the mass is larger than
    // what its other factor has: 1, the mass's root, or that of int rho |X|^2. A hundred times more is no rounding.
    const double beyond = 100.0, root = std::sqrt(i.mass), arm = std::sqrt(0.5 * i.principalInertia.sum());
    inertia.sized(i.translation, 3, r, "D has a wrong size", beyond * root);
    inertia.sized(i.rotation, 3, r, "H0 has a wrong size", beyond * arm);
    inertia.require(i.first.size() == count && i.second.size() == count * count && i.coriolis.size() == count * count,
                    "an integral is missing");
    const auto within = [](double largest) {
        return [largest](const auto& x) { return x.allFinite() && x.cwiseAbs().maxCoeff() <= largest; };
    };
    inertia.require(std::all_of(i.first.begin(), i.first.end(), within(beyond * arm)) &&
                        std::all_of(i.second.begin(), i.second.end(), within(beyond)) &&
                        std::all_of(i.coriolis.begin(), i.coriolis.end(), within(beyond)),
                    "a number is not finite, or larger than the mass allows");
}

void checkSurface(const ReducedModel& m, const std::string& where) {
    const ModelChecks surface{where, "surface"};
    const SurfaceMesh& s = m.surface;
    const Eigen::Index d = s.vertexCount();
    surface.sized(s.positions, 3, d, "the positions have a wrong size", ModelChecks::kLongest);
    surface.sized(s.normals, 3, d, "not one normal per vertex");
    surface.sized(s.texcoords, 2, s.texcoords.cols() == 0 ? 0 : d, "not one texture coordinate per vertex");
    surface.sized(s.colours, 4, s.colours.cols() == 0 ? 0 : d, "not one colour per vertex");
    surface.indices(s.triangles, d, "a vertex number is out of range");
    surface.require(s.triangleMaterial.size() == static_cast<std::size_t>(s.triangleCount()),
                    "not one material per triangle");
    surface.indices(s.triangleMaterial, static_cast<Eigen::Index>(s.materials.size()), "a material is out of range");
    for (const SurfaceMaterial& material : s.materials)
        surface.require(material.diffuse.allFinite() && material.specular.allFinite() &&
                            std::isfinite(material.shininess) && std::isfinite(material.opacity),
                        "a material is not finite");
    const ModelChecks basis{where, "surface_basis"};
    basis.sized(m.surfaceBasis, 3 * d, m.dimension(), "the basis has a wrong size");
    basis.sized(m.surfaceNormalBasis, 3 * d, m.dimension(), "the normal basis has a wrong size");
    basis.require(m.surfaceEmbedding.size() == static_cast<std::size_t>(d), "not one embedding per vertex");
    for (const MaterialPoint& point : m.surfaceEmbedding) {
        basis.indices(point.vertex, m.simulationVertexCount(), "a simulation vertex is out of range");
        basis.require(point.element >= 0 && point.element < m.mesh.elementCount(), "an element is out of range");
        double sum = 0.0;
        for (const double weight : point.weight) sum += weight;
        basis.require(std::abs(sum - 1.0) < 1e-6 && std::isfinite(point.distance), "weights do not sum to one");
    }
}

void checkSkeleton(const ReducedModel& m, const std::string& where) {
    const ModelChecks check{where, "skeleton"};
    const Eigen::Index b = m.skeleton.sphereCount();
    check.sized(m.skeleton.restCentres, 3, b, "not one centre per sphere", ModelChecks::kLongest);
    check.sized(m.skeleton.radii, b, 1, "not one radius per sphere", ModelChecks::kLongest);
    for (Eigen::Index i = 0; i < b; ++i)
        check.require(m.skeleton.radii[i] > 0.0f || (m.skeleton.radii[i] == 0.0f && isSurfacePoint(m, i)),
                      "a radius is not positive, and the sphere is no surface point");
    check.sized(m.skeleton.basis, 3 * b, m.dimension(), "the basis has a wrong size");
    check.indices(m.skeleton.segments, b, "a sphere number is out of range");
}

/// Inner node: its children come later and share its items between them (so nobody else can have the same children).
void checkNode(const ModelChecks& check, const BDTree& tree, int k, std::vector<int>& depth) {
    constexpr int deepest = 64;  // traversals keep their stack on the stack
    const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(k)];
    check.require(depth[static_cast<std::size_t>(k)] > 0, "a node has no parent");
    check.require(depth[static_cast<std::size_t>(k)] <= deepest, "it is deeper than 64 levels");
    const int items = static_cast<int>(tree.items.size());
    check.require(node.itemCount >= 1 && node.itemCount <= items && node.firstItem >= 0 &&
                      node.firstItem <= items - node.itemCount,
                  "a node's range of items is wrong");
    if (node.firstChild == -1) return;
    check.require(node.firstChild > k && node.firstChild < tree.nodeCount() - 1, "children do not follow their parent");
    const auto child = static_cast<std::size_t>(node.firstChild);
    const BDTreeNode &a = tree.nodes[child], &b = tree.nodes[child + 1];
    check.require(a.itemCount >= 1 && b.itemCount >= 1 && a.itemCount < node.itemCount &&
                      b.itemCount == node.itemCount - a.itemCount && a.firstItem == node.firstItem &&
                      b.firstItem == node.firstItem + a.itemCount,
                  "children do not cover what their parent covers");
    depth[child] = depth[child + 1] = depth[static_cast<std::size_t>(k)] + 1;
}

void checkTree(const BDTree& tree, Eigen::Index itemCount, Eigen::Index r, const ModelChecks& check) {
    const Eigen::Index N = tree.nodeCount();
    check.sized(tree.restCentres, 3, N, "not one centre per node", ModelChecks::kLongest);
    check.sized(tree.restRadii, N, 1, "not one radius per node", ModelChecks::kLongest);
    check.sized(tree.centreBasis, 3 * N, r, "the basis of the centres has a wrong size");
    check.sized(tree.radiusCoefficients, r, N, "the radius coefficients have a wrong size");
    check.require((tree.restRadii.array() >= 0.0f).all() && (tree.radiusCoefficients.array() >= 0.0f).all(),
                  "a radius is negative");
    check.require(tree.items.size() == static_cast<std::size_t>(itemCount), "not every item is covered");
    std::vector<bool> seen(tree.items.size(), false);
    check.indices(tree.items, itemCount, "an item is out of range");
    for (const int item : tree.items) {
        check.require(!seen[static_cast<std::size_t>(item)], "an item appears twice");
        seen[static_cast<std::size_t>(item)] = true;
    }
    check.require((N == 0) == tree.items.empty(), "there are items without a tree");
    if (N == 0) return;
    check.require(tree.nodes[0].firstItem == 0 && tree.nodes[0].itemCount == itemCount, "the root misses items");
    std::vector<int> depth(tree.nodes.size(), 0);
    depth[0] = 1;
    for (int k = 0; k < N; ++k) checkNode(check, tree, k, depth);
}

void checkContact(const ReducedModel& m, const std::string& where) {
    checkSkeleton(m, where);
    checkContactSurface(m, where);
    checkField(m.contactSurface.field, where);
    checkTree(m.skeletonTree, m.skeleton.segmentCount(), m.dimension(), {where, "skeleton_tree"});
    checkTree(m.triangleTree, m.surface.triangleCount(), m.dimension(), {where, "triangle_tree"});
}

}  // namespace

void checkModel(const ReducedModel& model, const std::string& where) {
    checkFrame(model, where);
    checkAnchor(model, where);
    checkMesh(model, where);
    checkDynamics(model, where);
    checkGroups(model, where);
    checkSurface(model, where);
    checkContact(model, where);
}

void checkMotion(const ReducedModel& model, const std::string& where) {
    checkFrame(model, where);
    checkDynamics(model, where);
    checkContact(model, where);
}

}  // namespace pliant
