// LMDB's pages have the word size and byte order of the processor. The page reader knows the layout
// of 64-bit little-endian processors, and read transactions have no other reader.
#if _pointerBitWidth(_32) || _endian(big)
  #error("ObjectBox needs a 64-bit little-endian processor: LMDB's pages have another layout here")
#endif
