#include "CObjectBoxEncryption.h"

#include <stdlib.h>

#include "Layout.h"

// Compares the trees of two versions by the numbers of their pages.
//
// A page has the same height above the leaves in each version that has it. So the pages of one height are
// compared as two sets, from the roots down. Pages in both sets are dropped with their subtrees; the others are
// changed pages, and their children go to the sets of the next height. Trees come in rounds: main table and
// free list, named tables, duplicates of keys.

typedef struct {
  uint64_t *numbers;
  size_t count, room;
} page_set;

// The sets of one version.
typedef struct {
  const obx_pages *pages;
  page_set heights[OBX_PAGES_MAXIMUM_DEPTH];
  // The same for the trees whose roots this round finds.
  page_set next[OBX_PAGES_MAXIMUM_DEPTH];
  // First pages of large values.
  page_set large;
  page_set changed;
  uint64_t opened;
} side;

typedef struct {
  side sides[2];
  uint64_t bad_page;
  obx_changed_status status;
} comparison;

enum { ROUNDS = 3 };

static void fail(comparison *run, obx_changed_status status, uint64_t page) {
  if (run->status) return;
  run->status = status;
  run->bad_page = page;
}

static void add(comparison *run, page_set *set, uint64_t number) {
  if (set->count == set->room) {
    size_t room = set->room ? set->room * 2 : 64;
    uint64_t *numbers = realloc(set->numbers, room * sizeof *numbers);
    if (!numbers) return fail(run, OBX_CHANGED_NO_MEMORY, number);
    set->numbers = numbers;
    set->room = room;
  }
  set->numbers[set->count++] = number;
}

// Adds the root of a tree by its record.
static void add_tree(
  comparison *run, page_set *heights, const uint8_t *record, uint64_t from) {
  uint16_t depth = obx_load16(record + 6);
  if (depth == 0) return;
  if (depth > OBX_PAGES_MAXIMUM_DEPTH) return fail(run, OBX_CHANGED_CORRUPT, from);
  add(run, &heights[depth - 1], obx_load64(record + 40));
}

static size_t slot_of(uint64_t number, size_t mask) {
  return number * 0x9e3779b97f4a7c15 >> 20 & mask;
}

// Removes the numbers that both sets have, with a hash table: sorting takes longer than the rest of a small
// commit.
static void drop_common(comparison *run, page_set *a, page_set *b) {
  const uint64_t is_common = 1ull << 63;
  if (!a->count || !b->count || run->status) return;
  if (b->count >= UINT32_MAX) return fail(run, OBX_CHANGED_NO_MEMORY, 0);
  size_t size = 16;
  while (size < 2 * b->count) size *= 2;
  // Places in `b`, from 1; 0 for none.
  uint32_t *slots = calloc(size, sizeof *slots);
  if (!slots) return fail(run, OBX_CHANGED_NO_MEMORY, 0);
  for (size_t place = 0; place < b->count; place++) {
    size_t slot = slot_of(b->numbers[place], size - 1);
    while (slots[slot]) slot = (slot + 1) & (size - 1);
    slots[slot] = (uint32_t)place + 1;
  }
  size_t kept = 0;
  for (size_t place = 0; place < a->count; place++) {
    uint64_t number = a->numbers[place];
    size_t slot = slot_of(number, size - 1);
    while (slots[slot] && b->numbers[slots[slot] - 1] != number) slot = (slot + 1) & (size - 1);
    if (slots[slot]) {
      b->numbers[slots[slot] - 1] |= is_common;
    } else {
      a->numbers[kept++] = number;
    }
  }
  a->count = kept;
  kept = 0;
  for (size_t place = 0; place < b->count; place++) {
    if (!(b->numbers[place] & is_common)) b->numbers[kept++] = b->numbers[place];
  }
  b->count = kept;
  free(slots);
}

// Adds the trees and large values of a leaf.
static void open_leaf(comparison *run, side *side, const obx_pages_level *level, uint64_t number) {
  size_t size = side->pages->page_size;
  for (size_t index = 0; index < level->count && !run->status; index++) {
    obx_node node = node_at(level, index, size);
    if (!node.place) return fail(run, OBX_CHANGED_CORRUPT, number);
    const uint8_t *value = key_of(node) + key_size(node);
    size_t room = node.room - key_size(node);
    uint16_t flags = node_flags(node);
    if (flags & NODE_OVERFLOW) {
      if (room < 8) return fail(run, OBX_CHANGED_CORRUPT, number);
      add(run, &side->large, obx_load64(value));
    } else if (flags & NODE_TABLE) {
      if (room < TABLE_RECORD) return fail(run, OBX_CHANGED_CORRUPT, number);
      add_tree(run, side->next, value, number);
    }
  }
}

