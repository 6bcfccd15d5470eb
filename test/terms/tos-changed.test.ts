import { describe, expect, it } from 'vitest'
import { tosChanged } from '../../src/events/payloads/tos-changed.ts'
import { testDatabase } from '../support/database.ts'
import { declareDocument, eventsOf, fetches } from './pages.ts'
import { replaceIn } from './texts.ts'

const ADDENDUM = `# Data Processing Addendum

Effective: January 1, 2026

Last updated: December 1, 2025

## 1. Fees

1.1 The customer pays the fees of the price list in advance.

1.2 The provider may change the fees with 30 days notice.

## 2. Liability

The liability of the provider is limited to the fees of the last twelve months.

## 3. Sub-processors

The provider uses these sub-processors:

| Name | Country |
| --- | --- |
| Alpha Ltd | Ireland |
| Beta Inc | France |
`
const LATER = [
  ['January 1, 2026', 'March 1, 2026'],
  ['December 1, 2025', 'February 1, 2026'],
  ['30 days', '14 days'],
  ['is limited', 'is not limited'],
  ['| Beta Inc | France |', '| Gamma GmbH | Germany |'],
].reduce((text, [from, to]) => replaceIn(text, from!, to!), ADDENDUM)

describe('the body of a tos.changed event', () => {
  const db = testDatabase()

  it('has every field it may have, and no other', async () => {
    const source = await declareDocument(db.sql, 'dpa', { title: 'Data Processing Addendum' })
    const at = fetches(db.sql, source, 'text/markdown', 'https://pricetape.example')
    const { versionId: first } = await at(0, ADDENDUM)
    await at(6, LATER)
    const { versionId: second } = await at(31, LATER)
    // The first text comes back and stays.
    await at(40, ADDENDUM)
    const { versionId: third } = await at(140, ADDENDUM)
    const [, event] = await eventsOf(db.sql, 'dpa')
    const names = { [first!]: 'FIRST', [second!]: 'SECOND', [third!]: 'THIRD', [String(event!.id)]: 'EVENT' }
    const text = Object.entries(names)
      .reduce((body, [id, name]) => body.replaceAll(id, name), JSON.stringify(event, null, 2))
      // Fetches are some milliseconds after the hour, and the event is created when the test runs.
      .replace(/("(?:recordedAt|eligibleAt)": "[^"]*)\.\d{3}Z"/g, '$1.000Z"')
      .replace(/"createdAt": "[^"]*"/, '"createdAt": "CREATED"')
    await expect(`${text}\n`).toMatchFileSnapshot('tos-changed.golden.txt')
    const { differenceUrl, effectiveDate, returnsTo, summary } = tosChanged.strict().parse(event)
    expect([differenceUrl, effectiveDate, returnsTo, summary.rows, summary.changes]).not.toContain(undefined)
  })
})
