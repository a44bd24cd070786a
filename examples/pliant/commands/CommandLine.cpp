// SPDX-License-Identifier: Zlib
#include "commands/CommandLine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>

#include "pliant/scene/NearestWord.h"

namespace pliant::program {
namespace {

bool isOption(const std::string& word) {
    return word.size() > 1 && word[0] == '-';
}

/// The first word that looks like an option, else the first one: what follows an unknown option is its value.
std::string culprit(const std::vector<std::string>& words) {
    const auto option = std::find_if(words.begin(), words.end(), isOption);
    return option != words.end() ? *option : words.front();
}

std::string hint(const std::string& wrong, const std::vector<std::string>& known) {
    const std::string near = scene::nearestWord(wrong, known);
    return near.empty() ? "" : "; did you mean \"" + near + "\"?";
}

std::string unknownOption(const CLI::App& app, const std::string& word) {
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::string name = word.substr(0, word.find('='));
    return "there is no option \"" + name + "\"" + hint(name, known);
}

std::string aboutCommands(const CLI::App& app) {
    const std::vector<std::string> rest = app.remaining();
    const std::string help = " (\"pliant --help\" lists all commands)";
    if (rest.empty()) return "a command is missing" + help;
    const std::string word = rest.front();  // what follows an unknown command are its own words
    if (isOption(word)) return unknownOption(app, word) + help;
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
    return "there is no command \"" + word + "\"" + hint(word, known) + help;
}

/// What CLI11 says of the value of an option that takes numbers: "Could not convert: NAME = VALUE" or "NAME: Value
/// VALUE not in range LEAST to MOST". Another sentence has no match.
struct NumberProblem {
    std::string option, value;
    double least = 0.0, most = 0.0;
    bool hasRange = false;
};

std::optional<NumberProblem> numberProblem(const std::string& sentence) {
    static const std::regex conversion("Could not convert: (\\S+) = (.*)");
    static const std::regex range("(\\S+): Value (.*) not in range (\\S+) to (\\S+)");
    std::smatch found;
    if (std::regex_match(sentence, found, conversion)) return NumberProblem{found[1], found[2], 0.0, 0.0, false};
    if (!std::regex_match(sentence, found, range)) return std::nullopt;
    return NumberProblem{found[1], found[2], std::strtod(found[3].str().c_str(), nullptr),
                         std::strtod(found[4].str().c_str(), nullptr), true};
}

/// "--young: ..." in our words: a unit behind a number, a word, a fraction where whole numbers belong, or too much.
std::string aboutNumber(const NumberProblem& problem) {
    const std::string& value = problem.value;
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    const bool begins = end != value.c_str(), isWhole = begins && *end == '\0';
    const std::string quoted = fmt::format("{}: \"{}\"", problem.option, value);
    if (!begins) return quoted + " is not a number";
    if (!isWhole) return quoted + " is not a number; numbers have no units here";
    if (!problem.hasRange || (number >= problem.least && number <= problem.most))
        return quoted + " is not a whole number";
    return fmt::format("{}: {} is not between {:g} and {:g}", problem.option, value, problem.least, problem.most);
}

/// Of an option that is given too often, or a word that is none of those known; other sentences stay as they are.
std::string aboutWords(const std::string& sentence) {
    static const std::regex often("(\\S+): At Most 1 required but received (\\d+)");
    static const std::regex unknown("(\\S+): (.*) not in \\{(.*)\\}");
    std::smatch found;
    if (std::regex_match(sentence, found, often))
        return found[1].str() + " is there " + found[2].str() + " times, and takes one value";
    if (!std::regex_match(sentence, found, unknown)) return sentence;
    const std::string known = std::regex_replace(found[3].str(), std::regex(","), ", ");
    return found[1].str() + ": \"" + found[2].str() + "\" is none of " + known;
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& problem) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (chosen.empty()) return aboutCommands(app);
    const CLI::App& command = *chosen.front();
    std::string text = problem.what();
    if (const std::optional<NumberProblem> number = numberProblem(text))
        text = aboutNumber(*number);
    else
        text = aboutWords(text);
    if (const std::vector<std::string> rest = command.remaining(); !rest.empty()) {
        const std::string word = culprit(rest);
        text = isOption(word) ? unknownOption(command, word) : "\"" + word + "\" is one word too many";
    }
    return command.get_name() + ": " + text + " (\"pliant " + command.get_name() + " --help\" lists all options)";
}

}  // namespace pliant::program
