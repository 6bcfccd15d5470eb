import type { Db, Sql, Tx } from '../lib/sql.ts'
import { recordAction } from './record-action.ts'
import type { AuditAbout, AuditAction } from './schema.ts'

/** A database whose first transaction also records an action. */
export type AuditedDatabase = {
  sql: Sql
  /** Records the action where no transaction was needed. Call it before anything is answered. */
  finish(): Promise<void>
}

/**
 * Returns the database as a use case takes it: the first transaction that it commits records the action too, so that
 * neither exists without the other.
 * @param confirm runs in every transaction before it commits: what it throws takes the change back
 */
export function audited(
  sql: Sql,
  action: AuditAction,
  about: AuditAbout,
  confirm: (tx: Tx) => Promise<unknown> = async () => {},
): AuditedDatabase {
  let recorded = false
  const record = async (db: Db) => {
    await recordAction(db, action, about)
    recorded = true
  }
  const begin = async (...given: unknown[]) => {
    const work = given.at(-1) as (tx: Tx) => unknown
    const options = given.slice(0, -1) as [string?]
    const before = recorded
    const recording = async (tx: Tx) => {
      const result = await work(tx)
      await confirm(tx)
      if (!before) await record(tx)
      return result
    }
    try {
      return await (options[0] === undefined ? sql.begin(recording) : sql.begin(options[0], recording))
    } catch (error) {
      recorded = before
      throw error
    }
  }
  return {
    sql: new Proxy(sql, { get: (target, key) => (key === 'begin' ? begin : Reflect.get(target, key)) }),
    finish: async () => {
      if (!recorded) await record(sql)
    },
  }
}
