# The seeds of trials; scripts source it. Trials that are limited by a time have the day as their seed, so that each
# day tries other cases, and trials that are limited by a count have the seed 1. `--seed day`, or a number, chooses.

# Prints the number of the day since 1970.
day() { echo $(($(date +%s) / 86400)); }

# Prints the seed for the value of `--seed`, which may be empty; the second word is empty for trials that a count limits.
seed_of() {
  case "$1" in
    day) day ;;
    "") if [ -n "$2" ]; then day; else echo 1; fi ;;
    *[!0-9]*) echo "error: '--seed $1' is neither a number nor 'day'" >&2; return 2 ;;
    *) echo "$1" ;;
  esac
}
