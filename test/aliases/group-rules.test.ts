import { describe, expect, it } from 'vitest'
import {
  looksLikeGroupId,
  membershipChange,
  readGroupName,
  readMembers,
  refuseTooManyMembers,
} from '../../src/aliases/group-rules.ts'
import type { Group } from '../../src/aliases/group-store.ts'
import { modelName } from '../../src/aliases/model-name-rules.ts'
import { proposals } from '../../src/aliases/proposal-rules.ts'

const ID = '019aa000-0000-7000-8000-000000000001'
const acme = (resource: string) => ({ provider: 'acme', resource })
const refusal = (field: string, message: string) => expect.objectContaining({ code: 'invalid_body', field, message })

describe('the name of a group', () => {
  it('is kept composed, with single spaces and its capitals', () => {
    expect(readGroupName('  Cafe\u0301   GPT-5 ')).toBe('Café GPT-5')
    expect(readGroupName('👍'.repeat(200))).toBe('👍'.repeat(200))
  })

  it.each([
    ['  ', 'name: must not be empty.'],
    ['x'.repeat(201), 'name: must be at most 200 characters.'],
    ['a\u0007b', 'name: must not contain control characters.'],
    ['\u200b', 'name: must have a visible character.'],
    [ID, 'name: must not look like a group id.'],
  ])('%j is refused', (name, message) => {
    expect(() => readGroupName(name)).toThrow(refusal('name', message))
  })

  it('never looks like an id', () => {
    expect([looksLikeGroupId(ID), looksLikeGroupId('GPT-5')]).toEqual([true, false])
  })
})

describe('the members of a group', () => {
  it('are each once, in the order given, with provider and resource alone', () => {
    const members = [acme('b'), acme('a'), { ...acme('b'), price: '1' }]
    expect(readMembers(members)).toEqual([acme('b'), acme('a')])
    expect(readMembers([acme('👍'.repeat(300))])).toHaveLength(1)
  })

  it('are one at least, each with a name', () => {
    expect(() => readMembers([])).toThrow(refusal('members', 'members: must name a resource.'))
    for (const name of ['  ', 'x'.repeat(301), 'a\u0007b'])
      expect(() => readMembers([acme('ok'), acme(name)])).toThrow(
        refusal('members', `members: ${JSON.stringify(name)} is not a resource name.`),
      )
  })

  it('are 200 at most; a larger group of an earlier version may stay as large as it is', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => acme(`m${n}`))
    const tooMany = refusal('members', 'members: a group has at most 200.')
    expect(() => refuseTooManyMembers(many(200), [])).not.toThrow()
    expect(() => refuseTooManyMembers(many(201), [])).toThrow(tooMany)
    expect(() => refuseTooManyMembers(many(250), many(250))).not.toThrow()
    expect(() => refuseTooManyMembers(many(251), many(250))).toThrow(tooMany)
  })

  it('join and leave when a group is saved', () => {
    expect(membershipChange([acme('a'), acme('b')], [acme('b'), acme('c')])).toEqual({
      joined: [acme('c')],
      left: [acme('a')],
    })
  })
})

