// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <memory>

#include "pliant/scene/Mistakes.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneParts.h"
#include "pliant/scene/UnknownName.h"

namespace pliant::scene {

namespace {

using NamedValues = std::vector<std::pair<std::string, CheckedYaml>>;

/// A variable that uses one below it is told so: that it is not defined would be read as a slip of the pen.
double valueOfVariable(const NamedValues& all, std::size_t number, const std::shared_ptr<const Scope>& scope) {
    const CheckedYaml& value = all[number].second;
    try {
        return value.within(scope).number();
    } catch (const UnknownName& unknown) {
        if (all[number].first == unknown.name())
            value.fail("\"" + unknown.name() + "\" is made of itself, and has no value yet",
                       "a variable has one value: give the new one a name of its own");
        for (std::size_t later = number + 1; later < all.size(); ++later)
            if (all[later].first == unknown.name())
                value.fail("\"" + unknown.name() + "\" has no value yet",
                           "a variable may use those before it: move it behind them");
        throw;
    }
}

void readOwnVariables(const NamedValues& all, const GivenVariables& given, const std::shared_ptr<Scope>& scope,
                      Mistakes& mistakes) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string& name = all[i].first;
        const auto own = std::find_if(given.rbegin(), given.rend(), [&](const auto& g) { return g.first == name; });
        const bool isRead = mistakes.tryPart([&] {
            if (!Scope::isName(name))
                all[i].second.fail("\"" + name +
                                   "\" cannot be a variable: it is no word, or one that expressions know");
            scope->set(name, own == given.rend() ? valueOfVariable(all, i, scope) : own->second);
        });
        if (!isRead) mistakes.lose("variable", name);
    }
}

void tellGivenInVain(const CheckedYaml& place, const GivenVariables& given, const Scope& scope, Mistakes& mistakes) {
    for (const auto& [name, value] : given) {
        if (scope.find(name) || mistakes.hasLostName(name)) continue;
        const std::string near = nearestWord(name, scope.names());
        mistakes.tryPart([&, &given = name] {
            place.fail("no variable is called \"" + given + "\", which --set gives a value to",
                       near.empty() ? "add it under variables" : "did you mean \"" + near + "\"?");
        });
    }
}

}  // namespace

std::shared_ptr<const Scope> readVariables(const CheckedYaml& root, const GivenVariables& given, Mistakes& mistakes) {
    for (const auto& [name, value] : given)  // before formulas use them
        if (!std::isfinite(value)) root.fail("the variable \"" + name + "\" is given no finite number");
    const auto scope = std::make_shared<Scope>();
    const bool areRead = mistakes.tryPart([&] {
        const auto block = root.find("variables");
        const auto tryKey = [&](const std::string& key, const auto& part) {
            if (!mistakes.tryPart(part)) mistakes.lose("variable", key);
        };
        if (block) readOwnVariables(block->entries(tryKey), given, scope, mistakes);
        tellGivenInVain(block ? *block : root, given, *scope, mistakes);
    });
    if (!areRead) mistakes.lose("variable", "");
    return scope;
}

}  // namespace pliant::scene
