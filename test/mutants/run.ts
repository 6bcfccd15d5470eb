/**
 * `npm run mutants`: whether the tests notice small changes of the rules and of other pure functions. Arguments are rooms,
 * folders or files (`webhooks`, `prices/plan`, `src/lib/decimal.ts`); without any, every room is tried, which takes an hour or more.
 * `--changed [commit]` tries the files that differ from a commit, for a minute at most.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { groupBy } from '../../src/lib/collections.ts'
import { baseCommit, changedSince } from './changed-files.ts'
import { mutantRoomOf, mutatedFiles } from './pure-files.ts'
import { type Report, type Score, scoreOf, tableOf } from './score.ts'

const ROOT = join(import.meta.dirname, '../..')
const REPORT = join(ROOT, '.cache/mutants/report.json')
/** Of a hundred mutants, the tests notice at least this many. */
const MIN_SCORE = 85
/** What counts for a file that no test reaches: how many mutants it has is not found out. */
const UNREACHED = [{ status: 'NoCoverage' }]
/** How long changed files are tried, all together. What is left then is named, and fails nothing. */
const CHANGED_BUDGET_MS = 60_000

/**
 * Mutants at the top of a module are tried with every test that loads it. Those of documents and price lists take seconds:
 * there, only what functions do is mutated.
 */
const SLOW = /^src\/(terms|collectors)\//

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const args = process.argv.slice(2)
const scores = args[0] === '--changed' ? await tryChanged(args[1]) : await tryRooms(args)
if (scores.length > 0) say(`\n${tableOf(scores)}`)
const low = scores.filter(({ score }) => score < MIN_SCORE)
for (const { name, score } of low)
  say(`${name}: the tests notice ${score.toFixed(1)} of 100 mutants, and ${MIN_SCORE} is the least.`)
process.exitCode = low.length === 0 ? 0 : 1

async function tryRooms(wanted: string[]): Promise<Score[]> {
  const isWanted = (file: string) =>
    wanted.some((name) => [name, `src/${name}`].some((path) => `${file}/`.startsWith(`${path}/`)))
  const files = mutatedFiles().filter((file) => wanted.length === 0 || isWanted(file))
  if (files.length === 0) throw new Error(`No file of rules and no pure function is in ${wanted.join(', ')}.`)
  const scores: Score[] = []
  for (const [room, ofRoom] of groupBy(files, mutantRoomOf)) {
    const report = await tryFiles(ofRoom)
    if (report) scores.push(scoreOf(room, report))
  }
  return scores
}

async function tryChanged(from: string | undefined): Promise<Score[]> {
  const base = from ?? baseCommit()
  if (base === undefined) {
    say('There is no earlier commit to compare with, so no mutant is tried.')
    return []
  }
  const changed = new Set(changedSince(base))
  const files = mutatedFiles().filter((file) => changed.has(file))
  say(files.length === 0 ? `No rules differ from ${base}.` : `Rules that differ from ${base}: ${files.length}`)
  const end = Date.now() + CHANGED_BUDGET_MS
  const scores: Score[] = []
  for (const file of files) {
    const report = Date.now() < end ? await tryFiles([file], end) : undefined
    if (report) scores.push(scoreOf(file, report))
    else say(`${file}: not tried to the end, the time is over. Run: npm run mutants -- ${file}`)
  }
  return scores
}

/** Runs Stryker over files. @returns its report; undefined when `end` came first @throws when Stryker cannot work */
async function tryFiles(files: string[], end = Number.POSITIVE_INFINITY): Promise<Report | undefined> {
  mkdirSync(dirname(REPORT), { recursive: true })
  rmSync(REPORT, { force: true })
  // A group of its own, so that what Stryker starts ends with it.
  const leftOut = files.every((file) => SLOW.test(file)) ? ['--ignoreStatic'] : []
  const stryker = spawn('stryker', ['run', '--mutate', files.join(','), ...leftOut], {
    cwd: ROOT,
    stdio: 'inherit',
    detached: true,
  })
  const stop = (signal: NodeJS.Signals) => stryker.pid && process.kill(-stryker.pid, signal)
  const isOver = new Promise<'over'>((resolve) => {
    if (Number.isFinite(end)) setTimeout(resolve, end - Date.now(), 'over').unref()
  })
  const interrupted = () => stop('SIGTERM')
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  const code = await Promise.race([new Promise<number | null>((resolve) => stryker.once('close', resolve)), isOver])
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  if (code === 'over') {
    stop('SIGKILL')
    return undefined
  }
  if (code !== 0) throw new Error(`Stryker ended with status ${code}. What it says is above.`)
  // Without a test that reaches a file, Stryker makes no report.
  if (!existsSync(REPORT)) return { files: Object.fromEntries(files.map((file) => [file, { mutants: UNREACHED }])) }
  return JSON.parse(readFileSync(REPORT, 'utf8')) as Report
}
