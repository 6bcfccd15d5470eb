import go from './samples/go.txt?raw'
import java from './samples/java.txt?raw'
import node from './samples/node.txt?raw'
import python from './samples/python.txt?raw'
import shell from './samples/shell.txt?raw'

/** Receivers that verify, in five languages. A test runs each of them. */
export const SAMPLES = [
  { value: 'node', label: 'Node', file: 'receiver.mjs', code: node },
  { value: 'python', label: 'Python', file: 'receiver.py', code: python },
  { value: 'go', label: 'Go', file: 'receiver.go', code: go },
  { value: 'java', label: 'Java', file: 'Receiver.java', code: java },
  { value: 'shell', label: 'Shell', file: 'verify.sh', code: shell },
]

/** Returns a sample for the path of a webhook's URL. */
export const sampleFor = (code: string, url: string): string =>
  code.replace(/\bPATH\b/g, () => JSON.stringify(new URL(url).pathname))
