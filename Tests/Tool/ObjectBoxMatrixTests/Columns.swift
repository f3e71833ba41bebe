/// All columns of the matrix.
enum Columns<E: MatrixEntity> {
  /// Makes the columns; those of a cluster have no texts with U+0000, which PostgreSQL cannot store.
  static func all(hasZeros: Bool = true) -> [Column<E>] {
    numbers() + texts(hasZeros: hasZeros) + bytes() + dates() + encodedValues() + vectors()
      + enumerations()
  }
}