describe('what is read out of a name', () => {
  const read = (resource: string, ...canonicalResources: string[]) =>
    modelName({ provider: 'seller', resource, canonicalResources })

  it.each([
    ['a day', 'openai/gpt-4o-2024-05-13', { base: 'gpt-4o', stamp: { kind: 'day', text: '2024-05-13' } }],
    ['a day without dashes', 'x/claude-3-20240229', { base: 'claude-3', stamp: { kind: 'day', text: '20240229' } }],
    ['a month and a day', 'x/deepseek-r1-0528', { base: 'deepseek-r1', stamp: { kind: 'short', text: '0528' } }],
    ['a year and a month', 'x/mistral-7b-2411', { base: 'mistral-7b', stamp: { kind: 'short', text: '2411' } }],
    [
      'latest, within a version',
      'x/claude-3-5-latest',
      { base: 'claude-3-5', stamp: { kind: 'latest', text: 'latest' } },
    ],
    ['latest, of any version', 'x/grok-8b-latest', { base: 'grok-8b-latest' }],
    ['no date: a month of 13', 'x/model-1-2313', { base: 'model-1-2313' }],
    ['no date: a day of 39', 'x/model-1-0339', { base: 'model-1-0339' }],
    ['no date: the year 1999', 'x/model-1-19990101', { base: 'model-1-19990101' }],
  ])('%s', (_what, resource, expected) => {
    const { maker, key, ...rest } = read(resource)!
    expect(rest).toEqual(expected)
    expect(key.startsWith(`${maker}/`)).toBe(true)
  })

  it('ignores capitals, dots, underscores, a trailing zero and the maker’s own name', () => {
    const key = (resource: string) => read(resource)?.key
    expect(key('Acme/Acme_Model.4.0')).toBe('acme/model-4')
    expect(key('acme/model--4')).toBe('acme/model-4')
    expect(key('ac-me/ac.me-model-1')).toBe('ac-me/model-1')
    expect(key('x/v3p2-model')).toBe('x/v3-2-model')
    expect(key('anthropic/claude-4-sonnet')).toBe('anthropic/claude-sonnet-4')
    expect(key('x/claude-4-sonnet')).toBe('x/claude-4-sonnet')
    expect(key('anthropic/claude-v2')).toBe('anthropic/claude-v2')
  })

  it('has a day behind @ too, as one seller writes it', () => {
    expect(read('claude-3@20240229', 'x/claude-3@20240229')?.stamp).toEqual({ kind: 'day', text: '20240229' })
  })

  it('takes the maker from the sources, and an organization only from a name of two parts', () => {
    expect(read('any name 4', 'Acme/Model-4')).toMatchObject({ maker: 'acme', base: 'model-4' })
    expect(read('org/model-4')).toMatchObject({ maker: 'org', base: 'model-4' })
    expect(read('hub/org/model-4')).toBeUndefined()
    expect(read('model-4')).toBeUndefined()
    expect(read('x', '/model-4')).toBeUndefined()
    expect(read('x', 'a/m-4', 'b/m-4')).toBeUndefined()
  })

  it('cuts a revision of Bedrock off, and keeps the version of the weights', () => {
    expect(read('acme.model-4-v1:0', 'acme/model-4-v1')).toMatchObject({ base: 'model-4' })
    expect(read('acme.model-4-v0:2', 'acme/model-4')).toMatchObject({ base: 'model-4-v0.2' })
    expect(read('acme.model-4-v1:0', 'acme/model-4')).toMatchObject({ base: 'model-4' })
  })

  it('is nothing of a variant, in any capitals', () => {
    for (const variant of ['x/m-4:free', 'x/m-4:Free', 'ft:m-4', 'x/m-4.ft-acme']) expect(read(variant)).toBeUndefined()
    expect(read('x/soft:4')).toBeUndefined()
    expect(read('x/model4:4', 'x/model4')).toMatchObject({ base: 'model4' })
  })
})

