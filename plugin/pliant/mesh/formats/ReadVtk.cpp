// SPDX-License-Identifier: Zlib
#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/SolidCells.h"
#include "pliant/mesh/formats/VolumeFormats.h"
#include "pliant/mesh/formats/VtkTokens.h"

namespace pliant {

namespace {

class VtkParser {
public:
    VtkParser(const std::string& text, const std::string& path) : m_path(path), m_in(text, path, 3) {}

    VolumeFile parse() {
        const std::string encoding = m_in.upperWord("ASCII or BINARY");
        if (encoding != "ASCII") m_in.fail("the file is " + encoding, "save it as legacy VTK in ASCII, or as .vtu");
        if (m_in.upperWord("DATASET") != "DATASET") m_in.fail("DATASET is missing");
        const std::string kind = m_in.upperWord("the kind of data set");
        if (kind != "UNSTRUCTURED_GRID") m_in.fail("a data set of kind " + kind, "only UNSTRUCTURED_GRID is read");
        while (!m_in.atEnd()) readSection();
        return finish();
    }

private:
    void readSection() {
        const std::string name = m_in.upperWord("a section");
        if (name == "POINTS") return readPoints();
        if (name == "CELLS") return readCells();
        if (name == "CELL_TYPES") return readTypes();
        if (name == "CELL_DATA") {
            m_dataCount = m_in.count("cells");
            m_ofCells = true;
        } else if (name == "POINT_DATA") {
            m_dataCount = m_in.count("points");
            m_ofCells = false;
        } else if (name == "SCALARS") {
            readScalars();
        } else if (name == "FIELD") {
            readField();
        } else if (name == "METADATA") {
            skipMetadata();
        } else if (name == "VECTORS" || name == "NORMALS") {
            skipArray(3);
        } else if (name == "TENSORS") {
            skipArray(9);
        } else {
            m_in.fail("\"" + name + "\" is no section that is known here",
                      "known are POINTS, CELLS, CELL_TYPES, CELL_DATA, POINT_DATA, SCALARS, VECTORS, NORMALS, FIELD");
        }
    }

    void readPoints() {
        const int n = m_in.count("points");
        m_in.word("the type of the points");
        m_positions.resize(3, n);
        for (int v = 0; v < n; ++v)
            for (Eigen::Index k = 0; k < 3; ++k) m_positions(k, v) = m_in.real("a coordinate");
    }

    void readCells() {
        const int first = m_in.count("cells"), second = m_in.count("numbers");
        if (m_in.peek() == "OFFSETS") return readNewCells(first, second);
        for (int c = 0; c < first; ++c) {
            const int size = m_in.count("corners");
            std::vector<int> cell;
            for (int i = 0; i < size; ++i) cell.push_back(m_in.integer("a point's number"));
            m_cells.push_back(std::move(cell));
        }
    }

    /// Since version 5: where each cell begins in the list of all corners, and that list.
    void readNewCells(int offsets, int corners) {
        m_in.skip(2, "the offsets");
        std::vector<int> begin, all;
        for (int i = 0; i < offsets; ++i) begin.push_back(m_in.integer("an offset"));
        if (m_in.upperWord("CONNECTIVITY") != "CONNECTIVITY") m_in.fail("CONNECTIVITY is missing");
        m_in.word("the type of the numbers");
        for (int i = 0; i < corners; ++i) all.push_back(m_in.integer("a point's number"));
        for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
            if (begin[c] < 0 || begin[c + 1] < begin[c] || begin[c + 1] > corners) m_in.fail("offsets do not ascend");
            m_cells.emplace_back(all.begin() + begin[c], all.begin() + begin[c + 1]);
        }
    }

    void readTypes() {
        const int cells = m_in.count("cell types");
        for (int c = 0; c < cells; ++c) {
            m_types.push_back(m_in.integer("a cell's type"));
            SolidKind kind = SolidKind::Tetrahedron;
            solidOfVtk(m_types.back(), m_in.where(), kind);
        }
    }

    void readScalars() {
        const std::string name(m_in.word("the name of an array"));
        m_in.word("the type of an array");
        int components = 1;
        if (const std::string_view next = m_in.peek(); parseNumber(next, components)) m_in.word("components");
        if (m_in.peek() == "LOOKUP_TABLE") m_in.skip(2, "the name of a lookup table");
        readArray(name, components, m_dataCount);
    }

