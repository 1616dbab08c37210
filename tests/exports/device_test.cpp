#include "coppice/exports/export.h"

#include "tests/exports/c_programs.h"
#include "tests/exports/exported_models.h"

#include <filesystem>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace coppice {
namespace {

using ::testing::HasSubstr;

/// Headers on other processors, which qemu stands for.
class Devices : public test::CPrograms {
 protected:
  /// Writes net0.h, net1.h, ...: every kind of model in floats and, where there are rows enough, in 8 bits.
  std::size_t write_headers() const {
    std::size_t count = 0;
    for (const test::ExportedCase& one : test::exported_cases()) {
      for (const bool int8 : {false, true}) {
        if (int8 && one.rows.rows() < 20) continue;
        ExportOptions options{.format = ExportFormat::c, .name = fmt::format("net{}", count), .int8 = int8};
        if (int8) options.calibrate = one.rows;
        write(fmt::format("net{}.h", count++), export_model(one.model, options));
      }
    }
    return count;
  }

  /// A program that fails with the number of the first header whose self-test does, from 1.
  static std::string testing(std::size_t headers, const std::string& includes) {
    std::string text;
    std::string calls;
    for (std::size_t i = 0; i < headers; ++i) {
      text += fmt::format("#define NET{0}_SELF_TEST\n#include \"net{0}.h\"\n", i);
      calls += fmt::format("  if (net{}_self_test() != 0) return {};\n", i, i + 1);
    }
    return includes + text + "int main(void) {\n" + calls + "  return 0;\n}\n";
  }
};

TEST_F(Devices, SelfTestsPassOnCortexM) {
  if (!have("arm-none-eabi-gcc") || !have("qemu-system-arm"))
    GTEST_SKIP() << "there is no arm-none-eabi-gcc, or no qemu-system-arm";
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  const std::string device = (root / "benchmarks" / "embedded").string();
  write("test.c", testing(write_headers(), "#include \"device.h\"\n"));
  const std::string m4 = "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard";
  for (const auto& [flags, machine] :
       {std::pair{std::string("-mcpu=cortex-m3"), "mps2-an385"}, {m4, "mps2-an386"}}) {
    SCOPED_TRACE(machine);
    printed(fmt::format(
        "arm-none-eabi-gcc -std=gnu99 -O1 -mthumb {0} -nostartfiles -I {1} -T {1}/device.ld {1}/start.c "
        "test.c -o test -lm -lc -lgcc",
        flags, device));
    printed(fmt::format(
        "timeout 60 qemu-system-arm -M {} -nographic -semihosting-config enable=on,target=native -kernel "
        "test </dev/null",
        machine));
  }
}

TEST_F(Devices, InstructionsAreCounted) {
  if (!have("arm-none-eabi-gcc") || !have("qemu-system-arm"))
    GTEST_SKIP() << "there is no arm-none-eabi-gcc, or no qemu-system-arm";
  const Table table = test::table_of_all_kinds(100);
  const Model model(test::model_of_all_kinds(table, "kind", {5}));
  write("net.h", export_model(model, {.format = ExportFormat::c, .name = "net"}));
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path();
  const std::string text =
      printed((root / "benchmarks" / "embedded" / "measure.sh").string() + " net.h m4 </dev/null");
  EXPECT_THAT(text, HasSubstr("net on Cortex-M4: "));
  const std::size_t at = text.find("stack, ");
  ASSERT_NE(at, std::string::npos) << text;
  const int count = std::stoi(text.substr(at + 7));
  EXPECT_GT(count, 500);
  EXPECT_LT(count, 50'000);
}

TEST_F(Devices, SelfTestsPassOnRiscV) {
  if (!have("riscv64-linux-gnu-gcc") || !have("qemu-riscv64"))
    GTEST_SKIP() << "there is no riscv64-linux-gnu-gcc, or no qemu-riscv64";
  write("test.c", testing(write_headers(), ""));
  printed("riscv64-linux-gnu-gcc -std=c99 -O1 -static test.c -o test -lm");
  printed("timeout 60 qemu-riscv64 ./test");
}

}  // namespace
}  // namespace coppice
