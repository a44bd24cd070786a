// SPDX-License-Identifier: Zlib
#include <filesystem>

#include "pliant/model/DecodeModel.h"
#include "pliant/model/SectionReader.h"

namespace pliant {
namespace {

/// Stored relative to the model file's folder; an absolute path stays what it is.
std::string resolvedTexture(const std::string& stored, const std::string& modelPath) {
    if (stored.empty()) return {};
    return (std::filesystem::path(modelPath).parent_path() / stored).lexically_normal().string();
}

/// Arrays that a surface may lack have no column.
template <typename Table>
Eigen::Index presentOrNone(const SectionReader<schema::Surface>& surface, const Table* stored, Eigen::Index d) {
    return surface.columns(stored) == 0 ? 0 : d;
}

void decodeMaterials(const SectionReader<schema::Surface>& surface, const std::string& path, SurfaceMesh& s) {
    surface.require(surface->materials() != nullptr, "the materials are missing");
    for (const schema::SurfaceMaterial* stored : *surface->materials()) {
        SurfaceMaterial material;
        material.name = surface.text(stored->name());
        surface.read(stored->diffuse(), 3, 1, "a diffuse colour", material.diffuse);
        surface.read(stored->specular(), 3, 1, "a specular colour", material.specular);
        material.shininess = stored->shininess();
        material.opacity = stored->opacity();
        material.diffuseTexture = resolvedTexture(surface.text(stored->diffuse_texture()), path);
        s.materials.push_back(material);
    }
}

void decodeDrawnSurface(const ModelContainer& container, Eigen::Index d, SurfaceMesh& s) {
    const SectionReader<schema::Surface> surface(container, "surface");
    surface.read(surface->positions(), 3, d, "the positions", s.positions);
    surface.read(surface->normals(), 3, d, "the normals", s.normals);
    surface.read(surface->texcoords(), 2, presentOrNone(surface, surface->texcoords(), d), "the texture coordinates",
                 s.texcoords);
    surface.read(surface->colours(), 4, presentOrNone(surface, surface->colours(), d), "the colours", s.colours);
    surface.read(surface->triangles(), 3, surface.columns(surface->triangles()), "the triangles", s.triangles);
    surface.readList(surface->triangle_material(), "the triangle materials", s.triangleMaterial);
    decodeMaterials(surface, container.path(), s);
}

void decodeSurfaceBasis(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& m) {
    const SectionReader<schema::SurfaceBasis> section(container, "surface_basis");
    const Eigen::Index d = sizes.surfaceVertices;
    section.read(section->basis(), 3 * d, sizes.dimension, "the surface basis", m.surfaceBasis);
    section.read(section->normal_basis(), 3 * d, sizes.dimension, "the normal basis", m.surfaceNormalBasis);
    Matrix<int, 8, Eigen::Dynamic> vertex;
    Matrix<double, 8, Eigen::Dynamic> weight;
    Matrix<int, Eigen::Dynamic, 1> element;
    VectorX distance;
    section.read(section->vertex(), 8, d, "the embedding's vertices", vertex);
    section.read(section->weight(), 8, d, "the embedding's weights", weight);
    section.read(section->element(), d, 1, "the embedding's elements", element);
    section.read(section->distance(), d, 1, "the embedding's distances", distance);
    m.surfaceEmbedding.resize(static_cast<std::size_t>(d));
    for (Eigen::Index s = 0; s < d; ++s) {
        MaterialPoint& point = m.surfaceEmbedding[static_cast<std::size_t>(s)];
        Eigen::Map<Matrix<int, 8, 1>>(point.vertex.data()) = vertex.col(s);
        Eigen::Map<Matrix<double, 8, 1>>(point.weight.data()) = weight.col(s);
        point.element = element[s];
        point.distance = distance[s];
    }
}

void decodeSkeleton(const ModelContainer& container, Eigen::Index r, ContactSkeleton& skeleton) {
    const SectionReader<schema::Skeleton> section(container, "skeleton");
    const Eigen::Index b = section.columns(section->rest_centres());
    section.read(section->rest_centres(), 3, b, "the centres", skeleton.restCentres);
    section.read(section->radii(), b, 1, "the radii", skeleton.radii);
    section.read(section->basis(), 3 * b, r, "the basis", skeleton.basis);
    section.read(section->segments(), 2, section.columns(section->segments()), "the segments", skeleton.segments);
}

void decodeTree(const ModelContainer& container, const char* name, Eigen::Index r, BDTree& tree) {
    const SectionReader<schema::Tree> section(container, name);
    const Eigen::Index N = section.columns(section->nodes());
    Matrix<int, 3, Eigen::Dynamic> nodes;
    section.read(section->nodes(), 3, N, "the nodes", nodes);
    section.read(section->rest_centres(), 3, N, "the centres", tree.restCentres);
    section.read(section->rest_radii(), N, 1, "the radii", tree.restRadii);
    section.read(section->centre_basis(), 3 * N, r, "the basis of the centres", tree.centreBasis);
    section.read(section->radius_coefficients(), r, N, "the radius coefficients", tree.radiusCoefficients);
    section.readList(section->items(), "the items", tree.items);
    for (Eigen::Index k = 0; k < N; ++k) tree.nodes.push_back({nodes(0, k), nodes(1, k), nodes(2, k)});
}

}  // namespace

void decodeSurface(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& model) {
    decodeDrawnSurface(container, sizes.surfaceVertices, model.surface);
    decodeSurfaceBasis(container, sizes, model);
    decodeSkeleton(container, sizes.dimension, model.skeleton);
    decodeTree(container, "skeleton_tree", sizes.dimension, model.skeletonTree);
    decodeTree(container, "triangle_tree", sizes.dimension, model.triangleTree);
}

}  // namespace pliant
