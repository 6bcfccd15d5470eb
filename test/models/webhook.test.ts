import { describe, expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { timeSkipping } from '../support/servers/temporal.ts'
import { deliverySystem } from '../support/webhooks/delivery-system.ts'
import { checkAgainstModel } from './run-model.ts'
import { checkAfter, commands, crash, event, otherUrl, outage } from './webhook-commands.ts'
import { end } from './webhook-shown.ts'
import { begin } from './webhook-world.ts'

describe('a webhook and its deliveries', () => {
  const db = testDatabase()
  const system = deliverySystem(db, timeSkipping(), { PRICETAPE_MAX_IN_FLIGHT_PER_ENDPOINT: '1' })
  const product = { db, system }

  it('are as the table of states says, over days of virtual time, whatever is done and answered and whatever crashes', async () => {
    const tried = await checkAgainstModel({
      ...{ name: 'webhook', histories: 1, steps: 25, commands, end },
      begin: async () => ({ model: await begin(product), real: product }),
      always: [
        // Four failures over days pause nothing, the fifth does.
        [outage(5, 'a day')],
        // Five failures and more pause nothing before the first of them is a day old.
        [outage(5, 'until due'), outage(1, 'almost a day after'), outage(1, 'a day after')],
        // Another URL starts the count of failures again.
        [outage(1, '5 min'), otherUrl],
        // What a crashed round had claimed is due again, whether its attempt had begun or not.
        [event, event, crash(2), checkAfter('5 min', [{ status: 200 }])],
      ],
    })
    expect(tried.steps).toBeGreaterThan(0)
  })
})
