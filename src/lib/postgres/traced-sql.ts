import { failSpan, SpanKind, tracer } from '../spans.ts'
import type { Sql } from '../sql.ts'

const MAX_TEXT = 2_000

/**
 * Returns a database whose statements, also those of its transactions, are spans. A span has the text of its statement as
 * it stands in the code, with a mark for each value: no value is ever in it.
 */
export function tracedSql(sql: Sql): Sql {
  return new Proxy(sql, {
    apply(target, self, given: unknown[]) {
      const made = Reflect.apply(target, self, given)
      const { raw } = (given[0] ?? {}) as { raw?: readonly string[] }
      if (raw) trace(made as PromiseLike<unknown>, raw)
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

/** postgres.js sends a statement when someone first waits for it: that is where its span begins. */
function trace(statement: PromiseLike<unknown>, raw: readonly string[]): void {
  const wait = statement.then.bind(statement)
  let begun = false
  // biome-ignore lint/suspicious/noThenProperty: a statement is a promise, and this is where it is waited for
  statement.then = (onRows, onError) => {
    if (!begun) {
      begun = true
      const end = beginSpan(raw)
      wait(() => end(), end)
    }
    return wait(onRows, onError)
  }
}

/** Returns the function that ends the span, with the error of a statement that failed. */
function beginSpan(raw: readonly string[]): (error?: unknown) => void {
  const text = raw.join('?').replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
  const span = tracer().startSpan(nameOf(text), { kind: SpanKind.CLIENT, attributes })
  return (error) => {
    if (error !== undefined) failSpan(span, error)
    span.end()
  }
}

/** The first word of a statement: `select`, `insert`, `with` … */
const nameOf = (text: string): string => `sql ${/^\w+/.exec(text)?.[0]?.toLowerCase() ?? 'statement'}`
