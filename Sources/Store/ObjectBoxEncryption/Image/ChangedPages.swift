#if OBJECTBOX_SODIUM
  internal import CObjectBoxEncryption
  internal import CObjectBoxPages
  internal import Foundation
  internal import ObjectBoxStorage

  /// The pages that a version does not share with the version before.
  struct ChangedPages: ~Copyable {
    private var lists = (added: obx_page_list(), removed: obx_page_list())

    /// Compares two versions of a file.
    ///
    /// - Parameters:
    ///   - older: The head page of the version before; nil when there is none.
    ///   - newer: The version.
    /// - Throws: ``StorageError`` with `isCorrupt` for a page that does not match its tree, and when memory is
    ///   short.
    init(from older: obx_head?, to newer: PageVersion) throws(StorageError) {
      var (pages, head, bad) = (newer.pages, newer.head, UInt64(0))
      var status = OBX_CHANGED_OK
      if var older {
        var olderPages = pages
        olderPages.transaction = older.transaction
        olderPages.page_count = older.last_page + 1
        status = obx_changed_pages(
          &olderPages,
          &older,
          &pages,
          &head,
          &lists.added,
          &lists.removed,
          &bad
        )
      } else {
        status = obx_changed_pages(nil, nil, &pages, &head, &lists.added, &lists.removed, &bad)
      }
      if status == OBX_CHANGED_CORRUPT { throw .damaged(bad) }
      if status != OBX_CHANGED_OK { throw StorageError(code: ENOMEM, call: "comparing versions") }
    }

    deinit {
      var lists = lists
      obx_page_list_free(&lists.added)
      obx_page_list_free(&lists.removed)
    }

    /// In ascending order.
    var added: UnsafeBufferPointer<UInt64> {
      UnsafeBufferPointer(start: lists.added.numbers, count: lists.added.count)
    }
    /// In ascending order.
    var removed: UnsafeBufferPointer<UInt64> {
      UnsafeBufferPointer(start: lists.removed.numbers, count: lists.removed.count)
    }
  }
#endif
