import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { EVENT_BODIES } from '../../src/events/payloads/bodies.ts'
import { exampleEvent } from '../../src/events/payloads/examples.ts'
import { readEventExamples } from '../../src/events/read-event-examples.ts'
import { EVENT_TYPES } from '../../src/events/schema.ts'
import { testDatabase } from '../support/database.ts'
import { record } from '../support/webhooks/subscriptions.ts'

describe('examples of events', () => {
  const db = testDatabase()
  it.each(EVENT_TYPES)('of %s are what its schema says, with no field that it does not know', (type) => {
    const body = EVENT_BODIES[type]
    const known = Object.keys((body as z.ZodObject).shape)
    expect(body.safeParse(exampleEvent(type)).error).toBeUndefined()
    expect(Object.keys(exampleEvent(type)).filter((field) => !known.includes(field))).toEqual([])
    expect(exampleEvent(type)).toMatchObject({ type: `${type}.acme` })
  })

  it('are the newest recorded ones, and invented where none was recorded', async () => {
    const changed = (n: number) => ({ type: 'price.changed', provider: 'p', payload: { n } }) as const
    await record(db.sql, changed(1), changed(2), {
      type: 'provider.added',
      provider: 'p',
      payload: { n: 'x'.repeat(9_000) },
    })
    const examples = await readEventExamples(db.sql)
    expect(examples.map(({ type }) => type)).toEqual(EVENT_TYPES)
    const of = (type: string) => examples.find((example) => example.type === type)!
    expect(of('price.changed').recorded).toBe(true)
    expect(JSON.parse(of('price.changed').body)).toMatchObject({ n: 2, provider: 'p' })
    expect(of('provider.added')).toMatchObject({ recorded: false })
    expect(JSON.parse(of('provider.added').body)).toMatchObject({ provider: 'acme', name: 'Acme AI' })
  })
})
