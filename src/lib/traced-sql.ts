import { failSpan, SpanKind, tracer } from './spans.ts'
import type { Sql } from './sql.ts'

const MAX_TEXT = 2_000

/** What postgres.js calls on a statement: it is sent when someone first waits for it, and ends in one of the last two. */
type Statement = {
  executed: boolean
  handle: () => Promise<void>
  resolve: (rows: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Returns a database whose statements, also those of its transactions, are spans. A span has the text of its statement as
 * it stands in the code, with a mark for each value: no value is ever in it.
 */
export function tracedSql(sql: Sql): Sql {
  return new Proxy(sql, {
    apply(target, self, given: unknown[]) {
      const made = Reflect.apply(target, self, given)
      const { raw } = (given[0] ?? {}) as { raw?: readonly string[] }
      if (raw) trace(made as Statement, raw)
      return made
    },
    get(target, key) {
      const value = Reflect.get(target, key)
      if (key === 'begin' || key === 'savepoint')
        return (...given: unknown[]) => {
          const work = given.at(-1) as (tx: Sql) => unknown
          return Reflect.apply(value, target, [...given.slice(0, -1), (tx: Sql) => work(tracedSql(tx))])
        }
      if (key === 'reserve') return async () => tracedSql(await Reflect.apply(value, target, []))
      return value
    },
  })
}

function trace(statement: Statement, raw: readonly string[]): void {
  const { handle, resolve, reject } = statement
  statement.handle = () => {
    if (!statement.executed) begin()
    return handle.call(statement)
  }
  function begin() {
    const text = raw.join('?').replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT)
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
    const span = tracer().startSpan(nameOf(text), { kind: SpanKind.CLIENT, attributes })
    statement.resolve = (rows) => {
      span.end()
      resolve(rows)
    }
    statement.reject = (error) => {
      failSpan(span, error)
      span.end()
      reject(error)
    }
  }
}

/** The first word of a statement: `select`, `insert`, `with` … */
const nameOf = (text: string): string => `sql ${/^\w+/.exec(text)?.[0]?.toLowerCase() ?? 'statement'}`
