import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import { removeMember } from '../../../src/accounts/members/change-role.ts'
import { foundWorkspace } from '../../../src/accounts/members/found-workspace.ts'
import { startSession } from '../../../src/accounts/sessions/start-session.ts'
import type { Api } from '../../../src/api/route.ts'
import { APP_ROUTES } from '../../../src/app/routes.ts'
import { addAccount, addMember, addOperator, device } from '../../support/accounts.ts'
import { appServer, send } from '../../support/app/app.ts'
import { testDatabase } from '../../support/database.ts'
import { ACTORS, type Actor, OUTSIDE, TABLE } from './route-table.ts'
import { prepared, type Targets } from './route-targets.ts'
import { routesOf } from './routes-of.ts'

type Texts = Record<string, string>

describe('who may do what', () => {
  const db = testDatabase()
  let server: Api
  let targets: Targets
  const people = {} as Record<Actor, { accountId: string }>
  let key: string

  beforeAll(async () => {
    server = await appServer(db.sql, { PRICETAPE_SIGN_UP: 'open' })
    people.operator = await addOperator(db.sql)
    for (const actor of ['admin', 'member', 'stranger', 'former'] as const)
      people[actor] = await addAccount(db.sql, `${actor}@example.com`)
    const { workspaceId } = await foundWorkspace(db.sql, people.admin, { name: 'W' })
    await foundWorkspace(db.sql, people.stranger, { name: 'Other' })
    await addMember(db.sql, workspaceId, people.former.accountId, 'admin')
    await removeMember(db.sql, { workspaceId, accountId: people.admin.accountId }, people.former)
    const guest = await addAccount(db.sql, 'guest@example.com')
    key = (await createApiKey(db.sql, { workspaceId, name: 'k' })).key
    const [admin, member] = [people.admin.accountId, people.member.accountId]
    targets = { workspaceId, admin, member, guest: guest.accountId }
  })
  afterAll(() => server.close())

  it('is in this table for every route that there is', () => {
    const withoutQuery = TABLE.map(({ request }) => request.split('?')[0]!)
    expect(withoutQuery.sort()).toEqual(
      routesOf(server)
        .filter((route) => route.includes(' /v1/'))
        .sort(),
    )
  })

  it('is public for every route outside /v1, and there are only these', async () => {
    const others = routesOf(server).filter((route) => !route.includes(' /v1/'))
    expect(others.sort()).toEqual(Object.keys(OUTSIDE).sort())
    for (const [route, status] of Object.entries(OUTSIDE))
      for (const actor of ['anonymous', 'key', 'admin', 'operator'] as const)
        expect([actor, route, await statusFor(route, undefined, actor)]).toEqual([actor, route, status])
  })

  for (const row of TABLE) {
    it(`${row.request}: ${ACTORS.map((actor) => `${actor} ${row.expected[actor]}`).join(', ')}`, async () => {
      const got: Record<string, number> = {}
      let request = ''
      for (const actor of ACTORS) {
        // What is only read stays as it was made for the first of them.
        if (request === '' || !row.request.startsWith('GET ')) request = await prepared(db.sql, row.request, targets)
        got[actor] = await statusFor(request, row.body, actor)
      }
      expect(got).toEqual(row.expected)
    })
  }

  it('is nothing on a page of another account, but to sign in and to see what everyone may', async () => {
    const headers = { 'pricetape-account': people.stranger.accountId }
    const refused: string[] = []
    for (const { contract } of APP_ROUTES) {
      const row = TABLE.find(({ request }) => request.split('?')[0] === `${contract.method} ${contract.path}`)!
      const request = await prepared(db.sql, row.request, targets)
      const status = await statusFor(request, row.body, contract.access === 'operator' ? 'operator' : 'admin', headers)
      if (status === 401) refused.push(row.request)
      else expect([row.request, contract.access]).toEqual([row.request, expect.stringMatching(/public|visitor|reader/)])
    }
    expect(refused).toContain('DELETE /v1/sessions/current')
    expect(refused).toContain('POST /v1/operator/review/decisions')
    expect(refused).not.toContain('GET /v1/session')
    const own = { 'pricetape-account': people.admin.accountId }
    expect(await statusFor('GET /v1/account', undefined, 'admin', own)).toBe(200)
  })

  async function statusFor(request: string, body: unknown, actor: Actor, more: Texts = {}): Promise<number> {
    const person = people[actor]
    const session = person && ((await db.sql.begin((tx) => startSession(tx, person.accountId, device))) as string)
    const headers: Texts = { ...more, ...(actor === 'key' && { authorization: `Bearer ${key}` }) }
    return (await send(server, request, { body, session, headers })).status
  }
})
