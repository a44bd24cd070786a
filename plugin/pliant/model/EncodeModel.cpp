// SPDX-License-Identifier: Zlib
#include "pliant/model/EncodeModel.h"

#include <algorithm>
#include <filesystem>

#include "pliant/math/Error.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/model/EmbeddedImages.h"
#include "pliant/model/EncodeContactSurface.h"
#include "pliant/model/FieldSection.h"
#include "pliant/model/SectionWriter.h"

namespace pliant {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

SectionBytes encodeAbout(const ReducedModel& m) {
    FlatBufferBuilder b;
    const auto name = b.CreateString(m.name), generator = b.CreateString(m.provenance.generator);
    const auto input = b.CreateString(m.provenance.inputName), hash = b.CreateString(m.provenance.inputHash);
    const auto options = b.CreateString(m.provenance.options);
    const auto rotation = put(b, m.meshFromBody.rotation), translation = put(b, m.meshFromBody.translation);
    return finish(b, "about",
                  schema::CreateAbout(b, name, generator, input, hash, options, m.anchored,
                                      static_cast<std::uint32_t>(m.dimension()),
                                      static_cast<std::uint32_t>(m.simulationVertexCount()),
                                      static_cast<std::uint32_t>(m.surfaceVertexCount()), rotation, translation));
}

Offset<schema::ElasticMaterial> encodeMaterial(FlatBufferBuilder& b, const ElasticMaterial& material) {
    Offset<schema::Doubles> orthotropic, stiffness;
    auto law = schema::MaterialLaw::Isotropic;
    if (material.law == MaterialLaw::Orthotropic) {
        law = schema::MaterialLaw::Orthotropic;
        const OrthotropicConstants& c = material.orthotropic;
        VectorX constants(18);
        constants << c.youngsModuli, c.poissonRatios, c.shearModuli, Eigen::Map<const VectorX>(c.axes.data(), 9);
        orthotropic = put(b, constants);
    }
    if (material.law == MaterialLaw::General) {
        law = schema::MaterialLaw::General;
        stiffness = put(b, material.stiffness);
    }
    return schema::CreateElasticMaterial(b, b.CreateString(material.name), material.density, material.youngsModulus,
                                         material.poissonRatio, law, orthotropic, stiffness);
}

SectionBytes encodeMesh(const ReducedModel& m) {
    FlatBufferBuilder b;
    std::vector<Offset<schema::ElasticMaterial>> materials;
    for (const ElasticMaterial& material : m.mesh.materials) materials.push_back(encodeMaterial(b, material));
    const auto kind = m.mesh.kind == ElementKind::Brick ? schema::ElementKind::Brick : schema::ElementKind::Tetrahedron;
    const auto positions = put(b, m.mesh.positions);
    const auto elements = put(b, m.mesh.elements);
    const auto elementMaterial = put(b, m.mesh.elementMaterial);
    const auto list = b.CreateVector(materials);
    const auto fixed = put(b, m.fixedVertices);
    // Missing where elements are full: files of such meshes stay what they were.
    Offset<schema::Doubles> share, bending, fill, boxes;
    if (m.mesh.elementShare.size() > 0) share = put(b, m.mesh.elementShare);
    if (m.mesh.elementBending.size() > 0) bending = put(b, m.mesh.elementBending);
    if ((m.mesh.bendingFill.array() != 1.0).any()) fill = put(b, m.mesh.bendingFill);
    if (m.mesh.filledBoxes.size() > 0) boxes = put(b, m.mesh.filledBoxes);
    return finish(
        b, "mesh",
        schema::CreateMesh(b, kind, positions, elements, elementMaterial, list, fixed, share, bending, fill, boxes));
}

SectionBytes encodeBasis(const ReducedModel& m) {
    FlatBufferBuilder b;
    const auto basis = put(b, m.basis), elastic = put(b, m.elasticEigenvalues);
    const auto vectors = put(b, m.restEigenvectors), values = put(b, m.restEigenvalues);
    return finish(b, "basis", schema::CreateBasis(b, basis, elastic, vectors, values));
}

Offset<schema::Energy> putPolynomial(FlatBufferBuilder& b, const StrainEnergyPolynomial& polynomial) {
    const auto K0 = put(b, polynomial.linearStiffness), cubic = put(b, polynomial.cubic);
    const auto quartic = put(b, polynomial.quartic);
    return schema::CreateEnergy(b, K0, cubic, quartic);
}

SectionBytes encodeEnergy(const ReducedModel& m) {
    FlatBufferBuilder b;
    return finish(b, "energy", putPolynomial(b, m.energy));
}

SectionBytes encodeGroup(const MaterialGroup& group, std::size_t number) {
    FlatBufferBuilder b;
    std::vector<Offset<schema::Energy>> parts;
    for (const StrainEnergyPolynomial& part : group.energy) parts.push_back(putPolynomial(b, part));
    const auto energy = b.CreateVector(parts);
    const auto firstMoment = put(b, group.mass.firstMoment), secondMoment = put(b, group.mass.secondMoment);
    const auto translation = put(b, group.mass.translation), first = putColumns(b, group.mass.first);
    const auto second = putColumns(b, group.mass.second);
    return finish(b, groupSection(number).c_str(),
                  schema::CreateMaterialGroup(b, energy, group.mass.volume, firstMoment, secondMoment, translation,
                                              first, second));
}

SectionBytes encodeDamping(const StrainRateDamping& damping) {
    FlatBufferBuilder b;
    return finish(b, "damping", schema::CreateDamping(b, put(b, damping.gram)));
}

SectionBytes encodeInertia(const ReducedModel& m) {
    FlatBufferBuilder b;
    const InertiaIntegrals& i = m.inertia;
    const auto principal = put(b, i.principalInertia), translation = put(b, i.translation);
    const auto rotation = put(b, i.rotation), first = putColumns(b, i.first), second = putColumns(b, i.second);
    const auto coriolis = putColumns(b, i.coriolis);
    return finish(b, "inertia",
                  schema::CreateInertia(b, i.mass, principal, translation, rotation, first, second, coriolis));
}

/// Relative to the model file's folder, so that a folder with model and textures can be moved as one.
std::string storedTexture(const std::string& texture, const std::string& modelPath) {
    namespace fs = std::filesystem;
    if (texture.empty()) return {};
    std::error_code failed;
    const fs::path from = fs::absolute(modelPath, failed).lexically_normal().parent_path();
    const fs::path relative = fs::absolute(texture, failed).lexically_normal().lexically_relative(from);
    return failed || relative.empty() ? texture : relative.generic_string();
}

/// As embeddedImages() names it, or relative to the model.
std::string storedTexture(const ReducedModel& model, const SurfaceMaterial& material, const std::string& path) {
    for (const auto& [name, image] : embeddedImages(model, path))
        if (image == material.embeddedTexture) return name;
    return storedTexture(material.diffuseTexture, path);
}

SectionBytes encodeSurface(const ReducedModel& m, const std::string& path) {
    FlatBufferBuilder b;
    const SurfaceMesh& s = m.surface;
    std::vector<Offset<schema::SurfaceMaterial>> materials;
    for (const SurfaceMaterial& material : s.materials) {
        const auto name = b.CreateString(material.name);
        const auto diffuse = put(b, material.diffuse), specular = put(b, material.specular);
        const auto texture = b.CreateString(storedTexture(m, material, path));
        materials.push_back(
            schema::CreateSurfaceMaterial(b, name, diffuse, specular, material.shininess, material.opacity, texture));
    }
    const auto positions = put(b, s.positions), normals = put(b, s.normals), texcoords = put(b, s.texcoords);
    const auto colours = put(b, s.colours);
    const auto triangles = put(b, s.triangles), triangleMaterial = put(b, s.triangleMaterial);
    const auto list = b.CreateVector(materials);
    return finish(b, "surface",
                  schema::CreateSurface(b, positions, normals, texcoords, colours, triangles, triangleMaterial, list));
}

SectionBytes encodeSurfaceBasis(const ReducedModel& m) {
    FlatBufferBuilder b;
    const Eigen::Index d = static_cast<Eigen::Index>(m.surfaceEmbedding.size());
    Matrix<int, 8, Eigen::Dynamic> vertex(8, d);
    Matrix<double, 8, Eigen::Dynamic> weight(8, d);
    std::vector<int> element;
    VectorX distance(d);
    for (Eigen::Index s = 0; s < d; ++s) {
        const MaterialPoint& point = m.surfaceEmbedding[static_cast<std::size_t>(s)];
        vertex.col(s) = Eigen::Map<const Matrix<int, 8, 1>>(point.vertex.data());
        weight.col(s) = Eigen::Map<const Matrix<double, 8, 1>>(point.weight.data());
        element.push_back(point.element);
        distance[s] = point.distance;
    }
    const auto basis = put(b, m.surfaceBasis), normals = put(b, m.surfaceNormalBasis);
    const auto vertices = put(b, vertex), elements = put(b, element);
    const auto weights = put(b, weight), distances = put(b, distance);
    return finish(b, "surface_basis",
                  schema::CreateSurfaceBasis(b, basis, normals, vertices, weights, elements, distances));
}

SectionBytes encodeSkeleton(const ReducedModel& m) {
    FlatBufferBuilder b;
    const auto centres = put(b, m.skeleton.restCentres), radii = put(b, m.skeleton.radii);
    const auto basis = put(b, m.skeleton.basis);
    const auto segments = put(b, m.skeleton.segments);
    return finish(b, "skeleton", schema::CreateSkeleton(b, centres, radii, basis, segments));
}

SectionBytes encodeTree(const BDTree& tree, const char* name) {
    FlatBufferBuilder b;
    Matrix<int, 3, Eigen::Dynamic> nodes(3, tree.nodeCount());
    for (int k = 0; k < tree.nodeCount(); ++k) {
        const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(k)];
        nodes.col(k) = Eigen::Vector3i(node.firstChild, node.firstItem, node.itemCount);
    }
    const auto nodeList = put(b, nodes), items = put(b, tree.items);
    const auto centres = put(b, tree.restCentres), radii = put(b, tree.restRadii);
    const auto centreBasis = put(b, tree.centreBasis), coefficients = put(b, tree.radiusCoefficients);
    return finish(b, name, schema::CreateTree(b, nodeList, centres, radii, centreBasis, coefficients, items));
}

