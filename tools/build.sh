# Sourced by ./run: configures once, then builds incrementally and quietly.
# shellcheck shell=bash disable=SC2154

# True if the folder is configured with every option, each written -DNAME=VALUE.
configured() {
  local folder="$1" option set_options
  shift
  [[ -e $folder/build.ninja && -e $folder/CMakeCache.txt ]] || return 1
  # A build folder that was moved or copied is configured anew.
  grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt" || return 1
  # No pipe into grep -q: it ends at its match, and who still writes then would fail.
  set_options="$(sed -n 's/^\([A-Za-z_]*\):[A-Z]*=/\1=/p' "$folder/CMakeCache.txt")"
  for option in "$@"; do
    grep -qxF -- "${option#-D}" <<<"$set_options" || return 1
  done
}

# Where there is no GPU, CUDA is compiled for the tests alone: it takes longer than all else.
have_gpu() { [[ -e /dev/nvidia0 ]] || nvidia-smi -L >/dev/null 2>&1; }

# Runs a command and shows "TEXT ... done (3 s)", or nothing if it ends at once; what the command says is shown only
# if it fails.
quietly() {
  local text="$1" log="$2" since=$SECONDS announcer status=0
  shift 2
  {
    sleep 0.5 2>/dev/null
    printf '%s ... ' "$text" >&2
  } </dev/null >/dev/null &
  announcer=$!
  "$@" >"$log" 2>&1 || status=$?
  if kill "$announcer" 2>/dev/null; then
    wait "$announcer" 2>/dev/null || true
    ((status == 0)) && return
    printf '%s ... ' "$text" >&2
  fi
  if ((status != 0)); then
    say failed
    cat "$log" >&2
    stop "$text failed; the messages are above and in $log"
  fi
  say "done ($((SECONDS - since)) s)"
}

configure() {
  local folder="$1" option defaults=()
  shift
  # Tests and benchmarks need more packages: they stay off until a command asks for them, then stay on.
  for option in COPPICE_TESTS COPPICE_BENCHMARKS; do
    [[ " $* " == *" -D$option="* ]] || configured "$folder" "-D$option=ON" || defaults+=("-D$option=OFF")
  done
  [[ " $* " == *" -DCOPPICE_CUDA="* ]] || configured "$folder" -DCOPPICE_CUDA=auto || have_gpu ||
    defaults+=(-DCOPPICE_CUDA=off)
  if [[ -e $folder/CMakeCache.txt ]] && ! configured "$folder"; then
    rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles"
  fi
  quietly configuring "$folder/configure.log" \
    cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "${defaults[@]}" "$@"
}

# Sources are put into units by the names they declare; a new name may ask for another distribution.
build_units() {
  ninja -C "$1" "$2" || { cmake "$1" && ninja -C "$1" "$2"; }
}

# configured_folder FOLDER [-DOPTION=VALUE...]: configures it unless it is.
configured_folder() {
  mkdir -p "$1"
  set -- "$@" -DCOPPICE_WERROR=ON -DCOPPICE_UNITY=ON
  configured "$@" || configure "$@"
}

# build_target FOLDER TARGET [-DOPTION=VALUE...]
build_target() {
  local folder="$1" target="$2" lock
  shift 2
  mkdir -p "$folder"
  # Two calls at once take turns; the program that runs afterwards does not hold the lock.
  exec {lock}>"$folder/lock"
  flock "$lock"
  configured_folder "$folder" "$@"
  quietly building "$folder/build.log" build_units "$folder" "$target"
  exec {lock}>&-
}
