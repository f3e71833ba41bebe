// Errors of queries, of store files and of database servers alike.

extension ObjectBoxError {
  package static func severalResults(of entity: String) -> ObjectBoxError {
    .nonUniqueResult(
      message:
        "the query found more than one '\(entity)'; use findFirst, or a stricter condition"
    )
  }

  package static var severalValues: ObjectBoxError {
    .uniqueViolation(
      message:
        "the property query found more than one value; use a stricter condition, or distinct"
    )
  }

  package static func scoresMissing(in entity: String) -> ObjectBoxError {
    .illegalState(
      message:
        "the query for '\(entity)' has no nearest-neighbour condition that could give "
        + "scores; add `nearestNeighbors(queryVector:maxCount:)`, or use find"
    )
  }

  /// The error of a property query for values of another type than the property's.
  package static func mismatch(
    of property: PropertySchema,
    in entity: EntitySchema,
    wanted: String
  ) -> ObjectBoxError {
    .propertyTypeMismatch(
      message:
        "a property query asks for \(wanted), and '\(property.name)' of '\(entity.name)' "
        + "has type \(property.type); run the generator again, or ask for values of its type"
    )
  }

  /// The error of a sum that overflows its type; ObjectBox's code is 10004.
  package static func sumOverflow(_ fault: String) -> ObjectBoxError {
    .unknown(code: 10004, message: "\(fault); sum fewer values, or use average")
  }
}
