import postgres from 'postgres'
import { fromDatabase, type Instant } from './instant.ts'

/**
 * postgres.js as every room uses it. Timestamps are read as {@link Instant} strings and written as they are: the
 * driver's own Date handling rewrites them. `numeric` and `bigint` stay strings.
 */
const types = {
  date: {
    to: 1184,
    from: [1114, 1184],
    serialize: (value: Instant | Date | string) => (value instanceof Date ? value.toISOString() : value),
    parse: (text: string): Instant => fromDatabase(text),
  },
  day: { to: 1082, from: [1082], serialize: (value: string) => value, parse: (text: string) => text },
}

export type Sql = postgres.Sql
export type Tx = postgres.TransactionSql
/** A pool or an open transaction: what a store's function takes when it may run in either. */
export type Db = Sql | Tx

/**
 * Statements that name a table which is there for a moment: they never come again. Kept prepared, as others are, each takes
 * memory of its connection, and time whenever a table is made or dropped.
 */
export function unprepared(db: Db) {
  return <T extends readonly (object | undefined)[] = postgres.Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly postgres.ParameterOrFragment<never>[]
  ) => db<T>(strings, ...values).unprepared()
}

/**
 * Runs `read` in a transaction in which what a query orders is read from indexes that have its order. Where few rows were there
 * when PostgreSQL last counted, or when it made the plan that a connection keeps, it takes another index and reads all of it,
 * for each look-up again.
 */
export const withoutSorts = <Row>(sql: Sql, read: (tx: Tx) => Promise<Row[]>): Promise<Row[]> =>
  sql.begin(async (tx) => {
    await tx`select set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true)`
    return read(tx)
  }) as Promise<Row[]>

/** A statement that runs longer than this is our fault; it never waits for a person. */
const STATEMENT_TIMEOUT_MS = 60_000
const LOCK_TIMEOUT_MS = 15_000
const RECONNECT_SECONDS = 0.1
const CONNECT_TIMEOUT_SECONDS = 10

/** Connections that one process opens at most, where no setting says otherwise. */
export const POOL_SIZE = 10
/** Work under an advisory lock holds one connection and uses another. */
export const MIN_POOL_SIZE = 2

export function connect(url: string, options: { max?: number; name?: string } = {}): Sql {
  return postgres(url, {
    max: options.max ?? POOL_SIZE,
    // While the database is away a query fails at once, and soon after its return one succeeds.
    backoff: () => RECONNECT_SECONDS,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    types,
    onnotice: () => {},
    connection: {
      application_name: options.name ?? 'pricetape',
      timezone: 'UTC',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
    },
  }) as unknown as Sql // @NOTE the custom types narrow postgres.Sql's parameter; stores use the plain one.
}
