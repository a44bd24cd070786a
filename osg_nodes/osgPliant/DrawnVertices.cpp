// SPDX-License-Identifier: Zlib
#include "osgPliant/DrawnVertices.h"

#include <algorithm>
#include <vector>

namespace osgPliant {

int countDrawnVertices(const osg::Geometry& geometry) {
    const osg::Array* vertices = geometry.getVertexArray();
    std::vector<bool> named(vertices ? vertices->getNumElements() : 0);
    for (unsigned int p = 0; p < geometry.getNumPrimitiveSets(); ++p) {
        const osg::PrimitiveSet& set = *geometry.getPrimitiveSet(p);
        for (unsigned int i = 0; i < set.getNumIndices(); ++i) {
            const std::size_t vertex = set.index(i);
            if (vertex < named.size()) named[vertex] = true;
        }
    }
    return static_cast<int>(std::count(named.begin(), named.end(), true));
}

}  // namespace osgPliant
