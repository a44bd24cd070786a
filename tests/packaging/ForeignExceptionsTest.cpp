// SPDX-License-Identifier: Zlib
// Questions to the file system throw std::filesystem's own exception for a name that is too long or a loop of links,
// unless they are given an error code. A file that users name, or that names another one, may hold any such name.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "SourceTree.h"

namespace pliant::test {
namespace {

/// The last argument of the call whose parenthesis opens at `open`.
std::string lastArgument(const std::string& text, std::size_t open) {
    int depth = 0;
    std::size_t begin = open + 1;
    for (std::size_t at = open; at < text.size(); ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] == ',' && depth == 1) begin = at + 1;
        if (text[at] == ')' && --depth == 0) return text.substr(begin, at - begin);
    }
    return {};
}

/// Calls in a text that can throw an exception of the file system: function and arguments' end.
std::set<std::string> throwingCalls(const std::string& text) {
    static const std::regex declared("std::error_code (\\w+)");
    static const std::regex called(
        "(?:fs|std::filesystem)::(exists|is_\\w+|status|file_size|canonical|weakly_canonical|absolute|relative|"
        "create_\\w+|remove|remove_all|rename|copy\\w*|last_write_time|directory_iterator|"
        "recursive_directory_iterator|read_symlink|equivalent|temp_directory_path|current_path|permissions|space|"
        "proximate)\\(");
    std::set<std::string> codes, found;
    for (std::sregex_iterator match(text.begin(), text.end(), declared), end; match != end; ++match)
        codes.insert((*match)[1]);
    for (std::sregex_iterator match(text.begin(), text.end(), called), end; match != end; ++match) {
        const auto open = static_cast<std::size_t>(match->position() + match->length() - 1);
        std::string last = lastArgument(text, open);
        last.erase(0, last.find_first_not_of(" \n"));
        if (codes.count(last) == 0) found.insert(match->str() + last + ")");
    }
    return found;
}

TEST(ForeignExceptions, AreFoundWhereTheyStand) {
    EXPECT_EQ(throwingCalls("std::error_code e;\nfs::exists(path(a, b), e); fs::exists(path(a, e)); fs::path(a);"
                            "std::filesystem::rename(a,\n    b, e); std::filesystem::file_size(a);"),
              (std::set<std::string>{"fs::exists(path(a, e))", "std::filesystem::file_size(a)"}));
}

TEST(ForeignExceptions, OfTheFileSystemAreAskedFor) {
    // The link to the running program is named by nobody.
    const std::set<std::string> allowed = {"std::filesystem::read_symlink(\"/proc/self/exe\")"};
    std::size_t files = 0;
    for (const char* root : {"plugin", "bullet_bridge", "osg_nodes", "examples/pliant", "python/src"})
        for (const std::filesystem::path& file : sourceFiles(root)) {
            ++files;
            for (const std::string& call : throwingCalls(readWhole(file)))
                EXPECT_EQ(allowed.count(call), 1u)
                    << file << ": " << call << " may throw; see pliant/mesh/FilesThere.h";
        }
    EXPECT_GT(files, 500u) << "the test found hardly any file: it looks in the wrong place";
}

}  // namespace
}  // namespace pliant::test
