#include "CObjectBoxSalvage.h"

#include <stdlib.h>

#include "PageView.h"

// Walks over trees, and passes on everything readable. Each page is taken once, so cycles of pages
// end. A page without a key in the range that its branch states belongs to another branch, and is
// left for that one.

struct obx_salvage {
  obx_pages pages;
  // One bit per page: it belongs to a tree.
  uint8_t *taken;
  // One bit per page: it is in the free list.
  uint8_t *free;
  uint64_t pages_read;
};

// A tree in a walk.
typedef struct {
  obx_salvage *salvage;
  const obx_salvage_observer *observer;
  obx_tree tree;
  // The key whose duplicates form the tree; none in the tree of a table.
  bound owner;
  int is_ended;
} tree_walk;

// MARK: Pages

static int has_bit(const uint8_t *bits, uint64_t page) { return bits[page >> 3] >> (page & 7) & 1; }

static void set_bit(uint8_t *bits, uint64_t page) { bits[page >> 3] |= (uint8_t)(1 << (page & 7)); }

static int is_page(const obx_salvage *salvage, uint64_t number) {
  return number >= FIRST_TREE_PAGE && number < salvage->pages.page_count;
}

static void note_progress(obx_salvage *salvage, const obx_salvage_observer *observer, int *is_ended) {
  if (++salvage->pages_read % 4096 == 0) {
    *is_ended |= observer->progress(observer->context, salvage->pages_read) != 0;
  }
}

static void tell_gap(tree_walk *walk, uint64_t page, bound low, bound high, int is_subtree) {
  if (walk->is_ended) return;
  int is_duplicates = walk->owner.bytes != NULL;
  if (is_duplicates) {
    low = walk->owner;
    high = (bound){NULL, 0};
  }
  obx_salvage_gap gap = {
    page, low.bytes, high.bytes, (uint32_t)low.size, (uint32_t)high.size, (uint32_t)is_subtree,
    (uint32_t)is_duplicates,
  };
  walk->is_ended = walk->observer->gap(walk->observer->context, &gap) != 0;
}

static void tell_entry(
  tree_walk *walk, uint64_t page, bound key, const uint8_t *value, uint32_t size, uint32_t reasons,
  int is_table) {
  if (walk->is_ended) return;
  obx_salvage_entry entry = {
    key.bytes, value, (uint32_t)key.size, size, page, reasons, (uint32_t)is_table,
  };
  walk->is_ended = walk->observer->entry(walk->observer->context, &entry) != 0;
}

// Passes on an entry by a leaf's key: a key of the table, or a duplicate of the owner.
static void tell_key(
  tree_walk *walk, uint64_t page, bound key, const uint8_t *value, uint32_t size, uint32_t reasons) {
  if (walk->owner.bytes) {
    tell_entry(walk, page, walk->owner, key.bytes, (uint32_t)key.size, reasons, 0);
  } else {
    tell_entry(walk, page, key, value, size, reasons, 0);
  }
}

// MARK: Keys

static int is_in_range(const obx_tree *tree, const page_view *page, bound key) {
  return !(page->low.bytes && compare_keys(tree, key, page->low) < 0) &&
    !(page->high.bytes && compare_keys(tree, key, page->high) >= 0);
}

// The key of a node; no bound when the key cannot be read.
static bound readable_key(const obx_tree *tree, const page_view *page, size_t index, int is_leaf) {
  bound key = {NULL, 0};
  if (node_size(page, node_offset(page, index), is_leaf) == 0) return key;
  key = key_at(page, index);
  return is_key(tree, key) ? key : (bound){NULL, 0};
}

static bound fixed_key(const page_view *page, size_t index, size_t size) {
  return (bound){page->bytes + PAGE_HEADER + index * size, size};
}

// Whether a page can belong below the branch that leads to it: it has a key in the range, or no
// readable key.
static int belongs(const obx_tree *tree, const page_view *page, int is_leaf, size_t fixed_size) {
  int has_key = 0;
  for (size_t index = is_leaf ? 0 : 1; index < page->count; index++) {
    bound key = fixed_size ? fixed_key(page, index, fixed_size)
                           : readable_key(tree, page, index, is_leaf);
    if (!key.bytes) continue;
    if (is_in_range(tree, page, key)) return 1;
    has_key = 1;
  }
  return !has_key;
}

// The reasons to doubt a key that follows another one on its page.
static uint32_t doubts(const obx_tree *tree, const page_view *page, bound before, bound key) {
  int is_right = is_in_range(tree, page, key) &&
    !(before.bytes && compare_keys(tree, before, key) >= 0);
  return is_right ? 0 : OBX_SALVAGE_MISPLACED;
}

// MARK: Values

