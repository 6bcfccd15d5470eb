import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { addOperator } from '../support/accounts.ts'
import { appServer, SECRET_KEY } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { seedProviders } from '../support/prices.ts'
import { openScreen, type Screen, useScreens } from './screen.tsx'

/** The pages of a workspace that has nothing yet, as its admin opens them. Call at the top of a file. */
export function workspaceScreens() {
  const db = testDatabase()
  useScreens()
  const workspace = {
    server: undefined as unknown as Api,
    workspaceId: '',
    accountId: '',
    session: '',
    db,
    open: (path: string) => (): Promise<Screen> => openScreen(workspace, path),
    addWebhook: async (name: string): Promise<string> => {
      const tools = { secretKey: Buffer.from(SECRET_KEY, 'base64'), checkUrl: async () => {} }
      const body = {
        name,
        url: 'https://hooks.example.com/',
        eventTypes: ['price.changed' as const],
        providers: ['openai'],
      }
      return (await createWebhook(db.sql, tools, workspace.workspaceId, body)).webhook.id
    },
  }
  beforeAll(async () => {
    workspace.server = await appServer(db.sql, { PRICETAPE_SECRET_KEY: SECRET_KEY })
    await seedProviders(db.sql, undefined, [{ provider: 'openai' }])
  })
  afterAll(() => workspace.server.close())
  beforeEach(async () => {
    await db.sql`truncate account, workspace cascade`
    const { workspaceId, accountId, sessionToken: session } = await addOperator(db.sql)
    Object.assign(workspace, { workspaceId, accountId, session })
  })
  return workspace
}
