// SPDX-License-Identifier: Zlib
// The bodies whose contact `benchmark_solids` measures: surfaces, reduced with the default options but for the material
// and the number of coordinates.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/model/ReducedModel.h"

namespace pliant::benchmarks {

/// Keeps what it makes as NAME.pliant in a folder, if one is given, and takes it from there the next time.
class SolidModels {
public:
    explicit SolidModels(std::string folder) : m_folder(std::move(folder)) {}

    /// @param name "basket" (strands), "cow", "apple", "tyre", "plate" or "jelly" of media/ with the materials of its
    /// scenes and r = 30; "cube", "torus" or "cup" with the default material and r = 30; "ellipsoid": 0.38 m long, 3
    /// kg, r = 20, lowest frequency 19 Hz
    std::shared_ptr<const ReducedModel> get(const std::string& name) const;
    /// Those of the table of 27 bodies in a box; the strands first.
    static const std::vector<std::string>& inTheBox();

private:
    std::string m_folder;
};

/// Metres from the least to the largest coordinate of the drawn surface.
Vector3 extentOf(const ReducedModel& model);

}  // namespace pliant::benchmarks
