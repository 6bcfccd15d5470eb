/** Of a statement that inserts many rows, one is enough. */
const MORE_ROWS = /(values\s*\(\$\d+(?:,\$\d+)*\))(?:,\(\$\d+(?:,\$\d+)*\))+/g
/** What PostgreSQL can prepare. */
const PREPARABLE = /^(select|insert|update|delete|with|merge|values)\b/i

/** Returns a statement on one line, without comments; undefined where it cannot be prepared. */
export function statementOf(text: string): string | undefined {
  const line = text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().replace(MORE_ROWS, '$1')
  return PREPARABLE.test(line) ? line : undefined
}

/** The tables that a statement inserts into, with the columns it gives. */
export const insertsOf = (statement: string): { table: string; columns: string[] }[] =>
  [...statement.matchAll(/insert into (\w+)(?: as \w+)? ?\(([^)]*)\)/gi)].map(([, table = '', columns = '']) => ({
    table,
    columns: columns.split(',').map((name) => name.trim().replaceAll('"', '')),
  }))
