import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { openSql } from '../lib/postgres/database.ts'
import { exportParts, proofParts } from './export-parts.ts'
import { openExport } from './open-export.ts'
import { exportTask } from './schema.ts'

/** The entry point of a process that writes one export to its standard output. Its task comes on standard input. */
const { databaseUrl, what, ...wanted } = exportTask.parse(JSON.parse(await text(process.stdin)))
const sql = await openSql(databaseUrl, { max: 1, name: 'pricetape-export' })
const opened = await openExport(sql, wanted)
await pipeline(what === 'proof' ? proofParts(opened) : exportParts(opened, what), process.stdout)
await sql.end()
