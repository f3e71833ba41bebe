/// Articles with full-text indexes, one of them over two properties, and an author.
package enum ArticlesModel {
  package static let json = """
    {"entities":[
      {"id":"1:100","lastPropertyId":"5:105","name":"Article","properties":[
        {"id":"1:101","name":"id","type":6,"flags":1},{"id":"2:102","name":"title","type":9},
        {"id":"3:103","name":"text","type":9},{"id":"4:104","name":"stars","type":5},
        {"id":"5:105","name":"author","type":11,"flags":520,"indexId":"1:50","relationTarget":"Author"}],
       "fullTextIndexes":[
        {"id":"2:51","properties":["3:103"],"prefix":[3]},
        {"id":"3:52","name":"words","properties":["2:102","3:103"],"weights":[3,1]}],
       "relations":[]},
      {"id":"2:200","lastPropertyId":"2:202","name":"Author","properties":[
        {"id":"1:201","name":"id","type":6,"flags":1},{"id":"2:202","name":"about","type":9}],
       "fullTextIndexes":[{"id":"4:53","properties":["2:202"]}],"relations":[]}],
     "lastEntityId":"2:200","lastIndexId":"4:53","lastRelationId":"0:0"}
    """
}
