/**
 * What trials of a mutant say to each other and to the tool, whichever process they are in: empty files in the mutant's folder.
 * The mark of a trial that has begun is named by the trial and its process, so that it is known when that has ended.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'

const NOTICED = 'noticed'
/** A process is ended where one trial takes this long: a test that loops cannot time out. */
const LONGEST_MS = 90_000

export const markNoticed = (folder: string): void => writeFileSync(join(folder, NOTICED), '')

/** Begins a trial, and returns what ends it. */
export function beginTrial(folder: string, trial: string): () => void {
  const mark = join(folder, `${trial}.${process.pid}`)
  writeFileSync(mark, '')
  const goesOn = endProcessAfter(LONGEST_MS)
  return () => {
    goesOn()
    rmSync(mark)
  }
}

/** Whether a trial of the mutant noticed it, or ended its process. */
export const isNoticed = (folder: string): boolean =>
  readdirSync(folder).some((name) => name === NOTICED || isDead(Number(extname(name).slice(1))))

/** Whether a trial began and did not end. */
export const hasHung = (folder: string, trial: string): boolean =>
  readdirSync(folder).some((name) => name.startsWith(`${trial}.`))

function isDead(pid: number): boolean {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}

/** Ends this process after so many milliseconds, also where it loops, unless the function it returns is called. */
function endProcessAfter(ms: number): () => void {
  const ended = new Int32Array(new SharedArrayBuffer(4))
  const watch = `
    const { workerData: { ended, ms, pid } } = require('node:worker_threads')
    if (Atomics.wait(ended, 0, 0, ms) === 'timed-out') process.kill(pid, 'SIGKILL')`
  new Worker(watch, { eval: true, workerData: { ended, ms, pid: process.pid }, execArgv: [], env: {} }).unref()
  return () => {
    Atomics.store(ended, 0, 1)
    Atomics.notify(ended, 0)
  }
}
