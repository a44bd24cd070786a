// SPDX-License-Identifier: Zlib
// Piles of thin plates, and how deep they lie in each other, measured on the drawn surface and not on contacts.
#pragma once

#include <memory>
#include <vector>

#include "pliant/model/ReducedModel.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {

constexpr double sheetThickness = 2e-3;  // m

/// 0.4 x 0.3 m and 2 mm, of 1e7 Pa and 1,000 kg/m^3: 0.46 Hz, r = 30; as `pliant reduce` makes it. It lies in x and z.
std::shared_ptr<const ReducedModel> sheet();

/// Sheets let go 20 mm above each other over the ground of a scene, turned and moved by chance, with the damping that a
/// scene gives them. They do not sleep.
std::vector<btPliantBody*> dropSheets(TestWorld& scene, int count, unsigned seed);

struct SheetDepths {
    /// Over vertical lines 1 cm apart, for each two sheets that both meet one: the thickness less the distance between
    /// their upper faces, m, ascending. Negative: apart.
    std::vector<double> depths;
    int crossing = 0;  ///< pairs of which one lies above the other on some lines and below it on others

    double deepest() const { return depths.empty() ? 0.0 : depths.back(); }
    /// @param share in [0, 1), of the lines that are no deeper
    double percentile(double share) const {
        return depths.empty() ? 0.0 : depths[static_cast<std::size_t>(share * static_cast<double>(depths.size()))];
    }
};
SheetDepths depthsOf(const std::vector<btPliantBody*>& sheets);

}  // namespace pliant::test