static void walk_nodes(tree_walk *walk, const page_view *page, uint16_t depth, uint32_t reasons);
static void walk_tree(tree_walk *walk, const uint8_t *record, uint64_t from, uint32_t reasons);

// Takes overflow pages and returns their value; NULL when they cannot be read.
static const uint8_t *overflow_value(obx_salvage *salvage, uint64_t number, uint64_t size, int takes) {
  if (!is_page(salvage, number)) return NULL;
  uint64_t count = overflow_count(&salvage->pages, number, size);
  for (uint64_t page = number; takes && page < number + count; page++) {
    if (has_bit(salvage->taken, page)) return NULL;
  }
  if (count == 0) return NULL;
  for (uint64_t page = number; takes && page < number + count; page++) set_bit(salvage->taken, page);
  return salvage->pages.base + number * salvage->pages.page_size + PAGE_HEADER;
}

static void walk_fixed_keys(
  tree_walk *walk, const page_view *page, size_t size, uint32_t reasons) {
  // Only keys within the page: a damaged header may state any number.
  size_t room = size ? (page->size - PAGE_HEADER) / size : 0;
  size_t count = page->count < room ? page->count : room;
  bound before = {NULL, 0};
  for (size_t index = 0; index < count && !walk->is_ended; index++) {
    bound key = fixed_key(page, index, size);
    tell_key(
      walk, page->number, key, NULL, 0, reasons | doubts(&walk->tree, page, before, key));
    before = key;
  }
  size_t rest = page->size - PAGE_HEADER - count * size;
  if (count < page->count || page->upper - page->lower != rest) {
    tell_gap(walk, page->number, page->low, page->high, 0);
  }
}

// Walks the duplicates of a key, in a sub-page or their own tree; false when there are none.
static int walk_duplicates(
  tree_walk *walk, const page_view *page, bound key, const uint8_t *value, uint32_t size,
  uint16_t flags, uint32_t reasons) {
  tree_walk inner = *walk;
  inner.tree = duplicates_of(&walk->tree);
  inner.owner = key;
  int is_fixed = (walk->tree.flags & TABLE_FIXED_DUPLICATES) != 0;
  if (flags == (NODE_DUPLICATES | NODE_TABLE)) {
    if (size != TABLE_RECORD || !is_duplicates_record(&walk->tree, value)) return 0;
    if (is_fixed) inner.tree.fixed_size = (uint16_t)obx_load32(value);
    walk_tree(&inner, value, page->number, reasons);
  } else {
    page_view sub;
    if (!view_sub_page(value, size, page->number, walk->tree.flags, &sub)) return 0;
    if (is_fixed) {
      walk_fixed_keys(&inner, &sub, obx_load16(value + 8), reasons);
    } else {
      walk_nodes(&inner, &sub, 1, reasons);
    }
  }
  walk->is_ended = inner.is_ended;
  return 1;
}

// Passes on the entry of a leaf's node; false for an invalid form.
static int walk_value(
  tree_walk *walk, const page_view *page, size_t index, bound key, uint32_t reasons) {
  uint64_t header = obx_load64(page->bytes + node_offset(page, index));
  uint32_t size = (uint32_t)header;
  uint16_t flags = (uint16_t)(header >> 32);
  const uint8_t *value = key.bytes + key.size;
  int has_duplicates = walk->tree.kind == NAMED_TREE && walk->tree.flags & TABLE_DUPLICATES;
  switch (flags) {
  case 0:
    if (has_duplicates && walk->tree.flags & TABLE_INTEGER_DUPLICATES && size != 8) return 0;
    tell_key(walk, page->number, key, value, size, reasons);
    return 1;
  case NODE_OVERFLOW:
    if (has_duplicates || walk->owner.bytes) return 0;
    value = overflow_value(walk->salvage, obx_load64(value), size, 1);
    if (!value) return 0;
    tell_key(walk, page->number, key, value, size, reasons);
    return 1;
  case NODE_TABLE:
    if (walk->tree.kind != MAIN_TREE || size != TABLE_RECORD) return 0;
    tell_entry(walk, page->number, key, value, size, reasons, 1);
    return 1;
  case NODE_DUPLICATES:
  case NODE_DUPLICATES | NODE_TABLE:
    return has_duplicates && walk_duplicates(walk, page, key, value, size, flags, reasons);
  default: return 0;
  }
}

// MARK: Trees

static void walk_page(
  tree_walk *walk, uint64_t number, uint16_t depth, bound low, bound high, uint64_t from,
  uint32_t reasons);

