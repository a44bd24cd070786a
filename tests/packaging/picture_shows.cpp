// SPDX-License-Identifier: Zlib
// picture_shows wicker|red FILE: whether a picture shows a body of that colour, a hundredth of its pixels at least.
#include <cstdio>
#include <exception>
#include <string>

#include "Picture.h"

int main(int argc, char** argv) {
    using namespace pliant::test;
    const std::string colour = argc == 3 ? argv[1] : "";
    if (colour != "wicker" && colour != "red") {
        std::fprintf(stderr, "picture_shows wicker|red FILE\n");
        return 2;
    }
    try {
        const double share = shareOf(colour == "red" ? red : wicker, readPicture(argv[2]));
        if (share >= 0.01) return 0;
        std::fprintf(stderr, "%s: %.2f %% of the picture is %s, less than one: it shows no body\n", argv[2],
                     100 * share, colour.c_str());
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
    }
    return 1;
}
