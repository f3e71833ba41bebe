import ObjectBox

extension Customer {
  static var id: Property<Customer, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<Customer, String, Void> { Property(propertyId: 2) }
  static var orders: ToManyProperty<Order> { ToManyProperty(.valuePropertyId(3)) }
}

extension Order {
  static var id: Property<Order, EntityId<Order>, Order> {
    Property(propertyId: 1, isPrimaryKey: true)
  }
}

extension Student {
  static var name: Property<Student, String, Void> { Property(propertyId: 2) }
  static var teachers: ToManyProperty<Teacher> { ToManyProperty(.relationId(1)) }
  static var admirers: ToManyProperty<Teacher> { ToManyProperty(.valuePropertyId(3)) }
}

extension Teacher {
  static var name: Property<Teacher, String, Void> { Property(propertyId: 2) }
  static var favourite: Property<Teacher, EntityId<Student>, Student> { Property(propertyId: 3) }
  static var students: ToManyProperty<Student> { ToManyProperty(.backlinkRelationId(1)) }
}
