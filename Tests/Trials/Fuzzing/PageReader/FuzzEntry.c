#include "PageReaderFuzz.h"

#include <unistd.h>

// The entry points of libFuzzer. OBJECTBOX_FUZZ_TARGET is `pages`, whose input is a file, or
// `stores`, whose input chooses a random store.

uint64_t seed;

// The input is a file without its runs of zeros. It repeats: the number of zeros (2 bytes), the
// number of other bytes (2 bytes), and these bytes.
static size_t expand(const uint8_t *input, size_t size, uint8_t *file, size_t room) {
  size_t place = 0;
  while (size >= 4) {
    size_t zeros = input[0] | (size_t)input[1] << 8, count = input[2] | (size_t)input[3] << 8;
    input += 4;
    size -= 4;
    if (count > size) count = size;
    if (zeros > room - place) zeros = room - place;
    memset(file + place, 0, zeros);
    place += zeros;
    if (count > room - place) count = room - place;
    memcpy(file + place, input, count);
    place += count;
    input += count;
    size -= count;
  }
  return place;
}

static void check_file(const uint8_t *input, size_t size) {
  static uint8_t room[1 << 18];
  size_t count = expand(input, size, room, sizeof room);
  // The memory ends with the file, so that the address sanitizer sees every read beyond it.
  uint8_t *file = malloc(count + 1);
  REQUIRE(file);
  memcpy(file, room, count);
  uint8_t *end = realloc(file, count ? count : 1);
  REQUIRE(end);
  verify_image(end, count, 0);
  salvage_image(end, count, 0);
  read_image(end, count);
  free(end);
}

static void check_store(void) {
  random_store store;
  make_store(&store);
  if (seed % 2) {
    damage_store(&store, 4);
  } else {
    verify_store(&store);
    compare_store(&store);
  }
  remove_store(&store);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
  const char *target = getenv("OBJECTBOX_FUZZ_TARGET");
  // FNV-1a, so that equal inputs act alike.
  seed = 0xcbf29ce484222325;
  for (size_t place = 0; place < size; place++) seed = (seed ^ input[place]) * 0x100000001b3;
  set_random_seed(seed);
  if (target && strcmp(target, "stores") == 0) {
    check_store();
  } else {
    check_file(input, size);
  }
  return 0;
}
