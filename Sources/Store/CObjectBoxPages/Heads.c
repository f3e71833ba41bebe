#include "Layout.h"

#include "CObjectBoxVerify.h"

// Reads head pages from a file's bytes.

static const uint32_t magic = 0xbeefc0de;
static const uint32_t data_version = 1;

enum {
  HEAD_SIZE = 152,
  // MDB_INTEGERKEY of the free list.
  FREE_TABLE_FLAGS = 0x08,
  // MDB_FIXEDMAP and MDB_NOSUBDIR of the environment, which LMDB stores in the same field.
  ENVIRONMENT_FLAGS = 0x4001,
};

static int is_page_size(uint32_t size) {
  return size >= SMALLEST_PAGE && size <= 65536 && !(size & (size - 1));
}

static int is_zero(const uint8_t *bytes, size_t size) {
  for (size_t place = 0; place < size; place++) {
    if (bytes[place]) return 0;
  }
  return 1;
}

static obx_head_status read_at(
  const obx_image *image, uint64_t offset, uint64_t number, obx_head *head) {
  if (image->size < HEAD_SIZE || offset > image->size - HEAD_SIZE) return OBX_HEAD_MISSING;
  const uint8_t *page = image->base + offset;
  if (is_zero(page, HEAD_SIZE)) return OBX_HEAD_EMPTY;
  if (obx_load32(page + HEAD_MAGIC) != magic) return OBX_HEAD_FOREIGN;
  if (obx_load32(page + HEAD_DATA_VERSION) != data_version) return OBX_HEAD_OTHER_VERSION;
  *head = (obx_head){
    .number = number, .transaction = obx_load64(page + HEAD_VERSION),
    .last_page = obx_load64(page + HEAD_LAST_PAGE), .map_size = obx_load64(page + HEAD_MAP_SIZE),
    .page_size = obx_load32(page + HEAD_FREE_TABLE),
  };
  memcpy(head->free_table, page + HEAD_FREE_TABLE, TABLE_RECORD);
  memcpy(head->main_table, page + HEAD_MAIN_TABLE, TABLE_RECORD);
  if (obx_load64(page) != number || obx_load16(page + 10) != PAGE_META ||
      !is_page_size(head->page_size) || head->last_page < 1 ||
      head->last_page >= head->map_size / head->page_size ||
      (obx_load16(head->free_table + 4) & ~ENVIRONMENT_FLAGS) != FREE_TABLE_FLAGS ||
      obx_load16(head->main_table + 4) != 0) {
    return OBX_HEAD_DAMAGED;
  }
  return OBX_HEAD_OK;
}

obx_head_status obx_head_read(
  const obx_image *image, uint64_t number, uint32_t page_size, obx_head *head) {
  if (number == 0) {
    obx_head_status status = read_at(image, 0, 0, head);
    return status == OBX_HEAD_OK && page_size && head->page_size != page_size ? OBX_HEAD_DAMAGED
                                                                              : status;
  }
  if (page_size) {
    obx_head_status status = read_at(image, page_size, 1, head);
    return status == OBX_HEAD_OK && head->page_size != page_size ? OBX_HEAD_DAMAGED : status;
  }
  obx_head_status worst = OBX_HEAD_MISSING;
  for (uint32_t size = SMALLEST_PAGE; size <= 65536; size *= 2) {
    obx_head_status status = read_at(image, size, 1, head);
    if (status == OBX_HEAD_OK && head->page_size == size) return OBX_HEAD_OK;
    if (status == OBX_HEAD_OK) status = OBX_HEAD_DAMAGED;
    if (status > worst) worst = status;
  }
  return worst;
}

obx_pages_status obx_head_open(const obx_image *image, const obx_head *head, obx_pages *pages) {
  if (head->page_size > LARGEST_PAGE) return OBX_PAGES_UNKNOWN_FORM;
  obx_pages_map map = {image->base, image->size / head->page_size, head->page_size};
  return obx_pages_open(pages, &map, head->transaction, head->last_page, image->size);
}

obx_pages_status obx_head_main_table(
  const obx_pages *pages, const obx_head *head, obx_pages_table *table) {
  uint64_t bad_page = 0;
  obx_pages_status status =
    obx_pages_table_open(table, pages, head->main_table, TABLE_RECORD, &bad_page);
  table->flags |= TABLE_OF_TABLES;
  return status;
}

obx_pages_status obx_head_free_table(
  const obx_pages *pages, const obx_head *head, obx_pages_table *table, uint64_t *bad_page) {
  obx_pages_status status = obx_open_record(table, pages, head->free_table, bad_page);
  if (status) return status;
  table->flags &= ~ENVIRONMENT_FLAGS;
  return table->flags == FREE_TABLE_FLAGS ? OBX_PAGES_OK : OBX_PAGES_UNKNOWN_FORM;
}

void obx_head_write(const obx_head *head, void *page) {
  uint8_t *bytes = page;
  memcpy(bytes + HEAD_MAP_SIZE, &head->map_size, 8);
  memcpy(bytes + HEAD_FREE_TABLE, head->free_table, TABLE_RECORD);
  memcpy(bytes + HEAD_MAIN_TABLE, head->main_table, TABLE_RECORD);
  memcpy(bytes + HEAD_LAST_PAGE, &head->last_page, 8);
  memcpy(bytes + HEAD_VERSION, &head->transaction, 8);
}
