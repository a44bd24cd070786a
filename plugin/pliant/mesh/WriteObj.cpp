// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <filesystem>
#include <vector>

#include "pliant/math/Error.h"
#include "pliant/mesh/CheckSurfaceMesh.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

namespace {

namespace fs = std::filesystem;

template <typename Column>
void appendNumbers(std::string& text, const Column& column) {
    for (Eigen::Index k = 0; k < column.size(); ++k) text += " " + numberText(static_cast<double>(column[k]));
}

/// Names of the materials in the file: words without blanks, each one once.
std::vector<std::string> materialNames(const SurfaceMesh& mesh) {
    std::vector<std::string> names;
    for (const SurfaceMaterial& material : mesh.materials) {
        std::string name = material.name.empty() ? "material" : material.name;
        for (char& c : name)
            if (c == ' ' || c == '\t' || c == '#' || c == '\n' || c == '\\') c = '_';
        while (std::find(names.begin(), names.end(), name) != names.end()) name += "_" + std::to_string(names.size());
        names.push_back(name);
    }
    return names;
}

/// Blanks in file names carry a backslash.
std::string escaped(const std::string& name) {
    std::string text;
    for (const char c : name) text += c == ' ' ? std::string("\\ ") : std::string(1, c);
    return text;
}

std::string materialText(const SurfaceMesh& mesh, const fs::path& folder) {
    std::string text;
    const std::vector<std::string> names = materialNames(mesh);
    for (std::size_t m = 0; m < mesh.materials.size(); ++m) {
        const SurfaceMaterial& material = mesh.materials[m];
        text += "newmtl " + names[m] + "\nKd";
        appendNumbers(text, material.diffuse);
        text += "\nKs";
        appendNumbers(text, material.specular);
        text += "\nNs " + numberText(material.shininess) + "\nd " + numberText(material.opacity) + "\n";
        if (!material.diffuseTexture.empty()) {
            const fs::path relative = fs::path(material.diffuseTexture).lexically_relative(folder);
            text += "map_Kd " + (relative.empty() ? material.diffuseTexture : relative.string()) + "\n";
        }
    }
    return text;
}

void appendVertices(std::string& text, const SurfaceMesh& mesh) {
    for (Eigen::Index i = 0; i < mesh.positions.cols(); ++i) {
        text += "v";
        appendNumbers(text, mesh.positions.col(i));
        if (mesh.colours.cols() > 0) appendNumbers(text, mesh.colours.col(i).head<3>());
        text += "\n";
    }
    const auto appendAll = [&](const char* keyword, const auto& columns) {
        for (Eigen::Index i = 0; i < columns.cols(); ++i) {
            text += keyword;
            appendNumbers(text, columns.col(i));
            text += "\n";
        }
    };
    appendAll("vt", mesh.texcoords);
    appendAll("vn", mesh.normals);
}

void appendFaces(std::string& text, const SurfaceMesh& mesh) {
    const bool hasTexcoords = mesh.texcoords.cols() > 0, hasNormals = mesh.normals.cols() > 0;
    const std::vector<std::string> names = materialNames(mesh);
    int lastMaterial = -1;
    for (int t = 0; t < mesh.triangleCount(); ++t) {
        const int material = mesh.materials.empty() ? -1 : mesh.triangleMaterial[static_cast<std::size_t>(t)];
        if (material != lastMaterial) text += "usemtl " + names[static_cast<std::size_t>(material)] + "\n";
        lastMaterial = material;
        text += "f";
        for (int c = 0; c < 3; ++c) {
            const std::string v = std::to_string(mesh.triangles(c, t) + 1);
            text += " " + v;
            if (hasTexcoords || hasNormals) text += "/" + (hasTexcoords ? v : std::string());
            if (hasNormals) text += "/" + v;
        }
        text += "\n";
    }
}

}  // namespace

void writeObj(const SurfaceMesh& mesh, const std::string& path) {
    checkSurfaceMesh(mesh, path);
    const fs::path materialFile = fs::path(path).replace_extension(".mtl");
    std::string text;
    if (!mesh.materials.empty()) {
        writeTextFile(materialFile.string(), materialText(mesh, fs::path(path).parent_path()));
        text += "mtllib " + escaped(materialFile.filename().string()) + "\n";
    }
    appendVertices(text, mesh);
    appendFaces(text, mesh);
    writeTextFile(path, text);
}

}  // namespace pliant
