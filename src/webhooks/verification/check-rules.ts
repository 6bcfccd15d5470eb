import { MINUTE } from '../../lib/instant.ts'
import { type PastedRequest, readHeaders } from './request-rules.ts'
import { signatureOf, signaturesIn } from './signature-rules.ts'

/** How far a receiver lets a timestamp be from its clock (Standard Webhooks). */
const TOLERANCE_MS = 5 * MINUTE

/** What a check found: whether the signature verifies, and what to do, a sentence each. */
export type CheckResult = { verifies: boolean; findings: Finding[] }
type Finding = {
  kind: 'good' | 'problem' | 'hint'
  /** What it is about. */
  about: 'headers' | 'secret' | 'timestamp' | 'body'
  text: string
}

type KnownWebhook = {
  /** The secrets of the webhook that sign now, newest first. */
  secrets: string[]
  /** The secret that the receiver has, where it was pasted too. */
  receiverSecret?: string
  /** The body that was sent with this id, as far as it is known. */
  sentBody?: string
  nowMs: number
}

const good = (about: Finding['about'], text: string): Finding => ({ kind: 'good', about, text })
const problem = (about: Finding['about'], text: string): Finding => ({ kind: 'problem', about, text })
const hint = (about: Finding['about'], text: string): Finding => ({ kind: 'hint', about, text })

/** Says why the signature of a pasted request does or does not verify. */
export function checkRequest(request: PastedRequest, known: KnownWebhook): CheckResult {
  const { id, timestamp, signature } = readHeaders(request.headers)
  const missing = [!id && 'webhook-id', !timestamp && 'webhook-timestamp', !signature && 'webhook-signature']
  const names = missing.filter((name) => name !== false)
  if (!id || !timestamp || !signature) {
    return refused([problem('headers', `Paste the header ${listed(names)} too: it is part of what is verified.`)])
  }
  const received = signaturesIn(signature)
  if (received.length === 0) {
    return refused([problem('headers', 'webhook-signature has no signature of version 1: it looks like v1,BASE64.')])
  }
  const signed = (body: string, secrets: string[]) =>
    secrets.findIndex((secret) => received.includes(signatureOf(secret, { id, timestamp, body })))
  const findings = [...checkTimestamp(timestamp, known.nowMs), ...checkSecret(known)]
  const isCurrent = !findings.some(({ kind, about }) => kind === 'problem' && about === 'timestamp')
  const index = signed(request.body, known.secrets)
  if (index >= 0) {
    const text = index === 0 ? 'It is signed with the present secret.' : 'It is signed with the secret before this one.'
    const about = 'The body is byte for byte what was signed.'
    const isSame = !findings.some(({ kind, about: part }) => kind === 'problem' && part === 'secret')
    return { verifies: isCurrent && isSame, findings: [good('secret', text), good('body', about), ...findings] }
  }
  return refused([...whyNot(request.body, known, (body) => signed(body, known.secrets) >= 0), ...findings])
}

