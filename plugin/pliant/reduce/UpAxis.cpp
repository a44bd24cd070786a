// SPDX-License-Identifier: Zlib
#include "pliant/reduce/UpAxis.h"

#include "pliant/math/Error.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/FileExtension.h"

namespace pliant {
namespace {

/// Corners of a brick that is axis-aligned, before and after the turn, in the order of VolumeMesh again.
void reorderCorners(const VolumeMesh& mesh, Eigen::Index e, Matrix<int, Eigen::Dynamic, Eigen::Dynamic>& elements) {
    const Eigen::Matrix<int, 8, 1> old = mesh.elements.col(e);
    Vector3 centre = Vector3::Zero();
    for (const int v : old) centre += mesh.positions.col(v) / 8.0;
    for (const int v : old)
        for (std::size_t c = 0; c < 8; ++c) {
            bool here = true;
            for (int k = 0; k < 3; ++k)
                here =
                    here && (mesh.positions(k, v) > centre[k]) == (brickCornerBit[c][static_cast<std::size_t>(k)] == 1);
            if (here) elements(static_cast<Eigen::Index>(c), e) = v;
        }
}

}  // namespace

Matrix3 zUpFrom(UpAxis up) {
    Matrix3 R = Matrix3::Identity();
    if (up == UpAxis::Y) R << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    if (up == UpAxis::X) R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
    return R;
}

void turn(const Matrix3& R, SurfaceMesh& surface) {
    if (R.isIdentity(0.0)) return;  // same bits, signs of zeros among them
    surface.positions = (R * surface.positions).eval();
    surface.normals = (R * surface.normals).eval();
}

void turn(const Matrix3& R, VolumeMesh& mesh) {
    if (R.isIdentity(0.0)) return;
    if (mesh.filledBoxes.size() > 0)
        throw Error("mesh", "its bricks are cut along the axes that it has", "turn the surface before they are cut");
    for (ElasticMaterial& material : mesh.materials) {
        if (material.law == MaterialLaw::General) material.stiffness = rotatedStiffness(material.stiffness, R);
        if (material.law == MaterialLaw::Orthotropic) material.orthotropic.axes = R * material.orthotropic.axes;
    }
    std::vector<bool> aligned(static_cast<std::size_t>(mesh.elementCount()), false);
    for (int e = 0; mesh.kind == ElementKind::Brick && e < mesh.elementCount(); ++e)
        aligned[static_cast<std::size_t>(e)] = !fitBrick(elementCorners(mesh, e)).turned;
    mesh.positions = (R * mesh.positions).eval();
    auto elements = mesh.elements;
    for (Eigen::Index e = 0; e < elements.cols(); ++e)
        if (aligned[static_cast<std::size_t>(e)]) reorderCorners(mesh, e, elements);
    mesh.elements = elements;
}

std::string upNote(const std::string& input, const ReduceOptions& options) {
    const std::string extension = lowerExtension(input);
    if (options.up || (extension != ".gltf" && extension != ".glb")) return {};
    return input +
           ": y is up in glTF by its specification, z is up in scenes; --up y turns the body upright, --up z "
           "says that it stands as it should";
}

}  // namespace pliant
