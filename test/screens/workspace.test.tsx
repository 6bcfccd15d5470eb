import './light-dom.ts'
import { expect, it } from 'vitest'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { changeQuota } from '../../src/accounts/workspaces/change-quota.ts'
import { addAccount, addMember, PASSWORD, silentMail } from '../support/accounts.ts'
import { checkScreen } from './check-screen.ts'
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

it('sign in', async () => {
  await checkScreen('sign-in', () => openScreen({ server: workspace.server }, '/sign-in'), {
    'Sign in': [
      [{ field: /^E-mail/, text: 'olga@example.com' }, { field: /^Password/, text: `${PASSWORD}.` }, 'Sign in'],
    ],
  })
  expect(PASSWORD).not.toBe('')
})
