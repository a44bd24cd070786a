// SPDX-License-Identifier: Zlib
#include "osgPliant/CulledFrames.h"

#include <algorithm>

namespace osgPliant {

CulledFrames::Pass CulledFrames::note(osgUtil::CullVisitor& visitor) {
    constexpr std::size_t most = 64;  // no frame has more passes: their cameras are made anew while no number counts
    const osgUtil::StateGraph* graph = visitor.getCurrentStateGraph();
    Way way{visitor.getNodePath(), visitor.getCurrentCamera(), graph ? graph->getStateSet() : nullptr};
    Pass pass = Pass::OfSameFrame;
    if (_ways.empty() || _number != visitor.getTraversalNumber()) {
        pass = Pass::OfNumberedFrame;
    } else if (_ways.size() == most || std::find(_ways.begin(), _ways.end(), way) != _ways.end()) {
        pass = Pass::Again;
    }
    if (pass != Pass::OfSameFrame) _ways.clear();
    _number = visitor.getTraversalNumber();
    _ways.push_back(std::move(way));
    return pass;
}

}  // namespace osgPliant
