// SPDX-License-Identifier: Zlib
#include "pliant/reduce/FollowedModes.h"

#include <cstdio>

#include "pliant/math/Frequency.h"

namespace pliant {
namespace {

constexpr double largestRatio = 1.1;  // of frequencies

}  // namespace

FollowedModes followedModes(const ReducedModel& model) {
    const VectorX &mesh = model.elasticEigenvalues, &own = model.restEigenvalues;
    FollowedModes followed;
    followed.known = static_cast<int>(mesh.size());
    for (Eigen::Index j = 0; j < mesh.size(); ++j) {
        if (j < own.size() && own[j] <= largestRatio * largestRatio * mesh[j]) {
            ++followed.count;
            continue;
        }
        followed.mesh = hertz(mesh[j]);
        followed.model = j < own.size() ? hertz(own[j]) : 0.0;
        break;
    }
    return followed;
}

std::string stiffnessText(const FollowedModes& followed) {
    if (followed.count == followed.known) return {};
    char text[240];
    const int length = std::snprintf(text, sizeof text,
                                     "follows the mesh's first %d of %d modes within 10 %%; the next one is at %.4g Hz",
                                     followed.count, followed.known, followed.mesh);
    std::string sentence(text, static_cast<std::size_t>(length));
    if (followed.model > 0.0) {
        std::snprintf(text, sizeof text, ", the body's at %.4g Hz: more columns (--dim) make it less stiff there",
                      followed.model);
        sentence += text;
    } else {
        sentence += ", for which there are too few columns (--dim)";
    }
    return sentence;
}

}  // namespace pliant
