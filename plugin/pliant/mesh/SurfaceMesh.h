// SPDX-License-Identifier: Zlib
// The drawn surface: triangles with normals, texture coordinates, colours and materials. Polygon soup is allowed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

/// A picture that is no file yet: it was inside another one.
struct EmbeddedImage {
    std::string bytes;
    std::string extension;  ///< of the file that it would be: "png", "jpg"
};

/// Wavefront-like surface material. Colours are linear RGB in [0, 1].
struct SurfaceMaterial {
    std::string name;
    Vector3 diffuse = Vector3(0.8, 0.8, 0.8);
    Vector3 specular = Vector3(0.0, 0.0, 0.0);
    double shininess = 0.0;  ///< specular exponent, 0..1000 as in .mtl
    double opacity = 1.0;    ///< 1 = opaque
    std::string
        diffuseTexture;  ///< path as found (relative to the .obj's folder resolved to one that opens); empty = none
    /// In place of a path; saveModel() writes it beside the model, whose reader then has a path. May be shared.
    std::shared_ptr<const EmbeddedImage> embeddedTexture;
};

/// Vertices are unique combinations of position, normal and texture coordinate (what a GPU draws).
struct SurfaceMesh {
    Points positions;  ///< 3 x n, metres
    Points normals;    ///< 3 x n, unit length; computed from the triangles where the file has none
    Matrix<double, 2, Eigen::Dynamic> texcoords;  ///< 2 x n or 2 x 0 when the file has none
    Matrix<float, 4, Eigen::Dynamic> colours;     ///< 4 x n RGBA or 4 x 0 when the file has none
    Triangles triangles;                          ///< 3 x m
    std::vector<int> triangleMaterial;            ///< m, index into `materials`
    std::vector<SurfaceMaterial> materials;       ///< at least one

    int vertexCount() const { return static_cast<int>(positions.cols()); }
    int triangleCount() const { return static_cast<int>(triangles.cols()); }
};

}  // namespace pliant
