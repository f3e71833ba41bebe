package import ObjectBox

extension Customer {
  package static var id: Property<Customer, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  package static var name: Property<Customer, String, Void> { Property(propertyId: 2) }
  package static var orders: ToManyProperty<Order> { ToManyProperty(.valuePropertyId(3)) }
}

extension Order {
  package static var id: Property<Order, EntityId<Order>, Order> {
    Property(propertyId: 1, isPrimaryKey: true)
  }
}

extension Student {
  package static var name: Property<Student, String, Void> { Property(propertyId: 2) }
  package static var teachers: ToManyProperty<Teacher> { ToManyProperty(.relationId(1)) }
  package static var admirers: ToManyProperty<Teacher> { ToManyProperty(.valuePropertyId(3)) }
}

extension Teacher {
  package static var name: Property<Teacher, String, Void> { Property(propertyId: 2) }
  package static var favourite: Property<Teacher, EntityId<Student>, Student> {
    Property(propertyId: 3)
  }
  package static var students: ToManyProperty<Student> { ToManyProperty(.backlinkRelationId(1)) }
}
