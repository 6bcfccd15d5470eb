import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { ask, testServer } from '../support/api.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'

describe('operators’ commands on keys and workspaces', () => {
  const db = testDatabase({ each: true })
  const run = (...args: string[]) =>
    command({ DATABASE_URL: db.url, PRICETAPE_DATA_DIR: join(tmpdir(), 'pricetape-nothing-runs-here') }, ...args)
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).said)
  beforeEach(async () => {
    await createWorkspace(db.sql, { name: 'Acme' })
  })

  it('a key is created with an expiry, listed by its last characters, and refused once it is deleted', async () => {
    const { key, expiresAt } = await json('key', 'create', '--name', 'billing', '--expires', '90d')
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 90 * 86_400_000)).toBeLessThan(60_000)
    const server = await testServer(db.sql)
    const status = async () => (await ask(server, '/v1/providers', { authorization: `Bearer ${key}` })).status
    expect(await status()).toBe(200)
    const listed = (await run('key', 'list')).said
    expect(listed.split('\n')[1]).toMatch(/^…\S{4} {2}20\d\d-\d\d-\d\d \d\d:\d\d +20.* +20.* billing$/)
    expect(Math.max(...listed.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    const deleted = await run('key', 'delete', key.slice(-4))
    expect(deleted).toEqual({ code: 0, said: `Deleted: billing (…${key.slice(-4)}).\n` })
    expect(await status()).toBe(401)
    expect(await json('key', 'list')).toEqual({ keys: [] })
    await server.close()
  })

  it('a key is created for networks, and later allowed from others or everywhere', async () => {
    const { key, networks } = await json(
      'key',
      'create',
      '--name',
      'billing',
      '--from',
      '203.0.113.0/24',
      '2001:db8::/32',
    )
    expect(networks).toEqual(['203.0.113.0/24', '2001:db8::/32'])
    expect((await run('key', 'list')).said).toMatch(/ 2 networks +billing/)
    const allowed = await run('key', 'allow', key.slice(-4), '--from', '198.51.100.7')
    expect(allowed).toMatchObject({
      code: 0,
      said: expect.stringContaining('billing may be used from 198.51.100.7/32'),
    })
    const wrong = await run('key', 'allow', 'billing', '--from', '10.0.0.1/8')
    expect([wrong.code, wrong.said.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining('write 10.0.0.0/8')])
    expect(await json('key', 'allow', 'billing')).toMatchObject({ networks: [] })
  })

  it('refuses what is not an expiry, a key that is not there, and a name that several keys have', async () => {
    const wrong = await run('key', 'create', '--name', 'x', '--expires', 'soon')
    expect(wrong.code).toBe(1)
    expect(wrong.said.replaceAll(/\s+/g, ' ')).toContain('Write days or hours from now (90d, 12h)')
    expect(await run('key', 'delete', 'nope')).toEqual({
      code: 1,
      said: 'There is no API key nope. See: npx pricetape key list\n',
    })
    for (const _ of [1, 2]) await run('key', 'create', '--name', 'twin')
    const several = await run('key', 'delete', 'twin')
    expect(several.code).toBe(1)
    expect(several.said).toContain('2 API keys are called twin')
    expect((await json('key', 'list')).keys).toHaveLength(2)
  })

  it('a workspace is created, renamed, used by its name, and deleted with its keys', async () => {
    const made = await json('workspace', 'create', '--name', 'Globex')
    expect(made).toMatchObject({ name: 'Globex' })
    expect(await json('workspace', 'rename', 'Globex', 'Initech')).toMatchObject({ name: 'Initech' })
    await run('key', 'create', '--name', 'k', '--workspace', 'Initech')
    const { workspaces } = await json('workspace', 'list')
    expect(workspaces).toMatchObject([
      { name: 'Acme', keys: 0 },
      { name: 'Initech', keys: 1 },
    ])
    expect((await run('workspace', 'list')).said).toContain('Initech')
    expect(await run('workspace', 'delete', 'Initech')).toEqual({ code: 0, said: 'Deleted: Initech.\n' })
    const last = await run('workspace', 'delete', 'Acme')
    expect(last).toMatchObject({ code: 1, said: expect.stringContaining('the only workspace') })
  })

  it('a name that two workspaces have names neither', async () => {
    await createWorkspace(db.sql, { name: 'Acme' })
    const refused = await run('key', 'create', '--name', 'k', '--workspace', 'Acme')
    expect(refused).toEqual({ code: 1, said: '2 workspaces are called Acme: name one by its id.\n' })
  })
})
