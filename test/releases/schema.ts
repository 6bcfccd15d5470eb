import type { Sql } from '../../src/lib/sql.ts'

/** Every object of a schema with its definition, as lines: two databases with the same lines have the same schema. */
export async function schemaOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    with relations as (
      select c.oid, c.oid::regclass::text as name, relkind, relpersistence, reloptions from pg_class c
      where relnamespace = current_schema()::regnamespace and relname not in ('migration', 'stored_function')
    )
    select concat_ws(' ', 'table', name, relpersistence, reloptions::text) as line from relations where relkind = 'r'
    union all
    select concat_ws(' ', 'column', name, row_number() over (partition by attrelid order by attnum), attname,
      format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attstorage,
      nullif(attcollation, t.typcollation)::regcollation, pg_get_expr(adbin, adrelid))
    from relations r join pg_attribute a on a.attrelid = r.oid and attnum > 0 and not attisdropped
    join pg_type t on t.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relkind = 'r'
    union all
    select concat_ws(' ', 'constraint', name, conname, pg_get_constraintdef(c.oid), condeferrable, convalidated)
    from relations r join pg_constraint c on conrelid = r.oid where contype <> 'n'
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisvalid)
    from relations r join pg_index i on indexrelid = r.oid where r.name not like 'migration%' and r.name not like 'stored%'
    union all
    select 'trigger ' || pg_get_triggerdef(t.oid) from relations r join pg_trigger t on tgrelid = r.oid where not tgisinternal
    union all
    select 'statistics ' || pg_get_statisticsobjdef(oid) from pg_statistic_ext where stxnamespace = current_schema()::regnamespace
    union all
    select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace
    union all
    select 'type ' || typname || ' ' || string_agg(enumlabel, ',' order by enumsortorder)
    from pg_type t join pg_enum on enumtypid = t.oid where typnamespace = current_schema()::regnamespace group by typname
    order by 1`
  return rows.map(({ line }) => line)
}
