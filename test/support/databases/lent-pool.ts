import type { Sql } from '../../../src/lib/sql.ts'

/**
 * Lends a pool. What still uses it when the loan has ended fails, as it would with a pool that was closed.
 * @returns `endLoan` says whether the pool can be lent again: the borrower has not closed it
 */
export function lendPool(pool: Sql): { sql: Sql; endLoan: () => boolean } {
  let [isEnded, isClosed] = [false, false]
  const refuse = () => {
    throw Object.assign(new Error('the database of this test was returned'), { code: 'CONNECTION_ENDED' })
  }
  const sql = new Proxy(pool, {
    apply: (target, self, values) => (isEnded ? refuse() : Reflect.apply(target as never, self, values)),
    get: (target, name) => {
      if (isEnded) refuse()
      if (name === 'end' || name === 'close') isClosed = true
      return Reflect.get(target, name)
    },
  })
  const endLoan = () => {
    isEnded = true
    return !isClosed
  }
  return { sql, endLoan }
}
