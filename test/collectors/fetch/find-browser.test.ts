import { execFile, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findChromium, strictestLaunch } from '../../../src/collectors/fetch/find-browser.ts'
import { lacks } from '../../support/suite/needs.ts'

const SCRIPT = readFileSync(new URL('../../../src/collectors/fetch/without-network.sh', import.meta.url), 'utf8')
const RENDERER = fileURLToPath(new URL('renderer-process.ts', import.meta.url))
/** All processes of a browser are of the group that its first one leads. */
const processesOf = (group: number): string[] =>
  spawnSync('ps', ['-eo', 'pgid=,pid=,stat='])
    .stdout.toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pgid, , state]) => pgid === String(group) && !state?.startsWith('Z'))
    .map(([, pid]) => pid!)

describe.skipIf(lacks('network namespaces'))('where pages are rendered (needs network namespaces)', () => {
  /** What a program sees there, started by this user or by another one. */
  async function insideOf(uid?: number) {
    const { env } = await strictestLaunch(findChromium()!)
    const looks =
      'cat /proc/net/dev; ls -A /run; grep -h CapEff /proc/self/status; cat /proc/self/oom_score_adj; ls -d /proc/[0-9]*'
    const { stdout, stderr } = spawnSync('sh', ['-s', '--', '-c', looks], {
      ...(uid !== undefined && { uid, gid: uid }),
      input: SCRIPT,
      env: { ...env, RENDERER: 'sh' },
      cwd: '/',
    })
    const [, , ...lines] = `${stdout}${stderr}`.trim().split('\n')
    return lines.map((line) => line.trim().replaceAll(/\s+/g, ' '))
  }

  const NOTHING = [`lo:${' 0'.repeat(16)}`, 'CapEff: 0000000000000000', '1000', '/proc/1']

  it('there is no network, no socket of another program, no process of another, and no right', async () => {
    expect(await insideOf()).toEqual(NOTHING)
  })

  it.skipIf(lacks('root'))('the same is so for an ordinary user (needs root)', async () => {
    expect(await insideOf(65_534)).toEqual(NOTHING)
  })

  it('a browser that is stopped and its worker killed leave no process behind', async () => {
    const worker = spawn(process.execPath, ['--import', 'tsx', RENDERER, 'render'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface(worker.stdout)) {
      const group = Number(line)
      const processes = processesOf(group)
      expect(processes.length).toBeGreaterThan(2)
      // It could otherwise notice by itself that its worker is gone.
      for (const pid of processes) if (Number(pid) !== group) process.kill(Number(pid), 'SIGSTOP')
      worker.kill('SIGKILL')
      await expect.poll(() => processesOf(group)).toEqual([])
    }
  })

  it('a machine that allows no namespace renders all the same, and says once that settings alone keep the browser from the network', async () => {
    const forbid = 'echo 0 > /proc/sys/user/max_net_namespaces && exec "$@"'
    const { stdout } = await promisify(execFile)('unshare', [
      ...['--user', '--map-root-user', 'sh', '-c', forbid, 'sh'],
      ...[process.execPath, '--import', 'tsx', RENDERER, 'ask'],
    ])
    expect(JSON.parse(stdout)).toEqual({
      withoutNetwork: false,
      warnings: [expect.stringMatching(/its settings alone keep from the network/)],
    })
  })
})
