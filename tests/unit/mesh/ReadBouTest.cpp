// SPDX-License-Identifier: Zlib
#include "ReferenceData.h"
#include "TemporaryFolder.h"
#include "pliant/mesh/ReadVeg.h"

namespace {

using pliant::readBou;
using pliant::test::errorOf;
using pliant::test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ReadBou, IsAscendingAndCountsFromZero) {
    const TemporaryFolder folder;
    EXPECT_THAT(readBou(folder.write("a.bou", "7, 3,\r\n\n# held\n1,4 ,\n"), 7), ElementsAre(0, 2, 3, 6));
}

TEST(ReadBou, ReadsTheHeldEndOfTheReferenceBar) {
    EXPECT_THAT(readBou(pliant::test::referencePath("meshes/bar.bou"), 108),
                ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(ReadBou, EveryMistakeIsNamedWithItsLine) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        const std::string path = folder.write("a.bou", text);
        return errorOf([&] { readBou(path, 10); });
    };
    EXPECT_THAT(problem("1,2,\n11\n"), HasSubstr("a.bou:2: fixed vertex 11 is outside 1..10"));
    EXPECT_THAT(problem("0\n"), HasSubstr("a.bou:1: fixed vertex 0 is outside 1..10"));
    EXPECT_THAT(problem("5\n4\n5\n"), HasSubstr("a.bou:3: fixed vertex 5 is named twice, first at line 1"));
    EXPECT_THAT(problem("1,two\n"), HasSubstr("a.bou:1: \"two\" is not a vertex number"));
    EXPECT_THAT(problem("1.5\n"), HasSubstr("a.bou:1: \"1.5\" is not a vertex number"));
    EXPECT_THAT(problem("99999999999\n"), HasSubstr("is not a vertex number"));
    EXPECT_THAT(problem("\n"), HasSubstr("names no vertex"));
    EXPECT_THAT(errorOf([&] { readBou(folder.path("absent.bou"), 10); }), HasSubstr("absent.bou: cannot be read"));
}

}  // namespace
