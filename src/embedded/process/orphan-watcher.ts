import { spawn } from 'node:child_process'
import { minimalEnvironment } from './environment.ts'

const ORPHAN_GRACE_SECONDS = 15

/**
 * Starts a watcher that reads a pipe from us: when the pipe closes, however we died, the watcher ends the process.
 * Returns what ends the watch once the process has ended.
 */
export function endWithUs(pid: number, signal: NodeJS.Signals): () => void {
  // It looks every second whether the process has ended: its number may soon be another's.
  const script = `
    read -r line
    kill -s ${signal.slice(3)} ${pid}
    for second in ${Array.from({ length: ORPHAN_GRACE_SECONDS }, (_, n) => n).join(' ')}; do
      kill -0 ${pid} || exit
      sleep 1
    done
    kill -s KILL ${pid}`
  const watcher = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: minimalEnvironment(),
  })
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  watcher.unref()
  const pipe = watcher.stdin as unknown as { unref?: () => void }
  pipe.unref?.()
  return () => {
    watcher.kill('SIGKILL')
    watcher.stdin.destroy()
  }
}
