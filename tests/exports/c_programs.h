#pragma once

#include "coppice/exports/cells.h"
#include "coppice/exports/lowered.h"

#include "tests/support.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coppice::test {

inline const std::string c_warnings = "-Wall -Wextra -Wpedantic -Wconversion -Werror";

/// Tests that compile C.
class CPrograms : public Folder {
 protected:
  static bool have(const std::string& program) {
    return std::system(fmt::format("command -v {} >/dev/null 2>&1", program).c_str()) == 0;
  }

  /// What a shell prints, and that it ended well.
  std::string printed(const std::string& command) const {
    std::string text;
    FILE* pipe = ::popen(fmt::format("cd '{}' && {} 2>&1", folder_.string(), command).c_str(), "r");
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) text.append(buffer, n);
    EXPECT_EQ(::pclose(pipe), 0) << command << "\n" << text;
    return text;
  }

  /// Compiles ask.c with every compiler that is there and reads what the program prints; false if there is none.
  template <class Read>
  bool ask_with_every_compiler(Read read) const {
    int compilers = 0;
    for (const std::string compiler : {"gcc -std=c99", "clang -std=c99", "g++ -x c++"}) {
      if (!have(compiler.substr(0, compiler.find(' ')))) continue;
      ++compilers;
      SCOPED_TRACE(compiler);
      printed(fmt::format("{} -O1 {} ask.c -o ask", compiler, c_warnings));  // no libm
      std::istringstream lines(printed("./ask"));
      read(lines);
    }
    return compilers > 0;
  }

  /// Rows of cells as an initialiser of C.
  static std::string rows_text(const LoweredModel& model, const Table& rows) {
    std::string text;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      for (const float cell : cells_of_row(model, rows, row))
        text += std::isnan(cell) ? "NAN, " : fmt::format("{:.9e}f, ", cell);
      text += "\n";
    }
    return text;
  }

  /// A program that prints what headers say about rows: a line of the answer and the outputs for each row, headers one after
  /// another. They are NAME0.h, NAME1.h, ...
  static std::string asking(const std::string& name, const std::vector<std::string>& rows) {
    std::string text = "#include <stdio.h>\n";
    for (std::size_t i = 0; i < rows.size(); ++i) text += fmt::format("#include \"{}{}.h\"\n", name, i);
    for (std::size_t i = 0; i < rows.size(); ++i)
      text += fmt::format("static const float rows{}[] = {{\n{}}};\n", i, rows[i]);
    text += "int main(void) {\n  float out[16];\n  size_t r;\n  int k;\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::string big = name;
      for (char& c : big) c = static_cast<char>(std::toupper(c));
      text += fmt::format(
          "  if ({0}{1}_self_test() != 0) return {1} + 1;\n"
          "  for (r = 0; r < sizeof(rows{1}) / sizeof(float); r += {2}{1}_CELLS) {{\n"
          "    printf(\"%d\", {0}{1}_predict(rows{1} + r, out));\n"
          "    for (k = 0; k < {2}{1}_OUTPUTS; k++) printf(\" %.9g\", (double)out[k]);\n"
          "    printf(\"\\n\");\n  }}\n",
          name, i, big);
    }
    return text + "  return 0;\n}\n";
  }
};

}  // namespace coppice::test
