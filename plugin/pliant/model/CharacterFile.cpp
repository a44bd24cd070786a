// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <array>

#include "pliant/math/Error.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/model/CheckModel.h"
#include "pliant/model/DecodeModel.h"
#include "pliant/model/EncodeCharacter.h"
#include "pliant/model/SaveModel.h"

namespace pliant {

std::shared_ptr<const CharacterModel> loadCharacter(const std::string& path) {
    const ModelContainer container(path);
    if (!container.has("rig"))
        throw Error(path, "section 'rig': is missing: the model has no bones", "make a character with pliant rig");
    const auto flesh = std::make_shared<ReducedModel>();
    decodeModel(container, *flesh);
    checkModel(*flesh, path);
    const auto character = std::make_shared<CharacterModel>();
    character->flesh = flesh;
    decodeCharacter(container, *character);
    checkCharacter(*character, path);
    return character;
}

void saveCharacter(const CharacterModel& character, const std::string& path) {
    if (!character.flesh) throw Error(path, "the character has no flesh");
    checkModel(*character.flesh, path);
    checkCharacter(character, path);
    writeModel(*character.flesh, encodeCharacter(character), characterFileVersion, path);
}

bool isCharacterFile(const std::string& path) {
    return ModelContainer(path).has("rig");
}

void weightsAt(const SkinWeights& nodes, const MaterialPoint& point, int* bones, double* weights) {
    std::array<std::pair<double, int>, 32>
        all;  // minus the weight, so that sorting puts the lower bone of equals first
    std::size_t count = 0;
    for (std::size_t c = 0; c < 8; ++c)
        for (Eigen::Index i = 0; i < 4; ++i) {
            const double share = point.weight[c] * nodes.weights(i, point.vertex[c]);
            if (share == 0.0) continue;
            const int bone = nodes.bones(i, point.vertex[c]);
            const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
            const auto same = std::find_if(all.begin(), end, [&](const auto& one) { return one.second == bone; });
            if (same == end) all[count++] = {0.0, bone};
            same->first -= share;
        }
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(all.begin(), end);
    double sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) sum += i < count && all[i].first < 0.0 ? -all[i].first : 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
        const bool used = i < count && all[i].first < 0.0 && sum > 0.0;
        bones[i] = used ? all[i].second : 0;
        weights[i] = used ? -all[i].first / sum : 0.0;
    }
}

}  // namespace pliant
