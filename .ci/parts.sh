# Sourced by .ci/run and .ci/nightly: runs parts one after another and adds up what they count.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0
failed=0

# Runs tests and adds what they counted. A part that ended badly has a failure, whether it could still count or not.
part() {
  local counted=0 wrong=0
  "$@" 2>&1 | tee "$log"
  local status=$?
  # npm may have said more after a failed test: the count stands last.
  read -r counted wrong < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$log" | tail -n 1 | grep . || echo 0 1)
  ((status != 0 && wrong == 0)) && wrong=1
  ((passed += counted, failed += wrong))
}

# Runs a program that counts nothing: it passes or fails as a whole.
whole() {
  if "$@"; then ((passed += 1)); else ((failed += 1)); fi
}

tell() {
  echo "$passed passed, $failed failed"
  ((failed == 0 && passed > 0))
}
