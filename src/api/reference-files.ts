import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { contentName } from './etag-rules.ts'
import type { Answer } from './send-answer.ts'

const FOLDER = dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/static/swagger-ui.css'))

/** The files that the page of /docs loads, with their types. */
const TYPES: Record<string, string> = {
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
  'index.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
}

/**
 * Returns a function that finds the files of the page at /docs by name. Each is read when it is requested first; all
 * answers share its bytes, so that a client that does not read them costs no memory of its own.
 */
export function referenceFiles(): (name: string) => Promise<Answer> | undefined {
  const read = new Map<string, Promise<Answer>>()
  return (name) => {
    const type = TYPES[name]
    if (type === undefined) return undefined
    const file = read.get(name) ?? readAnswer(name, type)
    read.set(name, file)
    return file
  }
}

async function readAnswer(name: string, type: string): Promise<Answer> {
  const bytes = await readFile(join(FOLDER, name))
  return {
    name: contentName(bytes),
    cacheControl: 'public, max-age=3600',
    vary: 'accept-encoding',
    make: async () => ({ bytes, headers: { 'content-type': type } }),
  }
}
