// SPDX-License-Identifier: Zlib
// The language of expressions, by muParser: functions, constants, and what is told of names that nothing has.
#pragma once

#include <muParser.h>

#include <string>
#include <vector>

#include "pliant/scene/Formula.h"

namespace pliant::scene {

/// A parser that knows the functions of the language, and takes one expression after the other.
class LanguageParser : public mu::Parser {
public:
    /// @param dotted names have dots and brackets
    explicit LanguageParser(bool dotted = false);
};

/// Makes a parser ready for an expression. @param live names that change
/// @throws Error, mu::Parser::exception_type
void prepareParser(LanguageParser& parser, const Scope& scope, const std::string& expression, const LiveNames& live);

/// Dotted names of an expression that are no variables of the scope; none where it cannot be read.
std::vector<std::string> namesIn(const std::string& expression, const Scope& scope);

/// What to write in an expression that cannot be read; empty where nothing is known.
std::string cureOfExpression(const std::string& expression);

/// Whether functions or constants of the language are called so.
bool isTakenName(const std::string& name);

}  // namespace pliant::scene
