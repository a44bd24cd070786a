// SPDX-License-Identifier: Zlib
// YAML that was made to take memory or time is refused, soon and with a place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"
#include "pliant/scene/SeveralErrors.h"

namespace pliant::scene {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string complaint(const std::string& text) {
    const auto start = std::chrono::steady_clock::now();
    std::string message = "no error";
    try {
        parseScene(text, "hostile.yaml");
    } catch (const Error& problem) {
        message = problem.what();
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_LT(taken.count(), 20.0);
    return message;
}

// yaml-cpp makes documents of it until there is no memory left.
TEST(HostileYaml, OneComma) {
    EXPECT_THAT(complaint(","), HasSubstr("YAML finds nothing in this scene"));
    EXPECT_THAT(complaint("ground: {height: 0}\n---\n,"), HasSubstr("second document"));
}

TEST(HostileYaml, AliasesOfAliases) {
    std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string name = "a" + std::to_string(i), last = "*a" + std::to_string(i - 1);
        text += name + ": &" + name + " [";
        for (int k = 0; k < 9; ++k) text += (k ? ", " : "") + last;
        text += "]\n";
    }
    EXPECT_THAT(complaint(text), HasSubstr("hostile.yaml:6:"));
    EXPECT_THAT(complaint(text), HasSubstr("values, those of aliases counted"));
}

// yaml-cpp takes half a kilobyte for a value of two bytes.
TEST(HostileYaml, MoreValuesThanAnySceneHas) {
    std::string text = "bodies: [";
    for (int i = 0; i < 200000; ++i) text += "1,";
    EXPECT_THAT(complaint(text + "1]\n"), HasSubstr("more than 166000 values"));
}

// Every value is a mistake here: a thousand are told, and reading stops.
TEST(HostileYaml, MoreMistakesThanAnybodyReads) {
    std::string text = "bodies: [";
    for (int i = 0; i < 100000; ++i) text += "1,";
    try {
        parseScene(text + "1]\n", "hostile.yaml");
        FAIL();
    } catch (const SeveralErrors& problems) {
        EXPECT_EQ(problems.messages().size(), 1001u);
        EXPECT_THAT(problems.messages().back(), HasSubstr("more mistakes than these 1000"));
    }
}

// Each of 20,000 instances would have 20,000 bodies.
TEST(HostileYaml, MoreEntriesOfInstancesThanAnySceneHas) {
    EXPECT_THAT(complaint("prefabs:\n  heap:\n    rigid:\n      - {repeat: {i: 20000}, shape: box}\n"
                          "instances:\n  - {repeat: {k: 20000}, prefab: heap, name: a}\n"),
                HasSubstr("hostile.yaml:6:5: the instances have more than 50000 entries"));
}

/// Ten instances of a prefab of touches and bodies.
std::string heapsOfTouches(int touches, int bodies) {
    return "rigid: [{shape: box, name: a}, {shape: box, name: b}]\nprefabs:\n  heap:\n    touch:\n"
           "      - {repeat: {i: " +
           std::to_string(touches) + "}, between: [a, b]}\n    rigid:\n      - {repeat: {i: " + std::to_string(bodies) +
           "}, shape: box}\ninstances:\n  - {repeat: {k: 10}, prefab: heap, name: h}\n";
}

TEST(HostileYaml, EntriesOfInstancesEndAtTheirMost) {
    const char* tooMany = "the instances have more than 50000 entries";
    EXPECT_THAT(complaint(heapsOfTouches(4999, 1)), Not(HasSubstr(tooMany)));
    EXPECT_THAT(complaint(heapsOfTouches(5000, 1)), HasSubstr(tooMany));
    EXPECT_THAT(complaint(heapsOfTouches(20000, 1)), HasSubstr(tooMany));
}

// What a new user writes.
TEST(HostileYaml, TabsAndForcesHaveTheirSentence) {
    EXPECT_THAT(complaint("ground:\n\theight: 0\n"), HasSubstr("hostile.yaml:2: a tab before the first word"));
    EXPECT_THAT(complaint("ground: {}\nforces: []\n"), HasSubstr("\"fields\" act on bodies all the time"));
}

TEST(HostileYaml, AnAliasOfItself) {
    EXPECT_THAT(complaint("bodies: &all [1, *all]\n"), HasSubstr("hostile.yaml:1:18: an alias that stands within"));
}

TEST(HostileYaml, ListsWithinLists) {
    EXPECT_THAT(complaint("bodies: " + std::string(64, '[') + std::string(64, ']') + "\n"),
                HasSubstr("more than 64 blocks and lists within each other"));
    EXPECT_THAT(complaint("bodies: " + std::string(100000, '[')), HasSubstr("hostile.yaml:1:"));
}

TEST(HostileYaml, MoreTextThanAnySceneHas) {
    EXPECT_THAT(complaint("# " + std::string(std::size_t{65} << 20, 'x')), HasSubstr("longer than 64 MiB"));
}

TEST(HostileYaml, AliasesThatSaveTypingAreFine) {
    const SceneDescription scene = parseScene(
        "rigid:\n  - &one {shape: sphere, radius: 0.1, position: &place [0, 0, 1]}\n  - *one\n"
        "  - {shape: box, size: [1, 1, 1], position: *place}\n",
        "aliases.yaml");
    ASSERT_EQ(scene.rigid.size(), 3u);
    EXPECT_EQ(scene.rigid[1].placement.position.z(), 1.0);
    EXPECT_EQ(scene.rigid[2].placement.position.z(), 1.0);
}

}  // namespace
}  // namespace pliant::scene
