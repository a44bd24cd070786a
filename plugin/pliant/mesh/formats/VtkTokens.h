// SPDX-License-Identifier: Zlib
// The words of a legacy .vtk, whose numbers may be spread over lines in any way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

class VtkTokens {
public:
    /// @param text must outlive the tokens  @param firstLine lines before it are passed over
    VtkTokens(std::string_view text, std::string path, int firstLine);

    bool atEnd() const { return m_at >= m_words.size(); }
    std::string_view peek() const { return atEnd() ? std::string_view() : m_words[m_at].text; }
    std::string_view word(const std::string& what);  ///< @throws Error when there is none
    std::string upperWord(const std::string& what);
    int integer(const std::string& what);
    double real(const std::string& what);
    /// A count whose items each have a word of their own: a larger one is wrong, and must not size an array.
    int count(const std::string& what);
    void skip(std::size_t words, const std::string& what);
    void skipLine();  ///< Passes over the words left on the line of the last word taken.

    /// "path:line" of the word taken last.
    std::string where() const;
    [[noreturn]] void fail(const std::string& problem, const std::string& cure = {}) const;

private:
    struct Word {
        std::string_view text;
        int line;
    };
    std::string m_path;
    std::vector<Word> m_words;
    std::size_t m_at = 0;
};

}  // namespace pliant
