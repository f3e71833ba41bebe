#include "PageReaderFuzz.h"

#include <time.h>
#include <unistd.h>

uint64_t seed;

// Called by the sanitizers before they end the program; declared weakly for builds without them.
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));

static void print_seed(void) { fprintf(stderr, "seed %llu\n", (unsigned long long)seed); }

// usage: page-reader-fuzz compare|damage FIRST_SEED ROUNDS [SECONDS]
int main(int count, char **arguments) {
  if (count < 4) return 2;
  int is_damage = strcmp(arguments[1], "damage") == 0;
  uint64_t first = strtoull(arguments[2], NULL, 10), rounds = strtoull(arguments[3], NULL, 10);
  time_t end = count > 4 ? time(NULL) + atoi(arguments[4]) : 0;
  uint64_t done = 0;
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(print_seed);
  for (; done < rounds && (end == 0 || time(NULL) < end); done++) {
    seed = first + done;
    set_random_seed(seed);
    // A round that hangs ends the program.
    alarm(120);
    random_store store;
    make_store(&store);
    if (is_damage) {
      damage_store(&store, 20);
    } else {
      verify_store(&store);
      compare_store(&store);
    }
    remove_store(&store);
  }
  printf("%s: %llu rounds from seed %llu\n", arguments[1], (unsigned long long)done, (unsigned long long)first);
  print_findings();
  print_salvaged();
  if (is_damage) print_statuses();
  return 0;
}
