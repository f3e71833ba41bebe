# Runs programs under callgrind, which counts their instructions; scripts source it.

# prepare_counting BINARY COPY: copies a program, and makes its counts hardly vary between runs and machines.
prepare_counting() {
  # Older releases of valgrind cannot read Swift's debug information.
  strip --strip-debug -o "$2" "$1"
  # Use the C library's generic functions, so every machine runs the same instructions; and valgrind counts each byte
  # that an instruction of some processors copies.
  export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-EVEX,-ERMS,-FSRM,-BMI2,-LZCNT,-MOVBE,-SSSE3,-SSE4_1,-SSE4_2,-Fast_Unaligned_Copy
  # A fixed hash seed makes sets deterministic.
  export SWIFT_DETERMINISTIC_HASHING=1
}
