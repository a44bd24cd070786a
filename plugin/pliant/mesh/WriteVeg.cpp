// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <string>

#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/VegMaterial.h"

namespace pliant {

namespace {

/// Names in the file hold no comma, comment sign or blank, and each occurs once.
std::vector<std::string> materialNames(const VolumeMesh& mesh) {
    std::vector<std::string> names;
    for (const ElasticMaterial& material : mesh.materials) {
        std::string name = material.name.empty() ? "material" : material.name;
        for (char& c : name)
            if (c == ',' || c == '#' || c == ' ' || c == '\t' || c == '\n') c = '_';
        while (std::find(names.begin(), names.end(), name) != names.end()) name += "_" + std::to_string(names.size());
        names.push_back(name);
    }
    return names;
}

void appendGeometry(std::string& text, const VolumeMesh& mesh) {
    text += "*VERTICES\n" + std::to_string(mesh.vertexCount()) + " 3 0 0\n";
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        text += std::to_string(v + 1);
        for (int k = 0; k < 3; ++k) text += " " + numberText(mesh.positions(k, v));
        text += "\n";
    }
    text += mesh.kind == ElementKind::Brick ? "\n*ELEMENTS\nCUBIC\n" : "\n*ELEMENTS\nTET\n";
    text += std::to_string(mesh.elementCount()) + " " + std::to_string(mesh.cornersPerElement()) + " 0\n";
    for (int e = 0; e < mesh.elementCount(); ++e) {
        text += std::to_string(e + 1);
        for (int c = 0; c < mesh.cornersPerElement(); ++c) text += " " + std::to_string(mesh.elements(c, e) + 1);
        text += "\n";
    }
}

void appendSet(std::string& text, const VolumeMesh& mesh, int material, const std::string& name) {
    text += "\n*SET " + name + "\n";
    int onLine = 0;
    for (int e = 0; e < mesh.elementCount(); ++e) {
        if (mesh.elementMaterial[static_cast<std::size_t>(e)] != material) continue;
        text += std::to_string(e + 1) + (++onLine % 8 == 0 ? ",\n" : ", ");
    }
    text += "\n";
}

}  // namespace

void writeVeg(const VolumeMesh& mesh, const std::string& path) {
    checkVolumeMesh(mesh, path);
    std::string text = "# " + std::to_string(mesh.vertexCount()) + " vertices, " + std::to_string(mesh.elementCount()) +
                       " elements\n\n";
    appendGeometry(text, mesh);
    const std::vector<std::string> names = materialNames(mesh);
    for (std::size_t m = 0; m < names.size(); ++m) {
        text += "\n*MATERIAL " + names[m] + "\n" + vegMaterialLine(mesh.materials[m]) + "\n";
    }
    for (std::size_t m = 0; m < names.size(); ++m) {
        // A region without elements is an error to readers; the material itself stays.
        if (std::find(mesh.elementMaterial.begin(), mesh.elementMaterial.end(), static_cast<int>(m)) ==
            mesh.elementMaterial.end())
            continue;
        const std::string set = names.size() == 1 ? "allElements" : "elements_" + names[m];
        if (names.size() > 1) appendSet(text, mesh, static_cast<int>(m), set);
        text += "\n*REGION\n" + set + ", " + names[m] + "\n";
    }
    writeTextFile(path, text);
}

}  // namespace pliant
