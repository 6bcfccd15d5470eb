import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { createFeedAddress } from '../../src/accounts/feeds/feed-address.ts'
import { startSession } from '../../src/accounts/sessions/start-session.ts'
import type { Api } from '../../src/api/route.ts'
import type { Contract } from '../../src/app/contract.ts'
import { APP_ROUTES } from '../../src/app/routes.ts'
import { addAccount, addMember, addOperator, device } from '../support/accounts.ts'
import { appServer, send } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { TABLE } from './access/route-table.ts'
import { prepared, type Targets } from './access/route-targets.ts'
import { routesOf } from './access/routes-of.ts'

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** What PostgreSQL takes neither as a text nor as a number, what is longer than a name, and positions that are none. */
const IN_ADDRESSES = [
  '%00',
  '%ED%A0%80',
  'x'.repeat(9_000),
  '-1',
  '9223372036854775808',
  '9999-12-31T23:59:59.999-14:00',
  encoded([2 ** 31, 2 ** 53, '\0', '\0']),
  encoded([0, 2 ** 31, 'a', '\ud800']),
  encoded({ at: '\0', id: 2 ** 31, kind: '\0' }),
]
const IN_BODIES = [
  '\0',
  '\ud800',
  'x'.repeat(9_000),
  2 ** 31,
  2 ** 53,
  -1,
  1e308,
  null,
  [],
  {},
  ['\0'],
  { '\0': '\ud800' },
]

/** Parameters of pages, as they are read. */
const ON_PAGES = {
  provider: 'acme',
  resource: 'm',
  group: 'g',
  providers: 'acme',
  types: 'price.changed',
  direction: 'up',
  minSignificance: 'low',
}

/** A body with one of its values replaced, once for each of them and for each hostile one. */
function* hostileBodies(body: unknown): Generator<unknown> {
  yield* IN_BODIES
  if (body === null || typeof body !== 'object') return
  for (const [name, value] of Object.entries(body))
    for (const inner of hostileBodies(value))
      yield Array.isArray(body)
        ? body.map((item, n) => (String(n) === name ? inner : item))
        : { ...body, [name]: inner }
}

const shapeOf = (schema: z.ZodType | undefined): string[] =>
  schema && 'shape' in schema ? Object.keys(schema.shape as object) : []

/** A parameter that is JSON, or base64url of it, with one of its texts replaced, once for each of them. */
function hostileInside(example: string): string[] {
  const written = [
    [example, encodeURIComponent],
    [Buffer.from(example, 'base64url').toString(), (text: string) => Buffer.from(text).toString('base64url')],
  ] as const
  return written.flatMap(([text, write]) =>
    [...text.matchAll(/"[^"]*"/g)].flatMap(({ index, 0: { length } }) =>
      ['"\\u0000"', '"\\ud800"'].map((hostile) => write(text.slice(0, index) + hostile + text.slice(index + length))),
    ),
  )
}

/** Addresses of a route with one parameter replaced by something hostile. */
function hostileAddresses({ path, query }: Contract, asPrepared: string): string[] {
  const steps = asPrepared.split('?')[0]!.split('/')
  const inPath = path
    .split('/')
    .flatMap((step, n) =>
      step.startsWith(':') ? IN_ADDRESSES.map((value) => steps.toSpliced(n, 1, value).join('/')) : [],
    )
  const [where, given = ''] = asPrepared.split('?')
  const examples = new URLSearchParams(given)
  const inQuery = [...shapeOf(query), 'workspace'].flatMap((name) =>
    [...IN_ADDRESSES, ...hostileInside(examples.get(name) ?? '')].map((value) => {
      const others = given.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`))
      return `${where}?${[...others, `${name}=${value}`].join('&')}`
    }),
  )
  return [...inPath, ...inQuery]
}

describe('input that nothing can store', () => {
  const db = testDatabase()
  let server: Api
  let operator: Awaited<ReturnType<typeof addOperator>>
  let targets: Targets

  beforeAll(async () => {
    server = await appServer(db.sql, { PRICETAPE_SIGN_UP: 'open' })
    operator = await addOperator(db.sql)
    const member = await addAccount(db.sql, 'member@example.com')
    const guest = await addAccount(db.sql, 'guest@example.com')
    await addMember(db.sql, operator.workspaceId, member.accountId, 'member')
    targets = {
      workspaceId: operator.workspaceId,
      admin: operator.accountId,
      member: member.accountId,
      guest: guest.accountId,
    }
  })
  afterAll(() => server.close())

  it.each(APP_ROUTES.map(({ contract }) => [`${contract.method} ${contract.path}`, contract] as const))(
    'is refused by %s, never an error of ours',
    async (name, contract) => {
      const row = TABLE.find(({ request }) => request.split('?')[0] === name)!
      const asPrepared = await prepared(db.sql, row.request, targets)
      const faults: string[] = []
      const sessionOf = () => db.sql.begin((tx) => startSession(tx, operator.accountId, device)) as Promise<string>
      let session = await sessionOf()
      const attempt = async (request: string, body: unknown) => {
        const { status, text } = await send(server, request, { session, body })
        if (status >= 500 && !(status === 503 && row.expected.operator === 503))
          faults.push(`${request} ${JSON.stringify(body)?.slice(0, 100)}: ${status} ${text.slice(0, 200)}`)
        // What succeeds may end the session, and leave no one to ask the rest.
        if (status < 300 && contract.method !== 'GET') session = await sessionOf()
      }
      for (const address of hostileAddresses(contract, asPrepared)) await attempt(address, row.body)
      if (contract.body) for (const body of hostileBodies(row.body ?? {})) await attempt(asPrepared, body)
      expect(faults).toEqual([])
      expect((await send(server, 'GET /v1/account', { session })).status).toBe(200)
    },
  )

  it('is refused by every page and file outside /v1, whatever parameter it is in', async () => {
    const pages = await appServer(db.sql, { PRICETAPE_PUBLIC_PAGES: 'true' })
    const token = await createFeedAddress(db.sql, operator.accountId)
    const paths = routesOf(pages)
      .filter((route) => route.startsWith('GET /') && !route.startsWith('GET /v1/'))
      .map((route) => route.slice('GET '.length).replace(':token', token).replaceAll(/:\w+/g, 'acme'))
    expect(paths).toEqual(expect.arrayContaining(['/previews/price.png', `/feeds/${token}/changes.atom`]))
    const names = new Set([...Object.keys(ON_PAGES), ...APP_ROUTES.flatMap(({ contract }) => shapeOf(contract.query))])
    const addresses = paths.flatMap((path) =>
      [...names].map((name) => `${path}?${new URLSearchParams({ ...ON_PAGES, [name]: 'a\0b' })}`),
    )
    const faults: string[] = []
    for (const address of addresses) {
      const { status, text } = await send(pages, `GET ${address}`)
      if (status >= 500 && !address.startsWith('/readyz?')) faults.push(`${address}: ${status} ${text.slice(0, 200)}`)
    }
    expect(faults).toEqual([])
    await pages.close()
  })
})