// Notes a changed page and adds its children; `height` is 0 for a leaf.
static void open_changed(comparison *run, side *side, uint64_t number, int height) {
  const uint8_t *page = page_at(side->pages, number);
  // More pages than the version has prove that they form no tree.
  if (!page || ++side->opened > side->pages->page_count) {
    return fail(run, OBX_CHANGED_CORRUPT, number);
  }
  uint64_t header = obx_load64(page + 8);
  int has_keys_only = page_flags(header) & PAGE_KEYS_ONLY;
  obx_pages_table form = {
    .pages = *side->pages, .fixed_size = has_keys_only ? (uint16_t)header : 0,
  };
  obx_pages_level level;
  if (open_page(&form, number, height == 0, &level, &run->bad_page)) {
    return fail(run, OBX_CHANGED_CORRUPT, number);
  }
  add(run, &side->changed, number);
  if (has_keys_only) return;
  if (height == 0) return open_leaf(run, side, &level, number);
  for (size_t index = 0; index < level.count && !run->status; index++) {
    obx_node node = node_at(&level, index, side->pages->page_size);
    if (!node.place) return fail(run, OBX_CHANGED_CORRUPT, number);
    add(run, &side->heights[height - 1], child_of(node));
  }
}

// Adds the pages of a large value.
static void add_large(comparison *run, side *side, uint64_t number) {
  const uint8_t *page = page_at(side->pages, number);
  if (!page || !(obx_load16(page + 10) & PAGE_OVERFLOW)) {
    return fail(run, OBX_CHANGED_CORRUPT, number);
  }
  uint64_t count = obx_load32(page + 12);
  if (count == 0 || count > side->pages->page_count - number) {
    return fail(run, OBX_CHANGED_CORRUPT, number);
  }
  for (uint64_t next = number; next < number + count; next++) add(run, &side->changed, next);
}

// Compares the trees whose roots are in the sets.
static void compare_trees(comparison *run) {
  for (int height = OBX_PAGES_MAXIMUM_DEPTH - 1; height >= 0; height--) {
    drop_common(run, &run->sides[0].heights[height], &run->sides[1].heights[height]);
    for (int index = 0; index < 2; index++) {
      side *side = &run->sides[index];
      page_set *set = &side->heights[height];
      for (size_t place = 0; place < set->count && !run->status; place++) {
        open_changed(run, side, set->numbers[place], height);
      }
      set->count = 0;
    }
  }
  drop_common(run, &run->sides[0].large, &run->sides[1].large);
  for (int index = 0; index < 2; index++) {
    side *side = &run->sides[index];
    for (size_t place = 0; place < side->large.count && !run->status; place++) {
      add_large(run, side, side->large.numbers[place]);
    }
    side->large.count = 0;
    for (int height = 0; height < OBX_PAGES_MAXIMUM_DEPTH; height++) {
      page_set next = side->next[height];
      side->next[height] = side->heights[height];
      side->heights[height] = next;
    }
  }
}

static int ascending(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int is_ascending(const page_set *set) {
  for (size_t place = 1; place < set->count; place++) {
    if (set->numbers[place] < set->numbers[place - 1]) return 0;
  }
  return 1;
}

obx_changed_status obx_changed_pages(
  const obx_pages *older, const obx_head *older_head, const obx_pages *newer,
  const obx_head *newer_head, obx_page_list *added, obx_page_list *removed, uint64_t *bad_page) {
  comparison *run = calloc(1, sizeof *run);
  *added = *removed = (obx_page_list){NULL, 0};
  if (!run) return OBX_CHANGED_NO_MEMORY;
  const obx_head *heads[] = {newer_head, older_head};
  run->sides[0].pages = newer;
  run->sides[1].pages = older;
  for (int index = 0; index < 2; index++) {
    if (!run->sides[index].pages) continue;
    add_tree(run, run->sides[index].heights, heads[index]->free_table, heads[index]->number);
    add_tree(run, run->sides[index].heights, heads[index]->main_table, heads[index]->number);
  }
  for (int round = 0; round < ROUNDS && !run->status; round++) compare_trees(run);
  obx_page_list *lists[] = {added, removed};
  for (int index = 0; index < 2; index++) {
    side *side = &run->sides[index];
    if (!is_ascending(&side->changed)) {
      qsort(side->changed.numbers, side->changed.count, sizeof(uint64_t), ascending);
    }
    if (run->status) {
      free(side->changed.numbers);
    } else {
      *lists[index] = (obx_page_list){side->changed.numbers, side->changed.count};
    }
    free(side->large.numbers);
    for (int height = 0; height < OBX_PAGES_MAXIMUM_DEPTH; height++) {
      free(side->heights[height].numbers);
      free(side->next[height].numbers);
    }
  }
  *bad_page = run->bad_page;
  obx_changed_status status = run->status;
  free(run);
  return status;
}

void obx_page_list_free(obx_page_list *list) {
  free(list->numbers);
  *list = (obx_page_list){NULL, 0};
}
