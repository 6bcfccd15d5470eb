import { describe, expect, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { Instant } from '../../src/lib/instant.ts'
import type { PriceAnswer } from '../../src/mcp/schema.ts'
import { listeningApi } from '../support/clients.ts'
import { testDatabase } from '../support/database.ts'
import { connectTools } from '../support/mcp.ts'
import { publish, seedProviders, seedRename, withdraw } from '../support/prices.ts'

const JANUARY = '2026-01-01T00:00:00.000Z' as Instant
const FEBRUARY = '2026-02-01T00:00:00.000Z' as Instant

describe('questions about names that changed', () => {
  const db = testDatabase({ each: true })
  const api = listeningApi(db, { limited: false })

  async function ask(name: string, args: Record<string, unknown>) {
    const tools = await connectTools(api)
    const answer = await tools.call<{ prices: PriceAnswer[] }>(name, args)
    await tools.close()
    return answer
  }

  it('price_at finds a renamed resource under the name it had then', async () => {
    await seedRename(db.sql, { at: JANUARY, renamedAt: FEBRUARY })
    await saveGroup(db.sql, { name: 'Model', members: [{ provider: 'acme', resource: 'new' }], actor: 'test' })
    const then = await ask('price_at', { resource: 'Model', at: '2026-01-15T00:00:00Z' })
    expect(then.data.prices).toMatchObject([{ resource: 'old', price: '2' }])
    const now = await ask('price_at', { resource: 'Model' })
    expect(now.data.prices).toMatchObject([{ resource: 'new', price: '3' }])
    const both = await ask('price_at', { resource: 'Model', at: '2026-02' })
    expect(both.data.prices).toMatchObject([{ resource: 'new', price: '3' }])
    const history = await ask('price_history', { resource: 'Model' })
    expect(history.text).toContain('+50%')
  })

  it('price_at finds what is not sold any more, at a time when it was', async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    const hashes = await publish(db.sql, [{ provider: 'acme', resource: 'gone', price: '2' }], JANUARY)
    await withdraw(db.sql, hashes, FEBRUARY)
    const then = await ask('price_at', { resource: 'gone', at: '2026-01-15' })
    expect(then.data.prices).toMatchObject([{ resource: 'gone', price: '2', listedAtEnd: true }])
    expect((await ask('price_at', { resource: 'gone' })).text).toContain('Nothing is called gone.')
  })
})
