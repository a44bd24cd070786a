// SPDX-License-Identifier: Zlib
// What a user hears of a slip on the command line.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace pliant::program {

/// One line: what does not fit, in which command, what was perhaps meant, and where to read on.
std::string explain(const CLI::App& app, const CLI::ParseError& problem);

/// CLI11's range, which NaN would pass: it is neither below nor above.
template <class Number>
CLI::Validator between(Number least, Number most) {
    CLI::Validator range = CLI::Range(least, most);
    const CLI::Validator within = range;
    return range.operation([within, least, most](std::string& text) {
        char* end = nullptr;
        if (std::isnan(std::strtod(text.c_str(), &end)) && *end == 0)
            return fmt::format("Value {} not in range {:g} to {:g}", text, double(least), double(most));
        return within(text);
    });
}

/// Takes the words of an enumeration, for an option's transform(), and lists them where another one comes.
template <class Enumeration>
CLI::Validator wordOf(const std::vector<std::pair<std::string, Enumeration>>& words) {
    std::string known;
    for (const auto& word : words) known += (known.empty() ? "" : ", ") + word.first;
    const auto take = [words, known](std::string& text) {
        for (const auto& [word, value] : words) {
            if (word != text) continue;
            text = std::to_string(static_cast<int>(value));
            return std::string();
        }
        return "\"" + text + "\" is none of " + known;
    };
    return CLI::Validator(take, "{" + known + "}");
}

}  // namespace pliant::program
