import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { contentName } from '../serving/etag-rules.ts'
import type { Answer } from '../serving/send-answer.ts'

const require = createRequire(import.meta.url)

/** Returns where the package is. @throws AppError not_found where it was left out */
function folder(): string {
  try {
    return dirname(require.resolve('@fastify/swagger-ui/static/swagger-ui.css'))
  } catch {
    throw new AppError('not_found', 'This installation has no API reference. Read /openapi.json.')
  }
}

/** The files of Swagger UI that the page at /docs loads, with their types. */
const TYPES: Record<string, string> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
}

/**
 * Returns the files that the page at /docs loads, by name. Each is read when it is requested first; all answers share its
 * bytes, so that a client that does not read them costs no memory of its own.
 */
export function referenceFiles(): [name: string, file: () => Promise<Answer>][] {
  return Object.entries(TYPES).map(([name, type]) => {
    let read: Promise<Answer> | undefined
    const file = () => {
      read ??= readAnswer(name, type)
      return read
    }
    return [name, file]
  })
}

async function readAnswer(name: string, type: string): Promise<Answer> {
  const bytes = await readFile(join(folder(), name))
  return {
    name: contentName(bytes),
    cacheControl: 'public, max-age=3600',
    vary: 'accept-encoding',
    make: async () => ({ bytes, headers: { 'content-type': type } }),
  }
}
