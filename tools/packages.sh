# Sourced by ./run: installs the packages a command needs, and only those that are missing.
# docs/dependencies.md says what each one is for.
# shellcheck shell=bash disable=SC2034,SC2154

build_packages=(g++ cmake ninja-build ccache libcli11-dev libfmt-dev nlohmann-json3-dev librandom123-dev
  zlib1g-dev libgomp1 libdnnl-dev)
test_packages=(libgtest-dev libgmock-dev librapidcheck-dev)
# Tests of the report's page are skipped without these (Ubuntu has Chromium only as a snap).
page_test_packages=(chromium python3)
# Likewise the tests of what other shells complete, and of the man page.
completion_test_packages=(zsh fish mandoc)
# And those of exported C headers on other processors.
device_test_packages=(clang gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm gcc-riscv64-linux-gnu
  libc6-dev-riscv64-cross qemu-user)
# Likewise those of ONNX files and of the reader of model files.
onnx_test_packages=(python3-venv)
# libFuzzer and what tells the lines that were reached.
fuzz_packages=(clang-14 libclang-rt-14-dev llvm-14)
# And those of ranks: MPI, and namespaces that stand for machines.
ranks_test_packages=(libopenmpi-dev openmpi-bin iproute2)
package_packages=(dpkg-dev file mmdebstrap debian-archive-keyring)
sbom_packages=(python3)
bench_packages=(libbenchmark-dev)
format_packages=(clang-format)
lint_packages=(clang-format clang-tidy shellcheck)

# What apt-get says is shown only if it fails.
apt_log="${TMPDIR:-/tmp}/coppice-apt-$EUID.log"

say() { printf '%s\n' "$*" >&2; }

stop() {
  say "run: $*"
  exit 1
}

# Those of the named packages that are not installed, one per line.
missing_packages() {
  local installed name
  installed=" $(dpkg-query -W -f '${db:Status-Status}:${binary:Package} ' "$@" 2>/dev/null || true) "
  for name in "$@"; do
    [[ $installed == *" installed:$name "* || $installed == *" installed:$name:"* ]] || printf '%s\n' "$name"
  done
}

can_install() { ((EUID == 0)) || command -v sudo >/dev/null; }

as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" >>"$apt_log" 2>&1
}

apt_install() { apt_get install -y --no-install-recommends "$@"; }

have_package_lists() { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; }

# Those of the named packages that apt-get cannot install, one per line.
impossible_packages() {
  local name
  for name in "$@"; do
    apt-get -s install --no-install-recommends "$name" >/dev/null 2>&1 || printf '%s\n' "$name"
  done
}

explain_failure() {
  local bad
  bad="$(impossible_packages "$@" | tr '\n' ' ')"
  grep '^[EW]:' "$apt_log" | sort -u >&2 || true
  if [[ -n $bad ]]; then
    stop "these packages cannot be installed: ${bad% }. On Ubuntu enable 'universe' (sudo add-apt-repository" \
      "universe), on Debian 'main' in /etc/apt/sources.list, then run 'apt-get update' and try again."
  fi
  stop "apt-get could not install: $*. Its messages are above and in $apt_log; check the network and the disk."
}

install_packages() {
  local since=$SECONDS
  : >"$apt_log"
  printf 'installing %s ... ' "$*" >&2
  have_package_lists || apt_get update || true
  if ! apt_install "$@"; then
    # The lists may be older than the archive.
    apt_get update || true
    if ! apt_install "$@"; then
      say failed
      explain_failure "$@"
    fi
  fi
  say "done ($((SECONDS - since)) s)"
}

# Matrix products come from oneDNN; where it cannot be installed, from OpenBLAS. Prints the package to install, if any.
choose_products() {
  if can_install; then
    have_package_lists || apt_get update || true
    if [[ -z $(impossible_packages libdnnl-dev) ]]; then
      printf 'libdnnl-dev\n'
      return
    fi
  elif [[ -n $(missing_packages libopenblas-dev) ]]; then
    printf 'libdnnl-dev\n'
    return
  fi
  say "libdnnl-dev (oneDNN) cannot be installed here: OpenBLAS takes its place and is slower on some CPUs"
  missing_packages libopenblas-dev
}

# Makes sure that the named packages are installed.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "run: this is neither Debian nor Ubuntu; the build needs what these packages hold: $*"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [[ " ${missing[*]-} " == *' libdnnl-dev '* ]]; then
    mapfile -t missing < <(
      printf '%s\n' "${missing[@]}" | grep -vx libdnnl-dev || true
      # A build that was made without oneDNN stays as it is.
      [[ -e $root/build/without-onednn ]] || choose_products
    )
    if [[ " ${missing[*]-} " != *' libdnnl-dev '* ]]; then
      mkdir -p "$root/build"
      : >"$root/build/without-onednn"
    fi
  fi
  ((${#missing[@]})) || return 0
  can_install || stop "packages are missing and there is no sudo; as root run: apt-get update &&" \
    "apt-get install -y --no-install-recommends ${missing[*]}"
  install_packages "${missing[@]}"
}

# Installs the named packages if that is possible; says so and goes on if it is not.
want_packages() {
  local missing
  command -v dpkg-query >/dev/null || return 0
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  ! can_install || have_package_lists || apt_get update || true
  if ! can_install || [[ -n $(impossible_packages "${missing[@]}") ]]; then
    say "not installed: ${missing[*]}; the tests that need them are skipped"
    return 0
  fi
  install_packages "${missing[@]}"
}