const listed = (names: string[]): string => [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')

const refused = (findings: Finding[]): CheckResult => ({ verifies: false, findings })

function checkTimestamp(timestamp: string, nowMs: number): Finding[] {
  if (!/^\d{1,12}$/.test(timestamp)) {
    return [
      problem('timestamp', 'webhook-timestamp is not a number of seconds since 1970: take it as it was received.'),
    ]
  }
  const ageMs = nowMs - Number(timestamp) * 1000
  if (ageMs > TOLERANCE_MS) {
    const text = `It was signed ${ageText(ageMs)} ago. Receivers refuse what is older than 5 minutes, so that a recorded request cannot be sent again. For a request that was received in time this is not a fault; to verify a new one, resend the delivery.`
    return [problem('timestamp', text)]
  }
  if (ageMs < -TOLERANCE_MS) {
    return [problem('timestamp', `It was signed ${ageText(-ageMs)} in the future: correct the clock of your receiver.`)]
  }
  return [good('timestamp', 'It was signed within the last 5 minutes.')]
}

const ageText = (ms: number): string => {
  const minutes = Math.round(ms / MINUTE)
  return minutes < 120
    ? `${minutes} minutes`
    : minutes < 2_880
      ? `${Math.round(minutes / 60)} hours`
      : `${Math.round(minutes / 1_440)} days`
}

/** What is wrong with the secret that the receiver has. */
function checkSecret({ secrets, receiverSecret: given }: KnownWebhook): Finding[] {
  if (given === undefined || given === '') return []
  const index = secrets.indexOf(given)
  if (index === 0) return [good('secret', 'Your receiver has the present secret.')]
  if (index > 0)
    return [hint('secret', 'Your receiver has the secret before this one: replace it before it stops signing.')]
  const bare = (text: string) =>
    text
      .trim()
      .replace(/^['"]|['"]$/g, '')
      .replace(/^whsec_/, '')
  if (secrets.some((secret) => bare(secret) === bare(given))) {
    return [
      problem(
        'secret',
        'Your receiver has the right secret with something around it: quotes, spaces, a line break, or without whsec_. Store it exactly as it is shown.',
      ),
    ]
  }
  if (/^[A-Za-z0-9+/]+=*$/.test(given) && Buffer.from(given, 'base64').toString().startsWith('whsec_')) {
    return [
      problem(
        'secret',
        'Your receiver has the secret in base64 once more, as Kubernetes shows secrets: decode it once.',
      ),
    ]
  }
  return [
    problem(
      'secret',
      'Your receiver has another secret: of another webhook, or one that a rotation has retired. Reveal the secret of this webhook and store it.',
    ),
  ]
}

const CHANGES: { text: string; undo: (body: string) => string[] }[] = [
  {
    text: 'A line break was added at the end of the body, as editors and some shells do.',
    undo: (body) => [body.replace(/\r?\n$/, '')],
  },
  {
    text: 'A byte order mark was added before the body: read it as bytes.',
    undo: (body) => [body.replace(/^\uFEFF/, '')],
  },
  { text: 'White space around the body was added.', undo: (body) => [body.trim()] },
  { text: 'Line breaks were changed to those of Windows.', undo: (body) => [body.replaceAll('\r\n', '\n')] },
  {
    text: 'The body was read as Latin-1 instead of UTF-8: verify the bytes, or decode them as UTF-8.',
    undo: (body) => (isLatin1(body) ? [Buffer.from(body, 'latin1').toString('utf8')] : []),
  },
  {
    text: 'The body was parsed and written again as JSON: verify the raw bytes before a framework parses them.',
    undo: (body) => {
      const written = writtenAgain(body)
      return written === undefined ? [] : [written, escaped(written)]
    },
  },
]

/** What was done to the body on its way, or which secret signed it. */
function whyNot(body: string, { sentBody }: KnownWebhook, verifies: (body: string) => boolean): Finding[] {
  if (body === '')
    return [problem('body', 'The body is empty: your framework may have read it already. Verify the raw bytes first.')]
  const change = CHANGES.find(({ undo }) => undo(body).some((original) => original !== body && verifies(original)))
  if (change) return [problem('body', change.text)]
  if (sentBody === undefined) {
    return [
      problem(
        'secret',
        'No secret of this webhook made this signature for this body: the body was changed, or the request is of another webhook.',
      ),
    ]
  }
  if (!verifies(sentBody)) {
    const same = body === sentBody ? 'The body is what was sent, but' : 'Even for the body as it was sent'
    return [
      problem(
        'secret',
        `${same} no secret that signs now made this signature: a header was changed, or the secret was rotated since. Resend the delivery to have it signed again.`,
      ),
    ]
  }
  if (isSameJson(body, sentBody)) return [problem('body', CHANGES.at(-1)!.text)]
  const [characters, sent] = [[...body], [...sentBody]]
  const at = characters.findIndex((character, index) => character !== sent[index])
  const place = at < 0 ? `after ${characters.length} characters, where the rest is missing` : `at character ${at + 1}`
  return [problem('body', `The body differs from what was sent ${place}. Compare it with the payload of the delivery.`)]
}

const isLatin1 = (text: string): boolean => [...text].every((character) => character.charCodeAt(0) <= 0xff)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const escaped = (text: string): string =>
  text.replace(/[\u0080-\uFFFF]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Writes JSON again. Undefined for what is not JSON, or is nested too deeply to be written. */
function writtenAgain(text: string, change = (json: unknown): unknown => json): string | undefined {
  const parsed = parse(text)
  try {
    return parsed === undefined ? undefined : JSON.stringify(change(parsed))
  } catch (err) {
    if (err instanceof RangeError) return undefined
    throw err
  }
}

/** Whether two texts are the same JSON, whatever the order of their keys. */
function isSameJson(one: string, other: string): boolean {
  const written = writtenAgain(one, sorted)
  return written !== undefined && written === writtenAgain(other, sorted)
}
const sorted = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(sorted)
  if (json === null || typeof json !== 'object') return json
  return Object.fromEntries(
    Object.entries(json)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, sorted(value)]),
  )
}
