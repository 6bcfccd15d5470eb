import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { postgresPrograms } from '../../src/embedded/postgres/programs.ts'
import { reachablePrograms, serverUser } from '../../src/embedded/postgres/server-user.ts'
import { silent } from '../../src/lib/process/progress.ts'
import type { ReceiverAnswer } from './receiver.ts'

const DISK = '1200m'
const ROUTE = ['via', '10.77.0.2']
const RECEIVER_ADDRESS = '10.88.0.1'
const FAKETIME = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
]
/** Set for the process that `run.ts` starts again in network and mount namespaces of its own. */
export const INSIDE = 'PRICETAPE_FAULTS_LABORATORY'

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })

/**
 * Where the fault test runs: a data folder and a receiver. Inside namespaces of its own the folder is a small disk of its
 * own, the receiver is behind a route, and PostgreSQL has a clock that can be stepped.
 */
export async function openLaboratory() {
  const inside = process.env[INSIDE] === 'true'
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-faults-'))
  chmodSync(folder, 0o711)
  if (inside) {
    run('ip', 'link', 'set', 'lo', 'up')
    run('mount', '-t', 'tmpfs', '-o', `size=${DISK},mode=711`, 'tmpfs', folder)
  }
  const clock = inside ? await fakePostgresClock() : undefined
  const answered = new Map<string, number[]>()
  let requests = 0
  const receiver = inside ? await receiverBehindRoute() : forkReceiver()
  const [url] = (await once(receiver, 'message')) as [string]
  receiver.on('message', ({ id, status }: ReceiverAnswer) => {
    requests += 1
    answered.set(id, [...(answered.get(id) ?? []), status])
  })
  const filler = join(folder, 'filler')
  return {
    folder,
    /** What the receiver answered, by event. */
    answered,
    requests: () => requests,
    receiverUrl: url,
    inside,
    setRoute: (there: boolean) => run('ip', 'route', there ? 'add' : 'del', 'default', ...ROUTE),
    fillDisk(full: boolean) {
      if (!full) return rmSync(filler, { force: true })
      try {
        run('dd', 'if=/dev/zero', `of=${filler}`, 'bs=1M')
      } catch {
        // The disk is full now, as it should be.
      }
    },
    /** Steps the clock that PostgreSQL reads away from the machine's. Undefined where it cannot be stepped. */
    stepClock: clock,
    async close() {
      receiver.disconnect()
      if (inside) run('umount', '-l', folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type Laboratory = Awaited<ReturnType<typeof openLaboratory>>

function forkReceiver(address?: string): ChildProcess {
  const unshared = address !== undefined
  return fork(fileURLToPath(new URL('receiver.ts', import.meta.url)), unshared ? [address] : [], {
    ...(unshared && { execPath: 'unshare' }),
    execArgv: [...(unshared ? ['-n', process.execPath] : []), '--import', 'tsx'],
  })
}

/** A receiver in a network namespace of its own, which only a default route leads to. */
async function receiverBehindRoute(): Promise<ChildProcess> {
  run('ip', 'link', 'add', 'lab0', 'type', 'veth', 'peer', 'name', 'lab1')
  const receiver = forkReceiver(RECEIVER_ADDRESS)
  const pid = String(receiver.pid)
  const network = (of: string) => readlinkSync(`/proc/${of}/ns/net`)
  while (network(pid) === network('self')) await sleep(10)
  run('ip', 'link', 'set', 'lab1', 'netns', pid)
  run('ip', 'addr', 'add', '10.77.0.1/24', 'dev', 'lab0')
  run('ip', 'link', 'set', 'lab0', 'up')
  const there = (...args: string[]) => run('nsenter', '-t', pid, '-n', 'ip', ...args)
  there('link', 'set', 'lo', 'up')
  there('addr', 'add', `${RECEIVER_ADDRESS}/32`, 'dev', 'lo')
  there('addr', 'add', '10.77.0.2/24', 'dev', 'lab1')
  there('link', 'set', 'lab1', 'up')
  run('ip', 'route', 'add', 'default', ...ROUTE)
  return receiver
}

/** Puts a program in PostgreSQL's place, for this mount namespace alone, that runs it with a clock of its own. */
async function fakePostgresClock(): Promise<((seconds: number) => void) | undefined> {
  const library = FAKETIME.find((path) => ok('test', '-e', path))
  if (!library) return undefined
  const { native, version } = await postgresPrograms()
  const root = await reachablePrograms(await serverUser(silent), native, version)
  // Beside the data folder, not in it: a full disk must not touch the clock.
  const fake = await mkdtemp(join(tmpdir(), 'pricetape-clock-'))
  chmodSync(fake, 0o755)
  mkdirSync(join(fake, 'bin'))
  cpSync(join(root, 'bin', 'postgres'), join(fake, 'bin', 'postgres'))
  for (const name of ['lib', 'share']) symlinkSync(join(root, name), join(fake, name))
  const offset = join(fake, 'offset')
  const step = (seconds: number) => {
    writeFileSync(offset, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 })
    chmodSync(offset, 0o644)
  }
  step(0)
  const settings = `LD_PRELOAD=${library} FAKETIME_TIMESTAMP_FILE=${offset} FAKETIME_CACHE_DURATION=1`
  const wrapper = join(fake, 'wrapper')
  writeFileSync(
    wrapper,
    `#!/bin/sh\nexec env ${settings} FAKETIME_DONT_FAKE_MONOTONIC=1 ${join(fake, 'bin', 'postgres')} "$@"\n`,
  )
  chmodSync(wrapper, 0o755)
  run('mount', '--bind', wrapper, join(root, 'bin', 'postgres'))
  process.once('exit', () => rmSync(fake, { recursive: true, force: true }))
  return step
}

function ok(command: string, ...args: string[]): boolean {
  try {
    run(command, ...args)
    return true
  } catch {
    return false
  }
}
