#include "PageReaderFuzz.h"
int x; void damage_store(random_store *store, int copies) { (void)store; (void)copies; }