// Walks the nodes of a page; `depth` is 1 for a leaf.
static void walk_nodes(tree_walk *walk, const page_view *page, uint16_t depth, uint32_t reasons) {
  int is_leaf = depth == 1;
  page_room room = {0};
  size_t total = 0, lost = 0;
  bound before = {NULL, 0};
  for (size_t index = 0; index < page->count && !walk->is_ended; index++) {
    size_t offset = node_offset(page, index), size = node_size(page, offset, is_leaf);
    total += size;
    // The first key of a branch is not used, and usually empty.
    int has_key = is_leaf || index > 0;
    bound key = has_key ? readable_key(&walk->tree, page, index, is_leaf) : page->low;
    if (size == 0 || (has_key && !key.bytes)) {
      lost++;
      continue;
    }
    uint32_t own = reasons | (take_room(&room, offset, size) ? 0 : OBX_SALVAGE_MISPLACED);
    if (has_key) own |= doubts(&walk->tree, page, before, key);
    if (is_leaf) {
      if (!walk_value(walk, page, index, key, own)) lost++;
    } else {
      bound high = {NULL, 0};
      if (index + 1 < page->count) high = readable_key(&walk->tree, page, index + 1, 0);
      if (!high.bytes) high = page->high;
      uint64_t child = obx_load64(page->bytes + offset) & 0xffffffffffff;
      // A key that is out of order is no bound.
      bound low = own & ~reasons ? page->low : key;
      walk_page(walk, child, depth - 1, low, high, page->number, reasons);
    }
    if (has_key) before = key;
  }
  if (lost > 0 || total != page->size - page->upper) {
    tell_gap(walk, page->number, page->low, page->high, 0);
  }
}

static void walk_page(
  tree_walk *walk, uint64_t number, uint16_t depth, bound low, bound high, uint64_t from,
  uint32_t reasons) {
  if (walk->is_ended) return;
  obx_salvage *salvage = walk->salvage;
  page_view page;
  obx_finding fault;
  int is_leaf = depth == 1;
  if (!is_page(salvage, number)) {
    tell_gap(walk, from, low, high, 1);
    return;
  }
  if (has_bit(salvage->taken, number) ||
      !view_page(&salvage->pages, &walk->tree, number, is_leaf, &page, &fault)) {
    tell_gap(walk, number, low, high, 1);
    return;
  }
  page.low = low;
  page.high = high;
  size_t fixed_size = is_leaf ? walk->tree.fixed_size : 0;
  if ((fixed_size && PAGE_HEADER + page.count * fixed_size > page.size) ||
      !belongs(&walk->tree, &page, is_leaf, fixed_size)) {
    tell_gap(walk, number, low, high, 1);
    return;
  }
  set_bit(salvage->taken, number);
  note_progress(salvage, walk->observer, &walk->is_ended);
  if (has_bit(salvage->free, number)) reasons |= OBX_SALVAGE_FREE;
  if (fixed_size) {
    walk_fixed_keys(walk, &page, fixed_size, reasons);
  } else {
    walk_nodes(walk, &page, depth, reasons);
  }
}

static void walk_tree(tree_walk *walk, const uint8_t *record, uint64_t from, uint32_t reasons) {
  uint64_t root = obx_load64(record + 40);
  uint16_t depth = obx_load16(record + 6);
  bound none = {NULL, 0};
  if (root == NO_PAGE && depth == 0) return;
  if (depth == 0 || depth > OBX_PAGES_MAXIMUM_DEPTH) {
    tell_gap(walk, from, none, none, 1);
    return;
  }
  walk_page(walk, root, depth, none, none, from, reasons);
}

int obx_salvage_tree(
  obx_salvage *salvage, const uint8_t *record, uint16_t flags, const obx_salvage_observer *observer) {
  tree_walk walk = {
    .salvage = salvage, .observer = observer,
    .tree = {
      .kind = flags & OBX_SALVAGE_MAIN_TABLE ? MAIN_TREE : NAMED_TREE,
      .has_integer_keys = (flags & TABLE_INTEGER_KEYS) != 0,
      .flags = flags & TABLE_KNOWN,
    },
  };
  walk_tree(&walk, record, 0, 0);
  return walk.is_ended;
}

// MARK: The free list

typedef struct {
  obx_salvage *salvage;
  int is_whole;
} free_list;

static int note_free(void *context, const obx_salvage_entry *entry) {
  free_list *list = context;
  uint64_t count = entry->value_size >= 8 ? obx_load64(entry->value) : 0;
  uint64_t room = entry->value_size / 8, before = UINT64_MAX;
  if (entry->reasons || room == 0 || count > room - 1) {
    list->is_whole = 0;
    return 0;
  }
  for (uint64_t index = 1; index <= count; index++) {
    uint64_t number = obx_load64(entry->value + 8 * index);
    if (number >= before || number < FIRST_TREE_PAGE) {
      list->is_whole = 0;
      return 0;
    }
    before = number;
    // Pages that were allocated, freed and never written may lie after the end of the file.
    if (number < list->salvage->pages.page_count) set_bit(list->salvage->free, number);
  }
  return 0;
}