/// Of the arrays that grow with the model; FlatBuffers would otherwise abort.
void checkSizes(const ReducedModel& m, const std::string& path) {
    const auto bytes = [](const auto& matrix) {
        return static_cast<std::size_t>(matrix.size()) * sizeof(*matrix.data());
    };
    const std::size_t parts = m.materialGroups.empty() ? 0 : 2 * bytes(m.energy.quartic) + 2 * bytes(m.energy.cubic);
    const std::size_t largest =
        std::max({parts, bytes(m.damping.gram), bytes(m.basis), bytes(m.energy.quartic), bytes(m.energy.cubic),
                  2 * bytes(m.surfaceBasis), bytes(m.mesh.positions) + bytes(m.mesh.elements),
                  bytes(m.surface.positions) * 4, bytes(m.skeleton.basis), bytes(m.skeletonTree.centreBasis),
                  bytes(m.triangleTree.centreBasis) * 2, bytes(m.contactSurface.lattice.basis) * 2});
    if (largest > sectionLimit) throw Error(path, "a section would be larger than 2 GB", "use a smaller dimension");
}

}  // namespace

std::vector<SectionBytes> encodeModel(const ReducedModel& model, const std::string& path) {
    checkSizes(model, path);
    std::vector<SectionBytes> sections;
    sections.push_back(encodeAbout(model));
    sections.push_back(encodeMesh(model));
    sections.push_back(encodeBasis(model));
    sections.push_back(encodeEnergy(model));
    sections.push_back(encodeInertia(model));
    sections.push_back(encodeSurface(model, path));
    sections.push_back(encodeSurfaceBasis(model));
    sections.push_back(encodeSkeleton(model));
    sections.push_back(encodeTree(model.skeletonTree, "skeleton_tree"));
    sections.push_back(encodeTree(model.triangleTree, "triangle_tree"));
    for (std::size_t g = 0; g < model.materialGroups.size(); ++g)
        sections.push_back(encodeGroup(model.materialGroups[g], g));
    if (!model.damping.empty()) sections.push_back(encodeDamping(model.damping));
    encodeContactSurface(model.contactSurface, sections);
    if (!model.contactSurface.field.empty()) sections.push_back(encodeField(model.contactSurface.field));
    return sections;
}

std::uint32_t neededVersion(const ReducedModel& model) {
    if (model.mesh.filledBoxes.size() > 0) return 5;
    if (model.mesh.kind == ElementKind::Brick)
        for (int e = 0; e < model.mesh.elementCount(); ++e)
            if (fitBrick(elementCorners(model.mesh, e)).turned) return 4;
    for (const ElasticMaterial& material : model.mesh.materials)
        if (!material.isotropic()) return 2;
    return 1;
}

}  // namespace pliant
