// SPDX-License-Identifier: Zlib
// Gmsh's .msh: two tetrahedra in two regions, read back exactly; and what is refused.
#include "TemporaryFolder.h"
#include "TwoTetrahedra.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string gmshNodes22 = "$Nodes\n5\n1 0 0 0\n2 1.1234567890123457 0 0\n30 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n";

TEST(ReadGmsh, Version22TakesPhysicalGroupsAsRegions) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(
        folder.write("a.msh",
                     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"skin\"\n3 7 \"soft core\"\n3 9 "
                     "\"shell\"\n$EndPhysicalNames\n" +
                         gmshNodes22 +
                         "$Elements\n4\n1 15 2 0 1 1\n2 2 2 1 1 1 2 30\n3 4 2 7 1 1 2 30 4\n4 4 2 9 2 2 30 4 "
                         "5\n$EndElements\n$Custom\nwhat ever\n$EndCustom\n"));
    expectTwoTetrahedra(file, "soft core", "shell");
    EXPECT_FALSE(file.hasMaterials);
    EXPECT_THAT(file.notes, IsEmpty());
}

const std::string gmshHead41 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n3 7 \"core\"\n3 9 \"shell\"\n$EndPhysicalNames\n"
    "$Entities\n1 0 1 2\n1 0 0 0 0\n1 0 0 0 1 1 1 1 5 0\n1 0 0 0 1 1 1 1 7 1 1\n2 0 0 0 1 1 1 1 9 1 "
    "-1\n$EndEntities\n"
    "$Nodes\n2 5 1 30\n0 1 0 1\n1\n0 0 0\n3 1 0 4\n2\n30\n4\n5\n1.1234567890123457 0 0\n0 1 0\n0 0 1\n1 1 "
    "1\n$EndNodes\n";

TEST(ReadGmsh, Version41TakesPhysicalGroupsAsRegions) {
    const TemporaryFolder folder;
    const VolumeFile file = readVolume(folder.write(
        "a.msh", gmshHead41 + "$Elements\n3 4 1 4\n2 1 2 1\n1 1 2 30\n3 1 4 1\n2 1 2 30 4\n3 2 4 1\n3 2 30 4 "
                              "5\n$EndElements\n"));
    expectTwoTetrahedra(file, "core", "shell");
}

TEST(ReadGmsh, Refusals) {
    const TemporaryFolder folder;
    const auto problem = [&](const std::string& text) {
        return errorOf([&] { readVolume(folder.write("a.msh", text)); });
    };
    const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    EXPECT_THAT(problem("$MeshFormat\n2.2 1 8\n"), HasSubstr("a.msh: byte 20: the file ends before the byte order"));
    EXPECT_THAT(problem("$MeshFormat\n2.2 1 4\n"), HasSubstr("a.msh:2: a binary file of numbers of 4 bytes"));
    EXPECT_THAT(problem("$MeshFormat\n4.0 0 8\n"),
                HasSubstr("a.msh:2: version 4.0 of .msh; save as version 4.1 or 2.2"));
    EXPECT_THAT(problem(head + gmshNodes22 + "$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n"),
                HasSubstr("a.msh:14: elements of Gmsh type 11; linear solids"));
    EXPECT_THAT(problem(head + gmshNodes22 + "$Elements\n1\n1 2 2 0 1 1 2 30\n$EndElements\n"),
                HasSubstr("no tetrahedra"));
    EXPECT_THAT(problem(head + gmshNodes22 + "$Elements\n1\n1 4 2 0 1 1 2 30 3\n$EndElements\n"),
                HasSubstr("a.msh:14: element names node 3, which is not there"));
    EXPECT_THAT(problem(head + "$Nodes\n2\n1 0 0 0\n$EndNodes\n"), HasSubstr("the section ends before node 2 of 2"));
    EXPECT_THAT(problem(head + "$Nodes\n1\n1 0 0 inf\n$EndNodes\n"), HasSubstr("a.msh:6: node 1 is NaN or infinite"));
    EXPECT_THAT(problem(head + "$Nodes\n1\n1 0 0 0\n"), HasSubstr("$EndNodes is missing"));
    EXPECT_THAT(problem(gmshHead41 + "$PartitionedEntities\n"), HasSubstr("cut into partitions"));
    EXPECT_THAT(problem("hello\n"), HasSubstr("a.msh:1: \"hello\" stands outside"));
}

}  // namespace
}  // namespace pliant::test
