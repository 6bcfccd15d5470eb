import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { recordWitnessPrices } from '../../src/prices/witness/record-witness-prices.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { observed } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { ask, newKey, testApi, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { publish, publishIn, renameIn, seedProviders, withdraw } from '../support/prices.ts'
import { expectGolden, goldensIn } from '../support/suite/goldens.ts'

const day = (n: number) => `2026-01-0${n}T00:00:00.000Z` as Instant
const HEADERS = [
  'content-type',
  'cache-control',
  'vary',
  'ratelimit-policy',
  'retry-after',
  'allow',
  'www-authenticate',
]
const BESIDE_ROWS = /^(link|pricetape-)/
const HISTORY = '/v1/prices/history'
const NO_GROUP = '0199a1f2-7c3e-7d10-9a55-3f0c6be2d871'

const EVIDENCE = '/v1/prices/evidence'
/** What stands for the keys, hashes and instants of a log, which are others each time. */
const namesOfLog = (text: string): Record<string, string> => ({
  ...Object.fromEntries([...text.matchAll(/\b2\d{3}-\d\d-\d\dT[\d:.]+Z/g)].map(([at]) => [at, 'INSTANT'])),
  ...Object.fromEntries([...text.matchAll(/\b[0-9a-f]{64}\b/g)].map(([hash]) => [hash, 'CONTENT_HASH'])),
  ...Object.fromEntries([...text.matchAll(/[0-9a-f]{8}\+[A-Za-z0-9+/]{44}/g)].map(([key]) => [key, 'KEY_HASH+BASE64'])),
  ...Object.fromEntries(
    [...text.matchAll(/(?<=\\n|[" +])[A-Za-z0-9+/]{43,}={0,2}/g)].map(([bytes]) => [bytes, 'BASE64']),
  ),
})

/** The path of a golden as the OpenAPI document names it. */
const documented = (path: string): string => {
  if (path.startsWith(EVIDENCE)) return `${EVIDENCE}/{contentHash}`
  return path.startsWith('/') ? path.split('?')[0]! : HISTORY
}

/** Each golden: the request, and where it is not the usual one, who sends it. */
const GOLDENS: Record<string, { path: string; headers?: Record<string, string> }> = {
  history: { path: `${HISTORY}?providers=acme&asOf=${day(5)}&limit=2` },
  'history-of-a-group': { path: `${HISTORY}?alias=Model%20M&asOf=${day(5)}` },
  'history-since': { path: `${HISTORY}?providers=acme&asOf=${day(5)}&since=${day(2)}` },
  'history-with-confirmation': { path: `${HISTORY}?providers=acme&asOf=${day(5)}&limit=2&include=confirmation` },
  'history-in-credits': { path: `${HISTORY}?providers=frost&asOf=${day(5)}` },
  'history-as-ndjson': {
    path: `${HISTORY}?alias=Model%20M&asOf=${day(5)}&limit=1`,
    headers: { accept: 'application/x-ndjson' },
  },
  'history-as-csv': { path: `${HISTORY}?providers=acme&asOf=${day(5)}`, headers: { accept: 'text/csv' } },
  providers: { path: '/v1/providers' },
  aliases: { path: '/v1/comparison/aliases' },
  catalog: { path: '/v1/catalog?provider=acme' },
  evidence: { path: EVIDENCE },
  'log-keys': { path: '/v1/log/keys' },
  'log-consistency': { path: '/v1/log/consistency?from=1' },
  'log-proof': { path: '/v1/log/proof?contentHash=' },
  'log-proofs': { path: '/v1/log/proofs' },
  row_not_logged: { path: `/v1/log/proof?contentHash=${'0'.repeat(64)}` },
  log_shorter: { path: '/v1/log/consistency?from=1000' },
  price_not_found: { path: `${EVIDENCE}/${'0'.repeat(64)}` },
  'catalog-of-a-provider-that-is-being-added': { path: '/v1/catalog?provider=newcomer' },
  unauthorized: { path: '/v1/providers', headers: { authorization: '' } },
  invalid_api_key: { path: '/v1/providers', headers: { authorization: 'Bearer ptk_wrong' } },
  'invalid_query-limit': { path: `${HISTORY}?limit=10001` },
  'invalid_query-providers': { path: `${HISTORY}?providers=nobody` },
  'invalid_query-cursor': { path: `${HISTORY}?cursor=x&alias=y` },
  as_of_too_recent: { path: `${HISTORY}?asOf=2999-01-01T00:00:00Z` },
  alias_not_found: { path: `${HISTORY}?alias=${NO_GROUP}` },
  provider_not_found: { path: '/v1/catalog?provider=nobody' },
  'provider_not_found-missing': { path: '/v1/catalog' },
  alias_changed: { path: 'the second page of a group that was saved again' },
  rate_limited: { path: 'the sixth request for history in a second' },
}

describe('the answer of each endpoint, as a whole', () => {
  const db = testDatabase()
  const api = testApi(db)
  const apart = testDatabase()
  const apartApi = testApi(apart)
  const logged = testDatabase()
  const loggedApi = testApi(logged)
  const names: Record<string, string> = {}
  let cursorBeforeChange: string
  let responses: Record<string, Record<string, { content?: Record<string, { schema: { $ref: string } }> }>>
  let schemas: Record<string, object>

  beforeAll(async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [
      { provider: 'acme' },
      { provider: 'frost' },
      { provider: 'globex' },
      { provider: 'newcomer', status: 'pending' },
    ])
    const M = { provider: 'acme', resource: 'm', canonicalResource: 'maker/m' }
    const [wrong] = await publish(
      db.sql,
      [
        { ...M, price: '0.000002' },
        { provider: 'acme', resource: 'old', price: '3' },
      ],
      day(1),
    )
    await publish(
      db.sql,
      [
        { ...M, dimension: 'output_tokens', price: '8', pricingTier: { service: 'batch' }, approvalStatus: 'approved' },
        { provider: 'globex', resource: 'm-resold', price: '0.0000025' },
        { provider: 'frost', resource: 'f', price: '0.5', unit: 'credit_per_token', currency: 'FROST_AI_CREDIT' },
      ],
      day(2),
    )
    await withdraw(db.sql, [wrong!], day(3))
    const rename = async (tx: Parameters<typeof renameIn>[0], stamp: Parameters<typeof renameIn>[1]) => {
      await publishIn(tx, stamp, [{ provider: 'acme', resource: 'new', price: '3.5' }])
      await renameIn(tx, stamp, 'acme', 'old', 'new')
    }
    await publishing(db.sql, rename, day(4))
    await db.sql`
      insert into resource (source, provider, resource, canonical_resource, first_priced_at)
      values ('seed', 'acme', 'm', 'maker/m', ${day(1)}), ('seed', 'acme', 'new', null, ${day(4)}),
             ('seed', 'globex', 'm-resold', null, ${day(2)})`
    await db.sql`
      update price_line l set current_hash = (
        select content_hash from publication p where p.line_id = l.line_id and unpublished_at is null limit 1)`
    await db.sql`
      insert into document (source, provider, document, title, url, updated_at)
      values ('seed', 'acme', 'terms-of-use', 'Terms', 'https://acme.example/terms', ${day(4)})`
    const members = [
      { provider: 'acme', resource: 'm' },
      { provider: 'globex', resource: 'm-resold' },
    ]
    const { id } = await saveGroup(db.sql, { name: 'Model M', members, actor: 'ada', at: day(5) })
    names[id] = 'GROUP'
    await changeGroupBetweenPages()
    await db.sql`update source set last_checked_at = ${day(5)}, last_good_at = ${day(5)}`
    const document = (await api.get('/openapi.json')).json as never as {
      paths: Record<string, Record<string, { responses: (typeof responses)[string] }>>
      components: { schemas: Record<string, object> }
    }
    responses = Object.fromEntries(
      Object.entries(document.paths).map(([path, methods]) => [path, Object.values(methods)[0]!.responses]),
    )
    schemas = document.components.schemas
  })

  async function changeGroupBetweenPages() {
    const changing = { name: 'Changing', members: [{ provider: 'acme', resource: 'm' }], actor: 'ada' }
    const { id } = await saveGroup(db.sql, { ...changing, at: day(6) })
    names[id] = 'CHANGING'
    const page = (await api.get(`${HISTORY}?alias=${id}&asOf=${day(2)}&limit=1`)).json as { nextCursor: string }
    cursorBeforeChange = page.nextCursor
    await saveGroup(db.sql, { id, ...changing, at: day(7) })
  }

  async function answerOf(golden: string) {
    if (golden === 'alias_changed') return api.get(`${HISTORY}?cursor=${cursorBeforeChange}`)
    if (golden === 'rate_limited') return sixthRequest()
    if (golden === 'evidence') return evidenceOfPrice()
    if (golden.startsWith('log-') || golden === 'log_shorter') return answerOfLog(GOLDENS[golden]!.path)
    const { path, headers } = GOLDENS[golden]!
    return api.get(path, headers)
  }

  /** In a database of its own, with a leaf for the log's name and one row. */
  async function answerOfLog(path: string) {
    await snapshot(logged.sql, 'log-list', [observed('logged', 'input_tokens', '0.000002')])
    await keepLog({ sql: logged.sql, names: { logOrigin: 'log.test' }, secretKey: Buffer.alloc(32, 1) })
    const [row] = await logged.sql`select content_hash as hash from publication where resource = 'logged'`
    if (path === '/v1/log/proofs') return proofsOf(String(row!.hash))
    return loggedApi.get(path.endsWith('contentHash=') ? path + row!.hash : path)
  }

  async function proofsOf(hash: string) {
    const { statusCode, headers, body } = await loggedApi.server.inject({
      method: 'POST',
      url: '/v1/log/proofs',
      headers: { authorization: `Bearer ${loggedApi.key}` },
      payload: { contentHashes: [hash] },
    })
    return { status: statusCode, headers, text: body, json: JSON.parse(body) }
  }

  /** In a database of its own: what it is read from is in no other answer. */
  async function evidenceOfPrice() {
    const bytes = Buffer.from(JSON.stringify({ m: { input: 2, output: 8 } }))
    await snapshot(apart.sql, 'list', [observed('m', 'input_tokens', '0.000002', { locator: '/m/input' })], {
      snapshotHash: await storeSnapshot(apart.sql, { bytes, at: day(1), contentType: 'application/json', address: 'https://list.example/prices.json' }),
      at: day(1),
    }) // biome-ignore format: one thing after another
    const witness = sourceDeclaration.parse({ source: 'other', format: 'azure', witness: true })
    const observations = [observed('m', 'input_tokens', '0.0000025')]
    await recordWitnessPrices(apart.sql, {
      ...{ source: witness, parserVersion: 1, at: day(2), parsed: { providers: [], ignored: [], observations } },
      snapshotHash: await storeSnapshot(apart.sql, { bytes: Buffer.from('x'), at: day(2) }),
    })
    const [row] = await apart.sql`select current_hash as hash from price_line`
    return apartApi.get(`${EVIDENCE}/${row!.hash}`)
  }

  /** With a key of its own: the buckets of the others stay full. */
  async function sixthRequest() {
    const key = await newKey(db.sql, 'limited')
    await db.sql`
      insert into rate_bucket (key, full_at)
      select 'history:' || key_id, clock_timestamp() + interval '1 hour' from api_key where name = 'limited'`
    // The server of the other goldens forgets its buckets before each request.
    const server = await testServer(db.sql)
    const answer = await ask(server, `${HISTORY}?limit=1`, { authorization: `Bearer ${key}` })
    await server.close()
    return answer
  }

  it.each(Object.keys(GOLDENS))('%s', async (golden) => {
    const { status, headers, json, text } = await answerOf(golden)
    const shown = Object.entries(headers).filter(([name]) => HEADERS.includes(name) || BESIDE_ROWS.test(name))
    const body = (json ?? text.trimEnd().split('\n')) as { nextCursor?: string | null }
    const now = /2\S+Z(?= is the newest instant now)/.exec(text)?.[0]
    const cursor = body.nextCursor ?? headers['pricetape-next-cursor']
    if (json) checkAgainstSchema(GOLDENS[golden]!.path, status, json)
    const method = golden === 'log-proofs' ? 'POST' : 'GET'
    const value = {
      request: `${method} ${GOLDENS[golden]!.path}`,
      status,
      headers: Object.fromEntries(shown.sort()),
      body,
    }
    await expectGolden(`api/${status < 400 ? '' : 'errors/'}${golden}`, value, {
      ...names,
      ...(golden.startsWith('log-') ? namesOfLog(text) : {}),
      ...(cursor ? { [String(cursor)]: 'CURSOR' } : {}),
      ...(now ? { [now]: 'NOW' } : {}),
    })
  })

  /** The schema that the OpenAPI document has for an answer, with no field beside those of the schema. */
  function checkAgainstSchema(path: string, status: number, body: unknown) {
    const { schema } = responses[documented(path)]![status]!.content!['application/json']!
    const strict = { ...schemas[schema.$ref.split('/').at(-1)!], additionalProperties: false, $defs: schemas }
    const text = JSON.stringify(strict).replaceAll('#/components/schemas/', '#/$defs/')
    z.fromJSONSchema(JSON.parse(text)).parse(body)
  }

  it('has a golden for every endpoint and for every error that the specification lists, and no other', async () => {
    expect(await goldensIn('api')).toEqual(Object.keys(GOLDENS).sort())
    const asked = new Set(Object.values(GOLDENS).map(({ path }) => path))
    for (const path of Object.keys(responses)) expect([...asked].map((one) => documented(one!))).toContain(path)
    const codes = Object.keys(GOLDENS).map((golden) => golden.split('-')[0])
    // Specification, Errors: codes usable with an API key.
    for (const code of [
      'unauthorized',
      'invalid_api_key',
      'invalid_query',
      'as_of_too_recent',
      'alias_not_found',
      'alias_changed',
      'provider_not_found',
      'rate_limited',
    ])
      expect(codes).toContain(code)
  })
})
