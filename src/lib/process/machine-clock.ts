import { readFileSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
import { v7 } from '../ids.ts'
import { type Instant, instantOf, SECOND } from '../instant.ts'

/** This machine's clock, which can be set, beside its uptime, which cannot and goes on while the machine sleeps. */
export type MachineClock = { machine: string; at: Instant; uptimeMs: number }

export function readMachineClock(): MachineClock {
  machine ??= identify()
  return { machine, at: instantOf(Date.now()), uptimeMs: Math.round(uptime() * SECOND) }
}

let machine: string | undefined

/** The same for all processes since this machine, or container, was started; of this process alone where unknown. */
function identify(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${hostname()}`
  } catch {
    return `process ${v7()}`
  }
}
