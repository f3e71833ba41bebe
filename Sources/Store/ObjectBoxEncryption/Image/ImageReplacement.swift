#if OBJECTBOX_SODIUM
  internal import CObjectBoxPages
  internal import Foundation
  internal import ObjectBoxStorage

  /// New files of an image, with a new data key that the program's key wraps.
  final class ImageReplacement: StorageMirrorReplacement {
    private let image: SealedImage
    private let memory: MemoryFile
    private let writing: ImageWriting
    /// True when the head on the disk may name the new pages file.
    private var mayBeNamed = false

    /// Makes the file in memory, the keys and the pages file.
    ///
    /// - Throws: ``StorageError`` with the system's error number.
    init(of image: SealedImage) throws(StorageError) {
      let current = image.content
      guard let keys = StoreKeys(random: image.random) else {
        throw StorageError(code: ENOMEM, call: "mlock")
      }
      let wrapped: WrappedKey
      do throws(WrappedKey.Refusal) {
        wrapped = try current.wrapped.wrapping(keys, for: image.encryption, random: image.random)
      } catch {
        throw StorageError(code: ENOMEM, call: "crypto_pwhash")
      }
      let state = ImageState(
        storeID: current.state.storeID,
        pageSize: current.state.pageSize,
        logBlocks: current.state.logBlocks
      )
      memory = try MemoryFile()
      self.image = image
      do throws(StorageError) {
        writing = try ImageWriting(state, in: image.files, keys, wrapped, image.random)
      } catch {
        memory.removeFolder()
        image.files.removePages(except: current.state.pagesID)
        throw image.full(error, bytes: state.newPages.count)
      }
    }

    var folder: String { memory.folder }

    func didMap() { memory.excludeFromDumps() }

    func reserve(pageCount: Int) throws(StorageError) {
      let state = writing.state
      let bytes = pageCount * state.pageSize
      try SealedImage.checkMemory(
        bytes: bytes,
        for: "the compact copy is in memory beside the present content, and",
        otherwise: "or copy the store into another one"
      )
      do throws(StorageError) {
        try writing.pages.reserve(offset: (1 + state.logBlocks) * LogRecord.blockSize, size: bytes)
      } catch {
        throw image.full(error, bytes: bytes)
      }
    }

    func write(
      _ version: PageVersion,
      _ progress: (Double) -> Bool
    ) throws(StorageError) -> Bool {
      let written: ImageState
      do throws(StorageError) {
        guard let state = try writing.write(version, progress) else { return false }
        written = try writing.writeHead(state)
      } catch {
        throw image.full(
          error,
          bytes: writing.state.pageSize * Int(version.pages.page_count)
        )
      }
      var content = SealedImage.Content(written, writing, memory)
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
