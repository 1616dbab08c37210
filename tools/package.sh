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

run_package() {
  local packages="$root/build/packages"
  need_packages "${build_packages[@]}" "${package_packages[@]}"
  build_target "$root/build" all -DCOPPICE_CUDA=auto
  rm -rf "$packages"
  quietly packing "$root/build/package.log" cpack --config "$root/build/CPackConfig.cmake"
  ls "$packages"/*.deb
  as_root "$root/tools/check_deb.sh" "$packages"/coppice_*.deb "$demo_rows" "${demo_train_flags[@]}"
}
