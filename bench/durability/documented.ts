import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { snippet } from '../../test/support/code/snippets.ts'

const exec = promisify(execFile)
const PAGE = 'docs/backup.md'
const DOCUMENTED_FOLDER = '/backup'
const DOCUMENTED_DAY = '-2026-11-22'

/** The environment of the documented commands: PostgreSQL 18's programs, which `PG_PROGRAMS` names, and the database. */
export const environment = (databaseUrl = '') => {
  const { PATH, HOME, PG_PROGRAMS } = process.env
  return { HOME, PATH: PG_PROGRAMS ? `${PG_PROGRAMS}:${PATH}` : PATH, DATABASE_URL: databaseUrl }
}

/** The block of docs/backup.md that holds a text, with another folder in the place of theirs, and backups of today. */
export const commands = async (holding: string, folder: string): Promise<string> =>
  (await snippet(PAGE, holding)).replaceAll(DOCUMENTED_FOLDER, folder).replaceAll(DOCUMENTED_DAY, '-$(date +%F)')

/** Runs commands of docs/backup.md as they stand there. */
export async function runDocumented(holding: string, folder: string, databaseUrl?: string): Promise<void> {
  await exec('sh', ['-ec', await commands(holding, folder)], { env: environment(databaseUrl) })
}

/** Settings of docs/backup.md for postgresql.conf, as the server's arguments. */
export async function documentedSettings(holding: string, folder: string): Promise<string[]> {
  const lines = (await commands(holding, folder)).trim().split('\n')
  return lines.map((line) => line.replace(/^(\w+) = '?(.*?)'?$/, '$1=$2'))
}
