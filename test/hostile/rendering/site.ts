import type { Answer, Probe, Target } from './probe.ts'
import { SOCKET_PROBES } from './socket-probes.ts'
import { URL_PROBES } from './url-probes.ts'
import { WEBRTC_ELSEWHERE, WEBRTC_PROBES } from './webrtc-probes.ts'

/** What must not be reached: the machine itself, private networks, a metadata service, and hosts no one checked. */
const HOSTS = ['127.0.0.1', '10.0.0.7', '169.254.169.254', '192.168.1.1', '93.184.216.34', '[::1]', '[fd00::7]']

export const PAGE = 'http://127.0.0.1:8080/'
/** Names under this one are asked of a DNS server of the test. */
export const ZONE = 'trap.example'

/** What Chromium does not do here without protection either, or its headless shell does not. They stay in the page. */
export const SILENT = new Set([
  ...['TCPSocket, by address', 'TCPSocket, by name', 'UDPSocket, by address', 'UDPSocket, by name'],
  ...['<object> of a PDF, by name', '<embed> of a PDF, by name', '<use> of SVG, by name'],
  ...['<link rel=prerender>, by address', '<link rel=preconnect>, by name', '<link rel=dns-prefetch>, by address'],
  ...['<link rel=icon>, by name', '<link rel=manifest>, by address', '<img attributionsrc>, by address'],
  ...['report-to of a policy, by address', 'network error logging, by name', 'a payment method, by address'],
  'a second screen, by address',
])

/** Where a page must not get at all. Their frames stay empty. */
const SCHEMES = [
  'file:///etc/passwd',
  'chrome://version',
  'view-source:file:///etc/passwd',
  'devtools://devtools/x',
  'x:y',
]

export type Site = { targets: Map<string, Target>; answers: Map<string, Answer> }

/**
 * One page with every probe. Those that open connections of their own aim at an address and at a name, the others at one of
 * the two by turns. Each has a port of its own, from `basePort` on.
 */
export function site(basePort: number): Site {
  const targets = new Map<string, Target>()
  const answers = new Map<string, Answer>()
  const markup = SCHEMES.map((url) => `<iframe src="${url}"></iframe>`)
  const add = (title: string, probe: Probe, by: 'address' | 'name') => {
    const port = basePort + targets.size
    const word = `p${port}`
    const host = by === 'name' ? `${word}.${ZONE}` : HOSTS[targets.size % HOSTS.length]!
    const target = { host, port, at: `${host}:${port}`, path: `/${word}/`, word }
    const made = probe(target)
    targets.set(`${title}, by ${by}`, target)
    markup.push(made.markup)
    for (const [name, answer] of Object.entries(made.files ?? {})) answers.set(`${target.path}${name}`, answer)
  }
  for (const [title, probe] of Object.entries({ ...WEBRTC_PROBES, ...SOCKET_PROBES })) {
    add(title, probe, 'address')
    add(title, probe, 'name')
  }
  for (const [n, [title, probe]] of Object.entries({ ...WEBRTC_ELSEWHERE, ...URL_PROBES }).entries())
    add(title, probe, n % 2 ? 'name' : 'address')
  answers.set('/', [
    'text/html',
    `<!DOCTYPE html><html><body><main>The terms.</main>${markup.join('\n')}</body></html>`,
  ])
  return { targets, answers }
}
