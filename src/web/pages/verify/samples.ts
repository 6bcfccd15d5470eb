import go from './samples/go.txt?raw'
import java from './samples/java.txt?raw'
import node from './samples/node.txt?raw'
import python from './samples/python.txt?raw'
import shell from './samples/shell.txt?raw'

/** Where the receivers listen, unless PORT says otherwise. */
const PORT = 3000

type Sample = {
  value: string
  label: string
  file: string
  code: string
  /** What starts it. */
  start: string
  /** Installs the library of Standard Webhooks, which verifies in two lines. The code needs nothing. */
  install?: string
}

/** Receivers that verify, in five languages. A test runs each of them. */
export const SAMPLES: Sample[] = [
  {
    value: 'node',
    label: 'Node',
    file: 'receiver.mjs',
    code: node,
    start: 'node receiver.mjs',
    install: 'npm install standardwebhooks',
  },
  {
    value: 'python',
    label: 'Python',
    file: 'receiver.py',
    code: python,
    start: 'python3 receiver.py',
    install: 'pip install standardwebhooks',
  },
  { value: 'go', label: 'Go', file: 'receiver.go', code: go, start: 'go run receiver.go' },
  { value: 'java', label: 'Java', file: 'Receiver.java', code: java, start: 'java Receiver.java' },
  {
    value: 'shell',
    label: 'Shell',
    file: 'verify.sh',
    code: shell,
    start: 'sh verify.sh WEBHOOK-ID WEBHOOK-TIMESTAMP WEBHOOK-SIGNATURE body.json',
  },
]

/** Returns what to know before a sample runs: how it is started, and where it listens for the path of a webhook. */
export const aboutSample = ({ value }: Sample, url: string): string =>
  value === 'shell'
    ? 'It verifies one request whose body you saved in body.json. It needs openssl.'
    : `It listens on port ${PORT}, or on what PORT says, at ${new URL(url).pathname}: send what comes to ${new URL(url).host} there. No dependencies.`

/** Returns a sample for the path of a webhook's URL. */
export const sampleFor = (code: string, url: string): string =>
  code.replace(/\bPATH\b/g, () => JSON.stringify(new URL(url).pathname))

/** Returns the command that starts a sample. The secret stands in it once someone has asked for it. */
export const startOf = ({ start }: Pick<Sample, 'start'>, secret = 'whsec_…'): string =>
  `WEBHOOK_SECRET=${secret} ${start}`