describe('a proposed group', () => {
  const resource = (provider: string, name: string, ...canonicalResources: string[]) => ({
    provider,
    resource: name,
    canonicalResources,
  })
  const group = (name: string, members: { provider: string; resource: string }[], id = 'g1') =>
    ({ id, name, members, revision: 1 }) as Group
  const sonnet = [
    resource('anthropic', 'claude-sonnet-4', 'anthropic/claude-sonnet-4'),
    resource('aws', 'anthropic.claude-sonnet-4', 'anthropic/claude-sonnet-4'),
    resource('openrouter', 'anthropic/claude-4-sonnet'),
  ]
  const named = (list: typeof sonnet) => list.map(({ provider, resource: name }) => ({ provider, resource: name }))

  it('has the maker’s own name for it, everything it would list, and why', () => {
    expect(proposals(sonnet, [])).toEqual([
      {
        name: 'claude-sonnet-4',
        members: named(sonnet),
        joins: named(sonnet),
        reasons: ['anthropic/claude-sonnet-4: anthropic, aws', 'anthropic/claude-4-sonnet: openrouter'],
      },
    ])
  })

  it('adds to the group that lists most of it already, and to none when that has all', () => {
    const [first, second, third] = named(sonnet)
    const groups = [group('Few', [third!], 'few'), group('Most', [first!, second!], 'most')]
    const more = [...sonnet, resource('azure', 'claude-sonnet-4', 'anthropic/claude-sonnet-4')]
    expect(proposals(more, groups)).toMatchObject([
      {
        name: 'Most',
        groupId: 'most',
        joins: [{ provider: 'azure', resource: 'claude-sonnet-4' }],
        members: [first, second, { provider: 'azure', resource: 'claude-sonnet-4' }],
      },
    ])
    expect(proposals(sonnet, [group('All', named(sonnet))])).toEqual([])
  })

  it('adds to the group of its name, in any capitals', () => {
    const own = { provider: 'other', resource: 'ours' }
    expect(proposals(sonnet, [group('Claude-Sonnet-4', [own])])).toMatchObject([
      { name: 'Claude-Sonnet-4', groupId: 'g1', members: [own, ...named(sonnet)] },
    ])
  })

  it('has the name that most providers use where the maker sells nothing, the shorter of two', () => {
    const of = (...list: [string, string][]) =>
      proposals(
        list.map(([p, r]) => resource(p, r)),
        [],
      )[0]?.name
    expect(of(['a', 'x/model.4'], ['b', 'x/model-4'], ['c', 'x/model-4'])).toBe('model-4')
    expect(of(['a', 'x/x-model-4'], ['b', 'x/model-4'])).toBe('model-4')
    expect(of(['a', 'x/model_4'], ['b', 'x/model-4'])).toBe('model-4')
    expect(of(['a', 'x/model-4-0'], ['b', 'x/model-4.0'])).toBe('model-4')
  })

  it('has its day in the name where all of its names have one', () => {
    const of = (...list: [string, string][]) =>
      proposals(
        list.map(([p, r]) => resource(p, r)),
        [],
      ).map(({ name }) => name)
    expect(of(['a', 'x/model-4-2025-01-02'], ['b', 'x/model-4-20250102'])).toEqual(['model-4-20250102'])
    expect(of(['a', 'x/model-4'], ['b', 'x/model-4-20250102'])).toEqual(['model-4'])
    // Two days, a short date, or a provider that sells two versions: no one knows which of them the undated name is.
    expect(of(['a', 'x/model-4'], ['b', 'x/model-4-20250102'], ['c', 'x/model-4-20250203'])).toEqual([])
    expect(of(['a', 'x/model-4'], ['b', 'x/model-4-0102'])).toEqual([])
    expect(of(['a', 'x/model-4'], ['a', 'x/model-4-20250102'], ['b', 'x/model-4-20250102'])).toEqual([
      'model-4-20250102',
    ])
  })

  it('is named after a provider too where two makers give one name, and proposals are sorted by name', () => {
    const list = [
      resource('p', 'one/model-4'),
      resource('q', 'one/model-4'),
      resource('r', 'two/model-4'),
      resource('s', 'two/model-4'),
      resource('p', 'one/alpha-1'),
      resource('q', 'one/alpha-1'),
    ]
    expect(proposals(list, []).map(({ name }) => name)).toEqual(['alpha-1', 'model-4 (p)', 'model-4 (r)'])
  })

  it('needs two providers', () => {
    expect(proposals([resource('p', 'one/model-4'), resource('p', 'one/Model.4')], [])).toEqual([])
  })
})
