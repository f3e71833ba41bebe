import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxCare
import ObjectBoxGenerator
import ObjectBoxModelTools
import ObjectBoxSwiftReader
import ObjectBoxTestSupport
import ObjectBoxTool

extension FuzzTarget {
  /// Model files, read by the runtime, the generator and its tools.
  static let model = FuzzTarget("model") {
    ["notes": Array(Sample.model.utf8)]
  } body: { input, scratch in
    let path = try scratch.write(input.all, to: "model.json")
    try attempt {
      var configuration = Store.Configuration(directory: scratch.path + "/store")
      configuration.maxDbSizeInKByte = 20_000
      let store = try Store(configuration: configuration, modelJSON: URL(fileURLWithPath: path))
      defer { store.close() }
      for entity in store.schema.entities { _ = try store.box(named: entity.name).all() }
    }
    let (model, findings) = ModelDocument.parse(input.text, path: "m.json")
    precondition(
      model != nil || findings.contains(where: \.isError),
      "a model is refused without a word"
    )
    guard let model else { return }
    let again = ModelDocument.parse(model.text, path: "m.json")
    // The file may have its elements in another order.
    precondition(again.model?.text == model.text, "a model is not read as it was written")
    for format in ModelDiagram.Format.allCases { _ = try? ModelDiagram.text(of: model, as: format) }
  }

  /// Swift sources with annotations, run through the whole generator.
  static let annotations = FuzzTarget("annotations") {
    ["notes": Array(Sample.source.utf8), "short": Array(Sample.shortSource.utf8)]
  } body: { input, scratch in
    var options = GeneratorOptions()
    options.sources = [try scratch.write(input.all, to: "A.swift")]
    options.modelPath = scratch.path + "/model.json"
    options.outputPath = scratch.path + "/Generated.swift"
    options.usesCache = false
    do {
      let outcome = try Generator(options, reader: SourceParser()).run()
      if outcome.hasErrors { return }
      let model = try Data(contentsOf: URL(fileURLWithPath: options.modelPath))
      let text = String(decoding: model, as: UTF8.self)
      precondition(ModelDocument.parse(text, path: "m").model != nil, "the model cannot be read")
    } catch is FileFault {
      // Not UTF-8.
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      // No entities, so no model.
    }
  }

  /// Templates, rendered with every kind of value.
  static let templates = FuzzTarget("templates") {
    ["sections": Array(Sample.template.utf8)]
  } body: { input, _ in
    let context: MustacheValue = [
      "name": "a\nb", "empty": "", "yes": true, "no": false, "none": [],
      "list": [["name": "one", "last": false], ["name": "two", "last": true], "three"],
      "inner": ["name": "inner", "list": ["x", "y"]],
    ]
    do {
      let template = try MustacheTemplate(input.text, name: "t")
      // Not recursive: a partial that includes itself in a list would practically never end.
      let partial = try MustacheTemplate("<{{name}}>\n", name: "p")
      _ = try template.render(context, partials: ["self": partial])
    } catch is MustacheError {}
  }

  /// Dumps, loaded into a new store.
  static let dump = FuzzTarget("dump") {
    ["notes": Array(Sample.dump.utf8)]
  } body: { input, scratch in
    let path = try scratch.write(input.all, to: "dump.jsonl")
    do {
      let load = try Load(try InputLines(path))
      var configuration = Store.Configuration(directory: scratch.path + "/store")
      configuration.maxDbSizeInKByte = 20_000
      let store = try Store(schema: load.header.schema, configuration: configuration)
      defer { store.close() }
      try load.check(against: store.schema)
      _ = try load.run(into: store, batchSize: 3)
      // A dump keeps invalid values of a damaged record, such as a Boolean of 5.
      let fault = try store.verify().faults.first { $0.part != .record }
      precondition(fault == nil, "a loaded store is not sound: \(fault?.message ?? "")")
    } catch is LineFault {
    } catch is ObjectBoxError {
    } catch is Failure {
    } catch let stopped as Load.Stopped {
      precondition(
        stopped.cause is LineFault || stopped.cause is ObjectBoxError || stopped.cause is Failure,
        "a load stops with \(type(of: stopped.cause))"
      )
    }
  }

  /// The seeds of the targets.
  private enum Sample {
    static let model = NotesModel.json + "\n"
    static let dump =
      #"{"objectboxDump":1,"entities":[{"entity":"Note","count":2,"lastId":9},{"entity":"Author","lastId":0}],"#
      + #""relations":[{"relation":1}],"model":"# + model.replacingOccurrences(of: "\n", with: " ")
      + "}\n" + #"{"Note":{"id":1,"slug":"a","stars":5,"author":1}}"# + "\n"
      + #"{"Note":{"id":2,"slug":"b"}}"# + "\n" + #"{"Author":{"id":1,"name":"\u00e9"}}"# + "\n"
      + #"{"relation":1,"source":1,"targets":[1]}"# + "\n"
    static let shortSource = """
      // objectbox: entity
      struct A { var id: Id = 0; /* objectbox: index */ var x: Int? }
      """
    static let source = """
      #if os(Linux) && !DEBUG
      // objectbox: entity, uid = 17664, uniqueTogether = ["title", "count"]
      class Note {
        var id: Id = 0
        // objectbox: index = "hash", uid = 16640, collation = "nocase"
        var title = "\\(1 + 2)"
        var count: Int32 = 5
        // objectbox: onDelete = "cascade"
        var tags: ToMany<Tag> = nil
        // objectbox:hnswIndex: dimensions=2, flags="debugLogs"
        var place: [Float]?
        // objectbox: convert = { "default": "red", "dbType": "Int" }
        var color: Color = .red
      }
      #endif
      enum Color: Int { case red = 1, blue }
      // objectbox: begin entity
      final class Tag: Entity {
        // objectbox: id = { "assignable": true }
        var id: EntityId<Tag> = 0
        // objectbox: unique = { "onConflict": "replace" }
        var name: String?
        // objectbox: backlink = "tags"
        var notes: ToMany<Note> = nil
        var parent: ToOne<Tag> = nil
        init() {}
      }
      // objectbox: end

      """
    static let template = """
      {{! a comment }}
      {{#list}}
        {{name}}{{^last}}, {{/last}}{{#inner.list}}{{.}}{{/inner.list}}
      {{/list}}
      {{=<% %>=}}<%#yes%><%&name%><%/yes%><%={{ }}=%>
      {{{inner.name}}} {{#none}}{{> self}}{{/none}}

      """
  }
}
