/** Of a statement that inserts many rows, one is enough. */
const MORE_ROWS = /(values\s*\(\$\d+(?:,\$\d+)*\))(?:,\(\$\d+(?:,\$\d+)*\))+/g
/** What PostgreSQL can prepare. */
const PREPARABLE = /^(select|insert|update|delete|with|merge|values)\b/i

/** How PostgreSQL logs a statement; the lines after its first one begin with a tab. */
const LOGGED = /LOG: {2}(?:execute [^:]+|statement): (.*(?:\n\t.*)*)/g

/** Returns the statements in a log of PostgreSQL that can be prepared, each once. */
export function statementsIn(log: string): Set<string> {
  const statements = [...log.matchAll(LOGGED)].map(([, text = '']) => statementOf(text))
  return new Set(statements.filter((statement) => statement !== undefined))
}

/** Returns a statement on one line, without comments; undefined where it cannot be prepared. */
function statementOf(text: string): string | undefined {
  const line = text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().replace(MORE_ROWS, '$1')
  return PREPARABLE.test(line) ? line : undefined
}

/** The tables that a statement inserts into, with the columns it gives. */
export const insertsOf = (statement: string): { table: string; columns: string[] }[] =>
  [...statement.matchAll(/insert into (\w+)(?: as \w+)? ?\(([^)]*)\)/gi)].map(([, table = '', columns = '']) => ({
    table,
    columns: columns.split(',').map((name) => name.trim().replaceAll('"', '')),
  }))
