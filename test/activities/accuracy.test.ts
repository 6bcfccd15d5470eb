import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { accuracyActivities } from '../../activities/accuracy.ts'
import { readAccuracy } from '../../src/prices/accuracy/read-accuracy.ts'
import { day, model } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'
import { testContext } from '../support/webhooks/deliveries.ts'

const db = testDatabase()

it('measures what is served, for the day it is given', async () => {
  await snapshot(db.sql, 'list', model('m', 0.000001), { at: day(0) })
  const { measureAccuracy } = accuracyActivities(testContext(db.sql, undefined as never))
  const report = await new MockActivityEnvironment().run(measureAccuracy, { now: day(3) })
  expect(report).toEqual({ day: '2026-01-04', served: 2, contradicted: 0 })
  expect((await readAccuracy(db.sql)).history).toMatchObject([{ day: '2026-01-04', unconfirmed: 2 }])
})
