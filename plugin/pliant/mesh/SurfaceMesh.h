// SPDX-License-Identifier: Zlib
/// @file
/// The drawn surface: triangles with normals, texture coordinates, colours and materials. Polygon soup is allowed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

/// A picture that is no file yet: it was inside another one.
struct EmbeddedImage {
    std::string bytes;      ///< The file's content.
    std::string extension;  ///< Extension of the file that it would be: "png", "jpg".
};

/// A surface material as in Wavefront files. Colours are linear RGB in [0, 1].
struct SurfaceMaterial {
    std::string name;                           ///< Name of the material.
    Vector3 diffuse = Vector3(0.8, 0.8, 0.8);   ///< Diffuse reflectance.
    Vector3 specular = Vector3(0.0, 0.0, 0.0);  ///< Specular reflectance.
    double shininess = 0.0;                     ///< Specular exponent, 0..1000 as in .mtl.
    double opacity = 1.0;                       ///< 1 = opaque, 0 = not seen.
    /// Path of the texture as found (relative to the .obj's folder resolved to one that opens); empty = none.
    std::string diffuseTexture;
    /// A texture in place of a path; saveModel() writes it beside the model, whose reader then has a path. May be
    /// shared.
    std::shared_ptr<const EmbeddedImage> embeddedTexture;
};

/// The drawn surface. Vertices are unique combinations of position, normal and texture coordinate (what a GPU draws).
struct SurfaceMesh {
    Points positions;  ///< 3 x n, m.
    Points normals;    ///< 3 x n, unit length; computed from the triangles where the file has none.
    /// Texture coordinates, 2 x n, or 2 x 0 when the file has none.
    Matrix<double, 2, Eigen::Dynamic> texcoords;
    Matrix<float, 4, Eigen::Dynamic> colours;  ///< RGBA, 4 x n, or 4 x 0 when the file has none.
    Triangles triangles;                       ///< 3 x m vertex numbers.
    std::vector<int> triangleMaterial;         ///< An index into `materials` for each of m triangles.
    std::vector<SurfaceMaterial> materials;    ///< At least one material.
    /// While a file is being read: m indices into `groupNames`, or none where the format has no groups. Not kept in
    /// models.
    std::vector<int> triangleGroup;
    std::vector<std::vector<std::string>> groupNames;  ///< The object and the groups that triangles stand in.

    /// The number n of vertices.
    int vertexCount() const { return static_cast<int>(positions.cols()); }
    /// The number m of triangles.
    int triangleCount() const { return static_cast<int>(triangles.cols()); }
};

}  // namespace pliant
