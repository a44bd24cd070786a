// SPDX-License-Identifier: Zlib
// One name, one type: two types of one name in one namespace break C++'s one-definition rule as soon as one program has
// both, and nothing tells.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "SourceTree.h"

namespace pliant::test {
namespace {

/// Types that a text defines at namespace scope, with their namespaces; those of unnamed namespaces are left out.
std::set<std::string> typesIn(const std::string& text) {
    static const std::regex opening("^(?:inline )?namespace ([\\w:]*) ?\\{.*"), closing("^\\}  // namespace.*");
    static const std::regex type(
        "^(?:struct|class|enum class|enum) (?:\\w+_API )?(\\w+)(?: final)?(?: :[^:].*)? \\{.*");
    std::vector<std::string> namespaces;
    std::set<std::string> types;
    std::istringstream lines(text);
    std::string line;
    std::smatch match;
    while (std::getline(lines, line)) {
        if (std::regex_match(line, match, opening)) namespaces.push_back(match[1]);
        if (std::regex_match(line, closing) && !namespaces.empty()) namespaces.pop_back();
        if (!std::regex_match(line, match, type)) continue;
        std::string name;
        bool isNamed = true;
        for (const std::string& space : namespaces) {
            isNamed = isNamed && !space.empty();
            name += space + "::";
        }
        if (isNamed) types.insert(name + match[1].str());
    }
    return types;
}

TEST(TypeNames, AreFoundWhereTheyStand) {
    const std::set<std::string> types = typesIn(
        "namespace a {\nstruct B {\n    struct Inner {\n    };\n};\nclass C;\nclass A_API D : public C {\n};\n"
        "namespace {\nstruct Hidden {\n};\n}  // namespace\nenum class E { One };\n}  // namespace a\nstruct F {};\n");
    EXPECT_EQ(types, (std::set<std::string>{"F", "a::B", "a::D", "a::E"}));
}

TEST(TypeNames, StandOnceInANamespace) {
    std::map<std::string, std::string> where;
    for (const char* root : {"plugin", "bullet_bridge", "osg_nodes"})
        for (const std::filesystem::path& file : sourceFiles(root))
            for (const std::string& name : typesIn(readWhole(file))) {
                const auto [known, isNew] = where.emplace(name, file.string());
                EXPECT_TRUE(isNew) << name << " is defined in " << known->second << " and in " << file;
            }
    EXPECT_GT(where.size(), 500u) << "the test found hardly any type: it looks in the wrong place";
}

}  // namespace
}  // namespace pliant::test
