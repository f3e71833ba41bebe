#include "SingleTests.h"

// Loops over records: the filters of scans. `RecordProgram` names the rows that they earn.

static int passes_program(const obx_program *program, const obx_pages_entry *entry) {
  int32_t next = 0;
  do {
    const obx_test *test = program->tests + next;
    next = passes_test(test->kind, test->field.kind, test, entry, program->fixed_size)
      ? test->on_true : test->on_false;
  } while (next >= 0);
  return next == OBX_PROGRAM_ACCEPT;
}

ALWAYS_INLINE void run_program(Loop *loop, const obx_program *program) {
  for (; loop->index < loop->count; loop->index++) {
    const obx_pages_entry *entry = loop->entries + loop->index;
    if (entry->value_size < program->fixed_size || obx_load16(entry->value) != loop->layout) return;
    int passes = passes_program(program, entry);
    if (loop->kept) loop->kept[loop->passed] = *entry;
    loop->passed += (size_t)passes;
  }
}

ALWAYS_INLINE size_t run(
  const obx_filter *filter, const obx_pages_entry *entries, obx_pages_entry *kept, size_t count,
  size_t *tested) {
  Loop loop = {entries, kept, 0, count, 0, 0};
  while (loop.index < count) {
    const obx_pages_entry *entry = entries + loop.index;
    if (entry->value_size < 2) break;
    loop.layout = obx_load16(entry->value);
    if (loop.layout >= filter->layout_count) break;
    const obx_program *program = filter->layouts + loop.layout;
    if (entry->value_size < program->fixed_size) break;
    if (!run_single_test(&loop, program)) run_program(&loop, program);
  }
  *tested = loop.index;
  return loop.passed;
}

size_t obx_filter_count(
  const obx_filter *filter, const obx_pages_entry *entries, size_t count, size_t *tested) {
  return run(filter, entries, NULL, count, tested);
}

size_t obx_filter_keep(
  const obx_filter *filter, obx_pages_entry *entries, size_t count, size_t *tested) {
  return run(filter, entries, entries, count, tested);
}
