#!/usr/bin/env bash
# The README's commands in a bare Debian 12: a debootstrap root with git and CA certificates only, entered
# by bubblewrap as its root user. Long: installs, builds and tests everything from nothing.
#   tests/e2e/bare_root.sh demo|test
. "$(dirname "$0")/../../scripts/env.sh"
install_packages debootstrap bubblewrap
ROOT=$CACHE/bare-root
if [ ! -e "$ROOT/.done" ]; then
  say "making a bare Debian 12 in $ROOT"
  as_root rm -rf "$ROOT"
  as_root debootstrap --variant=minbase --include=git,ca-certificates bookworm "$ROOT" "$(debian_mirror)" >"$CACHE/debootstrap.log" 2>&1 ||
    die "debootstrap failed; see $CACHE/debootstrap.log"
  as_root cp /etc/apt/sources.list.d/debian.sources "$ROOT/etc/apt/sources.list.d/" 2>/dev/null && as_root rm -f "$ROOT/etc/apt/sources.list"
  as_root touch "$ROOT/.done"
fi
WORK=$(mktemp -d); trap 'as_root rm -rf "$WORK"' EXIT
as_root cp -a "$ROOT" "$WORK/root"
git clone -q "$TOP" "$WORK/root/project"
# npm reads its registry from its own configuration, and the machine may have an authority of its own: hand both over.
CERTIFICATES=/etc/ssl/certs/ca-certificates.crt
{ npm config get registry 2>/dev/null | sed 's/^/registry=/'; echo "cafile=$CERTIFICATES"; } >"$WORK/root/root/.npmrc"
# /proc is the machine's own, whole: the kernel allows a private one inside (the sandbox's) only under such a one.
as_root bwrap --bind "$WORK/root" / --dev /dev --bind /proc /proc --ro-bind /etc/resolv.conf /etc/resolv.conf --ro-bind "$CERTIFICATES" "$CERTIFICATES" --chdir /project --clearenv --setenv HOME /root --setenv PATH /usr/sbin:/usr/bin:/sbin:/bin \
  "/project/scripts/${1:-demo}"
