import './light-dom.ts'
import { beforeAll, it, onTestFinished, vi } from 'vitest'
import { Outbox } from '../../src/web/pages/operator/review/decide/outbox.ts'
import { checkScreen, compareWithGolden, walk } from './check-screen.ts'
import { operatorScreens } from './fixtures/operator-screens.ts'
import { addWaiting } from './fixtures/waiting.ts'

const { db, open } = operatorScreens()

beforeAll(() => addWaiting(db.sql))

it('the items that wait for a decision, and what is decided by buttons and keys', async () => {
  // A decision can be taken back for five seconds: on a slow machine they would end between two steps.
  const due = vi.spyOn(Outbox.prototype, 'sendDue').mockReturnValue()
  onTestFinished(() => due.mockRestore())
  const parts = await walk(await open('/operator/review?all=true')(), [
    'Keys?',
    { key: 'Escape' },
    { key: 'j' },
    { key: 'k' },
    { key: ' ' },
    { key: 'Escape' },
    'Approvea',
    'Undo (u)',
    'Rejectr',
    { key: 'u' },
    { key: 'e' },
    { key: 'Escape' },
    { field: /Why you decide so/, text: 'The unit is misread.' },
    { key: 'r' },
    { field: /Why you decide so/, text: 'Read twice.' },
    { key: 'a' },
    { key: 'u' },
    'Undo (u)',
    { tick: 'Select all' },
    { key: 'r' },
    'Cancel',
    { key: 'a' },
    'Approve 2',
    'Send now',
  ])
  await compareWithGolden('operator-review', parts)
})
it('served prices, which an operator corrects or delists', async () => {
  await checkScreen('operator-prices', open('/operator/prices'), {})
})
it('the prices of one resource, which are corrected, delisted and served again', async () => {
  await checkScreen('operator-prices-of', open('/operator/prices?provider=seller&resource=left'), {
    Correct: [[{ field: /^Correct price/, text: '14' }, { field: /^Why/, text: 'Misread.' }, 'Correct']],
    Withdraw: [[{ field: /^Why/, text: 'Never listed.' }, 'Withdraw']],
  })
})
it('sources', async () => {
  await checkScreen('operator-sources', open('/operator/sources'), { 'example-terms': [['Run now']] })
})
it('groups of names, and those that are proposed', async () => {
  await checkScreen('operator-aliases', open('/operator/aliases'), {
    'Create a group': [['Save']],
    'Delete risen': [['Delete']],
  })
})
it('providers', async () => {
  await checkScreen('operator-providers', open('/operator/providers'), {})
})
it('how accurate prices are', async () => {
  await checkScreen('operator-accuracy', open('/operator/accuracy'), {})
})
it('all workspaces', async () => {
  await checkScreen('operator-workspaces', open('/operator/workspaces'), {
    'Change the quotas of First workspace': [['Save']],
  })
})
it('all users', async () => {
  await checkScreen('operator-users', open('/operator/users'), {
    'Actions for nora': [['Make operator'], ['Disable'], ['Sign out everywhere', 'Sign out']],
    'Actions for Olga': [['Take operator rights away', 'Take them away']],
  })
})
