// SPDX-License-Identifier: Zlib
#include "commands/CommandLine.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

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

/// A number with a unit behind it in CLI11's own words about a value, as "2e5Pa"; empty where there is none.
std::string numberWithUnit(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        char* end = nullptr;
        std::strtod(word.c_str(), &end);
        const bool hasUnit = end != word.c_str() && std::isalpha(static_cast<unsigned char>(*end)) != 0;
        if (hasUnit && std::isdigit(static_cast<unsigned char>(word.front())) != 0) return word;
    }
    return {};
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& problem) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (chosen.empty()) return aboutCommands(app);
    const CLI::App& command = *chosen.front();
    std::string text = problem.what();
    const std::string number = numberWithUnit(text);
    if (!number.empty() && dynamic_cast<const CLI::ConversionError*>(&problem))
        text = text.substr(0, text.find(':')) + ": \"" + number + "\" is not a number; numbers have no units here";
    if (const std::vector<std::string> rest = command.remaining(); !rest.empty()) {
        const std::string word = culprit(rest);
        text = isOption(word) ? unknownOption(command, word) : "\"" + word + "\" is one word too many";
    }
    return command.get_name() + ": " + text + " (\"pliant " + command.get_name() + " --help\" lists all options)";
}

}  // namespace pliant::program
