# Sourced by the other scripts: where things are, and how to say what happens.
set -euo pipefail
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Downloads and builds live outside the tree, so that a second checkout starts warm.
CACHE=${XPU_ALIGN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/xpu-align}
JOBS=${JOBS:-$(nproc)}
mkdir -p "$CACHE"

say() { printf '== %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "root is needed for: $* (run as root, or install sudo)"; fi
}

# The Debian mirror that this machine is configured for.
debian_mirror() {
  local m
  m=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -1)
  [ -n "$m" ] || m=$(awk '$1=="deb"{for(i=2;i<=NF;i++) if($i ~ /^http/){print $i; exit}}' /etc/apt/sources.list 2>/dev/null)
  [ -n "$m" ] || die "no Debian mirror is configured in /etc/apt"
  printf '%s\n' "$m"
}

# install_packages NAME...: installs what is missing, nothing else.
install_packages() {
  local p missing=()
  for p in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
  done
  [ ${#missing[@]} = 0 ] && return 0
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  as_root apt-get -o DPkg::Lock::Timeout=600 update -qq
  # npm alone is 400 small packages: dpkg's fsync after each would take minutes.
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 -o Dpkg::Options::=--force-unsafe-io \
    install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
