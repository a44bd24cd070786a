// SPDX-License-Identifier: Zlib
// Parts of a body in a scene file: what is held, and what has a material of its own.
#include "models/RegionReader.h"

#include <algorithm>
#include <array>

#include "pliant/math/Error.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::program {
namespace {

using scene::CheckedYaml;

constexpr std::array<std::pair<const char*, RegionKind>, 5> kRegionKeys{{{"box", RegionKind::Box},
                                                                         {"sphere", RegionKind::Sphere},
                                                                         {"halfspace", RegionKind::HalfSpace},
                                                                         {"material", RegionKind::Material},
                                                                         {"group", RegionKind::Group}}};

void readNumbers(const CheckedYaml& list, BodyRegion& region) {
    const std::vector<CheckedYaml> items = list.items();
    const auto wanted = static_cast<std::size_t>(numberCount(region.kind));
    if (items.size() != wanted)
        list.fail(list.name() + " needs " + std::to_string(wanted) + " numbers, it has " +
                  std::to_string(items.size()));
    for (std::size_t i = 0; i < wanted; ++i) region.numbers[i] = items[i].number();
}

/// The one place or name in a block.
BodyRegion readBodyRegion(const CheckedYaml& block) {
    const auto isThere = [&](const auto& key) { return block.has(key.first); };
    if (std::count_if(kRegionKeys.begin(), kRegionKeys.end(), isThere) != 1)
        block.fail("a region is told by one of box, sphere, halfspace, material and group",
                   "make a list for several regions");
    const auto& [key, kind] = *std::find_if(kRegionKeys.begin(), kRegionKeys.end(), isThere);
    BodyRegion region;
    region.kind = kind;
    const CheckedYaml value = block.at(key);
    if (numberCount(kind) == 0)
        region.name = value.text();
    else
        readNumbers(value, region);
    try {
        region.check();
    } catch (const Error& problem) {
        value.fail(problem.what());
    }
    return region;
}

}  // namespace

void readHeld(const CheckedYaml& value, const std::string& sceneFile, ReduceOptions& options) {
    if (!value.isBlock() && !value.isList()) {
        options.fixedVertices = scene::existingFile(value, sceneFile);
        return;
    }
    const std::vector<CheckedYaml> blocks = value.isList() ? value.items() : std::vector<CheckedYaml>{value};
    if (blocks.empty()) value.fail("no region is named", "leave the key out for a free body");
    for (const CheckedYaml& block : blocks) {
        block.expectKeys({"box", "sphere", "halfspace", "material", "group"});
        options.hold.push_back(readBodyRegion(block));
    }
}

std::vector<MaterialRegion> readRegions(const CheckedYaml& list) {
    std::vector<MaterialRegion> regions;
    for (const CheckedYaml& block : list.items()) {
        block.expectKeys({"name", "young", "poisson", "density", "box", "sphere", "halfspace", "material", "group"});
        MaterialRegion region;
        region.where = readBodyRegion(block);
        region.name = region.where.name;
        if (const auto value = block.find("name")) region.name = value->text();
        if (region.name.empty()) block.fail("the region needs the key \"name\"", "it is the name of its material");
        if (const auto value = block.find("young")) region.youngsModulus = value->number({1.0e-6, 1.0e15});
        if (const auto value = block.find("poisson")) region.poissonRatio = value->number({-0.999, 0.499});
        if (const auto value = block.find("density")) region.density = value->number({1.0e-6, 1.0e6});
        if (!region.youngsModulus && !region.poissonRatio && !region.density)
            block.fail("no constant of the region differs from the body's", "give it young, poisson or density");
        regions.push_back(region);
    }
    return regions;
}

}  // namespace pliant::program
