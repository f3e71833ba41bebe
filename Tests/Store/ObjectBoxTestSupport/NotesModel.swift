/// A model file of notes with a unique slug and an author.
package enum NotesModel {
  package static let json = """
    {"entities":[
      {"id":"1:1000","lastPropertyId":"4:1004","name":"Note","properties":[
        {"id":"1:1001","name":"id","type":6,"flags":1},
        {"id":"2:1002","name":"slug","type":9,"flags":2080,"indexId":"1:5000"},
        {"id":"3:1003","name":"stars","type":2},
        {"id":"4:1004","name":"author","type":11,"relationTarget":"Author"}],
       "relations":[{"id":"1:6000","name":"readers","targetId":"2:2000"}]},
      {"id":"2:2000","lastPropertyId":"2:2002","name":"Author","properties":[
        {"id":"1:2001","name":"id","type":6,"flags":1},
        {"id":"2:2002","name":"name","type":9}],"relations":[]}],
     "lastEntityId":"2:2000","lastIndexId":"1:5000","lastRelationId":"1:6000","modelVersion":5}
    """
}
