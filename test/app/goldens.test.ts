import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { startSession } from '../../src/accounts/sessions/start-session.ts'
import type { Api } from '../../src/api/route.ts'
import { APP_ROUTES } from '../../src/app/routes.ts'
import { addAccount, addOperator, device } from '../support/accounts.ts'
import { appServer, send } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { expectGolden, goldensIn } from '../support/suite/goldens.ts'
import { type Row, TABLE } from './access/route-table.ts'
import { prepared, type Targets } from './access/route-targets.ts'

/** The name of a route's golden: `GET.webhooks.{webhookId}`. */
const named = (route: string): string =>
  route
    .split('?')[0]!
    .replace(' /v1/', '.')
    .replaceAll('/', '.')
    .replace(/:(\w+)/g, '{$1}')

/** Routes that answer with a body, and have their whole answer elsewhere. */
const ELSEWHERE: Record<string, string> = {
  'GET /v1/audit': 'test/audit/audit.test.ts',
  'GET /v1/operator/audit': 'test/audit/audit.test.ts',
  'POST /v1/sessions': 'test/app/account.test.ts',
  'POST /v1/account': 'test/app/account.test.ts',
  'POST /v1/account/totp/confirm': 'test/app/totp.test.ts',
  'POST /v1/account/passkeys': 'test/app/passkeys.test.ts',
  'PATCH /v1/account/passkeys/:passkeyId': 'test/app/passkeys.test.ts',
  'POST /v1/sessions/passkey': 'test/app/passkeys.test.ts',
  'POST /v1/sessions/identity/begin': 'test/app/identities.test.ts',
  'POST /v1/sessions/identity': 'test/app/identities.test.ts',
  'POST /v1/account/identities/begin': 'test/app/identities.test.ts',
  'POST /v1/workspaces': 'test/app/workspaces.test.ts',
  'POST /v1/invitations/read': 'test/app/workspaces.test.ts',
  'POST /v1/invitations/accept': 'test/app/workspaces.test.ts',
  'POST /v1/account/watches': 'test/watches/routes.test.ts',
  'PATCH /v1/account/watches/:watchId': 'test/watches/routes.test.ts',
  'GET /v1/app/evidence/:contentHash': 'test/app/prices.test.ts',
  'GET /v1/app/documents/:provider/:document': 'test/pages/document-pages.test.ts',
  'GET /v1/operator/review/:itemId': 'test/app/operator.test.ts',
  'GET /v1/operator/accuracy': 'test/app/accuracy.test.ts',
  'GET /v1/operator/accuracy/contradicted': 'test/app/accuracy.test.ts',
  'GET /v1/operator/sources/:source': 'test/app/operator.test.ts',
  'GET /v1/operator/snapshots/:hash': 'test/app/operator.test.ts',
  'POST /v1/operator/prices/:contentHash/correct': 'test/app/operator.test.ts',
  'POST /v1/operator/prices/:contentHash/withdraw': 'test/app/operator.test.ts',
  'POST /v1/operator/prices/:contentHash/restore': 'test/app/operator.test.ts',
  'POST /v1/operator/aliases': 'test/app/operator.test.ts',
  'PUT /v1/operator/aliases/:groupId': 'test/app/operator.test.ts',
}

/** What differs each time in the text of an answer. Ids are numbered in the order in which they come. */
function withoutChance(text: string): string {
  const ids = new Map<string, string>()
  const nameOf = (id: string) => {
    if (!ids.has(id)) ids.set(id, `ID-${ids.size + 1}`)
    return ids.get(id)!
  }
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, nameOf)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'INSTANT')
    .replace(/ptk_[\w-]+/g, 'ptk_KEY')
    .replace(/whsec_[\w+/=]+/g, 'whsec_SECRET')
    .replace(/#token=[\w-]+/g, '#token=TOKEN')
    .replace(/\/feeds\/[\w-]+\//g, '/feeds/TOKEN/')
    .replace(/test_ID-(\d+)_\d+/g, 'test_ID-$1_MINUTE')
    .replace(/"(challenge|secret|uri|lastCharacters|id)":"[^"]*"/g, (all, key) =>
      /ID-\d/.test(all) ? all : `"${key}":"${key.toUpperCase()}"`,
    )
    .replace(/secret=[A-Z2-7]+/g, 'secret=SECRET')
}

describe('the answer of each route of the app, as a whole', () => {
  const db = testDatabase()
  let server: Api
  let targets: Targets
  let operator: string

  beforeAll(async () => {
    server = await appServer(db.sql, { PRICETAPE_SIGN_UP: 'open' })
    operator = (await addOperator(db.sql)).accountId
    const [admin, member, guest] = [
      await addAccount(db.sql, 'admin@example.com'),
      await addAccount(db.sql, 'member@example.com'),
      await addAccount(db.sql, 'guest@example.com'),
    ]
    const { workspaceId } = await foundWorkspace(db.sql, admin, { name: 'W' })
    targets = { workspaceId, admin: admin.accountId, member: member.accountId, guest: guest.accountId }
  })
  afterAll(() => server.close())

  const contractOf = (request: string) =>
    APP_ROUTES.find(({ contract }) => `${contract.method} ${contract.path}` === request.split('?')[0])?.contract
  const WITH_BODY = TABLE.filter(({ request }) => contractOf(request)?.answer && !ELSEWHERE[request.split('?')[0]!])

  async function answerTo({ request, body }: Row) {
    await forgetOthers()
    const accountId = contractOf(request)!.access === 'operator' ? operator : targets.admin
    const path = await prepared(db.sql, request, targets)
    const session = (await db.sql.begin((tx) => startSession(tx, accountId, device))) as string
    return send(server, path, { body, session })
  }

  /** What the requests of other goldens have left: they come in any order. */
  async function forgetOthers() {
    for (const table of ['session', 'api_key', 'feed_address', 'account_totp', 'passkey'])
      await db.sql`delete from ${db.sql(table)}`
    await db.sql`update account set name = split_part(email, '@', 1)`
  }

  it.each(WITH_BODY)('$request', async (row) => {
    const { answer } = contractOf(row.request)!
    const { status, json, text } = await answerTo(row)
    expect(status, text).toBe(contractOf(row.request)!.status)
    if (answer instanceof z.ZodObject) answer.strict().parse(json)
    const [folder] = contractOf(row.request)!.path.replace('/v1/', '').split('/')
    await expectGolden(`app/${folder}/${named(row.request)}`, {
      status,
      body: JSON.parse(withoutChance(JSON.stringify(json))),
    })
  })

  it('has a golden for each route that answers with a body, and no other', async () => {
    const withBody = APP_ROUTES.filter(({ contract }) => contract.answer).map(
      ({ contract }) => `${contract.method} ${contract.path}`,
    )
    const shown = withBody.filter((route) => !ELSEWHERE[route]).map(named)
    expect(await goldensIn('app')).toEqual(shown.sort())
    expect(Object.keys(ELSEWHERE).filter((route) => !withBody.includes(route))).toEqual([])
  })
})
