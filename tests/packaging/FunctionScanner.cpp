// SPDX-License-Identifier: Zlib
// What has no braces that count is blanked, then braces are matched. What a brace opens is told by what
// stands between it and the end of the statement before, and where that does not tell, by what stands behind the brace
// that closes it. Functions are looked for in files, namespaces and types, however deep these are, and not within
// functions and initialisers. Each branch of a condition of the preprocessor begins with the braces that are open
// before the condition.
#include "FunctionScanner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>

namespace pliant::test {
namespace {

bool isInWord(const std::string& text, std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
}

/// The word that ends at `i`.
std::string wordBefore(const std::string& text, std::size_t i) {
    std::size_t start = i;
    while (start > 0 && isInWord(text, start - 1)) --start;
    return text.substr(start, i - start);
}

/// Whether texts and characters may have it as their prefix.
bool isEncoding(const std::string& word) {
    return word == "u8" || word == "u" || word == "U" || word == "L";
}

/// Behind a line of the preprocessor, and those that it goes on in.
std::size_t endOfDirective(const std::string& text, std::size_t i) {
    for (;;) {
        const std::size_t end = std::min(text.find('\n', i), text.size());
        if (end == text.size() || text[end - 1] != '\\') return end;
        i = end + 1;
    }
}

/// Behind a comment, a text, a raw text, a character or a line of the preprocessor that begins at `i`; `i` where none
/// does.
std::size_t endOfBlank(const std::string& text, std::size_t i) {
    const auto behind = [&text](const std::string& end, std::size_t from) {
        const std::size_t at = text.find(end, from);
        return at == std::string::npos ? text.size() : at + end.size();
    };
    if (text.compare(i, 2, "//") == 0) return std::min(text.find('\n', i), text.size());
    if (text.compare(i, 2, "/*") == 0) return behind("*/", i + 2);
    const std::size_t line = text.rfind('\n', i) + 1;  // 0 in the first one
    if (text[i] == '#' && text.find_first_not_of(' ', std::min(line, i)) == i) return endOfDirective(text, i);
    const std::string before = wordBefore(text, i);
    if (text.compare(i, 2, "R\"") == 0 && (before.empty() || isEncoding(before))) {
        const std::size_t open = std::min(text.find('(', i), text.size());
        return behind(")" + text.substr(i + 2, open - i - 2) + "\"", open);
    }
    const bool separatesDigits = text[i] == '\'' && !before.empty() && !isEncoding(before);
    if ((text[i] != '"' && text[i] != '\'') || separatesDigits) return i;
    std::size_t end = i + 1;
    while (end < text.size() && text[end] != text[i]) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

struct Code {
    std::string text;  ///< With blanks in place of what has no braces that count; lines stay where they are.
    std::map<std::size_t, std::string> directives;  ///< Of the preprocessor, by their places: "if", "else".
};

Code codeOf(const std::string& text) {
    Code code{text, {}};
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = endOfBlank(text, i);
        if (end > i && text[i] == '#') {
            const std::size_t first = text.find_first_not_of("# ", i);
            std::size_t last = first;
            while (isInWord(text, last)) ++last;
            code.directives[i] = text.substr(std::min(first, end), last - first);
        }
        for (std::size_t k = i; k < end; ++k)
            if (text[k] != '\n') code.text[k] = ' ';
        i = std::max(end, i + 1);
    }
    return code;
}

/// What a brace opens: a scope of names (namespace, type), the body of a function in such a scope or in the file;
/// there, an initialiser or a body behind what is no head of a function to opensWhat(); or anything within the last
/// three.
enum class Opens { Scope, Body, Unclear, Inner };

/// @param statement what stands before the brace, since the last statement's end
Opens opensWhat(const std::string& statement) {
    static const std::regex behindParameters("\\s*(?:(?:const|override|noexcept|final|mutable|&&?)\\s*)*(?:->[^;]*)?");
    static const std::regex namesThings("\\b(?:namespace|class|struct|union|enum)\\b");
    const std::size_t last = statement.find_last_not_of(" \n");
    if (last == std::string::npos) return Opens::Unclear;
    if (std::count(statement.begin(), statement.end(), '(') != std::count(statement.begin(), statement.end(), ')'))
        return Opens::Unclear;                       // an argument
    if (statement[last] == '}') return Opens::Body;  // members of a constructor stand before its body
    if (statement[last] == '=') return Opens::Unclear;
    const std::size_t parameters = statement.rfind(')');
    if (parameters != std::string::npos && std::regex_match(statement.substr(parameters + 1), behindParameters))
        return Opens::Body;
    const bool isLinkage = statement.find("extern") != std::string::npos && parameters == std::string::npos;
    return isLinkage || std::regex_search(statement, namesThings) ? Opens::Scope : Opens::Unclear;
}

Function functionAt(const std::string& text, const std::string& code, std::size_t start, std::size_t end) {
    const std::size_t first = code.find_first_not_of(" \n", start);
    const std::size_t newLines = static_cast<std::size_t>(std::count(
        text.begin() + static_cast<std::ptrdiff_t>(first), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    return {newLines + 1, text.substr(first, text.find('\n', first) - first)};
}

/// Looks for functions from the beginning of a file to its end. Fails where braces do not match.
class FunctionScanner {
public:
    explicit FunctionScanner(const std::string& text) : m_text(text), m_code(codeOf(text)) {}

    std::vector<Function> functions() {
        for (std::size_t i = 0; i < m_code.text.size(); ++i) {
            const auto directive = m_code.directives.find(i);
            if (directive != m_code.directives.end()) passDirective(directive->second, i);
            if (m_code.text[i] == '{')
                openBrace(i);
            else if (m_code.text[i] == '}')
                closeBrace(i);
            else if (isAmongNames() && endsStatement(i))
                m_start = i + 1;
        }
        EXPECT_TRUE(m_open.empty()) << "braces do not match";
        return m_found;
    }

private:
    struct Condition {
        std::vector<Opens> open;      ///< Before it.
        std::size_t start = 0;        ///< Of the statement under way before it.
        std::vector<Opens> openThen;  ///< At the end of its first branch.
        bool hasElse = false;
    };

    bool isAmongNames() const { return m_open.empty() || m_open.back() == Opens::Scope; }

    std::string statementBefore(std::size_t i) const { return m_code.text.substr(m_start, i - m_start); }

    bool endsStatement(std::size_t i) const {
        static const std::regex access("\\s*(?:public|protected|private)\\s*");
        return m_code.text[i] == ';' || (m_code.text[i] == ':' && std::regex_match(statementBefore(i), access));
    }

    void openBrace(std::size_t i) {
        m_open.push_back(isAmongNames() ? opensWhat(statementBefore(i)) : Opens::Inner);
        if (m_open.back() == Opens::Scope) m_start = i + 1;
    }

    void closeBrace(std::size_t i) {
        if (m_open.empty()) {
            ADD_FAILURE() << "a brace is closed that nothing has opened: " << m_text.substr(m_start, i + 1 - m_start);
            m_start = i + 1;
            return;
        }
        const Opens closed = m_open.back();
        m_open.pop_back();
        if (closed == Opens::Scope) m_start = i + 1;
        if (closed == Opens::Body || (closed == Opens::Unclear && !isInitialiser(i))) endFunction(i);
    }

    /// Of what is closed at `i`: what stands behind it goes on with an expression, a list or the end of a declaration,
    /// or is the body of a constructor.
    bool isInitialiser(std::size_t i) const {
        const std::size_t next = m_code.text.find_first_not_of(" \n", i + 1);
        return next != std::string::npos && std::string(";,(){.[").find(m_code.text[next]) != std::string::npos;
    }

    /// What is caught belongs to the function.
    void endFunction(std::size_t i) {
        const std::size_t next = std::min(m_code.text.find_first_not_of(" \n", i + 1), m_code.text.size());
        if (m_code.text.compare(next, 5, "catch") == 0) return;
        m_found.push_back(functionAt(m_text, m_code.text, m_start, i));
        m_start = i + 1;
    }

    void passDirective(const std::string& name, std::size_t i) {
        if (name.compare(0, 2, "if") == 0) m_conditions.push_back({m_open, m_start, {}, false});
        if (m_conditions.empty()) return;
        Condition& last = m_conditions.back();
        if (name == "else" || name == "elif") {
            expectSameBraces(last);
            if (!last.hasElse) last.openThen = m_open;
            last.hasElse = true;
            if (m_start != last.start || m_open != last.open) m_start = i;
            m_open = last.open;
        } else if (name == "endif") {
            expectSameBraces(last);
            m_conditions.pop_back();
        }
    }

    void expectSameBraces(const Condition& condition) const {
        const std::size_t expected = condition.hasElse ? condition.openThen.size() : m_open.size();
        EXPECT_EQ(m_open.size(), expected) << "branches of a condition leave other braces open";
    }

    const std::string& m_text;
    const Code m_code;
    std::vector<Function> m_found;
    std::vector<Opens> m_open;
    std::vector<Condition> m_conditions;
    std::size_t m_start = 0;  ///< Of the statement under way.
};

}  // namespace

std::vector<Function> functionsOf(const std::string& text) {
    return FunctionScanner(text).functions();
}

}  // namespace pliant::test
