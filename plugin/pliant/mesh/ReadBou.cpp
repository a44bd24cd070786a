// SPDX-License-Identifier: Zlib
#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

std::vector<int> readBou(const std::string& path, int vertexCount) {
    const std::string text = readTextFile(path);
    std::vector<int> firstLine(static_cast<std::size_t>(std::max(vertexCount, 0)), 0);
    int number = 0;
    for (const std::string_view raw : splitLines(text)) {
        ++number;
        const std::string where = fileAndLine(path, number);
        for (const std::string_view word : splitWords(raw.substr(0, raw.find('#')), ",")) {
            int vertex = 0;
            if (!parseNumber(word, vertex))
                throw Error(where, "\"" + std::string(word.substr(0, 40)) + "\" is not a vertex number",
                            "a .bou lists vertices, counted from 1, separated by commas");
            if (vertex < 1 || vertex > vertexCount)
                throw Error(where,
                            "fixed vertex " + std::to_string(vertex) + " is outside 1.." + std::to_string(vertexCount),
                            "the .bou must belong to this simulation mesh; it counts from 1");
            int& first = firstLine[static_cast<std::size_t>(vertex - 1)];
            if (first > 0)
                throw Error(where, "fixed vertex " + std::to_string(vertex) + " is named twice, first at line " +
                                       std::to_string(first));
            first = number;
        }
    }
    std::vector<int> vertices;
    for (int v = 0; v < vertexCount; ++v)
        if (firstLine[static_cast<std::size_t>(v)] > 0) vertices.push_back(v);
    if (vertices.empty()) throw Error(path, "names no vertex", "leave the file out for a free body");
    return vertices;
}

}  // namespace pliant
