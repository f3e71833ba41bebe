#if OBJECTBOX_SODIUM
  internal import CObjectBoxPages
  internal import Foundation
  internal import ObjectBoxStorage

  /// New files of an image, with a new data key that the program's key wraps.
  final class ImageReplacement: StorageMirrorReplacement {
    private let image: SealedImage
    private let memory: MemoryFile
    private let keys: StoreKeys
    private let wrapped: WrappedKey
    /// The state of the new pages file, without pages.
    private let state: ImageState
    private var pages: PagesFile?
    /// True when the head on the disk may name the new pages file.
    private var mayBeNamed = false

    /// Makes the file in memory and the keys.
    ///
    /// - Throws: ``StorageError`` with the system's error number.
    init(of image: SealedImage) throws(StorageError) {
      let current = image.content
      let keys = StoreKeys { data in
        image.random(data)
        return true
      }
      guard let keys else { throw StorageError(code: ENOMEM, call: "mlock") }
      do throws(WrappedKey.Refusal) {
        wrapped = try current.wrapped.wrapping(keys, for: image.encryption, random: image.random)
      } catch {
        throw StorageError(code: ENOMEM, call: "crypto_pwhash")
      }
      state = ImageState(
        storeID: current.state.storeID,
        pagesID: Bytes16.random(image.random).first,
        pageSize: current.state.pageSize,
        logBlocks: current.state.logBlocks
      )
      self.image = image
      self.keys = keys
      memory = try MemoryFile()
    }

    var folder: String { memory.folder }

    func didMap() { memory.excludeFromDumps() }

    func reserve(pageCount: Int) throws(StorageError) {
      let bytes = pageCount * state.pageSize
      try SealedImage.checkMemory(
        bytes: bytes,
        for: "the compact copy is in memory beside the present content, and",
        otherwise: "or copy the store into another one"
      )
      let pages = try newPages
      do throws(StorageError) {
        try pages.reserve(offset: (1 + state.logBlocks) * LogRecord.blockSize, size: bytes)
      } catch {
        throw image.full(error, bytes: bytes)
      }
    }

    private var newPages: PagesFile {
      get throws(StorageError) {
        if let pages { return pages }
        let made = try image.files.makePages(state.pagesID, begin: state.newPages)
        pages = made
        return made
      }
    }

    func write(
      _ version: PageVersion,
      _ progress: (Double) -> Bool
    ) throws(StorageError) -> Bool {
      let pages = try newPages
      let writing = VersionWriting(image.files, pages, keys, wrapped, image.random)
      let written: ImageState
      do throws(StorageError) {
        guard let state = try writing.write(version, after: state, progress) else { return false }
        written = try writing.writeHead(state)
      } catch {
        throw image.full(error, bytes: state.pageSize * Int(version.pages.page_count))
      }
      var content = SealedImage.Content(written, keys, wrapped, pages, memory)
      content.head = version.head
      mayBeNamed = true
      try image.replace(by: content)
      image.files.removePages(except: written.pagesID)
      return true
    }

    func end() {
      memory.removeFolder()
      if !mayBeNamed { image.files.removePages(except: image.content.state.pagesID) }
    }
  }
#endif
