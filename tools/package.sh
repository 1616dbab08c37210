# Sourced by ./run: installing, and Debian packages.
# shellcheck shell=bash disable=SC2154

# run_install PREFIX
run_install() {
  [[ -n ${1-} ]] || stop "install needs the folder to install into: ./run install /usr/local"
  need_packages "${build_packages[@]}"
  build_target "$root/build" all
  cmake --install "$root/build" --prefix "$1" >/dev/null
  say "installed under $1"
}

# run_sbom [FILE]
run_sbom() {
  need_packages "${build_packages[@]}" "${sbom_packages[@]}"
  build_target "$root/build" all
  python3 "$root/tools/sbom.py" "$root/build" -o "${1-$root/build/coppice.spdx.json}"
}

# run_audit [--tracker FILE]
run_audit() {
  run_sbom "$root/build/coppice.spdx.json" >/dev/null
  python3 "$root/tools/audit.py" "$root/build/coppice.spdx.json" "$@"
}

run_package() {
  local packages="$root/build/packages"
  need_packages "${build_packages[@]}" "${package_packages[@]}" "${sbom_packages[@]}"
  build_target "$root/build" all -DCOPPICE_CUDA=auto -DCOPPICE_MPI=off
  python3 "$root/tools/sbom.py" "$root/build" -o "$root/build/coppice.spdx.json"
  rm -rf "$packages"
  quietly packing "$root/build/package.log" cpack --config "$root/build/CPackConfig.cmake"
  ls "$packages"/*.deb
  as_root "$root/tools/check_deb.sh" "$packages"/coppice_*.deb "$demo_rows" "${demo_train_flags[@]}"
}
