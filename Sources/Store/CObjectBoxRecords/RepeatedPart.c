// For `memmem`.
#define _GNU_SOURCE
#include "Bytes.h"

int obx_has_repeated_part(obx_bytes text, obx_bytes part) {
  return memmem(text.start, text.size, part.start, part.size) != NULL;
}
