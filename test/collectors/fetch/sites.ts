import { spawnSync } from 'node:child_process'
import type { GetOutcome } from '../../../src/lib/safe-fetch/safe-fetch.ts'

export const PAGE = 'https://example.com/legal/terms'
const SCRIPT = `
  fetch('/api/terms').then((answer) => answer.text()).then((text) => { document.querySelector('#root').textContent = text })
  fetch('http://169.254.169.254/latest/meta-data').catch(() => {})
  fetch('/api/track', { method: 'POST', body: 'x' }).catch(() => {})
  new Image().src = 'https://tracker.example/pixel.png'
`
type Answers = Record<string, [type: string, body: string]>
/** A page that writes its text by a script, and tries what it may not do. */
export const ANSWERS: Answers = {
  [PAGE]: [
    'text/html',
    '<!DOCTYPE html><html><body><div id="root"></div><script src="/app.js"></script></body></html>',
  ],
  'https://example.com/app.js': ['text/javascript', SCRIPT],
  'https://example.com/api/terms': ['text/plain', 'These terms were written in the browser.'],
}

/** A site that answers so, and what was requested of it. */
export function site(answers: Answers) {
  const requested: string[] = []
  const get = async (url: string): Promise<GetOutcome> => {
    requested.push(url)
    const [type, body] = answers[url] ?? []
    if (type === undefined) return { kind: 'failed', reason: 'private_address', message: 'not public', durationMs: 1 }
    const headers = { 'content-type': type }
    return { kind: 'answer', status: 200, headers, bytes: Buffer.from(body!), url, durationMs: 1 }
  }
  return { get, requested }
}

/** The browsers that this process started: what leads the group of one ends with all of its namespace. */
export const browsers = () => {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,stat=,args='])
  return stdout
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, state, ...command]) =>
        parent === String(process.pid) && !state?.startsWith('Z') && command.some((word) => /chrom/.test(word)),
    )
}
