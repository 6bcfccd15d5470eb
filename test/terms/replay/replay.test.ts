import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayTerms } from '../../../src/terms/replay/replay-terms.ts'
import { testDatabase } from '../../support/database.ts'
import { isolation } from '../../support/isolation.ts'
import { lacks } from '../../support/suite/needs.ts'
import { recording } from '../../support/suite/recordings.ts'
import { eventsOf } from '../ingest/pages.ts'
import { replaceIn, SUBSTANTIVE, TERMS } from '../texts.ts'

const RECORDED = recording('terms')

describe('a replay of recorded documents', () => {
  const db = testDatabase()
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pricetape-terms-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('ingests each text at its own instant, and takes it to stay until the next one', async () => {
    const tracked = replaceIn(TERMS, 'pricing page', '[pricing page](https://example.com/r/7a51ab3c)')
    const texts: [day: number, text: string][] = [
      [1, TERMS],
      [3, tracked],
      [5, 'Something went wrong. Please try again later.'],
      [6, SUBSTANTIVE],
      [6.5, TERMS],
      [10, SUBSTANTIVE],
      [20, replaceIn(SUBSTANTIVE, '30 days', '14 days')],
    ]
    const manifest = await Promise.all(
      texts.map(async ([day, text], i) => {
        await writeFile(join(folder, `${i}.md`), text)
        const recordedAt = new Date(Date.UTC(2025, 0, 1) + day * 86_400_000).toISOString()
        return { document: 'Sample Service/Terms of Use', file: `${i}.md`, recordedAt }
      }),
    )
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
    expect(await replayTerms({ sql: db.sql, isolation }, folder)).toMatchObject({
      snapshots: 7,
      documents: 1,
      events: { 'tos.changed': 2 },
      classifications: { substantive: 1, minor: 1 },
      quarantined: { 'error page': 1 },
      suppressed: {
        'first text': 1,
        'formatting or links': 1,
        unchanged: 1,
        'gone or replaced before it was confirmed': 1,
      },
    })
    const events = await eventsOf(db.sql, 'terms-of-use')
    expect(events.map((event) => (event.createdAt as string).slice(0, 10))).toEqual(['2025-01-12', '2025-01-22'])
    expect(events[0]).toMatchObject({ type: 'tos.changed.sample-service', provider: 'sample-service' })
  })
})

/** Three documents are replayed by default; PRICETAPE_TEST_REPLAY=whole replays all 24. */
const REPLAYED = ['Acceptable Use Policy', 'In-App Purchases Policy', 'Vulnerability Disclosure Policy']
const whole = process.env.PRICETAPE_TEST_REPLAY === 'whole'
const EXPECTED = whole
  ? { snapshots: 377, documents: 24, events: [110, 118], formatting: 175, held: 22 }
  : { snapshots: 32, documents: 3, events: [10, 10], formatting: 11, held: 1 }

/** Makes a folder with the recording of some documents. */
async function recordingOf(documents: string[], folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(RECORDED, 'manifest.json'), 'utf8')) as RecordedPage[]
  const files = manifest
    .filter(({ document }) => documents.includes(document))
    .map((entry) => ({ ...entry, file: relative(folder, join(RECORDED, entry.file)) }))
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(files))
  return folder
}
type RecordedPage = { document: string; file: string }

describe.skipIf(lacks('the recorded documents'))(
  'the recorded history of real documents (needs the recorded documents)',
  () => {
    const db = testDatabase()
    let folder = ''
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'pricetape-terms-'))
    })
    afterAll(() => rm(folder, { recursive: true }))

    it('makes about a third as many events as modifications, none of them noise', {
      timeout: whole ? 3_600_000 : 900_000,
    }, async () => {
      const replayed = whole
        ? RECORDED
        : await recordingOf(
            REPLAYED.map((name) => `ChatGPT/${name}`),
            folder,
          )
      const result = await replayTerms({ sql: db.sql, isolation }, replayed)
      const { snapshots, documents, events, formatting, held } = EXPECTED
      expect(result).toMatchObject({ snapshots, documents })
      // Every event of this set was read; docs/terms.md has the verdicts. More would be noise, fewer a miss.
      expect(result.events['tos.changed']).toBeGreaterThanOrEqual(events[0]!)
      expect(result.events['tos.changed']).toBeLessThanOrEqual(events[1]!)
      expect(result.suppressed['formatting or links']).toBeGreaterThanOrEqual(formatting)
      expect(Object.values(result.held).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(held)
      const bodies = await db.sql<{ body: string }[]>`select body from event`
      for (const { body } of bodies) expect(body.length).toBeLessThan(150_000)
    })
  },
)
