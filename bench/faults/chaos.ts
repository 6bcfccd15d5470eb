import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastPublication } from '../../src/catalog/clock/clock-store.ts'
import { epochMs, instantOf, plus } from '../../src/lib/instant.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { addDeliveries, addWebhook } from '../../test/support/webhooks/deliveries.ts'
import { disagreementsOf } from './compare.ts'
import { type Fault, killing, machineFaults } from './faults.ts'
import { PARTS, type Part, startInstallation } from './installation.ts'
import { openLaboratory } from './laboratory.ts'
import { keepReading, prepareHistory } from './reader.ts'
import { gatherReports } from './reports.ts'
import { watchStalls } from './stalls.ts'

const WEBHOOKS = 10
const MAX_WAITING = 200
const WORK_EVERY_MS = 2_000
const STUCK_AFTER_MS = 240_000
const REPORTED_WITHIN_MS = 60_000
const KILL_EVERY_MS = { least: 2_000, most: 12_000 }
/** Planned kills follow each other evenly, so that all of them are made. */
const PLANNED_KILL_EVERY_MS = 4_000
/** After this many kills comes a fault of the machine, by turns. */
const KILLS_BETWEEN = 4
/** A worker may work on a claim for this long before the test takes it for lost. */
const CLAIM_LOST_AFTER_MS = 15_000
const CLAIM_AGED_BY_MS = 60_000

type Options = {
  temporalBinary: string
  /** What is started: the sources, unless it names the compiled program. */
  entry?: string
  seconds: number
  /** What is killed, in turn, then nothing more; without it, parts at random for as long as there is time. */
  plan?: Part[]
  /** Each gets two deliveries every two seconds. */
  webhooks?: number
  say?: (line: string) => void
}
export type Agreement = {
  deliveries: number
  requests: number
  reads: number
  /** How often each fault was made. */
  faults: Record<string, number>
  /** The longest time until each fault was reported, in milliseconds. */
  reportedAfterMs: Record<string, number>
  stalls: { count: number; longestSeconds: number; silent: number }
  /** What was lost, invented, sent too often, stamped wrong, or not reported within a minute. */
  disagreements: string[]
}

/**
 * Breaks a running installation while it delivers, lets it come to rest, and compares the receiver's record with our
 * log. The waits between retries are cut short, so that all six attempts are used.
 */
export async function chaos({
  temporalBinary,
  entry = 'src/main.ts',
  seconds,
  plan,
  webhooks = WEBHOOKS,
  say = () => {},
}: Options): Promise<Agreement> {
  const laboratory = await openLaboratory()
  const installation = await startInstallation(laboratory.folder, temporalBinary, entry)
  const sql = connect(installation.databaseUrl, { max: 4 })
  let over = false
  const isOver = () => over
  const reports = gatherReports(installation.output, installation.url, isOver)
  const reading = keepReading(await prepareHistory(sql, installation.url), isOver)
  const stalls = watchStalls(sql, isOver)
  const made: { fault: Fault; at: number }[] = []
  const begun = Date.now()
  async function make(fault: Fault) {
    const at = Date.now()
    say(`${Math.round((at - begun) / 1000)} s: ${fault.name}`)
    const entry = { fault, at }
    made.push(entry)
    if (!(await fault.make())) made.splice(made.indexOf(entry), 1)
  }
  try {
    const hooks = []
    for (let n = 0; n < webhooks; n++)
      hooks.push(await addWebhook(sql, { url: laboratory.receiverUrl, at: instantOf(begun) }))
    const kills = killing(installation)
    const killAny = () => make(kills[PARTS[Math.floor(Math.random() ** 1.5 * PARTS.length)]!])
    const isReported = (from: number, says: RegExp) => reports.first(from, says) !== undefined
    const machine = machineFaults(laboratory, isReported, killAny)
    const working = keepWorking(sql, hooks, () => Date.now() - begun < seconds * 1000)
    for (let n = 1; Date.now() - begun < seconds * 1000; n++) {
      const { least, most } = KILL_EVERY_MS
      await sleep(plan ? PLANNED_KILL_EVERY_MS : least + Math.random() * (most - least))
      const planned = plan?.shift()
      if (planned) await make(kills[planned])
      else if (plan) continue
      else if (machine.length > 0 && n % (KILLS_BETWEEN + 1) === 0)
        await make(machine[Math.floor(n / (KILLS_BETWEEN + 1)) % machine.length]!)
      else await killAny()
    }
    await working
    say('coming to rest')
    const left = await untilRest(sql)
    over = true
    await Promise.all([reading.done, stalls.done, reports.done])
    const stalled = stalls.summary(reports)
    const disagreements = [
      ...(left > 0 ? [`${left} deliveries did not come to an end`] : []),
      ...(stalled.silent > 0 ? [`${stalled.silent} stalls were not reported within a minute`] : []),
      ...(await stampedAhead(sql)),
      ...unreported(made, reports),
      ...reading.found.differing,
      ...(await disagreementsOf(sql, laboratory.answered)),
    ]
    if (disagreements.length > 0) say(await keepLog(installation.said()))
    return {
      deliveries: await count(sql, 'all'),
      requests: laboratory.requests(),
      reads: reading.found.answers,
      faults: countBy(made.map(({ fault }) => fault.name)),
      reportedAfterMs: slowest(made, reports),
      stalls: stalled,
      disagreements,
    }
  } finally {
    over = true
    await sql.end({ timeout: 2 })
    await installation.stop()
    await laboratory.close()
  }
}

