// SPDX-License-Identifier: Zlib
#include "InputMeshes.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <vector>

#include "pliant/mesh/ElementShape.h"

namespace pliant::test {

InputFolder::InputFolder() {
    m_path = (std::filesystem::temp_directory_path() / "pliant-test-XXXXXX").string();
    if (::mkdtemp(m_path.data()) == nullptr) throw std::runtime_error(m_path);
}

InputFolder::~InputFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

std::string InputFolder::write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
}

VolumeMesh bricks(int a, int b, int c, const Vector3& sides, const std::function<bool(int, int, int)>& keep) {
    std::map<std::array<int, 3>, int> number;
    std::vector<Vector3> positions;
    std::vector<std::array<int, 8>> elements;
    for (int i = 0; i < a; ++i)
        for (int j = 0; j < b; ++j)
            for (int k = 0; k < c; ++k) {
                if (!keep(i, j, k)) continue;
                elements.emplace_back();
                for (std::size_t corner = 0; corner < 8; ++corner) {
                    const std::array<int, 3>& bit = brickCornerBit[corner];
                    const std::array<int, 3> at = {i + bit[0], j + bit[1], k + bit[2]};
                    const auto entry = number.emplace(at, static_cast<int>(positions.size()));
                    if (entry.second) positions.push_back(sides.cwiseProduct(Vector3(at[0], at[1], at[2])));
                    elements.back()[corner] = entry.first->second;
                }
            }
    VolumeMesh mesh;
    mesh.kind = ElementKind::Brick;
    mesh.positions.resize(3, static_cast<Eigen::Index>(positions.size()));
    for (std::size_t v = 0; v < positions.size(); ++v) mesh.positions.col(static_cast<Eigen::Index>(v)) = positions[v];
    mesh.elements.resize(8, static_cast<Eigen::Index>(elements.size()));
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (std::size_t corner = 0; corner < 8; ++corner)
            mesh.elements(static_cast<Eigen::Index>(corner), static_cast<Eigen::Index>(e)) = elements[e][corner];
    mesh.materials = {ElasticMaterial{"all", 1000.0, 1e6, 0.4}};
    mesh.elementMaterial.assign(elements.size(), 0);
    return mesh;
}

VolumeMesh lopsidedBricks() {
    VolumeMesh mesh = bricks(6, 3, 2, Vector3(0.11, 0.08, 0.07), [](int i, int j, int k) {
        return j == 0 || (i == 0 && k == 0) || (i == 1 && j == 1) || (i == 5 && j == 1);
    });
    mesh.materials.push_back({"heavy", 2300.0, 4e6, 0.3});
    for (std::size_t e = 0; e < mesh.elementMaterial.size(); e += 3) mesh.elementMaterial[e] = 1;
    return mesh;
}

VolumeMesh tetrahedra(const VolumeMesh& source) {
    const int around[] = {1, 2, 3, 7, 4, 5, 1};
    VolumeMesh mesh = source;
    mesh.kind = ElementKind::Tetrahedron;
    mesh.elements.resize(4, 6 * source.elementCount());
    mesh.elementMaterial.clear();
    for (int e = 0; e < source.elementCount(); ++e)
        for (int t = 0; t < 6; ++t) {
            const auto corner = [&](int c) { return source.elements(c, e); };
            mesh.elements.col(6 * e + t) << corner(0), corner(around[t]), corner(around[t + 1]), corner(6);
            mesh.elementMaterial.push_back(source.elementMaterial[static_cast<std::size_t>(e)]);
        }
    return mesh;
}

}  // namespace pliant::test
