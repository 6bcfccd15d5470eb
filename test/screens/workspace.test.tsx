import './light-dom.ts'
import { describe, expect, it } from 'vitest'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { changeQuota } from '../../src/accounts/workspaces/change-quota.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { addAccount, addMember, PASSWORD, silentMail } from '../support/accounts.ts'
import { checkScreen, walkOn } from './check-screen.ts'
import { workspaceScreens } from './fixtures/workspace-screens.ts'
import { openScreen } from './screen.tsx'

const workspace = workspaceScreens()

it('API keys', async () => {
  await createApiKey(workspace.db.sql, { workspaceId: workspace.workspaceId, name: 'Nightly import' })
  await checkScreen('keys', workspace.open('/keys'), {
    'Create a key': [
      [{ field: /^Name/, text: 'Shown' }, 'Create the key'],
      [{ field: /^Name/, text: 'Other' }, 'Create the key', 'Copy the key', 'Copy the request', 'I have copied it'],
    ],
    'Networks of Nightly import': [[{ field: /^May be used from/, text: '203.0.113.0/24' }, 'Save'], ['Cancel']],
    'Delete Nightly import': [['Delete the key']],
  })
})

it('API keys and webhooks of a workspace that operators allow less', async () => {
  await createApiKey(workspace.db.sql, { workspaceId: workspace.workspaceId, name: 'Nightly import' })
  await workspace.addWebhook('Orders')
  await changeQuota(workspace.db.sql, workspace.workspaceId, {
    webhooks: 1,
    apiKeys: 1,
    members: null,
    requestsPerMinute: null,
  })
  const shown = async (path: string) => {
    const screen = await workspace.open(path)()
    const text = screen.text()
    screen.close()
    return text
  }
  expect(await shown('/keys')).toContain('1 of 1 are in use. Delete one to create another.')
  expect(await shown('/webhooks')).toContain('1 of 1 are in use. Delete one to create another.')
  expect(await shown('/webhooks/new')).toContain('This workspace may have no more webhooks')
})

it('API keys of a new workspace', async () => {
  await checkScreen('keys-empty', workspace.open('/keys'), { 'Create a key': [['Create the key'], ['Cancel']] })
})

it('members', async () => {
  const { accountId: nora } = await addAccount(workspace.db.sql, 'nora@example.com')
  await addMember(workspace.db.sql, workspace.workspaceId, nora, 'member')
  await sendInvitation(
    workspace.db.sql,
    silentMail(),
    { accountId: workspace.accountId, workspaceId: workspace.workspaceId },
    { email: 'ivan@example.com', role: 'admin' },
  )
  await checkScreen('members', workspace.open('/members'), {
    'Invite people': [
      [{ field: /^E-mail/, text: 'shown@example.com' }, 'Invite'],
      [{ field: /^E-mail/, text: 'new@example.com' }, 'Invite', 'Copy the link', 'Done'],
    ],
    'Actions for nora': [['Change role to admin'], ['Change role to member'], ['Remove from the workspace', 'Remove']],
    'Withdraw the invitation of ivan@example.com': [['Withdraw']],
    'Actions for Olga': [['Leave the workspace']],
  })
})

it('workspaces', async () => {
  await checkScreen('workspaces', workspace.open('/workspaces'), {
    'Create a workspace': [[{ field: /^Name/, text: 'Second' }, 'Create']],
    'Rename First workspace': [[{ field: /^Name/, text: 'First workspace' }, 'Rename']],
    'Delete First workspace': [['Delete']],
  })
})

describe('a workspace in the menu', () => {
  /** Another one of the same admin. */
  async function addSecond(): Promise<string> {
    const { workspaceId } = await createWorkspace(workspace.db.sql, { name: 'Second' })
    await addMember(workspace.db.sql, workspaceId, workspace.accountId, 'admin')
    return workspaceId
  }
  const added = ['Create a workspace', { field: /^Name/, text: 'Second' }, 'Create']
  it.each(['/prices', '/docs'])('is there as soon as it was made, also on %s', async (path) => {
    const screen = await workspace.open(path)()
    await screen.go('/workspaces', () => {})
    await walkOn(screen, added)
    await screen.go(path, () => {})
    await screen.press('Workspace: First workspace')
    expect(screen.offered()).toEqual(['First workspace', 'Second', 'All workspaces'])
  })

  it('gives the page of another one nothing of what was open or typed', async () => {
    const { sql } = workspace.db
    const { accountId } = await addAccount(sql, 'nora@example.com')
    const workspaceId = await addSecond()
    for (const one of [workspace.workspaceId, workspaceId]) await addMember(sql, one, accountId, 'member')
    const screen = await workspace.open(`/members?workspace=${workspace.workspaceId}`)()
    for (const opened of [['Actions for nora', 'Remove from the workspace'], ['Invite people']]) {
      for (const step of ['Workspace: First workspace', 'Second', ...opened]) await screen.press(step)
      expect(screen.offered()).not.toEqual([])
      await screen.back()
      expect(screen.frame()).toContain('First workspace')
      expect(screen.offered()).toEqual([])
    }
  })

  it('is no longer named by an address where it was deleted', async () => {
    await addSecond()
    const screen = await workspace.open(`/workspaces?workspace=${workspace.workspaceId}`)()
    for (const step of ['Delete First workspace', 'Delete']) await screen.press(step)
    await screen.go(`/keys${screen.address().replace(/^[^?]*/, '')}`, () => {})
    expect(screen.text()).toContain('[Create a key]')
    expect(screen.frame()).toContain('Second')
  })

  it.each([
    ['/prices?q=mini&asOf=2026-01-01T00:00:00Z', '/prices?q=mini&asOf=2026-01-01T00:00:00Z'],
    ['/webhooks/new?provider=openai', '/webhooks/new?provider=openai'],
    ['/members?action=key_created', '/members?'],
  ])('leaves what %s is about, unless it belongs to one workspace', async (path, kept) => {
    const workspaceId = await addSecond()
    const screen = await workspace.open(path)()
    for (const step of ['Workspace: First workspace', 'Second']) await screen.press(step)
    const wanted = new URL(`${kept}${kept.endsWith('?') ? '' : '&'}workspace=${workspaceId}`, 'http://localhost')
    const { pathname, searchParams } = new URL(screen.address(), 'http://localhost')
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      wanted.pathname,
      Object.fromEntries(wanted.searchParams),
    ])
  })
})

it('sign in', async () => {
  await checkScreen('sign-in', () => openScreen({ server: workspace.server }, '/sign-in'), {
    'Sign in': [
      [{ field: /^E-mail/, text: 'olga@example.com' }, { field: /^Password/, text: `${PASSWORD}.` }, 'Sign in'],
    ],
  })
  expect(PASSWORD).not.toBe('')
})
