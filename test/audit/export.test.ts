import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportActions } from '../../src/audit/export-actions.ts'
import { addOperator } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'

describe('an export of the audit log', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  /** Entries an hour apart, with everything that a file has to quote. They are stored in another order than they are read. */
  const fill = (count: number) => db.sql`
    insert into audit_entry (entry_id, at, action, email, subject, detail)
    select lpad(to_hex(n), 32, '0')::uuid, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 hour', 'key_created', 'a@example.com', 'say "' || n || '", ok',
           jsonb_build_object('name', E'two\nlines') from generate_series(0, ${count - 1}) as n order by n desc`

  it('has every entry once, the oldest first, also where they are many', async () => {
    await fill(2_500)
    const lines: string[] = []
    for await (const part of exportActions(db.sql, {}, 'jsonl')) lines.push(...part.split('\n').filter(Boolean))
    const subjects = lines.map((line) => JSON.parse(line).subject)
    expect(subjects).toEqual(Array.from({ length: 2_500 }, (_, n) => `say "${n}", ok`))
  })

  it('is a file of a period for operators: CSV that quotes, or a JSON object a line', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    await fill(10)
    const read = async (query: string) =>
      (
        await app.server.inject({
          url: `/v1/operator/audit/export?${query}`,
          headers: { cookie: `pricetape=${session}` },
        })
      ).body
    const period = 'since=2026-01-01T03:00:00Z&until=2026-01-01T05:00:00Z'
    const csv = await app.send(`GET /v1/operator/audit/export?format=csv&${period}`, { session })
    expect([csv.status, csv.headers['content-type'], csv.headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="audit-log.csv"',
    ])
    const [head, first, second, ...more] = csv.text.split('\r\n')
    expect(head).toBe('at,entryId,action,accountId,email,workspaceId,workspace,address,subject,subjectName,detail')
    expect(first).toMatch(
      /^2026-01-01T03:00:00\.000Z,[\w-]{36},key_created,,a@example\.com,,,,"say ""3"", ok",,"\{""name"":""two\\nlines""\}"$/,
    )
    expect(second).toContain('say ""4""')
    expect(more).toEqual([''])
    const jsonl = await read(`format=jsonl&${period}`)
    const entries = jsonl
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(entries.map(({ subject, detail }) => [subject, detail])).toEqual([
      ['say "3", ok', { name: 'two\nlines' }],
      ['say "4", ok', { name: 'two\nlines' }],
    ])
    expect((await read('format=jsonl')).trim().split('\n')).toHaveLength(12)
    for (const [query, field] of [
      ['', 'format'],
      ['?format=xml', 'format'],
      ['?format=csv&since=yesterday', 'since'],
      ['?format=csv&workspace=x', 'workspace'],
    ])
      expect(await app.send(`GET /v1/operator/audit/export${query}`, { session })).toMatchObject({ status: 400, field })
  })

  it('is written by a command, to standard output or into a new file that only its owner reads', async () => {
    await fill(3)
    const folder = await mkdtemp(join(tmpdir(), 'pricetape-audit-'))
    const run = (...args: string[]) =>
      command({ DATABASE_URL: db.url, PRICETAPE_DATA_DIR: folder }, 'audit', 'export', ...args)
    const shown = await run('--format', 'jsonl', '--since', '2026-01-01T01:00:00Z')
    expect(
      shown.said
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).subject),
    ).toEqual(['say "1", ok', 'say "2", ok'])
    const file = join(folder, 'log.csv')
    expect(await run('--out', file)).toEqual({ code: 0, said: '' })
    expect((await readFile(file, 'utf8')).match(/key_created/g)).toHaveLength(3)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await run('--out', file)).toEqual({ code: 1, said: `${file} is there already: name another file.\n` })
    await rm(folder, { recursive: true })
  })
})
