/// A model with every delete rule, and with properties of many types.
enum LibraryModel {
  static let json = """
    {"entities":[
      {"id":"1:1000","lastPropertyId":"2:1002","name":"Author","properties":[
        {"id":"1:1001","name":"id","type":6,"flags":1},{"id":"2:1002","name":"name","type":9}],
       "relations":[]},
      {"id":"2:2000","lastPropertyId":"5:2005","name":"Book","properties":[
        {"id":"1:2001","name":"id","type":6,"flags":1},{"id":"2:2002","name":"title","type":9},
        {"id":"3:2003","name":"isbn","type":9,"flags":2080,"indexId":"1:5000"},
        {"id":"4:2004","name":"author","type":11,"flags":520,"indexId":"2:5001",
         "relationTarget":"Author"},
        {"id":"5:2005","name":"printed","type":10}],
       "relations":[{"id":"1:6000","name":"shelves","targetId":"5:9000"}]},
      {"id":"3:3000","lastPropertyId":"2:3002","name":"Loan","properties":[
        {"id":"1:3001","name":"id","type":6,"flags":1},
        {"id":"2:3002","name":"book","type":11,"flags":520,"indexId":"3:5002",
         "relationTarget":"Book","onDelete":"cascade"}],"relations":[]},
      {"id":"4:4000","lastPropertyId":"3:4003","name":"Review","properties":[
        {"id":"1:4001","name":"id","type":6,"flags":1},{"id":"2:4002","name":"text","type":9},
        {"id":"3:4003","name":"author","type":11,"flags":520,"indexId":"4:5003",
         "relationTarget":"Author","onDelete":"restrict"}],"relations":[]},
      {"id":"5:9000","lastPropertyId":"12:9012","name":"Shelf","properties":[
        {"id":"1:9001","name":"id","type":6,"flags":1},{"id":"2:9002","name":"room","type":9},
        {"id":"3:9003","name":"count","type":5},{"id":"4:9004","name":"width","type":8,"flags":4},
        {"id":"5:9005","name":"isOpen","type":1},{"id":"6:9006","name":"built","type":10},
        {"id":"7:9007","name":"photo","type":23},{"id":"8:9008","name":"tags","type":30},
        {"id":"9:9009","name":"place","type":28,"flags":8,"indexId":"5:5004",
         "vectorIndex":{"dimensions":2}},
        {"id":"10:9010","name":"owner","type":11,"relationTarget":"Author"},
        {"id":"11:9011","name":"key","type":23,"externalType":102},
        {"id":"12:9012","name":"price","type":9,"externalType":103}],"relations":[]}],
     "lastEntityId":"5:9000","lastIndexId":"5:5004","lastRelationId":"1:6000","modelVersion":5}
    """
}
