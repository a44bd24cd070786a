// SPDX-License-Identifier: Zlib
#include "SampleModel.h"

#include <Eigen/Geometry>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "pliant/math/Error.h"
#include "pliant/model/GroupSums.h"

namespace pliant::test {
namespace {

class Filler {
public:
    template <typename Derived>
    void fill(Eigen::PlainObjectBase<Derived>& m, Eigen::Index rows, Eigen::Index columns, double low = -1.0) {
        m.resize(rows, columns);
        std::uniform_real_distribution<double> uniform(low, 1.0);
        for (Eigen::Index i = 0; i < m.size(); ++i)
            m.data()[i] = static_cast<typename Derived::Scalar>(uniform(m_engine));
    }

private:
    std::mt19937 m_engine{5};
};

void fillMesh(ReducedModel& m) {
    m.mesh.kind = ElementKind::Tetrahedron;
    m.mesh.positions.resize(3, 5);                // two tetrahedra of positive volume that share a face
    m.mesh.positions << 0.1, 1.0, 0.2, 0.3, 0.9,  //
        0.0, 0.1, 0.9, 0.2, 0.8,                  //
        0.2, 0.1, 0.0, 1.1, 0.9;
    m.mesh.elements.resize(4, 2);
    m.mesh.elements << 0, 1, 1, 2, 2, 3, 3, 4;  // a column each
    m.mesh.elementMaterial = {1, 0};
    m.mesh.materials = {{"soft", 900.0, 1e6, 0.3}, {"stiff", 1200.0, 3e7, 0.45}, {"grain", 600.0}, {"crystal", 2300.0}};
    m.mesh.materials[2].law = MaterialLaw::Orthotropic;
    m.mesh.materials[2].orthotropic.youngsModuli = Vector3(9e6, 2e6, 1e6);
    m.mesh.materials[2].orthotropic.axes << 0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6;
    m.mesh.materials[3].law = MaterialLaw::General;
    m.mesh.materials[3].stiffness = 2e6 * Matrix6::Identity();
    m.mesh.materials[3].stiffness(4, 1) = m.mesh.materials[3].stiffness(1, 4) = 3e5;
    m.anchored = true;
    m.fixedVertices = {0, 3};
}

void fillDynamics(ReducedModel& m, Filler& f, Eigen::Index r) {
    f.fill(m.basis, 15, r);
    f.fill(m.elasticEigenvalues, 2, 1, 0.1);
    f.fill(m.restEigenvectors, r, r);
    f.fill(m.restEigenvalues, r, 1, 0.1);
    m.inertia.principalInertia = Vector3(0.1, 0.2, 0.3);
    f.fill(m.inertia.translation, 3, r);
    f.fill(m.inertia.rotation, 3, r);
    m.inertia.first.resize(static_cast<std::size_t>(r));
    m.inertia.second.resize(static_cast<std::size_t>(r * r));
    m.inertia.coriolis.resize(static_cast<std::size_t>(r * r));
    for (Matrix3& S : m.inertia.first) f.fill(S, 3, 3);
    for (Matrix3& S : m.inertia.second) f.fill(S, 3, 3);
    for (Vector3& C : m.inertia.coriolis) f.fill(C, 3, 1);
}

/// Energy and mass are the sums of the groups.
void fillGroups(ReducedModel& m, Filler& f, Eigen::Index r) {
    m.materialGroups.resize(m.mesh.materials.size());
    for (std::size_t g = 0; g < m.materialGroups.size(); ++g) {
        MaterialGroup& group = m.materialGroups[g];
        group.energy.resize(energyWeights(m.mesh.materials[g]).size());
        for (StrainEnergyPolynomial& part : group.energy) {
            MatrixX root;
            f.fill(root, r, r);
            part.linearStiffness = root * root.transpose();
            f.fill(part.cubic, 10, 1);
            f.fill(part.quartic, 15, 1);
        }
        group.mass.volume = 0.001 * static_cast<double>(g + 1);
        f.fill(group.mass.firstMoment, 3, 1);
        f.fill(group.mass.secondMoment, 3, 3);
        f.fill(group.mass.translation, 3, r);
        group.mass.first.resize(static_cast<std::size_t>(r));
        group.mass.second.resize(static_cast<std::size_t>(r * r));
        for (Matrix3& S : group.mass.first) f.fill(S, 3, 3);
        for (Matrix3& S : group.mass.second) f.fill(S, 3, 3);
        m.inertia.mass += m.mesh.materials[g].density * group.mass.volume;
    }
    m.energy = energyOfGroups(m);
    m.damping.r = static_cast<int>(r);
    f.fill(m.damping.gram, 9, 9);
}

void fillSurface(ReducedModel& m, Filler& f, Eigen::Index r) {
    const Eigen::Index d = 6;
    f.fill(m.surface.positions, 3, d);
    f.fill(m.surface.normals, 3, d);
    f.fill(m.surface.texcoords, 2, d);
    f.fill(m.surface.colours, 4, d);
    m.surface.triangles.resize(3, 3);
    m.surface.triangles << 0, 1, 2, 1, 2, 3, 2, 3, 5;
    m.surface.triangleMaterial = {0, 0, 1};
    m.surface.materials.resize(2);
    m.surface.materials[0].name = "wicker";
    m.surface.materials[1].shininess = 30.0;
    f.fill(m.surfaceBasis, 3 * d, r);
    f.fill(m.surfaceNormalBasis, 3 * d, r);
    for (int s = 0; s < d; ++s) {
        MaterialPoint point;
        point.vertex = {0, 1, 2, 3, 0, 0, 0, 0};
        point.weight = {0.25, 0.5, 0.125 * s, 0.25 - 0.125 * s, 0.0, 0.0, 0.0, 0.0};
        point.element = s % 2;
        point.distance = 0.01 * s;
        m.surfaceEmbedding.push_back(point);
    }
}

BDTree threeItemTree(Filler& f, Eigen::Index r) {
    BDTree tree;
    tree.nodes = {{1, 0, 3}, {3, 0, 2}, {-1, 2, 1}, {-1, 0, 1}, {-1, 1, 1}};
    f.fill(tree.restCentres, 3, 5);
    f.fill(tree.restRadii, 5, 1, 0.1);
    f.fill(tree.centreBasis, 15, r);
    f.fill(tree.radiusCoefficients, r, 5, 0.0);
    tree.items = {2, 0, 1};
    return tree;
}

}  // namespace

ReducedModel sampleModel() {
    Filler f;
    const Eigen::Index r = 3;
    ReducedModel m;
    m.name = "sample";
    m.provenance = {"pliant test", "sample.veg", "00112233445566778899aabbccddeeff", "modes=2;dimension=3"};
    m.meshFromBody.rotation = Eigen::AngleAxisd(0.7, Vector3(1.0, 2.0, 2.0) / 3.0).toRotationMatrix();
    m.meshFromBody.translation = Vector3(1.0, -2.0, 0.5);
    fillMesh(m);
    fillDynamics(m, f, r);
    fillGroups(m, f, r);
    fillSurface(m, f, r);
    f.fill(m.skeleton.restCentres, 3, 4);
    f.fill(m.skeleton.radii, 4, 1, 0.1);
    f.fill(m.skeleton.basis, 12, r);
    m.skeleton.segments.resize(2, 3);
    m.skeleton.segments << 0, 1, 3, 1, 2, 3;
    m.skeletonTree = threeItemTree(f, r);
    m.triangleTree = threeItemTree(f, r);
    return m;
}

ScratchFolder::ScratchFolder() {
    m_path = (std::filesystem::temp_directory_path() / "pliant-test-XXXXXX").string();
    if (::mkdtemp(m_path.data()) == nullptr) throw Error(m_path, "cannot be made");
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

std::string readBytes(const std::string& path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

void writeBytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string refusal(const std::string& path) {
    try {
        loadModel(path);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace pliant::test
