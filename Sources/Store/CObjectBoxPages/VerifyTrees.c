#include "Verification.h"

// Walks over one tree. Each page is checked completely before its children: header, offsets, nodes
// side by side without overlap, keys ascending and within the bounds that the branches above state.

// MARK: Keys

// Checks a key's order and range.
static void check_key(
  obx_check *check, const obx_tree *tree, const page_view *page, size_t index, bound key,
  bound before) {
  if (before.bytes) {
    if (compare_keys(tree, before, key) >= 0) {
      obx_found(check, OBX_FINDING_KEY_ORDER, page->number, index, 0);
    }
  } else if (page->low.bytes && compare_keys(tree, key, page->low) < 0) {
    obx_found(check, OBX_FINDING_KEY_RANGE, page->number, index, 0);
  }
  if (page->high.bytes && compare_keys(tree, key, page->high) >= 0) {
    obx_found(check, OBX_FINDING_KEY_RANGE, page->number, index, 0);
  }
}

// Checks a page that holds only keys of one size.
static void check_fixed_keys(
  obx_check *check, obx_tree *tree, const page_view *page, size_t fixed_size) {
  if (fixed_size == 0 || PAGE_HEADER + page->count * fixed_size > page->size) {
    obx_found(check, OBX_FINDING_PAGE_HEADER, page->number, page->count, 0);
    return;
  }
  size_t room = page->size - PAGE_HEADER - page->count * fixed_size;
  if (page->upper - page->lower != room) {
    obx_found(check, OBX_FINDING_PAGE_ROOM, page->number, page->upper - page->lower, room);
  }
  bound before = {NULL, 0};
  for (size_t index = 0; index < page->count && !check->is_ended; index++) {
    bound key = {page->bytes + PAGE_HEADER + index * fixed_size, fixed_size};
    check_key(check, tree, page, index, key, before);
    before = key;
  }
  tree->entries += page->count;
}

// MARK: Values

static void check_page(
  obx_check *check, obx_tree *tree, uint64_t number, uint16_t depth, bound low, bound high,
  uint64_t from);
static void check_nodes(obx_check *check, obx_tree *tree, const page_view *page, uint16_t depth);

// Checks that a page has no flags of LMDB's memory, which LMDB clears when it writes a page. A writer would
// treat the page as its own, and write into the map.
static void check_flags(obx_check *check, uint64_t number) {
  uint16_t flags = obx_load16(check->pages.base + number * check->pages.page_size + 10);
  if (flags & PAGE_TRANSIENT) {
    obx_found(check, OBX_FINDING_PAGE_KIND, number, flags, flags & ~PAGE_TRANSIENT);
  }
}

// Checks the overflow pages of a value and returns its bytes; NULL when they cannot be read.
static const uint8_t *check_overflow(
  obx_check *check, obx_tree *tree, uint64_t number, uint64_t size, uint64_t from) {
  if (!obx_take_page(check, number, from)) return NULL;
  const uint8_t *page = check->pages.base + number * check->pages.page_size;
  uint64_t count = overflow_count(&check->pages, number, size);
  if (count == 0) {
    obx_found(check, OBX_FINDING_OVERFLOW, number, obx_load32(page + 12), size);
    return NULL;
  }
  for (uint64_t next = number + 1; next < number + count; next++) {
    if (!obx_take_page(check, next, number)) return NULL;
  }
  check_flags(check, number);
  tree->overflow += count;
  check->counts->overflow_pages += count;
  return page + PAGE_HEADER;
}

// Checks the duplicates of a key in a sub-page of its node.
static void check_sub_page(
  obx_check *check, obx_tree *tree, const page_view *page, size_t index, const uint8_t *bytes,
  size_t size) {
  page_view sub;
  if (!view_sub_page(bytes, size, page->number, tree->flags, &sub)) {
    obx_found(check, OBX_FINDING_DUPLICATES, page->number, index, 0);
    return;
  }
  // LMDB keeps this flag on sub-pages. Without it, a writer would treat a sub-page as a page of the file, and
  // free that page.
  if ((obx_load16(bytes + 10) & PAGE_TRANSIENT) != PAGE_DIRTY) {
    obx_found(check, OBX_FINDING_DUPLICATES, page->number, index, 0);
  }
  obx_tree duplicates = duplicates_of(tree);
  if (tree->flags & TABLE_FIXED_DUPLICATES) {
    check_fixed_keys(check, &duplicates, &sub, obx_load16(bytes + 8));
  } else {
    check_nodes(check, &duplicates, &sub, 1);
  }
  tree->entries += duplicates.entries;
}

