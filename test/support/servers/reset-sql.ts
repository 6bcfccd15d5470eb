import type { Sql } from '../../../src/lib/sql.ts'

/** Where a database of tests keeps what is not the product's. */
const SCHEMA = 'tests'
/** Tables into which a reading is put, until it is compared. */
const PASSING = String.raw`'%staged\_%'`

type TemplateTable = { name: string; columns: string; rows?: string; digest: string }

/**
 * Gives the template two functions, which its copies then have: `tests.reset()` puts back every row and every sequence, and
 * `tests.is_altered()` says whether anything else than rows was changed. Needs a superuser, for the event triggers and the right
 * to delete rows without the triggers of tables.
 */
export async function addReset(sql: Sql, role: string): Promise<void> {
  const tables = await tablesOf(sql)
  const sequences = await sql<{ name: string; value: string; called: boolean }[]>`
    select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value)::text as value,
      last_value is not null as called
    from pg_sequences where schemaname = 'public' order by 1`
  await sql.unsafe(`
    create schema ${SCHEMA};
    create table ${SCHEMA}.altered (command text);

    create function ${SCHEMA}.note_command() returns event_trigger language plpgsql as $$ begin
      insert into ${SCHEMA}.altered select command_tag from pg_event_trigger_ddl_commands()
      where schema_name is distinct from 'pg_temp' and object_identity not like ${PASSING} limit 1;
    end $$;
    create function ${SCHEMA}.note_drop() returns event_trigger language plpgsql as $$ begin
      insert into ${SCHEMA}.altered select object_identity from pg_event_trigger_dropped_objects()
      where original and not is_temporary and object_identity not like ${PASSING} limit 1;
    end $$;

    create function ${SCHEMA}.is_altered() returns boolean language sql as $$
      select exists (select from ${SCHEMA}.altered) or exists (
        select from pg_db_role_setting
        where setdatabase = (select oid from pg_database where datname = current_database()))
    $$;

    create function ${SCHEMA}.reset() returns void language plpgsql set session_replication_role = replica as $$
    declare passing text;
    begin
      for passing in select tablename from pg_tables where schemaname = 'public' and tablename like ${PASSING} loop
        execute format('drop table %I', passing);
      end loop;
      ${tables.map(resetTable).join('\n')}
      ${sequences.map(({ name, value, called }) => `perform setval('${name}', ${value}, ${called});`).join('\n')}
    end $$;

    create event trigger tests_command on ddl_command_end execute function ${SCHEMA}.note_command();
    create event trigger tests_drop on sql_drop execute function ${SCHEMA}.note_drop();
    grant set on parameter session_replication_role to ${role};
  `)
}

async function tablesOf(sql: Sql): Promise<TemplateTable[]> {
  const tables = await sql<Omit<TemplateTable, 'rows' | 'digest'>[]>`
    select format('%I.%I', n.nspname, c.relname) as name,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attgenerated = '') as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = 'public' and c.relkind = 'r'
    group by 1 order by 1`
  return Promise.all(
    tables.map(async (table) => {
      const [found] = await sql<{ rows: string | null; digest: string | null }[]>`
        select jsonb_agg(t)::text as rows, md5(string_agg(t::text, chr(10) order by t::text)) as digest
        from ${sql.unsafe(table.name)} t`
      return { ...table, rows: found?.rows ?? undefined, digest: found?.digest ?? '' }
    }),
  )
}

function resetTable({ name, columns, rows, digest }: TemplateTable): string {
  if (rows === undefined) return `delete from ${name};`
  return `
    if (select md5(string_agg(t::text, chr(10) order by t::text)) from ${name} t) is distinct from '${digest}' then
      delete from ${name};
      insert into ${name} (${columns}) overriding system value
      select ${columns} from jsonb_populate_recordset(null::${name}, $rows$${rows}$rows$);
    end if;`
}
