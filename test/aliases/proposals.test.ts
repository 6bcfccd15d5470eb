import { beforeEach, describe, expect, it } from 'vitest'
import { acceptProposals } from '../../src/aliases/accept-proposals.ts'
import { listGroups } from '../../src/aliases/list-groups.ts'
import { type Proposal, proposals } from '../../src/aliases/proposal-rules.ts'
import { proposeGroups } from '../../src/aliases/propose-groups.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { bundledSnapshots } from '../../src/collectors/formats/bundled.ts'
import { genaiPrices } from '../../src/collectors/formats/genai-prices.ts'
import { canonicalOf } from '../../src/collectors/reading/canonical-ids.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'
import { testDatabase } from '../support/database.ts'

const source = { source: 'list', format: 'curated', intervalSeconds: 3600, primary: true, options: {} }

const membersOf = (proposal: Proposal | undefined) =>
  proposal?.members.map(({ provider, resource }) => `${provider}: ${resource}`)

describe('the groups proposed for the prices that come with the product', () => {
  const snapshot = bundledSnapshots().at(-1)!
  const { observations } = genaiPrices.parse(snapshot.bytes(), { source, at: snapshot.at })
  const resources = new Map(
    observations.map(({ provider, resource, canonicalResource: id }) => [
      `${provider} ${resource}`,
      { provider, resource, canonicalResources: id ? [id] : [] },
    ]),
  )
  const found = proposals([...resources.values()], [])
  const named = (name: string) => membersOf(found.find((item) => item.name === name))

  it('are many and useful', () => {
    expect(found.length).toBeGreaterThan(200)
    expect(named('gpt-oss-120b')!.length).toBeGreaterThan(15)
    expect(named('claude-sonnet-4')).toEqual([
      'anthropic: claude-sonnet-4-0',
      'aws: global.anthropic.claude-sonnet-4-20250514-v1:0',
      'aws: regional.anthropic.claude-sonnet-4-20250514-v1:0',
      'google: claude-4-sonnet',
      'openrouter: anthropic/claude-sonnet-4',
    ])
  })

  it('list no resource twice, and have a name each', () => {
    const members = found.flatMap((item) => membersOf(item)!)
    expect(new Set(members).size).toBe(members.length)
    expect(new Set(found.map((item) => item.name.toLowerCase())).size).toBe(found.length)
  })

  it('never mix models that differ in size, in kind or in speed', () => {
    const traits = (name: string) =>
      (
        name
          .toLowerCase()
          .match(/\d+b(?![a-z])|mini(?!max)|nano|lite|flash|turbo|vision|coder|thinking|instruct|fast|pro\b/g) ?? []
      )
        .sort()
        .join(' ')
    const mixed = found.filter((item) => new Set(item.members.map((member) => traits(member.resource))).size > 1)
    // Read one by one: their sellers leave out a word of the one model there is, or add one of their own.
    expect(mixed.map((item) => item.name).sort()).toEqual([
      'devstral-2512',
      'kimi-k2-0905',
      'llama-3-70b-instruct',
      'llama-3-8b-instruct',
      'llama-3.1-70b-instruct',
      'llama-3.1-8b-instruct',
      'llama-3.3-70b-instruct',
      'llama-4-maverick',
      'llama-4-scout-17b-16e-instruct',
      'qwen3-coder-30b-a3b-instruct',
      'qwen3-coder-480b-a35b-instruct',
    ])
  })
})

describe('proposing and accepting', () => {
  const db = testDatabase({ each: true })
  beforeEach(async () => {
    const snapshotHash = 'b'.repeat(64)
    await db.sql`insert into snapshot (hash, size, bytes, created_at) values (${snapshotHash}, 0, '', now())`
    const sold = [
      ['anthropic', 'claude-sonnet-4-5'],
      ['openrouter', 'anthropic/claude-sonnet-4.5'],
      ['openai', 'o3'],
      ['azure', 'o3'],
    ] as const
    await ingestPrices(db.sql, {
      source,
      snapshotHash,
      parserVersion: 1,
      quiet: true,
      parsed: {
        providers: [...new Set(sold.map(([provider]) => provider))].map((provider) => ({ provider, name: provider })),
        observations: sold.map(([provider, resource]) => ({
          provider,
          resource,
          dimension: 'input_tokens',
          unit: 'usd_per_token',
          currency: 'USD',
          pricingTier: {},
          price: '0.000003',
          locator: '/',
          canonicalResource: canonicalOf(provider, resource),
        })),
        ignored: [],
      },
    })
  })
  const names = async () => (await proposeGroups(db.sql)).map((item) => item.name)

  it('changes nothing until someone accepts', async () => {
    expect(await names()).toEqual(['claude-sonnet-4-5', 'o3'])
    expect(await listGroups(db.sql)).toEqual([])
  })

  it('saves what was accepted, with its events, and then proposes it no more', async () => {
    const { saved } = await acceptProposals(db.sql, { names: ['O3'], actor: 'ada' })
    expect(saved.map((item) => [item.name, item.revision, item.joined.length])).toEqual([['o3', 1, 2]])
    expect(await names()).toEqual(['claude-sonnet-4-5'])
    const [events] = await db.sql`select count(*)::integer as n from event where type = 'alias.member_added'`
    expect(events).toEqual({ n: 2 })
    expect(await acceptProposals(db.sql, { names: ['o3'], actor: 'ada' })).toEqual({ saved: [], skipped: [] })
  })

  it('proposes what a group there is lacks, and keeps the rest of it', async () => {
    const own = { provider: 'openai', resource: 'our-own-choice' }
    const listed = { provider: 'openrouter', resource: 'anthropic/claude-sonnet-4.5' }
    const { id } = await saveGroup(db.sql, { name: 'My Sonnet', members: [own, listed], actor: 'ada' })
    const [proposal] = await proposeGroups(db.sql)
    expect(proposal).toMatchObject({
      name: 'My Sonnet',
      groupId: id,
      joins: [{ provider: 'anthropic', resource: 'claude-sonnet-4-5' }],
    })
    await acceptProposals(db.sql, { names: 'all', actor: 'ada' })
    expect((await listGroups(db.sql)).find((group) => group.id === id)?.members).toHaveLength(3)
    expect(await names()).toEqual([])
  })

  it('keeps what every proposal for one group adds', async () => {
    const members = [
      { provider: 'anthropic', resource: 'claude-sonnet-4-5' },
      { provider: 'openai', resource: 'o3' },
    ]
    const { id } = await saveGroup(db.sql, { name: 'Mine', members, actor: 'ada' })
    const { saved } = await acceptProposals(db.sql, { names: ['mine'], actor: 'ada' })
    expect(saved.map(({ name, joined, left }) => [name, joined.length, left.length])).toEqual([
      ['Mine', 1, 0],
      ['Mine', 1, 0],
    ])
    expect((await listGroups(db.sql)).find((group) => group.id === id)?.members).toHaveLength(4)
    expect(await names()).toEqual([])
  })

  it('leaves out what cannot be saved and says why, and saves the others', async () => {
    const [first] = await proposeGroups(db.sql)
    const many = Array.from({ length: 199 }, (_, n) => ({ provider: 'openai', resource: `own-${n}` }))
    await saveGroup(db.sql, { name: 'Full', members: [...many, first!.members[0]!], actor: 'ada' })
    const accepted = await acceptProposals(db.sql, { names: 'all', actor: 'ada' })
    expect(accepted.saved.map(({ name }) => name)).toEqual(['o3'])
    expect(accepted.skipped).toEqual([{ name: 'Full', message: 'members: a group has at most 200.' }])
  })
})