// Checks the duplicates of a key in their own tree.
static void check_duplicates_tree(
  obx_check *check, obx_tree *tree, const page_view *page, size_t index, const uint8_t *record) {
  if (!is_duplicates_record(tree, record)) {
    obx_found(check, OBX_FINDING_DUPLICATES, page->number, index, 0);
    return;
  }
  obx_tree duplicates = duplicates_of(tree);
  if (tree->flags & TABLE_FIXED_DUPLICATES) duplicates.fixed_size = (uint16_t)obx_load32(record);
  obx_check_tree(check, record, &duplicates, page->number);
  tree->entries += duplicates.entries;
}

// Checks a named table by its node in the main table.
static void check_named_table(
  obx_check *check, bound name, const uint8_t *record, uint64_t from) {
  check->table = name.bytes;
  check->table_size = (uint32_t)name.size;
  check->counts->tables++;
  uint16_t flags = obx_load16(record + 4);
  obx_tree tree = {
    .kind = NAMED_TREE, .has_integer_keys = (flags & TABLE_INTEGER_KEYS) != 0, .flags = flags,
  };
  // The flags that LMDB stores in the file; only trees of duplicates use the first field.
  if (flags & ~0x7e || obx_load32(record) != 0) {
    obx_found(check, OBX_FINDING_TABLE_RECORD, from, flags, 0);
  } else {
    obx_check_tree(check, record, &tree, from);
  }
  check->table = NULL;
  check->table_size = 0;
}

// Checks the value of a leaf's node. `room` bytes of the page follow from `value` on.
static void check_value(
  obx_check *check, obx_tree *tree, const page_view *page, size_t index, bound key,
  const uint8_t *value, uint64_t size, uint16_t flags) {
  int has_duplicates = tree->kind == NAMED_TREE && tree->flags & TABLE_DUPLICATES;
  switch (flags) {
  case 0:
    tree->entries++;
    if (has_duplicates && tree->flags & TABLE_INTEGER_DUPLICATES && size != 8) {
      obx_found(check, OBX_FINDING_DUPLICATES, page->number, index, 0);
    }
    break;
  case NODE_OVERFLOW:
    tree->entries++;
    if (has_duplicates || tree->kind == DUPLICATES_TREE) {
      obx_found(check, OBX_FINDING_NODE, page->number, index, 0);
      return;
    }
    value = check_overflow(check, tree, obx_load64(value), size, page->number);
    if (!value) return;
    break;
  case NODE_TABLE:
    tree->entries++;
    if (tree->kind != MAIN_TREE || size != TABLE_RECORD) {
      obx_found(check, OBX_FINDING_NODE, page->number, index, 0);
    } else {
      check_named_table(check, key, value, page->number);
    }
    return;
  case NODE_DUPLICATES:
  case NODE_DUPLICATES | NODE_TABLE:
    if (!has_duplicates || (flags & NODE_TABLE && size != TABLE_RECORD)) {
      obx_found(check, OBX_FINDING_NODE, page->number, index, 0);
    } else if (flags & NODE_TABLE) {
      check_duplicates_tree(check, tree, page, index, value);
    } else {
      check_sub_page(check, tree, page, index, value, size);
    }
    return;
  default:
    obx_found(check, OBX_FINDING_NODE, page->number, index, 0);
    return;
  }
  if (tree->kind == FREE_TREE) {
    obx_check_free_entry(check, page->number, obx_load64(key.bytes), value, size);
  }
}

// MARK: Pages

// Checks that the nodes lie side by side in the page; false when they cannot be read.
static int check_room(obx_check *check, const page_view *page, int is_leaf) {
  page_room room = {0};
  size_t total = 0;
  for (size_t index = 0; index < page->count; index++) {
    size_t offset = node_offset(page, index);
    size_t size = node_size(page, offset, is_leaf);
    if (size == 0 || !take_room(&room, offset, size)) {
      obx_found(check, OBX_FINDING_NODE, page->number, index, 0);
      return 0;
    }
    total += size;
  }
  if (total != page->size - page->upper) {
    obx_found(check, OBX_FINDING_PAGE_ROOM, page->number, total, page->size - page->upper);
  }
  return 1;
}