async function keepWorking(sql: Sql, hooks: Hook[], isTime: () => boolean): Promise<void> {
  while (isTime()) {
    await addWork(sql, hooks).catch(() => {})
    await cutWaits(sql).catch(() => {})
    await sleep(WORK_EVERY_MS)
  }
}

/** Two more deliveries for each webhook, unless too many wait already. */
async function addWork(sql: Sql, hooks: Hook[]): Promise<void> {
  if ((await count(sql, 'pending')) > MAX_WAITING) return
  for (const hook of hooks) await addDeliveries(sql, hook, { count: 2, at: instantOf(Date.now()) })
}

async function count(sql: Sql, which: 'pending' | 'all'): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from delivery where ${which} = 'all' or status = 'pending'`
  return row!.count
}

/** Makes every retry due now, and every claim of a while ago lost. No one waits a day for this test. */
async function cutWaits(sql: Sql): Promise<void> {
  const now = instantOf(Date.now())
  await sql`update delivery set due_at = ${now} where status = 'pending' and due_at > ${now}`
  await sql`
    update delivery set claimed_at = claimed_at - make_interval(secs => ${CLAIM_AGED_BY_MS / 1000})
    where claimed_at between ${plus(now, -CLAIM_AGED_BY_MS)} and ${plus(now, -CLAIM_LOST_AFTER_MS)}`
}

/** Waits until nothing is pending, as long as something is done about it. Returns how many are left. */
async function untilRest(sql: Sql): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY
  let since = Date.now()
  for (;;) {
    await sleep(500)
    const left = await cutWaits(sql)
      .then(() => count(sql, 'pending'))
      .catch(() => fewest)
    if (left < fewest) {
      fewest = left
      since = Date.now()
    }
    if (left === 0 || Date.now() - since > STUCK_AFTER_MS) return left
  }
}

type Hook = { workspaceId: string; id: string }
type InjectedFault = { fault: Fault; at: number }
type Reports = ReturnType<typeof gatherReports>

const delayOf = ({ fault, at }: InjectedFault, reports: Reports) => {
  const report = reports.first(at, fault.says)
  return report ? report.at - at : Number.POSITIVE_INFINITY
}

const unreported = (made: InjectedFault[], reports: Reports): string[] =>
  made
    .filter((item) => delayOf(item, reports) > REPORTED_WITHIN_MS)
    .map(({ fault, at }) => `${fault.name} at ${new Date(at).toISOString()} was not reported within a minute`)

function slowest(made: InjectedFault[], reports: Reports): Record<string, number> {
  const delays: Record<string, number> = {}
  for (const item of made) delays[item.fault.name] = Math.max(delays[item.fault.name] ?? 0, delayOf(item, reports))
  return delays
}

async function keepLog(text: string): Promise<string> {
  const file = join(tmpdir(), `pricetape-faults-${process.pid}.log`)
  await writeFile(file, text)
  return `What the installation printed is in ${file}`
}

/** A clock that was ahead for a while must have left no stamp from the time to come. */
async function stampedAhead(sql: Sql): Promise<string[]> {
  const stamp = await lastPublication(sql)
  return epochMs(stamp) > Date.now() ? [`the publication clock is at ${stamp}, which is in the future`] : []
}

const countBy = (names: string[]): Record<string, number> =>
  Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((item) => item === name).length]))
