import { connect } from '../../lib/sql.ts'
import { setPasswordSql } from './roles.ts'

const WRONG_PASSWORD = '28P01'

/** Gives our role another password. Does nothing where the former one no longer opens the server. */
export async function changePassword(formerUrl: string, password: string): Promise<void> {
  const sql = connect(`${formerUrl}/postgres`, { max: 1 })
  try {
    await sql.unsafe(setPasswordSql(password))
  } catch (error) {
    if ((error as { code?: string }).code !== WRONG_PASSWORD) throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}
