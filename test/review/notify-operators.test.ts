import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { webhookChannel } from '../../activities/notify-operators.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { declareSources, recordOutcome } from '../../src/catalog/sources/source-store.ts'
import { HOUR, type Instant, plus } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { decideReview } from '../../src/prices/review/decide-review.ts'
import { openReviewItems } from '../../src/prices/store/review-store.ts'
import { mailChannel, type NoticeChannel, notifyOperators } from '../../src/review/notify-operators.ts'
import type { ReviewNotice } from '../../src/review/schema.ts'
import { day, model, models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'
import { testOutbox } from '../support/outbox.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { declareDocument } from '../terms/ingest/pages.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

describe('operators', () => {
  const db = testDatabase({ each: true })
  const safeFetch = createSafeFetch({ allowPrivate: true })
  const received: { headers: Record<string, string>; body: string }[] = []
  let status: number
  let mail: Awaited<ReturnType<typeof startMailServer>>
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(status).end()
  })
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    mail = await startMailServer()
  })
  afterAll(async () => {
    await safeFetch.close()
    server.close()
    await mail.stop()
  })
  beforeEach(() => {
    received.length = 0
    mail.received.length = 0
    mail.state.refuseRecipient = undefined
    status = 204
  })
  const webhook = () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ops`
    return webhookChannel({ url, secret }, safeFetch.post)
  }
  const mailTo = (...addresses: string[]) => addresses.map(mailChannel)
  const outbox = () => testOutbox(db.sql, mail)
  /** What a check does, and the workflow that sends mails after it. */
  const notify = async (at = day(10), channels: NoticeChannel[] = [webhook()]) => {
    const report = await notifyOperators({ sql: db.sql, log: createLog('silent'), channels }, at)
    await outbox().send()
    return report
  }
  const done = (notified: number) => ({ notified, problems: [] })

  const declaredSource = (source: string) => ({
    source,
    kind: 'prices' as const,
    format: 'curated',
    intervalSeconds: 3600,
    primary: true,
    enabled: true,
    options: {},
  })
  /** A check of a source, which fails with a problem or finds nothing new. */
  async function checkSource(source: string, at: Instant, problem?: string) {
    const claim = await db.sql<{ id: string }[]>`
      update source set claim = gen_random_uuid() where source = ${source} returning claim as id`
    const outcome = problem === undefined ? ('unchanged' as const) : ('quarantined' as const)
    const record = { source, claimId: claim[0]!.id, at, outcome, confirmed: problem === undefined, durationMs: 1 }
    await db.sql.begin((tx) => recordOutcome(tx, { ...record, nextDueAt: plus(at, HOUR), problem }))
  }

  /** A price that is held on a day, a thousand times too high. */
  async function hold(provider: string, n: number) {
    const priced = (price: number) => [...models(8, { provider }), ...model('r', price, { provider })]
    await snapshot(db.sql, provider, priced(0.000002), { at: day(n - 1) })
    await snapshot(db.sql, provider, priced(0.002), { at: day(n) })
  }
  /** A document that has been held for years. */
  async function holdDocument(name: string, reason = 'another text') {
    const { source, url } = await declareDocument(db.sql, name)
    const snapshotHash = await storeSnapshot(db.sql, { bytes: Buffer.from('text'), at: day(0) })
    await db.sql`insert into provider (provider, name, created_at) values ('example', 'Example', ${day(0)})`
    await db.sql`
      insert into document (source, provider, document, title, url, updated_at)
      values (${source}, 'example', ${name}, 'Terms', ${url!}, ${day(0)})`
    await db.sql`
      insert into document_version (source, status, first_seen_at, last_seen_at, held_at, snapshot_hash, extractor,
                                    markdown, text_hash, normal_hash, reasons)
      values (${source}, 'held', ${day(0)}, ${day(0)}, ${day(0)}, ${snapshotHash}, '1', 'text', '', '', ${[reason]})`
  }

  it('are notified at once of a document whose selectors find nothing, and once', async () => {
    await holdDocument('blind', 'looks like: none of its selectors finds anything: .legal')
    expect(await notify(plus(day(0), HOUR))).toEqual(done(1))
    expect(await notify(plus(day(0), 2 * HOUR))).toEqual(done(0))
    expect(await notify(plus(day(1), HOUR))).toEqual(done(0))
  })

  it('are notified once of each item that has waited a day, by a signed request', async () => {
    await hold('acme', 2)
    expect(await notify(plus(day(3), -HOUR))).toEqual(done(0))
    expect(received).toHaveLength(0)
    expect(await notify(day(3))).toEqual(done(1))
    const [request] = received
    const notice = new Webhook(secret).verify(request!.body, request!.headers) as ReviewNotice
    expect(notice).toMatchObject({
      type: 'review.waiting',
      waiting: 1,
      notified: 1,
      items: [{ source: 'acme', provider: 'acme', kind: 'price', openedAt: day(2) }],
      command: 'npx pricetape review list --older-than 1d',
    })
    expect(notice.items[0]?.reasons).toContain('power_of_ten')
    expect(await notify(day(4))).toEqual(done(0))
    await hold('later', 6)
    expect(await notify(day(8))).toEqual(done(1))
    expect(JSON.parse(received[1]!.body)).toMatchObject({ waiting: 2, notified: 1, items: [{ provider: 'later' }] })
    expect(received).toHaveLength(2)
  })

  it('are notified once of each source that could not be read for a day, and again when it fails again', async () => {
    await declareSources(db.sql, [declaredSource('acme-pricing')])
    const read = (at: Instant, problem?: string) => checkSource('acme-pricing', at, problem)
    await read(day(1))
    await read(day(2), 'a heading is unknown: "Preis"')
    await read(plus(day(2), 6 * HOUR), 'a heading is unknown: "Preis"')
    expect(await notify(plus(day(3), -HOUR))).toEqual(done(0))
    expect(await notify(day(3), [webhook(), ...mailTo('ada@example.org')])).toEqual(done(1))
    const [{ headers, body }] = received as [(typeof received)[0]]
    expect(new Webhook(secret).verify(body, headers)).toEqual({
      type: 'source.failing',
      failing: 1,
      notified: 1,
      sources: [
        {
          source: 'acme-pricing',
          problem: 'a heading is unknown: "Preis"',
          failingSince: day(2),
          lastGoodAt: day(1),
          nextDueAt: expect.any(String),
        },
      ],
      command: 'npx pricetape source list',
    })
    expect(mail.received[0]!.headers.subject).toBe('Pricetape could not read sources for a day')
    expect(mail.received[0]!.text).toContain('acme-pricing: a heading is unknown: "Preis"')
    expect(await notify(day(4))).toEqual(done(0))
    await read(day(5))
    expect(await notify(day(6))).toEqual(done(0))
    await read(day(7), 'the address answers 403')
    expect(await notify(day(8))).toEqual(done(1))
    expect(received).toHaveLength(2)
  })

  it('are not notified of a source that is no longer declared', async () => {
    await declareSources(db.sql, [declaredSource('acme-pricing')])
    await checkSource('acme-pricing', day(1), 'the address answers 403')
    await declareSources(db.sql, [])
    expect(await notify(day(3))).toEqual(done(0))
  })

  it('get old and new price, and what would end the doubt', async () => {
    await hold('acme', 2)
    await notify(day(3))
    const [item] = (JSON.parse(received[0]!.body) as ReviewNotice).items
    expect(item!.question).toMatch(/r: input tokens 2 → 2,000 \(\+99,900%\)/)
    expect(item!.endsBy).toContain(
      '“power of ten” ends by a witness that shows the same price, or two other sellers of the same model that charge nearly the same, or a person.',
    )
  })

  it('are sent a mail each, also about documents', async () => {
    await holdDocument('terms-of-use')
    await hold('acme', 2)
    expect(await notify('2027-01-01T00:00:00.000Z' as never, mailTo('ada@example.org', 'bo@example.org'))).toEqual(
      done(2),
    )
    expect(mail.received.map(({ to }) => to).sort()).toEqual([['ada@example.org'], ['bo@example.org']])
    const [{ headers, text }] = mail.received as [(typeof mail.received)[0]]
    expect(headers.subject).toBe('Pricetape has items to review')
    expect(text).toMatch(/acme: r: input tokens 2 → 2,000 \(\+99,900%\)/)
    expect(text).toMatch(/“power of ten” ends by a witness that shows the same price/)
    expect(text).toMatch(/example: Is this the text of terms-of-use at https?:/)
    expect(text).toMatch(/Published when it has stayed for 3 days\./)
    expect(text).toContain('npx pricetape review show ID')
  })

  it('are sent a mail again that the server did not take, and no one gets one twice', async () => {
    await hold('acme', 2)
    const channels = [webhook(), ...mailTo('ada@example.org', 'bo@example.org')]
    mail.state.refuseRecipient = { code: 450, address: 'bo@example.org' }
    expect(await notify(day(3), channels)).toEqual(done(1))
    expect(await outbox().mails()).toMatchObject([
      { to: 'bo@example.org', problem: expect.stringContaining('450 not here') },
    ])
    await hold('later', 5)
    // While one mail waits, what is new is left to the next.
    expect(await notify(day(6), channels)).toEqual(done(1))
    mail.state.refuseRecipient = undefined
    await outbox().later()
    expect(await notify(plus(day(6), HOUR), channels)).toEqual(done(0))
    expect(await notify(plus(day(6), 2 * HOUR), channels)).toEqual(done(1))
    const texts = mail.received.map(({ to, text }) => [to[0], /acme: /.test(text), /later: /.test(text)])
    expect(texts).toEqual([
      ['ada@example.org', true, false],
      ['ada@example.org', false, true],
      ['bo@example.org', true, false],
      ['bo@example.org', false, true],
    ])
    expect(received).toHaveLength(2)
    expect(await notify(day(8), channels)).toEqual(done(0))
  })

  it('are sent a mail that waits without what was decided meanwhile, and none where nothing of it is left', async () => {
    const refused = { code: 450, address: 'ada@example.org' }
    const notifyAda = async (at: Instant) => {
      mail.state.refuseRecipient = refused
      const { notified } = await notify(at, mailTo(refused.address))
      mail.state.refuseRecipient = undefined
      return notified
    }
    const reject = async (provider: string, at: Instant) => {
      const { reviewId } = (await openReviewItems(db.sql)).find((one) => one.provider === provider)!
      await decideReview(db.sql, { reviewId, decision: 'reject', actor: 'ada', reason: 'wrong', at })
    }
    const sendLater = async () => {
      await outbox().later()
      return outbox().send()
    }
    await hold('acme', 2)
    await hold('other', 4)
    expect(await notifyAda(day(5))).toBe(2)
    const [{ valid }] = (await db.sql`select (expires_at - created_at)::text as valid from outbox_mail`) as unknown as [
      { valid: string },
    ]
    expect(valid).toBe('7 days')
    await hold('later', 7)
    await reject('acme', day(8))
    expect(await sendLater()).toEqual({ sent: 1, problems: [] })
    expect(mail.received[0]!.text).toMatch(/^1 item has waited for a decision for a day\. 2 in all\.\n\nother: /)
    expect(mail.received[0]!.text).not.toContain('acme: ')
    expect(await notifyAda(day(9))).toBe(1)
    await reject('later', day(10))
    expect(await sendLater()).toEqual({ sent: 0, problems: [] })
    expect(await outbox().mails()).toEqual([])
    expect(mail.received).toHaveLength(1)
  })

  it('are notified again at the next check when their webhook does not take it', async () => {
    await hold('acme', 2)
    for (const answer of [500, 400, 302, 300]) {
      status = answer
      expect((await notify(day(3))).problems).toEqual([
        `webhook did not get the notice of 1 review items: it answered ${answer}.`,
      ])
    }
    status = 299
    expect(await notify(day(3))).toEqual(done(1))
    expect(received).toHaveLength(5)
  })

  it('are notified in the log alone where nothing else is set', async () => {
    await hold('acme', 2)
    expect(await notify(day(4), [])).toEqual(done(1))
    expect(await notify(day(5), [])).toEqual(done(0))
  })

  it('are not notified of what was decided in time, and nothing is kept about it', async () => {
    await hold('acme', 2)
    const [item] = await openReviewItems(db.sql)
    const decision = { reviewId: item!.reviewId, decision: 'reject' as const, actor: 'ada', reason: 'wrong' }
    await decideReview(db.sql, { ...decision, at: plus(day(2), HOUR) })
    expect(await notify(day(4))).toEqual(done(0))
    await hold('later', 5)
    expect(await notify(day(9))).toEqual(done(1))
    const [later] = await openReviewItems(db.sql)
    await decideReview(db.sql, { ...decision, reviewId: later!.reviewId, at: day(10) })
    expect(await notify(day(11))).toEqual(done(0))
    expect(await db.sql`select from operator_notice`).toHaveLength(0)
  })
})
