// SPDX-License-Identifier: Zlib
// Files of the bridge form no circle. A header and its source are one file here, since what one of them needs the other
// needs too; an installed header stands for itself, as what users see of the whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "SourceTree.h"

namespace pliant::test {
namespace {

using Names = std::set<std::string>;
using Graph = std::map<std::string, Names>;

std::string withoutEnding(const std::string& file) {
    return file.substr(0, file.rfind('.'));
}

/// The node of a file as it is included: its name without an ending, but for sources of installed headers.
std::string nodeOf(const std::string& file, const Names& installed) {
    const std::string stem = withoutEnding(file), header = stem + ".h";
    return installed.count(header) && file != header ? file : stem;
}

Graph includesOfTheBridge() {
    static const std::regex include("(?:^|\\n)#include \"([^\"]+)\"");
    const Names installed = publicHeaders();
    Graph graph;
    for (const std::filesystem::path& file : sourceFiles("bullet_bridge")) {
        const std::string name = file.lexically_relative(projectFolder() / "bullet_bridge").generic_string();
        Names& to = graph[nodeOf(name, installed)];
        const std::string text = readWhole(file);
        for (std::sregex_iterator match(text.begin(), text.end(), include), end; match != end; ++match)
            to.insert(nodeOf((*match)[1], installed));
        to.erase(nodeOf(name, installed));
    }
    return graph;
}

/// What is reached from a node over one or more steps.
Names reachedFrom(const Graph& graph, const std::string& from) {
    Names all;
    std::vector<std::string> open = {from};
    while (!open.empty()) {
        const auto node = graph.find(open.back());
        open.pop_back();
        if (node == graph.end()) continue;
        for (const std::string& next : node->second)
            if (all.insert(next).second) open.push_back(next);
    }
    return all;
}

/// Strongly connected components of more than one node.
std::set<Names> circlesOf(const Graph& graph) {
    std::map<std::string, Names> reached;
    for (const auto& [node, to] : graph) reached[node] = reachedFrom(graph, node);
    std::set<Names> circles;
    for (const auto& [node, all] : reached) {
        if (!all.count(node)) continue;
        Names circle;
        for (const std::string& other : all) {
            const auto back = reached.find(other);
            if (back != reached.end() && back->second.count(node)) circle.insert(other);
        }
        circles.insert(circle);
    }
    return circles;
}

TEST(FileCircles, AreFoundWhereTheyAre) {
    const Graph graph = {{"a", {"b"}}, {"b", {"c"}}, {"c", {"b", "d"}}, {"d", {"e"}}, {"f", {"g"}}, {"g", {"f"}}};
    EXPECT_EQ(circlesOf(graph), (std::set<Names>{{"b", "c"}, {"f", "g"}}));
    EXPECT_EQ(nodeOf("btPliant/btPliantBody.cpp", {"btPliant/btPliantBody.h"}), "btPliant/btPliantBody.cpp");
    EXPECT_EQ(nodeOf("btPliant/btPliantBody.h", {"btPliant/btPliantBody.h"}), "btPliant/btPliantBody");
    EXPECT_EQ(nodeOf("btPliant/step/Sleep.cpp", {"btPliant/btPliantBody.h"}), "btPliant/step/Sleep");
}

TEST(FileCircles, AreNoneInTheBridge) {
    const Graph graph = includesOfTheBridge();
    EXPECT_GT(graph.size(), 120u) << "the test found hardly any file: it looks in the wrong place";
    for (const Names& circle : circlesOf(graph)) {
        std::string text;
        for (const std::string& file : circle) text += " " + file;
        ADD_FAILURE() << "files include each other:" << text;
    }
}

}  // namespace
}  // namespace pliant::test
