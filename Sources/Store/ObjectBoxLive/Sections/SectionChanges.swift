/// The place of an object in sections.
public struct SectionPosition: Hashable, Comparable, Sendable {
  /// The position of the section.
  public var section: Int
  /// The position of the object in the section.
  public var index: Int

  /// Makes the position of an object.
  public init(section: Int, index: Int) {
    self.section = section
    self.index = index
  }

  /// Positions are in the order of the sections, and then of the objects.
  public static func < (first: Self, second: Self) -> Bool {
    (first.section, first.index) < (second.section, second.index)
  }
}

/// The move of an object to another section.
public struct SectionMove: Hashable, Sendable {
  /// The position in the old sections.
  public let from: SectionPosition
  /// The position in the new sections.
  public let to: SectionPosition
}

/// The difference between two versions of sections.
///
/// To get the new sections from the old ones:
///
/// 1. remove the objects at `deletions`, from last to first; 2. remove `deletedSections` with the rest of their
///    objects, from last to first; 3. insert `insertedSections` with all their objects, in order; 4. insert the objects
///    at `insertions`, in order.
///
/// All lists ascend.
public struct SectionChanges: Hashable, Sendable {
  /// Positions in the old sections of the sections that have ended: none of the objects has their
  /// key any more.
  public internal(set) var deletedSections: [Int] = []
  /// Positions in the new sections of the sections that have begun.
  public internal(set) var insertedSections: [Int] = []
  /// Positions in the old sections of objects that a remaining section has lost.
  ///
  /// An object that has moved, inside of its section or to another one, counts as deleted and
  /// inserted.
  public internal(set) var deletions: [SectionPosition] = []
  /// Positions in the new sections of objects that a remaining section has got.
  public internal(set) var insertions: [SectionPosition] = []
  /// Positions in the old sections of objects that stay where they are, with a property that has, or
  /// may have, another value.
  public internal(set) var modifications: [SectionPosition] = []
  /// The objects that are in another section than before, in the order of their new positions.
  ///
  /// They are also part of the other lists. Sections that have begun or ended are included.
  public internal(set) var moves: [SectionMove] = []

  var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deletions.isEmpty && insertions.isEmpty
      && modifications.isEmpty
  }
}

/// A change of observed sections.
public enum SectionedChange<Sections> {
  /// The initial sections; always the first change.
  case initial(Sections)
  /// The sections have changed; they are passed in their new state.
  case update(Sections, SectionChanges)

  /// The sections after the change.
  public var sections: Sections {
    switch self {
    case .initial(let sections), .update(let sections, _): sections
    }
  }
}

extension SectionedChange: Sendable where Sections: Sendable {}