    void readField() {
        m_in.word("the name of a field");
        const int arrays = m_in.count("arrays");
        for (int a = 0; a < arrays; ++a) {
            const std::string name(m_in.word("the name of an array"));
            const int components = m_in.count("components"), tuples = m_in.count("tuples");
            const std::string type = m_in.upperWord("the type of an array");
            if (type == "STRING") m_in.fail("a field of texts", "save the mesh without it");
            readArray(name, components, tuples);
            if (m_in.peek() == "METADATA") {
                m_in.word("METADATA");
                skipMetadata();
            }
        }
    }

    void readArray(const std::string& name, int components, int tuples) {
        const auto& names = regionArrayNames();
        const auto rank = std::find(names.begin(), names.end(), name);
        if (!m_ofCells || components != 1 || rank >= m_regionRank) {
            m_in.skip(static_cast<std::size_t>(components) * static_cast<std::size_t>(tuples),
                      "array \"" + name + "\"");
            return;
        }
        m_regionRank = rank;
        m_regions.clear();
        for (int i = 0; i < tuples; ++i) m_regions.push_back(regionNumber(m_in.real("a region"), m_in.where()));
    }

    void skipArray(std::size_t components) {
        m_in.skip(2, "the name and type of an array");
        m_in.skip(components * static_cast<std::size_t>(m_dataCount), "an array");
    }

    /// Keywords and numbers up to the next section.
    void skipMetadata() {
        static const std::vector<std::string> ends{"POINTS",  "CELLS",   "CELL_TYPES", "CELL_DATA", "POINT_DATA",
                                                   "SCALARS", "VECTORS", "NORMALS",    "FIELD",     "TENSORS"};
        while (!m_in.atEnd() && std::find(ends.begin(), ends.end(), m_in.peek()) == ends.end()) m_in.word("metadata");
    }

    VolumeFile finish() const {
        if (m_types.size() != m_cells.size())
            throw Error(m_path, std::to_string(m_cells.size()) + " cells, but " + std::to_string(m_types.size()) +
                                    " cell types");
        if (!m_regions.empty() && m_regions.size() != m_cells.size())
            throw Error(m_path, std::to_string(m_cells.size()) + " cells, but " + std::to_string(m_regions.size()) +
                                    " regions");
        SolidCollector solids;
        for (std::size_t c = 0; c < m_cells.size(); ++c) {
            SolidKind kind = SolidKind::Tetrahedron;
            if (!solidOfVtk(m_types[c], m_path, kind)) continue;
            std::vector<int> cell = m_cells[c];
            if (cell.size() != static_cast<std::size_t>(cornerCount(kind)))
                throw Error(m_path, "cell " + std::to_string(c) + " of type " + std::to_string(m_types[c]) + " has " +
                                        std::to_string(cell.size()) + " points");
            for (const int vertex : cell)
                if (kind != SolidKind::Tetrahedron && (vertex < 0 || vertex >= m_positions.cols()))
                    throw Error(m_path, "cell " + std::to_string(c) + " names point " + std::to_string(vertex) +
                                            " of 0.." + std::to_string(m_positions.cols() - 1));
            if (isVtkVoxel(m_types[c])) {
                std::swap(cell[2], cell[3]);
                std::swap(cell[6], cell[7]);
            }
            solids.add(kind, cell.data(), m_regions.empty() ? 0 : m_regions[c]);
        }
        return solids.finish(m_positions, {}, m_path);
    }

    std::string m_path;
    VtkTokens m_in;
    Points m_positions;
    std::vector<std::vector<int>> m_cells;
    std::vector<int> m_types, m_regions;
    std::vector<std::string>::const_iterator m_regionRank = regionArrayNames().end();
    int m_dataCount = 0;
    bool m_ofCells = false;
};

}  // namespace

VolumeFile readVtk(const std::string& path) {
    const std::string text = readTextFile(path);
    if (text.compare(0, 22, "# vtk DataFile Version") != 0)
        throw Error(fileAndLine(path, 1), "is no legacy .vtk: the first line is not \"# vtk DataFile Version\"");
    return VtkParser(text, path).parse();
}

}  // namespace pliant
