// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/VtkTokens.h"

#include <cctype>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

VtkTokens::VtkTokens(std::string_view text, std::string path, int firstLine) : m_path(std::move(path)) {
    int line = 0;
    for (const std::string_view content : splitLines(text)) {
        if (++line < firstLine) continue;
        for (const std::string_view word : splitWords(content)) m_words.push_back({word, line});
    }
}

std::string_view VtkTokens::word(const std::string& what) {
    if (atEnd()) fail("the file ends before " + what, "copy it again");
    return m_words[m_at++].text;
}

std::string VtkTokens::upperWord(const std::string& what) {
    std::string text(word(what));
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

int VtkTokens::integer(const std::string& what) {
    int value = 0;
    const std::string_view text = word(what);
    if (!parseNumber(text, value)) fail("\"" + std::string(text) + "\" is not " + what);
    return value;
}

double VtkTokens::real(const std::string& what) {
    double value = 0.0;
    const std::string_view text = word(what);
    if (!parseNumber(text, value)) fail("\"" + std::string(text) + "\" is not " + what);
    return value;
}

int VtkTokens::count(const std::string& what) {
    const int n = integer("the number of " + what);
    if (n < 0 || static_cast<std::size_t>(n) > m_words.size())
        fail(std::to_string(n) + " " + what + " announced, which the file does not hold");
    return n;
}

void VtkTokens::skip(std::size_t words, const std::string& what) {
    if (words > m_words.size() - m_at) fail("the file ends before " + what, "copy it again");
    m_at += words;
}

void VtkTokens::skipLine() {
    const int line = m_at > 0 ? m_words[m_at - 1].line : 0;
    while (!atEnd() && m_words[m_at].line == line) ++m_at;
}

std::string VtkTokens::where() const {
    return fileAndLine(m_path, m_at > 0 ? m_words[m_at - 1].line : 1);
}

void VtkTokens::fail(const std::string& problem, const std::string& cure) const {
    throw Error(where(), problem, cure);
}

}  // namespace pliant