static int note_gap(void *context, const obx_salvage_gap *gap) {
  (void)gap;
  ((free_list *)context)->is_whole = 0;
  return 0;
}

static int go_on(void *context, uint64_t pages) {
  (void)context;
  (void)pages;
  return 0;
}

int obx_salvage_free_list(obx_salvage *salvage, const obx_head *head) {
  free_list list = {salvage, 1};
  obx_salvage_observer observer = {&list, note_free, note_gap, go_on};
  obx_salvage_tree(salvage, head->free_table, TABLE_INTEGER_KEYS, &observer);
  return list.is_whole;
}

// MARK: Leaves

// Passes on the entries of a page that looks like a leaf.
static void walk_leaf(
  obx_salvage *salvage, const obx_tree *tree, const page_view *page, uint32_t reasons, int takes,
  const obx_salvage_observer *observer, int *is_ended) {
  for (size_t index = 0; index < page->count && !*is_ended; index++) {
    bound key = readable_key(tree, page, index, 1);
    if (!key.bytes) continue;
    uint64_t header = obx_load64(page->bytes + node_offset(page, index));
    const uint8_t *value = key.bytes + key.size;
    uint16_t flags = (uint16_t)(header >> 32);
    if (flags == NODE_OVERFLOW) {
      value = overflow_value(salvage, obx_load64(value), (uint32_t)header, takes);
      if (!value) continue;
    } else if (flags != 0) {
      continue;
    }
    obx_salvage_entry entry = {
      key.bytes, value, (uint32_t)key.size, (uint32_t)header, page->number, reasons, 0,
    };
    *is_ended = observer->entry(observer->context, &entry) != 0;
  }
}

int obx_salvage_leaves(
  obx_salvage *salvage, int has_integer_keys, uint32_t scope, const obx_salvage_observer *observer) {
  obx_tree tree = {.kind = NAMED_TREE, .has_integer_keys = has_integer_keys};
  int is_ended = 0, takes = !(scope & OBX_SALVAGE_TREE_PAGES);
  uint64_t page_count = salvage->pages.page_count;
  for (uint64_t number = FIRST_TREE_PAGE; number < page_count && !is_ended; number++) {
    note_progress(salvage, observer, &is_ended);
    page_view page;
    obx_finding fault;
    int is_free = has_bit(salvage->free, number);
    if ((takes && has_bit(salvage->taken, number)) || (is_free && !(scope & OBX_SALVAGE_FREE_PAGES)) ||
        !view_page(&salvage->pages, &tree, number, 1, &page, &fault)) {
      continue;
    }
    uint32_t reasons = OBX_SALVAGE_ORPHAN | (is_free ? OBX_SALVAGE_FREE : 0);
    walk_leaf(salvage, &tree, &page, reasons, takes, observer, &is_ended);
  }
  return is_ended;
}

// MARK: Beginning and end

uint32_t obx_salvage_page_size(const obx_image *image) {
  uint32_t best = 0;
  uint64_t most = 0;
  for (uint32_t size = SMALLEST_PAGE; size <= LARGEST_PAGE; size *= 2) {
    uint64_t pages = image->size / size, found = 0;
    // The first pages are a sufficient sample.
    if (pages > 1 << 16) pages = 1 << 16;
    for (uint64_t number = FIRST_TREE_PAGE; number < pages; number++) {
      const uint8_t *page = image->base + number * size;
      found += obx_load64(page) == number && (obx_load16(page + 10) & 0x7) != 0;
    }
    if (found > most) {
      most = found;
      best = size;
    }
  }
  return best;
}

obx_salvage *obx_salvage_begin(const obx_image *image, uint32_t page_size) {
  if (page_size < SMALLEST_PAGE || page_size > LARGEST_PAGE) return NULL;
  uint64_t page_count = image->size / page_size;
  obx_salvage *salvage = calloc(1, sizeof *salvage);
  if (!salvage) return NULL;
  salvage->pages = (obx_pages){image->base, page_count, 0, page_size};
  salvage->taken = calloc(page_count / 8 + 1, 1);
  salvage->free = calloc(page_count / 8 + 1, 1);
  if (salvage->taken && salvage->free) return salvage;
  obx_salvage_end(salvage);
  return NULL;
}

void obx_salvage_end(obx_salvage *salvage) {
  if (!salvage) return;
  free(salvage->taken);
  free(salvage->free);
  free(salvage);
}
