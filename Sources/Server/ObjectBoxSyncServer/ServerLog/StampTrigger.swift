internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncSchema

/// The trigger that stamps updates by other programs with the database's time, so that an earlier write of a device
/// does not replace them.
///
/// Only tables of entities whose conflicts a clock decides have it; other tables have no cost.
///
/// An update is by another program unless its transaction decides an upload, or writes stamps itself. A change of only
/// counters, which have no stamp, or of only columns outside the model does not count as a write.
struct StampTrigger: Sendable {
  /// The name of the trigger.
  static let name = "objectbox_sync_stamp"

  private static let setting = "objectbox.decides"
  /// A statement that makes the updates of its transaction keep the stamps that they set.
  static let deciding = Statement("SELECT pg_catalog.set_config('\(setting)', 'on', true)")

  /// The table in SQL.
  let table: String
  /// The name of the table, without its schema.
  let tableName: String
  /// The function in SQL.
  let function: String
  /// The name of the function, without its schema.
  let functionName: String
  /// The source of the function.
  let source: String

  /// Creates the trigger of an entity's table; nil for an entity without clocks.
  init?(_ entity: SyncedEntity, in serverLog: ServerLog) {
    let schema = entity.table.schema
    let hasPropertyClocks = schema.flags & EntityFlags.syncPropertyClocks.rawValue != 0
    let precedence = entity.table.columns.first { $0.property.has(.syncPrecedence) }
    let hasClock = precedence != nil || schema.properties.contains { $0.has(.syncClock) }
    guard hasPropertyClocks || hasClock else { return nil }
    table = entity.table.name
    tableName = entity.name
    functionName = "\(Self.name) \(StableName.hash(of: tableName))"
    function = serverLog.name(functionName)
    let written = entity.table.columns.dropFirst().filter { !$0.property.has(.syncCounter) }
    source = hasPropertyClocks ? Self.stamping(each: written) : Self.stamping(written, precedence)
  }

  /// The wall clock in milliseconds, in bytes that sort by time.
  private static let now =
    "int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)"

  private static func isChanged(_ column: Column) -> String {
    "OLD.\(column.name) IS DISTINCT FROM NEW.\(column.name)"
  }

  /// Returns from the function unless the update is by another program.
  private static let returning = """
    IF current_setting('\(setting)', true) = 'on'
          OR NEW.\(ServerColumns.stamp) IS DISTINCT FROM OLD.\(ServerColumns.stamp)
          OR NEW.\(ServerColumns.stamps) IS DISTINCT FROM OLD.\(ServerColumns.stamps) THEN
          RETURN NEW;
        END IF;
    """

  /// The function's source for clocks of objects; see ``PlainStamps`` for the form.
  private static func stamping(_ columns: [Column], _ precedence: Column?) -> String {
    let old = "OLD.\(ServerColumns.stamp)"
    let rank = precedence.map { "coalesce(NEW.\($0.name), 0)" } ?? "0::bigint"
    return """

      BEGIN
        \(returning)
        IF \(columns.map(isChanged).joined(separator: " OR ")) THEN
          NEW.\(ServerColumns.stamp) := CASE
            WHEN \(old) IS NULL THEN '\\x02'::bytea || int8send(\(rank)) || \(now)
            WHEN get_byte(\(old), 0) = 2 THEN '\\x02'::bytea || int8send(\(rank))
              || greatest(\(now), substring(\(old) FROM 10 FOR 8)) || substring(\(old) FROM 18)
            ELSE '\\x02'::bytea || int8send(\(rank)) || \(now) || \(old)
          END;
        END IF;
        RETURN NEW;
      END
      """
  }

  /// The function's source for clocks of properties; see ``PlainStamps`` for the form.
  private static func stamping(each columns: [Column]) -> String {
    let old = "OLD.\(ServerColumns.stamps)"
    let notes = columns.map { column in
      "IF \(isChanged(column)) THEN objectbox_changed := objectbox_changed || "
        + "int8send(\(Int64(bitPattern: column.property.identity.uid))); END IF;"
    }
    return """

      DECLARE
        objectbox_changed bytea[] := '{}';
        objectbox_kept bytea := '';
        objectbox_rest bytea := coalesce(\(old), '');
        objectbox_now bytea;
        objectbox_one bytea;
      BEGIN
        \(returning)
        \(notes.joined(separator: "\n  "))
        IF cardinality(objectbox_changed) = 0 THEN RETURN NEW; END IF;
        objectbox_now := \(now);
        IF length(objectbox_rest) > 0 AND get_byte(objectbox_rest, 0) = 2 THEN
          FOR objectbox_place IN 0..get_byte(objectbox_rest, 1) * 256 + get_byte(objectbox_rest, 2) - 1 LOOP
            objectbox_one := substring(objectbox_rest FROM objectbox_place * 16 + 4 FOR 16);
            IF substring(objectbox_one FOR 8) = ANY (objectbox_changed) THEN
              objectbox_now := greatest(objectbox_now, substring(objectbox_one FROM 9));
            ELSE
              objectbox_kept := objectbox_kept || objectbox_one;
            END IF;
          END LOOP;
          objectbox_rest := substring(
            objectbox_rest FROM (get_byte(objectbox_rest, 1) * 256 + get_byte(objectbox_rest, 2)) * 16 + 4
          );
        END IF;
        FOREACH objectbox_one IN ARRAY objectbox_changed LOOP
          objectbox_kept := objectbox_kept || objectbox_one || objectbox_now;
        END LOOP;
        NEW.\(ServerColumns.stamps) := '\\x02'::bytea || int2send((length(objectbox_kept) / 16)::smallint)
          || objectbox_kept || objectbox_rest;
        RETURN NEW;
      END
      """
  }

  /// Statements that replace the function and the trigger.
  var creation: [Statement] {
    [
      "CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql "
        + "SET search_path = pg_catalog, pg_temp AS \(source.quotedText)",
      "DROP TRIGGER IF EXISTS \(Self.name) ON \(table)",
      "CREATE TRIGGER \(Self.name) BEFORE UPDATE ON \(table) FOR EACH ROW EXECUTE FUNCTION \(function)()",
      "ALTER TABLE \(table) ENABLE ALWAYS TRIGGER \(Self.name)",
    ].map { Statement(once: $0) }
  }
}
