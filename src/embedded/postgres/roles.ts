import { connect } from '../../lib/sql.ts'

/** Our database, and the role of the same name that owns it, may back it up, and nothing else. */
export const DATABASE = 'pricetape'
/** Exists because every cluster has one; it has no password, so no one can log in as it. */
export const SUPERUSER = 'postgres'

/** What the role may do besides owning its database: for tests and benchmarks alone. */
export type RoleAttributes = 'createdb' | 'superuser'

export const createRoleSql = (password: string, attributes = ''): string =>
  `create role ${DATABASE} login replication ${attributes} password ${literal(password)};`

export const setPasswordSql = (password: string): string => `alter role ${DATABASE} password ${literal(password)};`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** @throws when the password is not the one of this cluster. */
export async function checkPassword(serverUrl: string): Promise<void> {
  const sql = connect(`${serverUrl}/${DATABASE}`, { max: 1 })
  try {
    await sql`select 1`
  } finally {
    await sql.end({ timeout: 1 })
  }
}
