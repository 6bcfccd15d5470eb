import './light-dom.ts'
import { beforeAll, it, onTestFinished, vi } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { plus } from '../../src/lib/instant.ts'
import { measureServed } from '../../src/prices/accuracy/measure-served.ts'
import { Outbox } from '../../src/web/pages/operator/review/decide/outbox.ts'
import { model, models, observed } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { addAccount } from '../support/accounts.ts'
import { declareDocument, fetches } from '../terms/ingest/pages.ts'
import { replaceIn, TERMS } from '../terms/texts.ts'
import { checkScreen, compareWithGolden, walk } from './check-screen.ts'
import { daysAgo, operatorScreens } from './operator-screens.ts'

const { db, open } = operatorScreens()

/** A price that is a thousand times too high, one that changed, one that is no longer listed, and two names of a model. */
beforeAll(async () => {
  await addAccount(db.sql, 'nora@example.com')
  const rest = models(8, { provider: 'seller' })
  const priced = (input: number) => [
    ...rest,
    ...model('risen', input, { provider: 'seller' }),
    ...model('gpt-5-mini', 0.000002, { provider: 'seller', canonicalResource: 'openai/gpt-5-mini' }),
  ]
  await snapshot(
    db.sql,
    'list',
    [...priced(0.000002), observed('left', 'input_tokens', '0.000003', { provider: 'seller' })],
    {
      at: daysAgo(30),
    },
  )
  await snapshot(db.sql, 'list', priced(0.000002), { at: daysAgo(20) })
  await snapshot(db.sql, 'list', priced(0.002), { at: daysAgo(19) })
  const third = models(8, { provider: 'third' })
  for (const [n, input] of [0.000003, 0.003].entries())
    await snapshot(db.sql, 'third', [...third, ...model('leapt', input, { provider: 'third' })], {
      at: plus(daysAgo(19), n + 1),
    })
  const others = ['risen', 'gpt-5-mini'].flatMap((name) =>
    model(name, 0.000002, { provider: 'other', ...(name !== 'risen' && { canonicalResource: `openai/${name}` }) }),
  )
  await snapshot(db.sql, 'other', others, { at: daysAgo(18) })
  const at = fetches(db.sql, await declareDocument(db.sql, 'terms'), 'text/markdown', undefined, daysAgo(17))
  await at(0, TERMS)
  await at(24, replaceIn(TERMS, '30 days notice', '14 days notice'))
  const members = ['seller', 'other'].map((provider) => ({ provider, resource: 'risen' }))
  await saveGroup(db.sql, { name: 'risen', members, actor: 'ada', at: daysAgo(10) })
  await measureServed(db.sql, daysAgo(0))
})

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