// Checks the nodes of a page; `depth` is 1 for a leaf.
static void check_nodes(obx_check *check, obx_tree *tree, const page_view *page, uint16_t depth) {
  int is_leaf = depth == 1;
  if (!check_room(check, page, is_leaf)) return;
  bound before = {NULL, 0};
  for (size_t index = 0; index < page->count && !check->is_ended; index++) {
    uint64_t header = obx_load64(page->bytes + node_offset(page, index));
    bound key = key_at(page, index);
    // The first key of a branch is not used, and usually empty.
    int has_key = is_leaf || index > 0;
    if (has_key && !is_key(tree, key)) {
      obx_found(check, OBX_FINDING_NODE, page->number, index, 0);
      return;
    }
    if (has_key) {
      check_key(check, tree, page, index, key, before);
      before = key;
    }
    if (is_leaf) {
      check_value(
        check, tree, page, index, key, key.bytes + key.size, (uint32_t)header,
        (uint16_t)(header >> 32));
    } else {
      bound high = index + 1 < page->count ? key_at(page, index + 1) : page->high;
      check_page(
        check, tree, header & 0xffffffffffff, depth - 1, has_key ? key : page->low, high,
        page->number);
    }
  }
}

// Checks a page of a tree and everything below it; `depth` is 1 for a leaf.
static void check_page(
  obx_check *check, obx_tree *tree, uint64_t number, uint16_t depth, bound low, bound high,
  uint64_t from) {
  if (check->is_ended || !obx_take_page(check, number, from)) return;
  int is_leaf = depth == 1;
  page_view page;
  obx_finding fault;
  if (!view_page(&check->pages, tree, number, is_leaf, &page, &fault)) {
    obx_found(check, fault.kind, fault.page, fault.found, fault.expected);
    return;
  }
  check_flags(check, number);
  page.low = low;
  page.high = high;
  if (page.count < (is_leaf ? 1u : 2u)) {
    obx_found(check, OBX_FINDING_PAGE_EMPTY, number, page.count, 0);
  }
  if (is_leaf) {
    tree->leaf++;
    check->counts->leaf_pages++;
  } else {
    tree->branch++;
    check->counts->branch_pages++;
  }
  if (is_leaf && tree->fixed_size) {
    check_fixed_keys(check, tree, &page, tree->fixed_size);
  } else {
    check_nodes(check, tree, &page, depth);
  }
}

// MARK: Trees

// Checks only the root page of a table.
static void check_root(obx_check *check, uint64_t root, int is_leaf, uint64_t from) {
  if (!obx_take_page(check, root, from)) return;
  const uint8_t *bytes = check->pages.base + root * check->pages.page_size;
  uint64_t header = obx_load64(bytes + 8);
  size_t lower = header >> 32 & 0xffff, upper = header >> 48;
  if (obx_load64(bytes) != root) {
    obx_found(check, OBX_FINDING_PAGE_NUMBER, root, obx_load64(bytes), root);
  } else if (page_flags(header) != (is_leaf ? PAGE_LEAF : PAGE_BRANCH)) {
    obx_found(check, OBX_FINDING_PAGE_KIND, root, page_flags(header), is_leaf ? PAGE_LEAF : PAGE_BRANCH);
  } else if (lower <= PAGE_HEADER || lower & 1 || lower > upper || upper > check->pages.page_size) {
    obx_found(check, OBX_FINDING_PAGE_HEADER, root, lower, upper);
  }
}

static void check_counts(obx_check *check, const uint8_t *record, const obx_tree *tree, uint64_t from) {
  const uint64_t found[] = {tree->branch, tree->leaf, tree->overflow, tree->entries};
  for (size_t index = 0; index < 4; index++) {
    uint64_t expected = obx_load64(record + 8 + 8 * index);
    if (found[index] == expected) continue;
    obx_found(check, OBX_FINDING_BRANCH_COUNT + (obx_finding_kind)index, from, found[index], expected);
  }
}

void obx_check_tree(obx_check *check, const uint8_t *record, obx_tree *tree, uint64_t from) {
  uint64_t root = obx_load64(record + 40);
  uint16_t depth = obx_load16(record + 6);
  if (root == NO_PAGE) {
    if (depth != 0) obx_found(check, OBX_FINDING_TABLE_RECORD, from, depth, 0);
    check_counts(check, record, tree, from);
    return;
  }
  if (depth == 0 || depth > OBX_PAGES_MAXIMUM_DEPTH) {
    obx_found(check, OBX_FINDING_TABLE_RECORD, from, depth, 0);
    return;
  }
  if (check->scope == OBX_VERIFY_QUICK && tree->kind == NAMED_TREE) {
    check_root(check, root, depth == 1, from);
    return;
  }
  bound none = {NULL, 0};
  check_page(check, tree, root, depth, none, none, from);
  if (!check->is_ended) check_counts(check, record, tree, from);
}
