import { spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const SCRIPT = join(ROOT, 'test/clients/python_client.py')

export type PythonTask = { call: string; options?: object; query?: object; [more: string]: unknown }
export type PythonError = { class: string; message: string; code: string | null; status: number | null }
type Details = { field: string | null; retry_after: number | null; fault: string | null; content_hash: string | null }
export type PythonAnswer<T> = { result?: T; error?: PythonError & Details }

/** Runs one call of the Python client in a process that has the standard library alone. */
export async function callPython<T>(task: PythonTask): Promise<PythonAnswer<T>> {
  const [answer] = await callPythonEach<T>([task])
  return answer!
}

/** Runs one call after another in one such process. */
export function callPythonEach<T>(tasks: PythonTask[]): Promise<PythonAnswer<T>[]> {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' }
  // -s: no packages of this user; -W error: nothing deprecated, no connection left open.
  const child = spawn('python3', ['-s', '-W', 'error', SCRIPT], { env })
  let [out, errors] = ['', '']
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  child.stdin.end(JSON.stringify(tasks.map((task) => ({ options: {}, query: {}, ...task }))))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0 && errors === '') resolve(JSON.parse(out))
      else reject(new Error(`python3 ended with status ${code}: ${errors}`))
    })
  })
}
