import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Api } from '../../../src/api/route.ts'
import type { Contract } from '../../../src/app/contract.ts'
import { APP_ROUTES } from '../../../src/app/routes.ts'
import { PASSWORD } from '../../support/accounts.ts'
import { appServer, send } from '../../support/app/app.ts'
import { testDatabase } from '../../support/database.ts'
import { addPerson, type Belonging, OWNED, type Person, rowsOf } from './belongings.ts'
import { TABLE } from './route-table.ts'

/** What names something that belongs to no one: prices, documents, sources, and groups that operators make. */
const SHARED = new Set([
  'provider',
  'providers',
  'document',
  'resource',
  'resources',
  'group',
  'aliases',
  'filters',
  'contentHash',
])
/** What is known to its owner alone: whoever has it may use it. */
const SECRETS = new Set(['token', 'secret', 'password', 'currentPassword', 'code', 'passkey', 'answer'])
/** What names nothing. */
const VALUES = new Set(
  (
    'name email role url eventTypes types action direction search q headers body asOf from to before after limit ' +
    'attemptsBefore resend ifUpdatedAt expiresAt minSignificance confirmed what ' +
    'networks status type since until minChange frequency paused'
  ).split(' '),
)
const isOwned = (name: string): name is Belonging => (OWNED as readonly string[]).includes(name)

function keysOf(shape: z.ZodType | undefined): string[] {
  if (shape === undefined) return []
  if (!(shape instanceof z.ZodObject)) throw new Error('What names something cannot be found in it: make it an object.')
  return Object.keys(shape.shape as object)
}

/** Every contract, but those of operators: who may send them is decided by their role alone. */
const all = APP_ROUTES.map(({ contract }): Contract => contract).filter(({ access }) => access !== 'operator')
const parametersOf = ({ path }: Contract): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
const namesOf = (contract: Contract): string[] => [
  ...parametersOf(contract),
  ...keysOf(contract.query),
  ...keysOf(contract.body),
]

/** Bodies with which a person's own request succeeds, where those of the matrix of roles do not. */
const BODIES: Record<string, object> = {
  'DELETE /v1/account/passkeys/:passkeyId': { currentPassword: PASSWORD },
  'DELETE /v1/account/identities/:identityId': { currentPassword: PASSWORD },
}
/** A list that is filtered by what is another's is empty. A workspace with webhooks stays. */
const ANSWERS: Record<string, { foreign?: Partial<Record<Belonging, number>>; own?: number }> = {
  'GET /v1/audit': { foreign: { accountId: 200 } },
  'DELETE /v1/workspaces/:workspaceId': { own: 409 },
}

const naming = all.filter((contract) => namesOf(contract).some(isOwned))

describe('the id of what belongs to another person or workspace', () => {
  const db = testDatabase()
  let server: Api
  beforeAll(async () => {
    server = await appServer(db.sql)
  })
  afterAll(() => server.close())

  it('is known by its name: every parameter and field belongs to someone, to no one, or names nothing', () => {
    const unknown = all.flatMap((contract) =>
      namesOf(contract)
        .filter((name) => !isOwned(name) && ![SHARED, SECRETS, VALUES].some((names) => names.has(name)))
        .map((name) => `${contract.method} ${contract.path}: ${name}`),
    )
    expect(unknown).toEqual([])
    expect(naming.length).toBeGreaterThan(25)
    expect(OWNED.filter((name) => !naming.some((contract) => namesOf(contract).includes(name)))).toEqual([])
  })

  const ask = (contract: Contract, sender: Person, ids: Record<Belonging, string>) => {
    const { method, path } = contract
    const url = parametersOf(contract).reduce(
      (filled, name) => filled.replace(`:${name}`, ids[name as Belonging]),
      path,
    )
    const query = keysOf(contract.query).filter(isOwned)
    const search = new URLSearchParams(query.map((name): [string, string] => [name, ids[name]]))
    const route = `${method} ${path}`
    const body = BODIES[route] ?? TABLE.find(({ request }) => request.split('?')[0] === route)?.body
    return send(server, `${method} ${url}?${search}`, { body, session: sender.sessionToken })
  }

  it.each(naming.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
    '%s: reaches nothing, and the own one does',
    async (route, contract) => {
      await db.sql`truncate account, workspace cascade`
      const [owner, intruder] = [await addPerson(db.sql, 'owner'), await addPerson(db.sql, 'intruder')]
      const before = await rowsOf(db.sql, owner)
      expect(Object.values(before).flat().length).toBeGreaterThan(10)
      const owned = namesOf(contract).filter(isOwned)
      for (const foreign of [...owned.map((name) => [name]), owned]) {
        const theirs = Object.fromEntries(foreign.map((name) => [name, owner.ids[name]]))
        const answer = await ask(contract, intruder, { ...intruder.ids, ...theirs })
        const expected = foreign.length === 1 ? ANSWERS[route]?.foreign?.[foreign[0]!] : undefined
        expect([foreign, answer.status]).toEqual([foreign, expected ?? 404])
        expect(answer.text).not.toContain('owner')
        expect(await rowsOf(db.sql, owner)).toEqual(before)
      }
      const answer = await ask(contract, intruder, intruder.ids)
      expect(answer.status, answer.text).toBe(ANSWERS[route]?.own ?? contract.status)
      expect(await rowsOf(db.sql, owner)).toEqual(before)
    },
  )
})
