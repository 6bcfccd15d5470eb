import './light-dom.ts'
import { beforeAll, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { model, models, snapshot } from '../prices/support.ts'
import { addAccount } from '../support/accounts.ts'
import { declareDocument, fetches } from '../terms/ingest/pages.ts'
import { replaceIn, TERMS } from '../terms/texts.ts'
import { checkScreen, compareWithGolden } from './check-screen.ts'
import { daysAgo, operatorScreens } from './operator-screens.ts'

const { db, open } = operatorScreens()

/** A price that is a thousand times too high, one that changed, one that is no longer listed, and two names of a model. */
beforeAll(async () => {
  await addAccount(db.sql, 'nora@example.com')
  const rest = models(8, { provider: 'seller' })
  const priced = (input: number) => [...rest, ...model('risen', input, { provider: 'seller' })]
  await snapshot(db.sql, 'list', [...priced(0.000002), ...model('left', 0.000003, { provider: 'seller' })], {
    at: daysAgo(30),
  })
  await snapshot(db.sql, 'list', priced(0.000002), { at: daysAgo(20) })
  await snapshot(db.sql, 'list', priced(0.002), { at: daysAgo(19) })
  await snapshot(db.sql, 'other', model('risen', 0.000002, { provider: 'other' }), { at: daysAgo(18) })
  const at = fetches(db.sql, await declareDocument(db.sql, 'terms'), 'text/markdown', undefined, daysAgo(17))
  await at(0, TERMS)
  await at(24, replaceIn(TERMS, '30 days notice', '14 days notice'))
  const members = ['seller', 'other'].map((provider) => ({ provider, resource: 'risen' }))
  await saveGroup(db.sql, { name: 'risen', members, actor: 'ada', at: daysAgo(10) })
})

it('the items that wait for a decision, and one that is decided', async () => {
  const screen = await open('/operator/review?all=true')()
  const parts = [screen.text()]
  for (const button of ['Approvea', 'Send now']) {
    await screen.press(button)
    parts.push(`== ${button}`, ...screen.changes().map((request) => `sends ${request}`), screen.text())
  }
  screen.close()
  await compareWithGolden('operator-review', parts)
})
it('served prices, which an operator corrects or delists', async () => {
  await checkScreen('operator-prices', open('/operator/prices'), {})
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
