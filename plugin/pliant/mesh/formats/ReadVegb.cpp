// SPDX-License-Identifier: Zlib
#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/formats/VolumeFormats.h"

namespace pliant {

namespace {

/// Layout: docs/formats.md. All counts are int32, all numbers of vertices, elements, sets and materials count from 0.
class VegbParser {
public:
    explicit VegbParser(const std::string& path) : m_bytes(readBytes(path)), m_in(m_bytes, path) {}

    VolumeFile parse() {
        const auto version = m_in.take<double>("its version");
        if (version != 1.0) fail("is no .vegb of version 1: the first number is " + std::to_string(version));
        readVertices();
        readElements();
        readMaterials();
        readSets();
        readRegions();
        m_in.expectEnd();
        return std::move(m_file);
    }

private:
    enum Kind { Tet = 1, Cubic = 2 };
    enum Law { Enu = 1, Orthotropic = 2, MooneyRivlin = 3 };

    [[noreturn]] void fail(const std::string& problem, const std::string& cure = {}) const {
        throw Error(m_in.where(), problem, cure);
    }

    /// A count whose items take at least `bytes` each: what the file cannot hold must not size an array.
    int count(const std::string& what, std::size_t bytes) {
        const auto n = m_in.take<std::int32_t>("the number of " + what);
        if (n < 0 || static_cast<std::size_t>(n) > m_in.remaining() / bytes)
            fail(std::to_string(n) + " " + what + " announced, which the file does not hold",
                 "is it a file of this format?");
        return n;
    }

    void readVertices() {
        const auto kind = m_in.take<std::int32_t>("the kind of elements");
        if (kind != Tet && kind != Cubic) fail("elements of kind " + std::to_string(kind), "known are 1 and 2");
        m_file.mesh.kind = kind == Cubic ? ElementKind::Brick : ElementKind::Tetrahedron;
        const int n = count("vertices", 3 * sizeof(double));
        m_file.mesh.positions.resize(3, n);
        m_in.take(m_file.mesh.positions.data(), 3 * static_cast<std::size_t>(n), "the vertices");
    }

    void readElements() {
        VolumeMesh& mesh = m_file.mesh;
        const auto m = m_in.take<std::int32_t>("the number of elements");
        const auto corners = m_in.take<std::int32_t>("the number of corners");
        if (corners != mesh.cornersPerElement())
            fail("elements of " + std::to_string(corners) + " corners, where their kind has " +
                 std::to_string(mesh.cornersPerElement()));
        const std::size_t bytes = sizeof(std::int32_t) * static_cast<std::size_t>(corners);
        if (m < 0 || static_cast<std::size_t>(m) > m_in.remaining() / bytes)
            fail(std::to_string(m) + " elements announced, which the file does not hold");
        mesh.elements.resize(corners, m);
        m_in.take(mesh.elements.data(), static_cast<std::size_t>(mesh.elements.size()), "the elements");
        mesh.elementMaterial.assign(static_cast<std::size_t>(m), -1);
    }

    void readMaterials() {
        const int materials = count("materials", 2 * sizeof(std::int32_t));
        for (int i = 0; i < materials; ++i) {
            ElasticMaterial material;
            material.name = readName("a material's name");
            const auto law = m_in.take<std::int32_t>("the law of material \"" + material.name + "\"");
            if (law == MooneyRivlin)
                fail("material \"" + material.name + "\" is Mooney-Rivlin", "only linear stress-strain laws are known");
            if (law != Enu && law != Orthotropic)
                fail("material \"" + material.name + "\" has the unknown law " + std::to_string(law));
            material.density = m_in.take<double>("a density");
            if (law == Enu) {
                material.youngsModulus = m_in.take<double>("Young's modulus");
                material.poissonRatio = m_in.take<double>("Poisson's ratio");
            } else {
                readOrthotropic(material);
            }
            m_file.mesh.materials.push_back(material);
        }
    }

    void readOrthotropic(ElasticMaterial& material) {
        material.law = MaterialLaw::Orthotropic;
        OrthotropicConstants& constants = material.orthotropic;
        m_in.take(constants.youngsModuli.data(), 3, "E1, E2, E3");
        m_in.take(constants.poissonRatios.data(), 3, "nu12, nu23, nu31");
        m_in.take(constants.shearModuli.data(), 3, "G12, G23, G31");
        Matrix3 rows;  // the file's matrix goes row by row
        m_in.take(rows.data(), 9, "the axes of the material");
        constants.axes = rows.transpose();
    }

    std::string readName(const std::string& what) {
        const int size = count("characters", 1);
        return m_in.takeText(static_cast<std::size_t>(size), what);
    }

    /// Set 0, all elements, is counted but not stored.
    void readSets() {
        const auto sets = m_in.take<std::int32_t>("the number of sets");
        if (sets < 1 || static_cast<std::size_t>(sets) > m_in.remaining())
            fail(std::to_string(sets) + " sets announced");
        m_sets.resize(static_cast<std::size_t>(sets));
        for (int e = 0; e < m_file.mesh.elementCount(); ++e) m_sets[0].push_back(e);
        for (std::size_t s = 1; s < m_sets.size(); ++s) {
            readName("a set's name");
            const int members = count("members of a set", sizeof(std::int32_t));
            m_sets[s].resize(static_cast<std::size_t>(members));
            m_in.take(m_sets[s].data(), m_sets[s].size(), "the members of set " + std::to_string(s));
            for (const int e : m_sets[s])
                if (e < 0 || e >= m_file.mesh.elementCount())
                    fail("set " + std::to_string(s) + " names element " + std::to_string(e) + " of 0.." +
                         std::to_string(m_file.mesh.elementCount() - 1));
        }
    }

    void readRegions() {
        const int regions = count("regions", 2 * sizeof(std::int32_t));
        std::vector<int>& slot = m_file.mesh.elementMaterial;
        for (int i = 0; i < regions; ++i) {
            const auto material = m_in.take<std::int32_t>("a region's material");
            const auto set = m_in.take<std::int32_t>("a region's set");
            if (material < 0 || material >= static_cast<int>(m_file.mesh.materials.size()) || set < 0 ||
                set >= static_cast<int>(m_sets.size()))
                fail("region " + std::to_string(i) + " names material " + std::to_string(material) + " and set " +
                     std::to_string(set) + ", which are not there");
            for (const int e : m_sets[static_cast<std::size_t>(set)]) slot[static_cast<std::size_t>(e)] = material;
        }
        const auto bare = std::find(slot.begin(), slot.end(), -1);
        if (bare != slot.end())
            fail("element " + std::to_string(bare - slot.begin()) + " belongs to no region", "add it to one");
    }

    std::string m_bytes;
    ByteReader m_in;
    VolumeFile m_file;
    std::vector<std::vector<int>> m_sets;
};

}  // namespace

VolumeFile readVegb(const std::string& path) {
    return VegbParser(path).parse();
}

}  // namespace pliant
