/// Articles with full-text indexes, one of them over two properties, and an author.
package enum ArticlesModel {
  package static let json = """
    {"entities":[
      {"id":"1:1100","lastPropertyId":"5:1105","name":"Article","properties":[
        {"id":"1:1101","name":"id","type":6,"flags":1},{"id":"2:1102","name":"title","type":9},
        {"id":"3:1103","name":"text","type":9},{"id":"4:1104","name":"stars","type":5},
        {"id":"5:1105","name":"author","type":11,"flags":520,"indexId":"1:1050","relationTarget":"Author"}],
       "fullTextIndexes":[
        {"id":"2:1051","properties":["3:1103"],"prefix":[3]},
        {"id":"3:1052","name":"words","properties":["2:1102","3:1103"],"weights":[3,1]}],
       "relations":[]},
      {"id":"2:1200","lastPropertyId":"2:1202","name":"Author","properties":[
        {"id":"1:1201","name":"id","type":6,"flags":1},{"id":"2:1202","name":"about","type":9}],
       "fullTextIndexes":[{"id":"4:1053","properties":["2:1202"]}],"relations":[]}],
     "lastEntityId":"2:1200","lastIndexId":"4:1053","lastRelationId":"0:0"}
    """
}
